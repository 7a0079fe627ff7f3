"""Brokers that are measured: ours as `tenure serve`, Apache Kafka from its jars, with the same settings."""

from __future__ import annotations

import contextlib
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Protocol

from tenure.protocol.messages import (
    CreatableTopic,
    CreateTopicsRequest,
    FindCoordinatorRequest,
    MetadataRequest,
    MetadataRequestTopic,
    OffsetFetchRequest,
    OffsetFetchRequestGroup,
)
from tenure.protocol.types import GroupId, TopicName
from tests.apache_kafka import ApacheKafka, apache_kafka, quick_jvm
from tests.serving import Serving, serving
from tests.wire import Wire

SETTLED_S = 30.0
SETTINGS = {"offsets.topic.num.partitions": "1", "group.initial.rebalance.delay.ms": "2000"}
"""One partition of `__consumer_offsets`, and a delay in which a thousand members join one generation."""


class Broker(Protocol):
    @property
    def host(self) -> str: ...
    @property
    def port(self) -> int: ...
    @property
    def address(self) -> str: ...


@contextlib.contextmanager
def tenure(
    directory: Path, python: str | Path = sys.executable, metrics: str = "", **settings: str
) -> Iterator[Broker]:
    """Start Tenure.

    `settings` are keys with underscores for dots, `python` is the environment of Tenure, and `metrics` is the address
    of its metrics, if it has any.
    """
    chosen = SETTINGS | {key.replace("_", "."): value for key, value in settings.items()}
    directory.mkdir(parents=True, exist_ok=True)
    arguments = [f"{key}={value}" for key, value in chosen.items()]
    options = ("--metrics", metrics) if metrics else ()
    with serving(directory, *arguments, options=options, python=python) as broker:
        settle(broker)
        yield broker


@contextlib.contextmanager
def kafka(directory: Path, quick: bool, **settings: str) -> Iterator[Broker]:
    """Start Apache Kafka with Java's defaults; in a short run, with those that start sooner."""
    chosen = SETTINGS | {key.replace("_", "."): value for key, value in settings.items()}
    with apache_kafka(directory, settings=chosen, options=java_options(quick)) as broker:
        settle(broker)
        yield broker


def java_options(quick: bool) -> tuple[str, ...]:
    """Return the options of Java processes."""
    return quick_jvm() if quick else ()


def pid_of(broker: Broker) -> int:
    assert isinstance(broker, Serving | ApacheKafka)
    return broker.pid if isinstance(broker, Serving) else broker.process.pid


def settle(broker: Broker) -> None:
    """Wait until the broker's coordinator answers."""
    deadline = time.monotonic() + SETTLED_S
    with Wire(broker.host, broker.port) as wire:
        while wire.ask(FindCoordinatorRequest(key_type=0, coordinator_keys=["any"]), 4).coordinators[0].error_code:
            wait(deadline, "FindCoordinator")
        group = OffsetFetchRequestGroup(group_id=GroupId("any"), topics=[])
        while wire.ask(OffsetFetchRequest(groups=[group]), 9).groups[0].error_code:
            wait(deadline, "OffsetFetch")


def create_topic(broker: Broker, name: str, partitions: int) -> None:
    deadline = time.monotonic() + SETTLED_S
    with Wire(broker.host, broker.port) as wire:
        topic = CreatableTopic(name=TopicName(name), num_partitions=partitions, replication_factor=1)
        error_code = wire.ask(CreateTopicsRequest(topics=[topic], timeout_ms=10_000), 5).topics[0].error_code
        assert error_code == 0, f"topic {name}: error {error_code}"
        asked = MetadataRequest(topics=[MetadataRequestTopic(name=TopicName(name))], allow_auto_topic_creation=False)
        while wire.ask(asked, 9).topics[0].error_code:
            wait(deadline, "Metadata")


def wait(deadline: float, what: str) -> None:
    if time.monotonic() > deadline:
        raise TimeoutError(f"{what} was refused for {SETTLED_S:.0f} s")
    time.sleep(0.05)
