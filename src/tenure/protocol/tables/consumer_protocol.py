"""Data that members of protocol type "consumer" exchange by JoinGroup and SyncGroup (rule 7.6).

All versions have the classic encoding. The sticky assignors store data without a version in the user data of a
subscription (rule 7.7).
"""

from tenure.protocol.schema import (
    INT32,
    NULLABLE_BYTES,
    NULLABLE_STRING,
    STRING,
    ArrayOf,
    Field,
    MessageSchema,
    StructSchema,
)
from tenure.protocol.types import GenerationId, PartitionId, TopicName

TOPIC_PARTITION = StructSchema("TopicPartition", [
    Field("topic", STRING, as_=TopicName),
    Field("partitions", ArrayOf(INT32), as_=PartitionId),
])

CONSUMER_PROTOCOL_SUBSCRIPTION = MessageSchema(
    "ConsumerProtocolSubscription", versions="0-3",
    fields=[
        Field("topics", ArrayOf(STRING), as_=TopicName),
        Field("user_data", NULLABLE_BYTES, default=None),
        Field("owned_partitions", ArrayOf(TOPIC_PARTITION), versions="1+", ignorable=True),
        Field("generation_id", INT32, versions="2+", default=-1, ignorable=True, as_=GenerationId),
        Field("rack_id", NULLABLE_STRING, versions="3+", default=None, ignorable=True),
    ],
)

CONSUMER_PROTOCOL_ASSIGNMENT = MessageSchema(
    "ConsumerProtocolAssignment", versions="0-3",
    fields=[
        Field("assigned_partitions", ArrayOf(TOPIC_PARTITION)),
        Field("user_data", NULLABLE_BYTES, default=None),
    ],
)

STICKY_ASSIGNOR_USER_DATA = MessageSchema(
    "StickyAssignorUserData", versions="0-1",
    fields=[
        Field("previous_assignment", ArrayOf(TOPIC_PARTITION)),
        Field("generation", INT32, versions="1+", default=-1, ignorable=True, as_=GenerationId),
    ],
)

COOPERATIVE_STICKY_ASSIGNOR_USER_DATA = MessageSchema(
    "CooperativeStickyAssignorUserData", versions="0",
    fields=[
        Field("generation", INT32, as_=GenerationId),
    ],
)
