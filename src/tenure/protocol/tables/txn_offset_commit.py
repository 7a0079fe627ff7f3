"""TxnOffsetCommit (API key 28).

Changes: leader epochs (v2), flexible encoding and the member (v3, KIP-447), topics by id (v6, KIP-1319). From v5 on,
the request also adds the partition to the transaction (KIP-890).
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
from tenure.protocol.types import (
    GenerationId,
    GroupId,
    InstanceId,
    MemberId,
    PartitionId,
    ProducerId,
    TopicId,
    TopicName,
)

TXN_OFFSET_COMMIT_REQUEST = MessageSchema(
    "TxnOffsetCommitRequest", key=28, versions="0-6", flexible="3+",
    fields=[
        Field("transactional_id", STRING),
        Field("group_id", STRING, as_=GroupId),
        Field("producer_id", INT64, as_=ProducerId),
        Field("producer_epoch", INT16),
        Field("generation_id_or_member_epoch", INT32, versions="3+", default=-1, as_=GenerationId),
        Field("member_id", STRING, versions="3+", as_=MemberId),
        Field("group_instance_id", NULLABLE_STRING, versions="3+", default=None, as_=InstanceId),
        Field("topics", ArrayOf(StructSchema("TxnOffsetCommitRequestTopic", [
            Field("name", STRING, versions="0-5", as_=TopicName, ignorable=True),
            Field("topic_id", UUID, versions="6+", as_=TopicId, ignorable=True),
            Field("partitions", ArrayOf(StructSchema("TxnOffsetCommitRequestPartition", [
                Field("partition_index", INT32, as_=PartitionId),
                Field("committed_offset", INT64),
                Field("committed_leader_epoch", INT32, versions="2+", default=-1, ignorable=True),
                Field("committed_metadata", NULLABLE_STRING),
            ]))),
        ]))),
    ],
)

TXN_OFFSET_COMMIT_RESPONSE = MessageSchema(
    "TxnOffsetCommitResponse", key=28, versions="0-6", flexible="3+",
    fields=[
        Field("throttle_time_ms", INT32),
        Field("topics", ArrayOf(StructSchema("TxnOffsetCommitResponseTopic", [
            Field("name", STRING, versions="0-5", as_=TopicName, ignorable=True),
            Field("topic_id", UUID, versions="6+", as_=TopicId, ignorable=True),
            Field("partitions", ArrayOf(StructSchema("TxnOffsetCommitResponsePartition", [
                Field("partition_index", INT32, as_=PartitionId),
                Field("error_code", INT16),
            ]))),
        ]))),
    ],
)
