"""Breadth-first search through every reachable state of a consumer group and its clients, with the real shard's rules.

A client acts like a Java client: it joins, sends heartbeats, reports its partitions when they have changed, releases
revoked partitions some time later, leaves permanently (-1) or temporarily (-2), crashes and returns. Responses may be
delayed for any time, or be lost. After a leave heartbeat in the holder's name, another process may take over a static
seat. Sessions and revocation timers may end at any time, and a heartbeat may arrive before the group's new assignment
is computed.

Each state of the group is created by a replay of its compacted log (`group_states.py`), so the search includes a
fail-over at any time. In each state, every present or former member commits every partition with every epoch. The fence
is compared with the true owners over time.

The shard computes the reaction of a group to each request only once (`group_moves.py`). A state of the search consists
of the group's state and the state of each client.
"""

from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple, TypeAlias

from tenure.protocol.errors import ErrorCode
from tenure.protocol.special_values import JOINS
from tenure.protocol.types import PartitionId
from tests.simulation.broken import Broken
from tests.simulation.group_moves import (
    LIVES,
    UNTOLD,
    Ask,
    GroupMoves,
    Mask,
    NewShard,
    Scope,
    partitions_in,
    real_shard,
)


class Belief(NamedTuple):
    """State of a seat's client. Epochs are doubled, so an odd one lies between two epochs of the group."""

    life: int = 0
    epoch: int = 0
    """Epoch; 0 if the client has to join."""
    owned: Mask = 0
    """Partitions that the client works on and commits."""
    told: Mask = 0
    """Target in the last answer to the client, which is still revoking its other partitions."""
    tells: bool = False
    """True if its next heartbeat reports its partitions."""
    stands: bool = False
    """True if the client has had the seat without interruption since it received its epoch: it was not removed, and no
    other client has left for it."""
    answer: tuple[int, Mask] | None = None
    """Answer that has not arrived at the client yet: epoch and target."""


class Action(NamedTuple):
    seat: int
    what: str
    variant: int = 0
    """Variant of a heartbeat; 1 comes before the group may be assigned again."""


State: TypeAlias = tuple[int, tuple[Belief, ...]]
"""Number of the group's state, and the state of each client."""


