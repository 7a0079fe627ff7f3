"""Pipelines in virtual time without Spark: no invariant breaks, and each broken rule is found.

One seed gives one life.
"""

import os
import re
import subprocess
import sys
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

import pytest

from tenure.coordinator.groups.commands import CommitOffsets
from tenure.coordinator.groups.shard import GroupsShard
from tenure.coordinator.shard import AskId, CoordinatorResult, Now
from tenure.pipeline.errors import PipelineStopped
from tenure.protocol.special_values import STREAMS
from tenure.protocol.types import GenerationId
from tests.simulation.broken import Broken
from tests.simulation.pipeline_broken_rules import BROKEN_RULES, TO_TOPICS, BreakRule
from tests.simulation.pipelines.life import PipelineLife
from tests.simulation.pipelines.run import PipelineRun
from tests.simulation.run import report, run

pytestmark = pytest.mark.long

FIRST_SEED = 1
LIVES_MAX = 60
"""Maximum number of lives; a test ends earlier, as soon as every event has occurred."""
A_SHORT_LIFE = 4
SEEDS = range(1, 30)
STREAMS_SEEDS = range(1, 9)
ZOMBIE_COMMITS = 11
"""Position of the first seed in whose life a zombie commits before the owner of its task has finished a batch."""
STREAMS_EVENTS = (
    *("make zombie", "commit accepted", "commit refused", "transaction accepted", "pipeline revoked"),
    *("pipeline dropped", "pipeline rolled-forward", "stopped FENCED", "load"),
)
HASTE: Mapping[str, Any] = {"hours": 0.05, "fault_every_ms": 3_000, "longest_ms": 10_000, "seats": 2, "keys": 100}
"""Parameters with which many events occur in a short life, so that a broken rule is found soon."""
IN_STREAMS = {**HASTE, "groups": (STREAMS,)}
"""The same in a streams group, whose tasks are the partitions of the topic."""


@pytest.mark.timeout(900)  # many tests may share the machine
def test_simulated_pipelines__random_faults__exactly_once() -> None:
    result = run(FIRST_SEED, lambda so_far: bool(so_far.lacks), lives_max=LIVES_MAX, kind=PipelineRun)
    told = "\n".join(report(result))
    print(told)
    assert result.failure is None, told
    assert not result.lacks, told


@pytest.mark.timeout(900)
def test_simulated_pipelines__one_streams_group_with_random_faults__exactly_once() -> None:
    did: Counter[str] = Counter()
    for seed in STREAMS_SEEDS:
        life = PipelineLife(seed, given=IN_STREAMS | {"to_topic": bool(seed % 2)})
        life.run()
        did += life.pipelines.trace.did
    lacking = [event for event in STREAMS_EVENTS if not did[event]]
    assert not lacking, dict(did)


@pytest.mark.timeout(900)
def test_broken_rule__commits_of_zombies_in_streams_groups_accepted__violation_is_detected() -> None:
    shard, seeds = AcceptsCommitsOfZombies, (*SEEDS[ZOMBIE_COMMITS:], *SEEDS)
    assert "VisibleOnce" in violated_invariants(
        "VisibleOnce", to_topic=False, shard_class=shard, seeds=seeds, given=IN_STREAMS
    )


class AcceptsCommitsOfZombies(GroupsShard):
    """Broken rule: any commit counts as one of the task's present owner."""

    def handle(self, ask: AskId, command: Any, now: Now) -> CoordinatorResult:
        if isinstance(command, CommitOffsets) and (group := self.streams_group(command.group_id)) is not None:
            partitions = {offset.partition for offset in command.offsets}
            for member in group.members.values():
                if partitions <= {partition for _, partition in member.assigned.active}:
                    who = command.group_id, member.member_id, member.instance_id
                    command = CommitOffsets(*who, GenerationId(member.member_epoch), command.offsets)
                    break
        return super().handle(ask, command, now)


@pytest.mark.timeout(900)
@pytest.mark.parametrize("broken_rule", BROKEN_RULES, ids=lambda broken_rule: broken_rule.__name__)
def test_broken_rule__of_pipelines__violated_invariant_is_named(
    broken_rule: BreakRule, monkeypatch: pytest.MonkeyPatch
) -> None:
    broken_rule(monkeypatch)
    assert BROKEN_RULES[broken_rule] in violated_invariants(
        BROKEN_RULES[broken_rule], to_topic=broken_rule in TO_TOPICS
    )


def violated_invariants(
    wanted: str,
    *,
    to_topic: bool,
    shard_class: type[GroupsShard] = GroupsShard,
    seeds: Sequence[int] = SEEDS,
    given: Mapping[str, Any] = HASTE,
) -> set[str]:
    found: set[str] = set()
    for seed in seeds:
        try:
            PipelineLife(seed, shard_class, given={**given, "to_topic": to_topic}).run()
        except Broken as broken:
            found.add(broken.invariant)
        except PipelineStopped as stopped:  # The engine may notice it first.
            found.add(stopped.code.value)
        if wanted in found:
            break
    return found


def test_simulated_pipelines__same_seed_in_two_processes__same_digest() -> None:
    digests = [digest(hash_seed) for hash_seed in ("1", "2")]
    assert digests[0] == digests[1]


def digest(hash_seed: str) -> str:
    command = [sys.executable, "-m", "tests.simulation.pipelines", "--seed", str(A_SHORT_LIFE)]
    done = subprocess.run(
        command, env=os.environ | {"PYTHONHASHSEED": hash_seed}, capture_output=True, text=True, timeout=200, check=True
    )
    found = re.search(r"^digest ([0-9a-f]{32})$", done.stdout, re.MULTILINE)
    assert found is not None, done.stdout
    return found[1]
