"""Records of a groups shard.

Durable records are `LogRecord`s with Kafka's keys and values. All other records are ephemeral: they change state that
the classic protocol keeps only in memory. Ephemeral records are applied but not logged, so the changes are lost in a
fail-over (rule 6.5.2).
"""

from collections.abc import Sequence
from typing import TypeAlias

from tenure.coordinator.groups.causes import UNKNOWN, Why
from tenure.coordinator.groups.classic.group import Member
from tenure.coordinator.groups.configs import GroupConfigs
from tenure.coordinator.groups.streams.tasks import ReportedOffsets
from tenure.coordinator.shard import AskId
from tenure.coordinator.values import value
from tenure.protocol.coordinator_logs.consumer_offsets import OffsetCommitValue
from tenure.protocol.types import GenerationId, GroupId, MemberId, PartitionId, TopicName


@value
class SimpleGroupMade:
    """Creation of a simple group by a commit, although all offsets of the commit were refused (rule 2.13.1)."""

    group_id: GroupId


@value
class MemberPending:
    """Member id that was handed out with MEMBER_ID_REQUIRED.

    The id is removed at the deadline, unless a member has joined with it.
    """

    group_id: GroupId
    member_id: MemberId
    deadline_ms: int


@value
class MemberAdded:
    """New member. `reason` is the reason that the client gave in JoinGroup (KIP-800); "" if it gave none."""

    group_id: GroupId
    protocol_type: str
    member: Member
    reason: str = ""


@value
class MemberUpdated:
    """Changed protocols or timeouts of a member that joined again. For `reason`, see `MemberAdded`."""

    group_id: GroupId
    member: Member
    reason: str = ""


@value
class MemberReplaced:
    """New member id of a static member (rule 2.6). For `reason`, see `MemberAdded`."""

    group_id: GroupId
    old_member_id: MemberId
    member: Member
    reason: str = ""


@value
class MemberRemoved:
    """Removal of a member, or of a pending member id."""

    group_id: GroupId
    member_id: MemberId
    why: Why = UNKNOWN


@value
class JoinParked:
    """Join that waits. An earlier parked join of the same member is replaced, and never answered (rule 2.5.2)."""

    group_id: GroupId
    member_id: MemberId
    ask: AskId


@value
class SyncParked:
    """Sync that waits. An earlier parked sync of the same member is replaced, and never answered (rule 2.9)."""

    group_id: GroupId
    member_id: MemberId
    ask: AskId


@value
class MemberSynced:
    """Sync of a member of a Stable group. The member got its assignment at once."""

    group_id: GroupId
    member_id: MemberId


@value
class RebalanceStarted:
    group_id: GroupId
    wall_ms: int
    why: Why = UNKNOWN


@value
class JoinTimerArmed:
    """Deadline of the join phase.

    In an initial rebalance, `initial_remaining_ms` is the time by which later records may still extend the phase (rule
    2.7.3). In any other rebalance, it is None.
    """

    group_id: GroupId
    deadline_ms: int
    initial_remaining_ms: int | None = None


@value
class GenerationStarted:
    """End of the join phase and start of a generation.

    This record is ephemeral. When the leader has sent the assignments, a `GroupMetadata` record logs the generation.
    """

    group_id: GroupId
    generation_id: GenerationId
    protocol_name: str
    leader: MemberId
    wall_ms: int
    reserve_members: frozenset[MemberId] = frozenset()


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
    """Deadline for a member of a consumer group to give up revoked partitions (rule 3.7)."""

    group_id: GroupId
    member_id: MemberId
    deadline_ms: int


@value
class RejoinTimerArmed:
    """Deadline for a classic member of a consumer group to join again (rule 3.9)."""

    group_id: GroupId
    member_id: MemberId
    deadline_ms: int


@value
class MemberJoined:
    """Join of a classic member to a consumer group, with the deadline to fetch its assignment (rule 3.9)."""

    group_id: GroupId
    member_id: MemberId
    deadline_ms: int


@value
class AssignmentFetched:
    """Sync of a classic member of a consumer group. The member got its assignment."""

    group_id: GroupId
    member_id: MemberId


@value
class TopicsSeen:
    """Version of the broker's topics for which the topic hash of a consumer group was last checked."""

    group_id: GroupId
    version: int


