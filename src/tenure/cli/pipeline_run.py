"""`tenure pipeline run`: all options of `Pipeline.run`, and those of a command-line application."""

from enum import StrEnum
from typing import Annotated, Any, Final

import typer

from tenure.cli.connect import BootstrapServers, CommandConfig, address_of, cluster_at
from tenure.cli.pipeline_arguments import Reference

GROUP, BATCHES, MONITORING, AVAILABILITY = "Group membership", "Batches", "Monitoring", "Availability"


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
"""Parameters that `Pipeline.run` does not have."""


def run(
    reference: Reference,
    group_instance_id: Annotated[
        str | None,
        option(
            GROUP,
            "Name that lets a restarted application keep its partitions; unique among running applications.",
            "ID",
        ),
    ] = None,
    client_id: Annotated[str | None, option(GROUP, "Client id in the broker's log and metrics.", "ID")] = None,
    threads: Annotated[int | None, option(GROUP, "Number of group members to run.", "N")] = None,
    session_timeout_ms: Annotated[
        int | None, option(GROUP, "Time without a heartbeat after which the group removes a member.", "MS")
    ] = None,
    heartbeat_interval_ms: Annotated[int | None, option(GROUP, "Time between two heartbeats.", "MS")] = None,
    max_poll_interval_ms: Annotated[int | None, option(GROUP, "Time after which a batch counts as hung.", "MS")] = None,
    group_protocol: Annotated[
        Protocol | None,
        option(GROUP, "Group protocol: the broker (consumer) or a member (classic) assigns partitions."),
    ] = None,
    on_unreleased: Annotated[
        Unreleased | None, option(GROUP, "Action if the group still has the members of an application that died.")
    ] = None,
    until: Annotated[Until | None, option(BATCHES, "When to exit: after a stop, or at the end of the log.")] = None,
    max_records: Annotated[
        int | None, option(BATCHES, "Maximum records in the running batches of a member.", "N")
    ] = None,
    max_bytes: Annotated[
        int | None, option(BATCHES, "Maximum bytes in memory of the records in the running batches of a member.", "N")
    ] = None,
    target_batch_time_s: Annotated[
        float | None, option(BATCHES, "Time that a batch should take; the batch size adapts to it.", "S")
    ] = None,
    tasks: Annotated[int | None, option(BATCHES, "Maximum concurrent batches per member.", "N")] = None,
    on_disagreement: Annotated[
        Disagreement | None, option(BATCHES, "Action if committed offsets and state disagree.")
    ] = None,
    progress: Annotated[
        Tell,
        option(
            MONITORING, "Progress output: a summary every 10 s, a line per batch, or JSON lines on standard output."
        ),
    ] = Tell.SUMMARY,
    metrics: Annotated[
        str | None, option(MONITORING, "Address that serves /metrics (Prometheus), /healthz and /readyz.", "HOST:PORT")
    ] = None,
    spark_ui: Annotated[
        bool, option(MONITORING, "Start the Spark web UI, which shows the pipeline.", None, "--spark-ui")
    ] = False,
    standby: Annotated[
        bool,
        option(
            AVAILABILITY,
            "Start Spark, then wait until the members of this --group-instance-id are gone.",
            None,
            "--standby",
        ),
    ] = False,
    restart: Annotated[
        bool,
        option(
            AVAILABILITY,
            "Restart the application after a crash (not after exit status 0, 2, 3 or 4).",
            None,
            "--restart",
        ),
    ] = False,
    bootstrap_servers: BootstrapServers = None,
    command_config: CommandConfig = None,
) -> None:
    """Run a pipeline until SIGTERM, Ctrl-C or `tenure pipeline stop`.

    Exit status: 0 stopped or caught up; 1 failed, restart is safe; 2 invalid options or pipeline; 3 another
    application took over its members, do not restart; 4 would fail again, fix the cause first.
    """
    given = {name: value for name, value in locals().items() if name not in OF_THE_COMMAND and value is not None}
    cluster = cluster_at(bootstrap_servers, command_config)
    if restart:
        from tenure.spark.operations.supervisor import supervise

        raise typer.Exit(supervise(reference, group_instance_id, address_of(cluster)))
    from tenure.spark.operations.run import run_pipeline_by_name

    raise typer.Exit(run_pipeline_by_name(reference, cluster, given, progress))
