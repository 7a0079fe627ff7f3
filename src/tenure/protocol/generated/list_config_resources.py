"""Generated from `tenure/protocol/tables/list_config_resources.py` by `python -m tenure.protocol.generate`."""

from typing import Final

from tenure.protocol.message import (
    EMPTY,
    Message,
    Struct,
)


class ListConfigResourcesRequest(Message):
    __slots__ = ("resource_types",)
    TABLE = "list_config_resources"
    KEY = 74
    VERSIONS = range(0, 2)

    def __init__(
        self,
        resource_types: list[int] = EMPTY,
    ) -> None:
        self.resource_types: Final = [] if resource_types is EMPTY else resource_types


class ConfigResource(Struct):
    __slots__ = ("resource_name", "resource_type")

    def __init__(
        self,
        resource_name: str = "",
        resource_type: int = 16,
    ) -> None:
        self.resource_name: Final = resource_name
        self.resource_type: Final = resource_type


class ListConfigResourcesResponse(Message):
    __slots__ = ("throttle_time_ms", "error_code", "config_resources")
    TABLE = "list_config_resources"
    KEY = 74
    VERSIONS = range(0, 2)

    def __init__(
        self,
        throttle_time_ms: int = 0,
        error_code: int = 0,
        config_resources: list[ConfigResource] = EMPTY,
    ) -> None:
        self.throttle_time_ms: Final = throttle_time_ms
        self.error_code: Final = error_code
        self.config_resources: Final = [] if config_resources is EMPTY else config_resources
