"""Generated from `tenure/protocol/tables/delete_acls.py` by `python -m tenure.protocol.generate`."""

from typing import Final

from tenure.protocol.message import (
    EMPTY,
    Message,
    Struct,
)


class DeleteAclsFilter(Struct):
    __slots__ = ("resource_type_filter", "resource_name_filter", "pattern_type_filter", "principal_filter", "host_filter", "operation", "permission_type")

    def __init__(
        self,
        resource_type_filter: int = 0,
        resource_name_filter: str | None = "",
        pattern_type_filter: int = 3,
        principal_filter: str | None = "",
        host_filter: str | None = "",
        operation: int = 0,
        permission_type: int = 0,
    ) -> None:
        self.resource_type_filter: Final = resource_type_filter
        self.resource_name_filter: Final = resource_name_filter
        self.pattern_type_filter: Final = pattern_type_filter
        self.principal_filter: Final = principal_filter
        self.host_filter: Final = host_filter
        self.operation: Final = operation
        self.permission_type: Final = permission_type


class DeleteAclsRequest(Message):
    __slots__ = ("filters",)
    TABLE = "delete_acls"
    KEY = 31
    VERSIONS = range(1, 4)

    def __init__(
        self,
        filters: list[DeleteAclsFilter] = EMPTY,
    ) -> None:
        self.filters: Final = [] if filters is EMPTY else filters


class DeleteAclsMatchingAcl(Struct):
    __slots__ = ("error_code", "error_message", "resource_type", "resource_name", "pattern_type", "principal", "host", "operation", "permission_type")

    def __init__(
        self,
        error_code: int = 0,
        error_message: str | None = None,
        resource_type: int = 0,
        resource_name: str = "",
        pattern_type: int = 3,
        principal: str = "",
        host: str = "",
        operation: int = 0,
        permission_type: int = 0,
    ) -> None:
        self.error_code: Final = error_code
        self.error_message: Final = error_message
        self.resource_type: Final = resource_type
        self.resource_name: Final = resource_name
        self.pattern_type: Final = pattern_type
        self.principal: Final = principal
        self.host: Final = host
        self.operation: Final = operation
        self.permission_type: Final = permission_type


class DeleteAclsFilterResult(Struct):
    __slots__ = ("error_code", "error_message", "matching_acls")

    def __init__(
        self,
        error_code: int = 0,
        error_message: str | None = None,
        matching_acls: list[DeleteAclsMatchingAcl] = EMPTY,
    ) -> None:
        self.error_code: Final = error_code
        self.error_message: Final = error_message
        self.matching_acls: Final = [] if matching_acls is EMPTY else matching_acls


class DeleteAclsResponse(Message):
    __slots__ = ("throttle_time_ms", "filter_results")
    TABLE = "delete_acls"
    KEY = 31
    VERSIONS = range(1, 4)

    def __init__(
        self,
        throttle_time_ms: int = 0,
        filter_results: list[DeleteAclsFilterResult] = EMPTY,
    ) -> None:
        self.throttle_time_ms: Final = throttle_time_ms
        self.filter_results: Final = [] if filter_results is EMPTY else filter_results
