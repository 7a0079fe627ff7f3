"""Outputs of a membership's state machine, which its driver performs (see `membership.py`)."""

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
    StreamsGroupTopologyDescriptionUpdateRequest,
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
    """Request to send to the coordinator. The driver returns this same object together with the response."""

    __slots__ = ("generation_id", "request", "sent_ms", "timeout_ms")

    def __init__(self, request: Request, generation_id: int, sent_ms: int, timeout_ms: int) -> None:
        self.request: Final = request
        self.generation_id: Final = generation_id
        self.sent_ms: Final = sent_ms
        self.timeout_ms: Final = timeout_ms

    def __repr__(self) -> str:
        return f"SendRequest({self.request!r}, sent_ms={self.sent_ms}, timeout_ms={self.timeout_ms})"


class FindCoordinator(NamedTuple):
    """Instruction to look for the coordinator until it is found, and then to call `found_coordinator`."""


class QueryTopicLayouts:
    """Query for partition counts and racks of topics.

    The driver passes the answer to `received_topic_layouts`. Topics that do not exist are left out of the answer.

    If `prepare` is set, the driver may first call it with the same answer on any thread, so that slow work is done in
    advance.
    """

    __slots__ = ("prepare", "topics")

    def __init__(
        self, topics: frozenset[str], prepare: Callable[[Mapping[str, TopicLayout]], None] | None = None
    ) -> None:
        self.topics: Final = topics
        self.prepare: Final = prepare


class QueryTopicNames:
    """Query for topic names by id.

    The driver passes the answer, which leaves out unknown ids, to `received_topic_names`.
    """

    __slots__ = ("topic_ids",)

    def __init__(self, topic_ids: frozenset[TopicId]) -> None:
        self.topic_ids: Final = topic_ids


class QueryTopics:
    """Query for the ids and partitions of existing topics.

    The driver passes the answer to `received_topic_descriptions`.
    """

    __slots__ = ("topics",)

    def __init__(self, topics: frozenset[str]) -> None:
        self.topics: Final = topics


class SendTopologyDescription(NamedTuple):
    """Instruction to send the description of a topology once. If it does not arrive, the broker requests it again."""

    request: StreamsGroupTopologyDescriptionUpdateRequest


class Disconnect(NamedTuple):
    """Instruction to close the membership connection. Its pending request is obsolete and would delay the next one."""


class IgnoredClaims(NamedTuple):
    """Sentences to log, one for each claim that the leader ignores (rule 7.8)."""

    sentences: tuple[str, ...]


class TransientError(NamedTuple):
    """Error of the coordinator that does not end the membership. The user gets it once."""

    error_code: ErrorCode
    reason: str


class FatalError(NamedTuple):
    """Error that ended or prevented the membership. The user gets it on every call."""

    error_code: ErrorCode
    reason: str = ""
    """Cause and remedy, if they are known more precisely than from the error code."""


Output: TypeAlias = (
    SendRequest
    | FindCoordinator
    | QueryTopicLayouts
    | QueryTopicNames
    | QueryTopics
    | SendTopologyDescription
    | Disconnect
    | IgnoredClaims
    | TransientError
    | FatalError
    | Event
    | StreamsEvent
)
