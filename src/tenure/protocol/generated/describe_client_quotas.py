"""Generated from `tenure/protocol/tables/describe_client_quotas.py` by `python -m tenure.protocol.generate`."""

from typing import Final

from tenure.protocol.message import (
    EMPTY,
    Message,
    Struct,
)


class ComponentData(Struct):
    __slots__ = ("entity_type", "match_type", "match")

    def __init__(
        self,
        entity_type: str = "",
        match_type: int = 0,
        match: str | None = "",
    ) -> None:
        self.entity_type: Final = entity_type
        self.match_type: Final = match_type
        self.match: Final = match


class DescribeClientQuotasRequest(Message):
    __slots__ = ("components", "strict")
    TABLE = "describe_client_quotas"
    KEY = 48
    VERSIONS = range(0, 2)

    def __init__(
        self,
        components: list[ComponentData] = EMPTY,
        strict: bool = False,
    ) -> None:
        self.components: Final = [] if components is EMPTY else components
        self.strict: Final = strict


class DescribeClientQuotasEntity(Struct):
    __slots__ = ("entity_type", "entity_name")

    def __init__(
        self,
        entity_type: str = "",
        entity_name: str | None = "",
    ) -> None:
        self.entity_type: Final = entity_type
        self.entity_name: Final = entity_name


class ValueData(Struct):
    __slots__ = ("key", "value")

    def __init__(
        self,
        key: str = "",
        value: float = 0.0,
    ) -> None:
        self.key: Final = key
        self.value: Final = value


class DescribeClientQuotasEntry(Struct):
    __slots__ = ("entity", "values")

    def __init__(
        self,
        entity: list[DescribeClientQuotasEntity] = EMPTY,
        values: list[ValueData] = EMPTY,
    ) -> None:
        self.entity: Final = [] if entity is EMPTY else entity
        self.values: Final = [] if values is EMPTY else values


class DescribeClientQuotasResponse(Message):
    __slots__ = ("throttle_time_ms", "error_code", "error_message", "entries")
    TABLE = "describe_client_quotas"
    KEY = 48
    VERSIONS = range(0, 2)

    def __init__(
        self,
        throttle_time_ms: int = 0,
        error_code: int = 0,
        error_message: str | None = "",
        entries: list[DescribeClientQuotasEntry] | None = EMPTY,
    ) -> None:
        self.throttle_time_ms: Final = throttle_time_ms
        self.error_code: Final = error_code
        self.error_message: Final = error_message
        self.entries: Final = [] if entries is EMPTY else entries
