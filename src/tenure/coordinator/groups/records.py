"""Events in a groups shard.

Durable records are `LogRecord`s with Kafka's keys and values. The others are ephemeral: state that the classic protocol
keeps only in memory. They are applied, never logged, and a fail-over forgets them (rule 6.5.2).
"""

from collections.abc import Sequence
from typing import TypeAlias

from tenure.coordinator.groups.causes import UNKNOWN, Why
from tenure.coordinator.groups.classic.group import Member
from tenure.coordinator.groups.configs import GroupConfigs
from tenure.coordinator.shard import AskId
from tenure.coordinator.values import value
from tenure.protocol.consumer_offsets import OffsetCommitValue
from tenure.protocol.types import GenerationId, GroupId, MemberId, PartitionId, TopicName


@value
class SimpleGroupMade:
    """A commit that stores no offset creates the group nevertheless (rule 2.13.1)."""

    group_id: GroupId


@value
class MemberPending:
    """An id was handed out with MEMBER_ID_REQUIRED; it is forgotten unless it joins by then."""

    group_id: GroupId
    member_id: MemberId
    deadline_ms: int


@value
class MemberAdded:
    """`reason` is the client's own, here and below; "" when it gave none."""

    group_id: GroupId
    protocol_type: str
    member: Member
    reason: str = ""


@value
class MemberUpdated:
    """A known member joined again with other protocols or timeouts."""

    group_id: GroupId
    member: Member
    reason: str = ""


@value
class MemberReplaced:
    """A static member came back: its seat goes over to a new member id (rule 2.6)."""

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
    """A join that was parked before under this member id is superseded, and never answered (rule 2.5.2)."""

    group_id: GroupId
    member_id: MemberId
    ask: AskId


@value
class SyncParked:
    """A sync that was parked before under this member id is superseded, and never answered (rule 2.9)."""

    group_id: GroupId
    member_id: MemberId
    ask: AskId


@value
class MemberSynced:
    """A member fetched its assignment from a group that is Stable already."""

    group_id: GroupId
    member_id: MemberId


@value
class RebalanceStarted:
    group_id: GroupId
    wall_ms: int
    why: Why = UNKNOWN


@value
class JoinTimerArmed:
    """`initial_remaining_ms` is None but for the initial delay (rule 2.7.3)."""

    group_id: GroupId
    deadline_ms: int
    initial_remaining_ms: int | None = None


@value
class GenerationStarted:
    """The join phase is complete and its members were answered. Nothing is logged before the leader syncs."""

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
    """A classic member of a consumer group has to join again before the deadline (rule 3.9)."""

    group_id: GroupId
    member_id: MemberId
    deadline_ms: int


@value
class MemberJoined:
    """A classic member of a consumer group has joined, and has to fetch its assignment in time (rule 3.9)."""

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
    """A consumer group has looked at the topics as they are in this version of them."""

    group_id: GroupId
    version: int


@value
class ResolutionAwaited:
    """A consumer group's regular expressions are being resolved; `effect` None: that has come to its end."""

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
    """Its records were applied before. `standing` are the group's arrays, for the next time."""

    group_id: GroupId
    standing: object | None
    touched: frozenset[MemberId]
    """Members that came, went or changed since it was asked."""


@value
class EpochBumped:
    """The epoch of a consumer group moves: said before the member that goes is gone, and after one that comes is there.

    Changes nothing; the records that follow do.
    """

    group_id: GroupId
    why: Why = UNKNOWN
    gone: tuple[MemberId, ...] = ()
    """Leaving members; the first of them is the one that `why` names."""


@value
class SeatInherited:
    """A static member of a consumer group came back: its seat goes over to another member id (rule 3.4).

    Said before the records that do it.
    """

    group_id: GroupId
    old_member_id: MemberId
    member_id: MemberId


@value
class ConsumerGroupLoaded:
    """All that is known of the group was read from the log."""

    group_id: GroupId


@value
class OffsetsRead:
    """Committed offsets of a group, as its log contains them: many records at once, and only at load."""

    group_id: GroupId
    offsets: dict[tuple[TopicName, PartitionId], OffsetCommitValue]


Doomed: TypeAlias = tuple[GroupId, tuple[TopicName, PartitionId], OffsetCommitValue]
"""An offset that is to go, as long as it is this very commit."""


@value
class ForgettingBegan:
    """Offsets that go in steps (`offsets/forget_in_steps.py`); `ends` is the group that goes with them."""

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
    """Offsets of the first of them that were looked at already."""
    expired: int = 0
    """Offsets that the step which says this has removed."""


@value
class GroupConfigured:
    """Kept for a group that does not exist yet, too."""

    group_id: GroupId
    configs: GroupConfigs


@value
class GroupDied:
    """This broker leads the group no longer."""

    group_id: GroupId
    wall_ms: int
