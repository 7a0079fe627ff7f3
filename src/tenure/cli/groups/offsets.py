"""`tenure groups reset-offsets`, `export`, `import` and `delete-offsets`: committed offsets of a group."""

import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Annotated, TypeAlias, TypeVar

import typer

from tenure.admin import Admin, offset_files
from tenure.admin.group_offsets import ResetPlan, TopicScope
from tenure.admin.offset_reset import (
    ShiftBy,
    Target,
    ToCurrent,
    ToEarliest,
    ToLatest,
    ToListed,
    ToOffset,
    ToTimestamp,
)
from tenure.admin.times import parse_datetime_ms, parse_duration_ms
from tenure.cli.connect import BootstrapServers, CommandConfig, cluster_at
from tenure.cli.output import (
    Group,
    Groups,
    Json,
    Misuse,
    Yes,
    fail_if,
    print_json,
    print_message,
    print_result,
    print_table,
)
from tenure.client.errors import RequestRefused
from tenure.limits.cli import PARTITION_RANGE_MAX
from tenure.plural import format_count
from tenure.protocol.errors import ErrorCode

T = TypeVar("T")

Topics: TypeAlias = Annotated[
    list[str] | None,
    typer.Option(
        "--topic",
        metavar="TOPIC[:PARTITIONS]",
        help="Topic or partitions, such as flights or flights:0,2-4; may be repeated.",
    ),
]
Execute: TypeAlias = Annotated[bool, typer.Option("--execute", help="Apply the change (default: dry run).")]
DryRun: TypeAlias = Annotated[
    bool, typer.Option("--dry-run", help="Show the change without applying it (the default).")
]


ToEarliestFlag: TypeAlias = Annotated[bool, typer.Option("--to-earliest", help="Reset to the first record.")]
ToLatestFlag: TypeAlias = Annotated[bool, typer.Option("--to-latest", help="Reset to the end of the log.")]
ToCurrentFlag: TypeAlias = Annotated[
    bool, typer.Option("--to-current", help="Reset to the committed offset, or to the end without one.")
]
Offset: TypeAlias = Annotated[int | None, typer.Option(min=0, help="Reset to this offset.")]
Shift: TypeAlias = Annotated[
    int | None, typer.Option(help="Move each committed offset forward by this number, or backward if it is negative.")
]
Time: TypeAlias = Annotated[
    str | None,
    typer.Option(metavar="TIME", help="Reset to the first record since this time, such as 2026-01-31T18:30 (UTC)."),
]
Duration: TypeAlias = Annotated[
    str | None,
    typer.Option(metavar="DURATION", help="Reset to the first record of this last period, such as PT1H30M, 90s or 7d."),
]
FromFile: TypeAlias = Annotated[
    Path | None, typer.Option(metavar="FILE", help="Reset to the offsets in a CSV or JSON file of `export`.")
]
AllTopics: TypeAlias = Annotated[
    bool, typer.Option("--all-topics", help="Reset all partitions with a committed offset.")
]
Create: TypeAlias = Annotated[bool, typer.Option("--create", help="Create the group if it does not exist.")]
Export: TypeAlias = Annotated[bool, typer.Option("--export", help="Print the new offsets as CSV.")]


def reset_offsets(
    group: Group,
    to_earliest: ToEarliestFlag = False,
    to_latest: ToLatestFlag = False,
    to_current: ToCurrentFlag = False,
    to_offset: Offset = None,
    shift_by: Shift = None,
    to_datetime: Time = None,
    by_duration: Duration = None,
    from_file: FromFile = None,
    topic: Topics = None,
    all_topics: AllTopics = False,
    execute: Execute = False,
    dry_run: DryRun = False,
    create: Create = False,
    export: Export = False,
    json: Json = False,
    bootstrap_servers: BootstrapServers = None,
    command_config: CommandConfig = None,
) -> None:
    """Reset the committed offsets of a group without members.

    Shows a plan unless --execute is given. An offset outside of a partition's log is replaced by the first offset or
    the end of the log.

    For example: tenure groups reset-offsets readers --to-datetime 2026-01-31T18:30 --topic flights:0,2-4 --execute
    """
    flags = to_earliest, to_latest, to_current
    target = _target(group, flags, to_offset, shift_by, to_datetime, by_duration, from_file)
    scopes = _scopes_for(target, topic, all_topics)
    _check_once(execute, dry_run)
    with Admin(cluster_at(bootstrap_servers, command_config)) as admin:
        if not create:
            _must_exist(admin, group)
        plan = _plan_reset(admin, group, target, scopes, execute)
    if export:
        sys.stdout.write(offset_files.to_csv({group: {change.partition: change.target for change in plan.changes}}))
    else:
        _show(plan, execute, json)


