"""`tenure handover`: settings for another broker that takes over a data directory."""

import os
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from tenure.cli.output import print_result


class Successor(StrEnum):
    KAFKA = "kafka"


def handover(
    directory: Annotated[Path, typer.Argument(metavar="DATA_DIR", show_default=False)],
    to: Annotated[Successor, typer.Option("--to", help="Broker that takes the directory over.", show_default=False)],
    listen: Annotated[
        str | None, typer.Option(metavar="HOST:PORT", help="Address of the listener, as for `tenure serve`.")
    ] = None,
    config: Annotated[
        Path | None, typer.Option(metavar="FILE", help="TOML file of settings, as for `tenure serve`.")
    ] = None,
    set_: Annotated[
        list[str] | None, typer.Option("--set", metavar="KEY=VALUE", help="One setting, as for `tenure serve`.")
    ] = None,
    controller: Annotated[
        str, typer.Option(metavar="HOST:PORT", help="Address that Apache Kafka's node uses for itself.")
    ] = "127.0.0.1:9093",
) -> None:
    """Print the properties file with which Apache Kafka serves a stopped broker's data directory.

    Changes nothing. Stop the broker, and run:

      tenure handover data --to kafka > server.properties

      kafka-server-start.sh server.properties

    Members keep their partitions if Apache Kafka starts before their sessions end.

    `tenure serve data` takes the directory back.
    """
    from tenure.broker.config.start_error import StartError  # Other commands start without the broker's modules.
    from tenure.broker.process.handover import properties_for_kafka

    properties = {Successor.KAFKA: properties_for_kafka}[to]
    try:
        lines = properties(directory, controller, listen=listen, file=config, flags=set_ or (), environment=os.environ)
    except StartError as error:
        raise ValueError(f"{error}.") from None
    for line in lines:
        print_result(line)
