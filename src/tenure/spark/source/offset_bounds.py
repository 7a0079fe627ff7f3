"""Start and end of a read, in the format of Spark's Kafka source: offsets or times by partition."""

import json
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from typing import Any, Final, Literal

from tenure.client.configuration import ConfigurationError
from tenure.client.net.bootstrap import ClusterConfig
from tenure.client.queries.blocking import list_offsets
from tenure.client.values import TopicPartition
from tenure.protocol.special_values import EARLIEST, LATEST

PartitionOffsets = dict[TopicPartition, int]

SPECIAL_OFFSETS: Final = {"earliest": EARLIEST, "latest": LATEST}


@dataclass(frozen=True, slots=True)
class OffsetBound:
    """Start or end by partition: an offset, `EARLIEST` or `LATEST`; or a time in ms since the epoch if `is_time`."""

    otherwise: int
    """Bound of partitions that are not named."""
    named: Mapping[TopicPartition, int] = field(default_factory=dict)
    is_time: bool = False
    without_record: Literal["error", "latest"] = "latest"
    """Action for a time after the last record: raise an error, or use the log end."""

    def of(self, partition: TopicPartition) -> int:
        """Return the bound of a partition."""
        return self.named.get(partition, self.otherwise)


BEGINNING: Final = OffsetBound(EARLIEST)
END: Final = OffsetBound(LATEST)


def resolve(
    bound: OffsetBound, partitions: Collection[TopicPartition], cluster: ClusterConfig, isolation_level: int
) -> PartitionOffsets:
    """Return the current offsets for a bound.

    Raises ConfigurationError for a time after the last record, if `bound.without_record` is "error".
    """
    wanted = {partition: bound.of(partition) for partition in partitions}
    given = {} if bound.is_time else {partition: offset for partition, offset in wanted.items() if offset >= 0}
    requested = {partition: offset for partition, offset in wanted.items() if partition not in given}
    found = list_bounds(cluster, requested, isolation_level)
    without = [partition for partition in requested if found[partition] < 0]
    if without and bound.without_record == "error":
        raise ConfigurationError(
            f"partition {without[0]} has no record at or after the time {requested[without[0]]} (ms since the epoch): "
            "use an earlier time, or set 'startingOffsetsByTimestampStrategy' to latest."
        )
    return given | found | list_bounds(cluster, dict.fromkeys(without, LATEST), isolation_level)


def list_bounds(cluster: ClusterConfig, bounds: PartitionOffsets, isolation_level: int) -> PartitionOffsets:
    """Request the present offset of each bound. A bound is `EARLIEST`, `LATEST` or a time in ms since the epoch.

    The offset is -1 for a time after the last record.
    """
    found = list_offsets(cluster, bounds, isolation_level=isolation_level) if bounds else {}
    return {partition: listed.offset for partition, listed in found.items()}


# --- as options -------------------------------------------------------------------------------------------------------


def parse_offsets(value: Any) -> OffsetBound:
    """Parse `earliest`, `latest`, or a JSON object of offsets, in which -2 is the earliest and -1 the latest."""
    if value in SPECIAL_OFFSETS:
        return OffsetBound(SPECIAL_OFFSETS[value])
    named = parse_by_partition(value, lowest=EARLIEST, expected='earliest, latest or JSON like {"topic": {"0": 23}}')
    return OffsetBound(EARLIEST, named)


def parse_times(value: Any) -> OffsetBound:
    """Parse a JSON object of times in ms since the epoch, by topic and partition."""
    return OffsetBound(
        EARLIEST, parse_by_partition(value, lowest=0, expected='JSON like {"topic": {"0": 1700000000000}}'), True
    )


def parse_time(value: Any) -> OffsetBound:
    """Parse a time in ms since the epoch, which applies to all partitions."""
    try:
        return OffsetBound(int(value), {}, True)
    except ValueError:
        raise ValueError("a time in ms since the epoch") from None


def parse_partitions(value: Any) -> tuple[TopicPartition, ...]:
    """Parse the partitions of the option `assign`: `{"topic": [0, 1]}`."""
    try:
        by_topic = json.loads(value).items()
        found = [TopicPartition(topic, int(number)) for topic, numbers in by_topic for number in numbers]
    except (ValueError, TypeError, AttributeError):
        found = []
    if not found or any(partition.partition < 0 for partition in found):
        raise ValueError('JSON like {"topic": [0, 1]}')
    return tuple(sorted(set(found)))


def parse_by_partition(value: Any, *, lowest: int, expected: str) -> PartitionOffsets:
    """Parse a JSON object of offsets or times, by topic and partition.

    Raises ValueError with the text `expected` if the object is invalid, or a value is less than `lowest`.
    """
    try:
        found = from_json(json.loads(value))
    except (ValueError, TypeError, AttributeError):
        raise ValueError(expected) from None
    if not found or any(place < lowest for place in found.values()):
        raise ValueError(expected)
    return found


def from_json(value: Mapping[str, Mapping[str, int]]) -> PartitionOffsets:
    """Convert offsets from the format of Spark's Kafka source: `{"topic": {"partition": offset}}`."""
    return {
        TopicPartition(topic, int(number)): int(offset)
        for topic, of_topic in value.items()
        for number, offset in of_topic.items()
    }


def to_json(offsets: Mapping[TopicPartition, int]) -> dict[str, dict[str, int]]:
    """Convert offsets to the format of Spark's Kafka source. They are sorted, because Spark compares them as text."""
    written: dict[str, dict[str, int]] = {}
    for (topic, number), offset in sorted(offsets.items()):
        written.setdefault(topic, {})[str(number)] = offset
    return written
