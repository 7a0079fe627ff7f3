"""Generated from `tenure/protocol/tables/create_acls.py` by `python -m tenure.protocol.generate`."""

from typing import Final

from tenure.protocol.message import (
    EMPTY,
    Message,
    Struct,
)


class AclCreation(Struct):
    __slots__ = ("resource_type", "resource_name", "resource_pattern_type", "principal", "host", "operation", "permission_type")

    def __init__(
        self,
        resource_type: int = 0,
        resource_name: str = "",
        resource_pattern_type: int = 3,
        principal: str = "",
        host: str = "",
        operation: int = 0,
        permission_type: int = 0,
    ) -> None:
        self.resource_type: Final = resource_type
        self.resource_name: Final = resource_name
        self.resource_pattern_type: Final = resource_pattern_type
        self.principal: Final = principal
        self.host: Final = host
        self.operation: Final = operation
        self.permission_type: Final = permission_type


class CreateAclsRequest(Message):
    __slots__ = ("creations",)
    TABLE = "create_acls"
    KEY = 30
    VERSIONS = range(1, 4)

    def __init__(
        self,
        creations: list[AclCreation] = EMPTY,
    ) -> None:
        self.creations: Final = [] if creations is EMPTY else creations


class AclCreationResult(Struct):
    __slots__ = ("error_code", "error_message")

    def __init__(
        self,
        error_code: int = 0,
        error_message: str | None = None,
    ) -> None:
        self.error_code: Final = error_code
        self.error_message: Final = error_message


class CreateAclsResponse(Message):
    __slots__ = ("throttle_time_ms", "results")
    TABLE = "create_acls"
    KEY = 30
    VERSIONS = range(1, 4)

    def __init__(
        self,
        throttle_time_ms: int = 0,
        results: list[AclCreationResult] = EMPTY,
    ) -> None:
        self.throttle_time_ms: Final = throttle_time_ms
        self.results: Final = [] if results is EMPTY else results
