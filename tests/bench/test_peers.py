"""Check of the outputs of the stream processors that Tenure is compared with."""

from collections.abc import Iterator, Sequence

import pytest

from bench.brokers import create_topic
from bench.peers.workloads import (
    COUNTS,
    KEYS_PER_PARTITION,
    PARTITIONS,
    TIMES_PER_BATCH,
    WINDOWS,
    Input,
    check,
    fill,
)
from bench.records import keys_of
from tenure.client import Producer
from tests.serving import Serving, serving
from tests.topic_records import records_of

BATCHES = 30
KEYS = [key for partition in range(PARTITIONS) for key in keys_of(partition, PARTITIONS, KEYS_PER_PARTITION)]


@pytest.fixture(scope="module")
def broker(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Serving]:
    with serving(tmp_path_factory.mktemp("peers")) as started:
        yield started


def write(broker: Serving, topic: str, values: Sequence[tuple[bytes, bytes]]) -> None:
    create_topic(broker, topic, PARTITIONS)
    with Producer(broker.address) as producer:
        for key, value in values:
            producer.send(topic, key, value)


def test_fill_input_topic__two_batches__each_key_as_often_as_expected(broker: Serving) -> None:
    given = fill(broker, COUNTS, 2)
    keys = [key for key, _ in records_of(broker.address, given.topic)]
    assert len(keys) == given.records
    assert {key: keys.count(key) for key in KEYS[:3]} == dict.fromkeys(KEYS[:3], 2 * TIMES_PER_BATCH)


def test_check_output__counts_repeated_or_wrong__only_a_wrong_last_count_refused(broker: Serving) -> None:
    given = Input("unused", BATCHES)
    right = b"%d" % (BATCHES * TIMES_PER_BATCH)
    write(broker, "right-counts", [(key, b"1") for key in KEYS[:9]] + [(key, right) for key in KEYS])
    check(COUNTS, given, broker.address, "right-counts")
    write(broker, "wrong-counts", [(key, right) for key in KEYS[1:]] + [(KEYS[0], b"61")])
    with pytest.raises(AssertionError, match="wrong counts"):
        check(COUNTS, given, broker.address, "wrong-counts")


def test_check_output__windows_still_open_or_wrong__only_a_wrong_count_refused(broker: Serving) -> None:
    given = Input("unused", BATCHES)
    right = [(key, b"%d 20" % start) for key in KEYS for start in (0, 10_000)]
    write(broker, "right-windows", [*right, *((key, b"20000 3") for key in KEYS[:9])])
    check(WINDOWS, given, broker.address, "right-windows")
    write(broker, "wrong-windows", [*right[1:], (KEYS[0], b"0 19")])
    with pytest.raises(AssertionError):
        check(WINDOWS, given, broker.address, "wrong-windows")
