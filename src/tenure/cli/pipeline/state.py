"""`tenure pipeline state show|export|verify|restore` and `tenure pipeline repartition`."""

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Annotated, Any, TypeAlias

import typer

from tenure.cli.connect import BootstrapServers, CommandConfig, cluster_at
from tenure.cli.output import Json, fail_if, print_json, print_message, print_result, print_table
from tenure.cli.pipeline.arguments import Reference
from tenure.plural import format_count

if TYPE_CHECKING:
    from tenure.pipeline.errors import PipelineStopped
    from tenure.pipeline.state.kept_lanes import KeptLane, LaneResults
    from tenure.pipeline.values.lanes import Lane
    from tenure.spark.pipeline import Pipeline

commands = typer.Typer(help="Show, export, verify and restore the keyed state of a pipeline.", no_args_is_help=True)

Execute: TypeAlias = Annotated[bool, typer.Option("--execute", help="Apply the change (default: dry run).")]


@commands.command("show")
def show(
    pipeline: Reference,
    key: Annotated[str | None, typer.Option(help="Key whose state to show.", show_default=False)] = None,
    json: Json = False,
) -> None:
    """Show the size and offset of each lane's state, or the state of one key.

    Shows the state after each lane's last published batch, whether the pipeline runs or not. Exits with status 1 if
    the state of a lane cannot be read, and names the lane.
    """
    from tenure.spark.operations.state import published_lanes, rows_of_key

    declared = _load_pipeline(pipeline)
    if key is not None:
        _show_key(rows_of_key(declared, key), key, json=json)
        return
    state = published_lanes(declared)
    lanes = state.found.values()
    if json:
        print_json([_as_json(kept) for kept in lanes])
    else:
        _print_lanes(lanes)
        if not lanes and not state.damaged:
            print_message(f"Pipeline {declared.name} has published nothing yet.")
    fail_if(_sentences(state.damaged))


def _print_lanes(lanes: "Iterable[KeptLane]") -> None:
    print_table(
        ["lane", "ends at", "keys", "bytes", "files", "version", "batches", "written by"],
        [
            [
                kept.lane,
                ",".join(str(part.end_offset) for part in kept.manifest.ranges),
                kept.manifest.state.rows,
                kept.manifest.state.size_bytes,
                len(kept.manifest.state.files),
                kept.manifest.state.schema_version,
                kept.manifest.sequence,
                kept.manifest.writer,
            ]
            for kept in lanes
        ],
    )


def _show_key(rows: "LaneResults[dict[str, Any] | None]", key: str, *, json: bool) -> None:
    found = [(lane, row) for lane, row in rows.found.items() if row is not None]
    if json:
        print_json([{"lane": str(lane), **_plain(row)} for lane, row in found])
    else:
        for lane, row in found:
            print_table(["column", "value"], [["lane", lane], *row.items()])
    elsewhere = " in the other lanes" if rows.damaged else ""
    fail_if([*_sentences(rows.damaged), *([] if found else [f"The key '{key}' has no state{elsewhere}."])])


def _sentences(damaged: "Mapping[Lane, PipelineStopped]") -> list[str]:
    return [f"{lane}: {stopped}" for lane, stopped in sorted(damaged.items())]


@commands.command("export")
def export(
    pipeline: Reference,
    to: Annotated[
        str,
        typer.Argument(
            metavar="TO",
            show_default=False,
            help="FILE.parquet, .csv or .arrow for a table; a directory or URL for a copy.",
        ),
    ],
    skip_damaged: Annotated[
        bool, typer.Option("--skip-damaged", help="Leave out lanes whose state cannot be read (default: fail).")
    ] = False,
) -> None:
    """Export the state as one table, or as a copy that `restore` can read.

    A copy is a directory with the state and the offset of each lane. The pipeline may continue to run: each lane is
    exported as it is after one of its batches. Exits with status 1 if the state of a lane cannot be read, and names the
    lane.
    """
    from tenure.spark.operations.state import TABLES, write_copy, write_table

    declared = _load_pipeline(pipeline)
    try:
        if to.endswith(TABLES):
            rows = write_table(declared, to, "skip" if skip_damaged else "raise")
            print_result(f"Wrote {format_count(rows, 'key')} to {to}.")
            return
        copy = write_copy(declared, to)
    except OSError as error:
        raise ValueError(f"File {to} cannot be written: {error.strerror or error}") from None
    print_result(f"Copied the state of {format_count(len(copy.found), 'lane')} to {to}.")
    if not skip_damaged:
        copy.all()
    for sentence in _sentences(copy.damaged):
        print_message(f"Left out {sentence}")


