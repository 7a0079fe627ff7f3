"""Take-over of a lane with 1 GB of state by a standby lane on another host: from the end of the owner to the commit.

Both applications run Spark and are members of one streams group; the second has a standby task. Each has a temporary
directory of its own, so what one host has copied is unknown to the other. The clock begins when the owner has left the
group, and ends with the first commit of the other one. It includes the standby's next heartbeat: the interval is set to
100 ms, Kafka's default is 5 s. A member that is killed leaves at the end of its session instead. Both brokers are
measured, because the broker decides who gets the lane.
"""

from __future__ import annotations

import time
from pathlib import Path

from bench.brokers import Broker, create_topic, kafka, tenure
from bench.figures import Figure, Sample
from bench.pipelines.application import Application, application
from bench.pipelines.restart import KEYS, TOPIC, produce, state_bytes

TAKEOVER_S_MAX = 1.0
PATIENCE_S = 300.0
LOOK_S = 0.05
SETTINGS = {
    "group_streams_min_heartbeat_interval_ms": "100",
    "group_streams_heartbeat_interval_ms": "100",
    "group_streams_initial_rebalance_delay_ms": "0",
    "group_streams_assignment_interval_ms": "0",
    "group_streams_num_standby_replicas": "1",
}


def measure(directory: Path, quick: bool) -> list[Figure]:
    rounds, keys = (1, 20_000) if quick else (5, KEYS)
    with tenure(directory / "broker", **SETTINGS) as broker:
        size, ours = take_overs(broker, directory / "tenure", rounds, keys)
    with kafka(directory / "kafka", quick, **SETTINGS) as broker:
        _, on_kafka = take_overs(broker, directory / "on-kafka", rounds, keys)
    what = f"take-over of {size / 1e9:.2g} GB of state by a standby lane, until the first commit"
    return [
        Figure(what, "s", Sample.of(ours), TAKEOVER_S_MAX, less_is_better=True),
        Figure("... with Apache Kafka as the broker", "s", Sample.of(on_kafka), TAKEOVER_S_MAX, less_is_better=True),
    ]


def take_overs(broker: Broker, directory: Path, rounds: int, keys: int) -> tuple[int, list[float]]:
    """Return the bytes of the state, and the seconds of each take-over. The two hosts take turns."""
    scratch = directory / "run"
    hosts = [directory / f"host-{number}" for number in range(2)]
    taken: list[float] = []
    directory.mkdir()
    create_topic(broker, TOPIC, 1)
    produce(broker, range(keys))
    with application("ours", scratch, address=broker.address, temporary=str(hosts[0])) as first:
        first.ask("joined", topic=TOPIC, function="keep", tasks=1, max_records=keys // 4)
        wait_for_commits(first, 4)
        size = state_bytes(scratch)
        with application("ours", scratch, address=broker.address, temporary=str(hosts[1])) as second:
            owner, standby = (first, hosts[0]), (second, hosts[1])
            for _ in range(rounds):
                standby[0].ask("run_python")
                standby[0].ask("joined", topic=TOPIC, function="keep", tasks=1)
                wait_for_copies(standby[1], size)
                left_s = owner[0].ask("left", topic=TOPIC)
                produce(broker, range(1))
                taken.append(wait_for_commits(standby[0], 1)[0] - left_s)
                owner, standby = standby, owner
    return size, taken


def wait_for_commits(of: Application, count: int) -> list[float]:
    """Return the times of the commits of an application once there are `count`."""
    end_s = time.monotonic() + PATIENCE_S
    while len(times := of.ask("commits")) < count:
        if time.monotonic() > end_s:
            raise TimeoutError(f"{len(times)} commits within {PATIENCE_S:g} s, of {count}: {of.end_of_log}")
        time.sleep(LOOK_S)
    return list(times)


def wait_for_copies(host: Path, size: int) -> None:
    """Wait until a host has copies of the whole state; they are not compressed."""
    end_s = time.monotonic() + PATIENCE_S
    while sum(path.stat().st_size for path in host.rglob("tenure-state-*/*/*.arrow")) < size:
        if time.monotonic() > end_s:
            raise TimeoutError(f"no complete copies in {host} within {PATIENCE_S:g} s")
        time.sleep(LOOK_S)
