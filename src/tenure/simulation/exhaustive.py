"""Every state that a consumer group and its clients can reach, breadth first, with the rules of the real shard.

A client does what Java's do: it joins, heartbeats, says what it owns when that has changed, gives up what is taken from
it when it is ready to, leaves for good (-1) or for a while (-2), dies and comes back. Answers are under way for as long
as they like, or get lost. A static seat may be taken over by a process with another member id once somebody has left in
its holder's name, which is how a seat is seized. Sessions and revocation timers may end at any moment, and a heartbeat
may come too early for the group to be assigned anew.

Each state of the group is entered by a replay of its compacted log (`group_states.py`), so a fail-over at any moment is
in the search too. In each of them every member id that there is or was commits every partition with every epoch, and
the fence is judged by who has had the partition since when.

Two tables make this fast and are all there is to it: what a group does when it is asked something is found out once,
by the shard; and a state of the whole is the group's, beside what each client believes.
"""

from collections.abc import Callable, Iterator, Sequence
from typing import Final, NamedTuple, TypeAlias

from tenure.coordinator.answers import Refused
from tenure.coordinator.groups.answers import HeartbeatAnswered
from tenure.coordinator.groups.commands import CommitOffsets, ConsumerHeartbeat, OffsetToCommit
from tenure.coordinator.groups.configs import GroupConfigs
from tenure.coordinator.groups.consumer.group import ConsumerGroup
from tenure.coordinator.groups.consumer.member import JOINS, LEAVES, LEAVES_FOR_NOW
from tenure.coordinator.groups.deadlines import Deadline, Timer
from tenure.coordinator.groups.records import RevocationTimerArmed
from tenure.coordinator.groups.settings import GroupSettings
from tenure.coordinator.groups.shard import GroupsShard
from tenure.coordinator.metadata.topics import Topic, Topics
from tenure.coordinator.shard import NO_ASK, InvariantError, LogRecord, Now, Step
from tenure.protocol.consumer_offsets import ConsumerGroupTargetAssignmentMetadataKey
from tenure.protocol.errors import ErrorCode
from tenure.protocol.types import GenerationId, InstanceId, MemberId, PartitionId
from tenure.simulation.consumer_invariants import Others, Tenures, at_rest, commit_fence, others, same_durable_state
from tenure.simulation.group_states import (
    ASSIGNED_AT_MS,
    AT_ONCE,
    GROUP_ID,
    LATER,
    REBALANCE_TIMEOUT_MS,
    TIMER_MS,
    TOPIC,
    TOPIC_ID,
    GroupState,
    log_of,
    numbering,
    replayed,
    restored,
    state_of,
)
from tenure.simulation.invariants import Broken

NewShard: TypeAlias = Callable[[GroupSettings, Callable[[], Topics]], GroupsShard]
Mask: TypeAlias = int
"""A set of partitions, one bit each."""
UNTOLD: Final[Mask] = -1
LIVES: Final = 2
"""Member ids of a static seat: a successor's differs from its predecessor's, whose turn comes again after that."""
SHARDS_KEPT: Final = 4_000
"""States of groups whose shard is kept for the next question, for speed."""
ON_TIME: Final = Now(ASSIGNED_AT_MS, TIMER_MS)


def real_shard(settings: GroupSettings, topics: Callable[[], Topics]) -> GroupsShard:
    return GroupsShard(settings, bytes, None, topics)


class Scope(NamedTuple):
    """Who and what there is. A seat without an instance id belongs to a dynamic member."""

    seats: Sequence[InstanceId | None]
    partitions: int

    def member_id(self, seat: int, life: int) -> MemberId:
        return MemberId(f"{'abcdefgh'[seat]}{life + 1}" if self.seats[seat] else "abcdefgh"[seat])


class Ask(NamedTuple):
    """A command. `epoch` is that of the heartbeat, `owned` what it says of what the client owns."""

    kind: str
    seat: int
    life: int
    epoch: int = 0
    owned: Mask = UNTOLD


