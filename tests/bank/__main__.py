"""Bank with real processes for a given time: `python -m tests.bank --minutes 5 --on kafka --static`."""

import argparse
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from random import Random
from typing import NamedTuple

from tests.apache_kafka import apache_kafka
from tests.bank.bank import KAFKA_SETTINGS, SETTINGS, Bank
from tests.oracle.conftest import wait_for_coordinator
from tests.serving import Serving, serving

BROKERS = ("ours", "kafka")
PROTOCOLS = ("consumer", "classic")


class Running(NamedTuple):
    address: str
    break_: Callable[[], None] | None
    """Function that kills the broker and starts it again; None for Apache Kafka, whose start takes too long."""


@contextmanager
def running(on: str, directory: Path) -> Iterator[Running]:
    if on == "ours":
        with serving(directory, *(f"{key}={value}" for key, value in SETTINGS.items())) as broker:
            yield Running(broker.address, lambda: break_(broker))
    else:
        with apache_kafka(directory / "kafka", settings=SETTINGS | KAFKA_SETTINGS) as kafka:
            wait_for_coordinator(kafka.host, kafka.port)
            yield Running(kafka.address, None)


def break_(broker: Serving) -> None:
    broker.kill()
    broker.start()


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.bank", description=__doc__)
    parser.add_argument("--on", choices=BROKERS, action="append", help="default: both")
    parser.add_argument("--group-protocol", choices=PROTOCOLS, action="append", help="default: both")
    parser.add_argument("--static", action=argparse.BooleanOptionalAction, help="default: both kinds of members")
    parser.add_argument("--librdkafka", action="store_true", help="one of three workers, in classic groups")
    parser.add_argument("--minutes", type=float, default=5.0, help="of each")
    parser.add_argument("--seed", type=int, default=int(time.time()))
    given = parser.parse_args()
    for on in given.on or BROKERS:
        with tempfile.TemporaryDirectory() as name, running(on, Path(name)) as broker:
            for protocol in given.group_protocol or PROTOCOLS:
                for is_static in (False, True) if given.static is None else (given.static,):
                    bank = Bank(
                        broker.address,
                        Path(name),
                        Random(given.seed),
                        group_protocol=protocol,
                        is_static=is_static,
                        break_broker=broker.break_,
                        librdkafka_seat="b" if given.librdkafka and protocol == "classic" else None,
                    )
                    print(f"seed {given.seed}, {bank.name} on {on}, {60 * given.minutes:.0f} s", flush=True)
                    bank.run(60 * given.minutes)
                    print(f"  {bank.auditor.snapshots:,} snapshots, each adds up; {dict(bank.did)}", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
