"""Incremental fetch sessions (KIP-227): after the first request, requests and responses contain only changes.

A session is identified by its id, on any connection. Its epoch counts the requests, so that the broker notices if a
request was lost or repeated. A partition whose records were sent moves to the end of the order in which partitions are
read. So even with a small `max_bytes`, records of all partitions are sent after some requests.
"""

import os
from collections.abc import Generator, Iterator
from typing import Final, TypeAlias

from tenure.broker.requests.steps import ITEMS_AT_ONCE
from tenure.limits.broker import FETCH_SESSION_EVICTION_MS, FETCH_SESSION_PARTITIONS_MAX
from tenure.protocol.errors import ErrorCode
from tenure.protocol.messages import (
    FetchableTopicResponse,
    FetchPartition,
    FetchRequest,
    FetchResponse,
    FetchTopic,
    ForgottenTopic,
    PartitionData,
)
from tenure.protocol.types import TopicId, TopicName

NO_SESSION: Final = 0
FULL_EPOCH: Final = 0
"""Epoch of a request that names all partitions and asks for a session."""
FINAL_EPOCH: Final = -1
"""Epoch of a request that uses no session. If the request has the id of a session, this session ends."""
EPOCH_MAX: Final = 2**31 - 1
ID_MAX: Final = 2**31 - 1
NEVER_SENT: Final = -1
"""Offset that no log has, so that the next response contains the partition even if nothing has changed."""
BY_ID_SINCE: Final = 13

Place: TypeAlias = "tuple[TopicName | TopicId, int]"
"""Partition of a session: its topic, by name or id as in the session's requests, and its number."""


class FollowedPartition:
    """Partition of a session: the requested fetch position, and the values that the broker has sent last."""

    __slots__ = ("high_watermark", "log_start_offset", "requested", "topic", "topic_id")

    def __init__(self, topic: FetchTopic, requested: FetchPartition) -> None:
        self.topic = topic.topic
        self.topic_id = topic.topic_id
        self.requested = requested
        self.high_watermark = NEVER_SENT
        self.log_start_offset = NEVER_SENT

    def update(self, found: PartitionData) -> bool:
        """Store a result. Return True if it differs from the previous one, so that it must be in the response.

        A partition with an error is in every response, and also in the first one after the error has ended.
        """
        has_failed = found.error_code or found.diverging_epoch.end_offset >= 0
        if (
            found.high_watermark == self.high_watermark
            and found.log_start_offset == self.log_start_offset
            and not found.records
            and not has_failed
        ):
            return False
        self.high_watermark = NEVER_SENT if has_failed else found.high_watermark
        self.log_start_offset = found.log_start_offset
        return True


