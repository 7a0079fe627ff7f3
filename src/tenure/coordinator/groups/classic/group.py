"""State of one classic group in memory (rule 2.1), and queries on it. `changes.py` changes it.

Member objects are immutable. State that changes during a rebalance (parked joins, deadlines, assignments) is in
dictionaries of the group, so that a draft of the group needs only a few shallow copies (see `draft.py`).
"""

from collections import Counter
from collections.abc import Collection, Iterable
from dataclasses import dataclass
from typing import ClassVar

from tenure.coordinator.groups.classic.states import ALLOWED_FROM, State
from tenure.coordinator.groups.configs import DEFAULTS, GroupConfigs
from tenure.coordinator.groups.timers import Timer, TimerKind
from tenure.coordinator.shard import AskId, InvariantError
from tenure.protocol.errors import ErrorCode
from tenure.protocol.types import GenerationId, GroupId, InstanceId, MemberId

Protocols = tuple[tuple[str, bytes], ...]
"""(name, metadata) of each protocol, in the member's order of preference."""


@dataclass(slots=True)
class Member:
    """Member with the values from its last join. Immutable."""

    member_id: MemberId
    group_instance_id: InstanceId | None
    client_id: str
    client_host: str
    session_timeout_ms: int
    rebalance_timeout_ms: int
    protocols: Protocols

    def metadata_for(self, protocol_name: str | None) -> bytes:
        for name, metadata in self.protocols:
            if name == protocol_name:
                return metadata
        raise InvariantError(f"member {self.member_id!r} does not support the selected protocol {protocol_name!r}")


