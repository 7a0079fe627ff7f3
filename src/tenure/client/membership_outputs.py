"""What a membership is told once, and what it asks to be done: see `membership.py`."""

import os
import socket
from collections.abc import Callable, Mapping
from typing import Final, NamedTuple, TypeAlias

from tenure.client.assignment import Topic
from tenure.client.values import Event
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
)
Response: TypeAlias = (
    JoinGroupResponse
    | SyncGroupResponse
    | HeartbeatResponse
    | LeaveGroupResponse
    | ConsumerGroupHeartbeatResponse
    | ConsumerGroupDescribeResponse
)

CLASSIC: Final = "classic"
CONSUMER: Final = "consumer"
SEIZE: Final = "seize"
WAIT: Final = "wait"
FAIL: Final = "fail"


class MembershipSettings(NamedTuple):
    group_id: str
    topics: tuple[str, ...]
    group_instance_id: str | None = None
    session_timeout_ms: int = 45_000
    rebalance_timeout_ms: int = 300_000
    heartbeat_interval_ms: int = 3_000
    max_poll_interval_ms: int = 300_000
    request_timeout_ms: int = 30_000
    assignors: tuple[str, ...] = ("range",)
    """Kafka's `partition.assignment.strategy`: the best liked one first."""
    rack_id: str | None = None
    holder: str = ""
    """Who sits here, in words for whoever is fenced by it: travels as the subscription's user data."""
    group_protocol: str = CLASSIC
    """Kafka's `group.protocol`. What follows is for `CONSUMER` only; the broker says when that one heartbeats."""
    topic_pattern: str | None = None
    """RE2, matched by the coordinator; beside `topics`."""
    server_assignor: str | None = None
    """Kafka's `group.remote.assignor`; None leaves it to the broker."""
    on_unreleased: str = SEIZE
    """What a static member does that finds its seat taken when it starts: `SEIZE`, `WAIT` or `FAIL`."""


def this_process() -> str:
    """For `MembershipSettings.holder`."""
    return f"process {os.getpid()} on host {socket.gethostname()}"


class Ask:
    """A request for the coordinator. Compared by identity: give the very object back with its answer."""

    __slots__ = ("generation_id", "request", "sent_ms", "timeout_ms")

    def __init__(self, request: Request, generation_id: int, sent_ms: int, timeout_ms: int) -> None:
        self.request: Final = request
        self.generation_id: Final = generation_id
        self.sent_ms: Final = sent_ms
        self.timeout_ms: Final = timeout_ms

    def __repr__(self) -> str:
        return f"Ask({self.request!r}, sent_ms={self.sent_ms}, timeout_ms={self.timeout_ms})"


class FindCoordinator(NamedTuple):
    """Answer with `found_coordinator`, however long it takes."""


class CountPartitions:
    """Answer with `counted_partitions`, giving this very object back. A topic that does not exist may be left out.

    Where there is `prepare`, it may be called with the same answer before, on any thread: what takes long is done then.
    """

    __slots__ = ("prepare", "topics")

    def __init__(self, topics: frozenset[str], prepare: Callable[[Mapping[str, Topic]], None] | None = None) -> None:
        self.topics: Final = topics
        self.prepare: Final = prepare


class NameTopics:
    """Answer with `named_topics`, giving this very object back. A topic that does not exist (any more) is left out."""

    __slots__ = ("topic_ids",)

    def __init__(self, topic_ids: frozenset[TopicId]) -> None:
        self.topic_ids: Final = topic_ids


class Disconnect(NamedTuple):
    """What is under way on the group's connection is of no interest any more, and would hold up what comes next."""


class Doubts(NamedTuple):
    """What the leader does not believe of its members' claims: for a log (rule 7.8)."""

    sentences: tuple[str, ...]


class Complaint(NamedTuple):
    """The coordinator objects to something, and the seat stays: for the user, once."""

    error_code: ErrorCode
    reason: str


class Ended(NamedTuple):
    """The seat is lost for good, or cannot be had."""

    error_code: ErrorCode
    reason: str = ""
    """Cause and remedy, where this member knows more than the code says."""


Output: TypeAlias = (
    Ask | FindCoordinator | CountPartitions | NameTopics | Disconnect | Doubts | Complaint | Ended | Event
)
