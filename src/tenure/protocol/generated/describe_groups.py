"""Generated from `tenure/protocol/tables/describe_groups.py` by `python -m tenure.protocol.generate`."""

from typing import Final

from tenure.protocol.message import (
    EMPTY,
    Message,
    Struct,
)
from tenure.protocol.types import (
    GroupId,
    InstanceId,
    MemberId,
)


class DescribeGroupsRequest(Message):
    __slots__ = ("groups", "include_authorized_operations")
    TABLE = "describe_groups"
    KEY = 15
    VERSIONS = range(0, 7)

    def __init__(
        self,
        groups: list[GroupId] = EMPTY,
        include_authorized_operations: bool = False,
    ) -> None:
        self.groups: Final = [] if groups is EMPTY else groups
        self.include_authorized_operations: Final = include_authorized_operations


class DescribedGroupMember(Struct):
    __slots__ = ("member_id", "group_instance_id", "client_id", "client_host", "member_metadata", "member_assignment")

    def __init__(
        self,
        member_id: MemberId = MemberId(""),
        group_instance_id: InstanceId | None = None,
        client_id: str = "",
        client_host: str = "",
        member_metadata: bytes = b"",
        member_assignment: bytes = b"",
    ) -> None:
        self.member_id: Final = member_id
        self.group_instance_id: Final = group_instance_id
        self.client_id: Final = client_id
        self.client_host: Final = client_host
        self.member_metadata: Final = member_metadata
        self.member_assignment: Final = member_assignment


class DescribedGroup(Struct):
    __slots__ = ("error_code", "error_message", "group_id", "group_state", "protocol_type", "protocol_data", "members", "authorized_operations")

    def __init__(
        self,
        error_code: int = 0,
        error_message: str | None = None,
        group_id: GroupId = GroupId(""),
        group_state: str = "",
        protocol_type: str = "",
        protocol_data: str = "",
        members: list[DescribedGroupMember] = EMPTY,
        authorized_operations: int = -2147483648,
    ) -> None:
        self.error_code: Final = error_code
        self.error_message: Final = error_message
        self.group_id: Final = group_id
        self.group_state: Final = group_state
        self.protocol_type: Final = protocol_type
        self.protocol_data: Final = protocol_data
        self.members: Final = [] if members is EMPTY else members
        self.authorized_operations: Final = authorized_operations


class DescribeGroupsResponse(Message):
    __slots__ = ("throttle_time_ms", "groups")
    TABLE = "describe_groups"
    KEY = 15
    VERSIONS = range(0, 7)

    def __init__(
        self,
        throttle_time_ms: int = 0,
        groups: list[DescribedGroup] = EMPTY,
    ) -> None:
        self.throttle_time_ms: Final = throttle_time_ms
        self.groups: Final = [] if groups is EMPTY else groups
