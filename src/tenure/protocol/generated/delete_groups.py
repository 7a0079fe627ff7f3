"""Generated from `tenure/protocol/tables/delete_groups.py` by `python -m tenure.protocol.generate`."""

from typing import Final

from tenure.protocol.message import (
    EMPTY,
    Message,
    Struct,
)
from tenure.protocol.types import (
    GroupId,
)


class DeleteGroupsRequest(Message):
    __slots__ = ("groups_names",)
    TABLE = "delete_groups"
    KEY = 42
    VERSIONS = range(0, 4)

    def __init__(
        self,
        groups_names: list[GroupId] = EMPTY,
    ) -> None:
        self.groups_names: Final = [] if groups_names is EMPTY else groups_names


class DeletableGroupResult(Struct):
    __slots__ = ("group_id", "error_code", "error_message")

    def __init__(
        self,
        group_id: GroupId = GroupId(""),
        error_code: int = 0,
        error_message: str | None = None,
    ) -> None:
        self.group_id: Final = group_id
        self.error_code: Final = error_code
        self.error_message: Final = error_message


class DeleteGroupsResponse(Message):
    __slots__ = ("throttle_time_ms", "results")
    TABLE = "delete_groups"
    KEY = 42
    VERSIONS = range(0, 4)

    def __init__(
        self,
        throttle_time_ms: int = 0,
        results: list[DeletableGroupResult] = EMPTY,
    ) -> None:
        self.throttle_time_ms: Final = throttle_time_ms
        self.results: Final = [] if results is EMPTY else results
