"""Scenarios of a transactional producer that have the same result on our broker and on Apache Kafka."""

from __future__ import annotations

import asyncio
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import suppress
from itertools import count
from time import monotonic, sleep
from typing import Any, Final

import pytest

from tenure.admin import Admin
from tenure.client import (
    AsyncConsumer,
    Consumer,
    GroupMetadata,
    OffsetAndMetadata,
    Producer,
    ProducerFenced,
    TopicPartition,
    TransactionAbortable,
    TransactionLender,
    fetch_arrow,
    read_arrow,
)
from tenure.client.errors import UnknownTopic
from tenure.client.queries.blocking import end_offsets
from tenure.client.values import OpenTransaction
from tenure.protocol.errors import ErrorCode
from tenure.protocol.types import EPOCH_BUMPS

PATIENCE_S = 60.0
TOO_SLOW_MS = 5_000
"""Transaction timeout that a scenario waits for. The steps before take less time, even on a busy machine."""
RECORDS = 40
COMMITS = 20
"""Commits of a run; on Apache Kafka some of the writes after them are accepted, and some are refused."""
REFUSED = (TransactionAbortable, ProducerFenced)
names = (f"transactions-{number}" for number in count())


def topic_of(address: str, partitions: int = 2, **configs: str) -> str:
    return created(address, next(names), partitions, **configs)


def created(address: str, topic: str, partitions: int, **configs: str) -> str:
    """Create a topic, and wait until the broker describes it, because Apache Kafka's controller answers earlier."""
    with Admin(address) as admin:
        admin.create_topics([topic], partitions=partitions, configs=configs)
        for _ in patience(f"{topic} is known"):
            with suppress(UnknownTopic):
                admin.describe_topics([topic])
                break
            sleep(0.02)
    return topic


def producer_of(address: str, transactional_id: str, **others: Any) -> Producer:
    keys = {key.replace("_", "."): value for key, value in others.items()}
    return Producer({"bootstrap.servers": address, "transactional.id": transactional_id, **keys})


def begun(address: str, transactional_id: str, **others: Any) -> Producer:
    """Return a producer with an open transaction."""
    producer = producer_of(address, transactional_id, **others)
    producer.init_transactions()
    producer.begin_transaction()
    return producer


def member_of(address: str, group_id: str, topic: str, group_protocol: str, **others: Any) -> Consumer:
    keys: dict[str, Any] = {key.replace("_", "."): value for key, value in others.items()}
    if group_protocol == "classic":
        keys |= {"heartbeat.interval.ms": 100, "session.timeout.ms": 10_000}
    consumer = Consumer(
        {
            "bootstrap.servers": address, "group.id": group_id, "group.protocol": group_protocol,
            "auto.offset.reset": "earliest", "enable.auto.commit": False, "isolation.level": "read_committed", **keys,
        }
    )  # fmt: skip
    consumer.subscribe([topic])
    return consumer


def settle(address: str, topic: str) -> None:
    """Wait until no transaction is open, because a decision is reported before its markers are written."""
    with Admin(address) as admin:
        (described,) = admin.describe_topics([topic])
    places = [TopicPartition(topic, at.partition) for at in described.partitions]
    for _ in patience("no transaction is open"):
        if end_offsets(address, places, isolation_level=1) == end_offsets(address, places):
            break
        sleep(0.05)


def written(address: str, topic: str, isolation_level: str = "read_committed") -> list[bytes]:
    """Return the records once no transaction is open."""
    settle(address, topic)
    return values(address, topic, isolation_level)


def values(address: str, topic: str, isolation_level: str = "read_committed") -> list[bytes]:
    table = read_arrow({"bootstrap.servers": address, "isolation.level": isolation_level}, topic)
    return sorted(table["value"].to_pylist())


def committed(address: str, group_id: str, topic: str) -> dict[int, int]:
    with Consumer({"bootstrap.servers": address, "group.id": group_id}) as consumer:
        places = [TopicPartition(topic, number) for number in consumer.partitions_of(topic)]
        found = consumer.committed(places)
    return {place.partition: at.offset for place, at in found.items() if at is not None}


def patience(what: str) -> Iterator[None]:
    """Yield repeatedly; raise AssertionError after a time limit."""
    give_up_at = monotonic() + PATIENCE_S
    while monotonic() < give_up_at:
        yield
    raise AssertionError(f"not within {PATIENCE_S} s: {what}")


