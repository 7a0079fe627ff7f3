"""Incremental fetch sessions (KIP-227), without a broker."""

from tenure.client.consumer.fetch_session import FetchFrom, FetchSessionHandler
from tenure.client.values import TopicPartition
from tenure.protocol.errors import ErrorCode

A, B, C = (TopicPartition("t", number) for number in range(3))


def at(offset: int) -> FetchFrom:
    return FetchFrom(offset, 100)


def established() -> FetchSessionHandler:
    session = FetchSessionHandler()
    session.ask({A: at(0), B: at(0)})
    assert session.answered(ErrorCode.NONE, 7)
    return session


def test_ask__first_request__complete_and_asks_for_a_session() -> None:
    ask = FetchSessionHandler().ask({A: at(0), B: at(0)})
    assert (ask.session_id, ask.session_epoch) == (0, 0)
    assert ask.changed == {A: at(0), B: at(0)}


def test_ask__established__only_changes() -> None:
    ask = established().ask({A: at(5), C: at(0)})
    assert (ask.session_id, ask.session_epoch) == (7, 1)
    assert ask.changed == {A: at(5), C: at(0)}
    assert ask.forgotten == [B]


def test_ask__no_changes__names_no_partition() -> None:
    ask = established().ask({A: at(0), B: at(0)})
    assert (ask.changed, ask.forgotten) == ({}, [])


def test_answered__each_time__the_epoch_counts_up() -> None:
    session = established()
    for epoch in (1, 2, 3):
        assert session.ask({A: at(epoch)}).session_epoch == epoch
        session.answered(ErrorCode.NONE, 7)


def test_answered__broker_without_sessions__every_request_is_complete() -> None:
    session = FetchSessionHandler()
    session.ask({A: at(0)})
    session.answered(ErrorCode.NONE, 0)
    ask = session.ask({A: at(0)})
    assert (ask.session_epoch, ask.changed) == (0, {A: at(0)})


def test_answered__session_unknown_to_the_broker__new_session() -> None:
    session = established()
    session.ask({A: at(1)})
    assert not session.answered(ErrorCode.FETCH_SESSION_ID_NOT_FOUND, 0)
    ask = session.ask({A: at(1)})
    assert (ask.session_epoch, ask.changed) == (0, {A: at(1)})


def test_broken__answer_lost__complete_request_replaces_the_session() -> None:
    session = established()
    session.ask({A: at(1)})
    session.broken()
    ask = session.ask({A: at(1), B: at(2)})
    assert (ask.session_id, ask.session_epoch, len(ask.changed)) == (7, 0, 2)
