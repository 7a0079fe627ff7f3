"""A keyed state stays with its lane, so all records of a key must come through that lane: the key must be the topic's
partitioning key. Checked on every batch, because nothing else would notice."""

import pyarrow.compute as pc

from tenure.pipeline.errors import Code, PipelineStopped
from tenure.pipeline.plan import LanePlan
from tenure.pipeline.records import KeyPartitions
from tenure.pipeline.rows import Rows


def check_keys(rows: Rows, key: str, plan: LanePlan, key_partitions: KeyPartitions | None) -> None:
    """Raises KEY_IS_NOT_PARTITIONING, naming the first record that belongs to another partition. Null keys belong to
    any."""
    table, partition = rows.table, plan.lane.partition
    if key not in table.column_names:
        raise PipelineStopped(
            Code.KEY_IS_NOT_PARTITIONING,
            f"the rows of topic {' and '.join(rows.names)} have no column {key}, which keys the state: declare it"
            " among the values",
            plan.lane,
        )
    if key_partitions is None or not len(table):
        return
    belongs = key_partitions(table[key].combine_chunks(), plan.partition_count)
    strays = pc.indices_nonzero(pc.fill_null(pc.not_equal(belongs, partition), False))
    if len(strays):
        first = strays[0].as_py()
        raise PipelineStopped(
            Code.KEY_IS_NOT_PARTITIONING,
            f"{key} '{table[key][first]}' of record {rows.topic(first)}-{partition}@{rows.offsets[first]} belongs to"
            f" partition {belongs[first]}: a state can only be keyed by what its topic is partitioned by; read it"
            f" .through('a topic of its own', key='{key}')",
            plan.lane,
        )
