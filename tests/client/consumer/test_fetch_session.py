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


def test_next_request__no_session_yet__all_partitions_and_a_new_session_requested() -> None:
    request = FetchSessionHandler().next_request({A: at(0), B: at(0)})
    assert (request.session_id, request.session_epoch) == (0, 0)
    assert request.changed == {A: at(0), B: at(0)}


def test_next_request__session_exists__only_changed_and_forgotten_partitions() -> None:
    request = established().next_request({A: at(5), C: at(0)})
    assert (request.session_id, request.session_epoch) == (7, 1)
    assert request.changed == {A: at(5), C: at(0)}
    assert request.forgotten == [B]


def test_next_request__nothing_changed__no_partitions() -> None:
    request = established().next_request({A: at(0), B: at(0)})
    assert (request.changed, request.forgotten) == ({}, [])


def test_handle_response__success__session_epoch_increases_by_one() -> None:
    session = established()
    for epoch in (1, 2, 3):
        assert session.next_request({A: at(epoch)}).session_epoch == epoch
        session.handle_response(ErrorCode.NONE, 7)


def test_handle_response__broker_without_fetch_sessions__next_request_has_all_partitions() -> None:
    session = FetchSessionHandler()
    session.next_request({A: at(0)})
    session.handle_response(ErrorCode.NONE, 0)
    request = session.next_request({A: at(0)})
    assert (request.session_epoch, request.changed) == (0, {A: at(0)})


def test_handle_response__session_unknown_to_the_broker__next_request_begins_a_new_session() -> None:
    session = established()
    session.next_request({A: at(1)})
    assert not session.handle_response(ErrorCode.FETCH_SESSION_ID_NOT_FOUND, 0)
    request = session.next_request({A: at(1)})
    assert (request.session_epoch, request.changed) == (0, {A: at(1)})


def test_reset__answer_was_lost__next_request_replaces_the_session() -> None:
    session = established()
    session.next_request({A: at(1)})
    session.reset()
    request = session.next_request({A: at(1), B: at(2)})
    assert (request.session_id, request.session_epoch, len(request.changed)) == (7, 0, 2)
