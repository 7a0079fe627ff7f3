"""Outputs of a membership: see `membership.py`."""

from collections.abc import Callable, Mapping
from typing import Final, NamedTuple, TypeAlias

from tenure.client.tasks import StreamsEvent
from tenure.client.values import Event, TopicLayout
from tenure.protocol.errors import ErrorCode
from tenure.protocol.messages import (
    ConsumerGroupDescribeRequest,
    ConsumerGroupDescribeResponse,
    ConsumerGroupHeartbeatRequest,
    ConsumerGroupHeartbeatResponse,
    HeartbeatRequest,
    HeartbeatResponse,
    JoinGroupRequest,
    JoinGroupResponse,
    LeaveGroupRequest,
    LeaveGroupResponse,
    StreamsGroupDescribeRequest,
    StreamsGroupDescribeResponse,
    StreamsGroupHeartbeatRequest,
    StreamsGroupHeartbeatResponse,
    SyncGroupRequest,
    SyncGroupResponse,
)
from tenure.protocol.types import TopicId

Request: TypeAlias = (
    JoinGroupRequest
    | SyncGroupRequest
    | HeartbeatRequest
    | LeaveGroupRequest
    | ConsumerGroupHeartbeatRequest
    | ConsumerGroupDescribeRequest
    | StreamsGroupHeartbeatRequest
    | StreamsGroupDescribeRequest
)
Response: TypeAlias = (
    JoinGroupResponse
    | SyncGroupResponse
    | HeartbeatResponse
    | LeaveGroupResponse
    | ConsumerGroupHeartbeatResponse
    | ConsumerGroupDescribeResponse
    | StreamsGroupHeartbeatResponse
    | StreamsGroupDescribeResponse
)


class SendRequest:
    """Request to the coordinator. Compared by identity: return the same object with its response."""

    __slots__ = ("generation_id", "request", "sent_ms", "timeout_ms")

    def __init__(self, request: Request, generation_id: int, sent_ms: int, timeout_ms: int) -> None:
        self.request: Final = request
        self.generation_id: Final = generation_id
        self.sent_ms: Final = sent_ms
        self.timeout_ms: Final = timeout_ms

    def __repr__(self) -> str:
        return f"SendRequest({self.request!r}, sent_ms={self.sent_ms}, timeout_ms={self.timeout_ms})"


class FindCoordinator(NamedTuple):
    """Look for the coordinator until it is found; then call `found_coordinator`."""


class QueryTopicLayouts:
    """Query partition counts and racks, and pass them with this object to `counted_partitions`; skip unknown topics.

    If `prepare` is set, it may be called before with the same answer, on any thread, to do slow work in advance.
    """

    __slots__ = ("prepare", "topics")

    def __init__(
        self, topics: frozenset[str], prepare: Callable[[Mapping[str, TopicLayout]], None] | None = None
    ) -> None:
        self.topics: Final = topics
        self.prepare: Final = prepare


class QueryTopicNames:
    """Query topic names; pass them with this object to `named_topics`. Unknown ids are left out."""

    __slots__ = ("topic_ids",)

    def __init__(self, topic_ids: frozenset[TopicId]) -> None:
        self.topic_ids: Final = topic_ids


class QueryTopics:
    """Query ids and partitions of topics; pass them with this object to `described_topics`. All of them exist."""

    __slots__ = ("topics",)

    def __init__(self, topics: frozenset[str]) -> None:
        self.topics: Final = topics


class Disconnect(NamedTuple):
    """Close the membership connection: its pending request is obsolete and would delay the next one."""


class IgnoredClaims(NamedTuple):
    """Claims of members that the leader ignores; one log line each (rule 7.8)."""

    sentences: tuple[str, ...]


class TransientError(NamedTuple):
    """Error of the coordinator that does not end the membership; raised to the user once."""

    error_code: ErrorCode
    reason: str


class FatalError(NamedTuple):
    """Error that ended or prevented the membership; raised to the user on every call."""

    error_code: ErrorCode
    reason: str = ""
    """Cause and remedy, if the member knows more than the error code says."""


Output: TypeAlias = (
    SendRequest
    | FindCoordinator
    | QueryTopicLayouts
    | QueryTopicNames
    | QueryTopics
    | Disconnect
    | IgnoredClaims
    | TransientError
    | FatalError
    | Event
    | StreamsEvent
)
