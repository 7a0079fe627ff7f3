"""The client with a real broker: sockets, threads, restarts."""

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from signal import SIGSTOP
from time import monotonic, sleep
from typing import Any

import pytest

from tenure.admin import Admin
from tenure.client.consumer.fetch_arrow import fetch_arrow
from tenure.client.errors import (
    BrokerUnreachable,
    DeliveryFailed,
    Fenced,
    OffsetOutOfRange,
    StaleIdentity,
    UnknownOutcome,
    UnknownTopic,
)
from tenure.client.group.group_member import GroupMember
from tenure.client.net.cluster import GENERAL
from tenure.client.producer.partitioner import partition_for_key
from tenure.client.producer.producer import Producer
from tenure.client.queries.blocking import beginning_offsets, describe_topic, end_offsets, list_offsets
from tenure.client.values import Assigned, Event, Lost, OffsetAndMetadata, Revoked, TopicPartition
from tenure.limits.client import CONNECTION_BUFFER_BYTES
from tenure.protocol.compression import Codec
from tenure.protocol.special_values import EARLIEST
from tests.serving import Serving, serving

PATIENCE_S = 60.0


@pytest.fixture(scope="module")
def broker(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Serving]:
    directory = tmp_path_factory.mktemp("client")
    with serving(directory, "num.partitions=3", "log.retention.ms=-1") as broker:  # no retention
        yield broker


def events_until(member: GroupMember, kind: type[Event]) -> list[Event]:
    give_up_at = monotonic() + PATIENCE_S
    events: list[Event] = []
    while not any(isinstance(event, kind) for event in events):
        assert monotonic() < give_up_at, f"no {kind.__name__} among {events}"
        events += member.poll(0.1)
    return events


def poll_until_error(member: GroupMember) -> None:
    give_up_at = monotonic() + PATIENCE_S
    while monotonic() < give_up_at:
        member.poll(0.1)


def config(broker: Serving, **others: object) -> dict[str, object]:
    """Return settings with Kafka's keys, written with underscores for dots."""
    return {"bootstrap.servers": broker.address} | {key.replace("_", "."): value for key, value in others.items()}


def topic_of(broker: Serving, name: str, partitions: int = 3) -> str:
    with Admin(broker.address) as admin:
        admin.create_topics([name], partitions=partitions)
    return name


def member_of(broker: Serving, topic: str, instance_id: str | None = None) -> GroupMember:
    return GroupMember(
        broker.address, f"group-of-{topic}", [topic], group_instance_id=instance_id, heartbeat_interval_ms=300
    )


def rows(broker: Serving, topic: str, partition: int) -> list[dict[str, object]]:
    end = end_offsets(broker.address, [TopicPartition(topic, partition)])[TopicPartition(topic, partition)]
    return [row for batch in fetch_arrow(broker.address, topic, partition, 0, end) for row in batch.to_pylist()]


# --- members ----------------------------------------------------------------------------------------------------------


def test_commit__offset_with_metadata_and_leader_epoch__all_read_back(broker: Serving) -> None:
    topic = topic_of(broker, "commits")
    first, second = TopicPartition(topic, 0), TopicPartition(topic, 1)
    with member_of(broker, topic, "a") as member:
        events_until(member, Assigned)
        member.commit({first: OffsetAndMetadata(7, "pointer", 2)}, member.identity)
        assert member.committed([first, second]) == {first: OffsetAndMetadata(7, "pointer", 2), second: None}


def test_commit__identity_from_before_a_rejoin__stale_identity_error(broker: Serving) -> None:
    topic = topic_of(broker, "anew")
    with member_of(broker, topic, "a") as member:
        events_until(member, Assigned)
        old = member.identity
        member.rejoin_as_new_member()
        assert [type(event) for event in events_until(member, Assigned)] == [Lost, Assigned]
        position = {TopicPartition(topic, 0): OffsetAndMetadata(1)}
        with pytest.raises(StaleIdentity):
            member.commit(position, old)
        member.commit(position, member.identity)


