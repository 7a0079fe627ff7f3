"""Events in a groups shard.

Durable records are `LogRecord`s with Kafka's keys and values. The others are ephemeral: state that the classic protocol
keeps only in memory. They are applied, never logged, and a fail-over forgets them (rule 6.5.2).
"""

from collections.abc import Mapping, Sequence
from typing import TypeAlias

from tenure.coordinator.groups.causes import UNKNOWN, Why
from tenure.coordinator.groups.classic.group import Member
from tenure.coordinator.groups.configs import GroupConfigs
from tenure.coordinator.shard import AskId
from tenure.coordinator.values import value
from tenure.protocol.coordinator_logs.consumer_offsets import OffsetCommitValue
from tenure.protocol.types import GenerationId, GroupId, MemberId, PartitionId, TopicName


@value
class SimpleGroupMade:
    """Creation of a simple group by a commit that stores no offset (rule 2.13.1)."""

    group_id: GroupId


@value
class MemberPending:
    """Member id that was handed out with MEMBER_ID_REQUIRED.

    It is forgotten at the deadline unless a member joins with it.
    """

    group_id: GroupId
    member_id: MemberId
    deadline_ms: int


@value
class MemberAdded:
    """New member. `reason` is given by the client, here and below; "" if it gave none."""

    group_id: GroupId
    protocol_type: str
    member: Member
    reason: str = ""


@value
class MemberUpdated:
    """New protocols or timeouts of a member that joined again."""

    group_id: GroupId
    member: Member
    reason: str = ""


@value
class MemberReplaced:
    """Takeover of a static member's seat by a new member id (rule 2.6)."""

    group_id: GroupId
    old_member_id: MemberId
    member: Member
    reason: str = ""


@value
class MemberRemoved:
    """Removal of a member or a pending id."""

    group_id: GroupId
    member_id: MemberId
    why: Why = UNKNOWN


@value
class JoinParked:
    """Join that waits. It replaces a parked join of the same member id, which is never answered (rule 2.5.2)."""

    group_id: GroupId
    member_id: MemberId
    ask: AskId


@value
class SyncParked:
    """Sync that waits. It replaces a parked sync of the same member id, which is never answered (rule 2.9)."""

    group_id: GroupId
    member_id: MemberId
    ask: AskId


@value
class MemberSynced:
    """Assignment fetched by a member of a Stable group."""

    group_id: GroupId
    member_id: MemberId


@value
class RebalanceStarted:
    group_id: GroupId
    wall_ms: int
    why: Why = UNKNOWN


@value
class JoinTimerArmed:
    """Start of the join timer. `initial_remaining_ms` is None except during the initial delay (rule 2.7.3)."""

    group_id: GroupId
    deadline_ms: int
    initial_remaining_ms: int | None = None


@value
class GenerationStarted:
    """End of the join phase: its members were answered. Nothing is logged before the leader syncs."""

    group_id: GroupId
    generation_id: GenerationId
    protocol_name: str
    leader: MemberId
    wall_ms: int
    standbys: frozenset[MemberId] = frozenset()


@value
class SyncTimerArmed:
    group_id: GroupId
    deadline_ms: int


@value
class SessionExtended:
    group_id: GroupId
    member_id: MemberId
    deadline_ms: int


@value
class RevocationTimerArmed:
    """Deadline for the member of a consumer group to give up the revoked partitions (rule 3.7)."""

    group_id: GroupId
    member_id: MemberId
    deadline_ms: int


@value
class MemberToldToJoin:
    """Deadline for a classic member of a consumer group to join again (rule 3.9)."""

    group_id: GroupId
    member_id: MemberId
    deadline_ms: int


@value
class MemberJoined:
    """Join of a classic member of a consumer group, which has to fetch its assignment in time (rule 3.9)."""

    group_id: GroupId
    member_id: MemberId
    deadline_ms: int


@value
class AssignmentFetched:
    """Assignment fetched by a classic member of a consumer group."""

    group_id: GroupId
    member_id: MemberId