# --- consume, transform, produce --------------------------------------------------------------------------------------


def transform_with_aborts(address: str, group_protocol: str) -> None:
    """Abort every second transaction, and read its input again."""
    source, target = topic_of(address), topic_of(address)
    with Producer(address) as filler:
        for number in range(RECORDS):
            filler.send(source, b"%d" % number, b"%d" % number)
    done = attempts = 0
    with (
        member_of(address, target, source, group_protocol, max_poll_records=10) as consumer,
        producer_of(address, target) as producer,
    ):
        producer.init_transactions()
        for _ in patience("all records have been transformed"):
            records = consumer.poll()
            if not records:
                continue
            attempts += 1
            place = TopicPartition(source, records[0].partition)
            producer.begin_transaction()
            for record in records:
                producer.send(target, record.key, (record.value or b"") + b"!")
            try:
                offsets = {place: OffsetAndMetadata(records[-1].offset + 1)}
                producer.send_offsets_to_transaction(offsets, consumer.group_metadata())
            except TransactionAbortable:  # a rebalance between the poll and here
                producer.abort_transaction()
                consumer.seek(place, records[0].offset)
                continue
            if attempts % 2:
                producer.flush()  # the abort would discard records that are not sent yet
                producer.abort_transaction()
                consumer.seek(place, records[0].offset)
                continue
            producer.commit_transaction()
            done += len(records)
            if done == RECORDS:
                break
    assert written(address, target) == sorted(b"%d!" % number for number in range(RECORDS))
    assert len(written(address, target, "read_uncommitted")) > RECORDS
    assert sum(committed(address, target, source).values()) == RECORDS
    assert rows_of(address, target) == written(address, target)


def rows_of(address: str, topic: str) -> list[bytes]:
    """Return the rows up to the last stable offset, across aborted records and markers."""
    config = {"bootstrap.servers": address, "auto.offset.reset": "earliest", "isolation.level": "read_committed"}
    found: list[bytes] = []
    with Consumer(config) as consumer:
        places = [TopicPartition(topic, number) for number in consumer.partitions_of(topic)]
        consumer.assign(dict.fromkeys(places, 0))
        ends = consumer.end_offsets(places)
        for _ in patience("every position has reached its end"):
            found += [record.value or b"" for record in consumer.poll(0.2)]
            if all(consumer.position(place) >= ends[place] for place in places):
                break
    return sorted(found)


def reads_up_to_the_last_stable_offset(address: str) -> None:
    """Read interleaved transactions of two producers in every way; the last transaction is open.

    All ways give the same records, with few records in an answer and with many.
    """
    topic = topic_of(address, 1)
    expected: list[bytes] = []
    with begun(address, f"{topic}-one") as one, begun(address, f"{topic}-other") as other:
        for number in range(6):
            for part in range(3):
                for name, producer in ((b"one", one), (b"other", other)):
                    producer.send(topic, None, b"%s-%d-%d" % (name, number, part) * (1 + 100 * (number % 2)))
                    producer.flush()
            for name, producer, commits in ((b"one", one, number % 2 == 0), (b"other", other, number % 3 == 0)):
                if commits:
                    producer.commit_transaction()
                    expected += [b"%s-%d-%d" % (name, number, part) * (1 + 100 * (number % 2)) for part in range(3)]
                else:
                    producer.abort_transaction()
                producer.begin_transaction()
        settle(address, topic)
        one.send(topic, None, b"open")
        one.flush()
        with Producer(address) as plain:
            plain.send(topic, None, b"after it")
        expected.sort()
        assert values(address, topic) == rows_of(address, topic) == expected
        place, config = TopicPartition(topic, 0), {"bootstrap.servers": address}
        stable = end_offsets(address, [place], isolation_level=1)[place]
        assert end_offsets(address, [place])[place] == stable + 2
        for max_bytes in (1, 1_000, 1 << 20):
            found = fetch_arrow(config, topic, 0, 0, stable, max_bytes=max_bytes, isolation_level=1)
            assert sorted(value for batch in found for value in batch["value"].to_pylist()) == expected
        assert asyncio.run(_rows_of_async(address, place, stable)) == expected


