"""Requests that clients repeat, for each API of the hot path: as loads with one connection per request."""

from __future__ import annotations

from dataclasses import replace

from bench.brokers import Broker, create_topic
from bench.consumers import PARTITIONS, steady
from bench.consumers import TOPIC as CONSUMED
from bench.load import Load
from bench.members import COMMIT_VERSION, HEARTBEAT_VERSION, TOPIC, form, load, repeated
from bench.records import PRODUCE_VERSION, batch_of
from bench.streams import RawMember
from bench.transaction_load import ANSWER_AT
from bench.transactions import TOPIC as TRANSACTED
from bench.transactions import expected_part, identified
from tenure.protocol.message import Message
from tenure.protocol.messages import (
    FetchPartition,
    FetchRequest,
    FetchTopic,
    OffsetFetchRequest,
    OffsetFetchRequestGroup,
    OffsetFetchRequestTopics,
    PartitionProduceData,
    ProduceRequest,
    TopicProduceData,
    TxnOffsetCommitRequest,
    TxnOffsetCommitRequestPartition,
    TxnOffsetCommitRequestTopic,
)
from tenure.protocol.types import GroupId, PartitionId, ProducerId
from tests.wire import Wire

CONNECTIONS = 50
OFFSET_FETCH_VERSION, TXN_COMMIT_VERSION, FETCH_VERSION = 9, 5, 12
RECORDS = 10
"""Records of a batch."""


def heartbeats(broker: Broker, name: str = "beats", connections: int = CONNECTIONS) -> Load:
    return load(broker, form(broker, name, connections).heartbeats(), HEARTBEAT_VERSION, 0)


def consumer_heartbeats(broker: Broker, connections: int = CONNECTIONS) -> Load:
    create_topic(broker, CONSUMED, PARTITIONS)
    return steady(broker, "consumers", connections, 0)


def streams_heartbeats(broker: Broker) -> Load:
    create_topic(broker, CONSUMED, PARTITIONS)
    return steady(broker, "streams", CONNECTIONS, 0, RawMember)


def commits(broker: Broker, name: str = "commits", connections: int = CONNECTIONS) -> Load:
    create_topic(broker, TOPIC, 1)
    return load(broker, form(broker, name, connections).commits(), COMMIT_VERSION, 0)


def offset_fetches(broker: Broker) -> Load:
    """Fetch the committed offset of a partition."""
    create_topic(broker, TOPIC, 1)
    formed = form(broker, "fetched", CONNECTIONS)
    load(broker, formed.commits(), COMMIT_VERSION, 0)
    topics = [OffsetFetchRequestTopics(name=TOPIC, partition_indexes=[PartitionId(0)])]
    asked: Message = OffsetFetchRequest(groups=[OffsetFetchRequestGroup(group_id=formed.group_id, topics=topics)])
    return repeated(broker, [asked] * CONNECTIONS, OFFSET_FETCH_VERSION, 0)


def transactional_commits(broker: Broker) -> Load:
    """Commit the same offset in a transaction again and again, which stays open."""
    create_topic(broker, TRANSACTED, 1)
    topics = [
        TxnOffsetCommitRequestTopic(
            name=TRANSACTED, partitions=[TxnOffsetCommitRequestPartition(PartitionId(0), committed_offset=12_345)]
        )
    ]
    requests: list[Message] = []
    with Wire(broker.host, broker.port) as wire:
        for number in range(CONNECTIONS):
            producer_id, epoch = identified(wire, f"producer-{number}")
            group_id = GroupId(f"transacted-{number}")
            requests.append(
                TxnOffsetCommitRequest(f"producer-{number}", group_id, ProducerId(producer_id), epoch, topics=topics)
            )
    found = repeated(broker, requests, TXN_COMMIT_VERSION, 0)
    for answer, request in zip(found.answers, requests, strict=True):
        expected_part(answer, request)
    return found


def produces(broker: Broker) -> Load:
    """Append a batch to each of the partitions. The good answers end before the offset, which changes."""
    create_topic(broker, TRANSACTED, CONNECTIONS)
    batch = batch_of([b"key"], RECORDS)
    requests: list[Message] = [
        ProduceRequest(
            acks=-1,
            timeout_ms=10_000,
            topic_data=[TopicProduceData(TRANSACTED, partition_data=[PartitionProduceData(partition, batch)])],
        )
        for partition in map(PartitionId, range(CONNECTIONS))
    ]
    found = repeated(broker, requests, PRODUCE_VERSION, 0)
    good = [answer[:ANSWER_AT] + expected_part(answer, requests[0]) for answer in found.answers]
    return replace(found, answers=good)


def fetches(broker: Broker) -> Load:
    """Fetch the one batch of each partition, without a session."""
    produces(broker)
    requests: list[Message] = [
        FetchRequest(
            session_epoch=-1,
            topics=[FetchTopic(topic=TRANSACTED, partitions=[FetchPartition(partition, partition_max_bytes=1 << 20)])],
        )
        for partition in map(PartitionId, range(CONNECTIONS))
    ]
    return repeated(broker, requests, FETCH_VERSION, 0)