@pytest.mark.long
@pytest.mark.parametrize(
    "protocol", [{"assignors": ["cooperative-sticky"]}, {"group_protocol": "consumer"}], ids=["classic", "consumer"]
)
def test_commit_owned__one_partition_moved_to_another_member__only_the_others_committed(
    broker: Serving, protocol: dict[str, Any], request: pytest.FixtureRequest
) -> None:
    topic = topic_of(broker, f"owned-{request.node.callspec.id}", 2)
    settings = {"heartbeat_interval_ms": 300, **protocol}
    places = [TopicPartition(topic, number) for number in range(2)]
    offsets = {place: OffsetAndMetadata(1) for place in places}
    with GroupMember(broker.address, f"group-of-{topic}", [topic], **settings) as member:
        events_until(member, Assigned)
        ownership_ids = member.ownership_ids
        assert member.commit_owned(offsets, ownership_ids) == set(places)
        with GroupMember(broker.address, f"group-of-{topic}", [topic], **settings) as other:
            with ThreadPoolExecutor(1) as pool:
                joined = pool.submit(events_until, other, Assigned)
                events_until(member, Revoked)
                member.acknowledge_revocation()
                while not (joined.done() and other.partitions):
                    member.poll(0.1)
                    if joined.done():
                        other.poll(0.1)
            (kept,) = member.partitions
            (lost,) = other.partitions
            offsets = {place: OffsetAndMetadata(2) for place in places}
            assert member.commit_owned(offsets, ownership_ids) == {kept}
            assert member.committed(places) == {kept: OffsetAndMetadata(2), lost: OffsetAndMetadata(1)}


def test_commit_owned__partition_lost_and_assigned_again__its_old_position_not_committed(broker: Serving) -> None:
    topic = topic_of(broker, "came-back", 1)
    with member_of(broker, topic, "a") as member:
        events_until(member, Assigned)
        ownership_ids = member.ownership_ids
        member.rejoin_as_new_member()
        events_until(member, Assigned)
        offsets = {TopicPartition(topic, 0): OffsetAndMetadata(1)}
        assert member.commit_owned(offsets, ownership_ids) == set()
        assert member.commit_owned(offsets, member.ownership_ids) == offsets.keys()


@pytest.mark.usefixtures("long_holder_lookup")
def test_instance_id__used_by_a_second_member__error_of_the_first_names_the_second(broker: Serving) -> None:
    topic = topic_of(broker, "fenced")
    position = {TopicPartition(topic, 0): OffsetAndMetadata(1)}
    with member_of(broker, topic, "a") as first:
        events_until(first, Assigned)
        with member_of(broker, topic, "a") as second:
            events_until(second, Assigned)
            with pytest.raises(Fenced, match=r"taken over by process [0-9]+ on host"):
                poll_until_error(first)
            with pytest.raises(Fenced):
                first.commit(position, first.identity)
            second.commit(position, second.identity)


def test_member__subscribes_to_an_unknown_topic__error_with_the_remedy(broker: Serving) -> None:
    with member_of(broker, "nowhere") as member, pytest.raises(UnknownTopic, match="tenure topics create nowhere"):
        events_until(member, Assigned)


@pytest.mark.long
def test_member__broker_not_reachable__error_with_address_and_cause() -> None:
    with GroupMember("127.0.0.1:1", "g", ["t"]) as member, pytest.raises(BrokerUnreachable, match="connection refused"):
        events_until(member, Assigned)


@pytest.mark.parametrize("instance_id", ["", ".", "..", "a b", "a" * 250])
def test_member__invalid_instance_id__refused_at_once(instance_id: str) -> None:
    with pytest.raises(ValueError, match=r"group\.instance\.id"):
        GroupMember("127.0.0.1:1", "g", ["t"], group_instance_id=instance_id)


