"""Generated from `tenure/protocol/tables/describe_acls.py` by `python -m tenure.protocol.generate`."""

from typing import Final

from tenure.protocol.message import (
    EMPTY,
    Message,
    Struct,
)


class DescribeAclsRequest(Message):
    __slots__ = ("resource_type_filter", "resource_name_filter", "pattern_type_filter", "principal_filter", "host_filter", "operation", "permission_type")
    TABLE = "describe_acls"
    KEY = 29
    VERSIONS = range(1, 4)

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


class AclDescription(Struct):
    __slots__ = ("principal", "host", "operation", "permission_type")

    def __init__(
        self,
        principal: str = "",
        host: str = "",
        operation: int = 0,
        permission_type: int = 0,
    ) -> None:
        self.principal: Final = principal
        self.host: Final = host
        self.operation: Final = operation
        self.permission_type: Final = permission_type


class DescribeAclsResource(Struct):
    __slots__ = ("resource_type", "resource_name", "pattern_type", "acls")

    def __init__(
        self,
        resource_type: int = 0,
        resource_name: str = "",
        pattern_type: int = 3,
        acls: list[AclDescription] = EMPTY,
    ) -> None:
        self.resource_type: Final = resource_type
        self.resource_name: Final = resource_name
        self.pattern_type: Final = pattern_type
        self.acls: Final = [] if acls is EMPTY else acls


class DescribeAclsResponse(Message):
    __slots__ = ("throttle_time_ms", "error_code", "error_message", "resources")
    TABLE = "describe_acls"
    KEY = 29
    VERSIONS = range(1, 4)

    def __init__(
        self,
        throttle_time_ms: int = 0,
        error_code: int = 0,
        error_message: str | None = None,
        resources: list[DescribeAclsResource] = EMPTY,
    ) -> None:
        self.throttle_time_ms: Final = throttle_time_ms
        self.error_code: Final = error_code
        self.error_message: Final = error_message
        self.resources: Final = [] if resources is EMPTY else resources
