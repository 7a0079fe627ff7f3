"""`tenure web`: the dashboard of any Kafka cluster."""

from importlib.util import find_spec
from pathlib import Path
from typing import Annotated

import typer

from tenure.cli.connect import BootstrapServers, CommandConfig, cluster_at
from tenure.cli.output import Misuse

PACKAGES = ("jinja2", "prometheus_client", "starlette", "uvicorn", "vl_convert")
"""Packages of the extra `web`, by their modules."""


def web(
    listen: Annotated[
        str, typer.Option(metavar="HOST:PORT", help="Address of the pages; port 0 picks a free port.")
    ] = "127.0.0.1:8420",
    pipeline: Annotated[
        list[str] | None,
        typer.Option(
            "--pipeline",
            metavar="URL",
            help="Metrics of a pipeline, such as http://127.0.0.1:9400/metrics; may be repeated.",
        ),
    ] = None,
    allow_changes: Annotated[
        bool,
        typer.Option(
            "--allow-changes",
            help="Offer to remove members, reset offsets, start rebalances and abort hanging transactions.",
        ),
    ] = False,
    tls: Annotated[
        str | None,
        typer.Option(metavar="CERTIFICATE,KEY", help="PEM files; `tenure certificates` makes some for tests."),
    ] = None,
    password_file: Annotated[
        Path | None, typer.Option(metavar="FILE", help="File whose first line is the password of the pages.")
    ] = None,
    stop_with_stdin: Annotated[bool, typer.Option("--stop-with-stdin", hidden=True)] = False,
    bootstrap_servers: BootstrapServers = None,
    command_config: CommandConfig = None,
) -> None:
    """Show groups, transactions, topics and pipelines in a browser, live.

    Reads only, unless changes are allowed. Addresses that other machines reach need --tls and --password-file.
    """
    missing = [name for name in PACKAGES if find_spec(name) is None]
    if missing:
        raise Misuse(f"The dashboard needs packages that are missing ({', '.join(missing)}): pip install 'tenure[web]'")
    from tenure.web.server import WebOptions, serve

    host, port = _address(listen)
    serve(
        WebOptions(
            cluster_at(bootstrap_servers, command_config),
            host,
            port,
            pipelines=[_metrics_url(url) for url in pipeline or ()],
            changes_allowed=allow_changes,
            tls=None if tls is None else _pair(tls),
            password_file=password_file,
            stop_with_stdin=stop_with_stdin,
        )
    )


def _address(text: str) -> tuple[str, int]:
    host, colon, port = text.rpartition(":")
    if not colon or not host or not port.isdecimal() or int(port) > 65_535:
        raise Misuse(f"{text!r} is not an address: write it as HOST:PORT, such as 127.0.0.1:8420")
    return host.strip("[]"), int(port)


def _pair(text: str) -> tuple[Path, Path]:
    certificate, comma, key = text.partition(",")
    if not comma or not certificate or not key:
        raise Misuse("--tls needs two files: CERTIFICATE,KEY")
    return Path(certificate), Path(key)


def _metrics_url(text: str) -> str:
    if not text.startswith(("http://", "https://")):
        raise Misuse(f"{text!r} is not the address of metrics: write it as http://HOST:PORT/metrics")
    return text