async def _rows_of_async(address: str, place: TopicPartition, end: int) -> list[bytes]:
    config = {"bootstrap.servers": address, "isolation.level": "read_committed", "max.partition.fetch.bytes": 2_000}
    found: list[bytes] = []
    async with AsyncConsumer(config) as consumer:
        await consumer.assign({place: 0})
        for _ in patience("the position has reached the end"):
            found += [record.value or b"" for record in await consumer.poll(0.2)]
            if await consumer.position(place) >= end:
                break
    return sorted(found)


# --- zombies ----------------------------------------------------------------------------------------------------------


def fenced_by_transactional_id(address: str) -> None:
    topic = topic_of(address)
    zombie = begun(address, topic)
    zombie.send(topic, None, b"of a zombie")
    zombie.flush()
    with begun(address, topic) as living:
        living.send(topic, None, b"of the living")
        with pytest.raises(ProducerFenced, match=f"newer producer uses the transactional id '{topic}'"):
            zombie.commit_transaction()
        with pytest.raises(ProducerFenced):
            zombie.abort_transaction()
        with pytest.raises(ProducerFenced):
            zombie.begin_transaction()
        zombie.close()
        living.commit_transaction()
    assert written(address, topic) == [b"of the living"]


def fenced_while_writing(address: str) -> None:
    """Fence a producer while it writes.

    The partition's error shows only that the epoch is old. The producer aborts, and the coordinator's answer shows the
    fence.
    """
    topic = topic_of(address)
    with begun(address, topic) as zombie, begun(address, topic):
        zombie.send(topic, None, b"of a zombie")
        with pytest.raises(TransactionAbortable) as old:
            zombie.flush()
        assert old.value.error_code is ErrorCode.INVALID_PRODUCER_EPOCH
        with pytest.raises(ProducerFenced):
            zombie.abort_transaction()
    assert written(address, topic) == []


def refused_offsets(producer: Producer, place: TopicPartition, group: GroupMetadata) -> ErrorCode | None:
    """Send offsets that are refused, and return the error. The producer stays usable."""
    producer.begin_transaction()
    producer.send(place.topic, None, b"of a zombie", place.partition)
    with pytest.raises(TransactionAbortable) as refused:
        producer.send_offsets_to_transaction({place: OffsetAndMetadata(1)}, group)
    with pytest.raises(TransactionAbortable):
        producer.commit_transaction()
    producer.abort_transaction()
    producer.begin_transaction()
    producer.send(place.topic, None, b"of the living", place.partition)
    producer.commit_transaction()
    return refused.value.error_code


def fenced_by_generation(address: str) -> None:
    topic = topic_of(address)
    place = TopicPartition(topic, 0)
    with member_of(address, topic, topic, "classic") as first, producer_of(address, topic) as producer:
        producer.init_transactions()
        stale = poll_until_assigned(first)
        with member_of(address, topic, topic, "classic") as second:
            for _ in patience("another generation begins"):
                first.poll(0.1)
                second.poll(0.1)
                if first.group_metadata() != stale and second.assignment():
                    break
            assert refused_offsets(producer, place, stale) is ErrorCode.ILLEGAL_GENERATION
    assert written(address, topic) == [b"of the living"]
    assert committed(address, topic, topic) == {}


def fenced_by_member_epoch(address: str) -> None:
    """Fence by member epoch; the old epoch may still commit partitions that the member kept (rule 4.3, row 7)."""
    topic = topic_of(address)
    with member_of(address, topic, topic, "consumer") as first, producer_of(address, topic) as producer:
        producer.init_transactions()
        stale = poll_until_assigned(first, partitions=2)
        with member_of(address, topic, topic, "consumer") as second:
            for _ in patience("both have a partition"):
                first.poll(0.1)
                second.poll(0.1)
                if len(first.assignment()) == len(second.assignment()) == 1 and first.group_metadata() != stale:
                    break
            (kept,), (lost,) = first.assignment(), second.assignment()
            assert refused_offsets(producer, lost, stale) is ErrorCode.ILLEGAL_GENERATION
            producer.begin_transaction()
            producer.send_offsets_to_transaction({kept: OffsetAndMetadata(7)}, stale)
            producer.commit_transaction()
    assert committed(address, topic, topic) == {kept.partition: 7}


def fenced_by_instance_id(address: str) -> None:
    _fenced_by_instance_id(address, "classic", ErrorCode.FENCED_INSTANCE_ID)


