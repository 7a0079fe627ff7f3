"""Generated from `tenure/protocol/tables/api_versions.py` by `python -m tenure.protocol.generate`."""

from typing import Final

from tenure.protocol.message import (
    EMPTY,
    Message,
    Struct,
)


class ApiVersionsRequest(Message):
    __slots__ = ("client_software_name", "client_software_version", "cluster_id", "node_id")
    TABLE = "api_versions"
    KEY = 18
    VERSIONS = range(0, 6)

    def __init__(
        self,
        client_software_name: str = "",
        client_software_version: str = "",
        cluster_id: str | None = None,
        node_id: int = -1,
    ) -> None:
        self.client_software_name: Final = client_software_name
        self.client_software_version: Final = client_software_version
        self.cluster_id: Final = cluster_id
        self.node_id: Final = node_id


class ApiVersion(Struct):
    __slots__ = ("api_key", "min_version", "max_version")

    def __init__(
        self,
        api_key: int = 0,
        min_version: int = 0,
        max_version: int = 0,
    ) -> None:
        self.api_key: Final = api_key
        self.min_version: Final = min_version
        self.max_version: Final = max_version


class SupportedFeatureKey(Struct):
    __slots__ = ("name", "min_version", "max_version")

    def __init__(
        self,
        name: str = "",
        min_version: int = 0,
        max_version: int = 0,
    ) -> None:
        self.name: Final = name
        self.min_version: Final = min_version
        self.max_version: Final = max_version


class FinalizedFeatureKey(Struct):
    __slots__ = ("name", "max_version_level", "min_version_level")

    def __init__(
        self,
        name: str = "",
        max_version_level: int = 0,
        min_version_level: int = 0,
    ) -> None:
        self.name: Final = name
        self.max_version_level: Final = max_version_level
        self.min_version_level: Final = min_version_level


class ApiVersionsResponse(Message):
    __slots__ = ("error_code", "api_keys", "throttle_time_ms", "supported_features", "finalized_features_epoch", "finalized_features", "zk_migration_ready")
    TABLE = "api_versions"
    KEY = 18
    VERSIONS = range(0, 6)

    def __init__(
        self,
        error_code: int = 0,
        api_keys: list[ApiVersion] = EMPTY,
        throttle_time_ms: int = 0,
        supported_features: list[SupportedFeatureKey] = EMPTY,
        finalized_features_epoch: int = -1,
        finalized_features: list[FinalizedFeatureKey] = EMPTY,
        zk_migration_ready: bool = False,
    ) -> None:
        self.error_code: Final = error_code
        self.api_keys: Final = [] if api_keys is EMPTY else api_keys
        self.throttle_time_ms: Final = throttle_time_ms
        self.supported_features: Final = [] if supported_features is EMPTY else supported_features
        self.finalized_features_epoch: Final = finalized_features_epoch
        self.finalized_features: Final = [] if finalized_features is EMPTY else finalized_features
        self.zk_migration_ready: Final = zk_migration_ready
