"""`tenure pipeline state show|export|verify|restore` and `repartition`: what a pipeline keeps, by key."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated, Any, TypeAlias

import typer

from tenure.cli.connect import BootstrapServers, CommandConfig, cluster_at
from tenure.cli.output import Json, count_of, fail_if, print_json, print_table, say, tell
from tenure.cli.pipeline_arguments import Reference

if TYPE_CHECKING:
    from tenure.pipeline.kept_lanes import KeptLane
    from tenure.pipeline.lanes import Lane
    from tenure.spark.pipeline import Pipeline

commands = typer.Typer(help="What a pipeline keeps, by key: look at it, copy it, put it back.", no_args_is_help=True)

Execute: TypeAlias = Annotated[bool, typer.Option("--execute", help="Do it. Otherwise it is only shown.")]


@commands.command("show")
def show(
    pipeline: Reference,
    key: Annotated[str | None, typer.Option(help="Show what is kept of this key.", show_default=False)] = None,
    json: Json = False,
) -> None:
    """Show how much state each lane has and where it ends; or what is kept of one key.

    As of each lane's last published batch, whether the pipeline runs or not.
    """
    from tenure.spark.operations.state import rows_of_key, standing

    declared = _declared(pipeline)
    if key is not None:
        _show_key(rows_of_key(declared, key), key, json=json)
        return
    lanes = standing(declared)
    if json:
        print_json([_as_json(kept) for kept in lanes])
        return
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
    if not lanes:
        say(f"Pipeline {declared.name} has published nothing yet.")


def _show_key(found: "Sequence[tuple[Lane, dict[str, Any]]]", key: str, *, json: bool) -> None:
    if json:
        print_json([{"lane": str(lane), **_plain(row)} for lane, row in found])
    else:
        for lane, row in found:
            print_table(["column", "value"], [["lane", lane], *row.items()])
    fail_if([] if found else [f"Nothing is kept of '{key}'."])


@commands.command("export")
def export(
    pipeline: Reference,
    to: Annotated[
        str,
        typer.Argument(metavar="TO", show_default=False, help="FILE.parquet, .csv or .arrow; or a directory or URL."),
    ],
) -> None:
    """Write all keys with their state as one table; or, into a directory, a copy that `restore` puts back.

    A copy has all that each lane needs to go on from where it was: state and position. It may be made while the
    pipeline runs, and then has each lane as of one of its batches.
    """
    from tenure.spark.operations.state import TABLES, write_copy, write_table

    declared = _declared(pipeline)
    try:
        if to.endswith(TABLES):
            rows = write_table(declared, to)
            tell(f"Wrote {rows} keys to {to}.")
        else:
            tell(f"Copied the state of {count_of(write_copy(declared, to), 'lane')} to {to}.")
    except OSError as error:
        raise ValueError(f"{to} cannot be written: {error.strerror or error}") from None


@commands.command("verify")
def verify(
    pipeline: Reference,
    offline: Annotated[bool, typer.Option("--offline", help="Do not ask the group.")] = False,
    json: Json = False,
    bootstrap_servers: BootstrapServers = None,
    command_config: CommandConfig = None,
) -> None:
    """Read all state that is kept, and compare it with what was committed: exit status 1 where something is wrong.

    The group is asked whether its offsets agree with where the state ends.
    """
    from tenure.spark.operations.state import troubles

    declared = _declared(pipeline)
    found = troubles(declared, None if offline else cluster_at(bootstrap_servers, command_config))
    if json:
        print_json([{"lane": str(lane), "trouble": trouble} for lane, trouble in sorted(found.items())])
    else:
        print_table(["lane", "state"], [[lane, "wrong" if trouble else "whole"] for lane, trouble in found.items()])
    fail_if([f"{lane}: {trouble}" for lane, trouble in sorted(found.items()) if trouble])


@commands.command("restore")
def restore(
    pipeline: Reference,
    copy: Annotated[str | None, typer.Option("--from", metavar="COPY", help="A copy that `export` wrote.")] = None,
    execute: Execute = False,
    bootstrap_servers: BootstrapServers = None,
    command_config: CommandConfig = None,
) -> None:
    """Put state and position back together, while nobody is in the group.

    Without --from, lanes whose offsets expired or were reset go on from where their state ends. With it, every lane of
    the copy goes back to where it was; what was published since stays published, and its records are worked on again.
    Shows what would be done; --execute does it.
    """
    from tenure.spark.operations import state

    declared, cluster = _declared(pipeline), cluster_at(bootstrap_servers, command_config)
    plan = state.plan_restore(declared, cluster, copy)
    print_table(
        ["topic", "partition", "committed", "restored", "keys"],
        [
            [*move.partition, move.committed, move.target.offset, kept.manifest.state.rows]
            for move, kept in zip(plan.offsets.moves, plan.lanes, strict=True)
        ],
    )
    if not plan.lanes:
        say("Every lane's offset agrees with its state: there is nothing to restore.")
    elif execute:
        state.restore(plan, cluster)
        say(f"Restored {count_of(plan.lanes, 'lane')} of pipeline {declared.name}.")
    else:
        say(plan.offsets.refusal or "Nothing was changed: --execute does it.")


def repartition(
    pipeline: Reference,
    execute: Execute = False,
    bootstrap_servers: BootstrapServers = None,
    command_config: CommandConfig = None,
) -> None:
    """Rebuild a pipeline's state for a topic that has more partitions now, while nobody is in the group.

    Each key's state goes to the partition that its records come to now; positions stay. Records that were written
    before the topic grew are worked off first, as the pipeline would.
    """
    from tenure.spark.operations.repartition import execute as repartitioned
    from tenure.spark.operations.repartition import plan_repartition

    declared, cluster = _declared(pipeline), cluster_at(bootstrap_servers, command_config)
    plan = plan_repartition(declared, cluster)
    print_table(
        ["lane", "keys", "left over"],
        [
            [lane, at.manifest and at.manifest.state.rows, sum(limit - at.offsets[of] for of, limit in plan.of(lane))]
            for lane, at in plan.positions.items()
        ],
    )
    say(f"The topic had {plan.grown.before} partitions, and has {plan.grown.now} now.")
    if not execute:
        say(plan.refusal or "Nothing was changed: --execute does it.")
        return
    made = repartitioned(plan)
    print_table(["lane", "keys"], [[kept.lane, kept.manifest.state.rows] for kept in made])


def _declared(reference: str) -> "Pipeline":
    from tenure.spark.operations.reference import pipeline_named

    return pipeline_named(reference)


def _as_json(kept: "KeptLane") -> dict[str, Any]:
    manifest = kept.manifest
    return {
        "lane": str(kept.lane),
        "ends_at": {str(partition): offset for partition, offset in manifest.end.items()},
        "keys": manifest.state.rows,
        "bytes": manifest.state.size_bytes,
        "files": [file.name for file in manifest.state.files],
        "version": manifest.state.schema_version,
        "batches": manifest.sequence,
        "written_by": str(manifest.writer),
        "pointer": str(kept.pointer),
    }


def _plain(row: dict[str, Any]) -> dict[str, Any]:
    """What JSON has no word for, as text."""
    return {name: value if isinstance(value, str | int | float | None) else str(value) for name, value in row.items()}