@value
class ResolutionAwaited:
    """Start of the resolution of a consumer group's regular expressions; its end if `effect` is None."""

    group_id: GroupId
    effect: object | None = None


@value
class AssignmentAwaited:
    """Start of the computation of a target; its end without a target if `effect` is None.

    `failure` is the error of the assignor, if that has failed.
    """

    group_id: GroupId
    effect: object | None = None
    failure: str = ""


@value
class AssignmentComputed:
    """End of the computation of a target. This record follows the records of the target.

    The next computation begins with `arrays`: `GroupArrays` of a consumer group, or `TaskArrays` of a streams group.
    """

    group_id: GroupId
    arrays: object | None
    changed_members: frozenset[MemberId]
    """Members that have joined, left or changed since the computation began."""


@value
class EpochBumped:
    """Cause of a new epoch of a consumer or streams group. It is for the journal and changes no state.

    Among the records of a command, this record follows those that add a member, and precedes those that remove members.
    """

    group_id: GroupId
    why: Why = UNKNOWN
    gone: tuple[MemberId, ...] = ()
    """Leaving members. The first one is the member that `why` names."""


@value
class SeatInherited:
    """New member id of a static member (rules 3.4 and 5.2).

    This record comes before the records that change the member id.
    """

    group_id: GroupId
    old_member_id: MemberId
    member_id: MemberId


@value
class ConsumerGroupLoaded:
    """End of loading a consumer group: all its records were applied."""

    group_id: GroupId


@value
class TopicsPlanned:
    """Result of comparing a streams group's topology with the existing topics. `version` is that of the topics."""

    group_id: GroupId
    plan: object
    version: int


@value
class InitialDelayArmed:
    """Deadline of a streams group's first assignment; `deadline_ms` is None if it has passed (rule 5.2, point 7)."""

    group_id: GroupId
    deadline_ms: int | None


@value
class ShutdownRequested:
    """Request by a streams member to shut down the whole application (rule 5.2, point 10)."""

    group_id: GroupId
    member_id: MemberId


@value
class EndpointsChanged:
    """Change of the endpoint, or of the tasks, of a member of a streams group (rule 5.5)."""

    group_id: GroupId


@value
class TaskOffsetsReported:
    """Changelog offsets that a streams member has reported for the tasks on its disk."""

    group_id: GroupId
    member_id: MemberId
    offsets: ReportedOffsets


@value
class OffsetsRead:
    """Committed offsets that a load has read from the log, collected into one record for each group."""

    group_id: GroupId
    offsets: dict[tuple[TopicName, PartitionId], OffsetCommitValue]


OffsetToRemove: TypeAlias = tuple[GroupId, tuple[TopicName, PartitionId], OffsetCommitValue]
"""(group, partition, committed offset) to remove. An offset that the group committed later is not removed."""


@value
class OffsetRemovalStarted:
    """Start of the removal of offsets in steps (`offsets/removal_in_steps.py`).

    `deleted_group` is the group that is deleted together with its offsets, else None.
    """

    ask: AskId
    to_remove: Sequence[OffsetToRemove]
    deleted_group: GroupId | None
    deadline_ms: int


@value
class OffsetRemovalContinued:
    """Progress of a removal: the number of offsets removed in this step, and the tick of the next step."""

    count: int
    deadline_ms: int


@value
class OffsetExpiryScheduled:
    """Progress of the search for expired offsets: the tick of the next step, and where it begins.

    `left` are the groups that are not checked yet; empty if the next step begins a new search of all groups.
    """

    deadline_ms: int
    left: tuple[GroupId, ...] = ()
    skip: int = 0
    """Number of offsets of the first group in `left` that were checked and kept."""
    expired: int = 0
    """Number of offsets that the previous step has removed; 0 before the first step."""


@value
class GroupConfigured:
    """Configs of a group. The group need not exist yet."""

    group_id: GroupId
    configs: GroupConfigs


@value
class DefaultsConfigured:
    """Default configs, for groups without configs of their own."""

    configs: GroupConfigs


@value
class GroupDied:
    """End of this broker's leadership of a group. Parked requests, sessions and deadlines are dropped."""

    group_id: GroupId
    wall_ms: int
