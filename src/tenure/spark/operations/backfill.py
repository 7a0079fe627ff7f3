"""Backfill: process earlier records again, in a separate group (`tenure pipeline backfill`).

A backfill is a pipeline with its own group, output and state, which starts and ends at given offsets. It may be killed
and restarted, and does not disturb the running pipeline. After its end, it may continue as a normal pipeline, with the
name of its own group. Start and end offsets are written to a file beside its state before any record is read.
Therefore a restarted backfill ends at the same offsets, even if more records have been produced.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any, Final, TypeAlias

from tenure.admin import Admin
from tenure.admin.group_offsets import ResetPlan, TopicScope
from tenure.admin.offset_reset import Target, ToListed
from tenure.client.values import OffsetAndMetadata, TopicPartition
from tenure.pipeline.errors import PipelineConfigError
from tenure.pipeline.operators.user_function import MAIN
from tenure.pipeline.values.lanes import Lane
from tenure.protocol.types import PartitionId, TopicName
from tenure.spark.declarations.sink import Sink
from tenure.spark.declarations.topics import Through, Topic
from tenure.spark.pipeline import Pipeline
from tenure.spark.sinks.delta_sink import Delta
from tenure.spark.sinks.iceberg_sink import Iceberg
from tenure.spark.sinks.outputs import files_of, layout_of
from tenure.spark.sinks.parquet_sink import Parquet
from tenure.spark.sinks.sql_sink import Sql

BACKFILL_FILE: Final = "backfill.json"
"""Name of the file with the start and end offsets of a backfill."""

LOCATION_ATTRIBUTES: Final[Mapping[type, str]] = {
    Parquet: "directory",
    Delta: "directory",
    Iceberg: "table",
    Sql: "table",
    Topic: "name",
}
"""Name of the attribute with the location, for each kind of sink. A `for_each_batch` sink has no location."""

Offsets: TypeAlias = dict[str, dict[int, int]]
"""Offsets by topic and partition, as in Spark's `endingOffsets`."""


@dataclass(frozen=True, slots=True)
class BackfillRange:
    """Start and end offsets of a backfill."""

    starting_offsets: Offsets
    ending_offsets: Offsets

    @property
    def records(self) -> int:
        """Number of offsets in the range. The number of records is lower after retention or compaction."""
        return sum(
            end - self.starting_offsets[topic][partition]
            for topic, ends in self.ending_offsets.items()
            for partition, end in ends.items()
        )


def renamed_pipeline(pipeline: Pipeline, name: str | None, into: Sequence[str]) -> Pipeline:
    """Return the pipeline with another group, and with other locations of its outputs.

    Without `name` and `into`, return the pipeline unchanged.

    Args:
        pipeline: The pipeline as it is declared.
        name: Name of the group.
        into: Directory, table or topic of the main output, and `SIDE=PLACE` for each side output.

    Raises:
        PipelineConfigError: `name` or a location is missing, or a location does not fit its output.
    """
    if name is None and not into:
        return pipeline
    if name is None:
        raise PipelineConfigError("A backfill needs its own group and its own outputs: set both --name and --into.")
    locations = _locations(pipeline, into)
    outputs = {MAIN: pipeline.sink, **pipeline.side}
    moved = {side: _with_location(side, sink, locations.get(side)) for side, sink in outputs.items()}
    has_own_state = isinstance(pipeline.sink, Parquet | Delta)
    return replace(
        pipeline,
        name=name,
        sink=moved.pop(MAIN),
        side=moved,
        state_directory=None if has_own_state else pipeline.state_directory,
    )


def _locations(pipeline: Pipeline, into: Sequence[str]) -> dict[str, str]:
    """Return the location of each output by the output's name."""
    locations: dict[str, str] = {}
    for each in into:
        side, _, location = each.partition("=")
        if not location or side not in pipeline.side:
            side, location = MAIN, each
        if side in locations:
            raise PipelineConfigError(
                f"--into has two locations for {_output(side)}, {locations[side]} and {location}: set one."
            )
        locations[side] = location
    return locations


