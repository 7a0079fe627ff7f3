"""OffsetFetch (API key 9).

Changes: top-level error (v2), leader epochs (v5), flexible encoding (v6), stable offsets (v7), several groups (v8),
member epochs (v9), topic ids (v10).
"""

from tenure.protocol.schema import (
    BOOL,
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
from tenure.protocol.types import GroupId, MemberId, PartitionId, TopicId, TopicName

OFFSET_FETCH_REQUEST = MessageSchema(
    "OffsetFetchRequest", key=9, versions="1-10", flexible="6+",
    fields=[
        Field("group_id", STRING, versions="0-7", as_=GroupId),
        Field("topics", ArrayOf(StructSchema("OffsetFetchRequestTopic", [
            Field("name", STRING, as_=TopicName),
            Field("partition_indexes", ArrayOf(INT32), as_=PartitionId),
        ])), versions="0-7", nullable="2-7"),
        Field("groups", ArrayOf(StructSchema("OffsetFetchRequestGroup", [
            Field("group_id", STRING, as_=GroupId),
            Field("member_id", NULLABLE_STRING, versions="9+", default=None, ignorable=True, as_=MemberId),
            Field("member_epoch", INT32, versions="9+", default=-1, ignorable=True),
            Field("topics", ArrayOf(StructSchema("OffsetFetchRequestTopics", [
                Field("name", STRING, versions="8-9", ignorable=True, as_=TopicName),
                Field("topic_id", UUID, versions="10+", ignorable=True, as_=TopicId),
                Field("partition_indexes", ArrayOf(INT32), as_=PartitionId),
            ])), nullable="8+"),
        ])), versions="8+"),
        Field("require_stable", BOOL, versions="7+"),
    ],
)

OFFSET_FETCH_RESPONSE = MessageSchema(
    "OffsetFetchResponse", key=9, versions="1-10", flexible="6+",
    fields=[
        Field("throttle_time_ms", INT32, versions="3+", ignorable=True),
        Field("topics", ArrayOf(StructSchema("OffsetFetchResponseTopic", [
            Field("name", STRING, as_=TopicName),
            Field("partitions", ArrayOf(StructSchema("OffsetFetchResponsePartition", [
                Field("partition_index", INT32, as_=PartitionId),
                Field("committed_offset", INT64),
                Field("committed_leader_epoch", INT32, versions="5-7", default=-1, ignorable=True),
                Field("metadata", NULLABLE_STRING),
                Field("error_code", INT16),
            ]))),
        ])), versions="0-7"),
        Field("error_code", INT16, versions="2-7", ignorable=True),
        Field("groups", ArrayOf(StructSchema("OffsetFetchResponseGroup", [
            Field("group_id", STRING, as_=GroupId),
            Field("topics", ArrayOf(StructSchema("OffsetFetchResponseTopics", [
                Field("name", STRING, versions="8-9", ignorable=True, as_=TopicName),
                Field("topic_id", UUID, versions="10+", ignorable=True, as_=TopicId),
                Field("partitions", ArrayOf(StructSchema("OffsetFetchResponsePartitions", [
                    Field("partition_index", INT32, as_=PartitionId),
                    Field("committed_offset", INT64),
                    Field("committed_leader_epoch", INT32, default=-1),
                    Field("metadata", NULLABLE_STRING),
                    Field("error_code", INT16),
                ]))),
            ]))),
            Field("error_code", INT16),
        ])), versions="8+"),
    ],
)
