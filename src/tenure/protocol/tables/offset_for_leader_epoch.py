"""OffsetForLeaderEpoch (API key 23). Changes: replica id (v3), flexible encoding (v4)."""

from tenure.protocol.schema import INT16, INT32, INT64, STRING, ArrayOf, Field, MessageSchema, StructSchema
from tenure.protocol.types import BrokerId, PartitionId, TopicName

OFFSET_FOR_LEADER_EPOCH_REQUEST = MessageSchema(
    "OffsetForLeaderEpochRequest", key=23, versions="2-4", flexible="4+",
    fields=[
        Field("replica_id", INT32, versions="3+", default=-2, ignorable=True, as_=BrokerId),
        Field("topics", ArrayOf(StructSchema("OffsetForLeaderTopic", [
            Field("topic", STRING, as_=TopicName),
            Field("partitions", ArrayOf(StructSchema("OffsetForLeaderPartition", [
                Field("partition", INT32, as_=PartitionId),
                Field("current_leader_epoch", INT32, default=-1),
                Field("leader_epoch", INT32),
            ]))),
        ]))),
    ],
)

OFFSET_FOR_LEADER_EPOCH_RESPONSE = MessageSchema(
    "OffsetForLeaderEpochResponse", key=23, versions="2-4", flexible="4+",
    fields=[
        Field("throttle_time_ms", INT32),
        Field("topics", ArrayOf(StructSchema("OffsetForLeaderTopicResult", [
            Field("topic", STRING, as_=TopicName),
            Field("partitions", ArrayOf(StructSchema("EpochEndOffset", [
                Field("error_code", INT16),
                Field("partition", INT32, as_=PartitionId),
                Field("leader_epoch", INT32, default=-1),
                Field("end_offset", INT64, default=-1),
            ]))),
        ]))),
    ],
)
