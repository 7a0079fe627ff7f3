"""ListConfigResources (API key 74, KIP-1142). v0 lists client metrics only. v1 lists the requested types, or all."""

from tenure.protocol.schema import INT8, INT16, INT32, STRING, ArrayOf, Field, MessageSchema, StructSchema

LIST_CONFIG_RESOURCES_REQUEST = MessageSchema(
    "ListConfigResourcesRequest", key=74, versions="0-1", flexible="0+",
    fields=[
        Field("resource_types", ArrayOf(INT8), versions="1+"),
    ],
)

LIST_CONFIG_RESOURCES_RESPONSE = MessageSchema(
    "ListConfigResourcesResponse", key=74, versions="0-1", flexible="0+",
    fields=[
        Field("throttle_time_ms", INT32),
        Field("error_code", INT16),
        Field("config_resources", ArrayOf(StructSchema("ConfigResource", [
            Field("resource_name", STRING),
            Field("resource_type", INT8, versions="1+", default=16, ignorable=True),
        ]))),
    ],
)
