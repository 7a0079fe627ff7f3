"""Check that the key of a state is the partitioning key of its topic.

State belongs to a lane, so all records of a key must be in one lane. Every batch is checked, because a violation would
otherwise give wrong results silently.
"""

import pyarrow.compute as pc

from tenure.pipeline.errors import Code, PipelineStopped
from tenure.pipeline.operators.rows import Rows
from tenure.pipeline.values.decoded_records import KeyPartitions
from tenure.pipeline.values.plan import LanePlan


def check_keys(rows: Rows, key: str, plan: LanePlan, key_partitions: KeyPartitions | None) -> None:
    """Raise KEY_IS_NOT_PARTITIONING for the first record whose key belongs to another partition.

    Null keys are allowed.
    """
    table, partition = rows.table, plan.lane.partition
    if key not in table.column_names:
        raise PipelineStopped(
            Code.KEY_IS_NOT_PARTITIONING,
            f"the rows of topic {' and '.join(rows.names)} have no column {key}, by which the state is keyed: add it"
            " to the schema of the values",
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
            f" partition {belongs[first]}: the key of the state must be the key that the topic is partitioned by;"
            f" repartition the topic with .through('TOPIC', key='{key}')",
            plan.lane,
        )
