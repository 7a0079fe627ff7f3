"""Whole clusters in virtual time: no invariant breaks, enough events occur, and one seed gives one life."""

import os
import re
import subprocess
import sys

import pytest

from tests.simulation.run import HOURS_MIN, report, run

FIRST_SEED = 1
HOURS = 1.1 * HOURS_MIN
A_SHORT_LIFE = 3


@pytest.mark.timeout(900)  # twenty seconds of one core; many tests may share it
@pytest.mark.long
def test_lives__hours_of_random_faults__invariants_hold_and_groups_become_stable() -> None:
    result = run(FIRST_SEED, lambda so_far: so_far.hours < HOURS)
    told = "\n".join(report(result))
    print(told)
    assert result.failure is None, told
    assert not result.lacks, told


@pytest.mark.long
def test_simulated_life__same_seed_in_two_processes__same_digest() -> None:
    digests = [digest(hash_seed) for hash_seed in ("1", "2")]
    assert digests[0] == digests[1]


def digest(hash_seed: str) -> str:
    command = [sys.executable, "-m", "tests.simulation", "--seed", str(A_SHORT_LIFE)]
    done = subprocess.run(
        command, env=os.environ | {"PYTHONHASHSEED": hash_seed}, capture_output=True, text=True, timeout=100, check=True
    )
    found = re.search(r"^digest ([0-9a-f]{32})$", done.stdout, re.MULTILINE)
    assert found is not None, done.stdout
    return found[1]


def test_simulated_life__another_seed__another_digest() -> None:
    first, second = run(A_SHORT_LIFE, lambda _: True, lives_max=2).digests
    assert first != second
