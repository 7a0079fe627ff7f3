"""Changes of topics that stop a pipeline.

A lane is partition n of all its topics, so all topics have the same number of partitions. A key's state is in the lane
of its records. After partitions were added to a topic, new records of a key may be in another lane than its state. The
engine queries the ends of the logs first, and the number of partitions second. If the number has not changed, all
records before these ends were written with this number.
"""

from collections.abc import Mapping, Sequence

from tenure.pipeline.errors import Code, PipelineStopped
from tenure.pipeline.output.files import Files
from tenure.pipeline.output.layout import Layout
from tenure.pipeline.values.lanes import Lane
from tenure.pipeline.values.manifest import BadManifest, BadPointer, Manifest, decode, parse_pointer
from tenure.pipeline.values.membership import Bounds, Log
from tenure.pipeline.values.plan import Position
from tenure.plural import format_count
from tenure.protocol.types import TopicName
from tenure.values import OffsetAndMetadata, TopicPartition


def partition_count(log: Log, topics: Sequence[TopicName]) -> int:
    """Return the common number of partitions of all topics. Raises NOT_CO_PARTITIONED if the numbers differ."""
    counts = {topic: log.partition_count(topic) for topic in topics}
    if len(set(counts.values())) > 1:
        listed = ", ".join(f"{topic} has {count}" for topic, count in counts.items())
        raise PipelineStopped(
            Code.NOT_CO_PARTITIONED,
            f"the input topics have different numbers of partitions ({listed}): copy one of them to a topic with as"
            " many partitions as the other and the same keys",
        )
    return counts[topics[0]]


def not_co_assigned(missing: Sequence[TopicPartition]) -> PipelineStopped:
    return PipelineStopped(
        Code.NOT_CO_PARTITIONED,
        f"{missing[0]} is assigned to another member than the same partition of the other topics: remove the members of"
        " the group that do not run this pipeline or do not read all of its topics",
    )


def check_partition_count(manifest: Manifest | None, count: int) -> None:
    """Raise PARTITIONS_CHANGED if the state was written with another number of partitions."""
    if manifest is not None and manifest.partition_count != count:
        raise PipelineStopped(
            Code.PARTITIONS_CHANGED,
            f"topic {'+'.join(manifest.lane.topics)} had {format_count(manifest.partition_count, 'partition')} when the"
            f" state of lane {manifest.lane} was written and has {count} now, so keys may have moved away from their"
            " state: stop all applications of the pipeline and rebuild its state with `tenure pipeline repartition`",
            manifest.lane,
        )


def check_count_of_others(
    files: Files, layout: Layout, committed: Mapping[Lane, OffsetAndMetadata | None], count: int
) -> None:
    """Raise PARTITIONS_CHANGED if the pipeline's state was written with another number of partitions than `count`.

    Call this function for a new lane, which may exist only because partitions were added. A new lane has no manifest.
    So `count` is compared with the number in the manifest of another lane, the first one that can be read.

    Args:
        files: Access to the files.
        layout: Paths of the pipeline's files.
        committed: Committed offset of every lane of the group; None if there is none.
        count: Present number of partitions.
    """
    for lane, at in committed.items():
        try:
            pointer = None if at is None else parse_pointer(at.metadata)
            manifest = pointer and decode(files.read(layout.manifest(lane, pointer.manifest_id)), pointer)
        except (FileNotFoundError, BadManifest, BadPointer):
            continue  # The manifest was swept after a later commit, or its damage is reported by the lane's owner.
        if manifest is not None:
            check_partition_count(manifest, count)
            return


def check_same_topics(manifest: Manifest | None, bounds: Mapping[TopicPartition, Bounds]) -> None:
    """Raise TOPIC_RECREATED if a topic was deleted and created again since the manifest was written."""
    for part in () if manifest is None else manifest.ranges:
        now = bounds[part.topic_partition].topic_id
        if manifest is not None and None not in (now, part.topic_id) and now != part.topic_id:
            raise PipelineStopped(
                Code.TOPIC_RECREATED,
                f"topic {part.topic} was deleted and created again after lane {manifest.lane} was committed, so the"
                ' committed offsets are invalid: run once with on_disagreement="trust-offsets" to start at the'
                " beginning of the new topic with empty state",
                manifest.lane,
            )


def check_records_are_there(position: Position, bounds: Mapping[TopicPartition, Bounds]) -> None:
    for partition, offset in position.offsets.items():
        start, end = bounds[partition][:2]
        if not start <= offset <= end:
            raise PipelineStopped(
                Code.RECORDS_DELETED,
                f"lane {position.lane} continues at offset {offset}, but {partition} has only the offsets {start} to"
                f" {end}: records were deleted; reset the group's offset, then run once with"
                ' on_disagreement="trust-offsets"',
                position.lane,
            )
