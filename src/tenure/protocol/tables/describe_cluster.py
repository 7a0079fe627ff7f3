"""DescribeCluster (API key 60).

Changes: endpoint type (v1), fenced brokers (v2). All versions have the flexible encoding.
"""

from tenure.protocol.schema import (
    BOOL,
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
from tenure.protocol.types import BrokerId

DESCRIBE_CLUSTER_REQUEST = MessageSchema(
    "DescribeClusterRequest", key=60, versions="0-2", flexible="0+",
    fields=[
        Field("include_cluster_authorized_operations", BOOL),
        Field("endpoint_type", INT8, versions="1+", default=1),
        Field("include_fenced_brokers", BOOL, versions="2+"),
    ],
)

DESCRIBE_CLUSTER_RESPONSE = MessageSchema(
    "DescribeClusterResponse", key=60, versions="0-2", flexible="0+",
    fields=[
        Field("throttle_time_ms", INT32),
        Field("error_code", INT16),
        Field("error_message", NULLABLE_STRING, default=None),
        Field("endpoint_type", INT8, versions="1+", default=1),
        Field("cluster_id", STRING),
        Field("controller_id", INT32, default=-1, as_=BrokerId),
        Field("brokers", ArrayOf(StructSchema("DescribeClusterBroker", [
            Field("broker_id", INT32, as_=BrokerId),
            Field("host", STRING),
            Field("port", INT32),
            Field("rack", NULLABLE_STRING, default=None),
            Field("is_fenced", BOOL, versions="2+"),
        ]))),
        Field("cluster_authorized_operations", INT32, default=-(2**31)),
    ],
)
