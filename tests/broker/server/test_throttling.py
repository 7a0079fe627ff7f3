"""Quotas on the wire: throttle times, muted connections, empty fetches, refused mutations (KIP-219, KIP-599)."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tenure.protocol.errors import ErrorCode
from tenure.protocol.messages import (
    AlterClientQuotasEntity,
    AlterClientQuotasEntry,
    AlterClientQuotasRequest,
    ApiVersionsRequest,
    CreatableTopic,
    CreatePartitionsRequest,
    CreatePartitionsTopic,
    CreateTopicsRequest,
    DeleteTopicsRequest,
    DeleteTopicState,
    FetchRequest,
    HeartbeatRequest,
    OpData,
)
from tenure.protocol.types import GenerationId, GroupId, MemberId
from tests.broker.handlers.test_records import NONE, Topic, batch
from tests.broker.wire import Wire
from tests.serving import Serving, serving


@pytest.fixture
def own_broker(tmp_path: Path) -> Iterator[Serving]:
    """Yield a broker whose clients have quotas of their own."""
    with serving(tmp_path, options=("--memory",)) as broker:
        yield broker


def set_quota(broker: Serving, client_id: str, key: str, value: float | None) -> None:
    entity = [AlterClientQuotasEntity("client-id", client_id)]
    ops = [OpData(key, value or 0.0, value is None)]
    with Wire(broker, "operator") as wire:
        answer = wire.ask(AlterClientQuotasRequest([AlterClientQuotasEntry(entity, ops)]))
    assert [entry.error_code for entry in answer.entries] == [0]


def records(size_bytes: int) -> bytes:
    return batch("x" * size_bytes)


def test_produce__above_byte_rate_quota__answered_with_throttle_time_and_connection_muted(own_broker: Serving) -> None:
    with Wire(own_broker, "fast") as fast, Wire(own_broker, "other") as other:
        topic = Topic(fast, "t")
        fast.send(topic.produce_request(records(50_000)))
        assert fast.receive().throttle_time_ms == 0
        set_quota(own_broker, "fast", "producer_byte_rate", 1_000)
        fast.send(topic.produce_request(records(50_000)))
        answer = fast.receive()
        assert answer.responses[0].partition_responses[0].error_code == 0
        assert 40_000 <= answer.throttle_time_ms < 45_000, "50 kB take 50 s, the windows have 10"
        fast.send(ApiVersionsRequest("test", "1"))
        assert other.ask(ApiVersionsRequest("test", "1")).error_code == 0
        assert fast.is_parked()


def test_produce__throttle_time_is_over__muted_connection_continues_in_order(own_broker: Serving) -> None:
    with Wire(own_broker, "fast") as fast:
        topic = Topic(fast, "t")
        set_quota(own_broker, "fast", "producer_byte_rate", 5_000)
        for _ in range(3):
            fast.send(topic.produce_request(records(51_000)))
        assert 0 < fast.receive().throttle_time_ms < 1_000
        set_quota(own_broker, "fast", "producer_byte_rate", None)
        answers = [fast.receive() for _ in range(2)]
        assert [answer.responses[0].partition_responses[0].base_offset for answer in answers] == [1, 2]
        assert [answer.throttle_time_ms for answer in answers] == [0, 0]


def test_produce__acks_0_above_quota__connection_muted_without_answer(own_broker: Serving) -> None:
    with Wire(own_broker, "fast") as fast:
        topic = Topic(fast, "t")
        set_quota(own_broker, "fast", "producer_byte_rate", 1_000)
        fast.send_unanswered(topic.produce_request(records(50_000), acks=NONE))
        fast.send(ApiVersionsRequest("test", "1"))
        assert fast.is_parked()


def test_heartbeat__same_client_exceeds_its_producer_quota__not_throttled(own_broker: Serving) -> None:
    with Wire(own_broker, "fast") as fast, Wire(own_broker, "fast") as member:
        topic = Topic(fast, "t")
        set_quota(own_broker, "fast", "producer_byte_rate", 1_000)
        fast.send(topic.produce_request(records(50_000)))
        assert fast.receive().throttle_time_ms > 0
        heartbeat = HeartbeatRequest(GroupId("g"), GenerationId(1), MemberId("m"))
        answer = member.ask(heartbeat)
        assert (answer.error_code, answer.throttle_time_ms) == (ErrorCode.UNKNOWN_MEMBER_ID, 0)


def test_fetch__above_byte_rate_quota__empty_answer_and_records_after_the_throttle_time(own_broker: Serving) -> None:
    with Wire(own_broker, "reader") as reader, Wire(own_broker, "writer") as writer:
        topic = Topic(writer, "t")
        for _ in range(4):
            topic.produce(records(4_000))
        set_quota(own_broker, "reader", "consumer_byte_rate", 450)
        whole = topic.fetch_request(0)
        first = reader.ask(whole)
        assert first.throttle_time_ms == 0
        size = len(bytes(first.responses[0].partitions[0].records))
        assert 4_000 < size <= 4_500, "what 10 s of the quota allow"
        second = reader.ask(whole)
        assert second.throttle_time_ms > 0
        assert second.responses == []
        reader.send(whole)
        assert reader.is_parked()
        set_quota(own_broker, "reader", "consumer_byte_rate", None)
        with Wire(own_broker, "reader") as unlimited:
            third = unlimited.ask(whole)
        assert third.throttle_time_ms == 0
        assert len(bytes(third.responses[0].partitions[0].records)) > 16_000


def test_request_percentage__tiny_quota__each_request_throttled_for_one_window_at_most(own_broker: Serving) -> None:
    set_quota(own_broker, "busy", "request_percentage", 0.000_001)
    with Wire(own_broker, "busy") as busy:
        for request in (ApiVersionsRequest("test", "1"), FetchRequest()):
            assert 0 < busy.ask(request).throttle_time_ms <= 1_000


def test_topic_changes__version_with_quota_error__refused_until_the_token_bucket_refills(own_broker: Serving) -> None:
    set_quota(own_broker, "maker", "controller_mutation_rate", 1)
    with Wire(own_broker, "maker") as maker:
        topics = [CreatableTopic(name, 30, 1) for name in ("a", "b")]
        created = maker.ask(CreateTopicsRequest(topics))
        assert [topic.error_code for topic in created.topics] == [0, ErrorCode.THROTTLING_QUOTA_EXCEEDED]
        assert 18_000 <= created.throttle_time_ms <= 19_000, "11 tokens were there, 30 are taken"
    with Wire(own_broker, "maker") as maker:
        more = maker.ask(CreatePartitionsRequest([CreatePartitionsTopic("a", 31)]))
        assert [result.error_code for result in more.results] == [ErrorCode.THROTTLING_QUOTA_EXCEEDED]
    with Wire(own_broker, "maker") as maker:
        deleted = maker.ask(DeleteTopicsRequest([DeleteTopicState("a")]))
        assert [result.error_code for result in deleted.responses] == [ErrorCode.THROTTLING_QUOTA_EXCEEDED]
    with Wire(own_broker, "maker") as maker:
        again = maker.ask(CreateTopicsRequest([CreatableTopic("a", 1, 1)]))
        assert [topic.error_code for topic in again.topics] == [ErrorCode.TOPIC_ALREADY_EXISTS]


def test_topic_changes__version_without_quota_error__accepted_with_throttle_time(own_broker: Serving) -> None:
    set_quota(own_broker, "maker", "controller_mutation_rate", 1)
    with Wire(own_broker, "maker") as maker:
        maker.send(CreateTopicsRequest([CreatableTopic(name, 30, 1) for name in ("a", "b")]), version=5)
        created = maker.receive()
        assert [topic.error_code for topic in created.topics] == [0, 0]
        assert created.throttle_time_ms > 40_000


def test_muted_connection__client_disconnects__broker_still_ends_with_status_0(own_broker: Serving) -> None:
    with Wire(own_broker, "fast") as fast:
        topic = Topic(fast, "t")
        set_quota(own_broker, "fast", "producer_byte_rate", 1_000)
        fast.send(topic.produce_request(records(50_000)))
        assert fast.receive().throttle_time_ms > 0
    assert own_broker.terminate() == 0
