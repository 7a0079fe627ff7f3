"""The consumer against a broker: rows and columns, positions, commits, rebalances; blocking and with asyncio."""

import asyncio
import re
import threading
from collections.abc import Iterator
from itertools import count
from pathlib import Path
from time import monotonic
from typing import Any

import pytest

from tenure.admin import Admin
from tenure.client.consumer.async_consumer import AsyncConsumer
from tenure.client.consumer.consumer import Consumer
from tenure.client.consumer.consumer_records import ConsumerRecord
from tenure.client.consumer.read_arrow import read_arrow
from tenure.client.errors import ClientError, Closed, Fenced, NoOffset, NotAssigned, StaleIdentity, UnknownTopic
from tenure.client.net.event_loop import client_loop
from tenure.client.producer.producer import Producer
from tenure.client.values import Assigned, ListedOffset, OffsetAndMetadata, TopicPartition
from tests.serving import Serving, serving

PATIENCE_S = 60.0
names = (f"topic-{number}" for number in count())


@pytest.fixture(scope="module")
def broker(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Serving]:
    no_retention = "log.retention.ms=-1"
    with serving(tmp_path_factory.mktemp("consumer"), "group.min.session.timeout.ms=1000", no_retention) as broker:
        yield broker


@pytest.fixture
def topic(broker: Serving) -> str:
    """Create a topic of three partitions with 100 records each; the timestamp of the n-th record is n."""
    name = next(names)
    with Admin(broker.address) as admin:
        admin.create_topics([name], partitions=3)
    fill(broker, name, 100)
    return name


def fill(broker: Serving, topic: str, records: int) -> None:
    with Producer(broker.address) as producer:
        for number in range(records):
            for partition in range(3):
                producer.send(topic, b"k", b"%d" % number, partition, number, [("h", b"%d" % partition)])


def parts(topic: str, *numbers: int) -> list[TopicPartition]:
    return [TopicPartition(topic, number) for number in numbers or (0, 1, 2)]


def config(broker: Serving, topic: str, **others: Any) -> dict[str, Any]:
    keys = {key.replace("_", "."): value for key, value in others.items()}
    return {
        "bootstrap.servers": broker.address,
        "group.id": f"group-of-{topic}",
        "auto.offset.reset": "earliest",
        "heartbeat.interval.ms": 200,
        **keys,
    }


def read(consumer: Consumer, records: int) -> list[ConsumerRecord]:
    """Read `records` records, and check that no more arrive for a moment."""
    give_up_at = monotonic() + PATIENCE_S
    found: list[ConsumerRecord] = []
    while len(found) < records:
        assert monotonic() < give_up_at, f"{len(found)} of {records}"
        found += consumer.poll(0.2)
    assert len(found) == records
    return found


# --- records ----------------------------------------------------------------------------------------------------------


def test_poll__subscribed__every_record_once_and_in_order(broker: Serving, topic: str) -> None:
    with Consumer(config(broker, topic)) as consumer:
        consumer.subscribe([topic])
        found = read(consumer, 300)
    for partition in range(3):
        of_partition = [row for row in found if row.partition == partition]
        assert [row.offset for row in of_partition] == list(range(100))
        assert of_partition[7] == ConsumerRecord(topic, partition, 7, 7, b"k", b"7", (("h", b"%d" % partition),))


def test_poll__max_poll_records_set__positions_are_after_the_returned_records(broker: Serving, topic: str) -> None:
    with Consumer(config(broker, topic, max_poll_records=30)) as consumer:
        consumer.assign(parts(topic, 0))
        sizes = []
        while sum(sizes) < 100:
            sizes.append(len(consumer.poll(PATIENCE_S)))
            assert consumer.position(TopicPartition(topic, 0)) == sum(sizes)
    assert sizes == [30, 30, 30, 10]


def test_poll_arrow__records_of_one_partition__columns_of_a_table(broker: Serving, topic: str) -> None:
    with Consumer(config(broker, topic)) as consumer:
        consumer.assign(parts(topic, 1))
        table = consumer.poll_arrow(PATIENCE_S, headers=True)
        assert table is not None
        assert consumer.position(TopicPartition(topic, 1)) == len(table)
    first = table.slice(0, 1).to_pylist()[0]
    assert (first["topic"], first["partition"], first["offset"], first["value"]) == (topic, 1, 0, b"0")
    assert first["headers"] == [{"key": "h", "value": b"1"}]


