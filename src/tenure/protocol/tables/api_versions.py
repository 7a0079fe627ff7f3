"""ApiVersions (API key 18).

Changes: throttle time (v1), flexible encoding, client software and features (v3), features with minimum version 0 (v4),
expected broker (v5, KIP-1242). The response always has header v0, because the client does not know the broker's
versions yet (rule 1.2).
"""

from tenure.protocol.schema import (
    BOOL,
    INT16,
    INT32,
    INT64,
    NULLABLE_STRING,
    STRING,
    ArrayOf,
    Field,
    MessageSchema,
    StructSchema,
)

API_VERSIONS_REQUEST = MessageSchema(
    "ApiVersionsRequest", key=18, versions="0-5", flexible="3+",
    fields=[
        Field("client_software_name", STRING, versions="3+", ignorable=True),
        Field("client_software_version", STRING, versions="3+", ignorable=True),
        Field("cluster_id", NULLABLE_STRING, versions="5+", default=None, ignorable=True),
        Field("node_id", INT32, versions="5+", default=-1, ignorable=True),
    ],
)

API_VERSIONS_RESPONSE = MessageSchema(
    "ApiVersionsResponse", key=18, versions="0-5", flexible="3+",
    fields=[
        Field("error_code", INT16),
        Field("api_keys", ArrayOf(StructSchema("ApiVersion", [
            Field("api_key", INT16),
            Field("min_version", INT16),
            Field("max_version", INT16),
        ]))),
        Field("throttle_time_ms", INT32, versions="1+", ignorable=True),
        Field("supported_features", ArrayOf(StructSchema("SupportedFeatureKey", [
            Field("name", STRING),
            Field("min_version", INT16),
            Field("max_version", INT16),
        ])), versions="3+", ignorable=True, tag=0),
        Field("finalized_features_epoch", INT64, versions="3+", default=-1, ignorable=True, tag=1),
        Field("finalized_features", ArrayOf(StructSchema("FinalizedFeatureKey", [
            Field("name", STRING),
            Field("max_version_level", INT16),
            Field("min_version_level", INT16),
        ])), versions="3+", ignorable=True, tag=2),
        Field("zk_migration_ready", BOOL, versions="3+", ignorable=True, tag=3),
    ],
)
