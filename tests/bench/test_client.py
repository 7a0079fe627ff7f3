"""Clients that `make bench` compares: each writes all records with the required codec, and each reads all records."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from bench import client
from bench.brokers import create_topic
from bench.client import READERS, WRITERS, values_of, written
from bench.extent import Extent
from bench.kafka_clients import PARTITIONS, Clock
from tenure.protocol.batches import Batch, read_batches
from tenure.protocol.compression import Codec
from tests.serving import Serving, serving
from tests.topic_records import records_of

RECORDS = 2_000


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("clients")


@pytest.fixture(scope="module")
def broker(data: Path) -> Iterator[Serving]:
    with serving(data) as started:
        yield started


def batches_of(data: Path, topic: str) -> list[Batch]:
    return [batch for path in sorted(data.glob(f"*/{topic}-*/*.log")) for batch in read_batches(path.read_bytes())]


@pytest.mark.long
@pytest.mark.parametrize("codec", [codec.name.lower() for codec in Codec])
@pytest.mark.parametrize("name", WRITERS)
def test_benchmark_client__writes_a_topic_with_each_codec__batches_have_the_codec_and_each_client_reads_all_records(
    broker: Serving, data: Path, name: str, codec: str
) -> None:
    topic, records, clock = f"by-{name}-{codec}", written(values_of(100), RECORDS), Clock()
    create_topic(broker, topic, PARTITIONS)
    WRITERS[name](broker, topic, codec, records, clock)
    assert clock.seconds > 0
    expected = list(zip(records.keys, records.values, strict=True))
    assert sorted(records_of(broker.address, topic)) == sorted([expected[0], *expected])
    assert {batch.codec for batch in batches_of(data, topic) if batch.count > 1} == {Codec[codec.upper()]}
    for read in READERS.values():
        read(broker, topic, RECORDS + 1, clock)  # it waits for all of them


@pytest.mark.long
def test_client_benchmark__few_records__rate_of_each_function_and_its_ratio_to_each_peer(
    broker: Serving, monkeypatch: pytest.MonkeyPatch
) -> None:
    case = next(case for case in client.CASES if case.codec is Codec.ZSTD)
    monkeypatch.setattr(client, "CASES", (case,))
    told = [figure.what for figure in client.measured(broker, Extent(1, 0.0, 0.01, is_quick=True))]
    peers = ["... times confluent-kafka", "... times aiokafka"]
    names = ("send", "send_arrow", "poll", "poll_arrow")
    expected = [what for name in names for what in (f"{name}, 100 B, zstd", *peers)]
    assert told == [*expected, "... of it decompression"]
