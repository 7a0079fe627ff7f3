"""UnregisterController (API key 94)."""

from tenure.protocol.schema import INT16, INT32, NULLABLE_STRING, Field, MessageSchema

UNREGISTER_CONTROLLER_REQUEST = MessageSchema(
    "UnregisterControllerRequest", key=94, versions="0", flexible="0+",
    fields=[
        Field("controller_id", INT32),
    ],
)

UNREGISTER_CONTROLLER_RESPONSE = MessageSchema(
    "UnregisterControllerResponse", key=94, versions="0", flexible="0+",
    fields=[
        Field("throttle_time_ms", INT32),
        Field("error_code", INT16),
        Field("error_message", NULLABLE_STRING),
    ],
)