class FetchSession:
    __slots__ = ("_topics", "by_id", "created_ms", "epoch", "followed", "id", "used_ms")

    def __init__(self, now_ms: int, *, by_id: bool) -> None:
        self.id = NO_SESSION
        """Id of the session; NO_SESSION until its first request is answered."""
        self.created_ms: Final = now_ms
        self.used_ms = now_ms
        self.by_id: Final = by_id
        """True if the requests of the session name topics by id (Fetch v13 or later), False if by name."""
        self.epoch = 1
        """Epoch that the next request must have."""
        self.followed: dict[Place, FollowedPartition] = {}
        """Partitions of the session, in the order in which they are read."""
        self._topics: list[FetchTopic] = []
        """Cache of `topics()`: the partitions of `followed` in the form of a request; empty after a change of them."""

    def update(self, topics: list[FetchTopic]) -> Iterator[None]:
        """Add partitions to the session, or change their positions, in steps.

        A partition that `topics` name twice keeps its first place, and gets the values of the last entry, as in Kafka.
        """
        if topics:
            self._topics = []
        for topic in topics:
            name = topic.topic_id if self.by_id else topic.topic
            for requested in topic.partitions:
                known = self.followed.get((name, requested.partition))
                if known is None:
                    self.followed[name, requested.partition] = FollowedPartition(topic, requested)
                else:
                    known.requested = requested
                yield

    def forget(self, topics: list[ForgottenTopic]) -> Iterator[None]:
        if topics:
            self._topics = []
        for topic in topics:
            name = topic.topic_id if self.by_id else topic.topic
            for partition in topic.partitions:
                self.followed.pop((name, partition), None)
                yield

    def begin_next(self, now_ms: int) -> None:
        """Advance the epoch, for a request with the expected epoch."""
        self.epoch = 1 if self.epoch == EPOCH_MAX else self.epoch + 1
        self.used_ms = now_ms

    def topics(self) -> Generator[None, None, list[FetchTopic]]:
        """Return all partitions of the session, in the form of a request, in steps."""
        if not self._topics:
            topics: list[FetchTopic] = []
            last: TopicName | TopicId | None = None
            for (name, _), followed in list(self.followed.items()):
                if name != last:
                    topics.append(FetchTopic(followed.topic, followed.topic_id, []))
                    last = name
                topics[-1].partitions.append(followed.requested)
                yield
            self._topics = topics
        return self._topics

    def changed(self, found: list[FetchableTopicResponse]) -> Generator[None, None, list[FetchableTopicResponse]]:
        """Return the results that differ from the last ones that were sent to the client, in steps.

        Partitions with records move to the end of the session's order, so the next request reads them last.
        """
        changed: list[FetchableTopicResponse] = []
        for topic in found:
            partitions: list[PartitionData] = []
            for part in topic.partitions:
                if self._has_changed(topic, part):
                    partitions.append(part)
                yield
            if partitions:
                changed.append(FetchableTopicResponse(topic.topic, topic.topic_id, partitions))
        return changed

    def _has_changed(self, topic: FetchableTopicResponse, found: PartitionData) -> bool:
        place = topic.topic_id if self.by_id else topic.topic, found.partition_index
        followed = self.followed.get(place)
        if followed is None:
            return False
        if found.records:
            self._topics = []
            self.followed[place] = self.followed.pop(place)
        return followed.update(found)

    def store_first(self, found: list[FetchableTopicResponse]) -> Iterator[None]:
        """Store, in steps, the results of the first response of the session. This response contains all partitions."""
        for topic in found:
            name = topic.topic_id if self.by_id else topic.topic
            for partition in topic.partitions:
                self.followed[name, partition.partition_index].update(partition)
                yield


class Exchange:
    """One request, within a session or without one. `topics` are all partitions to read, not only the changed ones."""

    __slots__ = ("_next_epoch", "_session", "_sessions", "topics")

    def __init__(
        self, sessions: "FetchSessions", topics: list[FetchTopic], session: FetchSession | None = None
    ) -> None:
        self.topics: Final = topics
        self._sessions: Final = sessions
        self._session: Final = session
        self._next_epoch: Final = FINAL_EPOCH if session is None else session.epoch

    def answer(self, found: list[FetchableTopicResponse]) -> Generator[None, None, FetchResponse]:
        """Create the response, in steps.

        The response is INVALID_FETCH_SESSION_EPOCH if a later request of the session was received meanwhile.
        """
        session = self._session
        if session is None:
            return FetchResponse(responses=found)
        if session.id == NO_SESSION:
            yield from session.store_first(found)
            return FetchResponse(session_id=self._sessions.add(session), responses=found)
        if session.epoch != self._next_epoch:
            return FetchResponse(error_code=ErrorCode.INVALID_FETCH_SESSION_EPOCH)
        return FetchResponse(session_id=session.id, responses=(yield from session.changed(found)))

    def throttled(self) -> FetchResponse:
        """Return an empty response for a client that exceeds a quota. The session still accepts the next request."""
        session = self._session
        if session is None or session.id == NO_SESSION:
            return FetchResponse()
        if session.epoch != self._next_epoch:
            return FetchResponse(error_code=ErrorCode.INVALID_FETCH_SESSION_EPOCH)
        return FetchResponse(session_id=session.id)


