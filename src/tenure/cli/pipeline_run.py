"""`tenure pipeline run`: every option of `Pipeline.run` under its name, and what only a command can offer."""

from enum import StrEnum
from typing import Annotated, Any, Final

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


def option(panel: str, text: str, metavar: str | None = None, *names: str) -> Any:
    return typer.Option(*names, metavar=metavar, help=text, rich_help_panel=panel)


OF_THE_COMMAND: Final = {"reference", "progress", "restart", "bootstrap_servers", "command_config"}
"""What is not handed to `Pipeline.run` under its name."""


def run(
    reference: Reference,
    group_instance_id: Annotated[
        str | None,
        option(GROUP, "Keeps its seats through a restart; each running application has one of its own.", "ID"),
    ] = None,
    client_id: Annotated[str | None, option(GROUP, "In the broker's log and metrics.", "ID")] = None,
    threads: Annotated[int | None, option(GROUP, "Members, each with batches of its own.", "N")] = None,
    session_timeout_ms: Annotated[int | None, option(GROUP, "How long a seat is kept.", "MS")] = None,
    heartbeat_interval_ms: Annotated[int | None, option(GROUP, "Between two signs of life.", "MS")] = None,
    max_poll_interval_ms: Annotated[int | None, option(GROUP, "A batch that takes longer hangs.", "MS")] = None,
    group_protocol: Annotated[
        Protocol | None, option(GROUP, "Who assigns: the broker (consumer) or a member (classic).")
    ] = None,
    on_unreleased: Annotated[Unreleased | None, option(GROUP, "Where a dead application's seat is still held.")] = None,
    until: Annotated[Until | None, option(WORK, "caught-up ends at the end of the log.")] = None,
    max_records: Annotated[int | None, option(WORK, "Of what a member has under way.", "N")] = None,
    max_bytes: Annotated[int | None, option(WORK, "Of those records, in memory.", "N")] = None,
    target_batch_time_s: Annotated[
        float | None, option(WORK, "Batches grow and shrink until they take this long.", "S")
    ] = None,
    tasks: Annotated[int | None, option(WORK, "Batches of a member at once.", "N")] = None,
    on_disagreement: Annotated[
        Disagreement | None, option(WORK, "Where committed offsets and state contradict each other.")
    ] = None,
    progress: Annotated[
        Tell, option(TELL, "A line now and then, one for each batch, or for programs as JSON on standard output.")
    ] = Tell.SUMMARY,
    metrics: Annotated[
        str | None, option(TELL, "Answer /metrics (Prometheus), /healthz and /readyz here.", "HOST:PORT")
    ] = None,
    spark_ui: Annotated[
        bool, option(TELL, "Spark's web interface, with the pipeline in it.", None, "--spark-ui")
    ] = False,
    standby: Annotated[
        bool,
        option(
            SURVIVE, "Start Spark, then wait until nobody has the seats of this --group-instance-id.", None, "--standby"
        ),
    ] = False,
    restart: Annotated[
        bool,
        option(
            SURVIVE,
            "Start it again when it has crashed, with pauses; never when it ended with 0, 2, 3 or 4.",
            None,
            "--restart",
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
    given = {name: value for name, value in locals().items() if name not in OF_THE_COMMAND and value is not None}
    cluster = cluster_at(bootstrap_servers, command_config)
    if restart:
        from tenure.spark.operations.supervisor import supervise

        raise typer.Exit(supervise(reference, group_instance_id, address_of(cluster)))
    from tenure.spark.operations.run import run_named

    raise typer.Exit(run_named(reference, cluster, given, progress))
