"""`tenure pipeline backfill`: process older records in a separate group."""

import time
from contextlib import suppress
from typing import Annotated

import typer

from tenure.admin.offset_reset import Target, ToEarliest, ToLatest, ToTimestamp
from tenure.admin.times import parse_datetime_ms, parse_duration_ms
from tenure.cli.connect import BootstrapServers, CommandConfig, cluster_at
from tenure.cli.output import Misuse, print_result
from tenure.cli.pipeline.arguments import Reference
from tenure.cli.pipeline.run import OPTIONS, run_option
from tenure.plural import format_count


def backfill(
    reference: Reference,
    name: Annotated[
        str | None, typer.Option(metavar="GROUP", help="Group of the backfill.", show_default="the pipeline's")
    ] = None,
    into: Annotated[
        list[str] | None,
        typer.Option(
            metavar="PLACE",
            help="Directory, table or topic of the main output, or SIDE=PLACE for a side output. Repeat it for each"
            " output.",
            show_default="the pipeline's",
        ),
    ] = None,
    from_: Annotated[
        str,
        typer.Option(
            "--from", metavar="TIME", help="Start: earliest, a time such as 2026-01-31T18:30:00, or an age such as 7d."
        ),
    ] = "earliest",
    to: Annotated[
        str, typer.Option(metavar="TIME", help="End: as --from, or latest for the current end of the log.")
    ] = "latest",
    threads: Annotated[int, run_option("threads")] = OPTIONS["threads"].default,
    max_records: Annotated[int, run_option("max_records")] = OPTIONS["max_records"].default,
    tasks: Annotated[int, run_option("tasks")] = OPTIONS["tasks"].default,
    bootstrap_servers: BootstrapServers = None,
    command_config: CommandConfig = None,
) -> None:
    """Process older records of a topic in a separate group, then exit.

    The running pipeline is not affected. To continue an interrupted backfill, run the same command again: it ends at
    the offsets that the first run has determined. After the backfill, `tenure pipeline run` with the same group name
    continues at these offsets.
    """
    start, end = _target(from_, "--from"), _target(to, "--to")
    options = {"threads": threads, "max_records": max_records, "tasks": tasks}
    cluster = cluster_at(bootstrap_servers, command_config)
    from tenure.spark.operations.backfill import backfill as work
    from tenure.spark.operations.backfill import renamed_pipeline
    from tenure.spark.operations.pipeline_reference import pipeline_named
    from tenure.spark.operations.run import cluster_arguments, run_and_report

    def fill() -> None:
        pipeline = renamed_pipeline(pipeline_named(reference), name, into or ())
        span = work(pipeline, cluster, start, end, cluster_arguments(cluster) | options)
        records = format_count(span.records, "record")
        print_result(f"Group '{pipeline.name}' processed {records} and reached the end of the backfill.")

    raise typer.Exit(run_and_report(fill))


def _target(text: str, option: str) -> Target:
    if text in ("earliest", "latest"):
        return ToEarliest() if text == "earliest" else ToLatest()
    with suppress(ValueError):
        return ToTimestamp(round(time.time() * 1000) - parse_duration_ms(text))
    try:
        return ToTimestamp(parse_datetime_ms(text))
    except ValueError as error:
        raise Misuse(f"{option}: {error}; or use an age such as 7d, earliest or latest") from None
