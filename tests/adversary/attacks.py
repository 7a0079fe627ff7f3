"""Attacks: each function prepares its frames, yields, attacks, and returns the outcome.

`finding` is the number of a finding in issue 14; "variant" marks attacks that were added later.
"""

from __future__ import annotations

import socket
import struct
import time
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from typing import Final
from urllib.request import urlopen

from tenure.limits.protocol import REQUEST_ELEMENTS_MAX
from tenure.protocol.apis import ApiKey
from tenure.protocol.batches import PackedRecords, encode_batch, encode_packed
from tenure.protocol.compression import Codec, compress
from tenure.protocol.messages import (
    ApiVersionsRequest,
    CreatableTopic,
    CreateTopicsRequest,
    DescribeConfigsRequest,
    DescribeConfigsResource,
    DescribeGroupsRequest,
    FetchPartition,
    FetchRequest,
    FetchTopic,
    JoinGroupRequest,
    JoinGroupRequestProtocol,
    ListGroupsRequest,
    ListOffsetsPartition,
    ListOffsetsRequest,
    ListOffsetsTopic,
    MetadataRequest,
    MetadataRequestTopic,
    OffsetCommitRequest,
    OffsetCommitRequestPartition,
    OffsetCommitRequestTopic,
    PartitionProduceData,
    ProduceRequest,
    TopicProduceData,
)
from tenure.protocol.records import Record, varint
from tenure.protocol.types import GroupId, InstanceId, MemberId, PartitionId, TopicName
from tenure.protocol.wire import uvarint
from tests.adversary.client import Client, finish, frame
from tests.adversary.trial import MB, Attack, Stages
from tests.broker.monitoring.test_metrics import address_of
from tests.broker.wire import Wire
from tests.serving import Serving

NAMED_TOPICS: Final = 12
"""The newest versions of Fetch and Produce that name topics instead of giving their ids."""
ATTACK_S: Final = 4.0
"""Duration of an attack by idle connections: long enough for about 80 heartbeats of the probe."""
UNPACKED_BYTES: Final = 104_000_000
"""Size just below the maximum of a batch after decompression."""

ATTACKS: Final[list[Attack]] = []


def attack(finding: str, *settings: str, is_large: bool = False) -> Callable[[Callable[[Serving], Stages]], None]:
    def register(run: Callable[[Serving], Stages]) -> None:
        name = run.__name__.replace("_", "-")
        ATTACKS.append(Attack(name, finding, run, settings, is_large))

    return register


# --- parts of attacks -------------------------------------------------------------------------------------------------


def produce(topic: str, *batches: bytes | None, acks: int = 1, transactional_id: str | None = None) -> bytes:
    """Return a Produce request with one entry for partition 0 per batch."""
    partitions = [PartitionProduceData(PartitionId(0), batch) for batch in batches]
    data = [TopicProduceData(TopicName(topic), partition_data=partitions)]
    return frame(ProduceRequest(transactional_id, acks, 10_000, data), NAMED_TOPICS)


def fetch(topic: str, entries: int = 1, offset: int = 0) -> bytes:
    """Return a Fetch request that names partition 0 in `entries` entries, each with a maximum of 100 MB."""
    partitions = [FetchPartition(PartitionId(0), fetch_offset=offset, partition_max_bytes=100 * MB)] * entries
    topics = [FetchTopic(TopicName(topic), partitions=partitions)]
    return frame(FetchRequest(max_wait_ms=0, min_bytes=1, max_bytes=100 * MB, topics=topics), NAMED_TOPICS)


def packed(records: bytes, count: int) -> bytes:
    """Return a zstd batch of these encoded records."""
    return encode_packed(PackedRecords(compress(Codec.ZSTD, records), Codec.ZSTD, count, 0, 0))


def empty_headers() -> bytes:
    """Return a batch of one record that has 51 million empty headers; it has about 9 kB."""
    count = UNPACKED_BYTES // 2
    body = b"\x00\x00\x00\x01\x01" + varint(count) + bytes(2 * count)
    return packed(varint(len(body)) + body, 1)


def tiny_records() -> bytes:
    """Return a batch of 15 million records without key and value, all with offset delta 0."""
    count = UNPACKED_BYTES // 7
    return packed(b"\x0c\x00\x00\x00\x01\x01\x00" * count, count)


def create(broker: Serving, topic: str, partitions: int = 1) -> None:
    with Wire(broker) as wire:
        wire.ask(CreateTopicsRequest([CreatableTopic(TopicName(topic), partitions, 1)]))


