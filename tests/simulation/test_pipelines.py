"""Pipelines in virtual time without Spark: no invariant breaks, and each broken rule is found.

One seed gives one life.
"""

import os
import re
import subprocess
import sys

import pytest

from tenure.pipeline.errors import PipelineStopped
from tests.simulation.invariants import Broken
from tests.simulation.pipeline_canaries import CANARIES, TO_TOPICS, Canary
from tests.simulation.pipelines.life import PipelineLife
from tests.simulation.pipelines.run import PipelineRun
from tests.simulation.run import report, run

pytestmark = pytest.mark.long

FIRST_SEED = 1
LIVES_MAX = 60
"""Maximum number of lives; a test ends earlier, as soon as every event has occurred."""
A_SHORT_LIFE = 4
SEEDS = range(1, 30)
HASTE = {"hours": 0.05, "fault_every_ms": 3_000, "longest_ms": 10_000, "seats": 2, "keys": 100}
"""Weights for many events in a short life, because these lives must fail early."""


@pytest.mark.timeout(900)  # many tests may share the machine
def test_pipelines__random_faults__exactly_once() -> None:
    result = run(FIRST_SEED, lambda so_far: bool(so_far.lacks), lives_max=LIVES_MAX, kind=PipelineRun)
    told = "\n".join(report(result))
    print(told)
    assert result.failure is None, told
    assert not result.lacks, told


@pytest.mark.timeout(900)
@pytest.mark.parametrize("canary", CANARIES, ids=lambda canary: canary.__name__)
def test_canary__one_broken_rule__detected_by_name(canary: Canary, monkeypatch: pytest.MonkeyPatch) -> None:
    canary(monkeypatch)
    assert CANARIES[canary] in caught(CANARIES[canary], to_topic=canary in TO_TOPICS)


def caught(wanted: str, *, to_topic: bool) -> set[str]:
    found: set[str] = set()
    for seed in SEEDS:
        try:
            PipelineLife(seed, given={**HASTE, "to_topic": to_topic}).run()
        except Broken as broken:
            found.add(broken.invariant)
        except PipelineStopped as stopped:  # The engine may notice it first.
            found.add(stopped.code.value)
        if wanted in found:
            break
    return found


def test_run__same_seed_in_two_processes__same_digest() -> None:
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
