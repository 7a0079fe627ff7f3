"""`python -m tests.simulation`: see docs/simulation.md."""

import argparse
import sys
import time
from collections.abc import Callable

from tests.simulation.run import Run, report, run

SECONDS: float = 20.0


def main(arguments: list[str] | None = None, kind: type[Run] = Run) -> int:
    parser = argparse.ArgumentParser(prog=kind.command, description=__doc__)
    parser.add_argument("--seed", type=int, help="one life, and its digest")
    parser.add_argument("--first", type=int, default=1, help="the first seed of many (default: 1)")
    parser.add_argument("--seconds", type=float, help=f"go on for so long (default: {SECONDS:g})")
    parser.add_argument("--minutes", type=float, help="go on for so long")
    parser.add_argument("--hours", type=float, help="go on for so many simulated hours")
    given = parser.parse_args(arguments)
    if given.seed is not None:
        result = run(given.seed, lambda _: True, lives_max=1, kind=kind)
        print("\n".join(report(result)))
        print(f"digest {result.digests[0]}")
        return result.failure is not None
    result = run(given.first, _continuation(given), kind=kind)
    print("\n".join(report(result)))
    if result.failure is None and result.lacks:
        print(f"this run did too little: {'; '.join(result.lacks)}. Give it more time.")
    return bool(result.failure is not None or result.lacks)


def _continuation(given: argparse.Namespace) -> Callable[[Run], bool]:
    if given.hours is not None:
        return lambda so_far: bool(so_far.hours < given.hours)
    seconds = given.seconds if given.seconds is not None else 60 * given.minutes if given.minutes else SECONDS
    end_s = time.monotonic() + seconds

    def may_continue(_: Run) -> bool:
        return time.monotonic() < end_s

    return may_continue


if __name__ == "__main__":
    sys.exit(main())