def fill(broker: Serving, topic: str, megabytes: int) -> None:
    """Create a topic and write records of 900 kB to it."""
    create(broker, topic)
    request = produce(topic, encode_batch([Record(0, -1, None, bytes(900_000))]))
    with Client(broker) as client:
        assert client.exchange([request] * megabytes) == f"{megabytes} answered"


def join(group: str, instance: str, metadata: bytes, protocol_type: str = "consumer") -> bytes:
    protocols = [JoinGroupRequestProtocol("range", metadata)]
    ids = GroupId(group), 60_000, 60_000, MemberId(""), InstanceId(instance)
    return frame(JoinGroupRequest(*ids, protocol_type, protocols))


def clients_of(broker: Serving, count: int, stack: ExitStack) -> list[Client]:
    return [stack.enter_context(Client(broker)) for _ in range(count)]


# --- 1: answers that are not read -------------------------------------------------------------------------------------


def unread_fetches(broker: Serving, connections: int, pipelined: int) -> Stages:
    fill(broker, "unread", 64)
    yield
    with ExitStack() as stack:
        clients = clients_of(broker, connections, stack)
        for client in clients:
            client.push(fetch("unread") * pipelined)
        time.sleep(ATTACK_S)
        return finish(clients, [])


@attack("1")
def unread_fetches_of_one_connection(broker: Serving) -> Stages:
    """20 pipelined fetches of 55 MB each, not read."""
    return unread_fetches(broker, 1, 20)


@attack("1")
def unread_fetches_of_many_connections(broker: Serving) -> Stages:
    """8 pipelined fetches of 55 MB on each of 20 connections, not read."""
    return unread_fetches(broker, 20, 8)


@attack("variant")
def fetches_read_by_many_connections(broker: Serving) -> Stages:
    """20 connections that fetch 55 MB each, and read it."""
    fill(broker, "read", 64)
    yield
    with ExitStack() as stack:
        return finish(clients_of(broker, 20, stack), [fetch("read")])


# --- 2: work on the event loop ----------------------------------------------------------------------------------------


@attack("2")
def produce_of_empty_headers(broker: Serving) -> Stages:
    """A Produce of one record with 51 M empty headers, 9 kB of zstd."""
    create(broker, "headers")
    request = produce("headers", empty_headers())
    yield
    with Client(broker) as client:
        return client.exchange([request])


@attack("2")
def produce_of_tiny_records(broker: Serving) -> Stages:
    """A Produce of 15 M records of 7 bytes, 10 kB of zstd."""
    create(broker, "tiny")
    request = produce("tiny", tiny_records())
    yield
    with Client(broker) as client:
        return client.exchange([request])


@attack("2", is_large=True)
def produce_of_four_bombs(broker: Serving) -> Stages:
    """One Produce with four batches of 15 M records."""
    create(broker, "bombs", 4)
    batch = tiny_records()
    partitions = [PartitionProduceData(PartitionId(number), batch) for number in range(4)]
    data = [TopicProduceData(TopicName("bombs"), partition_data=partitions)]
    request = frame(ProduceRequest(None, 1, 10_000, data), NAMED_TOPICS)
    yield
    with Client(broker) as client:
        return client.exchange([request])


@attack("variant", is_large=True)
def produce_of_large_values(broker: Serving) -> Stages:
    """One record of 100 MB zeros from 8 connections at once, 10 kB of zstd each."""
    create(broker, "large")
    batch = encode_batch([Record(0, -1, None, bytes(UNPACKED_BYTES))], codec=Codec.ZSTD)
    yield
    with ExitStack() as stack:
        return finish(clients_of(broker, 8, stack), [produce("large", batch)])


@attack("2")
def produce_of_null_partitions(broker: Serving) -> Stages:
    """A Produce of 2 M partitions without records."""
    create(broker, "null")
    count = 2_000_000
    without = produce("null")[
        4:-3
    ]  # up to the number of partitions: without the size before it, and that number and two empty tag sections
    body = without + uvarint(count + 1) + bytes(6 * count) + bytes(2)
    request = struct.pack(">i", len(body)) + body
    yield
    with Client(broker) as client:
        return client.exchange([request])


@attack("2")
def produce_of_one_record_batches(broker: Serving) -> Stages:
    """A Produce of 300,000 batches of one record each for one partition."""
    create(broker, "batches")
    request = produce("batches", encode_batch([Record(0, -1, None, b"")]) * 300_000)
    yield
    with Client(broker) as client:
        return client.exchange([request])


