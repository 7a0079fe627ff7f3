"""After a change of brokers on one directory, each broker removes what has expired, whichever broker wrote it.

Tenure writes a directory with its clock in the past, and Apache Kafka starts on it. Then Apache Kafka writes, and
Tenure starts on its directory and moves its clock to the future.
"""

from __future__ import annotations

import re
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

import pytest

from tenure.protocol.messages import CreatableTopic, CreateTopicsRequest
from tenure.testing import Broker
from tests.interop.shared_directory import SharedDirectory
from tests.oracle.classic_requests import Group
from tests.oracle.conftest import IN_ORDER, SETTINGS, prepare, require_kafka
from tests.oracle.consumer_requests import LEAVES, Consumers
from tests.oracle.descriptions import described
from tests.oracle.side import PATIENCE_S, Session, Side
from tests.oracle.streams_requests import Streams
from tests.oracle.test_transactions import TransactionHistory
from tests.wire import Wire

pytestmark = pytest.mark.oracle

RETENTION_S: Final = 7 * 24 * 3600
MARGIN_S: Final = 600
"""Time by which objects are older or newer than the retention. A machine needs less to start a broker."""
EXPIRY: Final = {
    "offsets.retention.minutes": str(RETENTION_S // 60),
    "offsets.retention.check.interval.ms": "200",
    "transactional.id.expiration.ms": str(RETENTION_S * 1000),
    "transaction.remove.expired.transaction.cleanup.interval.ms": "200",
    "producer.id.expiration.ms": str(RETENTION_S * 1000),
    "producer.id.expiration.check.interval.ms": "200",
}
BY_BROKERS_CLOCK: Final = {"message.timestamp.type": "LogAppendTime"}
UNREAD: Final = "unread"
"""Topic to which no member subscribes."""
RETAINED: Final = ("topic ", "config ", "offset -")
"""Beginnings of descriptions of topics, which have a retention of their own."""
GROUPS: Final = ("simple", "classic", "consumer", "streams")
OBJECTS: Final = {*GROUPS, "payer"}


@pytest.mark.timeout(600)  # Apache Kafka starts
def test_retention__objects_expire_before_or_after_a_handover__same_objects_removed(tmp_path: Path) -> None:
    require_kafka()
    shared = SharedDirectory(tmp_path, SETTINGS | IN_ORDER | EXPIRY)
    with tenure(shared.data) as (broker, side):
        broker.advance(-RETENTION_S - MARGIN_S)
        prepare(side.host, side.port)
        create_topic(side, UNREAD)
        session = side.session()
        write(session, "old")
        static, late = Group(session, "static", {"A": "a"}), Group(session, "late")
        for group in (static, late):
            group.commit_anonymously("A")  # Otherwise the broker may remove the group between the two JoinGroups.
            group.stabilize("A")
            group.commit("A")
        static.commit("A", topic=UNREAD)
        commit_for(Group(session, "explicit-old"), MARGIN_S)
        commit_for(Group(session, "explicit"), RETENTION_S + 2 * MARGIN_S)
        broker.advance(2 * MARGIN_S)
        write(session, "new")
        late.leave("A")
        payer = TransactionHistory(session, "open", BY_BROKERS_CLOCK)
        payer.init()
        payer.commit_offset(7)
    try:
        shared.start_kafka()
        left = wait_until_removed("old", shared.host, shared.port)
        assert_kept("new", left)
        names = {found[1] for one in left if (found := re.match(r"listed .*group_id='([^']+)'", one))}
        assert names == {*(f"{kind}-new" for kind in GROUPS), "static", "late", "explicit"}
        assert [one for one in left if f" {UNREAD} " in one and one.startswith("offset of")] == []
        with Side("kafka", shared.host, shared.port) as kafka:
            write(kafka.session(), "of-kafka")
    finally:
        shared.stop()
    with tenure(shared.data) as (broker, side):
        broker.advance(RETENTION_S - MARGIN_S)
        wait_until_removed("new", side.host, side.port)
        assert_kept("of-kafka", described(side.host, side.port))
        broker.advance(2 * MARGIN_S)
        wait_until_removed("of-kafka", side.host, side.port)


@contextmanager
def tenure(data: Path) -> Iterator[tuple[Broker, Side]]:
    """Run a broker whose clock can be moved."""
    with Broker(SETTINGS | EXPIRY, directory=data) as broker:
        host, _, port = broker.address.rpartition(":")
        with Side("tenure", host, int(port)) as side:
            yield broker, side


def create_topic(side: Side, name: str) -> None:
    with Wire(side.host, side.port) as wire:
        wire.ask(CreateTopicsRequest(topics=[CreatableTopic(name, 1, 1)], timeout_ms=10_000), 5)
    side.wait_for_topic(name)


def write(session: Session, age: str) -> None:
    """Write groups of each kind without members, and a transactional id with a producer. Their names end with `age`."""
    Group(session, f"simple-{age}").commit_anonymously("A")
    classic = Group(session, f"classic-{age}")
    consumer = Consumers(session, f"consumer-{age}")
    streams = Streams(session, f"streams-{age}")
    classic.commit_anonymously("A")  # Otherwise a broker may remove the group between the two JoinGroups.
    classic.stabilize("A")
    classic.commit("A")
    classic.leave("A")
    consumer.consumer_join("B")
    consumer.consumer_commit("B")
    consumer.consumer_leave("B")
    streams.streams_join("C")
    streams.consumer_commit("C")
    streams.streams_heartbeat("C", LEAVES)
    payer = TransactionHistory(session, f"payer-{age}", BY_BROKERS_CLOCK)
    payer.init()
    payer.produce(0)
    payer.end(commit=True)
    payer.wait_for_markers()


def commit_for(group: Group, seconds: int) -> None:
    """Commit an offset that expires at a time of its own."""
    group.commit_anonymously("A", version=4, retention_ms=seconds * 1000)


def wait_until_removed(age: str, host: str, port: int) -> list[str]:
    """Wait until nothing is left that is named after `age`, and no transaction is open. Return all descriptions.

    A broker decides about all groups at once, and about all transactional ids. So everything else is kept.
    """
    deadline = time.monotonic() + PATIENCE_S
    while objects(left := described(host, port), age) or any("'open-group'" in one for one in left):
        assert time.monotonic() < deadline, f"{age} objects or 'open-group' not removed:\n" + "\n".join(left)
        time.sleep(0.1)
    return left


def assert_kept(age: str, lines: list[str]) -> None:
    assert objects(lines, age) == OBJECTS
    assert any(line.startswith(f"producer of payer-{age}-topic") for line in lines), lines


def objects(lines: list[str], age: str) -> set[str]:
    """Return the kinds of groups, transactional ids and producers whose names end with `age`."""
    return {kind for line in lines if not line.startswith(RETAINED) for kind in OBJECTS if f"{kind}-{age}" in line}
