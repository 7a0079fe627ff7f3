"""`tenure move` from Tenure to Apache Kafka and back, beside consuming from one side and producing to the other.

librdkafka consumes and produces the same records, each in a process of its own; the slower one limits a move. The move
is a process of its own, too: from the creation of the topic at the target to the commit of its last progress.
"""

from __future__ import annotations

import contextlib
import subprocess
import sys
from pathlib import Path

from bench.brokers import Broker, create_topic
from bench.data_path import KINDS, PARTITIONS, RECORDS, Kind
from bench.figures import Figure, Sample
from bench.librdkafka import client
from bench.sides import OURS, PEER, brokers

NAMES = {OURS: "Tenure", PEER: "Apache Kafka"}
ROUNDS, QUICK_ROUNDS = range(4), range(1, 2)
"""Round 0 is dropped: Java's code is not compiled yet. The run takes about three minutes on a quiet machine."""
TIMES_SLOWER_MIN = 0.8
"""Multiple of the slower of consuming from the source and producing to the target (issue 20)."""


def measure(directory: Path, quick: bool) -> list[Figure]:
    rounds, records = (QUICK_ROUNDS, RECORDS // 10) if quick else (ROUNDS, RECORDS)
    figures: list[Figure] = []
    with contextlib.ExitStack() as running:
        sides = running.enter_context(brokers(directory, quick))
        for source, target in ((OURS, PEER), (PEER, OURS)):
            for kind in KINDS:
                figures += compared(sides, source, target, kind, int(records * kind.part), rounds)
    return figures


def compared(
    sides: dict[str, Broker], source: str, target: str, kind: Kind, records: int, rounds: range
) -> list[Figure]:
    moved: list[float] = []
    slower: list[float] = []
    for number in rounds:
        topic = f"moved-{source}-{kind.value_bytes}-{number}".replace(" ", "-")
        create_topic(sides[source], topic, PARTITIONS)
        client("produce", sides[source].address, topic, PARTITIONS, records, kind.value_bytes)
        consumed = client("consume", sides[source].address, topic, PARTITIONS, records, kind.value_bytes)
        create_topic(sides[target], f"{topic}-produced", PARTITIONS)
        produced = client("produce", sides[target].address, f"{topic}-produced", PARTITIONS, records, kind.value_bytes)
        seconds = in_fresh_process(sides[source].address, sides[target].address, topic)
        if number:
            moved.append(records / seconds)
            slower.append(records / max(consumed, produced))
    what = f"moved from {NAMES[source]} to {NAMES[target]}, {kind.what}"
    ratios = [one / other for one, other in zip(moved, slower, strict=True)]
    return [
        Figure(what, "records/s", Sample.of(moved), peer="slower of consuming and producing", theirs=Sample.of(slower)),
        Figure("... times the slower one", "x", Sample.of(ratios), TIMES_SLOWER_MIN),
    ]


def in_fresh_process(source: str, target: str, topic: str) -> float:
    command = [sys.executable, "-m", "bench.move", source, target, topic]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return float(done.stdout)


def main(source: str, target: str, topic: str) -> None:
    from tenure.client.net.event_loop import run
    from tenure.move.cluster_move import ClusterMove
    from tenure.move.options import MoveOptions

    move = ClusterMove(MoveOptions(source, target, topics=[topic], groups=(), watch_s=0), quiet=True)
    plan = run(move.plan())
    run(move.begin(plan))
    run(move.run_pass(plan))
    print(move.totals.seconds)
    move.close()


if __name__ == "__main__":
    main(*sys.argv[1:])
