"""Generated from `tenure/protocol/tables/alter_configs.py` by `python -m tenure.protocol.generate`."""

from typing import Final

from tenure.protocol.message import (
    EMPTY,
    Message,
    Struct,
)


class AlterableConfig(Struct):
    __slots__ = ("name", "value")

    def __init__(
        self,
        name: str = "",
        value: str | None = "",
    ) -> None:
        self.name: Final = name
        self.value: Final = value


class AlterConfigsResource(Struct):
    __slots__ = ("resource_type", "resource_name", "configs")

    def __init__(
        self,
        resource_type: int = 0,
        resource_name: str = "",
        configs: list[AlterableConfig] = EMPTY,
    ) -> None:
        self.resource_type: Final = resource_type
        self.resource_name: Final = resource_name
        self.configs: Final = [] if configs is EMPTY else configs


class AlterConfigsRequest(Message):
    __slots__ = ("resources", "validate_only")
    TABLE = "alter_configs"
    KEY = 33
    VERSIONS = range(0, 3)

    def __init__(
        self,
        resources: list[AlterConfigsResource] = EMPTY,
        validate_only: bool = False,
    ) -> None:
        self.resources: Final = [] if resources is EMPTY else resources
        self.validate_only: Final = validate_only


class AlterConfigsResourceResponse(Struct):
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


class AlterConfigsResponse(Message):
    __slots__ = ("throttle_time_ms", "responses")
    TABLE = "alter_configs"
    KEY = 33
    VERSIONS = range(0, 3)

    def __init__(
        self,
        throttle_time_ms: int = 0,
        responses: list[AlterConfigsResourceResponse] = EMPTY,
    ) -> None:
        self.throttle_time_ms: Final = throttle_time_ms
        self.responses: Final = [] if responses is EMPTY else responses