def test_poll__no_records_arrive__empty_list_after_the_timeout(broker: Serving, topic: str) -> None:
    with Consumer(config(broker, topic, auto_offset_reset="latest")) as consumer:
        consumer.assign(parts(topic))
        assert consumer.poll(0.1) == []
        assert consumer.poll_arrow(0.1) is None


def test_poll__prefetch_maximum_of_one_byte__no_record_lost(broker: Serving, topic: str) -> None:
    """Lose no record if the prefetch budget allows only one fetched answer at a time."""
    with Consumer(config(broker, topic, tenure_prefetch_max_bytes=1, max_partition_fetch_bytes=100)) as consumer:
        consumer.subscribe([topic])
        assert {row[1:3] for row in read(consumer, 300)} == {(p, o) for p in range(3) for o in range(100)}


# --- positions --------------------------------------------------------------------------------------------------------


def test_seek__backward_or_to_either_end__next_poll_continues_there(broker: Serving, topic: str) -> None:
    place = TopicPartition(topic, 0)
    with Consumer(config(broker, topic)) as consumer:
        consumer.assign([place])
        read(consumer, 100)
        consumer.seek(place, 90)
        assert [row.offset for row in read(consumer, 10)] == list(range(90, 100))
        consumer.seek_to_beginning()
        assert consumer.poll(PATIENCE_S)[0].offset == 0
        consumer.seek_to_end()
        assert (consumer.position(place), consumer.poll(0.1)) == (100, [])


def test_seek__beyond_the_log_end__position_reset_by_auto_offset_reset(broker: Serving, topic: str) -> None:
    place = TopicPartition(topic, 0)
    with Consumer(config(broker, topic)) as consumer:
        consumer.assign([place])
        consumer.seek(place, 5_000)
        assert consumer.poll(PATIENCE_S)[0].offset == 0


def test_poll_arrow__poll_took_part_of_the_fetched_records__continues_after_the_last_one(
    broker: Serving, topic: str
) -> None:
    for _ in range(2):  # more than one fetch, so that fetched records wait for a poll
        fill(broker, topic, 100)
    with Consumer(config(broker, topic, max_poll_records=7, max_partition_fetch_bytes=1_000)) as consumer:
        consumer.assign(parts(topic, 0))
        found: list[int] = []
        while len(found) < 300:
            rows = consumer.poll(PATIENCE_S)
            found += [row.offset for row in rows]
            table = consumer.poll_arrow(PATIENCE_S if len(found) < 300 else 0)
            found += [] if table is None else table["offset"].to_pylist()
        assert found == list(range(300))


def test_poll__no_committed_offset_and_auto_offset_reset_none__error_until_a_seek(broker: Serving, topic: str) -> None:
    place = TopicPartition(topic, 0)
    with Consumer(config(broker, topic, auto_offset_reset="none")) as consumer:
        consumer.assign([place])
        with pytest.raises(NoOffset, match=r"No committed offset of .*, and 'auto"):
            consumer.poll(PATIENCE_S)
        consumer.seek(place, 98)
        assert [row.offset for row in read(consumer, 2)] == [98, 99]
        consumer.seek(place, 5_000)
        with pytest.raises(NoOffset, match=f"No offset 5000 in {place}"):
            consumer.poll(PATIENCE_S)


def test_pause__after_a_part_of_the_fetched_records__rest_returned_once_after_resume(
    broker: Serving, topic: str
) -> None:
    place = TopicPartition(topic, 0)
    with Consumer(config(broker, topic, max_poll_records=40)) as consumer:
        consumer.assign(parts(topic, 0))
        assert len(consumer.poll(PATIENCE_S)) == 40
        consumer.pause([place])
        assert consumer.paused() == {place}
        assert consumer.poll(0.2) == []
        consumer.resume([place])
        assert [row.offset for row in read(consumer, 60)] == list(range(40, 100))


