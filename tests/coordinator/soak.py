"""`python -m tests.coordinator.soak`: many commits of owners and of zombies in streams groups."""

import argparse
import sys
import time
from collections import Counter
from collections.abc import Sequence

from tests.coordinator.streams_histories import StreamsHistory
from tests.simulation.broken import Broken

STEPS = 400
COMMITS_PER_STEP = 25
"""Commits after each step of a history."""


def run_histories(zombies: int, first_seed: int = 1) -> tuple[Counter[str], int]:
    """Run histories until `zombies` commits are refused; return the counts and the last seed. Raises `Broken`."""
    did: Counter[str] = Counter()
    seed = first_seed
    while True:
        history = StreamsHistory(seed)
        history.join()
        for _ in range(STEPS):
            history.step()
            for _ in range(COMMITS_PER_STEP):
                history.commit(history.random.choice([*history.clients.values(), *history.gone]))
        history.settle()
        did += history.did
        if did["zombie refused"] >= zombies:
            return did, seed
        seed += 1


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.coordinator.soak", description=__doc__)
    parser.add_argument("--commits", type=int, default=1_000_000, help="of zombies")
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args(arguments)
    began_s = time.process_time()
    try:
        did, last_seed = run_histories(given.commits, given.seed)
    except Broken as broken:
        print(broken)
        return 1
    print(
        f"seeds {given.seed} to {last_seed}: {did['owner accepted']:,} commits of owners of tasks accepted, none "
        f"refused; {did['zombie refused']:,} of zombies refused, none accepted; {did['zombie accepted']:,} of former "
        f"owners whose task nobody has taken since; {did['transactional accepted'] + did['transactional refused']:,} "
        f"of all in transactions; {time.process_time() - began_s:.0f} s of processor time"
    )
    return 0


if __name__ == "__main__":
    sys.exit(main())