def fenced_by_instance_id_in_a_consumer_group(address: str) -> None:
    """Fence by member id: the new holder of the seat has another one, and instance ids are not checked."""
    _fenced_by_instance_id(address, "consumer", ErrorCode.UNKNOWN_MEMBER_ID)


def _fenced_by_instance_id(address: str, group_protocol: str, expected: ErrorCode) -> None:
    topic = topic_of(address)
    config = {"group_instance_id": "seat"}
    with producer_of(address, topic) as producer, member_of(address, topic, topic, group_protocol, **config) as first:
        producer.init_transactions()
        stale = poll_until_assigned(first)
        with member_of(address, topic, topic, group_protocol, **config) as second:
            poll_until_assigned(second)
            assert refused_offsets(producer, TopicPartition(topic, 0), stale) is expected
    assert committed(address, topic, topic) == {}


def poll_until_assigned(consumer: Consumer, partitions: int = 1) -> GroupMetadata:
    for _ in patience("the consumer has its partitions"):
        consumer.poll(0.1)
        if len(consumer.assignment()) >= partitions:
            break
    return consumer.group_metadata()


# --- failures ---------------------------------------------------------------------------------------------------------


def continues_after_a_refused_batch(address: str) -> None:
    """Abort only the transaction after a refused batch; the producer continues."""
    topic = topic_of(address, 1, **{"max.message.bytes": "2000"})
    with begun(address, topic) as producer:
        producer.send(topic, None, b"before")
        producer.flush()
        producer.send(topic, None, b"too large" * 1_000)
        with pytest.raises(TransactionAbortable, match="MESSAGE_TOO_LARGE"):
            producer.commit_transaction()
        with pytest.raises(TransactionAbortable):
            producer.send(topic, None, b"after")
        producer.abort_transaction()
        for value in (b"1", b"2"):
            producer.begin_transaction()
            producer.send(topic, None, value)
            producer.commit_transaction()
    assert written(address, topic) == [b"1", b"2"]


def closed_within_a_transaction(address: str) -> None:
    topic = topic_of(address)
    with begun(address, topic) as producer:
        producer.send(topic, None, b"never")
        producer.flush()
    with pytest.raises(KeyError):
        _fail_within_a_transaction(address, topic)
    with begun(address, topic) as producer:
        producer.send(topic, None, b"at last")
        producer.commit_transaction()
    assert written(address, topic) == [b"at last"]


def _fail_within_a_transaction(address: str, topic: str) -> None:
    with begun(address, topic) as producer:
        producer.send(topic, None, b"neither")
        producer.flush()
        raise KeyError(topic)


def exceeds_its_timeout_and_continues(address: str, let_time_pass: Callable[[], object] = lambda: None) -> None:
    """Exceed the transaction timeout, abort and continue, because every end of a transaction raises the epoch.

    `let_time_pass` moves the time of a broker with a stopped clock; for other brokers, the scenario waits.
    """
    topic = topic_of(address)
    with _too_slow(address, topic, let_time_pass) as producer:
        with pytest.raises(TransactionAbortable, match=rf"exceeded 'transaction\.timeout\.ms' \({TOO_SLOW_MS}\)"):
            producer.commit_transaction()
        producer.abort_transaction()
        producer.begin_transaction()
        producer.send(topic, None, b"in time")
        producer.commit_transaction()
    assert written(address, topic) == [b"after", b"in time"]


def fenced_after_its_timeout(address: str) -> None:
    """Exceed the transaction timeout, and be fenced, because only an abort by the broker raises the epoch."""
    topic = topic_of(address)
    with _too_slow(address, topic) as producer, pytest.raises(ProducerFenced, match=r"'transaction\.timeout\.ms'"):
        producer.commit_transaction()
    assert written(address, topic) == [b"after"]


def _too_slow(address: str, topic: str, let_time_pass: Callable[[], object] = lambda: None) -> Producer:
    """Exceed the timeout, so that the broker aborts the transaction."""
    producer = begun(address, topic, transaction_timeout_ms=TOO_SLOW_MS)
    producer.send(topic, None, b"too late", 0)
    producer.flush()
    with producer_of(address, f"{topic}-other") as other:
        other.init_transactions()
        other.begin_transaction()
        other.send(topic, None, b"after", 0)
        other.commit_transaction()
    let_time_pass()
    settle(address, topic)
    return producer