def test_member__broker_killed_during_a_commit__membership_kept_and_commit_outcome_unknown(
    tmp_path: Path,
) -> None:
    with serving(tmp_path, "group.initial.rebalance.delay.ms=0", "num.partitions=3") as broker:
        topic = topic_of(broker, "restart")
        with member_of(broker, topic, "a") as member:
            events_until(member, Assigned)
            before = member.identity
            position = {TopicPartition(topic, 0): OffsetAndMetadata(5)}
            member.commit(position, before)
            freeze_then_kill(broker, member, lambda: member.commit(position, before))
            broker.restart()
            member.commit({TopicPartition(topic, 0): OffsetAndMetadata(6)}, before)
            assert member.committed(list(position)) == {TopicPartition(topic, 0): OffsetAndMetadata(6)}
            assert (member.poll(), member.identity) == ([], before)


def freeze_then_kill(broker: Serving, member: GroupMember, commit: Callable[[], None]) -> None:
    """Suspend the broker before it reads the commit, and kill it."""
    broker.signal(SIGSTOP)
    with ThreadPoolExecutor(1) as threads:
        committing = threads.submit(commit)
        while not is_asking(member):
            sleep(0.01)
        broker.kill()
        with pytest.raises(UnknownOutcome):
            committing.result(PATIENCE_S)


def is_asking(member: GroupMember) -> bool:
    """Return whether a request that the test has started is in flight."""
    assert member._cluster is not None
    return any(name == GENERAL and found._pending for (_, name), found in list(member._cluster._connections.items()))


# --- records ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("codec", Codec)
def test_producer__each_compression_type__same_records_read_back(broker: Serving, codec: Codec) -> None:
    topic = topic_of(broker, f"codec-{codec.name.lower()}")
    sent = [(None, b"v"), (b"", None), (b"k" * 300, b"\x00\xff" * 5_000), (None, None)]
    with Producer(config(broker, compression_type=codec.name.lower())) as producer:
        for timestamp_ms, (key, value) in enumerate(sent):
            producer.send(topic, key, value, 1, timestamp_ms, [("h", b"1"), ("n", None)])
    read = rows(broker, topic, 1)
    assert [(row["key"], row["value"]) for row in read] == sent
    assert [row["offset"] for row in read] == [0, 1, 2, 3]


def test_producer__records_with_keys__same_partitions_as_in_java(broker: Serving) -> None:
    topic = topic_of(broker, "keyed")
    keys = [f"N{number}".encode() for number in range(200)]
    with Producer(broker.address) as producer:
        for key in keys:
            producer.send(topic, key, b"")
    for partition in range(3):
        there = [row["key"] for row in rows(broker, topic, partition)]
        assert there == [key for key in keys if partition_for_key(key, 3) == partition]


def test_producer__records_without_keys__partitions_in_turn_for_each_batch(broker: Serving) -> None:
    topic = topic_of(broker, "sticky")
    with Producer(config(broker, batch_size=1_000, linger_ms=600_000)) as producer:  # none is sent before it is full
        for _ in range(300):
            producer.send(topic, None, b"x" * 84)
    ends = end_offsets(broker.address, [TopicPartition(topic, partition) for partition in range(3)])
    assert sorted(ends.values()) == [100, 100, 100]


def test_producer__record_too_large__error_at_flush_and_others_written(broker: Serving) -> None:
    topic = topic_of(broker, "too-large", 1)
    producer = Producer(config(broker, linger_ms=0, max_request_size=3_000_000))
    producer.send(topic, None, b"small")
    producer.flush()
    producer.send(topic, None, b"x" * 2_000_000)
    with pytest.raises(DeliveryFailed, match=r"1 record .* for too-large-0: .*MESSAGE_TOO_LARGE"):
        producer.flush()
    producer.send(topic, None, b"small too")
    producer.close()
    assert [row["value"] for row in rows(broker, topic, 0)] == [b"small", b"small too"]