class Search:
    """Breadth-first search.

    `deepen` finds all states that are one action further; `Broken` has the path to a failure.
    """

    def __init__(
        self,
        scope: Scope,
        new_shard: NewShard = real_shard,
        *,
        fencing: str = "assignment-epoch",
        renumbers: bool = True,
    ) -> None:
        self.scope = scope
        self.moves = GroupMoves(scope, new_shard, fencing, renumbers=renumbers)
        self._rules = new_shard, fencing
        self.frontier: list[State] = [(0, tuple(Belief() for _ in scope.seats))]
        self._came_from: dict[State, tuple[State, Action] | None] = {self.frontier[0]: None}
        self.depth = 0
        self.transitions = 0

    @property
    def states(self) -> int:
        return len(self._came_from)

    def deepen(self, goes_on: Callable[[], bool] = lambda: True) -> bool:
        """Search one level deeper; return whether there are more. An interrupted search does not count as a level."""
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
                    self._check_honest_commits(after)
                    yield after
        except Broken as broken:
            what = str(broken).removeprefix(f"{broken.invariant}: ")
            raise Broken(broken.invariant, f"{what}\n{self.describe_path(state, done)}") from broken

    # --- possible actions ---------------------------------------------------------------------------------------------

    def actions(self, state: State) -> Iterator[Action]:
        group, beliefs = state
        for seat, belief in enumerate(beliefs):
            if belief.answer is not None:
                yield Action(seat, "hears")
                yield Action(seat, "misses")
            else:
                for ask, what in self._beats(seat, belief):
                    yield Action(seat, what)
                    if len(self.moves.asked(group, ask)) > 1:
                        yield Action(seat, what, 1)
            if belief.owned & ~belief.told:
                yield Action(seat, "gives up")
            if belief.epoch:
                yield Action(seat, "dies")
                yield Action(seat, "leaves")
            holder = self.moves.member(group, seat, belief.life)
            if self.scope.seats[seat] is not None and holder is not None and holder.member.epoch >= 0:
                yield Action(seat, "is left for now")
        known = self.moves.states[group]
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

    # --- results of actions -------------------------------------------------------------------------------------------

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
                return self._after_request(state, seat, Ask("beat", seat, life, JOINS, 0), variant)
            case "beats":
                return self._after_request(state, seat, _beat(seat, belief.life, belief), variant)
        outcome = self.moves.asked(group, Ask(what, seat, self._life_in(group, seat)))[0]
        beliefs = _moved(beliefs, outcome.moved)
        ends = Belief(belief.life) if what in ("leaves", "is left for now") else beliefs[seat]._replace(stands=False)
        return outcome.group, _replaced(beliefs, seat, ends)

    def _life_in(self, group: int, seat: int) -> int:
        """Return the number of the process that holds a seat; 0 if no process does."""
        return next((life for life in range(LIVES) if self.moves.member(group, seat, life)), 0)

    def _after_request(self, state: State, seat: int, ask: Ask, variant: int) -> State:
        group, beliefs = state
        outcome = self.moves.asked(group, ask)[variant]
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

    def _check_honest_commits(self, state: State) -> None:
        """Check that each client that was not removed may commit its partitions under its epoch."""
        for seat, belief in enumerate(state[1]):
            if not (belief.stands and belief.owned and belief.epoch):
                continue
            found = self.moves.member(state[0], seat, belief.life)
            since, newest = ({}, 0) if found is None else (dict(found.since), found.member.epoch)
            for partition in partitions_in(belief.owned):
                if partition not in since or not 2 * since[partition] <= belief.epoch <= 2 * newest:
                    who = self.scope.member_id(seat, belief.life)
                    raise Broken("NoFalseFence", f"{who} works on {partition}, and may not commit it")

    # --- path to a state ----------------------------------------------------------------------------------------------

    def path_to(self, state: State) -> list[Action]:
        """Return the shortest path to a state."""
        actions: list[Action] = []
        came = self._came_from[state]
        while came is not None:
            state, action = came
            actions.append(action)
            came = self._came_from[state]
        return actions[::-1]

    def describe_path(self, state: State, last: Action | None) -> str:
        """Return a line for each step of a path, with the real epochs."""
        new_shard, fencing = self._rules
        exact = Search(self.scope, new_shard, fencing=fencing, renumbers=False)
        lines: list[str] = []
        at = exact.frontier[0]
        for action in [*self.path_to(state), *([] if last is None else [last])]:
            try:
                at = exact.after(at, action)
                lines.append(exact.told(action, at))
            except Broken:
                lines.append(exact.told(action, None))
        return "\n".join(f"{number:3}. {line}" for number, line in enumerate(lines, 1))

    def told(self, action: Action, after: State | None) -> str:
        who = self.scope.seats[action.seat] or self.scope.member_id(action.seat, 0)
        line = f"{who} {action.what}{', before the group may be assigned anew' if action.variant else ''}"
        known = None if after is None else self.moves.states[after[0]]
        if known is None:
            return line
        members = "; ".join(
            f"{m.member_id}@{m.epoch} has {_text(m.assigned)}" + (f", gives up {_text(m.pending)}" if m.pending else "")
            for m, _ in known.members
        )
        return f"{line:<40} group {known.group_epoch}, target {known.target_epoch}: {members or 'no members'}"


def _beat(seat: int, life: int, belief: Belief) -> Ask:
    """Return the heartbeat of a client. An odd epoch stands for one between two others."""
    return Ask("beat", seat, life, (belief.epoch + 1) // 2, belief.owned if belief.tells else UNTOLD)


def _learned(belief: Belief, epoch: int, assignment: Mask) -> Belief:
    """Return the client's state after an answer. It starts on new partitions when it has revoked the others."""
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


def _replaced(beliefs: tuple[Belief, ...], seat: int, belief: Belief) -> tuple[Belief, ...]:
    return *beliefs[:seat], belief, *beliefs[seat + 1 :]


def _text(epochs: Sequence[tuple[PartitionId, int]]) -> str:
    return ",".join(str(partition) for partition, _ in epochs) or "nothing"