@attack("2")
def fetch_of_one_partition_many_times(broker: Serving) -> Stages:
    """A Fetch that names one partition as often as a request may name partitions."""
    fill(broker, "often", 8)
    request = fetch("often", REQUEST_ELEMENTS_MAX - 10)
    yield
    with Client(broker) as client:
        return client.exchange([request])


@attack("2")
def describe_configs_pipelined(broker: Serving) -> Stages:
    """8 pipelined requests for the configs of 2,000 topics, with synonyms and documentation."""
    create(broker, "described")
    resources = [DescribeConfigsResource(2, "described", None)] * 2_000
    request = frame(DescribeConfigsRequest(resources, True, True))
    yield
    with Client(broker) as client:
        return client.exchange([request] * 8)


def metadata_of_unknown_names(broker: Serving, may_create: bool) -> Stages:
    topics = [MetadataRequestTopic(name=TopicName(f"unknown-{number}")) for number in range(30_000)]
    request = frame(MetadataRequest(topics, may_create))
    yield
    with ExitStack() as stack:
        return finish(clients_of(broker, 20, stack), [request])


@attack("2")
def metadata_for_unknown_names(broker: Serving) -> Stages:
    """Metadata requests for 30,000 unknown topics on each of 20 connections."""
    return metadata_of_unknown_names(broker, may_create=False)


@attack("variant", is_large=True)
def metadata_that_creates_topics(broker: Serving) -> Stages:
    """Metadata requests for 30,000 unknown topics on each of 20 connections, which may create them, as by default."""
    return metadata_of_unknown_names(broker, may_create=True)


@attack("2", is_large=True)
def list_groups(broker: Serving) -> Stages:
    """ListGroups of 200,000 groups from 4 connections, 4 pipelined each."""
    partition = OffsetCommitRequestPartition(PartitionId(0), 1)
    topics = [OffsetCommitRequestTopic(TopicName("probe"), partitions=[partition])]
    commits = [frame(OffsetCommitRequest(GroupId(f"group-{n}"), topics=topics), 9) for n in range(200_000)]
    with Client(broker) as client:
        client.exchange(commits, 600)
    yield
    with ExitStack() as stack:
        return finish(clients_of(broker, 4, stack), [frame(ListGroupsRequest())] * 4)


@attack("variant")
def offsets_by_time_in_a_large_batch(broker: Serving) -> Stages:
    """1,000 lookups by timestamp in a batch that unpacks into 50 MB, each of another time."""
    create(broker, "times")
    batch = encode_batch([Record(0, at, None, bytes(25_000_000)) for at in (0, 10_000)], codec=Codec.ZSTD)
    partitions = [ListOffsetsPartition(PartitionId(0), timestamp=at) for at in range(1, 1_001)]
    request = frame(ListOffsetsRequest(topics=[ListOffsetsTopic(TopicName("times"), partitions)]))
    with Client(broker) as client:
        client.exchange([produce("times", batch)])
    yield
    with Client(broker) as client:
        return client.exchange([request])


# --- 3: frames that are not finished ----------------------------------------------------------------------------------


def half_a_produce(announced: int, sent: int) -> bytes:
    return struct.pack(">ihhih", announced, ApiKey.PRODUCE, 9, 1, -1) + bytes(sent)


@attack("3")
def connections_closed_inside_a_frame(broker: Serving) -> Stages:
    """1,000 connections that are closed in the middle of a Produce of 1 MB."""
    data = half_a_produce(1_000_000, 500_000)
    yield
    for _ in range(1_000):
        with Client(broker) as client:
            client.push(data)
    return "1000 left"


@attack("variant")
def large_frames_never_finished(broker: Serving) -> Stages:
    """20 connections that each send 90 MB of a Produce of 100 MB, and then nothing."""
    data = half_a_produce(100_000_000, 90_000_000)
    yield
    with ExitStack() as stack:
        clients = clients_of(broker, 20, stack)
        sent = sum(client.push(data) for client in clients)
        time.sleep(ATTACK_S)
        return f"{sent // MB} MB sent"


@attack("variant")
def small_frames_never_finished(broker: Serving) -> Stages:
    """3,000 connections that each send 60 kB of a frame, and then nothing."""
    data = half_a_produce(100_000, 60_000)
    yield
    with ExitStack() as stack:
        clients = clients_of(broker, 3_000, stack)
        sent = sum(client.push(data) for client in clients)
        time.sleep(ATTACK_S)
        return f"{sent // MB} MB sent"


# --- 4: large answers and frames --------------------------------------------------------------------------------------