@pytest.mark.long
def test_producer__broker_killed_under_load__every_record_once_and_in_order(tmp_path: Path) -> None:
    with serving(tmp_path, "num.partitions=3", "tenure.data.durability=fsync") as broker:
        topic = topic_of(broker, "killed", 2)
        with Producer(config(broker, linger_ms=1, batch_size=2_000)) as producer:
            for number in range(6_000):
                producer.send(topic, None, b"%d" % number, number % 2)
                if number in (1_500, 4_000):
                    broker.kill()
                    broker.restart()
        for partition in range(2):
            read = [int(str(row["value"], "ascii")) for row in rows(broker, topic, partition)]  # type: ignore[arg-type]
            assert read == list(range(partition, 6_000, 2))


def test_producer__used_after_close__error(broker: Serving) -> None:
    topic = topic_of(broker, "closed")
    producer = Producer(broker.address)
    producer.send(topic, None, b"v")
    producer.close()
    producer.close()
    with pytest.raises(Exception, match="closed"):
        producer.send(topic, None, b"v")


def test_fetch_arrow__range_of_offsets_and_any_fetch_size__exactly_the_records_of_the_range(broker: Serving) -> None:
    topic = topic_of(broker, "ranges", 1)
    with Producer(config(broker, batch_size=500)) as producer:
        for number in range(1_000):
            producer.send(topic, None, b"%d" % number)
    for max_bytes in (1, 2_000, 10_000_000):
        read = [
            value.as_py()
            for batch in fetch_arrow(broker.address, topic, 0, 123, 877, max_bytes=max_bytes)
            for value in batch.column("value")
        ]
        assert read == [b"%d" % number for number in range(123, 877)]
    assert list(fetch_arrow(broker.address, topic, 0, 5, 5)) == []


def test_fetch_arrow__many_results_kept_in_memory__content_does_not_change(broker: Serving) -> None:
    topic = topic_of(broker, "kept", 1)
    with Producer(config(broker)) as producer:
        for number in range(1_000):
            producer.send(topic, None, b"%04d" % number * 250)
    kept = list(fetch_arrow(broker.address, topic, 0, 0, 1_000, max_bytes=2 * CONNECTION_BUFFER_BYTES))
    assert len(kept) > 2, "the first response was the only one"
    assert [value.as_py()[:4] for batch in kept for value in batch["value"]] == [b"%04d" % n for n in range(1_000)]


def test_fetch_arrow__offset_beyond_the_log_end__error_names_topic_partition_and_offset(broker: Serving) -> None:
    topic = topic_of(broker, "beyond", 1)
    with pytest.raises(OffsetOutOfRange, match=r"Offset 50 of beyond-0 does not exist: .* begins at 0 and ends at 0"):
        list(fetch_arrow(broker.address, topic, 0, 50, 60))


@pytest.mark.parametrize(("topic", "partition"), [("absent", 0), ("few", 9)])
def test_fetch_arrow__topic_or_partition_does_not_exist__error(broker: Serving, topic: str, partition: int) -> None:
    if topic == "few":
        topic_of(broker, "few", 1)
    with pytest.raises(UnknownTopic, match=topic):
        list(fetch_arrow(broker.address, topic, partition, 0, 1))


def test_list_offsets__earliest_latest_or_timestamp__offset_found(broker: Serving) -> None:
    topic = topic_of(broker, "times", 1)
    at = TopicPartition(topic, 0)
    with Producer(broker.address) as producer:
        for number in range(10):
            producer.send(topic, None, b"", 0, 1_000 * number)
    assert (beginning_offsets(broker.address, [at]), end_offsets(broker.address, [at])) == ({at: 0}, {at: 10})
    found = list_offsets(broker.address, {at: 4_500})[at]
    assert (found.offset, found.timestamp_ms) == (5, 5_000)
    assert list_offsets(broker.address, {at: 99_000})[at].offset == -1
    assert list_offsets(broker.address, {at: EARLIEST})[at].offset == 0


def test_describe_topic__existing_topic__partitions_and_topic_id(broker: Serving) -> None:
    described = describe_topic(broker.address, topic_of(broker, "described"))
    assert [partition.partition for partition in described.partitions] == [0, 1, 2]
    assert len(described.topic_id) == 16
    assert any(described.topic_id)