@commands.command("verify")
def verify(
    pipeline: Reference,
    offline: Annotated[bool, typer.Option("--offline", help="Check files only, without the group's offsets.")] = False,
    json: Json = False,
    bootstrap_servers: BootstrapServers = None,
    command_config: CommandConfig = None,
) -> None:
    """Verify the files of the state, and compare them with the group's offsets.

    Exits with status 1 if something is wrong.
    """
    from tenure.spark.operations.state import lane_problems

    declared = _load_pipeline(pipeline)
    found = lane_problems(declared, None if offline else cluster_at(bootstrap_servers, command_config))
    if json:
        print_json([{"lane": str(lane), "trouble": trouble} for lane, trouble in sorted(found.items())])
    else:
        print_table(["lane", "state"], [[lane, "wrong" if trouble else "whole"] for lane, trouble in found.items()])
    fail_if([f"{lane}: {trouble}" for lane, trouble in sorted(found.items()) if trouble])


@commands.command("restore")
def restore(
    pipeline: Reference,
    copy: Annotated[
        str | None, typer.Option("--from", metavar="COPY", help="Copy to restore from, written by `export`.")
    ] = None,
    execute: Execute = False,
    bootstrap_servers: BootstrapServers = None,
    command_config: CommandConfig = None,
) -> None:
    """Restore committed offsets from the state, or restore offsets and state from a copy.

    Without --from: for lanes whose offsets expired or were reset, commit the offset where the state ends. With --from:
    replace state and offset of every lane by those of the copy. Records after these offsets are processed again, and
    output that was published after the copy is not removed. The group must be empty. Shows a plan unless --execute is
    given.
    """
    from tenure.spark.operations import state

    declared, cluster = _load_pipeline(pipeline), cluster_at(bootstrap_servers, command_config)
    plan = state.plan_restore(declared, cluster, copy)
    print_table(
        ["topic", "partition", "committed", "restored", "keys"],
        [
            [*change.partition, change.committed, change.target.offset, kept.manifest.state.rows]
            for change, kept in zip(plan.offsets.changes, plan.lanes, strict=True)
        ],
    )
    for sentence in _sentences(plan.lost):
        print_message(f"Can be restored only from a copy: {sentence}")
    if not plan.lanes:
        print_message("Nothing to restore: the offsets of all lanes agree with their state.")
    elif execute:
        state.restore(plan, cluster)
        print_message(f"Restored {format_count(len(plan.lanes), 'lane')} of pipeline {declared.name}.")
    else:
        print_message(plan.offsets.refusal or "Nothing was changed. Use --execute to apply the change.")


def repartition(
    pipeline: Reference,
    execute: Execute = False,
    bootstrap_servers: BootstrapServers = None,
    command_config: CommandConfig = None,
) -> None:
    """Rebuild a pipeline's state after partitions were added to its topic.

    Moves the state of each key to the partition that the key's new records go to. Records that were written before
    the topic grew are processed first. The group must be empty. Shows a plan unless --execute is given.
    """
    from tenure.spark.operations.repartition import execute as repartitioned
    from tenure.spark.operations.repartition import plan_repartition

    declared, cluster = _load_pipeline(pipeline), cluster_at(bootstrap_servers, command_config)
    plan = plan_repartition(declared, cluster)
    print_table(
        ["lane", "keys", "left over"],
        [
            [
                lane,
                at.manifest and at.manifest.state.rows,
                sum(limit - at.offsets[of] for of, limit in plan.limits_of(lane)),
            ]
            for lane, at in plan.positions.items()
        ],
    )
    print_message(f"The topic had {format_count(plan.counts.before, 'partition')}, and has {plan.counts.now} now.")
    if not execute:
        print_message(plan.refusal or "Nothing was changed. Use --execute to apply the change.")
        return
    made = repartitioned(plan)
    print_table(["lane", "keys"], [[kept.lane, kept.manifest.state.rows] for kept in made])


def _load_pipeline(reference: str) -> "Pipeline":
    from tenure.spark.operations.pipeline_reference import pipeline_named

    return pipeline_named(reference)


def _as_json(kept_lane: "KeptLane") -> dict[str, Any]:
    manifest = kept_lane.manifest
    return {
        "lane": str(kept_lane.lane),
        "ends_at": {str(partition): offset for partition, offset in manifest.end.items()},
        "keys": manifest.state.rows,
        "bytes": manifest.state.size_bytes,
        "files": [file.name for file in manifest.state.files],
        "version": manifest.state.schema_version,
        "batches": manifest.sequence,
        "written_by": str(manifest.writer),
        "pointer": str(kept_lane.pointer),
    }


def _plain(row: dict[str, Any]) -> dict[str, Any]:
    """Return the row for JSON: values of types that JSON does not have are converted to text."""
    return {name: value if isinstance(value, str | int | float | None) else str(value) for name, value in row.items()}
