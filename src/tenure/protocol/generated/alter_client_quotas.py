"""Generated from `tenure/protocol/tables/alter_client_quotas.py` by `python -m tenure.protocol.generate`."""

from typing import Final

from tenure.protocol.message import (
    EMPTY,
    Message,
    Struct,
)


class AlterClientQuotasEntity(Struct):
    __slots__ = ("entity_type", "entity_name")

    def __init__(
        self,
        entity_type: str = "",
        entity_name: str | None = "",
    ) -> None:
        self.entity_type: Final = entity_type
        self.entity_name: Final = entity_name


class OpData(Struct):
    __slots__ = ("key", "value", "remove")

    def __init__(
        self,
        key: str = "",
        value: float = 0.0,
        remove: bool = False,
    ) -> None:
        self.key: Final = key
        self.value: Final = value
        self.remove: Final = remove


class AlterClientQuotasEntry(Struct):
    __slots__ = ("entity", "ops")

    def __init__(
        self,
        entity: list[AlterClientQuotasEntity] = EMPTY,
        ops: list[OpData] = EMPTY,
    ) -> None:
        self.entity: Final = [] if entity is EMPTY else entity
        self.ops: Final = [] if ops is EMPTY else ops


class AlterClientQuotasRequest(Message):
    __slots__ = ("entries", "validate_only")
    TABLE = "alter_client_quotas"
    KEY = 49
    VERSIONS = range(0, 2)

    def __init__(
        self,
        entries: list[AlterClientQuotasEntry] = EMPTY,
        validate_only: bool = False,
    ) -> None:
        self.entries: Final = [] if entries is EMPTY else entries
        self.validate_only: Final = validate_only


class AlterClientQuotasEntryResult(Struct):
    __slots__ = ("error_code", "error_message", "entity")

    def __init__(
        self,
        error_code: int = 0,
        error_message: str | None = "",
        entity: list[AlterClientQuotasEntity] = EMPTY,
    ) -> None:
        self.error_code: Final = error_code
        self.error_message: Final = error_message
        self.entity: Final = [] if entity is EMPTY else entity


class AlterClientQuotasResponse(Message):
    __slots__ = ("throttle_time_ms", "entries")
    TABLE = "alter_client_quotas"
    KEY = 49
    VERSIONS = range(0, 2)

    def __init__(
        self,
        throttle_time_ms: int = 0,
        entries: list[AlterClientQuotasEntryResult] = EMPTY,
    ) -> None:
        self.throttle_time_ms: Final = throttle_time_ms
        self.entries: Final = [] if entries is EMPTY else entries