class FetchSessions:
    def __init__(self, slots: int) -> None:
        """Create an empty cache of at most `slots` sessions (max.incremental.fetch.session.cache.slots)."""
        self._slots: Final = slots
        self._by_id: dict[int, FetchSession] = {}
        """Sessions by id, the most recently used last."""
        self._partitions = 0
        """Number of partitions of all sessions."""

    def __len__(self) -> int:
        return len(self._by_id)

    def exchange_for(
        self, message: FetchRequest, version: int, now_ms: int
    ) -> Generator[None, None, Exchange | ErrorCode]:
        """Return the exchange for a request, within a session or without one; an error if the session is unknown."""
        by_id = version >= BY_ID_SINCE
        session = self._by_id.get(message.session_id)
        if message.session_epoch in (FULL_EPOCH, FINAL_EPOCH):
            if session is not None:
                self._remove(session)
            wants_one = message.session_epoch == FULL_EPOCH
            if not wants_one and _is_distinct(message.topics):
                return Exchange(self, message.topics)
            new = FetchSession(now_ms, by_id=by_id)
            yield from new.update(message.topics)
            return Exchange(self, (yield from new.topics()), new if wants_one else None)
        if session is None:
            return ErrorCode.FETCH_SESSION_ID_NOT_FOUND
        if message.session_epoch != session.epoch:
            return ErrorCode.INVALID_FETCH_SESSION_EPOCH
        if session.by_id != by_id:
            return ErrorCode.FETCH_SESSION_TOPIC_ID_ERROR
        return (yield from self._continued(session, message, now_ms))

    def _continued(
        self, session: FetchSession, message: FetchRequest, now_ms: int
    ) -> Generator[None, None, Exchange | ErrorCode]:
        """Apply the changes in a request to its session, and return the exchange.

        A session without partitions ends. A session that no longer fits into the cache is evicted, and the request gets
        an error.
        """
        self._remove(session)
        yield from session.update(message.topics)
        yield from session.forget(message.forgotten_topics_data)
        if not session.followed:
            return Exchange(self, [])
        if self._partitions + len(session.followed) > FETCH_SESSION_PARTITIONS_MAX:
            return ErrorCode.FETCH_SESSION_ID_NOT_FOUND
        session.begin_next(now_ms)
        self._put(session)
        return Exchange(self, (yield from session.topics()), session)

    def add(self, session: FetchSession) -> int:
        """Add a new session to the cache and return its id; NO_SESSION if the cache has no space for it."""
        if self._make_room(len(session.followed), session.created_ms):
            session.id = self._new_id()
            self._put(session)
        return session.id

    def _make_room(self, size: int, now_ms: int) -> bool:
        """Make space in the cache for a session with `size` partitions. Return False if that is not possible.

        If all slots are used, one session is evicted: the least recently used one, if it has not been used for a while.
        Otherwise the smallest session that has existed for a while is evicted, if it is smaller than the new one.
        """
        if self._partitions + size > FETCH_SESSION_PARTITIONS_MAX or not self._slots:
            return False
        if len(self._by_id) < self._slots:
            return True
        latest_ms = now_ms - FETCH_SESSION_EVICTION_MS
        least_used = next(iter(self._by_id.values()))
        if least_used.used_ms < latest_ms:
            self._remove(least_used)
            return True
        old = [session for session in self._by_id.values() if session.created_ms < latest_ms]
        smallest = min(old, key=lambda session: len(session.followed), default=None)
        if smallest is None or len(smallest.followed) >= size:
            return False
        self._remove(smallest)
        return True

    def _put(self, session: FetchSession) -> None:
        self._by_id[session.id] = session
        self._partitions += len(session.followed)

    def _remove(self, session: FetchSession) -> None:
        del self._by_id[session.id]
        self._partitions -= len(session.followed)

    def _new_id(self) -> int:
        while True:
            drawn = int.from_bytes(os.urandom(4), "big") & ID_MAX
            if drawn != NO_SESSION and drawn not in self._by_id:
                return drawn


def _is_distinct(topics: list[FetchTopic]) -> bool:
    """Return whether a request names few partitions, all of one topic, and no partition twice.

    The entries of such a request need not be merged.
    """
    if len(topics) != 1:
        return False
    partitions = topics[0].partitions
    if len(partitions) == 1:
        return True
    return 1 < len(partitions) <= ITEMS_AT_ONCE and len({requested.partition for requested in partitions}) == len(
        partitions
    )
