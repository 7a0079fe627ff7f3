"""Draft of a group: a copy of the group, to which the records of the present command are applied.

Some commands need several changes, each of which depends on the previous one. For example, a member leaves, a rebalance
starts, the join phase ends, and another member becomes leader. A draft applies each emitted record to a copy of the
group, with the same functions that later apply the record to the group itself. So a rule reads its own changes,
although `handle` changes nothing. A rule that does not read its own changes needs no copy.
"""

from tenure.coordinator.answers import NO_MEMBER_ID, Refused
from tenure.coordinator.groups.classic.changes import CHANGES, group_metadata
from tenure.coordinator.groups.classic.group import ClassicGroup
from tenure.coordinator.groups.settings import GroupSettings
from tenure.coordinator.groups.state import Groups
from tenure.coordinator.shard import AskId, CoordinatorResult, LogRecord, Now, Reply
from tenure.protocol.coordinator_logs.consumer_offsets import GroupMetadataValue
from tenure.protocol.errors import ErrorCode
from tenure.protocol.types import MemberId


class Draft:
    """Copy of a group that one command changes, with the records and replies that this command has emitted."""

    __slots__ = ("_looks_ahead", "group", "now", "records", "replies", "settings")

    def __init__(self, groups: Groups, group: ClassicGroup, now: Now, *, looks_ahead: bool = True) -> None:
        """Begin a draft.

        A rule that does not read its own changes passes False for `looks_ahead`. Then `group` is the group itself
        instead of a copy, and emitted records are not applied to it.
        """
        self.group: ClassicGroup = group.draft() if looks_ahead else group
        self._looks_ahead = looks_ahead
        self.settings: GroupSettings = groups.settings
        self.now = now
        self.records: list[object] = []
        self.replies: list[Reply] = []

    def emit(self, record: object) -> None:
        self.records.append(record)
        if not self._looks_ahead:
            return
        if isinstance(record, LogRecord):
            assert isinstance(record.value, GroupMetadataValue)
            group_metadata(self.group, record.value)
        else:
            CHANGES[type(record)](self.group, record)

    def reply(self, ask: AskId, answer: object) -> None:
        self.replies.append((ask, answer))

    def refuse(self, ask: AskId | None, error_code: ErrorCode, member_id: MemberId = NO_MEMBER_ID) -> None:
        """Reply to a request with an error; do nothing if `ask` is None."""
        if ask is not None:
            self.replies.append((ask, Refused(error_code, member_id)))

    def result(self) -> CoordinatorResult:
        return CoordinatorResult(self.records, self.replies)
