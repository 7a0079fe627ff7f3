"""Causes for which members leave and rebalances begin, carried by the ephemeral records of these events.

The rules never read them. They answer the question "why did it rebalance?": a record alone shows the event, and only
the rule that wrote it knew the cause.
"""

from enum import Enum
from typing import Final

from tenure.coordinator.values import value
from tenure.protocol.types import MemberId


class Cause(Enum):
    """Cause of a change of the group. The value is logged, after the member's name if there is one."""

    JOINED = "joined"
    JOINED_CHANGED = "joined again with other protocols"
    LEADER_JOINED = "leads and joined again"
    CAME_BACK = "came back under a new id"
    LEFT = "left"
    REMOVED = "was removed by an operator"
    SESSION_EXPIRED = "was silent for its session timeout"
    JOIN_EXPIRED = "did not join again in time"
    SYNC_EXPIRED = "did not sync in time"
    REVOCATION_EXPIRED = "did not give up partitions in time"
    ID_EXPIRED = "did not use its id in time"
    NO_ROOM = "found no room in the group"
    REQUESTED = "an operator asked for a rebalance"
    RESIZED = "target.group.size changed"
    SUBSCRIBED = "subscribes to something else"
    DESCRIBED = "describes itself otherwise: endpoint, rack, client tags or process"
    RECONFIGURED = "a config of the assignor changed"
    VOTED = "another assignor has the most votes now"
    TOPICS_CHANGED = "topics that are subscribed to came, went or grew"
    UPGRADED = "the group became a consumer group before it was shared out"
    PATTERN_RESOLVED = "a pattern that is subscribed to matches other topics"
    OVERSIZE = "the group was loaded with more members than group.max.size"
    UNKNOWN = ""


DEPARTURES: Final = (
    Cause.LEFT,
    Cause.REMOVED,
    Cause.SESSION_EXPIRED,
    Cause.JOIN_EXPIRED,
    Cause.SYNC_EXPIRED,
    Cause.REVOCATION_EXPIRED,
    Cause.NO_ROOM,
)
"""Causes that remove a member."""


@value
class Why:
    """Cause of a change.

    `member_id` is "" if no member caused it; `reason` is the client's own (JoinGroup v8, LeaveGroup v5).
    """

    cause: Cause
    member_id: MemberId = MemberId("")
    reason: str = ""


UNKNOWN: Final = Why(Cause.UNKNOWN)
