"""Tables of an audit without Spark: the pipeline's function reads the records, and files are as sinks write them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import pairwise
from pathlib import Path
from random import Random

import pyarrow as pa

from tenure.audit.audit_directory import AuditDirectory
from tenure.audit.collector import STATE, collect
from tenure.audit.records.coordinator_records import TOPIC, CoordinatorRecords
from tenure.audit.tables import COLLECTED, COMMITS
from tenure.client.consumer.fetch_arrow import fetch_arrow
from tenure.client.queries.blocking import end_offsets
from tenure.pipeline.state.keyed_state import KeyedState
from tenure.values import TopicPartition


def records_of(address: str, partition: int) -> pa.Table | None:
    """Return the records of a partition of `__consumer_offsets`; None if it has none."""
    at = TopicPartition(TOPIC, partition)
    end = end_offsets(address, [at])[at]
    batches = list(fetch_arrow(address, TOPIC, partition, 0, end, isolation_level=1)) if end else []
    return pa.Table.from_batches(batches) if batches else None


def random_parts(records: pa.Table, random: Random | None) -> Iterator[pa.Table]:
    """Yield parts of the records, cut at random places; all records at once without `random`."""
    cuts = [] if random is None else sorted(random.sample(range(len(records)), min(len(records), 40)))
    for start, end in pairwise([0, *cuts, len(records)]):
        yield records.slice(start, end - start)


def write_tables(address: str, partitions: int, directory: Path, random: Random | None = None) -> None:
    """Write the collected tables of a broker, with batches that are cut at random places."""
    for partition in range(partitions):
        records = records_of(address, partition)
        if records is not None:
            write_batches(random_parts(records, random), partition, directory)


def write_batches(batches: Iterable[pa.Table], partition: int, directory: Path) -> None:
    """Write the collected tables of batches of records of one partition."""
    state = KeyedState.empty(key="group", state=STATE)
    for number, batch in enumerate(batches):
        changed = KeyedState(state.scan())
        for name, rows in collect(CoordinatorRecords().decode(batch, partition).rows, changed).items():
            table = next(each for each in COLLECTED if each.name == (name or COMMITS.name))
            place = table._replace(name=f"{table.name}/log_partition={partition}")
            AuditDirectory.at(directory).write_table(place, rows, f"{number}")
        state = changed
