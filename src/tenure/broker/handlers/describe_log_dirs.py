"""DescribeLogDirs (35). v2 flexible, v3 an error of the whole request, v4 the volume's size (KIP-827), v5 cordoned.

There is one directory. Sizes are looked up on a thread: the size of a partition without use since the start is only
known from its files.
"""

from collections.abc import Generator, Iterator
from typing import TYPE_CHECKING, Final

from tenure.broker.requests.request import Request
from tenure.broker.requests.route import Route
from tenure.protocol.messages import (
    DescribeLogDirsPartition,
    DescribeLogDirsRequest,
    DescribeLogDirsResponse,
    DescribeLogDirsResult,
    DescribeLogDirsTopic,
)
from tenure.protocol.types import PartitionId, TopicName

if TYPE_CHECKING:
    from tenure.broker.broker import Broker

UNKNOWN: Final = -1, -1

Wanted = list[tuple[TopicName, list[PartitionId]]]


def handle(broker: "Broker", request: Request, message: DescribeLogDirsRequest) -> Iterator[None]:
    wanted = yield from _wanted(broker, message)

    work = broker.logs.on_reader(lambda: _result(broker, wanted))
    request.go_on_with(work, lambda result: request.answer_in_steps(DescribeLogDirsResponse(results=[result])))


def _wanted(broker: "Broker", message: DescribeLogDirsRequest) -> Generator[None, None, Wanted]:
    """Return the requested partitions without those that do not exist, as in Kafka."""
    if message.topics is None:
        return [(topic.name, list(map(PartitionId, range(topic.partitions)))) for topic in broker.topics]
    wanted: Wanted = []
    for asked in message.topics:
        topic = broker.topics.named(asked.topic)
        if topic is not None:
            wanted.append((asked.topic, [index for index in asked.partitions if 0 <= index < topic.partitions]))
        yield
    return [(name, partitions) for name, partitions in wanted if partitions]


def _result(broker: "Broker", wanted: Wanted) -> DescribeLogDirsResult:
    total_bytes, usable_bytes = broker.logs.directory.volume_bytes or UNKNOWN
    topics = [
        DescribeLogDirsTopic(name, [_partition(broker, name, index) for index in partitions])
        for name, partitions in wanted
    ]
    return DescribeLogDirsResult(
        log_dir=broker.logs.directory.path, topics=topics, total_bytes=total_bytes, usable_bytes=usable_bytes
    )


def _partition(broker: "Broker", topic: TopicName, index: PartitionId) -> DescribeLogDirsPartition:
    served = broker.logs.open.get((topic, index))
    lag = 0 if served is None else served.partition.log_end_offset - served.high_watermark
    return DescribeLogDirsPartition(index, broker.logs.size_bytes((topic, index)), lag, is_future_key=False)


route = Route(DescribeLogDirsRequest, handle)