def test_offsets_for_times__timestamp_with_and_without_later_records__offset_or_minus_1(
    broker: Serving, topic: str
) -> None:
    first, second = parts(topic, 0, 1)
    with Consumer(config(broker, topic)) as consumer:
        assert consumer.offsets_for_times({first: 42, second: 100}) == {
            first: ListedOffset(42, 42, 0),
            second: ListedOffset(-1, -1, -1),
        }
        assert consumer.beginning_offsets([first]) == {first: 0}
        assert consumer.end_offsets([first]) == {first: 100}


def test_seek__partition_not_assigned__error_names_it(broker: Serving, topic: str) -> None:
    with Consumer(config(broker, topic)) as consumer, pytest.raises(NotAssigned, match=f"{topic}-0 is not assigned"):
        consumer.seek(TopicPartition(topic, 0), 0)


def test_assign__partition_does_not_exist__unknown_partition_error(broker: Serving, topic: str) -> None:
    with Consumer(config(broker, topic)) as consumer, pytest.raises(UnknownTopic, match="has no partition 3"):
        consumer.assign(parts(topic, 3))


# --- commits ----------------------------------------------------------------------------------------------------------


def test_commit__records_returned_by_poll__next_consumer_continues_after_them(broker: Serving, topic: str) -> None:
    place = TopicPartition(topic, 0)
    with Consumer(config(broker, topic, enable_auto_commit=False, max_poll_records=10)) as consumer:
        consumer.assign([place])
        consumer.poll(PATIENCE_S)
        consumer.commit()
        assert consumer.committed([place]) == {place: OffsetAndMetadata(10, "", 0)}
        consumer.poll(PATIENCE_S)  # returned and never committed
    with Consumer(config(broker, topic)) as consumer:
        consumer.assign([place])
        assert consumer.poll(PATIENCE_S)[0].offset == 10


def test_close__automatic_commit_enabled__returned_records_are_committed(broker: Serving, topic: str) -> None:
    with Consumer(config(broker, topic)) as consumer:
        consumer.subscribe([topic])
        read(consumer, 300)
    with Consumer(config(broker, topic)) as consumer:
        assert {place.offset for place in consumer.committed(parts(topic)).values() if place} == {100}


def test_commit_async__many_commits_in_turn__offset_of_the_last_one_committed(broker: Serving, topic: str) -> None:
    place = TopicPartition(topic, 0)
    ended: list[BaseException | None] = []
    with Consumer(config(broker, topic, enable_auto_commit=False)) as consumer:
        consumer.subscribe([topic])
        consumer.poll(PATIENCE_S)
        pending = [consumer.commit_async({place: OffsetAndMetadata(number)}, ended.append) for number in range(50)]
        for future in pending:
            future.result(PATIENCE_S)
        assert consumer.committed([place])[place] == OffsetAndMetadata(49)
    assert ended == [None] * 50


def test_commit__partition_not_assigned_to_this_member__refused_before_the_request(broker: Serving, topic: str) -> None:
    with Consumer(config(broker, topic)) as consumer:
        consumer.subscribe([topic])
        consumer.poll(PATIENCE_S)
        with pytest.raises(StaleIdentity, match="partition elsewhere-0 is not, or no longer, assigned"):
            consumer.commit({TopicPartition("elsewhere", 0): OffsetAndMetadata(1)})


@pytest.mark.long
def test_commit__rebalance_lasts_longer_than_max_poll_interval__error(broker: Serving, topic: str) -> None:
    eager = {"partition_assignment_strategy": "range", "enable_auto_commit": False}
    with (
        Consumer(config(broker, topic, **eager, max_poll_interval_ms=2_000)) as consumer,
        Consumer(config(broker, topic, **eager)) as slow,
        Consumer(config(broker, topic, **eager)) as third,
    ):
        slow.subscribe([topic])
        while not slow.assignment():
            slow.poll(0.1)
        consumer.subscribe([topic])
        while not consumer.assignment():
            slow.poll(0.1)
            consumer.poll(0.1)
        mine = sorted(consumer.assignment())
        third.subscribe([topic])  # from now on `slow` does not poll, so the rebalance does not end
        while consumer.assignment():
            consumer.poll(0.1)
            third.poll(0.1)
        pending = consumer.commit_async({mine[0]: OffsetAndMetadata(1)})
        with pytest.raises(StaleIdentity):
            pending.result(PATIENCE_S)


