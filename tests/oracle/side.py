"""One of the two brokers under comparison, with the trace of its requests and answers.

Traces of both brokers must be comparable as text. So the n-th member id of a client, which a broker draws at random, is
written `A#1`; times become `now`, texts of errors `...`, and lists without an order are sorted.
"""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, Final, Self

from tenure.protocol.apis import ApiKey
from tenure.protocol.coordinator_logs.consumer_offsets import ConsumerGroupRegularExpressionValue
from tenure.protocol.message import Message, Struct
from tenure.protocol.messages import (
    ApiVersionsRequest,
    BatchIndexAndErrorMessage,
    ConsumerGroupHeartbeatResponse,
    DescribeConfigsRequest,
    DescribeConfigsResource,
    DescribedConsumerGroup,
    DescribedStreamsGroup,
    DescribeGroupsRequest,
    IncrementalAlterableConfig,
    IncrementalAlterConfigsRequest,
    IncrementalAlterConfigsResource,
    ListOffsetsPartition,
    ListOffsetsRequest,
    ListOffsetsTopic,
    MetadataRequest,
    MetadataRequestTopic,
    StreamsGroupHeartbeatResponse,
    StreamsGroupTopologyDescriptionUpdateResponse,
)
from tests.kafka_versions import UNSET_FIELDS, newest_version
from tests.oracle.differences import APPEND_TIME, CLUSTER_FIELDS, FREE_WITH_AN_ERROR, HASHES_OF_TOPIC_IDS, UNORDERED
from tests.oracle.logs import GroupLog, in_one_order
from tests.wire import Wire

GRACE_S: Final = 0.05
"""Time that an answer may take after the broker has decided it."""

PATIENCE_S: Final = 60.0

RANDOM: Final = re.compile(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}")
RANDOM_ID: Final = re.compile(r"-|^[\w-]{22}$")
"""Pattern of ids that a broker has drawn; ids that the clients of the tests choose are short and have no dash."""
TIMES: Final = frozenset({"current_state_timestamp", "commit_timestamp", "assignment_timestamp"})
WITH_MESSAGES: Final = (
    ConsumerGroupHeartbeatResponse,
    DescribedConsumerGroup,
    StreamsGroupHeartbeatResponse,
    DescribedStreamsGroup,
    StreamsGroupTopologyDescriptionUpdateResponse,
)
"""Answers in which error messages are compared, too, because they are Apache Kafka's own (rule 3.3)."""
LEFT_OUT: Final = CLUSTER_FIELDS | APPEND_TIME | UNSET_FIELDS
BROKER: Final = 4
"""Id of the broker whose configs are altered."""
SET: Final = 0
DELETE: Final = 1
UNKNOWN_TOPIC_ID: Final = bytes(15) + b"\x07"
"""Id of a topic that does not exist."""


class Side:
    """One broker. Each test uses groups with names of its own."""

    def __init__(self, name: str, host: str, port: int) -> None:
        self.name = name
        self.host = host
        self.port = port
        self.log = GroupLog(host, port)
        self._sessions: list[Session] = []
        self._topic_ids: dict[str, bytes] = {}
        self._topics: dict[bytes, str] = {}

    def session(self) -> Session:
        """Return a new set of clients."""
        session = Session(self)
        self._sessions.append(session)
        return session

    def topic_id(self, name: str) -> bytes:
        """Return the newest known id of a topic, which may be deleted; UNKNOWN_TOPIC_ID if there was none."""
        if name not in self._topic_ids:
            self._learn(name, self._look_up(name))
        return self._topic_ids[name]

    def topic_of(self, topic_id: bytes) -> str:
        """Return the name of the topic with this id, if the id was requested before."""
        return self._topics.get(topic_id, "id") if any(topic_id) else "none"

    def _learn(self, name: str, topic_id: bytes) -> None:
        """Remember a topic id. A topic that was deleted and created again gets another name in traces."""
        self._topic_ids[name] = topic_id
        if topic_id != UNKNOWN_TOPIC_ID and topic_id not in self._topics:
            histories = sum(one.split("#")[0] == name for one in self._topics.values())
            self._topics[topic_id] = f"{name}#{histories + 1}"

    def wait_for_topic(self, name: str) -> None:
        """Wait until all partitions have a leader: Apache Kafka's controller answers before its broker knows."""
        deadline = time.monotonic() + PATIENCE_S
        with Wire(self.host, self.port) as wire:
            while not is_led(wire, name):
                assert time.monotonic() < deadline, f"{name} never appeared"
                time.sleep(0.02)
        self._learn(name, self._look_up(name))

    def _look_up(self, name: str) -> bytes:
        request = MetadataRequest(topics=[MetadataRequestTopic(name=name)], allow_auto_topic_creation=False)
        with Wire(self.host, self.port) as wire:
            topic = wire.ask(request).topics[0]
        found: bytes = UNKNOWN_TOPIC_ID if topic.error_code else topic.topic_id
        return found

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        for session in self._sessions:
            session.close()


