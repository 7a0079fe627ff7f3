"""Metadata (API key 3).

Changes: flag that allows topic creation (v4), leader epochs (v7), authorized operations (v8), flexible encoding (v9),
topic ids (v10), topics by id (v12), top-level error (v13).
"""

from tenure.protocol.schema import (
    BOOL,
    INT16,
    INT32,
    NULLABLE_STRING,
    STRING,
    UUID,
    ArrayOf,
    Field,
    MessageSchema,
    StructSchema,
)
from tenure.protocol.types import BrokerId, PartitionId, TopicId, TopicName

METADATA_REQUEST = MessageSchema(
    "MetadataRequest", key=3, versions="0-13", flexible="9+",
    fields=[
        Field("topics", ArrayOf(StructSchema("MetadataRequestTopic", [
            Field("topic_id", UUID, versions="10+", ignorable=True, as_=TopicId),
            Field("name", STRING, nullable="10+", as_=TopicName),
        ])), nullable="1+"),
        Field("allow_auto_topic_creation", BOOL, versions="4+", default=True),
        Field("include_cluster_authorized_operations", BOOL, versions="8-10"),
        Field("include_topic_authorized_operations", BOOL, versions="8+"),
    ],
)

METADATA_RESPONSE = MessageSchema(
    "MetadataResponse", key=3, versions="0-13", flexible="9+",
    fields=[
        Field("throttle_time_ms", INT32, versions="3+", ignorable=True),
        Field("brokers", ArrayOf(StructSchema("MetadataResponseBroker", [
            Field("node_id", INT32, as_=BrokerId),
            Field("host", STRING),
            Field("port", INT32),
            Field("rack", NULLABLE_STRING, versions="1+", default=None, ignorable=True),
        ]))),
        Field("cluster_id", NULLABLE_STRING, versions="2+", default=None, ignorable=True),
        Field("controller_id", INT32, versions="1+", default=-1, ignorable=True, as_=BrokerId),
        Field("topics", ArrayOf(StructSchema("MetadataResponseTopic", [
            Field("error_code", INT16),
            Field("name", STRING, nullable="12+", as_=TopicName),
            Field("topic_id", UUID, versions="10+", ignorable=True, as_=TopicId),
            Field("is_internal", BOOL, versions="1+", ignorable=True),
            Field("partitions", ArrayOf(StructSchema("MetadataResponsePartition", [
                Field("error_code", INT16),
                Field("partition_index", INT32, as_=PartitionId),
                Field("leader_id", INT32, as_=BrokerId),
                Field("leader_epoch", INT32, versions="7+", default=-1, ignorable=True),
                Field("replica_nodes", ArrayOf(INT32), as_=BrokerId),
                Field("isr_nodes", ArrayOf(INT32), as_=BrokerId),
                Field("offline_replicas", ArrayOf(INT32), versions="5+", ignorable=True, as_=BrokerId),
            ]))),
            Field("topic_authorized_operations", INT32, versions="8+", default=-(2**31)),
        ]))),
        Field("cluster_authorized_operations", INT32, versions="8-10", default=-(2**31)),
        Field("error_code", INT16, versions="13+", ignorable=True),
    ],
)
