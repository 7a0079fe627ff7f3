"""Lost requests and answers of transactions: repeated requests take effect once, in both versions."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count
from threading import Thread

import pytest

from tenure.admin import Admin
from tenure.client import (
    ClientError,
    GroupMetadata,
    OffsetAndMetadata,
    Producer,
    ProducerFenced,
    TopicPartition,
    TransactionAbortable,
)
from tenure.coordinator.metadata.features import INITIAL_LEVELS
from tenure.protocol.errors import ErrorCode
from tenure.testing import Broker
from tests.client.producer.transactional_scenarios import begun, patience, written

names = (f"faulty-{number}" for number in count())

OF_VERSION_1 = ("AddPartitionsToTxn", "AddOffsetsToTxn")
APIS = ("FindCoordinator", "InitProducerId", "Produce", "TxnOffsetCommit", "EndTxn")


@pytest.fixture(scope="module", params=[1, 2])
def version(request: pytest.FixtureRequest) -> Iterator[int]:
    """Yield a version; an upgraded broker has version 1 until its feature level is raised."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("tenure.broker.broker.INITIAL_LEVELS", INITIAL_LEVELS | {"transaction.version": request.param})
        yield request.param


@pytest.fixture(scope="module")
def broker(version: int) -> Iterator[Broker]:  # noqa: ARG001 - it starts under it
    with Broker({"transaction.state.log.num.partitions": 1}) as broker:
        yield broker


@pytest.mark.parametrize("ends", [True, False], ids=["committed", "aborted"])
@pytest.mark.parametrize("loses", ["request", "response"])
@pytest.mark.parametrize("api", [*APIS, *OF_VERSION_1])
def test_transaction__two_requests_or_answers_of_an_api_lost__same_result(
    broker: Broker, version: int, api: str, loses: str, ends: bool
) -> None:
    topic = next(names)
    place = TopicPartition(topic, 0)
    broker.create_topic(topic, partitions=2)
    lose = broker.drop_request if loses == "request" else broker.drop_response
    with Producer({"bootstrap.servers": broker.address, "transactional.id": topic}) as producer:
        fault = lose(api, times=2)
        producer.init_transactions()
        expected: list[bytes] = []
        for number, commits in enumerate((ends, True)):
            producer.begin_transaction()
            for part in range(4):
                producer.send(topic, None, b"%d-%d" % (number, part), part % 2)
            producer.flush()
            producer.send(topic, None, b"%d-4" % number, 0)
            producer.send_offsets_to_transaction({place: OffsetAndMetadata(number + 1)}, GroupMetadata(topic))
            (producer.commit_transaction if commits else producer.abort_transaction)()
            expected += [b"%d-%d" % (number, part) for part in range(5 * commits)]
        fault.end()
    assert fault.happened == (0 if api in OF_VERSION_1 and version == 2 else 2)
    assert written(broker.address, topic) == expected
    assert broker.committed(topic) == {(topic, 0): 2}


def test_commit__answer_lost_and_id_taken_over__fenced_error_says_possibly_committed(
    broker: Broker,
) -> None:
    topic = next(names)
    broker.create_topic(topic)
    with begun(broker.address, topic, client_id="first") as first:
        first.send(topic, None, b"of the first")
        first.flush()
        lost = broker.drop_response("EndTxn", client_id="first")
        kept_away = broker.drop_request("FindCoordinator", client_id="first", times=10_000)
        committing = Thread(target=lambda: outcomes.append(outcome_of(first)))
        outcomes: list[Exception | None] = []
        committing.start()
        for _ in patience("the commit's answer is lost"):
            if lost.happened and kept_away.happened:
                break
        begun(broker.address, topic).close()
        kept_away.end()
        committing.join()
    (outcome,) = outcomes
    assert isinstance(outcome, ProducerFenced)
    assert "may have happened. Read the committed records" in str(outcome)
    assert written(broker.address, topic) == [b"of the first"]


def outcome_of(producer: Producer) -> Exception | None:
    try:
        producer.commit_transaction()
    except ClientError as error:
        return error
    return None


@pytest.mark.usefixtures("version")
def test_transactional_id__expired_at_the_coordinator__transaction_aborted_and_new_producer_id_used() -> None:
    settings = {
        "transactional.id.expiration.ms": 100,
        "transaction.remove.expired.transaction.cleanup.interval.ms": 100,
    }
    with Broker(settings) as broker, Admin(broker.address) as admin, begun(broker.address, "old") as producer:
        broker.create_topic("t")
        for _ in patience("the id has expired"):
            if not admin.list_transactions():
                break
        producer.send("t", None, b"lost")
        with pytest.raises(TransactionAbortable) as forgotten:
            producer.commit_transaction()
        assert forgotten.value.error_code is ErrorCode.INVALID_PRODUCER_ID_MAPPING
        producer.abort_transaction()
        for _ in patience("it is used before it is forgotten again"):
            producer.begin_transaction()
            producer.send("t", None, b"written")
            try:
                producer.commit_transaction()
                break
            except TransactionAbortable:
                producer.abort_transaction()
        assert written(broker.address, "t") == [b"written"]
