"""ElectLeaders (API key 43).

Changes: types of elections (v1, KIP-460), error code of the whole request (v1), flexible encoding (v2).
"""

from tenure.protocol.schema import (
    INT8,
    INT16,
    INT32,
    NULLABLE_STRING,
    STRING,
    ArrayOf,
    Field,
    MessageSchema,
    StructSchema,
)
from tenure.protocol.types import PartitionId, TopicName

ELECT_LEADERS_REQUEST = MessageSchema(
    "ElectLeadersRequest", key=43, versions="0-2", flexible="2+",
    fields=[
        Field("election_type", INT8, versions="1+"),
        Field("topic_partitions", ArrayOf(StructSchema("TopicPartitions", [
            Field("topic", STRING, as_=TopicName),
            Field("partitions", ArrayOf(INT32), as_=PartitionId),
        ])), nullable="0+"),
        Field("timeout_ms", INT32, default=60_000),
    ],
)

ELECT_LEADERS_RESPONSE = MessageSchema(
    "ElectLeadersResponse", key=43, versions="0-2", flexible="2+",
    fields=[
        Field("throttle_time_ms", INT32),
        Field("error_code", INT16, versions="1+"),
        Field("replica_election_results", ArrayOf(StructSchema("ReplicaElectionResult", [
            Field("topic", STRING, as_=TopicName),
            Field("partition_result", ArrayOf(StructSchema("PartitionResult", [
                Field("partition_id", INT32, as_=PartitionId),
                Field("error_code", INT16),
                Field("error_message", NULLABLE_STRING),
            ]))),
        ]))),
    ],
)