class Session:
    """Clients with a connection each, and the trace of their requests and answers."""

    def __init__(self, side: Side) -> None:
        self.side = side
        self.listening = True
        """True if `ask` waits for the answer; otherwise answers are collected with `has_answer` and `hear`."""
        self.connection = ""
        """Name of the connection that all clients use; "" if each has its own."""
        self.last_asked = ""
        self._trace: list[str | tuple[str, Struct]] = []
        self.member_ids: dict[str, list[str]] = {}
        """Member ids of each client, oldest first."""
        self._names: dict[str, str] = {}
        self._wires: dict[str, Wire] = {}

    def ask(self, client: str, request: Message, version: int | None = None) -> Any:
        self.send(client, request, version)
        return self.receive(client, self.connection) if self.listening else None

    def send(self, client: str, request: Message, version: int | None = None) -> None:
        self.last_asked = type(request).__name__.removesuffix("Request")
        chosen = newest_version(ApiKey(request.KEY)) if version is None else version
        self._trace.append(f"{client} -> {self.last_asked} v{chosen}")
        self.wire(self.connection or client).send(request, chosen)

    def receive(self, client: str, connection: str = "") -> Any:
        """Receive and record the answer to the oldest pending request of a client.

        `connection` names the connection if it is not the client's own.
        """
        answer = self.wire(connection or client).receive()
        member_id = getattr(answer, "member_id", "")
        if member_id and member_id not in self._names and RANDOM_ID.search(member_id):
            ids = self.member_ids.setdefault(client, [])
            ids.append(member_id)
            self._names[member_id] = f"{client}#{len(ids)}"
        self._trace.append((f"{client} <- ", answer))
        return answer

    def has_answer(self, client: str) -> bool:
        return self.wire(client).has_response(0)

    def record_if_parked(self, client: str, group: str) -> bool:
        """Return and record whether a client's request has no answer although the broker has processed it."""
        self.let_settle(group)
        is_parked = not self.wire(client).has_response(GRACE_S)
        self._trace.append(f"{client} {'waits' if is_parked else 'has an answer'}")
        return is_parked

    def let_settle(self, group: str) -> None:
        """Wait until the broker has processed all earlier requests about a group.

        A broker may read one connection before another. But what was sent before a whole exchange has been read when
        the exchange is over, and the second exchange is behind it in the queue of the group.
        """
        for _ in range(2):
            self.wire("observer").ask(DescribeGroupsRequest(groups=[group]), 6)

    def ask_until_error(self, ask: Callable[[], Any]) -> None:
        self.ask_until(ask, lambda answer: bool(answer.error_code))

    def ask_until(self, ask: Callable[[], Any], is_it: Callable[[Any], bool]) -> None:
        """Repeat a request until the answer meets a condition; only that answer is recorded."""
        before = list(self._trace)
        deadline = time.monotonic() + PATIENCE_S
        while not is_it(answer := ask()):
            assert time.monotonic() < deadline, f"still {answer} after {PATIENCE_S:.0f} s"
            self._trace = list(before)
            time.sleep(0.05)

    def rest(self, seconds: float) -> None:
        self._trace.append(f"{seconds} s pass")
        time.sleep(seconds)

    @property
    def trace(self) -> list[str]:
        """Return the trace. Call it at the end, when all members have names."""
        return [one if isinstance(one, str) else one[0] + self.render(one[1]) for one in self._trace]

    def log(self, group: str) -> list[str]:
        """Return the records of a group in `__consumer_offsets`."""
        entries = in_one_order(self.side.log.of(group), lambda member_id: self._names.get(member_id, member_id))
        return [f"{self.render(key)}: v{version} {self.render(value)}" for key, version, value, _ in entries]

    def render(self, value: object) -> str:
        if isinstance(value, Struct):
            fields = [f"{name}={self._field(value, name)}" for name in value.__slots__ if name not in LEFT_OUT]
            return f"{type(value).__name__}({', '.join(fields)})"
        if isinstance(value, list):
            return f"[{', '.join(self.render(one) for one in value)}]"
        if isinstance(value, str):
            return self._names.get(value) or text(value)
        return repr(value)

    def _field(self, owner: Struct, name: str) -> str:
        value = getattr(owner, name)
        if name in TIMES:
            return "now" if value > 0 else repr(value)
        if name == "expire_timestamp":
            return f"{value - owner.commit_timestamp} ms later" if value > 0 else repr(value)  # type: ignore[attr-defined]
        if name == "topic_id":
            return f"({self.side.topic_of(value)})"
        if isinstance(owner, ConsumerGroupRegularExpressionValue) and name in ("version", "timestamp"):
            return "now" if value > 0 else repr(value)
        if name in HASHES_OF_TOPIC_IDS:
            return "(own)" if value else "none"
        if name in FREE_WITH_AN_ERROR and has_error(owner) and type(owner) not in WITH_MESSAGES:
            return "..."
        if isinstance(value, list) and (name in UNORDERED or type(owner).__name__ in UNORDERED):
            return f"[{', '.join(sorted(self.render(one) for one in value))}]"
        if name == "error_message" and value:
            return repr(self._named(value))
        return self.render(value)

    def _named(self, message: str) -> str:
        """Return the message with the names of members in place of their ids."""
        for member_id, name in self._names.items():
            message = message.replace(member_id, name)
        return message

    def wire(self, client: str) -> Wire:
        """Return the connection of a client. It has been accepted and read from, as `let_settle` needs."""
        if client not in self._wires:
            wire = self._wires[client] = Wire(self.side.host, self.side.port, client_id=f"client-{client}")
            wire.ask(ApiVersionsRequest(client_software_name="oracle", client_software_version="1"))
        return self._wires[client]

    def close_connection(self, client: str) -> None:
        """Close a client's connection without a request, as if its process had died."""
        self._wires.pop(client).close()

    def close(self) -> None:
        for wire in self._wires.values():
            wire.close()
        self._wires.clear()


