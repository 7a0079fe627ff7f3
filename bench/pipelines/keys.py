"""Updated keys per second of a count per key with 100,000 keys; each side writes its output to Parquet.

Every batch has every key once, so a batch of 100,000 records is 100,000 updates. The first batches bring all keys into
the state and compile the code; only the batches after them count.
"""

from __future__ import annotations

from bisect import bisect_left
from itertools import accumulate
from pathlib import Path
from typing import NamedTuple

from bench.brokers import Broker, tenure
from bench.figures import Figure, Sample
from bench.pipelines.application import application
from bench.records import fill

KEYS = 100_000
PARTITIONS = 4
TIMES_TRANSFORM_WITH_STATE_MIN = 20.0
TIMES_GROUP_BY_MIN = 2.0


class Side(NamedTuple):
    module: str
    what: str
    batches: int
    warm: int
    """Number of first batches that are not counted."""
    operator: str = ""

    @property
    def topic(self) -> str:
        return f"keys-{self.operator or self.module}"


OURS = Side("ours", "ours", 24, 4)
GROUP_BY = Side("theirs", "groupBy().count()", 12, 4, "groupBy")
TRANSFORM_WITH_STATE = Side("theirs", "transformWithState", 4, 2, "transformWithState")
SHORT_BATCHES = 2
"""Number of batches that are counted in a short run."""
PEERS = ((TRANSFORM_WITH_STATE, TIMES_TRANSFORM_WITH_STATE_MIN), (GROUP_BY, TIMES_GROUP_BY_MIN))


def measure(directory: Path, quick: bool) -> list[Figure]:
    keys, rounds, peers = (2_000, 1, PEERS[:1]) if quick else (KEYS, 3, PEERS)
    found: dict[Side, list[float]] = {side: [] for side in (OURS, *(peer for peer, _ in peers))}
    with tenure(directory / "broker", group_initial_rebalance_delay_ms="0") as broker:
        for side in found:
            topic_of(broker, side.topic, keys, side.warm + SHORT_BATCHES if quick else side.batches)
        for number in range(rounds):
            for side, rates in found.items():
                rates.append(updates_per_s(broker, directory / f"{side.topic}-{number}", side, keys, quick))
    ours = found[OURS]
    left_out = [f"a short run leaves {side.what} out" for side, _ in PEERS[len(peers) :]]
    figures = [Figure(f"count per key, {keys} keys", "updates/s", Sample.of(ours), remarks=left_out)]
    for side, at_least in peers:
        ratios = Sample.of([own / peer for own, peer in zip(ours, found[side], strict=True)])
        figures.append(
            Figure(f"... times {side.what}", "x", ratios, at_least, peer=side.what, theirs=Sample.of(found[side]))
        )
    return figures


def topic_of(broker: Broker, topic: str, keys: int, times: int) -> None:
    """Write all keys to a topic, `times` times in the same order; one batch per partition and time."""
    each = keys // PARTITIONS
    count = fill(broker, topic, PARTITIONS, keys * times, per_batch=each, value=b"1", keys_per_partition=each)
    assert count == keys * times


def updates_per_s(broker: Broker, scratch: Path, side: Side, keys: int, quick: bool) -> float:
    with application(side.module, scratch, quick=quick, address=broker.address) as measured:
        how = {"operator": side.operator} if side.operator else {}
        found = measured.ask("counted", topic=side.topic, max_records=keys, **how)
    return rate_behind(found["published"], keys * side.warm)


def rate_behind(published: list[tuple[float, int]], warm: int) -> float:
    """Return records per second after the first `warm` bundles; `published` has time and records of each bundle."""
    seen = list(accumulate(records for _, records in published))
    first = bisect_left(seen, warm)
    return (seen[-1] - seen[first]) / (published[-1][0] - published[first][0])
