"""All attacks, with the measurements of the probe as a table.

    python -m tests.adversary                     all of them
    python -m tests.adversary --quick             without those that take long
    python -m tests.adversary --only produce      those whose name contains `produce`
    python -m tests.adversary --list              their names
    python -m tests.adversary --only login                1 M mutated frames before authentication, and other attacks
    python -m tests.adversary --only memory-limits        brokers with decreasing `ulimit -v`
    python -m tests.adversary --only failing-allocations  brokers in which one allocation after the other fails

The bounds for heartbeats (p99 below 100 ms, maximum below 1 s) apply on a machine that does nothing else.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager, ExitStack
from pathlib import Path

from tests.adversary.attacks import ATTACKS
from tests.adversary.failing_allocations import main as run_failing_allocations
from tests.adversary.generated import generated_attacks
from tests.adversary.login_attacks import FRAMES as LOGIN_FRAMES
from tests.adversary.login_attacks import SECURITY, login_arena, login_attacks
from tests.adversary.memory_limits import main as run_memory_limits
from tests.adversary.mutated import FRAMES, mutated_frames
from tests.adversary.trial import MB, Arena, Attack, Outcome, arena

HEADINGS = f"{'attack':50} {'finding':>8} {'s':>6} {'p99 ms':>8} {'max ms':>8} {'MB':>5} {'log kB':>7}  ending"


def main() -> int:
    parser = argparse.ArgumentParser(
        prog="python -m tests.adversary", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--only", metavar="NAME", default="", help="attacks whose name contains NAME")
    parser.add_argument("--list", action="store_true", help="print names and descriptions")
    parser.add_argument("--quick", action="store_true", help="skip attacks that take long")
    parser.add_argument("--frames", type=int, default=FRAMES, help="number of mutated frames [default: %(default)s]")
    parser.add_argument(
        "--login-frames", type=int, default=LOGIN_FRAMES, help="the same before authentication [default: %(default)s]"
    )
    parser.add_argument("--seed", type=int, default=1, help="seed of the mutated frames [default: %(default)s]")
    given = parser.parse_args()
    logins = login_attacks(given.seed, given.login_frames)
    every = [*ATTACKS, mutated_frames(given.seed, given.frames), *generated_attacks(), *logins]
    chosen = [each for each in every if given.only in each.name and not (given.quick and each.is_large)]
    if given.list:
        for each in chosen:
            print(f"{each.name:50} {each.description}")
        return 0
    print(HEADINGS)
    with tempfile.TemporaryDirectory() as name:
        outcomes = list(run(chosen, Path(name)))
        failed, slow = sum(bool(each.failures) for each in outcomes), sum(each.is_slow for each in outcomes)
        if given.only in "memory-limits":
            failed += run_memory_limits(Path(name))
        if given.only in "failing-allocations":
            failed += run_failing_allocations(Path(name))
    print(f"{len(outcomes)} attacks, {failed} failed, {slow} slow")
    return int(failed or slow)


def run(attacks: Sequence[Attack], directory: Path) -> Iterator[Outcome]:
    """Run the attacks, print a row for each, and yield the outcomes."""
    with ExitStack() as open_arena:
        stage = None
        for number, attack in enumerate(attacks):
            if stage is None or not attack.shares_broker:
                open_arena.close()
                stage = open_arena.enter_context(_arena_of(attack, directory / str(number)))
            outcome = stage.stage(attack)
            print(row(attack, outcome), flush=True)
            for failure in outcome.failures:
                print(f"    FAILED: {failure}", flush=True)
                stage = None
            yield outcome


def _arena_of(attack: Attack, directory: Path) -> AbstractContextManager[Arena]:
    return login_arena(directory) if attack.finding == SECURITY else arena(directory, *attack.settings)


def row(attack: Attack, outcome: Outcome) -> str:
    probe = outcome.probe
    return (
        f"{attack.name:50} {attack.finding:>8} {outcome.seconds:6.1f} {probe.p99_ms:8.1f} {probe.max_ms:8.1f}"
        f" {outcome.memory_bytes / MB:5.0f} {outcome.log_bytes / 1_000:7.0f}  {outcome.ending}"
        f"{'  SLOW' if outcome.is_slow else ''}"
    )


if __name__ == "__main__":
    sys.exit(main())