class Outcome(NamedTuple):
    """What becomes of a group that is asked something."""

    group: int
    moved: Sequence[int] | None
    """Where a doubled epoch stands among the new numbers; None: where it stood."""
    error_code: ErrorCode
    epoch: int = 0
    """As it is answered, in the new numbers."""
    assignment: Mask = UNTOLD


class Belief(NamedTuple):
    """What the client of a seat knows of itself. Epochs are doubled: an odd one lies between two of the group's."""

    life: int = 0
    epoch: int = 0
    """0: it has to join."""
    owned: Mask = 0
    """What it works on and commits."""
    told: Mask = 0
    """What it is to own: what it has beyond that it is still giving up."""
    tells: bool = False
    """Its next heartbeat says what it owns."""
    stands: bool = False
    """The seat has been its own since it learned its epoch: nobody has removed it or left in its name."""
    answer: tuple[int, Mask] | None = None
    """Under way to it: an epoch, and what it is to own."""


class Action(NamedTuple):
    seat: int
    what: str
    variant: int = 0
    """Of a heartbeat: 1 is too early for the group to be assigned anew."""


State: TypeAlias = tuple[int, tuple[Belief, ...]]
"""Of the group, by number, and of each client."""


class Search:
    """`deepen` takes every state that is one action further away; `Broken` is raised with the way that led there."""

    def __init__(
        self,
        scope: Scope,
        new_shard: NewShard = real_shard,
        *,
        fencing: str = "assignment-epoch",
        renumbers: bool = True,
    ) -> None:
        self.scope = scope
        self._topics = Topics()
        self._topics.put(Topic(TOPIC, TOPIC_ID, scope.partitions))
        self._settings = GroupSettings(configs=GroupConfigs(group_commit_fencing=fencing))
        self._make = new_shard
        self._fencing = fencing
        self._distance_max = scope.partitions + 1 if renumbers else 2**31
        self.groups: list[GroupState | None] = [None]
        """States of the group, by number. The first: nobody has ever joined it."""
        self._numbers: dict[GroupState, int] = {}
        self._outcomes: list[dict[Ask, tuple[Outcome, ...]]] = [{}]
        self._shards: dict[int, GroupsShard] = {}
        self.frontier: list[State] = [(0, tuple(Belief() for _ in scope.seats))]
        self._came_from: dict[State, tuple[State, Action] | None] = {self.frontier[0]: None}
        self.depth = 0
        self.transitions = 0
        self.commits = 0

    @property
    def states(self) -> int:
        return len(self._came_from)

    def deepen(self, goes_on: Callable[[], bool] = lambda: True) -> bool:
        """Whether there was anything left to find. What is cut short does not count as a depth."""
        found: list[State] = []
        for state in self.frontier:
            if not goes_on():
                return True
            found += self._beyond(state)
        self.frontier = found
        self.depth += bool(found)
        return bool(found)

    def _beyond(self, state: State) -> Iterator[State]:
        done: Action | None = None
        try:
            for action in self.actions(state):
                done = action
                after = self.after(state, action)
                self.transitions += 1
                if after not in self._came_from:
                    self._came_from[after] = state, action
                    self._honest_commits_pass(after)
                    yield after
        except Broken as broken:
            what = str(broken).removeprefix(f"{broken.invariant}: ")
            raise Broken(broken.invariant, f"{what}\n{self.story(state, done)}") from broken

    # --- what can be done ---------------------------------------------------------------------------------------------

    def actions(self, state: State) -> Iterator[Action]:
        group, beliefs = state
        for seat, belief in enumerate(beliefs):
            if belief.answer is not None:
                yield Action(seat, "hears")
                yield Action(seat, "misses")
            else:
                for ask, what in self._beats(seat, belief):
                    yield Action(seat, what)
                    if len(self._asked(group, ask)) > 1:
                        yield Action(seat, what, 1)
            if belief.owned & ~belief.told:
                yield Action(seat, "gives up")
            if belief.epoch:
                yield Action(seat, "dies")
                yield Action(seat, "leaves")
            if self.scope.seats[seat] is not None and self._holds_seat(group, seat, belief.life):
                yield Action(seat, "is left for now")
        known = self.groups[group]
        for told, _ in () if known is None else known.members:
            seat = "abcdefgh".index(told.member_id[0])
            yield Action(seat, "is silent for too long")
            if told.has_revocation_timer:
                yield Action(seat, "revokes for too long")

    def _beats(self, seat: int, belief: Belief) -> Iterator[tuple[Ask, str]]:
        if belief.epoch:
            yield _beat(seat, belief.life, belief), "beats"
            return
        yield Ask("beat", seat, belief.life, JOINS, 0), "joins"
        if self.scope.seats[seat] is not None:
            yield Ask("beat", seat, (belief.life + 1) % LIVES, JOINS, 0), "joins anew"

    def _holds_seat(self, group: int, seat: int, life: int) -> bool:
        known, member_id = self.groups[group], self.scope.member_id(seat, life)
        return known is not None and any(m.member_id == member_id and m.epoch >= 0 for m, _ in known.members)

    # --- what comes of it ---------------------------------------------------------------------------------------------

    def after(self, state: State, action: Action) -> State:
        group, beliefs = state
        seat, what, variant = action
        belief = beliefs[seat]
        match what:
            case "hears" if belief.answer is not None:
                return group, _replaced(beliefs, seat, _learned(belief, *belief.answer))
            case "misses":
                missed = belief._replace(answer=None, tells=True) if belief.epoch else Belief(belief.life)
                return group, _replaced(beliefs, seat, missed)
            case "gives up":
                return group, _replaced(beliefs, seat, belief._replace(owned=belief.told, tells=True))
            case "dies":
                return group, _replaced(beliefs, seat, Belief(belief.life))
            case "joins" | "joins anew":
                life = belief.life if what == "joins" else (belief.life + 1) % LIVES
                return self._spoken(state, seat, Ask("beat", seat, life, JOINS, 0), variant)
            case "beats":
                return self._spoken(state, seat, _beat(seat, belief.life, belief), variant)
        outcome = self._asked(group, Ask(what, seat, self._life_in(group, seat)))[0]
        beliefs = _moved(beliefs, outcome.moved)
        ends = Belief(belief.life) if what in ("leaves", "is left for now") else beliefs[seat]._replace(stands=False)
        return outcome.group, _replaced(beliefs, seat, ends)

    def _life_in(self, group: int, seat: int) -> int:
        """Of the seat's holder; commands in the name of nobody are refused."""
        return next((life for life in range(LIVES) if self._is_member(group, seat, life)), 0)

    def _is_member(self, group: int, seat: int, life: int) -> bool:
        known, member_id = self.groups[group], self.scope.member_id(seat, life)
        return known is not None and any(member.member_id == member_id for member, _ in known.members)

    def _spoken(self, state: State, seat: int, ask: Ask, variant: int) -> State:
        group, beliefs = state
        outcome = self._asked(group, ask)[variant]
        if outcome.error_code is ErrorCode.NONE:
            beliefs = _moved(beliefs, outcome.moved)
            before = beliefs[seat]
            is_known = ask.epoch != JOINS and 2 * outcome.epoch == before.epoch
            if is_known and outcome.assignment in (UNTOLD, before.told):
                belief = before._replace(tells=False)
            else:
                answer = 2 * outcome.epoch, outcome.assignment
                belief = before._replace(life=ask.life, stands=True, answer=answer)
        elif ask.epoch == JOINS:
            belief = beliefs[seat]
        else:
            belief = Belief(ask.life)
        return outcome.group, _replaced(beliefs, seat, belief)

    # --- what the shard says ------------------------------------------------------------------------------------------

    def _asked(self, group: int, ask: Ask) -> tuple[Outcome, ...]:
        known = self._outcomes[group].get(ask)
        if known is None:
            known = self._outcomes[group][ask] = tuple(self._ask(group, ask))
        return known

    def _ask(self, group: int, ask: Ask) -> Iterator[Outcome]:
        shard = self._shard(group)
        if ask.kind in TIMERS:
            passed = Deadline(TIMERS[ask.kind], GROUP_ID, self.scope.member_id(ask.seat, ask.life))
            yield self._outcome(group, ask, shard.handle(NO_ASK, passed, ON_TIME))
            return
        step = shard.handle(NO_ASK, self._heartbeat(ask), LATER)
        yield self._outcome(group, ask, step)
        known = self.groups[group]
        if known is not None and known.was_assigned and any(_assigns(record) for record in step.records):
            yield self._outcome(group, ask, shard.handle(NO_ASK, self._heartbeat(ask), AT_ONCE))

    def _heartbeat(self, ask: Ask) -> ConsumerHeartbeat:
        epoch = EPOCHS.get(ask.kind, ask.epoch)
        beat = ConsumerHeartbeat(
            GROUP_ID, self.scope.member_id(ask.seat, ask.life), epoch, instance_id=self.scope.seats[ask.seat]
        )
        if ask.kind == "beat" and ask.owned != UNTOLD:
            beat.rebalance_timeout_ms = REBALANCE_TIMEOUT_MS
            beat.subscribed_topic_names = [TOPIC]
            beat.owned = [(TOPIC_ID, partitions)] if (partitions := _partitions(ask.owned)) else []
        return beat

    def _outcome(self, number: int, ask: Ask, step: Step) -> Outcome:
        answer = step.replies[0][1] if step.replies else None
        if isinstance(answer, Refused):
            return Outcome(number, None, answer.error_code)
        epoch, assignment = 0, UNTOLD
        if isinstance(answer, HeartbeatAnswered):
            epoch = answer.member_epoch
            if answer.assignment is not None:
                assignment = sum(1 << partition for partition in answer.assignment.get(TOPIC_ID, ()))
        if not any(isinstance(record, LogRecord | RevocationTimerArmed) for record in step.records):
            return Outcome(number, None, ErrorCode.NONE, epoch, assignment)
        after = self._applied(number, ask, step)
        number_of = numbering(after.epochs(), self._distance_max)
        found = self._number(after.renumbered(number_of))
        known = self.groups[number]
        highest = 0 if known is None else known.group_epoch
        moved = _moves(number_of, highest)
        return Outcome(found, moved, ErrorCode.NONE, number_of.get(epoch, 0), assignment)

    def _applied(self, number: int, ask: Ask, step: Step) -> GroupState:
        before = self.groups[number]
        shard = self._fresh_shard(number)
        was = _epochs_and_others(shard.consumer_group(GROUP_ID), self.scope.seats[ask.seat])
        tenures = Tenures() if before is None else before.tenures()
        for record in step.records:
            try:
                shard.apply(record)
            except InvariantError as broken:
                raise Broken("SingleOwner" if "own partition" in str(broken) else "Structure", broken) from None
            if isinstance(record, LogRecord):
                tenures.fold(record)
        group = shard.consumer_group(GROUP_ID)
        assert group is not None
        at_rest(group, self._topics)
        if was is not None:
            self._goes_on(ask, *was, group)
        log = [*([] if before is None else log_of(before)), *step.records]
        again = replayed(self._new_shard, _compacted(log)).consumer_group(GROUP_ID)
        if again is None:
            raise Broken("ReplayEqualsLive", "nothing of the group is in the log")
        same_durable_state(group, again)
        return state_of(group, tenures)

    def _goes_on(self, ask: Ask, epochs: dict[MemberId, int], was: Others, group: ConsumerGroup) -> None:
        for member_id, epoch in epochs.items():
            member = group.members.get(member_id)
            if member is not None and not member.is_away and member.member_epoch < epoch:
                raise Broken("EpochsMonotonic", f"{member_id} fell from {epoch} to {member.member_epoch}")
        if group.group_epoch < was.group_epoch or group.assignment_epoch < was.assignment_epoch:
            raise Broken("EpochsMonotonic", f"{was} became {group.group_epoch}, {group.assignment_epoch}")
        instance_id = self.scope.seats[ask.seat]
        comes_back = ask.epoch == JOINS and any(epoch == LEAVES_FOR_NOW for epoch in epochs.values())
        is_settled = was.group_epoch == was.assignment_epoch
        if ask.kind == "is left for now" or (ask.kind == "beat" and comes_back and instance_id and is_settled):
            now = others(group, instance_id)
            returns = ask.kind != "beat" or any(
                epochs.get(self.scope.member_id(ask.seat, life)) == LEAVES_FOR_NOW for life in range(LIVES)
            )
            if returns and now != was:
                raise Broken("StaticBounceSilent", f"{was} became {now}")

    def _number(self, state: GroupState) -> int:
        number = self._numbers.get(state)
        if number is None:
            number = self._numbers[state] = len(self.groups)
            self.groups.append(state)
            self._outcomes.append({})
            self._commit_everything(number, state)
        return number

    # --- commits ------------------------------------------------------------------------------------------------------

    def _commit_everything(self, number: int, state: GroupState) -> None:
        """With every epoch in reach, in the name of everybody that there is or was."""
        shard = self._shard(number)
        group = shard.consumer_group(GROUP_ID)
        assert group is not None
        tenures = state.tenures()
        for seat in range(len(self.scope.seats)):
            for life in range(LIVES if self.scope.seats[seat] else 1):
                member_id = self.scope.member_id(seat, life)
                for partition in range(self.scope.partitions):
                    offset = OffsetToCommit(TOPIC, TOPIC_ID, PartitionId(partition), 1)
                    for epoch in range(1, state.group_epoch + 2):
                        commit = CommitOffsets(GROUP_ID, member_id, None, GenerationId(epoch), [offset])
                        (_, answer), *_ = shard.handle(NO_ASK, commit, LATER).replies
                        commit_fence(group, tenures, commit, answer)
                        self.commits += 1

    def _honest_commits_pass(self, state: State) -> None:
        """Of each client that nobody has removed: what it works on has been its own since the epoch that it knows."""
        known = self.groups[state[0]]
        for seat, belief in enumerate(state[1]):
            if not (belief.stands and belief.owned and belief.epoch) or known is None:
                continue
            member_id = self.scope.member_id(seat, belief.life)
            for told, had in known.members:
                if told.member_id == member_id:
                    since = dict(had)
                    for partition in _partitions(belief.owned):
                        if not 2 * since.get(partition, told.epoch + 1) <= belief.epoch <= 2 * told.epoch:
                            raise Broken("NoFalseFence", f"{member_id} works on {partition}, and may not commit it")

    # --- shards -------------------------------------------------------------------------------------------------------

    def _new_shard(self) -> GroupsShard:
        return self._make(self._settings, lambda: self._topics)

    def _shard(self, number: int) -> GroupsShard:
        """To ask: `handle` changes nothing."""
        if number not in self._shards:
            if len(self._shards) >= SHARDS_KEPT:
                self._shards.clear()
            self._shards[number] = self._fresh_shard(number)
        return self._shards[number]

    def _fresh_shard(self, number: int) -> GroupsShard:
        state = self.groups[number]
        return self._new_shard() if state is None else restored(self._new_shard, state, self._topics)

    # --- the way to a state -------------------------------------------------------------------------------------------

    def way(self, state: State) -> list[Action]:
        """The shortest there is."""
        actions: list[Action] = []
        came = self._came_from[state]
        while came is not None:
            state, action = came
            actions.append(action)
            came = self._came_from[state]
        return actions[::-1]

    def story(self, state: State, last: Action | None) -> str:
        """A line for each step, with the epochs as they really are."""
        exact = Search(self.scope, self._make, fencing=self._fencing, renumbers=False)
        lines: list[str] = []
        at = exact.frontier[0]
        for action in [*self.way(state), *([] if last is None else [last])]:
            try:
                at = exact.after(at, action)
                lines.append(exact.told(action, at))
            except Broken:
                lines.append(exact.told(action, None))
        return "\n".join(f"{number:3}. {line}" for number, line in enumerate(lines, 1))

    def told(self, action: Action, after: State | None) -> str:
        who = self.scope.seats[action.seat] or self.scope.member_id(action.seat, 0)
        line = f"{who} {action.what}{', before the group may be assigned anew' if action.variant else ''}"
        known = None if after is None else self.groups[after[0]]
        if known is None:
            return line
        members = "; ".join(
            f"{m.member_id}@{m.epoch} has {_text(m.assigned)}" + (f", gives up {_text(m.pending)}" if m.pending else "")
            for m, _ in known.members
        )
        return f"{line:<40} group {known.group_epoch}, target {known.assignment_epoch}: {members or 'nobody'}"


