"""FindCoordinator (API key 10).

Changes: key type (v1), flexible encoding (v3), several keys at once (v4), share groups (v6).
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
from tenure.protocol.types import BrokerId

FIND_COORDINATOR_REQUEST = MessageSchema(
    "FindCoordinatorRequest", key=10, versions="0-6", flexible="3+",
    fields=[
        Field("key", STRING, versions="0-3"),
        Field("key_type", INT8, versions="1+"),
        Field("coordinator_keys", ArrayOf(STRING), versions="4+"),
    ],
)

FIND_COORDINATOR_RESPONSE = MessageSchema(
    "FindCoordinatorResponse", key=10, versions="0-6", flexible="3+",
    fields=[
        Field("throttle_time_ms", INT32, versions="1+", ignorable=True),
        Field("error_code", INT16, versions="0-3"),
        Field("error_message", NULLABLE_STRING, versions="1-3", ignorable=True),
        Field("node_id", INT32, versions="0-3", as_=BrokerId),
        Field("host", STRING, versions="0-3"),
        Field("port", INT32, versions="0-3"),
        Field("coordinators", ArrayOf(StructSchema("Coordinator", [
            Field("key", STRING),
            Field("node_id", INT32, as_=BrokerId),
            Field("host", STRING),
            Field("port", INT32),
            Field("error_code", INT16),
            Field("error_message", NULLABLE_STRING),
        ])), versions="4+"),
    ],
)
