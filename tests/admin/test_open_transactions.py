"""Actions of an administrator on open transactions in a partition."""

from __future__ import annotations

from tenure.admin import Admin
from tenure.client import Producer, TopicPartition
from tenure.client.queries.blocking import list_offsets
from tenure.protocol.special_values import LATEST
from tenure.testing import Broker

PLACE = TopicPartition("out", 0)


def test_abort_open_transaction__answer_lost_and_request_repeated__only_one_marker_written() -> None:
    with Broker() as broker, Admin(broker.address) as admin:
        broker.create_topic(PLACE.topic)
        with Producer({"bootstrap.servers": broker.address, "transactional.id": "t"}) as producer:
            producer.init_transactions()
            producer.begin_transaction()
            producer.send(PLACE.topic, None, b"open")
            producer.flush()
            (found,) = admin.describe_producers([PLACE])
            lost = broker.drop_response("WriteTxnMarkers")
            admin.abort_transaction(found)
            assert lost.happened == 1
            assert list_offsets(broker.address, {PLACE: LATEST})[PLACE].offset == 2  # the record and its marker
