"""Generated from `tenure/protocol/tables/update_features.py` by `python -m tenure.protocol.generate`."""

from typing import Final

from tenure.protocol.message import (
    EMPTY,
    Message,
    Struct,
)


class FeatureUpdateKey(Struct):
    __slots__ = ("feature", "max_version_level", "allow_downgrade", "upgrade_type")

    def __init__(
        self,
        feature: str = "",
        max_version_level: int = 0,
        allow_downgrade: bool = False,
        upgrade_type: int = 1,
    ) -> None:
        self.feature: Final = feature
        self.max_version_level: Final = max_version_level
        self.allow_downgrade: Final = allow_downgrade
        self.upgrade_type: Final = upgrade_type


class UpdateFeaturesRequest(Message):
    __slots__ = ("timeout_ms", "feature_updates", "validate_only")
    TABLE = "update_features"
    KEY = 57
    VERSIONS = range(0, 3)

    def __init__(
        self,
        timeout_ms: int = 60000,
        feature_updates: list[FeatureUpdateKey] = EMPTY,
        validate_only: bool = False,
    ) -> None:
        self.timeout_ms: Final = timeout_ms
        self.feature_updates: Final = [] if feature_updates is EMPTY else feature_updates
        self.validate_only: Final = validate_only


class UpdatableFeatureResult(Struct):
    __slots__ = ("feature", "error_code", "error_message")

    def __init__(
        self,
        feature: str = "",
        error_code: int = 0,
        error_message: str | None = "",
    ) -> None:
        self.feature: Final = feature
        self.error_code: Final = error_code
        self.error_message: Final = error_message


class UpdateFeaturesResponse(Message):
    __slots__ = ("throttle_time_ms", "error_code", "error_message", "results")
    TABLE = "update_features"
    KEY = 57
    VERSIONS = range(0, 3)

    def __init__(
        self,
        throttle_time_ms: int = 0,
        error_code: int = 0,
        error_message: str | None = "",
        results: list[UpdatableFeatureResult] = EMPTY,
    ) -> None:
        self.throttle_time_ms: Final = throttle_time_ms
        self.error_code: Final = error_code
        self.error_message: Final = error_message
        self.results: Final = [] if results is EMPTY else results
