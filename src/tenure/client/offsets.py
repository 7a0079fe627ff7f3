"""Where partitions begin and end, and what topics consist of: questions that a blocking caller asks."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from tenure.client.values import ListedOffset, TopicDescription, TopicPartition

EARLIEST: Final = -2
LATEST: Final = -1


def list_offsets(
    bootstrap_servers: str | Sequence[str], timestamps_ms: Mapping[TopicPartition, int], *, client_id: str = "tenure"
) -> dict[TopicPartition, ListedOffset]:
    """For each partition the first offset at or after a timestamp, `EARLIEST`, or `LATEST`. Raises `UnknownTopic`."""
    raise NotImplementedError


def beginning_offsets(
    bootstrap_servers: str | Sequence[str], partitions: Iterable[TopicPartition], *, client_id: str = "tenure"
) -> dict[TopicPartition, int]:
    raise NotImplementedError


def end_offsets(
    bootstrap_servers: str | Sequence[str], partitions: Iterable[TopicPartition], *, client_id: str = "tenure"
) -> dict[TopicPartition, int]:
    raise NotImplementedError


def describe_topic(
    bootstrap_servers: str | Sequence[str], topic: str, *, client_id: str = "tenure"
) -> TopicDescription:
    """Raises `UnknownTopic`."""
    raise NotImplementedError