class ClassicGroup:
    """State of one classic group. Its invariants are true between two commands; `check_invariants` checks them."""

    __slots__: ClassVar = (
        "assignments",
        "configs",
        "generation_id",
        "group_id",
        "initial_remaining_ms",
        "join_deadline_ms",
        "leader",
        "members",
        "new_member_added",
        "new_members",
        "parked_joins",
        "parked_syncs",
        "pending_members",
        "pending_syncs",
        "protocol_name",
        "protocol_support",
        "protocol_type",
        "reserve_members",
        "session_deadlines",
        "state",
        "state_since_ms",
        "static_members",
        "subscriptions",
        "sync_deadline_ms",
    )

    def __init__(self, group_id: GroupId, configs: GroupConfigs = DEFAULTS) -> None:
        self.group_id = group_id
        self.configs = configs
        self.state = State.EMPTY
        self.state_since_ms = -1
        """Wall time of the last change of state; Kafka's `currentStateTimestamp`."""
        self.protocol_type: str | None = None
        """Protocol type; None for a simple group, which has offsets but never had a member."""
        self.generation_id = GenerationId(0)
        """Present generation. Invariant: never decreases, not even when the group is loaded again."""
        self.leader: MemberId | None = None
        """Member id of the leader. Invariant: it is a member, if the group has members."""
        self.protocol_name: str | None = None
        self.members: dict[MemberId, Member] = {}
        self.subscriptions: tuple[bytes, ...] | None = None
        """Metadata of the members at the start of the present generation; None before the first generation."""
        self.static_members: dict[InstanceId, MemberId] = {}
        """Member id by instance id. Invariant: contains exactly the static members (OneInstanceOneMember)."""
        self.assignments: dict[MemberId, bytes] = {}
        """Assignment by member id. Invariant: keys are members. A member without an entry has the empty assignment."""
        self.reserve_members: frozenset[MemberId] = frozenset()
        """Reserve members of the present generation (`reserve.py`). Invariant: they are members."""
        self.pending_members: dict[MemberId, int] = {}
        """Member ids handed out with MEMBER_ID_REQUIRED, with the tick at which each expires.

        Invariant: none is a member.
        """
        self.pending_syncs: set[MemberId] = set()
        """Members that have not synced in this generation.

        After the takeover of a static member, its old member id stays in this set (rule 2.6.2).
        """
        self.new_members: set[MemberId] = set()
        """Members whose first join has not been answered yet."""
        self.parked_joins: dict[MemberId, AskId] = {}
        """Parked JoinGroup by member. Invariant: empty unless PreparingRebalance; keys are members."""
        self.parked_syncs: dict[MemberId, AskId] = {}
        """Parked SyncGroup by member. Invariant: empty unless CompletingRebalance; keys are members."""
        self.session_deadlines: dict[MemberId, int] = {}
        """Tick at which the session of each member expires. Invariant: keys are members."""
        self.join_deadline_ms: int | None = None
        """Tick at which the join phase ends. Invariant: set if and only if PreparingRebalance."""
        self.sync_deadline_ms: int | None = None
        self.initial_remaining_ms: int | None = None
        """Time in ms by which the initial delay may still be extended; None outside of an initial rebalance."""
        self.new_member_added = False
        """True if a member has joined since the initial delay began or was last extended; it will be extended again."""
        self.protocol_support: Counter[str] = Counter()
        """Number of members that support each protocol."""

    @property
    def is_empty(self) -> bool:
        """True if the group is Empty. A group whose last member has left during a rebalance is not."""
        return self.state is State.EMPTY

    def draft(self) -> "ClassicGroup":
        """Return a copy that can be changed without changing this group."""
        copy = ClassicGroup(self.group_id)
        for name in ClassicGroup.__slots__:
            value = getattr(self, name)
            setattr(copy, name, value.copy() if isinstance(value, dict | set) else value)
        return copy

    def set_state(self, state: State, wall_ms: int) -> None:
        if self.state not in ALLOWED_FROM[state]:
            raise InvariantError(f"group {self.group_id!r} cannot go from {self.state.value} to {state.value}")
        self.state = state
        self.state_since_ms = wall_ms

    def find_member(self, member_id: MemberId, group_instance_id: InstanceId | None) -> Member | ErrorCode:
        """Return the member that sent a request, or an error if the ids in the request are wrong (rules 2.9.4, 2.18).

        If the request has no instance id (None), only the member id is checked.
        """
        if group_instance_id is not None:
            holder = self.static_members.get(group_instance_id)
            if holder is None:
                return ErrorCode.UNKNOWN_MEMBER_ID
            if holder != member_id:
                return ErrorCode.FENCED_INSTANCE_ID
        return self.members.get(member_id, ErrorCode.UNKNOWN_MEMBER_ID)

    def deadline_ms(self, timer: Timer) -> int | None:
        """Return the tick at which a timer expires; None if it is stopped."""
        match timer.kind:
            case TimerKind.SESSION:
                return self.session_deadlines.get(timer.member_id)
            case TimerKind.PENDING:
                return self.pending_members.get(timer.member_id)
            case TimerKind.JOIN:
                return self.join_deadline_ms
            case TimerKind.SYNC:
                return self.sync_deadline_ms
        return None

    def rebalance_timeout_ms(self) -> int:
        """Return the longest rebalance timeout of the members (rule 2.1)."""
        return max((member.rebalance_timeout_ms for member in self.members.values()), default=0)

    def supports(self, protocol_type: str, protocols: Iterable[tuple[str, bytes]]) -> bool:
        """Return whether the group accepts a member with these protocols (rule J4).

        At least one of the protocols must be supported by every present member. A member that joins again is itself a
        present member, with the protocols of its previous join. An Empty group accepts every protocol.
        """
        if self.state is State.EMPTY:
            return bool(protocol_type) and any(True for _ in protocols)
        member_count = len(self.members)
        return protocol_type == self.protocol_type and any(
            self.protocol_support[name] == member_count for name, _ in protocols
        )

    def winning_protocol(self) -> str:
        return most_voted(self.members.values(), self.protocol_support, self.protocol_name)

    def all_members_wait_for_join(self) -> bool:
        """Return whether the join phase can end before its deadline, because all members have joined (rule 2.7.5).

        The phase does not end early while a pending member id exists. The join phase of an initial rebalance ends early
        only if expected instances are configured and have joined.
        """
        is_initial = self.initial_remaining_ms is not None
        return (
            (not is_initial or (bool(self.configs.group_expected_instance_ids) and not self.awaits_expected()))
            and not self.pending_members
            and len(self.parked_joins) == len(self.members)
        )

    def awaits_others_than(self, member_id: MemberId | None) -> bool:
        """Return whether the join phase waits for a member or pending id other than `member_id`.

        With None, return whether the join phase waits for any member or pending id.
        """
        if self.initial_remaining_ms is not None and not self.configs.group_expected_instance_ids:
            return True
        pending = len(self.pending_members) - (member_id in self.pending_members)
        missing = len(self.members) - (member_id in self.members)
        return pending > 0 or missing > len(self.parked_joins) - (member_id in self.parked_joins)

    def awaits_expected(self) -> bool:
        """Return whether the initial rebalance waits for an expected instance that has not joined."""
        is_initial = self.initial_remaining_ms is not None
        return is_initial and not self.configs.group_expected_instance_ids <= self.static_members.keys()

    def digest(self) -> dict[str, object]:
        """Return the whole state as plain data. Groups in equal states have equal digests."""
        copy = self.draft()
        return {name: getattr(copy, name) for name in ClassicGroup.__slots__}

    def check_invariants(self) -> None:
        """Check all invariants. Raises InvariantError.

        The checks run at each rebalance. They cost little compared with the rebalance.
        """
        members = self.members.keys()
        for holds, invariant in (
            (self.static_members == _static_members(self.members.values()), "OneInstanceOneMember"),
            (not members or self.state is not State.EMPTY, "an Empty group has no members"),
            (self.leader in members if members else True, "the leader is a member"),
            (self.parked_joins.keys() <= members, "only members have parked joins"),
            (not self.parked_joins or self.state is State.PREPARING_REBALANCE, "only PreparingRebalance parks joins"),
            (self.parked_syncs.keys() <= members, "only members have parked syncs"),
            (not self.parked_syncs or self.state is State.COMPLETING_REBALANCE, "only CompletingRebalance parks syncs"),
            (self.reserve_members <= members, "only members are reserve members"),
            (self.assignments.keys() <= members, "only members have assignments"),
            (self.session_deadlines.keys() <= members, "only members have sessions"),
            (members.isdisjoint(self.pending_members), "a pending member id is not the id of a member"),
            (
                (self.join_deadline_ms is None) == (self.state is not State.PREPARING_REBALANCE),
                "only PreparingRebalance has a join deadline",
            ),
        ):
            if not holds:
                raise InvariantError(f"group {self.group_id!r}, {self.state.value}: invariant violated: {invariant}")


def most_voted(members: Collection[Member], support: Counter[str], present: str | None) -> str:
    """Return the protocol with the most votes.

    Each member votes for the first of its protocols that all members support (rule 2.8.4). In a tie, the present
    protocol wins, so that the takeover of a static member does not change the protocol. If the present protocol is not
    in the tie, the protocol with the earliest vote wins.
    """
    member_count = len(members)
    votes: Counter[str] = Counter()
    for member in members:
        for name, _ in member.protocols:
            if support[name] == member_count:
                votes[name] += 1
                break
    if not votes:
        raise InvariantError(f"no protocol is supported by all of {[member.member_id for member in members]}")
    return max(votes, key=lambda name: (votes[name], name == present))


def _static_members(members: Iterable[Member]) -> dict[InstanceId, MemberId]:
    return {m.group_instance_id: m.member_id for m in members if m.group_instance_id is not None}
