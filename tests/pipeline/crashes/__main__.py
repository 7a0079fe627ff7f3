"""`python -m tests.pipeline.crashes`: kill an application at every crash point, on both brokers and in both protocols.

It crashes in the first batch of a group, which finds no committed offset, and in a later one, which has files to sweep.
"""

import argparse
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from tests.apache_kafka import apache_kafka
from tests.oracle.conftest import wait_for_coordinator
from tests.pipeline.crashes.case import AFTERMATHS, batch
from tests.pipeline.crashes.forked_application import application_server
from tests.pipeline.crashes.matrix import KAFKA_SETTINGS, SETTINGS, Matrix
from tests.serving import serving

BROKERS: Final = ("tenure", "kafka")
PROTOCOLS: Final = ("consumer", "classic", "streams")
BATCHES: Final = (1, 3)


@contextmanager
def running(broker: str, directory: Path) -> Iterator[str]:
    """Yield the address of a broker."""
    if broker == "tenure":
        with serving(directory, *(f"{key}={value}" for key, value in SETTINGS.items())) as ours:
            yield ours.address
    else:
        with apache_kafka(directory / "kafka", settings=SETTINGS | KAFKA_SETTINGS) as kafka:
            wait_for_coordinator(kafka.host, kafka.port)
            yield kafka.address


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.pipeline.crashes", description=__doc__)
    parser.add_argument("--broker", choices=BROKERS, action="append")
    parser.add_argument("--group-protocol", choices=PROTOCOLS, action="append")
    given = parser.parse_args()
    failures: list[str] = []
    print(f"{'broker':<8} {'protocol':<9} {'batch':>5}  {'the application':<34} {'crashes':>7} {'held':>6} {'s':>6}")
    for broker in given.broker or BROKERS:
        with (
            tempfile.TemporaryDirectory() as name,
            running(broker, Path(name)) as address,
            application_server() as server,
        ):
            for group_protocol in given.group_protocol or PROTOCOLS:
                matrix = Matrix(address, group_protocol, Path(name, "crashes", group_protocol), server)
                crash_points = matrix.crash_points()
                for number in BATCHES:
                    for aftermath in AFTERMATHS:
                        began_s = time.monotonic()
                        verdict = matrix.play(list(batch(crash_points, number)), aftermath)
                        failures += verdict.failures
                        held = verdict.played - len(verdict.failures)
                        print(
                            f"{broker:<8} {group_protocol:<9} {number:>5}  {aftermath.name:<34} {verdict.played:>7}"
                            f" {held:>6} {time.monotonic() - began_s:>6.0f}",
                            flush=True,
                        )
    print("\n\n".join(failures))
    return bool(failures)


if __name__ == "__main__":
    sys.exit(main())