TIMERS: Final = {"is silent for too long": Timer.SESSION, "revokes for too long": Timer.REVOCATION}
EPOCHS: Final = {"leaves": LEAVES, "is left for now": LEAVES_FOR_NOW}


def _beat(seat: int, life: int, belief: Belief) -> Ask:
    """The epoch that an odd one stands for: there is room for it, or it would not lie between two."""
    return Ask("beat", seat, life, (belief.epoch + 1) // 2, belief.owned if belief.tells else UNTOLD)


def _learned(belief: Belief, epoch: int, assignment: Mask) -> Belief:
    """What is new is worked on once nothing has to be given up any more."""
    told = belief.told if assignment == UNTOLD else assignment
    gives_up = belief.owned & ~told
    owned = belief.owned if gives_up else told
    return belief._replace(epoch=epoch, told=told, owned=owned, tells=owned != belief.owned, answer=None)


def _moved(beliefs: tuple[Belief, ...], moved: Sequence[int] | None) -> tuple[Belief, ...]:
    if moved is None:
        return beliefs
    return tuple(
        belief._replace(
            epoch=moved[belief.epoch],
            answer=None if belief.answer is None else (moved[belief.answer[0]], belief.answer[1]),
        )
        for belief in beliefs
    )


def _moves(number_of: dict[int, int], highest: int) -> Sequence[int]:
    """Of each doubled epoch up to `highest`, where it comes to stand."""
    moves = [0]
    for doubled in range(1, 2 * highest + 2):
        epoch, is_between = divmod(doubled, 2)
        if not is_between and epoch in number_of:
            moves.append(2 * number_of[epoch])
        else:
            moves.append(moves[-1] | 1)
    return moves


def _replaced(beliefs: tuple[Belief, ...], seat: int, belief: Belief) -> tuple[Belief, ...]:
    return *beliefs[:seat], belief, *beliefs[seat + 1 :]


def _compacted(log: Sequence[object]) -> list[LogRecord]:
    """The last record of each key, where it stands; nothing of what was removed."""
    last: dict[object, LogRecord] = {}
    for record in log:
        if isinstance(record, LogRecord):
            key = type(record.key), getattr(record.key, "member_id", "")
            last.pop(key, None)
            last[key] = record
    return [record for record in last.values() if record.value is not None]


def _epochs_and_others(
    group: ConsumerGroup | None, instance_id: InstanceId | None
) -> tuple[dict[MemberId, int], Others] | None:
    if group is None:
        return None
    return {m.member_id: m.member_epoch for m in group.members.values()}, others(group, instance_id)


def _assigns(record: object) -> bool:
    return isinstance(record, LogRecord) and isinstance(record.key, ConsumerGroupTargetAssignmentMetadataKey)


def _partitions(mask: Mask) -> list[PartitionId]:
    return [PartitionId(partition) for partition in range(mask.bit_length()) if mask >> partition & 1]


def _text(epochs: Sequence[tuple[PartitionId, int]]) -> str:
    return ",".join(str(partition) for partition, _ in epochs) or "nothing"
