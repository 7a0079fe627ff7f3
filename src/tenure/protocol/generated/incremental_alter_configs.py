"""Generated from `tenure/protocol/tables/incremental_alter_configs.py` by `python -m tenure.protocol.generate`."""

from typing import Final

from tenure.protocol.message import (
    EMPTY,
    Message,
    Struct,
)


class IncrementalAlterableConfig(Struct):
    __slots__ = ("name", "config_operation", "value")

    def __init__(
        self,
        name: str = "",
        config_operation: int = 0,
        value: str | None = "",
    ) -> None:
        self.name: Final = name
        self.config_operation: Final = config_operation
        self.value: Final = value


class IncrementalAlterConfigsResource(Struct):
    __slots__ = ("resource_type", "resource_name", "configs")

    def __init__(
        self,
        resource_type: int = 0,
        resource_name: str = "",
        configs: list[IncrementalAlterableConfig] = EMPTY,
    ) -> None:
        self.resource_type: Final = resource_type
        self.resource_name: Final = resource_name
        self.configs: Final = [] if configs is EMPTY else configs


class IncrementalAlterConfigsRequest(Message):
    __slots__ = ("resources", "validate_only")
    TABLE = "incremental_alter_configs"
    KEY = 44
    VERSIONS = range(0, 2)

    def __init__(
        self,
        resources: list[IncrementalAlterConfigsResource] = EMPTY,
        validate_only: bool = False,
    ) -> None:
        self.resources: Final = [] if resources is EMPTY else resources
        self.validate_only: Final = validate_only


class IncrementalAlterConfigsResourceResponse(Struct):
    __slots__ = ("error_code", "error_message", "resource_type", "resource_name")

    def __init__(
        self,
        error_code: int = 0,
        error_message: str | None = "",
        resource_type: int = 0,
        resource_name: str = "",
    ) -> None:
        self.error_code: Final = error_code
        self.error_message: Final = error_message
        self.resource_type: Final = resource_type
        self.resource_name: Final = resource_name


class IncrementalAlterConfigsResponse(Message):
    __slots__ = ("throttle_time_ms", "responses")
    TABLE = "incremental_alter_configs"
    KEY = 44
    VERSIONS = range(0, 2)

    def __init__(
        self,
        throttle_time_ms: int = 0,
        responses: list[IncrementalAlterConfigsResourceResponse] = EMPTY,
    ) -> None:
        self.throttle_time_ms: Final = throttle_time_ms
        self.responses: Final = [] if responses is EMPTY else responses