def test_commit_owned__positions_differ_from_the_commits__positions_committed(broker: Serving, topic: str) -> None:
    with Consumer(config(broker, topic, enable_auto_commit=False, max_poll_records=10)) as consumer:
        consumer.subscribe([topic])
        first = consumer.poll(PATIENCE_S)[-1]
        assert consumer.commit_owned() == set(parts(topic))
        place = TopicPartition(topic, first.partition)
        assert consumer.committed([place])[place] == OffsetAndMetadata(first.offset + 1, "", 0)
        consumer.commit({place: OffsetAndMetadata(3)})
        assert consumer.commit_owned() == set(parts(topic))
        assert consumer.committed([place])[place] == OffsetAndMetadata(first.offset + 1, "", 0)


def test_commit_owned__partitions_lost_and_received_again__old_positions_not_committed(
    broker: Serving, topic: str
) -> None:
    with Consumer(config(broker, topic, enable_auto_commit=False, max_poll_records=10)) as consumer:
        consumer.subscribe([topic])
        first = consumer.poll(PATIENCE_S)[-1]
        assert consumer.commit_owned() == set(parts(topic))
        moved = TopicPartition(topic, consumer.poll(PATIENCE_S)[-1].partition)
        membership = consumer._core.membership
        assert membership is not None
        client_loop().call_soon_threadsafe(membership.rejoin_as_new_member)
        while not any(isinstance(event, Assigned) for event in list(membership.events)):
            threading.Event().wait(0.01)
        assert consumer.commit_owned() == set(parts(topic)) - {moved}
        assert consumer.committed([moved])[moved] == OffsetAndMetadata(first.offset + 1, "", 0)
        while moved not in consumer.commit_owned():
            consumer.poll(0.1)  # reports the loss at once or, if rows are buffered, later


# --- groups -----------------------------------------------------------------------------------------------------------


class Worker(threading.Thread):
    """Consumer in a thread that commits its records and notes its callbacks."""

    def __init__(self, config: dict[str, Any], topic: str) -> None:
        super().__init__()
        self.recorded: list[tuple[str, list[TopicPartition]]] = []
        self.rows: list[ConsumerRecord] = []
        self.error: Exception | None = None
        self.ending = threading.Event()
        self.consumer = Consumer({**config, "enable.auto.commit": False})
        self._topic = topic
        self.start()

    def run(self) -> None:
        try:
            self.consumer.subscribe(
                [self._topic],
                on_assigned=lambda partitions: self.recorded.append(("assigned", partitions)),
                on_revoked=lambda partitions: self.recorded.append(("revoked", partitions)),
                on_lost=lambda partitions: self.recorded.append(("lost", partitions)),
            )
            while not self.ending.is_set():
                self.rows += self.consumer.poll(0.1)
                self.consumer.commit()
        except Exception as error:
            self.error = error
        finally:
            self.consumer.close()

    def end(self) -> None:
        self.ending.set()
        self.join(PATIENCE_S)
        assert not self.is_alive()


def settle(workers: list[Worker], sizes: list[int]) -> None:
    give_up_at = monotonic() + PATIENCE_S
    while sorted(len(worker.consumer.assignment()) for worker in workers) != sizes:
        assert monotonic() < give_up_at, [(worker.recorded, worker.error) for worker in workers]
        threading.Event().wait(0.05)


@pytest.mark.parametrize("strategy", ["cooperative-sticky", "range", "roundrobin", "sticky"])
def test_consumer_group__second_member_joins_and_leaves__every_record_read_once(
    broker: Serving, topic: str, strategy: str
) -> None:
    base = config(broker, topic, partition_assignment_strategy=strategy)
    first = Worker(base, topic)
    settle([first], [3])
    second = Worker(base, topic)
    settle([first, second], [1, 2])
    fill(broker, topic, 20)
    give_up_at = monotonic() + PATIENCE_S
    while len(first.rows) + len(second.rows) < 360:
        assert monotonic() < give_up_at
        threading.Event().wait(0.05)
    second.end()
    settle([first], [3])
    first.end()
    assert (first.error, second.error) == (None, None)
    assert sorted(row[:3] for row in first.rows + second.rows) == [
        (topic, partition, offset) for partition in range(3) for offset in range(120)
    ]
    revoked = [partitions for what, partitions in first.recorded if what == "revoked"]
    assert [len(partitions) for partitions in revoked[:1]] == [1 if strategy == "cooperative-sticky" else 3]
    assert "lost" not in [what for what, _ in first.recorded + second.recorded]


