"""ListOffsets (API key 2).

Changes: isolation level (v2), leader epochs (v4), flexible encoding (v6), max timestamp (v7), tiered offsets (v8 and
v9), timeout (v10), earliest pending upload (v11).
"""

from tenure.protocol.schema import INT8, INT16, INT32, INT64, STRING, ArrayOf, Field, MessageSchema, StructSchema
from tenure.protocol.types import BrokerId, PartitionId, TopicName

LIST_OFFSETS_REQUEST = MessageSchema(
    "ListOffsetsRequest", key=2, versions="1-11", flexible="6+",
    fields=[
        Field("replica_id", INT32, as_=BrokerId),
        Field("isolation_level", INT8, versions="2+"),
        Field("topics", ArrayOf(StructSchema("ListOffsetsTopic", [
            Field("name", STRING, as_=TopicName),
            Field("partitions", ArrayOf(StructSchema("ListOffsetsPartition", [
                Field("partition_index", INT32, as_=PartitionId),
                Field("current_leader_epoch", INT32, versions="4+", default=-1, ignorable=True),
                Field("timestamp", INT64),
            ]))),
        ]))),
        Field("timeout_ms", INT32, versions="10+", ignorable=True),
    ],
)

LIST_OFFSETS_RESPONSE = MessageSchema(
    "ListOffsetsResponse", key=2, versions="1-11", flexible="6+",
    fields=[
        Field("throttle_time_ms", INT32, versions="2+", ignorable=True),
        Field("topics", ArrayOf(StructSchema("ListOffsetsTopicResponse", [
            Field("name", STRING, as_=TopicName),
            Field("partitions", ArrayOf(StructSchema("ListOffsetsPartitionResponse", [
                Field("partition_index", INT32, as_=PartitionId),
                Field("error_code", INT16),
                Field("timestamp", INT64, default=-1),
                Field("offset", INT64, default=-1),
                Field("leader_epoch", INT32, versions="4+", default=-1),
            ]))),
        ]))),
    ],
)
