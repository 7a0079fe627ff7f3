"""What may happen to topics while a pipeline reads them, and why it has to stop then.

A lane is partition n of all its topics, so they have the same number of partitions. A key's state is kept where its
records are; once a topic has more partitions, a key's records may come to another lane than its state. The number is
asked after the ends of the logs: if it has not changed by then, no record before those ends was written under another.
"""

from collections.abc import Mapping, Sequence

from tenure.pipeline.errors import Code, PipelineStopped
from tenure.pipeline.files import Files
from tenure.pipeline.lanes import Lane, TopicPartition
from tenure.pipeline.layout import Layout
from tenure.pipeline.manifest import BadManifest, BadPointer, Manifest, decode, parse_pointer
from tenure.pipeline.plan import Position
from tenure.pipeline.seat import Bounds, Committed, Log
from tenure.protocol.types import TopicName


def partition_count(log: Log, topics: Sequence[TopicName]) -> int:
    """That all of them have. Raises NOT_CO_PARTITIONED."""
    counts = {topic: log.partition_count(topic) for topic in topics}
    if len(set(counts.values())) > 1:
        told = ", ".join(f"{topic} has {count}" for topic, count in counts.items())
        raise PipelineStopped(
            Code.NOT_CO_PARTITIONED,
            f"topics that are read together have the same number of partitions, and {told}: write the records of one of"
            " them to a topic with as many partitions as the other, keyed the same",
        )
    return counts[topics[0]]


def not_co_assigned(lacking: Sequence[TopicPartition]) -> PipelineStopped:
    return PipelineStopped(
        Code.NOT_CO_PARTITIONED,
        f"{lacking[0]} stands with another member than the same partition of the other topics: let every member of the"
        " group read all of the pipeline's topics, and nobody else be in the group",
    )


def check_partition_count(manifest: Manifest | None, count: int) -> None:
    """A key may hash to another partition now, while its state is still where it was."""
    if manifest is not None and manifest.partition_count != count:
        raise PipelineStopped(
            Code.PARTITIONS_CHANGED,
            f"topic {'+'.join(manifest.lane.topics)} had {manifest.partition_count} partitions when the state of"
            f" {manifest.lane} was written and has {count} now, so keys may have moved away from their state: stop the"
            " pipeline everywhere, and rebuild its state with `tenure pipeline repartition`",
            manifest.lane,
        )


def check_count_of_others(files: Files, layout: Layout, committed: Mapping[Lane, Committed | None], count: int) -> None:
    """A lane that has no state yet may be one that was added. What the group has committed of any other tells."""
    for lane, at in committed.items():
        try:
            pointer = None if at is None else parse_pointer(at.metadata)
            manifest = pointer and decode(files.read(layout.manifest(lane, pointer.manifest_id)), pointer)
        except (FileNotFoundError, BadManifest, BadPointer):
            continue  # Superseded while we look, or for its owner to find out.
        if manifest is not None:
            check_partition_count(manifest, count)
            return


def check_same_topics(manifest: Manifest | None, bounds: Mapping[TopicPartition, Bounds]) -> None:
    """A topic that was deleted and created again is another one of the same name."""
    for part in () if manifest is None else manifest.ranges:
        now = bounds[part.topic_partition].topic_id
        if manifest is not None and None not in (now, part.topic_id) and now != part.topic_id:
            raise PipelineStopped(
                Code.TOPIC_RECREATED,
                f"topic {part.topic} was deleted and created anew since {manifest.lane} was committed, so its offsets"
                ' mean other records now: run once with on_disagreement="trust-offsets" to begin at the start of the'
                " new one with empty state",
                manifest.lane,
            )


def check_records_are_there(position: Position, bounds: Mapping[TopicPartition, Bounds]) -> None:
    for partition, offset in position.offsets.items():
        start, end = bounds[partition][:2]
        if not start <= offset <= end:
            raise PipelineStopped(
                Code.RECORDS_DELETED,
                f"{partition} has the offsets {start} to {end}, and lane {position.lane} goes on at {offset}: records"
                " in between were deleted; reset the group's offset, then run once with"
                ' on_disagreement="trust-offsets"',
                position.lane,
            )
