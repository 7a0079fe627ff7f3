"""Contents of `__consumer_offsets`, read over the wire from any broker.

Tests count rebalances with these records, and never with a counter of Tenure.
"""

from __future__ import annotations

from collections.abc import Iterator

from tenure.protocol.batches import decode_records, read_batches
from tenure.protocol.coordinator_logs.consumer_offsets import (
    ConsumerGroupMetadataValue,
    GroupMetadataKey,
    GroupMetadataValue,
    Key,
    OffsetCommitKey,
    UnknownRecord,
    Value,
    decode_record,
)
from tenure.protocol.messages import FetchPartition, FetchRequest, FetchTopic
from tenure.protocol.records import Record
from tenure.protocol.types import PartitionId, TopicName
from tests.wire import Wire

TOPIC = "__consumer_offsets"
FETCH_VERSION = 12
"""Newest version that names topics instead of ids."""


def log_of(host: str, port: int, topic: str = TOPIC, partition: int = 0) -> bytes:
    """Return all bytes of a partition."""
    data = b""
    offset = 0
    with Wire(host, port) as wire:
        while True:
            part = fetch(wire, topic, partition, offset)
            batches = list(read_batches(part))
            if not batches:
                return data
            data += part
            offset = batches[-1].last_offset + 1


def fetch(wire: Wire, topic: str, partition: int, offset: int) -> bytes:
    wanted = FetchPartition(partition=PartitionId(partition), fetch_offset=offset, partition_max_bytes=16 << 20)
    request = FetchRequest(max_bytes=16 << 20, topics=[FetchTopic(topic=TopicName(topic), partitions=[wanted])])
    answer = wire.ask(request, FETCH_VERSION).responses[0].partitions[0]
    assert answer.error_code == 0, f"{topic}-{partition} cannot be fetched: error {answer.error_code}"
    records: bytes = answer.records or b""
    return records


def records_of(host: str, port: int) -> Iterator[Record]:
    for batch in read_batches(log_of(host, port)):
        if not batch.is_control:
            yield from decode_records(batch)


def history(host: str, port: int, group: str) -> list[tuple[Key, Value | None]]:
    """Return the records of a group, in the order of the log; None is a tombstone."""
    told = [read(record) for record in records_of(host, port)]
    return [(key, value) for key, value in told if group_of(key) == group]


def group_of(key: Key) -> str:
    """Return the group of a key; records of consumer groups call it `group_id`."""
    return key.group if isinstance(key, OffsetCommitKey | GroupMetadataKey) else key.group_id


def generations(host: str, port: int, group: str) -> list[int]:
    """Return the generations of a group in order, without repetitions: each rebalance adds one."""
    seen: dict[int, None] = {}
    for _, value in history(host, port, group):
        if isinstance(value, GroupMetadataValue):
            seen[value.generation] = None
    return list(seen)


def epochs(host: str, port: int, group: str) -> list[int]:
    """Return the epochs of a consumer group in order, without repetitions."""
    values = [value for _, value in history(host, port, group)]
    return [value.epoch for value in values if isinstance(value, ConsumerGroupMetadataValue)]


def leading_instance(host: str, port: int, group: str) -> str | None:
    """Return the instance id of the group's leader in the newest record."""
    *_, value = [value for _, value in history(host, port, group) if isinstance(value, GroupMetadataValue)]
    return next(member.group_instance_id for member in value.members if member.member_id == value.leader)


def read(record: Record) -> tuple[Key, Value | None]:
    """Decode a record of a classic or consumer group; any other kind is an error."""
    assert record.key is not None
    found = decode_record(record.key, record.value)
    assert not isinstance(found, UnknownRecord), f"{found} is unknown"
    return found
