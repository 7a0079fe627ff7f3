"""Causes of departures and rebalances, for the journal and the log, which say why a group rebalanced.

Only the rule that emits an ephemeral record knows the cause, so the record contains it. No rule reads a cause.
"""

from enum import Enum
from typing import Final

from tenure.coordinator.values import value
from tenure.protocol.types import MemberId


class Cause(Enum):
    """Cause of a change in a group. A log line shows its value as text, after the member that caused it, if any."""

    JOINED = "joined"
    JOINED_CHANGED = "joined again with other protocols"
    LEADER_JOINED = "is the leader and joined again"
    CAME_BACK = "returned with a new member id"
    LEFT = "left"
    REMOVED = "was removed by an operator"
    SESSION_EXPIRED = "sent no heartbeat within its session timeout"
    JOIN_EXPIRED = "did not join again within the rebalance timeout"
    SYNC_EXPIRED = "did not sync within the rebalance timeout"
    REVOCATION_EXPIRED = "did not finish its revocation within the rebalance timeout"
    ID_EXPIRED = "did not join with its new member id in time"
    NO_ROOM = "was refused because the group was full"
    REQUESTED = "an operator asked for a rebalance"
    RESIZED = "target.group.size changed"
    SUBSCRIBED = "changed its subscription"
    DESCRIBED = "changed its endpoint, rack, client tags or process id"
    RECONFIGURED = "a config of the assignor changed"
    VOTED = "another assignor has the most votes now"
    TOPICS_CHANGED = "subscribed topics were created, deleted or got more partitions"
    UPGRADED = "the group became a consumer group before its partitions were assigned"
    PATTERN_RESOLVED = "a subscribed regular expression matches other topics"
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
"""Causes by which a member leaves the group."""


@value
class Why:
    """Cause of a change, with the member that caused it.

    `member_id` is "" if no member has caused it. `reason` is the text that the client sent (JoinGroup v8, LeaveGroup
    v5).
    """

    cause: Cause
    member_id: MemberId = MemberId("")
    reason: str = ""


UNKNOWN: Final = Why(Cause.UNKNOWN)