def _target(
    group: str,
    flags: tuple[bool, bool, bool],
    to_offset: int | None,
    shift_by: int | None,
    to_datetime: str | None,
    by_duration: str | None,
    from_file: Path | None,
) -> Target:
    to_earliest, to_latest, to_current = flags
    given: dict[str, Target | None] = {
        "--to-earliest": ToEarliest() if to_earliest else None,
        "--to-latest": ToLatest() if to_latest else None,
        "--to-current": ToCurrent() if to_current else None,
        "--to-offset": None if to_offset is None else ToOffset(to_offset),
        "--shift-by": None if shift_by is None else ShiftBy(shift_by),
        "--to-datetime": None if to_datetime is None else ToTimestamp(_parse(parse_datetime_ms, to_datetime)),
        "--by-duration": None if by_duration is None else _ago(by_duration),
        "--from-file": None if from_file is None else _read_offset_file(group, group, from_file),
    }
    named = [target for target in given.values() if target is not None]
    if len(named) != 1:
        raise Misuse(f"Give exactly one target: one of {', '.join(given)}")
    return named[0]


def _scopes_for(target: Target, topics: list[str] | None, all_topics: bool) -> list[TopicScope] | None:
    """Return the topics and partitions to reset; None for all partitions, or for those that the target lists."""
    scopes = _scopes(topics)
    if isinstance(target, ToListed):
        if scopes or all_topics:
            raise Misuse("--from-file names the partitions: give neither --topic nor --all-topics with it")
    elif all_topics == bool(scopes):
        raise Misuse("Name the partitions to reset: either --all-topics, or --topic as often as needed")
    return scopes or None


def _plan_reset(admin: Admin, group: str, target: Target, scopes: list[TopicScope] | None, execute: bool) -> ResetPlan:
    plan = admin.plan_reset(group, target, scopes)
    if execute:
        admin.write_plan(plan)
    return plan


def export(
    groups: Groups, json: Json = False, bootstrap_servers: BootstrapServers = None, command_config: CommandConfig = None
) -> None:
    """Print committed offsets as CSV, as Kafka's own tool does.

    Each row is topic,partition,offset. If several groups are named, the group comes first.
    --json includes leader epochs and metadata.
    """
    with Admin(cluster_at(bootstrap_servers, command_config)) as admin:
        for group in groups:
            admin.find_group(group)
        committed = {group: admin.committed_offsets(group) for group in groups}
    if json:
        print_json(offset_files.as_json(committed))
        return
    sys.stdout.write(offset_files.to_csv(committed))
    with_metadata = [
        committed_offset
        for offsets in committed.values()
        for committed_offset in offsets.values()
        if committed_offset.metadata
    ]
    if with_metadata:
        count = format_count(len(with_metadata), "offset")
        print_message(f"{count} had metadata, which CSV does not contain: use --json to keep it.")


def import_(
    group: Group,
    file: Annotated[
        Path, typer.Argument(metavar="FILE", show_default=False, help="File written by `export`; - for standard input.")
    ],
    from_: Annotated[
        str | None,
        typer.Option(
            "--from", metavar="GROUP", help="Group in the file whose offsets to use (default: the same name)."
        ),
    ] = None,
    execute: Execute = False,
    dry_run: DryRun = False,
    json: Json = False,
    bootstrap_servers: BootstrapServers = None,
    command_config: CommandConfig = None,
) -> None:
    """Set a group's committed offsets to those in a file.

    Shows a plan unless --execute is given. Creates the group if needed; refuses a group with members.
    """
    _check_once(execute, dry_run)
    target = _read_offset_file(group, from_ or group, file)
    with Admin(cluster_at(bootstrap_servers, command_config)) as admin:
        plan = _plan_reset(admin, group, target, None, execute)
    _show(plan, execute, json)


