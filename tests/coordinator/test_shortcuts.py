"""Shortcuts for frequent commands, compared with the full rules on each command of random histories."""

from collections import Counter
from collections.abc import Callable
from types import ModuleType
from typing import Any

import pytest

from tenure.coordinator.groups.classic import join
from tenure.coordinator.groups.commands import ConsumerHeartbeat, JoinGroup, StreamsHeartbeat
from tenure.coordinator.groups.consumer import heartbeat, progress
from tenure.coordinator.groups.streams import heartbeat as streams_heartbeat
from tenure.coordinator.shard import AskId, CoordinatorResult, Now
from tests.coordinator.consumer_histories import ConsumerHistory
from tests.coordinator.histories import History
from tests.coordinator.streams_histories import StreamsHistory
from tests.coordinator.virtual_host import WatchedShard
from tests.quick import quick_first

STEPS = 500
SEEDS = quick_first(range(200, 204))
EACH_MIN = 10
"""Minimum number of commands that a shortcut decides, and that it leaves to the full rules."""


def deciding_twice(
    command_class: type, module: ModuleType, shortcut: str, is_taken: Callable[[object], bool], decided: Counter[bool]
) -> type[WatchedShard]:
    """Return a shard that handles each command a second time without the shortcut, and compares the results."""

    class DecidesTwice(WatchedShard):
        def handle(self, ask: AskId, command: Any, now: Now) -> CoordinatorResult:
            if not isinstance(command, command_class):
                return super().handle(ask, command, now)
            drawn = self._groups.random_bytes(16)
            self._groups.random_bytes, source = (lambda _: drawn), self._groups.random_bytes
            taken: list[object] = []
            take = getattr(module, shortcut)
            with pytest.MonkeyPatch.context() as patched:
                patched.setattr(module, shortcut, lambda *asked: taken.append(take(*asked)) or taken[-1])
                result = super().handle(ask, command, now)
                patched.setattr(module, shortcut, lambda *_: None)
                assert plain(super().handle(ask, command, now)) == plain(result)
            self._groups.random_bytes = source
            decided[any(map(is_taken, taken))] += 1
            return result

    return DecidesTwice


def plain(result: CoordinatorResult) -> tuple[list[object], ...]:
    return list(result.records), list(result.replies), list(result.effects)


@pytest.mark.parametrize("seed", SEEDS)
def test_shortcut_of_join__join_that_changes_nothing__same_result_as_the_full_rule(seed: int) -> None:
    decided: Counter[bool] = Counter()
    history = History(seed, deciding_twice(JoinGroup, join, "_needs_no_copy", bool, decided))
    for _ in range(STEPS):
        history.step()
    assert min(decided[True], decided[False]) >= EACH_MIN, f"{history.drawn} did too little: {decided}"


@pytest.mark.parametrize("seed", SEEDS)
def test_shortcut_of_heartbeat__nothing_changed__same_result_as_the_full_rule(seed: int) -> None:
    decided: Counter[bool] = Counter()
    taken: Callable[[object], bool] = lambda result: result is not None  # noqa: E731
    history = ConsumerHistory(
        seed, deciding_twice(ConsumerHeartbeat, heartbeat, "answer_unchanged_heartbeat", taken, decided)
    )
    for _ in range(STEPS):
        history.step()
    assert min(decided[True], decided[False]) >= EACH_MIN, f"{history.drawn} did too little: {decided}"


@pytest.mark.parametrize("seed", SEEDS)
def test_shortcut_of_streams_heartbeat__nothing_changed__same_result_as_the_full_rule(seed: int) -> None:
    decided: Counter[bool] = Counter()
    taken: Callable[[object], bool] = lambda result: result is not None  # noqa: E731
    shard = deciding_twice(StreamsHeartbeat, streams_heartbeat, "answer_unchanged_heartbeat", taken, decided)
    history = StreamsHistory(seed, shard)
    for _ in range(2 * STEPS):
        history.step()
    assert min(decided[True], decided[False]) >= EACH_MIN, f"seed {seed} did too little: {decided}"


@pytest.mark.parametrize("seed", SEEDS)
def test_shortcut_of_heartbeat__new_member_with_a_known_subscription__same_result_as_the_full_rule(seed: int) -> None:
    decided: Counter[bool] = Counter()
    history = ConsumerHistory(seed, deciding_twice(ConsumerHeartbeat, progress, "known_hash", bool, decided))
    for _ in range(STEPS):
        history.step()
    assert min(decided[True], decided[False]) > 0, f"{history.drawn} did too little: {decided}"
