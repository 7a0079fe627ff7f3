"""UpdateFeatures (API key 57, KIP-584). Changes: dry runs (v1, KIP-778), no results by feature (v2)."""

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

UPDATE_FEATURES_REQUEST = MessageSchema(
    "UpdateFeaturesRequest", key=57, versions="0-2", flexible="0+",
    fields=[
        Field("timeout_ms", INT32, default=60_000),
        Field("feature_updates", ArrayOf(StructSchema("FeatureUpdateKey", [
            Field("feature", STRING),
            Field("max_version_level", INT16),
            Field("allow_downgrade", BOOL, versions="0"),
            Field("upgrade_type", INT8, versions="1+", default=1),
        ]))),
        Field("validate_only", BOOL, versions="1+"),
    ],
)

UPDATE_FEATURES_RESPONSE = MessageSchema(
    "UpdateFeaturesResponse", key=57, versions="0-2", flexible="0+",
    fields=[
        Field("throttle_time_ms", INT32),
        Field("error_code", INT16),
        Field("error_message", NULLABLE_STRING),
        Field("results", ArrayOf(StructSchema("UpdatableFeatureResult", [
            Field("feature", STRING),
            Field("error_code", INT16),
            Field("error_message", NULLABLE_STRING),
        ])), versions="0-1", ignorable=True),
    ],
)
