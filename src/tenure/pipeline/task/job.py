"""Processing that a pipeline declares, in the form that its tasks get."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum
from typing import Final

import pyarrow as pa

from tenure.pipeline.operators.rows import TopicRows
from tenure.pipeline.operators.user_function import MAIN, Function
from tenure.pipeline.output.files import Files
from tenure.pipeline.output.layout import Layout
from tenure.pipeline.output.parquet_files import ParquetFiles
from tenure.pipeline.output.transactions import TopicRecords, Write
from tenure.pipeline.state.lane_state import InBackground, LaneState, Migrate
from tenure.pipeline.state.state_cache import StateCache
from tenure.pipeline.values.decoded_records import Fetch, KeyPartitions, Values
from tenure.pipeline.values.lanes import Lane


class OnBadRecord(Enum):
    STOP = "stop"
    SKIP = "skip"
    DEAD_LETTER = "dead-letter"


@dataclass(frozen=True, slots=True)
class Job:
    """Settings that all batches of a pipeline share. Picklable if its functions are."""

    layout: Layout
    values: Values
    function: Function
    fetch: Fetch
    state: pa.Schema | None = None
    """Schema of the state, with the key first (`keyed_state.state_schema`); None without state."""
    key: str | None = None
    """Key column of the rows; the first column of the state if None."""
    topics: Mapping[str, TopicRows] = field(default_factory=dict)
    """Conversion of each topic's records to rows. Topics that are not listed are only decoded with `values`."""
    key_partitions: KeyPartitions | None = None
    """Partitioner to check that every key belongs to its lane; None skips the check."""
    on_bad_record: OnBadRecord = OnBadRecord.STOP
    sinks: Mapping[str, ParquetFiles] = field(default_factory=lambda: {MAIN: ParquetFiles()})
    """Settings of the staged files of each output, by its name."""
    to_topics: Mapping[str, TopicRecords] = field(default_factory=dict)
    """Outputs that are topics, by name. They are not in `sinks`."""
    write: Write | None = None
    """Function that writes records to topics; required for `to_topics`."""
    state_version: int = 1
    """Version of the state's declaration."""
    migrate: Migrate | None = None
    """Function that converts state of an earlier version."""
    cache: StateCache | None = None
    in_background: InBackground | None = None
    """Executor for snapshots of the state; without it the batch writes them itself."""

    @property
    def key_column(self) -> str | None:
        return self.key if self.state is None or self.key is not None else str(self.state.names[0])

    def topic(self, name: str) -> TopicRows:
        return self.topics.get(name) or TopicRows(self.values)

    def lane_state(self, files: Files, lane: Lane) -> LaneState:
        """Return the access to the state of a lane, with the declared columns."""
        return LaneState(
            files,
            self.layout,
            lane,
            self.state_schema,
            version=self.state_version,
            migrate=self.migrate,
            cache=self.cache,
        )

    @property
    def state_schema(self) -> pa.Schema:
        return NO_STATE if self.state is None else self.state


NO_STATE: Final = pa.schema([("key", pa.string())])
