"""OffsetCommit (API key 8).

Changes: no retention time (v5), leader epochs (v6), static members (v7), flexible encoding (v8), member epochs (v9,
KIP-848), topic ids (v10).
"""

from tenure.protocol.schema import (
    INT16,
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
from tenure.protocol.types import GroupId, InstanceId, MemberId, PartitionId, TopicId, TopicName

OFFSET_COMMIT_REQUEST = MessageSchema(
    "OffsetCommitRequest", key=8, versions="2-10", flexible="8+",
    fields=[
        Field("group_id", STRING, as_=GroupId),
        Field("generation_id_or_member_epoch", INT32, default=-1),
        Field("member_id", STRING, as_=MemberId),
        Field("group_instance_id", NULLABLE_STRING, versions="7+", default=None, as_=InstanceId),
        Field("retention_time_ms", INT64, versions="2-4", default=-1, ignorable=True),
        Field("topics", ArrayOf(StructSchema("OffsetCommitRequestTopic", [
            Field("name", STRING, versions="0-9", ignorable=True, as_=TopicName),
            Field("topic_id", UUID, versions="10+", ignorable=True, as_=TopicId),
            Field("partitions", ArrayOf(StructSchema("OffsetCommitRequestPartition", [
                Field("partition_index", INT32, as_=PartitionId),
                Field("committed_offset", INT64),
                Field("committed_leader_epoch", INT32, versions="6+", default=-1, ignorable=True),
                Field("committed_metadata", NULLABLE_STRING),
            ]))),
        ]))),
    ],
)

OFFSET_COMMIT_RESPONSE = MessageSchema(
    "OffsetCommitResponse", key=8, versions="2-10", flexible="8+",
    fields=[
        Field("throttle_time_ms", INT32, versions="3+", ignorable=True),
        Field("topics", ArrayOf(StructSchema("OffsetCommitResponseTopic", [
            Field("name", STRING, versions="0-9", ignorable=True, as_=TopicName),
            Field("topic_id", UUID, versions="10+", ignorable=True, as_=TopicId),
            Field("partitions", ArrayOf(StructSchema("OffsetCommitResponsePartition", [
                Field("partition_index", INT32, as_=PartitionId),
                Field("error_code", INT16),
            ]))),
        ]))),
    ],
)
