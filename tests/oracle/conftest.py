"""Brokers that are compared: Apache Kafka from its jars, and `tenure serve`. Each kind is started once per module.

An idle Apache Kafka uses as much processor time in a minute as a start, so it is stopped after the module.

There are two pairs. The ordinary pair starts rebalances at once and allows short sessions. The *strict* pair has an
initial delay, a limit on the size of groups, a short retention, and short sessions of consumer groups. A few rules need
these settings, which would disturb all other scenarios.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator

import pytest

from tenure.protocol.messages import (
    CreatableTopic,
    CreateTopicsRequest,
    FindCoordinatorRequest,
    InitProducerIdRequest,
    OffsetFetchRequest,
    OffsetFetchRequestGroup,
)
from tests.apache_kafka import Unavailable, apache_kafka, library, program
from tests.oracle.classic_requests import INITIAL_DELAY_MS, MIN_SESSION_TIMEOUT_MS, SHORT_SESSION_MS, TOPIC
from tests.oracle.differences_of_4_3 import expect_differences
from tests.oracle.side import PATIENCE_S, Side
from tests.serving import serving
from tests.wire import Wire

GROUPS = 0
TRANSACTIONS = 1
"""Key types of FindCoordinator."""

SETTINGS = {
    "offsets.topic.num.partitions": "1",
    "transaction.state.log.num.partitions": "1",
    "group.initial.rebalance.delay.ms": "0",
    "group.min.session.timeout.ms": str(MIN_SESSION_TIMEOUT_MS),
    "group.consumer.assignment.interval.ms": "0",
    "group.consumer.min.session.timeout.ms": "500",
    "group.streams.assignment.interval.ms": "0",
    "group.streams.initial.rebalance.delay.ms": "0",
    # With the default, each broker would remove empty groups every ten minutes, at different times (rule 6.4.6).
    "offsets.retention.check.interval.ms": str(24 * 3_600_000),
}

STRICT = SETTINGS | {
    "group.initial.rebalance.delay.ms": str(INITIAL_DELAY_MS),
    "group.max.size": "2",
    "offsets.retention.minutes": "1",
    "offsets.retention.check.interval.ms": "500",
    "group.consumer.max.size": "3",
    "group.consumer.session.timeout.ms": str(SHORT_SESSION_MS),
    "group.consumer.heartbeat.interval.ms": "500",
    "transactional.id.expiration.ms": "15000",
    "transaction.remove.expired.transaction.cleanup.interval.ms": "200",
    "producer.id.expiration.ms": "10000",
    "producer.id.expiration.check.interval.ms": "200",
}

FENCING_OF_KAFKA = {"group.commit.fencing": "kafka"}
"""Settings of Tenure's broker only."""

IN_ORDER = {
    "num.network.threads": "1",
    "num.io.threads": "1",
    "group.coordinator.threads": "1",
    "group.coordinator.append.linger.ms": "0",
    "group.consumer.min.heartbeat.interval.ms": "100",
    "transaction.abort.timed.out.transaction.cleanup.interval.ms": "100",
}
"""Settings of both brokers. Apache Kafka decides in the order in which it reads, so that `Session.let_settle` works."""


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Expect differences from Apache Kafka 4.3, and sort the scenarios so that long ones come last in their module.

    All scenarios start with the first test of the module, by the fixture `played`, and some of them wait for a minute.
    """
    expect_differences(items)
    cases = {item: item.callspec.params["case"] for item in items if "played" in getattr(item, "fixturenames", ())}
    order = {path: number for number, path in enumerate(dict.fromkeys(item.path for item in items))}
    items.sort(key=lambda item: (order[item.path], item in cases and cases[item].long))


@pytest.fixture(scope="module")
def kafka(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Side]:
    yield from apache_side(tmp_path_factory, SETTINGS)


@pytest.fixture(scope="module")
def tenure(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Side]:
    yield from our_side(tmp_path_factory, SETTINGS)


@pytest.fixture(scope="module")
def strict_kafka(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Side]:
    yield from apache_side(tmp_path_factory, STRICT)


@pytest.fixture(scope="module")
def strict_tenure(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Side]:
    yield from our_side(tmp_path_factory, STRICT)


def apache_side(tmp_path_factory: pytest.TempPathFactory, settings: dict[str, str]) -> Iterator[Side]:
    require_kafka()
    with apache_kafka(tmp_path_factory.mktemp("kafka"), settings=settings | IN_ORDER) as broker:
        prepare(broker.host, broker.port)
        with Side("kafka", broker.host, broker.port) as side:
            side.wait_for_topic(TOPIC)
            yield side


def our_side(tmp_path_factory: pytest.TempPathFactory, settings: dict[str, str]) -> Iterator[Side]:
    set_ = [f"{key}={value}" for key, value in (settings | FENCING_OF_KAFKA).items()]
    with serving(tmp_path_factory.mktemp("tenure"), *set_) as broker:
        prepare(broker.host, broker.port)
        with Side("tenure", broker.host, broker.port) as side:
            side.wait_for_topic(TOPIC)
            yield side


def require_kafka() -> None:
    """Skip the test if Apache Kafka cannot run here; fail in CI, which must run this comparison."""
    try:
        library()
        program("java")
        program("javac")
    except Unavailable as missing:
        if os.environ.get("CI"):
            pytest.fail(f"CI must compare us with Apache Kafka: {missing}")
        pytest.skip(str(missing))


def prepare(host: str, port: int) -> None:
    """Create the topic `oracle` with four partitions, and wait until the coordinators are loaded."""
    with Wire(host, port) as wire:
        topic = CreatableTopic(name=TOPIC, num_partitions=4, replication_factor=1)
        assert wire.ask(CreateTopicsRequest(topics=[topic], timeout_ms=10_000)).topics[0].error_code == 0
    wait_for_coordinator(host, port)
    with Wire(host, port) as wire:
        wait_until_answered("coordinator of transactions", lambda: found_coordinator(wire, TRANSACTIONS))
        # Tenure's first producer id is 0, which must not be compared: answers without a producer contain 0, too.
        wait_until_answered("producer id", lambda: wire.ask(InitProducerIdRequest(None, 60_000)).error_code)


def wait_for_coordinator(host: str, port: int) -> None:
    """Wait until the coordinator is loaded.

    The first FindCoordinator creates `__consumer_offsets`; errors until then are 15, 16 and 14.
    """
    with Wire(host, port) as wire:

        def loaded() -> int:
            group = OffsetFetchRequestGroup(group_id="any", topics=[])
            return (
                found_coordinator(wire, GROUPS) or wire.ask(OffsetFetchRequest(groups=[group]), 9).groups[0].error_code
            )

        wait_until_answered("coordinator", loaded)


def found_coordinator(wire: Wire, key_type: int) -> int:
    error_code: int = (
        wire.ask(FindCoordinatorRequest(key_type=key_type, coordinator_keys=["any"])).coordinators[0].error_code
    )
    return error_code


def wait_until_answered(what: str, ask: Callable[[], int]) -> None:
    deadline = time.monotonic() + PATIENCE_S
    while error_code := ask():
        assert time.monotonic() < deadline, f"no {what} within {PATIENCE_S:.0f} s: error {error_code}"
        time.sleep(0.05)
