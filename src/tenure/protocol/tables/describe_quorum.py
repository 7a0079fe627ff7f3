"""DescribeQuorum (API key 55, KIP-595).

Changes: times of the replicas (v1, KIP-836), directories and listeners (v2, KIP-853).
"""

from tenure.protocol.schema import (
    INT16,
    INT32,
    INT64,
    NULLABLE_STRING,
    STRING,
    UINT16,
    UUID,
    ArrayOf,
    Field,
    MessageSchema,
    StructSchema,
)
from tenure.protocol.types import PartitionId, TopicName

QUORUM_REPLICA = StructSchema("QuorumReplica", [
    Field("replica_id", INT32),
    Field("replica_directory_id", UUID, versions="2+"),
    Field("log_end_offset", INT64),
    Field("last_fetch_timestamp", INT64, versions="1+", default=-1, ignorable=True),
    Field("last_caught_up_timestamp", INT64, versions="1+", default=-1, ignorable=True),
])

DESCRIBE_QUORUM_REQUEST = MessageSchema(
    "DescribeQuorumRequest", key=55, versions="0-2", flexible="0+",
    fields=[
        Field("topics", ArrayOf(StructSchema("DescribeQuorumTopic", [
            Field("topic_name", STRING, as_=TopicName),
            Field("partitions", ArrayOf(StructSchema("DescribeQuorumPartition", [
                Field("partition_index", INT32, as_=PartitionId),
            ]))),
        ]))),
    ],
)

DESCRIBE_QUORUM_RESPONSE = MessageSchema(
    "DescribeQuorumResponse", key=55, versions="0-2", flexible="0+",
    fields=[
        Field("error_code", INT16),
        Field("error_message", NULLABLE_STRING, versions="2+", ignorable=True),
        Field("topics", ArrayOf(StructSchema("DescribedQuorumTopic", [
            Field("topic_name", STRING, as_=TopicName),
            Field("partitions", ArrayOf(StructSchema("DescribedQuorumPartition", [
                Field("partition_index", INT32, as_=PartitionId),
                Field("error_code", INT16),
                Field("error_message", NULLABLE_STRING, versions="2+", ignorable=True),
                Field("leader_id", INT32),
                Field("leader_epoch", INT32),
                Field("high_watermark", INT64),
                Field("current_voters", ArrayOf(QUORUM_REPLICA)),
                Field("observers", ArrayOf(QUORUM_REPLICA)),
            ]))),
        ]))),
        Field("nodes", ArrayOf(StructSchema("QuorumNode", [
            Field("node_id", INT32, versions="2+"),
            Field("listeners", ArrayOf(StructSchema("QuorumListener", [
                Field("name", STRING, versions="2+"),
                Field("host", STRING, versions="2+"),
                Field("port", UINT16, versions="2+"),
            ])), versions="2+"),
        ])), versions="2+"),
    ],
)
