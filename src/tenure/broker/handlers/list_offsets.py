"""ListOffsets (API key 2).

Changes: v1 one offset per partition, v2 isolation level and throttle time, v4 leader epochs, v6 flexible encoding, v7
max timestamp (-3), v8 earliest local (-4), v9 latest tiered (-5), v10 a time-out, v11 earliest pending upload (-6).

Tenure has no tiered storage: the earliest local offset is the earliest offset, and no segment is uploaded or pending.
"""

from collections.abc import Container, Generator, Iterator
from contextlib import suppress
from typing import TYPE_CHECKING, Final, TypeAlias

from tenure.broker.logs.storage_codes import LOG_ERRORS, LogError, error_code_of
from tenure.broker.requests.context import Context
from tenure.broker.requests.permissions import allowed_names
from tenure.broker.requests.request import Request
from tenure.broker.requests.route import Route
from tenure.broker.requests.steps import in_steps
from tenure.protocol.acls import AclOperation, ResourceType
from tenure.protocol.errors import ErrorCode
from tenure.protocol.messages import (
    ListOffsetsPartition,
    ListOffsetsPartitionResponse,
    ListOffsetsRequest,
    ListOffsetsResponse,
    ListOffsetsTopicResponse,
)
from tenure.protocol.special_values import EARLIEST, LATEST, READ_COMMITTED
from tenure.protocol.types import TopicName
from tenure.storage.log.readable_log import OffsetAndTimestamp

if TYPE_CHECKING:
    from tenure.broker.logs.served_log import ServedLog
    from tenure.coordinator.metadata.topics import Topic

MAX_TIMESTAMP: Final = -3
EARLIEST_LOCAL: Final = -4
LATEST_TIERED: Final = -5
EARLIEST_PENDING_UPLOAD: Final = -6
LEADER_EPOCH_SINCE: Final = 4
SINCE_VERSION: Final = {EARLIEST: 0, MAX_TIMESTAMP: 7, EARLIEST_LOCAL: 8, LATEST_TIERED: 9, EARLIEST_PENDING_UPLOAD: 11}
NO_VERSION: Final = 2**15
"""First version of a negative timestamp that no version supports: a number above all versions of the API."""

PartitionName: TypeAlias = "tuple[TopicName, int]"
Lookup: TypeAlias = "tuple[ServedLog, int]"
"""(log, timestamp to search for in the log)."""
Found: TypeAlias = OffsetAndTimestamp | LogError | None


def handle(context: Context, request: Request, message: ListOffsetsRequest) -> Iterator[None]:
    """Answer with the requested offsets.

    The search for a timestamp runs on a thread, because it reads indexes and decompresses batches (decision 11).
    """
    repeated = yield from _repeated(message)
    allowed = allowed_names(context, request, AclOperation.DESCRIBE, ResourceType.TOPIC)
    lookups: dict[Lookup, None] = {}
    for lookup in _lookups(context, message, repeated, allowed):
        if lookup is not None:
            lookups[lookup] = None
        yield
    if not lookups:
        yield from _answer(context, request, message, repeated, allowed, {})
        return

    work = context.logs.on_reader(lambda: {lookup: _look_up(*lookup) for lookup in lookups})
    request.go_on_with(work, lambda found: _answer(context, request, message, repeated, allowed, found))


def _repeated(message: ListOffsetsRequest) -> "Generator[None, None, set[PartitionName]]":
    """Return the partitions that the request names more than once. Their answer is INVALID_REQUEST, as in Kafka."""
    seen: set[PartitionName] = set()
    repeated: set[PartitionName] = set()
    for topic in message.topics:
        for partition in topic.partitions:
            name = topic.name, partition.partition_index
            if name in seen:
                repeated.add(name)
            seen.add(name)
            yield
    return repeated


