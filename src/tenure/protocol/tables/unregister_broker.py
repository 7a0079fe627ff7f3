"""UnregisterBroker (API key 64)."""

from tenure.protocol.schema import INT16, INT32, NULLABLE_STRING, Field, MessageSchema

UNREGISTER_BROKER_REQUEST = MessageSchema(
    "UnregisterBrokerRequest", key=64, versions="0", flexible="0+",
    fields=[
        Field("broker_id", INT32),
    ],
)

UNREGISTER_BROKER_RESPONSE = MessageSchema(
    "UnregisterBrokerResponse", key=64, versions="0", flexible="0+",
    fields=[
        Field("throttle_time_ms", INT32),
        Field("error_code", INT16),
        Field("error_message", NULLABLE_STRING),
    ],
)
