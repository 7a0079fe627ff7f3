"""Incremental fetch sessions (KIP-227), without a broker."""

from tenure.client.consumer.fetch_session import FetchFrom, FetchSessionHandler
from tenure.client.values import TopicPartition
from tenure.protocol.errors import ErrorCode

A, B, C = (TopicPartition("t", number) for number in range(3))


def at(offset: int) -> FetchFrom:
    return FetchFrom(offset, 100)


def established() -> FetchSessionHandler:
    session = FetchSessionHandler()
    session.next_request({A: at(0), B: at(0)})
    assert session.handle_response(ErrorCode.NONE, 7)
    return session


def test_ask__first_request__complete_and_asks_for_a_session() -> None:
    request = FetchSessionHandler().next_request({A: at(0), B: at(0)})
    assert (request.session_id, request.session_epoch) == (0, 0)
    assert request.changed == {A: at(0), B: at(0)}


def test_ask__established__only_changes() -> None:
    request = established().next_request({A: at(5), C: at(0)})
    assert (request.session_id, request.session_epoch) == (7, 1)
    assert request.changed == {A: at(5), C: at(0)}
    assert request.forgotten == [B]


def test_ask__no_changes__names_no_partition() -> None:
    request = established().next_request({A: at(0), B: at(0)})
    assert (request.changed, request.forgotten) == ({}, [])


def test_answered__each_time__the_epoch_counts_up() -> None:
    session = established()
    for epoch in (1, 2, 3):
        assert session.next_request({A: at(epoch)}).session_epoch == epoch
        session.handle_response(ErrorCode.NONE, 7)


def test_answered__broker_without_sessions__every_request_is_complete() -> None:
    session = FetchSessionHandler()
    session.next_request({A: at(0)})
    session.handle_response(ErrorCode.NONE, 0)
    request = session.next_request({A: at(0)})
    assert (request.session_epoch, request.changed) == (0, {A: at(0)})


def test_answered__session_unknown_to_the_broker__new_session() -> None:
    session = established()
    session.next_request({A: at(1)})
    assert not session.handle_response(ErrorCode.FETCH_SESSION_ID_NOT_FOUND, 0)
    request = session.next_request({A: at(1)})
    assert (request.session_epoch, request.changed) == (0, {A: at(1)})


def test_reset__answer_lost__complete_request_replaces_the_session() -> None:
    session = established()
    session.next_request({A: at(1)})
    session.reset()
    request = session.next_request({A: at(1), B: at(2)})
    assert (request.session_id, request.session_epoch, len(request.changed)) == (7, 0, 2)
