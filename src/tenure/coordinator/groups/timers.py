"""Timers of a groups shard (see `coordinator/timer_heap.py`)."""

from enum import IntEnum
from typing import NamedTuple

from tenure.protocol.types import GroupId, MemberId


class TimerKind(IntEnum):
    """Kinds of timers. Timers with the same deadline expire in this order."""

    SESSION = 0
    PENDING = 1
    JOIN = 2
    SYNC = 3
    OFFSET_EXPIRY = 4
    """Timer of the whole shard: the search for expired offsets."""
    REVOCATION = 5
    """Timer of a member of a consumer group that was asked to give up partitions."""
    MEMBER_REJOIN = 6
    MEMBER_SYNC = 7
    """Timers of a classic member of a consumer group: MEMBER_REJOIN for its next JoinGroup, and MEMBER_SYNC for
    fetching its assignment."""
    OFFSET_REMOVAL = 8
    """Timer of the whole shard: the next step of removing offsets."""
    FIRST_ASSIGNMENT = 9
    """Timer of a streams group that waits for more members before its first assignment."""


class Timer(NamedTuple):
    """Timer of a member, group or shard. `group_id` and `member_id` are "" where they do not apply.

    The state of the group or shard has the deadline of the timer.
    """

    kind: TimerKind
    group_id: GroupId
    member_id: MemberId = MemberId("")
