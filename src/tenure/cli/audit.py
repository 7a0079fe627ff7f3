"""`tenure audit`: tables and a report of the groups of any Kafka cluster."""

from typing import Annotated

import typer

from tenure.cli.connect import BootstrapServers, CommandConfig, cluster_at
from tenure.cli.output import Json, setting


def audit(
    out: Annotated[
        str, typer.Option(metavar="DIRECTORY", help="Directory or URL of the tables and the report.")
    ] = "audit",
    follow: Annotated[
        bool, typer.Option("--follow", "-f", help="Continue until Ctrl-C, with a new report every minute.")
    ] = False,
    pictures: Annotated[bool, typer.Option(help="Write a PNG file of each chart.")] = True,
    table_format: Annotated[
        str,
        typer.Option(
            "--format", metavar="parquet|delta", help="Format of the tables; delta needs the package deltalake."
        ),
    ] = "parquet",
    tasks: Annotated[int, typer.Option(metavar="N", help="Maximum concurrent Spark tasks.")] = 4,
    max_bytes: Annotated[
        int, typer.Option(metavar="N", help="Maximum bytes in memory of the records of all tasks.")
    ] = 134_217_728,
    master: Annotated[
        str | None,
        typer.Option(metavar="URL", help="Spark cluster: spark://HOST:PORT, yarn, k8s://URL.", show_default="local[*]"),
    ] = None,
    conf: Annotated[
        list[str] | None, typer.Option("--conf", metavar="KEY=VALUE", help="Spark setting; may be repeated.")
    ] = None,
    shared_directory: Annotated[
        bool,
        typer.Option("--shared-directory", help="All hosts of the cluster have mounted DIRECTORY at the same path."),
    ] = False,
    as_json: Json = False,
    bootstrap_servers: BootstrapServers = None,
    command_config: CommandConfig = None,
) -> None:
    """Find out what rebalances cost: read `__consumer_offsets`, write tables and a report.

    Writes nothing to the cluster. Needs READ on the topic __consumer_offsets, and DESCRIBE on topics for lag. A later
    run with the same directory continues where the last one ended.
    """
    from tenure.audit.audit_run import AuditOptions
    from tenure.audit.audit_run import audit as run_audit
    from tenure.whatif.advice import advisor

    cluster = cluster_at(bootstrap_servers, command_config)
    options = AuditOptions(
        cluster,
        out,
        follow=follow,
        json=as_json,
        pictures=pictures,
        master=master,
        conf=dict(map(setting, conf or ())),
        tasks=tasks,
        max_bytes=max_bytes,
        shared_directory=shared_directory,
        table_format=table_format,
        advisor=advisor,
    )
    raise typer.Exit(run_audit(options))
