"""The producer against a broker: settings, result of each record, Arrow columns."""

import threading
from collections.abc import Iterator
from concurrent.futures import Future
from itertools import count
from typing import Any

import pyarrow as pa
import pytest

from tenure.admin import Admin
from tenure.client import Producer, RecordMetadata, read_arrow
from tenure.client.configuration import ConfigurationError
from tenure.client.errors import DeliveryFailed, RecordTooLarge, RequestTimedOut
from tenure.client.producer.partitioner import partition_for_key
from tenure.client.producer.producer_settings import producer_settings
from tenure.protocol.compression import Codec
from tests.serving import Serving, serving

PATIENCE_S = 60.0
names = (f"produced-{number}" for number in count())


@pytest.fixture(scope="module")
def broker(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Serving]:
    with serving(tmp_path_factory.mktemp("producer"), "log.retention.ms=-1") as broker:  # no retention
        yield broker


@pytest.fixture
def topic(broker: Serving) -> str:
    return topic_of(broker, 3)


def topic_of(broker: Serving, partitions: int) -> str:
    name = next(names)
    with Admin(broker.address) as admin:
        admin.create_topics([name], partitions=partitions)
    return name


def producer_of(broker: Serving, **others: Any) -> Producer:
    """Return a producer with Kafka's keys, written with underscores for dots."""
    return Producer({"bootstrap.servers": broker.address} | {key.replace("_", "."): v for key, v in others.items()})


def written(broker: Serving, topic: str, **options: Any) -> list[dict[str, Any]]:
    return read_arrow(broker.address, topic, **options).drop_columns(["topic"]).to_pylist()


def values(broker: Serving, topic: str) -> list[bytes]:
    return [row["value"] for row in written(broker, topic)]


# --- keys -------------------------------------------------------------------------------------------------------------


def test_producer_settings__only_bootstrap_servers__kafkas_defaults_except_batch_size() -> None:
    settings = producer_settings("localhost:9092")
    assert (settings.acks, settings.is_idempotent, settings.codec, settings.linger_s) == (-1, True, Codec.NONE, 0.005)
    assert (settings.buffer_bytes, settings.max_request_bytes) == (32 << 20, 1 << 20)
    assert (settings.delivery_timeout_s, settings.max_block_s, settings.retries) == (120, 60, 2**31 - 1)


@pytest.mark.parametrize("lowered", [{"acks": 1}, {"acks": "0"}, {"retries": 0}])
def test_producer_settings__acks_or_retries_lowered__idempotence_off_or_error_if_it_was_enabled(
    lowered: dict[str, Any],
) -> None:
    address = {"bootstrap.servers": "localhost:9092"}
    assert not producer_settings(address | lowered).is_idempotent
    with pytest.raises(ConfigurationError, match=f"Remove '{next(iter(lowered))}'"):
        producer_settings(address | lowered | {"enable.idempotence": True})


@pytest.mark.parametrize(
    ("key", "value", "sentence"),
    [
        ("acks", "2", "Invalid setting 'acks': must be all, 1 or 0, not '2'."),
        (
            "compression.type",
            "brotli",
            "Invalid setting 'compression.type': must be one of none, gzip, snappy, lz4, zstd, not 'brotli'.",
        ),
        ("linger_ms", 5, "Unknown setting 'linger_ms': did you mean 'linger.ms'?"),
        ("delivery.timeout.ms", 10, "Invalid setting 'delivery.timeout.ms': must be at least 'linger.ms' plus"),
        ("sasl.mechanism", "GSSAPI", "Invalid setting 'sasl.mechanism': must be one of PLAIN"),
    ],
)
def test_producer_settings__invalid__error_names_the_key(key: str, value: Any, sentence: str) -> None:
    with pytest.raises(ConfigurationError) as raised:
        producer_settings({"bootstrap.servers": "localhost:9092", key: value})
    assert str(raised.value).startswith(sentence)


