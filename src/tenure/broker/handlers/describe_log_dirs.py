"""DescribeLogDirs (API key 35).

Changes: v2 flexible encoding, v3 an error code of the whole request, v4 the size of the volume (KIP-827), v5 cordoned
directories.

The broker has one directory. Sizes are determined on a thread, because the size of a log that is not open must be read
from its files.
"""

from collections.abc import Generator, Iterator
from typing import Final

from tenure.broker.requests.context import Context
from tenure.broker.requests.permissions import is_allowed_to_cluster
from tenure.broker.requests.request import Request
from tenure.broker.requests.route import Route
from tenure.protocol.acls import AclOperation
from tenure.protocol.errors import ErrorCode
from tenure.protocol.messages import (
    DescribeLogDirsPartition,
    DescribeLogDirsRequest,
    DescribeLogDirsResponse,
    DescribeLogDirsResult,
    DescribeLogDirsTopic,
)
from tenure.protocol.types import PartitionId, TopicName

UNKNOWN: Final = -1, -1

Wanted = list[tuple[TopicName, list[PartitionId]]]


def handle(context: Context, request: Request, message: DescribeLogDirsRequest) -> Iterator[None]:
    if not is_allowed_to_cluster(context, request, AclOperation.DESCRIBE):
        request.answer(DescribeLogDirsResponse(error_code=ErrorCode.CLUSTER_AUTHORIZATION_FAILED))
        return
    wanted = yield from _wanted(context, message)

    work = context.logs.on_reader(lambda: _result(context, wanted))
    request.go_on_with(work, lambda result: request.answer_in_steps(DescribeLogDirsResponse(results=[result])))


def _wanted(context: Context, message: DescribeLogDirsRequest) -> Generator[None, None, Wanted]:
    """Return the requested partitions that exist; unknown ones are left out, as in Kafka."""
    if message.topics is None:
        return [(topic.name, list(map(PartitionId, range(topic.partitions)))) for topic in context.topics]
    wanted: Wanted = []
    for requested in message.topics:
        topic = context.topics.named(requested.topic)
        if topic is not None:
            wanted.append((requested.topic, [index for index in requested.partitions if 0 <= index < topic.partitions]))
        yield
    return [(name, partitions) for name, partitions in wanted if partitions]


def _result(context: Context, wanted: Wanted) -> DescribeLogDirsResult:
    total_bytes, usable_bytes = context.logs.directory.volume_bytes or UNKNOWN
    topics = [
        DescribeLogDirsTopic(name, [_partition(context, name, index) for index in partitions])
        for name, partitions in wanted
    ]
    return DescribeLogDirsResult(
        log_dir=context.logs.directory.path, topics=topics, total_bytes=total_bytes, usable_bytes=usable_bytes
    )


def _partition(context: Context, topic: TopicName, index: PartitionId) -> DescribeLogDirsPartition:
    served = context.logs.open.get((topic, index))
    lag = 0 if served is None else served.partition.log_end_offset - served.high_watermark
    return DescribeLogDirsPartition(index, context.logs.size_bytes((topic, index)), lag, is_future_key=False)


route = Route(DescribeLogDirsRequest, handle)
