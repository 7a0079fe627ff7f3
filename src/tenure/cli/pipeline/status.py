"""`tenure pipeline status`: applications on this host, members of the group, and the state of each lane."""

import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tenure.admin import Admin
from tenure.admin.group_description import GroupDescription
from tenure.admin.groups import GroupPosition
from tenure.cli.connect import BootstrapServers, CommandConfig, cluster_at
from tenure.cli.output import Json, fail_if, print_json, print_result, print_table
from tenure.cli.pipeline.arguments import Pipelines
from tenure.cli.pipeline.control import print_silent
from tenure.client.errors import ClientError
from tenure.client.net.bootstrap import BOOTSTRAP_SERVERS
from tenure.plural import format_count
from tenure.protocol.special_values import STREAMS

if TYPE_CHECKING:
    from tenure.pipeline.state.kept_lanes import KeptLane
    from tenure.values import TopicPartition


@dataclass
class GroupApplications:
    group_id: str
    applications: list[dict[str, Any]] = field(default_factory=list)
    silent: list[Path] = field(default_factory=list)
    group: GroupDescription | None = None
    positions: list[GroupPosition] = field(default_factory=list)
    kept: "dict[TopicPartition, KeptLane]" = field(default_factory=dict)
    """State of each lane after its last published batch, by input partition. Lanes of steps that repartition have no
    input partition."""
    troubles: list[str] = field(default_factory=list)
    """Errors of the query to the group, and of lanes whose state cannot be read."""


def status(
    reference: Pipelines,
    json: Json = False,
    bootstrap_servers: BootstrapServers = None,
    command_config: CommandConfig = None,
) -> None:
    """Show a pipeline's applications on this host, its members, and the lag and last batch of each lane.

    Without --bootstrap-servers, uses the broker of an application that runs on this host. A pipeline that is named by
    MODULE:ATTRIBUTE or FILE.py:ATTRIBUTE is shown with the size of its state.
    """
    overview = _find_applications(reference, bootstrap_servers, command_config)
    if json:
        print_json(_as_json(overview))
    else:
        _print(overview)
    fail_if(overview.troubles)


def _find_applications(reference: str, bootstrap_servers: str | None, command_config: Path | None) -> GroupApplications:
    from tenure.spark.application.control_socket import running_applications
    from tenure.spark.operations.pipeline_reference import group_named

    overview = GroupApplications(group_named(reference))
    with running_applications(overview.group_id) as (running, overview.silent):
        answers = [application.connection.ask("status") for application in running]
    overview.applications = [answer for answer in answers if answer]
    cluster = cluster_at(bootstrap_servers, command_config)
    if bootstrap_servers is None and command_config is None and overview.applications:
        cluster[BOOTSTRAP_SERVERS] = overview.applications[0]["bootstrap_servers"]
    try:
        with Admin(cluster) as admin:
            (overview.group,) = admin.describe_groups([overview.group_id])
            overview.positions = admin.group_positions(overview.group)
    except ClientError as error:
        overview.troubles.append(str(error))
    _look_at_state(reference, overview)
    return overview


def _look_at_state(reference: str, overview: GroupApplications) -> None:
    from tenure.spark.operations.pipeline_reference import is_module_or_file, pipeline_named
    from tenure.spark.operations.state import published_lanes

    if is_module_or_file(reference):
        state = published_lanes(pipeline_named(reference))
        overview.kept = {partition: kept for lane, kept in state.found.items() for partition in lane.partitions}
        overview.troubles += [f"{lane}: {stopped.sentence}" for lane, stopped in sorted(state.damaged.items())]


def _print(overview: GroupApplications) -> None:
    print_silent(overview.silent)
    streams = overview.group is not None and overview.group.group_type == STREAMS
    for application in overview.applications:
        _print_application(application, "step" if streams else "group")
    if not overview.applications:
        print_result(f"No application of pipeline '{overview.group_id}' runs on this host under this user.")
    if overview.group is None:
        return
    print_result(
        f"Group '{overview.group_id}' is {overview.group.state}, {format_count(len(overview.group.members), 'member')}."
    )
    if overview.positions:
        print()
        columns = ["topic", "partition", "committed", "end", "lag", "member"]
        columns += ["batches", "last records", "last rows", "state bytes"] if overview.kept else []
        print_table(columns, [_row(overview, position) for position in overview.positions])


