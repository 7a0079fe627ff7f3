"""Tenure's transactional producer on Apache Kafka, in transactions of both versions; librdkafka reads the records."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest

from tests.apache_kafka import apache_kafka
from tests.client.producer import transactional_scenarios as scenarios
from tests.client.producer.transactional_scenarios import begun, producer_of, topic_of
from tests.interop.test_transactions import read_committed
from tests.oracle.conftest import require_kafka

SETTINGS = {
    "group.consumer.min.heartbeat.interval.ms": "100",
    "group.consumer.heartbeat.interval.ms": "200",
    "group.consumer.assignment.interval.ms": "0",
    "transaction.abort.timed.out.transaction.cleanup.interval.ms": "200",
    "transaction.state.log.num.partitions": "3",
}

pytestmark = pytest.mark.interop

OF_BOTH_VERSIONS = [
    scenarios.fenced_by_transactional_id,
    scenarios.continues_after_a_refused_batch,
    scenarios.closed_within_a_transaction,
    scenarios.killed_within_a_transaction,
    scenarios.writes_in_lent_transactions,
    scenarios.writes_between_a_commit_and_its_marker,
]
OF_VERSION_2 = [
    scenarios.reads_up_to_the_last_stable_offset,
    scenarios.fenced_while_writing,
    scenarios.fenced_by_generation,
    scenarios.fenced_by_member_epoch,
    scenarios.fenced_by_instance_id,
    scenarios.fenced_by_instance_id_in_a_consumer_group,
    scenarios.exceeds_its_timeout_and_continues,
]


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    require_kafka()
    with apache_kafka(tmp_path_factory.mktemp("kafka"), settings=SETTINGS) as broker:
        yield broker.address


@pytest.fixture(scope="module")
def old_address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Yield the address of a broker with transactions of version 1."""
    require_kafka()
    directory = tmp_path_factory.mktemp("old")
    with apache_kafka(directory, settings=SETTINGS, features=["transaction.version=1"]) as broker:
        yield broker.address


@pytest.mark.parametrize("scenario", [*OF_BOTH_VERSIONS, *OF_VERSION_2], ids=lambda it: it.__name__)
def test_transactions_on_apache_kafka__each_scenario__same_records_and_errors_as_on_tenures_broker(
    address: str, scenario: Callable[[str], None]
) -> None:
    scenario(address)


@pytest.mark.parametrize("group_protocol", ["classic", "consumer"])
def test_consume_transform_produce__every_second_transaction_aborted__each_record_once(
    address: str, group_protocol: str
) -> None:
    scenarios.transform_with_aborts(address, group_protocol)


@pytest.mark.parametrize(
    "scenario", [*OF_BOTH_VERSIONS, scenarios.fenced_after_its_timeout], ids=lambda it: it.__name__
)
def test_transaction_version_1__each_scenario__records_and_errors_that_the_scenario_expects(
    old_address: str, scenario: Callable[[str], None]
) -> None:
    scenario(old_address)


def test_transaction_version_1__several_partitions__all_added_and_read_by_librdkafka(old_address: str) -> None:
    topic = topic_of(old_address)
    with producer_of(old_address, topic) as producer:
        producer.init_transactions()
        for number in range(4):
            producer.begin_transaction()
            producer.send(topic, None, b"%d" % number, 0)
            producer.send(topic, None, b"%d" % number, 1)
            (producer.abort_transaction if number % 2 else producer.commit_transaction)()
    with begun(old_address, f"{topic}-other") as other:
        other.send(topic, None, b"last", 0)
        other.commit_transaction()
    assert sorted(read_committed(old_address, topic, 5)) == [b"0", b"0", b"2", b"2", b"last"]