def test_consumer_group__upgraded_from_eager_to_cooperative_in_steps__no_member_fails(
    broker: Serving, topic: str
) -> None:
    steps = [("range",), ("cooperative-sticky", "range"), ("cooperative-sticky",)]
    workers = [
        Worker(config(broker, topic, partition_assignment_strategy=steps[0], group_instance_id=f"i{n}"), topic)
        for n in range(2)
    ]
    settle(workers, [1, 2])
    for step in steps[1:]:
        for number in range(2):
            workers[number].end()
            assert workers[number].error is None
            workers[number] = Worker(
                config(broker, topic, partition_assignment_strategy=step, group_instance_id=f"i{number}"), topic
            )
        settle(workers, [1, 2])
    for worker in workers:
        worker.end()
        assert worker.error is None


@pytest.mark.usefixtures("long_holder_lookup")
def test_consumer_group__second_member_with_the_same_instance_id__error_of_the_first_names_the_second(
    broker: Serving, topic: str
) -> None:
    base = config(broker, topic, group_instance_id="only")
    first = Worker(base, topic)
    settle([first], [3])
    second = Worker(base, topic)
    settle([second], [3])
    first.join(PATIENCE_S)
    second.end()
    assert isinstance(first.error, Fenced)
    assert "process" in str(first.error)
    assert first.recorded[-1][0] == "lost"


def test_subscribe__pattern__existing_and_later_topics_that_match_are_read(broker: Serving, topic: str) -> None:
    with Consumer(config(broker, topic, metadata_max_age_ms=200)) as consumer:
        consumer.subscribe(re.compile(f"{topic}(-more)?"))
        assert {row.topic for row in read(consumer, 300)} == {topic}
        with Admin(broker.address) as admin:
            admin.create_topics([f"{topic}-more"], partitions=3)
        fill(broker, f"{topic}-more", 5)
        assert {row.topic for row in read(consumer, 15)} == {f"{topic}-more"}


def test_subscribe__other_topics__only_removed_topics_are_revoked(broker: Serving, topic: str) -> None:
    other = next(names)
    with Admin(broker.address) as admin:
        admin.create_topics([other], partitions=3)
    fill(broker, other, 1)
    recorded: list[list[TopicPartition]] = []
    with Consumer(config(broker, topic, partition_assignment_strategy="cooperative-sticky")) as consumer:
        consumer.subscribe([topic], on_revoked=recorded.append)
        read(consumer, 300)
        consumer.subscribe([topic, other], on_revoked=recorded.append)
        read(consumer, 3)
        assert recorded == []
        consumer.subscribe([other], on_revoked=recorded.append)
        give_up_at = monotonic() + PATIENCE_S
        while consumer.assignment() != set(parts(other)):
            assert monotonic() < give_up_at
            consumer.poll(0.1)
    assert recorded[0] == parts(topic)


def test_commit__broker_restarts_during_the_commit__waits_and_succeeds(tmp_path: Path) -> None:
    with serving(tmp_path) as broker:
        with Admin(broker.address) as admin:
            admin.create_topics(["t"], partitions=3)
        fill(broker, "t", 10)
        with Consumer(config(broker, "t", enable_auto_commit=False)) as consumer:
            consumer.subscribe(["t"])
            read(consumer, 30)
            broker.restart()
            consumer.commit()
            assert {place.offset for place in consumer.committed(parts("t")).values() if place} == {10}
            fill(broker, "t", 10)
            read(consumer, 30)


# --- misuse, and AsyncConsumer ----------------------------------------------------------------------------------------


