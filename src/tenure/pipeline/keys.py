"""A keyed state stays with its lane, so all records of a key must come through that lane: the key must be the topic's
partitioning key. Checked on every batch, because nothing else would notice."""

import pyarrow as pa
import pyarrow.compute as pc

from tenure.pipeline.errors import Code, PipelineStopped
from tenure.pipeline.plan import LanePlan
from tenure.pipeline.records import KeyPartitions


def check_keys(
    rows: pa.Table, offsets: pa.ChunkedArray, key: str, plan: LanePlan, key_partitions: KeyPartitions | None
) -> None:
    """Raises KEY_IS_NOT_PARTITIONING, naming the first record that belongs to another partition. Null keys belong to
    any."""
    topic, partition = plan.ranges[0].topic_partition
    if key not in rows.column_names:
        raise PipelineStopped(
            Code.KEY_IS_NOT_PARTITIONING,
            f"the rows of topic {topic} have no column {key}, which keys the state: declare it among the values",
            plan.lane,
        )
    if key_partitions is None or not len(rows):
        return
    belongs = key_partitions(rows[key].combine_chunks(), plan.partition_count)
    strays = pc.indices_nonzero(pc.fill_null(pc.not_equal(belongs, partition), False))
    if len(strays):
        first = strays[0].as_py()
        raise PipelineStopped(
            Code.KEY_IS_NOT_PARTITIONING,
            f"{key} '{rows[key][first]}' of record {topic}-{partition}@{offsets[first]} belongs to partition"
            f" {belongs[first]}: a state can only be keyed by what its topic is partitioned by, so write the topic"
            f" anew with {key} as the key of its records",
            plan.lane,
        )