def describe_group_often(broker: Serving, times: int) -> Stages:
    with Client(broker) as client:
        client.exchange([join("large", "instance", bytes(2_000_000))])
    request = frame(DescribeGroupsRequest([GroupId("large")] * times))
    yield
    with Client(broker) as client:
        return client.exchange([request])


@attack("4")
def describe_group_200_times(broker: Serving) -> Stages:
    """One DescribeGroups that names a group of 2 MB 200 times."""
    return describe_group_often(broker, 200)


@attack("4")
def describe_group_5000_times(broker: Serving) -> Stages:
    """One DescribeGroups that names a group of 2 MB 5,000 times."""
    return describe_group_often(broker, 5_000)


@attack("4")
def large_frame_without_records(broker: Serving) -> Stages:
    """A frame of 100 MB for an API that carries no records."""
    size = 100_000_000
    data = struct.pack(">ihhih", size, ApiKey.METADATA, 9, 1, -1) + bytes(size - 10)
    yield
    with Client(broker) as client:
        client.push(data)
        client.await_close()
        return "closed"


@attack("variant")
def joins_with_large_metadata(broker: Serving) -> Stages:
    """60 connections that join one group with 2 MB of metadata each."""
    requests = [join("many", f"instance-{number}", bytes(2_000_000)) for number in range(60)]
    yield
    with ExitStack() as stack:
        clients = clients_of(broker, len(requests), stack)
        for client, request in zip(clients, requests, strict=True):
            client.push(request)
        time.sleep(ATTACK_S)
        for client in clients:
            client.read()
    return f"{sum(client.answers for client in clients)} answered"


# --- 7: refused requests without an answer ----------------------------------------------------------------------------


@attack("7")
def refused_produce_without_answer(broker: Serving) -> Stages:
    """A transactional Produce with acks=0 that is refused, on 1,000 connections."""
    create(broker, "refused")
    batch = encode_batch(
        [Record(0, -1, None, b"")], producer_id=77, producer_epoch=0, base_sequence=0, is_transactional=True
    )
    request = produce("refused", batch, acks=0, transactional_id="nobody")
    yield
    with ExitStack() as stack:
        clients = clients_of(broker, 1_000, stack)
        for client in clients:
            client.push(request)
        for client in clients:
            client.await_close()
    return f"{len(clients)} closed"


# --- 12: half-sent, long and malformed requests -----------------------------------------------------------------------


@attack("12", "tenure.metrics.listener=127.0.0.1:0")
def half_sent_http_requests(broker: Serving) -> Stages:
    """40 half-sent HTTP requests, and meanwhile a request for /healthz."""
    url = address_of(broker)
    host, port = url.removeprefix("http://").split(":")
    yield
    with ExitStack() as stack:
        for _ in range(40):
            stack.enter_context(socket.create_connection((host, int(port)))).sendall(b"GET /healthz HT")
        began_at = time.monotonic()
        with urlopen(f"{url}/healthz", timeout=60) as answer:
            assert answer.status == 200, f"/healthz answers {answer.status}"
        return f"/healthz after {time.monotonic() - began_at:.1f} s"


@attack("12")
def long_protocol_type(broker: Serving) -> Stages:
    """A group whose protocol type has 40,000 characters, then ListGroups v0."""
    request = join("long", "seat", b"", "x" * 40_000)
    yield
    with Client(broker) as client:
        ending = client.exchange([request])
    with Client(broker) as client:
        listed = client.exchange([frame(ListGroupsRequest(), 0)])
        assert listed == "1 answered", f"ListGroups: {listed}"
    return ending


@attack("12")
def malformed_frames(broker: Serving) -> Stages:
    """5,000 connections that send a malformed frame with a long client id."""
    client_id = "\u202e\u2028".encode() * 5_000
    header = struct.pack(">hhih", ApiKey.HEARTBEAT, 0, 1, len(client_id)) + client_id
    data = struct.pack(">i", len(header)) + header
    yield
    for _ in range(5_000):
        with Client(broker) as client:
            client.push(data)
            client.await_close()
    assert not {"\u202e", "\u2028"} & set(broker.log), "the log holds direction marks or line separators"
    return "5000 closed"


@attack("variant")
def connections_that_ask_and_leave(broker: Serving) -> Stages:
    """2,000 connections that send DescribeConfigs for all configs and close without reading."""
    resources: Sequence[DescribeConfigsResource] = [DescribeConfigsResource(4, "0", None)] * 100
    request = frame(DescribeConfigsRequest(list(resources), True, True))
    yield
    for _ in range(2_000):
        with Client(broker) as client:
            client.push(request)
    with Client(broker) as client:
        return client.exchange([frame(ApiVersionsRequest("x", "1"))])