def _lookups(
    context: Context, message: ListOffsetsRequest, repeated: "set[PartitionName]", allowed: Container[str]
) -> "Iterator[Lookup | None]":
    """Yield (log, timestamp to search for) for each requested partition of a topic in `allowed`.

    None is yielded instead if the partition needs no search: because the request is for the first or last offset, or
    because the answer is an error, as for partitions in `repeated`.
    """
    for requested in message.topics:
        if requested.name not in allowed:
            continue
        for partition in requested.partitions:
            by_time = partition.timestamp >= 0 or partition.timestamp == MAX_TIMESTAMP
            looks = by_time and (requested.name, partition.partition_index) not in repeated
            topic = context.topics.named(requested.name) if looks else None
            found = None
            if topic is not None and 0 <= partition.partition_index < topic.partitions:
                with suppress(*LOG_ERRORS):  # the error is reported when the partition is answered
                    found = context.logs.of(topic, partition.partition_index), partition.timestamp
            yield found


def _look_up(log: "ServedLog", wanted: int) -> "Found":
    try:
        return (
            log.partition.offset_of_max_timestamp()
            if wanted == MAX_TIMESTAMP
            else log.partition.offset_for_timestamp(wanted)
        )
    except LOG_ERRORS as error:
        return error


def _answer(
    context: Context,
    request: Request,
    message: ListOffsetsRequest,
    repeated: "set[PartitionName]",
    allowed: Container[str],
    found: "dict[Lookup, Found]",
) -> Iterator[None]:
    reads_committed = message.isolation_level == READ_COMMITTED
    topics = []
    for topic in message.topics:
        partitions = yield from in_steps(
            ListOffsetsPartitionResponse(requested.partition_index, ErrorCode.TOPIC_AUTHORIZATION_FAILED)
            if topic.name not in allowed
            else ListOffsetsPartitionResponse(requested.partition_index, ErrorCode.INVALID_REQUEST)
            if (topic.name, requested.partition_index) in repeated
            else _partition(
                context, context.topics.named(topic.name), requested, request.version, found, reads_committed
            )
            for requested in topic.partitions
        )
        topics.append(ListOffsetsTopicResponse(topic.name, partitions))
        yield
    yield from request.answer_in_steps(
        ListOffsetsResponse(topics=topics), sum(1 + len(topic.partitions) for topic in topics)
    )


def _partition(
    context: Context,
    topic: "Topic | None",
    requested: ListOffsetsPartition,
    version: int,
    found: "dict[Lookup, Found]",
    reads_committed: bool,
) -> ListOffsetsPartitionResponse:
    index = requested.partition_index
    if requested.timestamp < LATEST and version < SINCE_VERSION.get(requested.timestamp, NO_VERSION):
        return ListOffsetsPartitionResponse(index, ErrorCode.UNSUPPORTED_VERSION)
    if topic is None or not 0 <= index < topic.partitions:
        return ListOffsetsPartitionResponse(index, ErrorCode.UNKNOWN_TOPIC_OR_PARTITION)
    try:
        log = context.logs.of(topic, index)
        if error_code := log.check_epoch(requested.current_leader_epoch):
            return ListOffsetsPartitionResponse(index, error_code)
        timestamp_ms, offset = _timestamp_and_offset(log, requested.timestamp, found, reads_committed)
    except LOG_ERRORS as error:
        return ListOffsetsPartitionResponse(index, error_code_of(error))
    known = offset >= 0 and version >= LEADER_EPOCH_SINCE
    leader_epoch = log.partition.leader_epoch_at(offset) if known else -1
    return ListOffsetsPartitionResponse(index, ErrorCode.NONE, timestamp_ms, offset, leader_epoch)


def _timestamp_and_offset(
    log: "ServedLog", wanted: int, found: "dict[Lookup, Found]", reads_committed: bool
) -> tuple[int, int]:
    """Return (timestamp, offset) for the requested timestamp `wanted`.

    `found` has the results of all searches. Both numbers are -1 if the search has found no record that the client may
    read, or if the log has been replaced since the search. For the first and last offset, only the timestamp is -1.
    """
    if wanted == LATEST:
        return -1, log.partition.last_stable_offset if reads_committed else log.high_watermark
    if wanted in (EARLIEST, EARLIEST_LOCAL):
        return -1, log.log_start_offset
    looked_up = found.get((log, wanted))
    if isinstance(looked_up, LOG_ERRORS):
        raise looked_up
    if looked_up is None or (reads_committed and looked_up.offset >= log.partition.last_stable_offset):
        return -1, -1
    return looked_up.timestamp_ms, looked_up.offset


route = Route(ListOffsetsRequest, handle)
