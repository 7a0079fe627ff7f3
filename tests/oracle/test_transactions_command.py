"""`tenure transactions ...` works alike with Tenure's and Apache Kafka's brokers; Kafka's own tool works with Tenure's.

The tests create hanging transactions: the brokers do not verify that a producer has begun its transaction.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from confluent_kafka import KafkaException
from confluent_kafka import Producer as LibrdkafkaProducer

from tenure.protocol.batches import encode_batch, read_batches
from tenure.protocol.messages import (
    FetchPartition,
    FetchRequest,
    FetchTopic,
    PartitionProduceData,
    ProduceRequest,
    TopicProduceData,
)
from tenure.protocol.records import Record
from tests.apache_kafka import java
from tests.cli.conftest import Cli, named_after
from tests.oracle.side import Side, is_led, setting
from tests.serving import serving
from tests.wire import Wire

VERIFICATION = "transaction.partition.verification.enable"
LONG_AGO_MS = int(time.time() * 1_000) - 3_600_000


@pytest.fixture(scope="module", params=["tenure", pytest.param("kafka", marks=pytest.mark.oracle)])
def cli(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Cli]:
    if request.param == "tenure":
        settings = (f"{VERIFICATION}=false", "transaction.state.log.num.partitions=2")
        with serving(tmp_path_factory.mktemp("tenure"), *settings) as broker:
            yield Cli(broker.address)
        return
    side: Side = request.getfixturevalue("kafka")
    with setting(side, VERIFICATION, "false"):
        yield Cli(f"{side.host}:{side.port}")


@pytest.fixture
def topic(cli: Cli, request: pytest.FixtureRequest) -> Iterator[str]:
    """Yield a topic and delete it afterwards: other tests compare all topics of the two brokers."""
    name = named_after(request)
    assert cli.run("topics", "create", name, "-p", "2").exit_code == 0
    with wire_to(cli) as wire:
        until(lambda: is_led(wire, name), bool)
    yield name
    assert cli.run("topics", "delete", name).exit_code == 0
    until(lambda: cli.run("topics", "list").stdout, lambda listed: name not in listed)


def asked(cli: Cli, *words: str) -> Any:
    done = cli.run("transactions", *words, "--json")
    assert done.exit_code == 0, (words, done.stderr)
    return json.loads(done.stdout)


def until(look: Callable[[], Any], is_it: Callable[[Any], bool]) -> Any:
    deadline = time.monotonic() + 60
    while not is_it(found := look()):
        assert time.monotonic() < deadline, found
        time.sleep(0.1)
    return found


def hang(cli: Cli, topic: str, producer_id: int, timestamp_ms: int = LONG_AGO_MS) -> None:
    """Write a batch in partition 1 without a begun transaction."""
    data = encode_batch(
        [Record(0, timestamp_ms, b"k", b"v")],
        producer_id=producer_id,
        producer_epoch=3,
        base_sequence=0,
        is_transactional=True,
    )
    produced = ProduceRequest(
        "nobody", -1, 10_000, [TopicProduceData(name=topic, partition_data=[PartitionProduceData(1, data)])]
    )
    with wire_to(cli) as wire:
        assert wire.ask(produced, 9).responses[0].partition_responses[0].error_code == 0


def wire_to(cli: Cli) -> Wire:
    host, _, port = cli.address.rpartition(":")
    return Wire(host, int(port))


def readable(cli: Cli, topic: str) -> list[int]:
    """Return the base offsets of the batches that a reader of committed data gets of partition 1."""
    wanted = FetchPartition(partition=1, fetch_offset=0, partition_max_bytes=1 << 20)
    request = FetchRequest(max_bytes=1 << 20, isolation_level=1, topics=[FetchTopic(topic=topic, partitions=[wanted])])
    with wire_to(cli) as wire:
        return [batch.base_offset for batch in read_batches(wire.ask(request, 12).responses[0].partitions[0].records)]


def begin(cli: Cli, transactional_id: str, topic: str) -> LibrdkafkaProducer:
    producer = LibrdkafkaProducer({"bootstrap.servers": cli.address, "transactional.id": transactional_id})
    producer.init_transactions(60)
    producer.begin_transaction()
    producer.produce(topic, b"v", b"k", partition=1)
    assert producer.flush(60) == 0
    return producer


def test_transactions_command__hanging_transaction_found_and_aborted__readers_continue(cli: Cli, topic: str) -> None:
    hang(cli, topic, 900_001)
    hang(cli, topic, 900_002, timestamp_ms=int(time.time() * 1_000))
    assert [each["producer_id"] for each in asked(cli, "describe-producers", topic)] == [900_001, 900_002]
    done = cli.run("transactions", "find-hanging", topic)
    assert f"`tenure transactions abort {topic} 1 --start-offset 0`" in done.stderr
    assert [row.split("\t")[:4] for row in done.stdout.splitlines()[1:]] == [[topic, "1", "900001", "3"]]
    everything = asked(cli, "find-hanging", "--max-transaction-timeout", "0s")
    assert {900_001, 900_002} <= {each["producer_id"] for each in everything}
    assert readable(cli, topic) == []
    for offset in (0, 1):
        done = cli.run("transactions", "abort", topic, "1", "--start-offset", str(offset))
        assert (done.exit_code, done.stderr) == (0, "")
    assert asked(cli, "find-hanging", topic, "--max-transaction-timeout", "0s") == []
    assert until(lambda: readable(cli, topic), bool) == [0, 1, 2, 3]
    again = cli.run("transactions", "abort", topic, "1", "--start-offset", "0")
    assert (again.exit_code, again.stderr.count("\n")) == (1, 1)
    assert "begins at offset 0" in again.stderr


def test_transactions_command__open_transaction_known_to_its_coordinator__not_hanging_and_not_aborted(
    cli: Cli, topic: str
) -> None:
    name = f"id-of-{topic}"
    producer = begin(cli, name, topic)
    (described,) = asked(cli, "describe", name)
    assert (described["state"], described["partitions"]) == ("Ongoing", [f"{topic}-1"])
    assert name in {each["transactional_id"] for each in asked(cli, "list", "--state", "ongoing")}
    assert name not in {each["transactional_id"] for each in asked(cli, "list", "--state", "Empty,CompleteCommit")}
    assert name not in {each["transactional_id"] for each in asked(cli, "list", "--longer-than", "1h")}
    by_pattern = asked(
        cli, "list", "--transactional-id-pattern", f"{name[:-1]}.", "--producer-id", str(described["producer_id"])
    )
    assert [each["transactional_id"] for each in by_pattern] == [name]
    assert asked(cli, "find-hanging", topic, "--max-transaction-timeout", "0s") == []
    refused = cli.run("transactions", "abort", topic, "1", "--start-offset", "0")
    assert (refused.exit_code, f"`tenure transactions force-terminate {name}`" in refused.stderr) == (2, True)
    producer.commit_transaction(60)
    assert until(lambda: readable(cli, topic), bool) == [0, 1]


def test_transactions_force_terminate__open_transaction__aborted_and_its_producer_fenced(cli: Cli, topic: str) -> None:
    name = f"id-of-{topic}"
    producer = begin(cli, name, topic)
    done = cli.run("transactions", "force-terminate", name)
    assert (done.exit_code, done.stderr) == (0, "")
    assert until(lambda: readable(cli, topic), bool) == [0, 1]
    assert asked(cli, "describe", name)[0]["state"] == "Empty"
    with pytest.raises(KafkaException) as fenced:
        producer.commit_transaction(60)
    assert fenced.value.args[0].fatal()


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (("describe", "missing-id"), "Unknown transactional id 'missing-id'; see `tenure transactions list`"),
        (("force-terminate", "missing-id"), "Unknown transactional id 'missing-id'; "),
        (("describe-producers", "no-topic"), "Unknown topic 'no-topic' at "),
        (("list", "--state", "Gone"), "Unknown transaction state in --state: Gone. Choose among Ongoing, "),
        (("list", "--longer-than", "soon"), "Invalid duration 'soon': "),
        (("list", "--transactional-id-pattern", "(["), "Transactions of the broker at "),
    ],
)
def test_transactions_command__request_refused__error_of_one_sentence_with_the_remedy(
    cli: Cli, words: tuple[str, ...], sentence: str
) -> None:
    done = cli.run("transactions", *words)
    assert done.exit_code in (1, 2)
    assert done.stderr.startswith(f"tenure: {sentence}")
    assert done.stderr.count("\n") == 1


@pytest.mark.oracle
def test_kafka_transactions_tool__hanging_transaction__found_and_aborted(cli: Cli, topic: str) -> None:
    hang(cli, topic, 900_003)
    tool = ("org.apache.kafka.tools.TransactionsCommand", "--bootstrap-server", cli.address)
    found = java(*tool, "find-hanging", "--topic", topic)
    assert f"{topic}" in found
    assert "900003" in found
    java(*tool, "abort", "--topic", topic, "--partition", "1", "--start-offset", "0")
    assert until(lambda: readable(cli, topic), bool) == [0, 1]
