"""A join that leads to nothing is decided without a copy of its group: it must not be decided differently."""

from typing import Any

import pytest

from tenure.coordinator.groups.classic import join
from tenure.coordinator.groups.commands import JoinGroup
from tenure.coordinator.shard import AskId, Now, Step
from tests.coordinator.histories import History
from tests.coordinator.world import WatchedShard

STEPS = 500
SEEDS = range(200, 204)
JOINS_MIN = 100


@pytest.mark.parametrize("seed", SEEDS)
def test_join__others_are_waited_for__the_same_step_as_with_a_copy(seed: int) -> None:
    decided = {True: 0, False: 0}

    class DecidesTwice(WatchedShard):
        def handle(self, ask: AskId, command: Any, now: Now) -> Step:
            if not isinstance(command, JoinGroup):
                return super().handle(ask, command, now)
            drawn = self._groups.random_bytes(16)
            self._groups.random_bytes, source = (lambda _: drawn), self._groups.random_bytes
            step = super().handle(ask, command, now)
            with pytest.MonkeyPatch.context() as patched:
                patched.setattr(join, "_leaves_all_as_it_is", lambda *_: False)
                assert super().handle(ask, command, now) == step
            self._groups.random_bytes = source
            group = self._groups.classic.get(command.group_id)
            decided[group is not None and join._leaves_all_as_it_is(group, command)] += 1
            return step

    history = History(seed, DecidesTwice)
    for _ in range(STEPS):
        history.step()
    assert min(decided.values()) > JOINS_MIN // 4, f"{history.drawn} did too little: {decided}"
    assert sum(decided.values()) > JOINS_MIN, f"{history.drawn} did too little: {decided}"
