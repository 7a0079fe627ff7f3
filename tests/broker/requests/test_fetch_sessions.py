"""Eviction of fetch sessions if there are too many; other behaviour of sessions is compared with Apache Kafka."""

import pytest

from tenure.broker.requests.fetch_sessions import Exchange, FetchSessions
from tenure.limits.broker import FETCH_SESSION_EVICTION_MS, FETCH_SESSION_PARTITIONS_MAX
from tenure.protocol.errors import ErrorCode
from tenure.protocol.messages import FetchPartition, FetchRequest, FetchTopic
from tenure.protocol.types import PartitionId, TopicName
from tests.steps import returned

BY_NAME = 12
OLD_MS = FETCH_SESSION_EVICTION_MS + 1


def asked(partitions: int, session_id: int = 0, epoch: int = 0, first: int = 0) -> FetchRequest:
    parts = [FetchPartition(PartitionId(first + n)) for n in range(partitions)]
    return FetchRequest(
        session_id=session_id, session_epoch=epoch, topics=[FetchTopic(TopicName("t"), partitions=parts)]
    )


def exchange_for(sessions: FetchSessions, request: FetchRequest, now_ms: int) -> Exchange | ErrorCode:
    return returned(sessions.exchange_for(request, BY_NAME, now_ms))


def begun(sessions: FetchSessions, partitions: int, now_ms: int = 0) -> int:
    exchange = exchange_for(sessions, asked(partitions), now_ms)
    assert isinstance(exchange, Exchange)
    return returned(exchange.answer([])).session_id


def test_new_fetch_session__all_slots_used_by_recent_sessions__no_session() -> None:
    sessions = FetchSessions(2)
    assert begun(sessions, 1)
    assert begun(sessions, 1)
    assert not begun(sessions, 5, now_ms=1)
    assert len(sessions) == 2


def test_new_fetch_session__another_session_unused_for_long__unused_one_is_evicted() -> None:
    sessions = FetchSessions(2)
    unused, used = begun(sessions, 1), begun(sessions, 1)
    assert isinstance(exchange_for(sessions, asked(0, used, 1), OLD_MS), Exchange)
    assert begun(sessions, 1, now_ms=OLD_MS)
    assert exchange_for(sessions, asked(0, unused, 1), OLD_MS) is ErrorCode.FETCH_SESSION_ID_NOT_FOUND
    assert isinstance(exchange_for(sessions, asked(0, used, 2), OLD_MS), Exchange)


def test_new_fetch_session__all_others_old_but_in_use__smaller_one_is_evicted() -> None:
    sessions = FetchSessions(2)
    small, large = begun(sessions, 2), begun(sessions, 3)
    for session in (small, large):
        assert isinstance(exchange_for(sessions, asked(0, session, 1), OLD_MS), Exchange)
    assert not begun(sessions, 2, now_ms=OLD_MS)
    assert begun(sessions, 3, now_ms=OLD_MS)
    assert exchange_for(sessions, asked(0, small, 2), OLD_MS) is ErrorCode.FETCH_SESSION_ID_NOT_FOUND


def test_new_fetch_session__maximum_is_0__no_session() -> None:
    assert not begun(FetchSessions(0), 1)


@pytest.mark.long
def test_incremental_fetch__session_exceeds_the_maximum_of_partitions__session_removed() -> None:
    sessions = FetchSessions(10)
    assert not begun(sessions, FETCH_SESSION_PARTITIONS_MAX + 1)
    grows = begun(sessions, FETCH_SESSION_PARTITIONS_MAX)
    assert not begun(sessions, 1)
    more = asked(1, grows, 1, first=FETCH_SESSION_PARTITIONS_MAX)
    assert exchange_for(sessions, more, 0) is ErrorCode.FETCH_SESSION_ID_NOT_FOUND
    assert begun(sessions, 1)
