"""Generated from `tenure/protocol/tables/list_groups.py` by `python -m tenure.protocol.generate`."""

from typing import Final

from tenure.protocol.message import (
    EMPTY,
    Message,
    Struct,
)
from tenure.protocol.types import (
    GroupId,
)


class ListGroupsRequest(Message):
    __slots__ = ("states_filter", "types_filter")
    TABLE = "list_groups"
    KEY = 16
    VERSIONS = range(0, 6)

    def __init__(
        self,
        states_filter: list[str] = EMPTY,
        types_filter: list[str] = EMPTY,
    ) -> None:
        self.states_filter: Final = [] if states_filter is EMPTY else states_filter
        self.types_filter: Final = [] if types_filter is EMPTY else types_filter


class ListedGroup(Struct):
    __slots__ = ("group_id", "protocol_type", "group_state", "group_type")

    def __init__(
        self,
        group_id: GroupId = GroupId(""),
        protocol_type: str = "",
        group_state: str = "",
        group_type: str = "",
    ) -> None:
        self.group_id: Final = group_id
        self.protocol_type: Final = protocol_type
        self.group_state: Final = group_state
        self.group_type: Final = group_type


class ListGroupsResponse(Message):
    __slots__ = ("throttle_time_ms", "error_code", "groups")
    TABLE = "list_groups"
    KEY = 16
    VERSIONS = range(0, 6)

    def __init__(
        self,
        throttle_time_ms: int = 0,
        error_code: int = 0,
        groups: list[ListedGroup] = EMPTY,
    ) -> None:
        self.throttle_time_ms: Final = throttle_time_ms
        self.error_code: Final = error_code
        self.groups: Final = [] if groups is EMPTY else groups
