"""Records of classic groups in `__consumer_offsets` (rule 6.3).

Keys have the classic encoding. `key` of a message is the record type.
"""

from tenure.protocol.schema import (
    BYTES,
    INT32,
    INT64,
    NULLABLE_STRING,
    STRING,
    UUID,
    ArrayOf,
    Field,
    MessageSchema,
    StructSchema,
)
from tenure.protocol.types import GenerationId, GroupId, InstanceId, MemberId, PartitionId, TopicId, TopicName

OFFSET_COMMIT_KEY = MessageSchema(
    "OffsetCommitKey", key=1, versions="0",
    fields=[
        Field("group", STRING, as_=GroupId),
        Field("topic", STRING, as_=TopicName),
        Field("partition", INT32, as_=PartitionId),
    ],
)

OFFSET_COMMIT_VALUE = MessageSchema(
    "OffsetCommitValue", key=1, versions="0-4", flexible="4+",
    fields=[
        Field("offset", INT64),
        Field("leader_epoch", INT32, versions="3+", default=-1, ignorable=True),
        Field("metadata", STRING),
        Field("commit_timestamp", INT64),
        Field("expire_timestamp", INT64, versions="1", default=-1, ignorable=True),
        Field("topic_id", UUID, versions="4+", ignorable=True, tag=0, as_=TopicId),
    ],
)

GROUP_METADATA_KEY = MessageSchema(
    "GroupMetadataKey", key=2, versions="0",
    fields=[
        Field("group", STRING, as_=GroupId),
    ],
)

GROUP_METADATA_VALUE = MessageSchema(
    "GroupMetadataValue", key=2, versions="0-4", flexible="4+",
    fields=[
        Field("protocol_type", STRING),
        Field("generation", INT32, as_=GenerationId),
        Field("protocol", NULLABLE_STRING),
        Field("leader", NULLABLE_STRING, as_=MemberId),
        Field("current_state_timestamp", INT64, versions="2+", default=-1, ignorable=True),
        Field("members", ArrayOf(StructSchema("MemberMetadata", [
            Field("member_id", STRING, as_=MemberId),
            Field("group_instance_id", NULLABLE_STRING, versions="3+", default=None, ignorable=True, as_=InstanceId),
            Field("client_id", STRING),
            Field("client_host", STRING),
            Field("rebalance_timeout", INT32, versions="1+", default=-1, ignorable=True),
            Field("session_timeout", INT32),
            Field("subscription", BYTES),
            Field("assignment", BYTES),
        ]))),
    ],
)
