"""What the state directory tells of each lane, without any application: its last published batch."""

from dataclasses import dataclass

from tenure.pipeline.head import read_head
from tenure.pipeline.lanes import Lane
from tenure.protocol.types import PartitionId, TopicName
from tenure.spark.job import files_of, layout_of
from tenure.spark.pipeline import Pipeline


@dataclass(frozen=True, slots=True)
class KeptLane:
    partition: int
    sequence: int
    """How many batches the lane has seen."""
    records: int
    """Of its last batch, as the next two."""
    rows: int
    writer: str
    state_bytes: int
    state_files: int


def kept_lanes(pipeline: Pipeline, partitions: int) -> list[KeptLane]:
    """Of those lanes that have been worked on."""
    files, layout = files_of(pipeline), layout_of(pipeline)
    topics = tuple(TopicName(topic.name) for topic in pipeline.topics)
    heads = [read_head(files, layout, Lane(topics, PartitionId(number))) for number in range(partitions)]
    manifests = [head[1] for head in heads if head is not None]
    return [
        KeptLane(
            manifest.lane.partition,
            manifest.sequence,
            manifest.records,
            manifest.rows,
            str(manifest.writer),
            sum(file.size_bytes for file in manifest.state.files),
            len(manifest.state.files),
        )
        for manifest in manifests
    ]
