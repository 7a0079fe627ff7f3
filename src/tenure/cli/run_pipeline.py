"""`tenure pipeline run`: every option of `Pipeline.run` under its name, and what only a command can offer."""

from enum import StrEnum
from typing import Annotated, Any

import typer

from tenure.cli.connect import BootstrapServers, CommandConfig, address_of, cluster_at
from tenure.cli.pipeline_arguments import Reference

GROUP, WORK, TELL, SURVIVE = "Its seats in the group", "Its batches", "What it tells", "How it survives"


class Tell(StrEnum):
    SUMMARY = "summary"
    BATCHES = "batches"
    JSON = "json"


class Until(StrEnum):
    STOPPED = "stopped"
    CAUGHT_UP = "caught-up"


class Disagreement(StrEnum):
    REFUSE = "refuse"
    TRUST_OFFSETS = "trust-offsets"
    TRUST_STATE = "trust-state"


class Protocol(StrEnum):
    CLASSIC = "classic"
    CONSUMER = "consumer"


class Unreleased(StrEnum):
    SEIZE = "seize"
    WAIT = "wait"
    FAIL = "fail"


def run(
    reference: Reference,
    group_instance_id: Annotated[
        str | None,
        typer.Option(
            metavar="ID",
            help="Keeps its seats through a restart; each running application has one of its own.",
            rich_help_panel=GROUP,
        ),
    ] = None,
    client_id: Annotated[
        str | None, typer.Option(metavar="ID", help="In the broker's log and metrics.", rich_help_panel=GROUP)
    ] = None,
    threads: Annotated[
        int | None, typer.Option(metavar="N", help="Members, each with batches of its own.", rich_help_panel=GROUP)
    ] = None,
    session_timeout_ms: Annotated[
        int | None, typer.Option(metavar="MS", help="How long a seat is kept.", rich_help_panel=GROUP)
    ] = None,
    heartbeat_interval_ms: Annotated[
        int | None, typer.Option(metavar="MS", help="Between two signs of life.", rich_help_panel=GROUP)
    ] = None,
    max_poll_interval_ms: Annotated[
        int | None, typer.Option(metavar="MS", help="A batch that takes longer hangs.", rich_help_panel=GROUP)
    ] = None,
    group_protocol: Annotated[
        Protocol | None,
        typer.Option(help="Who assigns: the broker (consumer) or a member (classic).", rich_help_panel=GROUP),
    ] = None,
    on_unreleased: Annotated[
        Unreleased | None,
        typer.Option(help="Where a dead application's seat is still held.", rich_help_panel=GROUP),
    ] = None,
    until: Annotated[
        Until | None, typer.Option(help="caught-up ends at the end of the log.", rich_help_panel=WORK)
    ] = None,
    max_records: Annotated[
        int | None, typer.Option(metavar="N", help="Of what a member has under way.", rich_help_panel=WORK)
    ] = None,
    max_bytes: Annotated[
        int | None, typer.Option(metavar="N", help="Of those records, in memory.", rich_help_panel=WORK)
    ] = None,
    target_batch_time_s: Annotated[
        float | None,
        typer.Option(metavar="S", help="Batches grow and shrink until they take this long.", rich_help_panel=WORK),
    ] = None,
    tasks: Annotated[
        int | None, typer.Option(metavar="N", help="Batches of a member at once.", rich_help_panel=WORK)
    ] = None,
    on_disagreement: Annotated[
        Disagreement | None,
        typer.Option(help="Where committed offsets and state contradict each other.", rich_help_panel=WORK),
    ] = None,
    progress: Annotated[
        Tell,
        typer.Option(
            help="A line now and then, one for each batch, or for programs as JSON on standard output.",
            rich_help_panel=TELL,
        ),
    ] = Tell.SUMMARY,
    metrics: Annotated[
        str | None,
        typer.Option(
            metavar="HOST:PORT",
            help="Answer /metrics (Prometheus), /healthz and /readyz here.",
            rich_help_panel=TELL,
        ),
    ] = None,
    spark_ui: Annotated[
        bool,
        typer.Option("--spark-ui", help="Spark's web interface, with the pipeline in it.", rich_help_panel=TELL),
    ] = False,
    standby: Annotated[
        bool,
        typer.Option(
            "--standby",
            help="Start Spark, then wait until nobody has the seats of this --group-instance-id.",
            rich_help_panel=SURVIVE,
        ),
    ] = False,
    restart: Annotated[
        bool,
        typer.Option(
            "--restart",
            help="Start it again when it has crashed, with pauses; never when it ended with 0, 2, 3 or 4.",
            rich_help_panel=SURVIVE,
        ),
    ] = False,
    bootstrap_servers: BootstrapServers = None,
    command_config: CommandConfig = None,
) -> None:
    """Run a pipeline until SIGTERM, Ctrl-C or `tenure pipeline stop`.

    Exit status 0: it was stopped, or has caught up; 1: it failed, and may be started again; 2: it cannot be run as it
    was asked for; 3: another application took its seats, do not start it again; 4: somebody has to look at it first,
    for it would stop in the same place again.
    """
    cluster = cluster_at(bootstrap_servers, command_config)
    given: dict[str, Any] = {
        "group_instance_id": group_instance_id,
        "client_id": client_id,
        "threads": threads,
        "session_timeout_ms": session_timeout_ms,
        "heartbeat_interval_ms": heartbeat_interval_ms,
        "max_poll_interval_ms": max_poll_interval_ms,
        "group_protocol": group_protocol,
        "on_unreleased": on_unreleased,
        "until": until,
        "max_records": max_records,
        "max_bytes": max_bytes,
        "target_batch_time_s": target_batch_time_s,
        "tasks": tasks,
        "on_disagreement": on_disagreement,
        "metrics": metrics,
        "standby": standby,
        "spark_ui": spark_ui,
    }
    if restart:
        from tenure.spark.operations.supervisor import supervise

        raise typer.Exit(supervise(reference, group_instance_id, address_of(cluster)))
    from tenure.spark.operations.run import run_named

    options = {name: value for name, value in given.items() if value is not None}
    raise typer.Exit(run_named(reference, cluster, options, progress))