def _print_application(application: dict[str, Any], repartitioner: str) -> None:
    """Print an application, its members, and the progress of its repartitioning.

    `repartitioner` is the word for what repartitions rows: "group" or, in a streams group, "step".
    """
    instance = application["group_instance_id"]
    named = f" '{instance}'" if instance else ""
    since = _since(application["began_ms"])
    totals = application.get("totals")
    so_far = (
        f"; {format_count(totals['batches'], 'batch', 'batches')}, {format_count(totals['records'], 'record')}, "
        f"{format_count(totals['rows'], 'row')} since its start"
        if totals
        else ""
    )
    role = str(application.get("role", "application")).capitalize()
    print_result(f"{role}{named} (process {application['pid']}, running for {since}): {application['doing']}{so_far}.")
    for member in application.get("members", ()):
        _print_member(member)
    for group, status in application.get("repartitioning", {}).items():
        print_result(f"  Repartitioning {repartitioner} '{group}':")
        for member in status["members"]:
            _print_member(member)


def _print_member(member: dict[str, Any]) -> None:
    lag = sum(lane["lag"] for lane in member["lanes"].values())
    doing = f"{member['doing']}, lag {lag:,}" if member["lanes"] else member["doing"]
    trouble = f" ({member['trouble']})" if member["trouble"] else ""
    copies = format_count(len(member.get("standby_lanes", ())), "standby lane")
    standby = f"; complete copies of {copies}" if member.get("standby_lanes") else ""
    print_result(f"  {member['name']}: {doing}{trouble}{_last(member['last_batch'])}{standby}")


def _last(batch: dict[str, Any] | None) -> str:
    if batch is None:
        return ""
    phases = ", ".join(f"{name} {seconds:.2f}" for name, seconds in batch["seconds"].items() if seconds >= 0.005)
    return f"; last batch {format_count(batch['records'], 'record')} in {batch['total_s']:.2f} s ({phases})"


def _since(began_ms: int) -> str:
    seconds = max(round(time.time() - began_ms / 1000), 0)
    days, hours, minutes = seconds // 86_400, seconds // 3_600 % 24, seconds // 60 % 60
    if days:
        return f"{days} d {hours} h"
    return f"{hours} h {minutes} min" if hours else f"{minutes} min" if minutes else f"{seconds} s"


def _row(overview: GroupApplications, position: GroupPosition) -> list[object]:
    row: list[object] = [*position.partition, position.committed, position.end, position.lag, position.member]
    if not overview.kept:
        return row
    kept = _last_batch_json(overview, position)
    return [*row, *((None,) * 4 if kept is None else kept.values())]


def _last_batch_json(overview: GroupApplications, position: GroupPosition) -> dict[str, int] | None:
    """Return counts of the last published batch of a lane: its sequence number, records, rows and bytes of state.

    The lane belongs to the partition `position`. Return None if the lane has no published batch.
    """
    kept = overview.kept.get(position.partition)
    if kept is None:
        return None
    manifest = kept.manifest
    return {
        "batches": manifest.sequence,
        "last_records": manifest.records,
        "last_rows": manifest.rows,
        "state_bytes": manifest.state.size_bytes,
    }


def _as_json(overview: GroupApplications) -> dict[str, Any]:
    return {
        "pipeline": overview.group_id,
        "applications": overview.applications,
        "silent_processes": [int(socket.name.partition("-")[0]) for socket in overview.silent],
        "group": None
        if overview.group is None
        else {
            "state": overview.group.state,
            "type": overview.group.group_type,
            "members": [
                {"group_instance_id": member.group_instance_id, "member_id": member.member_id, "holder": member.holder}
                for member in overview.group.members
            ],
        },
        "lanes": [
            {
                "topic": position.partition.topic,
                "partition": position.partition.partition,
                "committed": position.committed,
                "end": position.end,
                "lag": position.lag,
                "member": position.member,
                "kept": _last_batch_json(overview, position),
            }
            for position in overview.positions
        ],
    }
