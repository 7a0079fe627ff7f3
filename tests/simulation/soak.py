"""`python -m tests.simulation.soak`: the exhaustive search and the commits of `fences.py`, at full length."""

import argparse
import sys
import time
from collections.abc import Sequence
from random import Random

from tenure.protocol.types import InstanceId
from tenure.simulation.commit_history import HistoryParameters, play
from tenure.simulation.fences import Verdict, judge
from tenure.simulation.holders import CommitKind
from tests.simulation.broken import Broken
from tests.simulation.exhaustive import Search
from tests.simulation.group_moves import Scope


def busy(seed: int) -> HistoryParameters:
    """Return a group that is rarely stable, with as many late commits as possible."""
    random = Random(seed)
    return HistoryParameters(
        members=random.randint(2, 8),
        partitions=random.randint(1, 16),
        rebalances=60,
        seed=seed,
        heartbeat_delay_ms=random.choice((20, 200, 1_000)),
        rebalance_interval_ms=random.choice((1_000, 3_000, 10_000)),
        commit_interval_ms=25,
        late_commits=0.8,
        late_by_ms=random.choice((10_000, 60_000)),
        foreign_commits=0.01,
    )


class TooLittle(Exception):
    """The run had too few events to prove anything."""


def judge_policy(
    commits: int, policy: str = "assignment-epoch", first_seed: int = 1, histories_max: int = 2_000
) -> tuple[Verdict, int]:
    """Check commits of honest members and zombies over many histories; return the verdict and the last seed.

    Seeds are consecutive. Stops after the first history with a wrong verdict.
    """
    verdict = Verdict(policy)
    for seed in range(first_seed, first_seed + histories_max):
        judge(play(busy(seed)), policy, verdict)
        if verdict.wrong or (verdict.honest >= commits and verdict.zombies >= commits):
            return verdict, seed
    raise TooLittle(f"{histories_max} histories have {verdict.honest} honest commits and {verdict.zombies} of zombies")


def scope(members: int, partitions: int) -> Scope:
    """Return the scope of a search: the first seat is static, the others are dynamic."""
    return Scope([InstanceId("seat"), *[None] * (members - 1)], partitions)


def search(members: int, partitions: int, seconds: float | None) -> int:
    """Search until no state is left, or for `seconds` of processor time."""
    found = Search(scope(members, partitions))
    began_s = time.process_time()
    print(f"{members} members, {partitions} partitions")
    try:
        while found.deepen(lambda: seconds is None or time.process_time() - began_s < seconds):
            if seconds is not None and time.process_time() - began_s >= seconds:
                break
            print(f"  depth {found.depth}: {found.states:,} states", flush=True)
    except Broken as broken:
        print(broken)
        return 1
    is_closed = not found.frontier
    print(
        f"  {'closed: nothing is further away than' if is_closed else 'complete up to'} depth {found.depth}; "
        f"{found.states:,} states, {len(found.moves.states):,} of the group alone; {found.transitions:,} transitions, "
        f"{found.moves.commits:,} commits judged; {time.process_time() - began_s:.0f} s of processor time"
    )
    return 0


def commits(wanted: int, first_seed: int) -> int:
    began_s = time.process_time()
    verdict, last_seed = judge_policy(wanted, first_seed=first_seed)
    accepted, refused = verdict.accepted, verdict.refused
    print(
        f"seeds {first_seed} to {last_seed}: {accepted[CommitKind.HONEST]:,} honest commits accepted, "
        f"{refused[CommitKind.HONEST]:,} refused; "
        f"{refused[CommitKind.TAKEN] + refused[CommitKind.GONE]:,} commits of zombies refused "
        f"({refused[CommitKind.TAKEN]:,} of them by epoch, the others because their member was gone), "
        f"{accepted[CommitKind.TAKEN] + accepted[CommitKind.GONE]:,} accepted; "
        f"{refused[CommitKind.FOREIGN]:,} of foreign partitions refused, "
        f"{accepted[CommitKind.FOREIGN]:,} accepted; {time.process_time() - began_s:.0f} s of processor time"
    )
    for wrong in verdict.wrong:
        print(f"seed {last_seed}, {wrong.kind.value}: {wrong}")
    return bool(verdict.wrong)


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.simulation.soak", description=__doc__)
    parser.add_argument("what", choices=("search", "commits"))
    parser.add_argument("--members", type=int, default=2)
    parser.add_argument("--partitions", type=int, default=2)
    parser.add_argument("--seconds", type=float, help="of processor time; without it, the search goes on to the end")
    parser.add_argument("--commits", type=int, default=1_000_000, help="honest ones, and as many of zombies")
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args(arguments)
    if given.what == "search":
        return search(given.members, given.partitions, given.seconds)
    return commits(given.commits, given.seed)


if __name__ == "__main__":
    sys.exit(main())
