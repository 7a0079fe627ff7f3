"""Division of a read into Spark tasks.

A Python task needs about 20 ms before it reads anything, so small ranges share a task. A large range has its own task,
or several if the user requests that. A task reads its ranges one after the other, so a partition stays in order.
"""

from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

from tenure.client.values import TopicPartition
from tenure.limits.spark import SOURCE_TASK_RECORDS


class TaskRange(NamedTuple):
    """Offsets `start <= offset < end` of a partition."""

    topic: str
    partition: int
    start: int
    end: int

    @property
    def size(self) -> int:
        return self.end - self.start


def ranges(start: Mapping[TopicPartition, int], end: Mapping[TopicPartition, int]) -> list[TaskRange]:
    """Return the offset ranges from `start` to `end`. A partition that is missing in `start` has no range."""
    return [
        TaskRange(*partition, start[partition], last)
        for partition, last in sorted(end.items())
        if start.get(partition, last) < last
    ]


def divide_into_tasks(
    whole: list[TaskRange], min_tasks: int | None, max_records: int | None
) -> list[tuple[TaskRange, ...]]:
    """Return the ranges of each task.

    Args:
        whole: All ranges.
        min_tasks: Approximate minimum number of tasks.
        max_records: Maximum offsets of a task.
    """
    total = sum(piece.size for piece in whole)
    limits = [limit for limit in (max_records, min_tasks and max(1, total // min_tasks)) if limit]
    pieces = [part for piece in whole for part in split_range(piece, min(limits))] if limits else whole
    return list(pack_ranges(pieces, min([*limits, SOURCE_TASK_RECORDS])))


def split_range(task_range: TaskRange, limit: int) -> Iterator[TaskRange]:
    """Yield parts of the range with at most `limit` offsets."""
    for start in range(task_range.start, task_range.end, limit):
        yield task_range._replace(start=start, end=min(start + limit, task_range.end))


def pack_ranges(pieces: Iterable[TaskRange], limit: int) -> Iterator[tuple[TaskRange, ...]]:
    """Yield groups of ranges. A group has at most `limit` offsets, unless it is a single larger range."""
    task: list[TaskRange] = []
    for piece in pieces:
        if task and sum(before.size for before in task) + piece.size > limit:
            yield tuple(task)
            task = []
        task.append(piece)
    if task:
        yield tuple(task)
