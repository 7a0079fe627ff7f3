"""A bank in virtual time: no invariant breaks, each broken rule is found, and one seed gives one life."""

import os
import re
import subprocess
import sys

import pytest

from tests.simulation.bank.life import BankLife
from tests.simulation.bank.run import BankRun
from tests.simulation.bank_broken_rules import BROKEN_RULES, BreakRule
from tests.simulation.broken import Broken
from tests.simulation.run import report, run

FIRST_SEED = 1
LIVES_MAX = 40
"""Maximum number of lives; a test ends earlier, as soon as every event has occurred."""
A_SHORT_LIFE = 6
FEW_LIVES = 25, 3, 6
"""Seeds of lives that violate the invariants which most lives do not violate."""
SEEDS = (*FEW_LIVES, *range(1, 30))
HASTE = {"hours": 0.05, "fault_every_ms": 3_000, "longest_ms": 10_000, "seats": 3, "session_timeout_ms": 10_000}
"""Parameters with which many events occur in a short life, so that a broken rule is found soon."""


@pytest.mark.long
@pytest.mark.timeout(900)  # many tests may share the machine
def test_bank__random_faults__each_transfer_once() -> None:
    result = run(FIRST_SEED, lambda so_far: bool(so_far.lacks), lives_max=LIVES_MAX, kind=BankRun)
    told = "\n".join(report(result))
    print(told)
    assert result.failure is None, told
    assert not result.lacks, told


@pytest.mark.long
@pytest.mark.timeout(900)
@pytest.mark.parametrize("broken_rule", BROKEN_RULES, ids=lambda broken_rule: broken_rule.__name__)
def test_broken_rule__of_the_bank_or_its_transactions__violated_invariant_is_named(
    broken_rule: BreakRule, monkeypatch: pytest.MonkeyPatch
) -> None:
    invariant, given = BROKEN_RULES[broken_rule]
    broken_rule(monkeypatch)
    assert invariant in violated_invariants(invariant, given)


def violated_invariants(wanted: str, given: dict[str, object]) -> set[str]:
    found: set[str] = set()
    for seed in SEEDS:
        try:
            BankLife(seed, given={**HASTE, **given}).run()
        except Broken as broken:
            found.add(broken.invariant)
        if wanted in found:
            break
    return found


@pytest.mark.long
def test_simulated_bank__same_seed_in_two_processes__same_digest() -> None:
    digests = [digest(hash_seed) for hash_seed in ("1", "2")]
    assert digests[0] == digests[1]


def digest(hash_seed: str) -> str:
    command = [sys.executable, "-m", "tests.simulation.bank", "--seed", str(A_SHORT_LIFE)]
    done = subprocess.run(
        command, env=os.environ | {"PYTHONHASHSEED": hash_seed}, capture_output=True, text=True, timeout=200, check=True
    )
    found = re.search(r"^digest ([0-9a-f]{32})$", done.stdout, re.MULTILINE)
    assert found is not None, done.stdout
    return found[1]