# --- rows -------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("acks", ["all", 1])
def test_send__with_on_delivery__callback_gets_partition_and_offset_of_each_record(
    broker: Serving, topic: str, acks: Any
) -> None:
    outcomes: list[Future[RecordMetadata | DeliveryFailed]] = [Future() for _ in range(20)]
    with producer_of(broker, acks=acks) as producer:
        for number, outcome in enumerate(outcomes):
            producer.send(topic, None, b"v", number % 2, on_delivery=outcome.set_result)
    told = [outcome.result(PATIENCE_S) for outcome in outcomes]
    assert told == [RecordMetadata(topic, number % 2, number // 2) for number in range(20)]


def test_send__acks_0__record_written_and_reported_offset_is_minus_1(broker: Serving) -> None:
    topic = topic_of(broker, 1)
    outcome: Future[RecordMetadata | DeliveryFailed] = Future()
    with producer_of(broker, acks=0, batch_size=1_000) as producer:
        for number in range(500):
            producer.send(topic, None, b"%d" % number)
        producer.send(topic, None, b"500", on_delivery=outcome.set_result)
    assert outcome.result(PATIENCE_S) == RecordMetadata(topic, 0, -1)
    with producer_of(broker) as producer:  # records with acks=0 are not acknowledged, so wait for one that is
        producer.send(topic, None, b"501")
    assert sorted(values(broker, topic), key=int) == [b"%d" % number for number in range(502)]


def test_send__refused_with_on_delivery__callback_gets_the_error_once(broker: Serving, topic: str) -> None:
    outcome: Future[RecordMetadata | DeliveryFailed] = Future()
    with producer_of(broker, max_request_size=3_000_000) as producer:
        producer.send(topic, None, b"x" * 2_000_000, on_delivery=outcome.set_result)
        producer.flush()
    told = outcome.result(PATIENCE_S)
    assert isinstance(told, DeliveryFailed)
    assert "MESSAGE_TOO_LARGE" in str(told)


def test_send__on_delivery_raises__the_other_records_are_written(broker: Serving, topic: str) -> None:
    def fail(_: object) -> None:
        raise RuntimeError("the user's")

    with producer_of(broker) as producer:
        producer.send(topic, None, b"1", 0, on_delivery=fail)
        producer.flush()
        producer.send(topic, None, b"2", 0)
    assert values(broker, topic) == [b"1", b"2"]


def test_send__record_larger_than_max_request_size__refused_at_once(broker: Serving, topic: str) -> None:
    with producer_of(broker) as producer:
        with pytest.raises(RecordTooLarge, match=r"exceeds 'max.request.size'"):
            producer.send(topic, None, b"x" * (1 << 20))
        producer.send(topic, None, b"small")
    assert values(broker, topic) == [b"small"]


def test_send__text_as_key_or_value__error_and_other_records_are_written(broker: Serving, topic: str) -> None:
    text: Any = "text"
    with producer_of(broker, linger_ms=200) as producer:
        with pytest.raises(TypeError):
            producer.send(topic, b"k", text, 0)
        producer.send(topic, b"k", b"v", 0)
        with pytest.raises(TypeError):
            producer.send(topic, text, b"v", 0)
    assert values(broker, topic) == [b"v"]


def test_send__large_records_after_small_ones__no_batch_exceeds_its_size(broker: Serving) -> None:
    topic = topic_of(broker, 1)
    sent = [b"s" * 100_000, b"l" * 1_000_000] * 5
    with producer_of(broker, linger_ms=1_000) as producer:
        for value in sent:
            producer.send(topic, None, value)
    assert values(broker, topic) == sent


def test_send__batch_full_before_linger_ms__sent_at_once(broker: Serving, topic: str) -> None:
    outcome: Future[RecordMetadata | DeliveryFailed] = Future()
    with producer_of(broker, linger_ms=600_000, batch_size=1_000) as producer:
        producer.send(topic, None, b"x" * 600, 0, on_delivery=outcome.set_result)
        producer.send(topic, None, b"x" * 600, 0)
        assert outcome.result(PATIENCE_S) == RecordMetadata(topic, 0, 0)


def test_send__buffer_full_and_broker_stopped__error_after_max_block_ms(broker: Serving, topic: str) -> None:
    release = threading.Event()
    outcome: Future[RecordMetadata | DeliveryFailed] = Future()

    def hold(told: RecordMetadata | DeliveryFailed) -> None:
        outcome.set_result(told)
        release.wait(PATIENCE_S)  # blocks the event loop, as if the broker did not answer

    with producer_of(broker, buffer_memory=1_000, linger_ms=0, max_block_ms=1_000) as producer:
        producer.send(topic, None, b"x" * 900, on_delivery=hold)
        outcome.result(PATIENCE_S)
        try:
            with pytest.raises(RequestTimedOut, match=r"buffer full for 1 s: .* Raise 'buffer.memory'"):
                producer.send(topic, None, b"x" * 900)
        finally:
            release.set()


def test_send__topic_grows__the_new_partitions_are_used(broker: Serving) -> None:
    topic = topic_of(broker, 1)
    with producer_of(broker, metadata_max_age_ms=50) as producer:
        producer.send(topic, b"k", b"v")
        with Admin(broker.address) as admin:
            admin.create_partitions(topic, 2)
        for number in range(10_000):
            producer.send(topic, b"%d" % number, b"v")
            producer.flush()
            if any(row["partition"] == 1 for row in written(broker, topic)):
                break
        assert any(row["partition"] == 1 for row in written(broker, topic))


def test_exit_of_a_producer__exception_inside_the_with_block__callback_gets_delivery_failed(
    broker: Serving, topic: str
) -> None:
    outcome: Future[RecordMetadata | DeliveryFailed] = Future()

    def fail() -> None:
        with producer_of(broker, linger_ms=600_000) as producer:
            producer.send(topic, None, b"v", on_delivery=outcome.set_result)
            raise KeyError

    with pytest.raises(KeyError):
        fail()
    assert isinstance(outcome.result(PATIENCE_S), DeliveryFailed)


# --- columns ----------------------------------------------------------------------------------------------------------


def test_send_arrow__part_of_a_table__only_its_rows_with_all_columns(broker: Serving, topic: str) -> None:
    numbers = range(10)
    table = pa.table(
        {
            "partition": pa.array([number % 2 for number in numbers], pa.int32()),
            "timestamp": pa.array([1_000 * number for number in numbers], pa.timestamp("ms", "UTC")),
            "key": [None if number == 5 else b"key %d" % number for number in numbers],
            "value": [b"value %d" % number for number in numbers],
            "headers": pa.array([[("n", b"%d" % number)] for number in numbers], pa.map_(pa.string(), pa.binary())),
        }
    )
    with producer_of(broker) as producer:
        producer.send_arrow(topic, table.slice(3, 4))
    rows = written(broker, topic, headers=True)
    assert [row["value"] for row in rows] == [b"value 4", b"value 6", b"value 3", b"value 5"]
    assert [row["key"] for row in rows] == [b"key 4", b"key 6", b"key 3", None]
    assert [row["timestamp"].second for row in rows] == [4, 6, 3, 5]
    assert [row["headers"][0]["value"] for row in rows] == [b"4", b"6", b"3", b"5"]


@pytest.mark.parametrize("codec", [codec.name.lower() for codec in Codec])
def test_send_arrow__all_columns__same_values_read_back(broker: Serving, topic: str, codec: str) -> None:
    table = pa.table(
        {
            "partition": pa.array([2, 0, 2, 0], pa.int32()),
            "timestamp": pa.array([1_000, 2_000, 3_000, 4_000], pa.timestamp("us")).cast(pa.timestamp("us", "UTC")),
            "key": pa.array([b"a", None, b"", b"k" * 40], pa.binary_view()),
            "value": ["ä", None, "", "long" * 5_000],
            "headers": pa.array(
                [[("h", b"1"), ("n", None)], [], None, [("ü", b"")]], pa.map_(pa.string(), pa.binary())
            ),
        }
    )
    with producer_of(broker, compression_type=codec) as producer:
        producer.send_arrow(topic, table)
    rows = written(broker, topic, headers=True)
    assert [(row["partition"], row["offset"], row["timestamp"].microsecond) for row in rows] == [
        (0, 0, 2_000),
        (0, 1, 4_000),
        (2, 0, 1_000),
        (2, 1, 3_000),
    ]
    assert [row["key"] for row in rows] == [None, b"k" * 40, b"a", b""]
    assert [row["value"] for row in rows] == [None, b"long" * 5_000, "ä".encode(), b""]
    assert [[(h["key"], h["value"]) for h in row["headers"]] for row in rows] == [
        [],
        [("ü", b"")],
        [("h", b"1"), ("n", None)],
        [],
    ]


def test_send_arrow__rows_with_keys__same_partitions_as_in_java_and_in_order(broker: Serving, topic: str) -> None:
    keys = [f"N{number % 70}" for number in range(20_000)]
    table = pa.table({"key": keys, "value": [str(number) for number in range(20_000)]})
    with producer_of(broker, batch_size=10_000) as producer:
        producer.send_arrow(topic, table)
    rows = written(broker, topic)
    for partition in range(3):
        assert [int(row["value"]) for row in rows if row["partition"] == partition] == [
            number for number, key in enumerate(keys) if partition_for_key(key.encode(), 3) == partition
        ]


def test_send_arrow__rows_without_keys__batches_spread_evenly_over_partitions(broker: Serving, topic: str) -> None:
    table = pa.table({"value": [b"x" * 84] * 300})
    with producer_of(broker, batch_size=1_000, linger_ms=600_000) as producer:  # no batch is sent before it is full
        producer.send_arrow(topic, table.slice(0, 7))
        producer.send_arrow(topic, table.slice(7).to_batches()[0])
    sizes = [sum(row["partition"] == partition for row in written(broker, topic)) for partition in range(3)]
    assert sum(sizes) == 300
    assert max(sizes) - min(sizes) <= 10


def test_send_arrow__between_two_calls_of_send__order_is_kept(broker: Serving) -> None:
    topic = topic_of(broker, 1)
    with producer_of(broker, linger_ms=1_000) as producer:
        producer.send(topic, None, b"1")
        producer.send_arrow(topic, pa.table({"value": ["2", "3"]}))
        producer.send(topic, None, b"4")
    assert values(broker, topic) == [b"1", b"2", b"3", b"4"]


def test_send_arrow__table_larger_than_the_buffer__waits_for_memory(broker: Serving) -> None:
    topic = topic_of(broker, 1)
    with producer_of(broker, buffer_memory=100_000, batch_size=20_000) as producer:
        producer.send_arrow(topic, pa.table({"value": [b"%0100d" % number for number in range(10_000)]}))
    assert [int(value) for value in values(broker, topic)] == list(range(10_000))


def test_send_arrow__table_from_read_arrow__same_records_in_the_other_topic(broker: Serving, topic: str) -> None:
    with producer_of(broker) as producer:
        for number in range(100):
            producer.send(topic, b"%d" % number, b"v" * number, timestamp_ms=number, headers=[("n", b"%d" % number)])
    copy = topic_of(broker, 3)
    with producer_of(broker) as producer:
        producer.send_arrow(copy, read_arrow(broker.address, topic, headers=True).drop_columns(["topic", "offset"]))
    assert written(broker, copy, headers=True) == written(broker, topic, headers=True)


@pytest.mark.parametrize("rows", [pa.table({"value": pa.array([], pa.binary())}), pa.table({"value": pa.nulls(2)})])
def test_send_arrow__table_empty_or_with_null_values__one_record_per_row(
    broker: Serving, topic: str, rows: pa.Table
) -> None:
    with producer_of(broker) as producer:
        producer.send_arrow(topic, rows)
    assert values(broker, topic) == [None] * len(rows)


@pytest.mark.parametrize(
    ("columns", "sentence"),
    [
        ({"value": ["v"], "offset": [1]}, "Unknown column 'offset': a record has the columns"),
        ({"key": ["k"]}, "Missing column 'value'"),
        ({"value": [1]}, "Invalid column 'value': int64 cannot be converted to binary"),
        ({"value": ["v"], "partition": [3]}, "Unknown partition 3: the topic has partitions 0 to 2"),
        ({"value": ["v"], "partition": [-1]}, "Unknown partition -1: the topic has partitions 0 to 2"),
        ({"value": ["v"], "headers": ["h"]}, "Invalid column 'headers': string cannot be converted"),
    ],
)
def test_send_arrow__invalid_columns__error_of_one_sentence(
    broker: Serving, topic: str, columns: dict[str, Any], sentence: str
) -> None:
    with producer_of(broker) as producer, pytest.raises(ValueError, match=sentence):
        producer.send_arrow(topic, pa.table(columns))


def test_send_arrow__row_larger_than_max_request_size__error_names_the_row(broker: Serving, topic: str) -> None:
    table = pa.table({"value": [b"small", b"x" * (1 << 20)]})
    with producer_of(broker) as producer, pytest.raises(RecordTooLarge, match=r"Row 1 has 1048592 bytes"):
        producer.send_arrow(topic, table)


@pytest.mark.long
def test_send_arrow__broker_killed_under_load__every_record_once_and_in_order(
    tmp_path_factory: pytest.TempPathFactory,
) -> None:
    with serving(tmp_path_factory.mktemp("killed"), "tenure.data.durability=fsync") as broker:
        topic = topic_of(broker, 2)
        with producer_of(broker, batch_size=5_000) as producer:
            for first in range(0, 60_000, 6_000):
                numbers = [str(number) for number in range(first, first + 6_000)]
                producer.send_arrow(topic, pa.table({"value": numbers, "partition": [0, 1] * 3_000}))
                if first in (12_000, 36_000):
                    broker.kill()
                    broker.restart()
        rows = written(broker, topic)
    for partition in range(2):
        read = [int(row["value"]) for row in rows if row["partition"] == partition]
        assert read == list(range(partition, 60_000, 2))
