"""How what is to be read is dealt out to Spark tasks.

A Python task costs some 20 ms before it reads anything, so small ranges share one; a large one has a task of its own,
or several where the user wants them. Each task reads its ranges one after the other, so a partition stays in order.
"""

from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

from tenure.client.values import TopicPartition
from tenure.limits import SOURCE_TASK_RECORDS


class TaskRange(NamedTuple):
    """Offsets `start <= offset < end`."""

    topic: str
    partition: int
    start: int
    end: int

    @property
    def size(self) -> int:
        return self.end - self.start


def ranges(start: Mapping[TopicPartition, int], end: Mapping[TopicPartition, int]) -> list[TaskRange]:
    """Of the partitions that have both: one that is in `end` alone begins there."""
    return [
        TaskRange(*partition, start[partition], last)
        for partition, last in sorted(end.items())
        if start.get(partition, last) < last
    ]


def divide_into_tasks(
    whole: list[TaskRange], min_tasks: int | None, max_records: int | None
) -> list[tuple[TaskRange, ...]]:
    """One tuple for each task."""
    total = sum(piece.size for piece in whole)
    limits = [limit for limit in (max_records, min_tasks and max(1, total // min_tasks)) if limit]
    pieces = [part for piece in whole for part in split_range(piece, min(limits))] if limits else whole
    return list(pack_ranges(pieces, min([*limits, SOURCE_TASK_RECORDS])))


def split_range(piece: TaskRange, limit: int) -> Iterator[TaskRange]:
    for start in range(piece.start, piece.end, limit):
        yield piece._replace(start=start, end=min(start + limit, piece.end))


def pack_ranges(pieces: Iterable[TaskRange], limit: int) -> Iterator[tuple[TaskRange, ...]]:
    task: list[TaskRange] = []
    for piece in pieces:
        if task and sum(before.size for before in task) + piece.size > limit:
            yield tuple(task)
            task = []
        task.append(piece)
    if task:
        yield tuple(task)