@value
class TopicsSeen:
    """Version of the topics that a consumer group has compared with its subscriptions."""

    group_id: GroupId
    version: int


@value
class ResolutionAwaited:
    """Start of the resolution of a consumer group's regular expressions; `effect` None: it has ended."""

    group_id: GroupId
    effect: object | None = None


@value
class AssignmentAwaited:
    """Computation of a target assignment.

    `effect` None: it has ended without result; `failure` is the error of the assignor.
    """

    group_id: GroupId
    effect: object | None = None
    failure: str = ""


@value
class AssignmentCame:
    """Result of an assignment, whose records were applied before.

    `arrays` has the group's arrays for the next time.
    """

    group_id: GroupId
    arrays: object | None
    touched: frozenset[MemberId]
    """Members that joined, left or changed since it was requested."""


@value
class EpochBumped:
    """New epoch of a consumer or streams group.

    Emitted before a leaving member is removed, and after a joining member is added. Changes nothing; the records that
    follow do.
    """

    group_id: GroupId
    why: Why = UNKNOWN
    gone: tuple[MemberId, ...] = ()
    """Leaving members; the first of them is the one that `why` names."""


@value
class SeatInherited:
    """Takeover of a static member's seat by another member id (rules 3.4 and 5.2).

    Emitted before the records of the takeover.
    """

    group_id: GroupId
    old_member_id: MemberId
    member_id: MemberId


@value
class ConsumerGroupLoaded:
    """End of loading: all that is known of the group was read from the log."""

    group_id: GroupId


@value
class TopicsPlanned:
    """A streams group has compared its topology with the topics as they are in this version; `plan` is a TopicPlan."""

    group_id: GroupId
    plan: object
    version: int


@value
class InitialDelayArmed:
    """Deadline of the first assignment of a streams group; `deadline_ms` None: it is over (rule 5.2, point 7)."""

    group_id: GroupId
    deadline_ms: int | None


@value
class ShutdownRequested:
    """Request of a member of a streams group to shut down the whole application (rule 5.2, point 10)."""

    group_id: GroupId
    member_id: MemberId


@value
class EndpointsChanged:
    """An endpoint of a streams group, or the tasks behind one, has changed (rule 5.5)."""

    group_id: GroupId


@value
class TaskOffsetsReported:
    """Changelog offsets of the tasks whose state a member of a streams group has."""

    group_id: GroupId
    member_id: MemberId
    offsets: Mapping[tuple[str, PartitionId], int]


@value
class OffsetsRead:
    """Committed offsets of a group, read from the log: many records at once, only at load."""

    group_id: GroupId
    offsets: dict[tuple[TopicName, PartitionId], OffsetCommitValue]


Doomed: TypeAlias = tuple[GroupId, tuple[TopicName, PartitionId], OffsetCommitValue]
"""Offset to remove, unless it was committed again."""


@value
class ForgettingBegan:
    """Start of a removal of offsets in steps (`offsets/forget_in_steps.py`).

    `ends` is the group that is deleted with them.
    """

    ask: AskId
    doomed: Sequence[Doomed]
    ends: GroupId | None
    deadline_ms: int


@value
class ForgettingWentOn:
    """Progress of a removal: number of offsets that are removed, and tick of the next step."""

    count: int
    deadline_ms: int


@value
class SweepScheduled:
    """Next search for expired offsets; `left` are the groups to search, empty for all existing ones."""

    deadline_ms: int
    left: tuple[GroupId, ...] = ()
    skip: int = 0
    """Number of offsets of the first group that were checked already."""
    expired: int = 0
    """Number of offsets that this step has removed."""


@value
class GroupConfigured:
    """Configs of a group, which need not exist."""

    group_id: GroupId
    configs: GroupConfigs


@value
class GroupDied:
    """End of this broker's leadership of the group: parked requests, sessions and deadlines are dropped."""

    group_id: GroupId
    wall_ms: int