def test_consumer__subscribe_and_assign_together__refused(broker: Serving, topic: str) -> None:
    with Consumer(config(broker, topic)) as consumer:
        consumer.assign(parts(topic))
        with pytest.raises(ClientError, match="partitions from assign"):
            consumer.subscribe([topic])
        consumer.unsubscribe()
        consumer.subscribe([topic])
        with pytest.raises(ClientError, match="subscribed"):
            consumer.assign(parts(topic))


def test_consumer__used_after_close__closed_error(broker: Serving, topic: str) -> None:
    consumer = Consumer(config(broker, topic))
    consumer.close()
    consumer.close()
    for use in (
        lambda: consumer.poll(0),
        lambda: consumer.committed([TopicPartition(topic, 0)]),
        lambda: consumer.partitions_of(topic),
        lambda: consumer.end_offsets([TopicPartition(topic, 0)]),
    ):
        with pytest.raises(Closed, match="is closed"):
            use()


def test_async_consumer__on_an_event_loop__same_methods_as_consumer(broker: Serving, topic: str) -> None:
    recorded: list[list[TopicPartition]] = []

    async def assigned(partitions: list[TopicPartition]) -> None:
        await asyncio.sleep(0)
        recorded.append(partitions)

    async def work() -> int:
        async with AsyncConsumer(config(broker, topic, enable_auto_commit=False)) as consumer:
            await consumer.subscribe([topic], on_assigned=assigned)
            rows = 0
            async for _ in consumer:
                rows += 1
                if rows == 300:
                    break
            await consumer.commit()
            await consumer.seek_to_beginning()
            table = await consumer.poll_arrow(PATIENCE_S)
            assert table is not None
            committed = await consumer.committed(parts(topic))
            assert {place.offset for place in committed.values() if place} == {100}
            return rows

    assert asyncio.run(work()) == 300
    assert recorded == [parts(topic)]


# --- bounded reads ----------------------------------------------------------------------------------------------------


def offsets(table: Any) -> dict[int, list[int]]:
    found: dict[int, list[int]] = {}
    for row in table.select(["partition", "offset"]).to_pylist():
        found.setdefault(row["partition"], []).append(row["offset"])
    return found


def test_read_arrow__a_whole_topic__every_record_in_order_and_nothing_committed(broker: Serving, topic: str) -> None:
    table = read_arrow(broker.address, topic)
    assert offsets(table) == {partition: list(range(100)) for partition in range(3)}
    assert table["value"].to_pylist()[:3] == [b"0", b"1", b"2"]
    assert set(table["topic"].to_pylist()) == {topic}


@pytest.mark.parametrize(
    ("bounds", "expected"),
    [
        ({"partitions": [1]}, {1: range(100)}),
        ({"start": {0: 10, 2: 99}, "end": {0: 12, 2: 100}}, {0: range(10, 12), 2: range(99, 100)}),
        ({"start": 97}, {0: range(97, 100), 1: range(97, 100), 2: range(97, 100)}),
        ({"start": 5, "end": 7, "partitions": [0]}, {0: range(5, 7)}),
        ({"start": 100}, {}),
        ({"start": {0: 7}, "end": {0: 7}}, {}),
    ],
)
def test_read_arrow__start_and_end_by_offset_time_or_partition__records_in_between(
    broker: Serving, topic: str, bounds: dict[str, Any], expected: dict[int, range]
) -> None:
    table = read_arrow({"bootstrap.servers": broker.address}, topic, **bounds, headers=True)
    assert offsets(table) == {partition: list(found) for partition, found in expected.items()}
    assert table.schema.names == ["topic", "partition", "offset", "timestamp", "key", "value", "headers"]


def test_read_arrow__offset_out_of_range__error(broker: Serving, topic: str) -> None:
    with pytest.raises(NoOffset, match=f"No offset 500 in {topic}-0"):
        read_arrow(broker.address, topic, start={0: 500}, end={0: 600})


def test_read_arrow__topic_does_not_exist__unknown_topic_error(broker: Serving) -> None:
    with pytest.raises(UnknownTopic, match="Unknown topic"):
        read_arrow({"bootstrap.servers": broker.address, "default.api.timeout.ms": 500}, "nowhere")