def _with_location(side: str, sink: Sink | Topic, location: str | None) -> Any:
    """Return a copy of the sink with the location `location`.

    A `for_each_batch` sink has no location and is returned unchanged.
    """
    attribute = LOCATION_ATTRIBUTES.get(type(sink))
    if attribute is None:
        if location is not None:
            raise PipelineConfigError(
                f"{_output(side).capitalize()} is a function, which has no location: leave out --into {location}."
            )
        return sink
    if location is None:
        raise PipelineConfigError(
            f"A backfill needs its own group and its own outputs: set both --name and --into for {_output(side)}"
            f" (--into {side and f'{side}='}{attribute.upper()})."
        )
    return replace(sink, **{attribute: location})  # type: ignore[type-var]


def _output(side: str) -> str:
    return f"the side output '{side}'" if side else "the main output"


def backfill(
    pipeline: Pipeline, cluster: Mapping[str, Any], start: Target, end: Target, options: Mapping[str, Any]
) -> BackfillRange:
    """Process all records from `start` to `end`, and return the range.

    Raises:
        PipelineConfigError: The group has committed offsets that no backfill wrote, or the pipeline uses `through`.
        PipelineStopped: As `Pipeline.run`.
    """
    for source in pipeline.sources:
        if isinstance(source, Through):
            raise PipelineConfigError(
                f"Pipeline {pipeline.name} repartitions rows through {source.topic.name}, and a backfill would write"
                f" all rows to {source.topic.name} again: declare a pipeline that reads {source.topic.name}, and"
                " backfill that one."
            )
    with Admin(cluster) as admin:
        span = _read_range(pipeline)
        is_begun = bool(admin.committed_offsets(pipeline.name))
        if span is None and is_begun:
            raise PipelineConfigError(
                f"Group {pipeline.name} has committed offsets that no backfill wrote: set another group and"
                " directory for"
                " the backfill (--name, --into)."
            )
        if span is None:
            span = _plan(admin, pipeline, start, end)
            _write_range(pipeline, span)
        if not is_begun:
            admin.write_plan(admin.plan_reset(pipeline.name, _reset_target(span.starting_offsets)))
    pipeline.run(ending_offsets=span.ending_offsets, until="caught-up", **options)
    return span


def _plan(admin: Admin, pipeline: Pipeline, start: Target, end: Target) -> BackfillRange:
    scopes = [TopicScope(topic.name) for topic in pipeline.topics]
    first = _offsets(admin.plan_reset(pipeline.name, start, scopes))
    last = _offsets(admin.plan_reset(pipeline.name, end, scopes))
    for topic, offsets in first.items():
        for partition, offset in offsets.items():
            offsets[partition] = min(offset, last[topic][partition])
    return BackfillRange(first, last)


def _offsets(plan: ResetPlan) -> Offsets:
    found: Offsets = {}
    for change in plan.changes:
        found.setdefault(change.partition.topic, {})[change.partition.partition] = change.target.offset
    return found


def _reset_target(offsets: Offsets) -> ToListed:
    return ToListed(
        {
            TopicPartition(topic, partition): OffsetAndMetadata(offset)
            for topic, found in offsets.items()
            for partition, offset in found.items()
        }
    )


# --- the note ---------------------------------------------------------------------------------------------------------


def _write_range(pipeline: Pipeline, span: BackfillRange) -> None:
    files, path = files_of(pipeline), _range_path(pipeline)
    directory = path.rpartition("/")[0]
    files.make_directory(directory)
    files.write(path, json.dumps(asdict(span)).encode())
    files.sync_directory(directory)


def _read_range(pipeline: Pipeline) -> BackfillRange | None:
    try:
        fields = json.loads(files_of(pipeline).read(_range_path(pipeline)))
    except FileNotFoundError:
        return None
    return BackfillRange(**{name: _integer_keys(offsets) for name, offsets in fields.items()})


def _integer_keys(offsets: dict[str, dict[str, int]]) -> Offsets:
    """Convert partitions from JSON, where keys are strings, to integers."""
    return {topic: {int(partition): offset for partition, offset in found.items()} for topic, found in offsets.items()}


def _range_path(pipeline: Pipeline) -> str:
    """Return the path of the file `BACKFILL_FILE`, which is beside the state directory of the group."""
    lane = Lane(tuple(TopicName(topic.name) for topic in pipeline.topics), PartitionId(0))
    return f"{layout_of(pipeline).state_directory(lane).rpartition('/')[0]}.{BACKFILL_FILE}"
