"""Failures of callbacks that continue a request.

The connection of the request is closed, because the client would wait for ever. Only the transaction coordinator
answers with an error.
"""

from __future__ import annotations

import socket
from collections.abc import Callable, Iterator
from typing import Any, Never

import pytest

from tenure.broker.config.key_values import STANDARD_AUTHORIZER
from tenure.broker.coordinators import served_shard
from tenure.broker.coordinators.transactions import Transactions
from tenure.broker.handlers import metadata
from tenure.coordinator.groups.commands import EndOfTransaction
from tenure.coordinator.metadata.commands import AllocateProducerIds
from tenure.coordinator.transactions.commands import AddPartitions, EndTransaction, InitProducer
from tenure.protocol.apis import APIS, Api
from tenure.protocol.errors import ErrorCode
from tenure.protocol.frames import FrameReader
from tenure.protocol.generate import tables
from tenure.protocol.message import Message
from tenure.protocol.messages import (
    AddOffsetsToTxnRequest,
    EndTxnRequest,
    FindCoordinatorRequest,
    InitProducerIdRequest,
    ListGroupsRequest,
    MetadataRequest,
    MetadataRequestTopic,
)
from tenure.protocol.types import GroupId, ProducerId, TopicName
from tenure.testing import Broker
from tests.adversary.generated import KNOWN, Encoder, Kind, Target
from tests.wire import ANSWER_TIMEOUT_S, Wire

TRANSACTION = 1
NAME = "transfers"
TIMEOUT_MS = 60_000
OF_COORDINATORS = (AddPartitions, AllocateProducerIds, EndOfTransaction, EndTransaction, InitProducer)
"""Commands whose answers a coordinator uses before it calls the handler."""
FAILED_MIN = 30
"""Smallest number of APIs that must fail: those whose handlers use an answer of a shard."""

WHY = "the answer cannot be used, on purpose"

Then = Callable[..., None]

needs_interpreted_modules = pytest.mark.skipif(
    not str(served_shard.__file__).endswith(".py"), reason="compiled modules cannot be changed by a test"
)


@pytest.fixture
def broker() -> Iterator[Broker]:
    with Broker({"authorizer.class.name": STANDARD_AUTHORIZER, "super.users": "User:ANONYMOUS"}) as broker:
        yield broker


def connection(broker: Broker) -> Wire:
    host, _, port = broker.address.rpartition(":")
    return Wire(host, int(port))


def test_callback__fails_before_the_answer__its_connection_is_closed_and_others_are_served(
    broker: Broker, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def failing(*_: object) -> Never:
        raise RuntimeError("it failed on purpose")

    monkeypatch.setattr(metadata, "_answer", failing)
    with connection(broker) as one, connection(broker) as other:
        with pytest.raises(ConnectionError):
            one.ask(MetadataRequest())
        assert not other.ask(ListGroupsRequest()).error_code
    (line,) = [record for record in caplog.records if record.levelname == "ERROR"]
    assert "its Metadata request failed: a bug in the broker" in line.getMessage(), line
    assert line.exc_info is not None
    assert "it failed on purpose" in str(line.exc_info[1])


class Unusable:
    """Answer of which every use fails, also `isinstance`."""

    def __getattribute__(self, name: str) -> Never:
        raise RuntimeError(WHY)


@needs_interpreted_modules
def test_callbacks__of_every_api__failure_closes_the_connection(
    broker: Broker, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    broker.create_topic(KNOWN)
    with connection(broker) as wire:
        wire.ask(FindCoordinatorRequest(key_type=TRANSACTION, coordinator_keys=[KNOWN]))  # creates the transaction log
        (topic,) = wire.ask(MetadataRequest([MetadataRequestTopic(name=TopicName(KNOWN))])).topics
    make_answers_unusable(monkeypatch)
    failed = {api.name for api in APIS.values() if not is_answered(broker, request_of(api, bytes(topic.topic_id)))}
    lines = [record for record in caplog.records if record.args and "its %s request failed" in record.msg]
    assert {str(record.args[1]) for record in lines if isinstance(record.args, tuple)} == failed
    assert {str(record.exc_info[1]) for record in lines if record.exc_info} == {WHY}
    assert len(failed) >= FAILED_MIN, failed


@needs_interpreted_modules
@pytest.mark.parametrize(
    ("command", "request_"),
    [
        (AddPartitions, AddOffsetsToTxnRequest(NAME, ProducerId(1), 0, GroupId("workers"))),
        (EndTransaction, EndTxnRequest(NAME, ProducerId(1), 0)),
        (InitProducer, InitProducerIdRequest(NAME, TIMEOUT_MS)),
        (AllocateProducerIds, InitProducerIdRequest(None, TIMEOUT_MS)),
    ],
    ids=lambda value: value.__name__ if isinstance(value, type) else "",
)
def test_callbacks__of_a_transaction_coordinator__failure_is_answered_with_unknown_server_error(
    broker: Broker,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
    command: type,
    request_: Message,
) -> None:
    shard_ask = served_shard.ServedShard.ask

    def ask(shard: Any, asked: object, then: Then) -> None:
        shard_ask(shard, asked, unusable(then) if isinstance(asked, command) else then)

    with connection(broker) as wire:
        wire.ask(FindCoordinatorRequest(key_type=TRANSACTION, coordinator_keys=[NAME]))  # creates the transaction log
        monkeypatch.setattr(served_shard.ServedShard, "ask", ask)
        assert wire.ask(request_).error_code == ErrorCode.UNKNOWN_SERVER_ERROR
    (line,) = [record for record in caplog.records if record.levelname == "ERROR"]
    assert "UNKNOWN_SERVER_ERROR: a bug in the broker" in line.getMessage(), line


def make_answers_unusable(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let all callbacks that handlers give to coordinators and shards receive an unusable answer."""
    shard_ask = served_shard.ServedShard.ask

    def ask(shard: Any, command: object, then: Then) -> None:
        shard_ask(shard, command, then if isinstance(command, OF_COORDINATORS) else unusable(then))

    monkeypatch.setattr(served_shard.ServedShard, "ask", ask)
    for name in ("add", "ask_with_id", "commit_offsets"):
        monkeypatch.setattr(Transactions, name, with_unusable_answer(getattr(Transactions, name)))


def with_unusable_answer(method: Then) -> Then:
    return lambda *arguments: method(*arguments[:-1], unusable(arguments[-1]))


def unusable(then: Then) -> Then:
    return lambda _: then(Unusable())


def request_of(api: Api, topic_id: bytes) -> bytes:
    """Return a request in which each array has one element, and each name is that of a topic that exists."""
    (message,) = [
        each for all_of_one in tables().values() for each in all_of_one if each.is_request and each.key == api.key
    ]
    return Encoder(Target(message, api.max_version, (), Kind.SAME), topic_id, b"").frame()


def is_answered(broker: Broker, request: bytes) -> bool:
    """Return whether a request is answered; False if its connection is closed instead."""
    host, _, port = broker.address.rpartition(":")
    frames = FrameReader(1 << 20)
    with socket.create_connection((host, int(port)), ANSWER_TIMEOUT_S) as client:
        client.sendall(request)
        while data := client.recv(1 << 16):
            frames.feed(data)
            if list(frames):
                return True
    return False