def delete_offsets(
    group: Group,
    topic: Topics = None,
    yes: Yes = False,
    json: Json = False,
    bootstrap_servers: BootstrapServers = None,
    command_config: CommandConfig = None,
) -> None:
    """Delete a group's committed offsets of some topics.

    No member may be subscribed to these topics. Asks for confirmation on a terminal.
    """
    scopes = _scopes(topic)
    if not scopes:
        raise Misuse("Name the topics whose offsets to delete: --topic as often as needed")
    if not yes and sys.stdin.isatty():
        typer.confirm(f"Delete the committed offsets of group {group} for {', '.join(topic or [])}?", abort=True)
    with Admin(cluster_at(bootstrap_servers, command_config)) as admin:
        deletions = admin.delete_offsets(group, scopes)
    if json:
        print_json(
            [
                deletion.partition._asdict() | {"deleted": not deletion.trouble, "trouble": deletion.trouble}
                for deletion in deletions
            ]
        )
    else:
        for deletion in deletions:
            if not deletion.trouble:
                print_result(f"Deleted the offset of group '{group}' for {deletion.partition}.")
    fail_if(
        [
            f"The offset for {deletion.partition} cannot be deleted: {deletion.trouble}."
            for deletion in deletions
            if deletion.trouble
        ]
    )


def _show(plan: ResetPlan, executed: bool, json: bool) -> None:
    if json:
        offsets = [
            {
                **change.partition._asdict(),
                "committed": change.committed,
                **change.target._asdict(),
                "note": change.note,
            }
            for change in plan.changes
        ]
        print_json({"group_id": plan.group_id, "executed": executed, "offsets": offsets})
    else:
        notes = any(change.note for change in plan.changes)
        print_table(
            ["topic", "partition", "committed", "new", "change", *(["note"] if notes else [])],
            [
                [
                    *change.partition,
                    change.committed,
                    change.target.offset,
                    change.distance,
                    *([change.note] if notes else []),
                ]
                for change in plan.changes
            ],
        )
    if plan.gone:
        print_message(f"Skipped, because they no longer exist: {', '.join(map(str, plan.gone))}.")
    if executed:
        print_message(f"Set {format_count(len(plan.changes), 'offset')} of group '{plan.group_id}'.")
    elif plan.refusal:
        print_message(f"Nothing was changed, and --execute would be refused: {plan.refusal}")
    else:
        makes = "" if plan.group else f", which creates group '{plan.group_id}'"
        print_message(f"Nothing was changed: use --execute to apply the change{makes}.")


def _ago(duration: str) -> ToTimestamp:
    return ToTimestamp(round(time.time() * 1000) - _parse(parse_duration_ms, duration))


def _read_offset_file(group: str, named: str, file: Path) -> ToListed:
    try:
        text = sys.stdin.read() if str(file) == "-" else file.read_text("utf-8-sig")
        return ToListed(offset_files.of_group(offset_files.read(text), named))
    except OSError as error:
        raise ValueError(f"File {file} cannot be read: {(error.strerror or str(error)).lower()}") from None
    except ValueError as error:
        raise ValueError(f"The offsets of group '{group}' cannot be taken from {file}: {error}.") from None


def _scopes(topics: list[str] | None) -> list[TopicScope]:
    return [_scope(text) for text in topics or []]


def _scope(text: str) -> TopicScope:
    topic, colon, partitions = text.partition(":")
    if not colon:
        return TopicScope(topic)
    wanted: list[int] = []
    for part in partitions.split(","):
        first, dash, last = part.strip().partition("-")
        is_range = first.isdecimal() and (last.isdecimal() or not dash)
        if not is_range or not int(first) <= int(last or first) <= PARTITION_RANGE_MAX:
            raise Misuse(f"{text!r} names no partitions: write them as {topic or 'TOPIC'}:0,2-4")
        wanted += range(int(first), int(last or first) + 1)
    return TopicScope(topic, tuple(wanted))


def _parse(parse: Callable[[str], T], text: str) -> T:
    try:
        return parse(text)
    except ValueError as error:
        raise Misuse(str(error)) from None


def _check_once(execute: bool, dry_run: bool) -> None:
    if execute and dry_run:
        raise Misuse("--execute applies the change, --dry-run only shows it: give one of them")


def _must_exist(admin: Admin, group: str) -> None:
    try:
        admin.find_group(group)
    except RequestRefused as error:
        if error.error_code is not ErrorCode.GROUP_ID_NOT_FOUND:
            raise
        message = f"{str(error).rstrip('.')}, or use --create to create it."
        raise RequestRefused(message, error.error_code) from None
