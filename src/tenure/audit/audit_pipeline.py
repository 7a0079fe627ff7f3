"""Declaration of the audit's pipeline."""

from pathlib import Path
from typing import Final

from tenure.audit.collector import STATE, collect
from tenure.audit.records.coordinator_records import GROUP, TOPIC, CoordinatorRecords, group_partitions
from tenure.audit.tables import COLLECTED, COMMITS
from tenure.spark.declarations.processing import stateful
from tenure.spark.declarations.topics import Topic
from tenure.spark.pipeline import Pipeline
from tenure.spark.sinks.parquet_sink import Parquet

NAME: Final = "tenure-audit"
STATE_DIRECTORY: Final = "_audit"
"""Directory below the output with state, manifests and positions; readers of Parquet skip its name."""


def audit_pipeline(directory: Path, topic: str = TOPIC) -> Pipeline:
    """Return the pipeline that writes its tables below `directory`. `topic` has the records of `__consumer_offsets`."""
    sinks = {table.name: Parquet(str(directory / table.name), partition_by="log_partition") for table in COLLECTED}
    return Pipeline(
        NAME,
        source=Topic(topic, value=CoordinatorRecords(), key=GROUP, partitioner=group_partitions),
        process=stateful(collect, state=STATE),
        sink=sinks.pop(COMMITS.name),
        side=sinks,
        state_directory=str(directory / STATE_DIRECTORY),
    )