def is_led(wire: Wire, topic: str) -> bool:
    """Return whether every partition of a topic can be written and read."""
    named = MetadataRequest(topics=[MetadataRequestTopic(name=topic)], allow_auto_topic_creation=False)
    found = wire.ask(named).topics[0]
    if found.error_code:
        return False
    ends = [ListOffsetsPartition(partition.partition_index, timestamp=-1) for partition in found.partitions]
    asked = ListOffsetsRequest(replica_id=-1, topics=[ListOffsetsTopic(name=topic, partitions=ends)])
    (found,) = wire.ask(asked, 7).topics
    return not any(part.error_code for part in found.partitions)


def has_error(owner: Struct) -> bool:
    return isinstance(owner, BatchIndexAndErrorMessage) or bool(getattr(owner, "error_code", 0))


@contextmanager
def setting(kafka: Side, key: str, value: str) -> Iterator[None]:
    """Change a setting of Apache Kafka's running broker within a block."""
    alter(kafka, key, SET, value)
    try:
        yield
    finally:
        alter(kafka, key, DELETE, None)


def alter(kafka: Side, key: str, operation: int, value: str | None) -> None:
    """Alter a setting, and wait until the broker uses it: the controller answers earlier."""
    change = IncrementalAlterConfigsResource(BROKER, "", [IncrementalAlterableConfig(key, operation, value)])
    described = DescribeConfigsRequest([DescribeConfigsResource(BROKER, "", [key])])
    deadline = time.monotonic() + PATIENCE_S
    with Wire(kafka.host, kafka.port) as wire:
        assert wire.ask(IncrementalAlterConfigsRequest([change])).responses[0].error_code == 0
        while [one.value for one in wire.ask(described).results[0].configs] != ([] if value is None else [value]):
            assert time.monotonic() < deadline, f"{key} never became {value}"
            time.sleep(0.02)


def with_producers_named(trace: list[str]) -> list[str]:
    """Return the trace with `P#n` for the n-th producer id, because brokers draw different ids."""
    names: dict[str, str] = {}

    def named(match: re.Match[str]) -> str:
        return f"{match[1]}=" + names.setdefault(match[2], f"P#{len(names) + 1}")

    return [re.sub(r"(\w*producer_id)=(\d+)", named, one) for one in trace]


def text(value: str) -> str:
    """Return a text, cut if it is long; an id that no client knows yet is written without its random part."""
    return repr(RANDOM.sub("(new)", value)) if len(value) < 200 else f"{value[:4]!r}... of {len(value)}"
