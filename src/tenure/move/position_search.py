"""Search for the position of a copy in the target's log, after a failed write or at the start.

The design is in docs/decisions/0023-copies-know-their-place.md.
"""

from collections.abc import Sequence
from typing import Final

from tenure.client.net.cluster import Cluster
from tenure.client.queries.partition_queries import list_offsets
from tenure.client.values import TopicPartition
from tenure.move.errors import MoveStopped
from tenure.move.log_reader import SEQUENCES, copied_records, earliest, visible_records
from tenure.move.progress import PartitionProgress
from tenure.protocol.records import Record
from tenure.protocol.special_values import LATEST, READ_COMMITTED

AHEAD_MAX: Final = SEQUENCES // 2
"""Bound on the difference from a sequence number to a later one. Sequence numbers wrap around, so a difference at or
above this bound belongs to an earlier record."""

Copied = tuple[int, Record]
"""Copied record: its number, and the record at the target. Number 0 is the first record after the committed
progress."""


async def find_position(
    source: Cluster, target: Cluster, partition: TopicPartition, progress: PartitionProgress
) -> None:
    """Update the progress with the records that the target has got since the progress was committed."""
    copied = await _copied_since(target, partition, progress)
    if not copied:
        return
    count = copied[-1][0] + 1
    originals = await _originals(source, partition, progress.source_next, count)
    for original, copy in match_copies(originals, copied):
        progress.runs.add(original.offset, copy.offset, 1)
        progress.source_next = original.offset + 1
    progress.sequence = (progress.sequence + count) % SEQUENCES


async def _copied_since(target: Cluster, partition: TopicPartition, progress: PartitionProgress) -> list[Copied]:
    end = (await list_offsets(target, {partition: LATEST}))[partition].offset
    if end < progress.target_end:
        raise MoveStopped(
            f"Target has lost records of {partition}: records before offset {progress.target_end} were acknowledged, "
            f"and its log ends at offset {end}. Delete topic '{partition.topic}' at the target to copy it again."
        )
    start = max(progress.target_end, await earliest(target, partition))
    producer_id = progress.producer.producer_id
    found = [
        ((sequence - progress.sequence) % SEQUENCES, record)
        async for sequence, record in copied_records(target, partition, start, end, producer_id)
    ]
    return [copy for copy in found if copy[0] < AHEAD_MAX]


async def _originals(source: Cluster, partition: TopicPartition, start: int, count: int) -> list[Record]:
    """Return the records that a read_committed consumer of the source gets from `start` on, at most `count`."""
    end = (await list_offsets(source, {partition: LATEST}, isolation_level=READ_COMMITTED))[partition].offset
    start = max(start, await earliest(source, partition))
    found: list[Record] = []
    async for record in visible_records(source, partition, start, end):
        found.append(record)
        if len(found) == count:
            break
    return found


def match_copies(originals: Sequence[Record], copied: Sequence[Copied]) -> list[tuple[Record, Record]]:
    """Return pairs of an original record and its copy.

    The n-th copy belongs to the n-th original, unless the source has been compacted or truncated since. In that case
    some originals are gone, and the remaining ones are found by comparing contents, in order.
    """
    last_index, last = copied[-1]
    if last_index < len(originals) and have_same_content(originals[last_index], last):
        return [(originals[index], copy) for index, copy in copied]
    pairs: list[tuple[Record, Record]] = []
    rest = iter(originals)
    original = next(rest, None)
    for _, copy in copied:
        if original is not None and have_same_content(original, copy):
            pairs.append((original, copy))
            original = next(rest, None)
    return pairs


def have_same_content(one: Record, other: Record) -> bool:
    """Return whether two records have equal timestamp, key, value and headers."""
    return (one.timestamp_ms, one.key, one.value, list(one.headers)) == (
        other.timestamp_ms,
        other.key,
        other.value,
        list(other.headers),
    )
