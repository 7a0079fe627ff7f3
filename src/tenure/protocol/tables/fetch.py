"""Fetch (API key 1).

Changes: sessions (v7), leader epochs (v9), racks (v11), flexible encoding (v12), topic ids (v13), replica state (v15),
node endpoints (v16).
"""

from tenure.protocol.schema import (
    INT8,
    INT16,
    INT32,
    INT64,
    NULLABLE_STRING,
    RECORDS_IN_FILE,
    STRING,
    UUID,
    ArrayOf,
    Field,
    MessageSchema,
    StructSchema,
)
from tenure.protocol.types import BrokerId, PartitionId, ProducerId, TopicId, TopicName

FETCH_REQUEST = MessageSchema(
    "FetchRequest", key=1, versions="4-18", flexible="12+",
    fields=[
        Field("cluster_id", NULLABLE_STRING, versions="12+", default=None, ignorable=True, tag=0),
        Field("replica_id", INT32, versions="0-14", default=-1, as_=BrokerId),
        Field("replica_state", StructSchema("ReplicaState", [
            Field("replica_id", INT32, default=-1, as_=BrokerId),
            Field("replica_epoch", INT64, default=-1),
        ]), versions="15+", tag=1),
        Field("max_wait_ms", INT32),
        Field("min_bytes", INT32),
        Field("max_bytes", INT32, default=2**31 - 1),
        Field("isolation_level", INT8),
        Field("session_id", INT32, versions="7+", ignorable=True),
        Field("session_epoch", INT32, versions="7+", default=-1, ignorable=True),
        Field("topics", ArrayOf(StructSchema("FetchTopic", [
            Field("topic", STRING, versions="0-12", ignorable=True, as_=TopicName),
            Field("topic_id", UUID, versions="13+", ignorable=True, as_=TopicId),
            Field("partitions", ArrayOf(StructSchema("FetchPartition", [
                Field("partition", INT32, as_=PartitionId),
                Field("current_leader_epoch", INT32, versions="9+", default=-1, ignorable=True),
                Field("fetch_offset", INT64),
                Field("last_fetched_epoch", INT32, versions="12+", default=-1),
                Field("log_start_offset", INT64, versions="5+", default=-1, ignorable=True),
                Field("partition_max_bytes", INT32),
                Field("replica_directory_id", UUID, versions="17+", ignorable=True, tag=0),
                Field("high_watermark", INT64, versions="18+", default=2**63 - 1, ignorable=True, tag=1),
            ]))),
        ]))),
        Field("forgotten_topics_data", ArrayOf(StructSchema("ForgottenTopic", [
            Field("topic", STRING, versions="7-12", ignorable=True, as_=TopicName),
            Field("topic_id", UUID, versions="13+", ignorable=True, as_=TopicId),
            Field("partitions", ArrayOf(INT32), as_=PartitionId),
        ])), versions="7+"),
        Field("rack_id", STRING, versions="11+", ignorable=True),
    ],
)

FETCH_RESPONSE = MessageSchema(
    "FetchResponse", key=1, versions="4-18", flexible="12+",
    fields=[
        Field("throttle_time_ms", INT32),
        Field("error_code", INT16, versions="7+", ignorable=True),
        Field("session_id", INT32, versions="7+"),
        Field("responses", ArrayOf(StructSchema("FetchableTopicResponse", [
            Field("topic", STRING, versions="0-12", ignorable=True, as_=TopicName),
            Field("topic_id", UUID, versions="13+", ignorable=True, as_=TopicId),
            Field("partitions", ArrayOf(StructSchema("PartitionData", [
                Field("partition_index", INT32, as_=PartitionId),
                Field("error_code", INT16),
                Field("high_watermark", INT64),
                Field("last_stable_offset", INT64, default=-1),
                Field("log_start_offset", INT64, versions="5+", default=-1, ignorable=True),
                Field("diverging_epoch", StructSchema("EpochEndOffset", [
                    Field("epoch", INT32, default=-1),
                    Field("end_offset", INT64, default=-1),
                ]), versions="12+", tag=0),
                Field("current_leader", StructSchema("LeaderIdAndEpoch", [
                    Field("leader_id", INT32, default=-1, as_=BrokerId),
                    Field("leader_epoch", INT32, default=-1),
                ]), versions="12+", tag=1),
                Field("snapshot_id", StructSchema("SnapshotId", [
                    Field("end_offset", INT64, default=-1),
                    Field("epoch", INT32, default=-1),
                ]), versions="12+", tag=2),
                Field("aborted_transactions", ArrayOf(StructSchema("AbortedTransaction", [
                    Field("producer_id", INT64, as_=ProducerId),
                    Field("first_offset", INT64),
                ])), nullable="4+"),
                Field("preferred_read_replica", INT32, versions="11+", default=-1, as_=BrokerId),
                Field("records", RECORDS_IN_FILE),
            ]))),
        ]))),
        Field("node_endpoints", ArrayOf(StructSchema("NodeEndpoint", [
            Field("node_id", INT32, as_=BrokerId),
            Field("host", STRING),
            Field("port", INT32),
            Field("rack", NULLABLE_STRING, default=None),
        ])), versions="16+", tag=0),
    ],
)
