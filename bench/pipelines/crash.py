"""Time from `kill -9` of an application with 100,000 keys until its successor has committed a batch.

Both sides process batches of 10,000 records until all keys are in their state. Then they are killed in the middle of
their work, with JVM and Python workers. The successor's clock begins when its Spark session is ready. Rebalances are
counted in the log of `__consumer_offsets`.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from bench.brokers import Broker, tenure
from bench.figures import Figure, Sample
from bench.pipelines.application import application
from bench.pipelines.keys import KEYS, topic_of
from tenure.protocol.coordinator_logs.consumer_offsets import ConsumerGroupMetadataValue, GroupMetadataValue
from tests.consumer_offsets import history

TIMES_TRANSFORM_WITH_STATE_MIN = 3.0
BATCHES_PER_ROUND_OF_KEYS = 10
TOPIC = "crashed"


def measure(directory: Path, quick: bool) -> list[Figure]:
    rounds, keys = (1, 8_000) if quick else (3, KEYS)
    ours: list[float] = []
    theirs: list[float] = []
    rebalances: list[float] = []
    with tenure(directory / "broker", group_initial_rebalance_delay_ms="0") as broker:
        topic_of(broker, TOPIC, keys, times=10)
        for number in range(rounds):
            scratch = directory / f"run-{number}"
            recovered_s, moves = ours_s(broker, scratch, keys)
            ours.append(recovered_s)
            rebalances.append(float(moves))
            if not quick:
                theirs.append(theirs_s(broker, scratch, keys))
    what = f"crash until the same instance has committed a batch, {keys} keys"
    recovered = Figure(what, "s", Sample.of(ours), less_is_better=True)
    moved = Figure("... rebalances", "", Sample.of(rebalances), 0.0, less_is_better=True)
    if not theirs:
        recovered.remarks.append("a short run leaves transformWithState out")
        return [recovered, moved]
    ratios = [other / own for own, other in zip(ours, theirs, strict=True)]
    return [
        replace(recovered, peer="transformWithState", theirs=Sample.of(theirs)),
        Figure("... times faster", "x", Sample.of(ratios), TIMES_TRANSFORM_WITH_STATE_MIN),
        moved,
    ]


def ours_s(broker: Broker, scratch: Path, keys: int) -> tuple[float, int]:
    """Return the seconds, and the number of rebalances since the kill."""
    how = {"topic": TOPIC, "max_records": keys // BATCHES_PER_ROUND_OF_KEYS}
    with application("ours", scratch, address=broker.address) as killed:
        group = killed.ask("followed", **how, records=keys * 6 // 5)["group"]
        killed.kill()
    before = epochs(broker, group)
    with application("ours", scratch, address=broker.address) as successor:
        found = successor.ask("followed", **how, records=1)
        successor.kill()
    return found["seconds"], len(epochs(broker, group) - before)


def epochs(broker: Broker, group: str) -> set[int]:
    values = [value for _, value in history(broker.host, broker.port, group)]
    classic = {value.generation for value in values if isinstance(value, GroupMetadataValue)}
    return classic | {value.epoch for value in values if isinstance(value, ConsumerGroupMetadataValue)}


def theirs_s(broker: Broker, scratch: Path, keys: int) -> float:
    how = {"topic": TOPIC, "operator": "transformWithState", "max_records": keys // BATCHES_PER_ROUND_OF_KEYS}
    with application("theirs", scratch, address=broker.address) as killed:
        killed.ask("followed", **how, records=keys * 6 // 5)
        killed.kill()
    with application("theirs", scratch, address=broker.address) as successor:
        seconds: float = successor.ask("followed", **how, records=1)["seconds"]
        successor.kill()
    return seconds
