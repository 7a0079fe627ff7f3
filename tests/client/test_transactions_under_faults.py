"""Requests of transactions that are lost, or their answers: asked again, and done once. In both versions."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count

import pytest

from tenure.broker.handlers import api_versions
from tenure.client import GroupMetadata, OffsetAndMetadata, Producer, TopicPartition, read_arrow
from tenure.testing import Broker

names = (f"faulty-{number}" for number in count())

OF_VERSION_1 = ("AddPartitionsToTxn", "AddOffsetsToTxn")
APIS = ("FindCoordinator", "InitProducerId", "Produce", "TxnOffsetCommit", "EndTxn")


@pytest.fixture(scope="module", params=[1, 2])
def broker(request: pytest.FixtureRequest) -> Iterator[Broker]:
    """Version 1 is what a broker has that was upgraded and not told so yet."""
    with pytest.MonkeyPatch.context() as patch:
        levels = dict(api_versions.FINALIZED) | {"transaction.version": request.param}
        patch.setattr(api_versions, "FINALIZED", tuple(levels.items()))
        with Broker({"transaction.state.log.num.partitions": 1}) as broker:
            yield broker


@pytest.mark.parametrize("ends", [True, False], ids=["committed", "aborted"])
@pytest.mark.parametrize("loses", ["request", "response"])
@pytest.mark.parametrize("api", [*APIS, *OF_VERSION_1])
def test_transaction__of_each_api_two_lost__as_if_none_was(broker: Broker, api: str, loses: str, ends: bool) -> None:
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
    transaction_version = dict(api_versions.FINALIZED)["transaction.version"]
    assert fault.happened == (0 if api in OF_VERSION_1 and transaction_version == 2 else 2)
    read = {"bootstrap.servers": broker.address, "isolation.level": "read_committed"}
    assert sorted(read_arrow(read, topic)["value"].to_pylist()) == expected
    assert broker.committed(topic) == {(topic, 0): 2}