def killed_within_a_transaction(address: str) -> None:
    """Kill an application with an open transaction: none of its records is visible.

    The next application begins at the same position.
    """
    source, target = topic_of(address, 1), topic_of(address, 1)
    with Producer(address) as filler:
        for number in range(10):
            filler.send(source, None, b"%d" % number)
    place = TopicPartition(source, 0)
    script = KILLED.format(address=address, source=source, target=target)
    killed = subprocess.run([sys.executable, "-c", script], check=False, timeout=PATIENCE_S)
    assert killed.returncode == -signal.SIGKILL
    with begun(address, target) as producer:
        assert committed(address, target, source) == {}
        assert written(address, target) == []
        for number in range(10):
            producer.send(target, None, b"%d" % number)
        producer.send_offsets_to_transaction({place: OffsetAndMetadata(10)}, GroupMetadata(target))
        producer.commit_transaction()
    assert written(address, target) == [b"%d" % number for number in range(10)]
    assert len(written(address, target, "read_uncommitted")) == 15
    assert committed(address, target, source) == {0: 10}


KILLED: Final = """
import os, signal
from tenure.client import GroupMetadata, OffsetAndMetadata, Producer, TopicPartition

producer = Producer({{"bootstrap.servers": "{address}", "transactional.id": "{target}"}})
producer.init_transactions()
producer.begin_transaction()
for number in range(5):
    producer.send("{target}", None, b"%d" % number)
producer.flush()
producer.send_offsets_to_transaction({{TopicPartition("{source}", 0): OffsetAndMetadata(5)}}, GroupMetadata("{target}"))
os.kill(os.getpid(), signal.SIGKILL)
"""


# --- lent transactions ------------------------------------------------------------------------------------------------


def writes_in_lent_transactions(address: str) -> None:
    topic = topic_of(address)
    lender, group = TransactionLender(address, topic), GroupMetadata(topic)
    for number, commits in enumerate((True, False, True, True)):
        transaction = lender.begin()
        with Producer(address, within=transaction) as writer:
            writer.send(topic, b"%d" % number, b"%d" % number)
            writer.send(topic, b"%d" % (number + 1), b"%d" % number)
        lender.send_offsets({TopicPartition(topic, 0): OffsetAndMetadata(number)}, group)
        (lender.commit if commits else lender.abort)()
        _write_late(address, topic, transaction, was_committed=commits)
    abandoned = lender.begin()
    with Producer(address, within=abandoned) as writer:
        writer.send(topic, None, b"abandoned")
    heir = TransactionLender(address, topic)
    heir.init()
    with pytest.raises(ProducerFenced):
        lender.commit()
    assert written(address, topic) == [b"0", b"0", b"2", b"2", b"3", b"3"]
    assert committed(address, topic, topic) == {0: 3}


def _write_late(address: str, topic: str, transaction: OpenTransaction, *, was_committed: bool) -> None:
    """Write as a second attempt of a task does; none of its records may ever be read.

    A broker that accepts the old epoch until the marker is written may take the record for that of the first attempt,
    because both begin with sequence 0. After the marker the record is refused. If a commit leaves the epoch unchanged,
    the record belongs to a transaction that the next begin aborts.
    """
    if transaction.transaction_version < EPOCH_BUMPS and was_committed:
        _write_within(address, topic, transaction)
        return
    with suppress(*REFUSED):
        _write_within(address, topic, transaction)
    settle(address, topic)
    with pytest.raises(REFUSED):
        _write_within(address, topic, transaction)


def _write_within(address: str, topic: str, transaction: OpenTransaction) -> None:
    with Producer(address, within=transaction) as late:
        late.send(topic, None, b"late")


def writes_between_a_commit_and_its_marker(address: str) -> None:
    """Write between the answer to a commit and its marker; Kafka commits such a record, too.

    Therefore the committing process waits until each writer has confirmed its records.
    """
    topic = topic_of(address, 1)
    lender = TransactionLender(address, topic)
    expected = []
    for number in range(COMMITS):
        writer = Producer(address, within=lender.begin())
        record, late = b"%d" % number, b"%d, late" % number
        writer.send(topic, None, record)
        writer.flush()
        lender.commit()
        expected.append(record)
        writer.send(topic, None, late)
        with suppress(*REFUSED):
            writer.close()
            expected.append(late)
    assert written(address, topic) == sorted(expected)
