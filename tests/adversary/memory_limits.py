"""Brokers with less and less memory (`ulimit -v`) under load: they answer or refuse, and never hang."""

from __future__ import annotations

import sys
import time
from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from tenure.protocol.batches import encode_batch
from tenure.protocol.messages import (
    FindCoordinatorRequest,
    HeartbeatRequest,
    MetadataRequest,
    OffsetCommitRequest,
    OffsetCommitRequestPartition,
    OffsetCommitRequestTopic,
)
from tenure.protocol.records import Record
from tenure.protocol.types import GenerationId, GroupId, MemberId, PartitionId, TopicName
from tests.adversary.attacks import fetch, half_a_produce, join, produce
from tests.adversary.client import Client, finish, frame
from tests.serving import Serving

LIMITS_KB: Final = (
    1_000_000,
    700_000,
    500_000,
    400_000,
    300_000,
    250_000,
    200_000,
    150_000,
    100_000,
    80_000,
    60_000,
    40_000,
)
"""Limits from more than the attacks need down to less than a start needs."""
TOPIC: Final = TopicName("limited")
GROUP: Final = GroupId("limited")
ATTACK_S: Final = 2.0
"""Time for which large answers stay unread and large frames unfinished."""


@dataclass(frozen=True)
class Outcome:
    started: bool
    ending: str
    log: str

    @property
    def failures(self) -> list[str]:
        found = ["a traceback in the log"] if "Traceback" in self.log else []
        if not self.started and len(self.log.splitlines()) != 1:
            found.append("a refused start does not end with one sentence")
        return found


def run(directory: Path, limit_kb: int) -> Outcome:
    """Start a broker with a limit, attack it, and send it a request of each kind.

    Raises NotAnsweredError if it neither answers nor closes the connection.
    """
    directory.mkdir(exist_ok=True)
    limited = directory / "python"
    limited.write_text(f'#!/bin/sh\nulimit -v {limit_kb}\nexec {sys.executable} "$@"\n')
    limited.chmod(0o755)
    broker = Serving(directory / "data", (), (), limited)
    try:
        broker.start()
    except AssertionError:
        return Outcome(False, "not started", broker.log)
    try:
        attack(broker)
        ending = ask(broker)
    finally:
        if broker.is_running:
            broker.kill()
    return Outcome(True, ending, broker.log)


def attack(broker: Serving) -> None:
    """Fill a topic, then leave large answers unread and large frames unfinished."""
    large = produce(TOPIC, encode_batch([Record(0, -1, None, bytes(900_000))]))
    with Client(broker) as client:
        client.exchange([frame(MetadataRequest()), *[large] * 60])
    with ExitStack() as stack:
        clients = [stack.enter_context(Client(broker)) for _ in range(8)]
        for number, client in enumerate(clients):
            client.push(fetch(TOPIC) * 8 if number % 2 else half_a_produce(100_000_000, 90_000_000))
            client.push(join(GROUP, f"seat-{number}", bytes(2_000_000)))
        time.sleep(ATTACK_S)


def ask(broker: Serving) -> str:
    """Send a request of each kind on a connection of its own; return how many were answered."""
    commit = OffsetCommitRequest(
        GROUP, topics=[OffsetCommitRequestTopic(TOPIC, partitions=[OffsetCommitRequestPartition(PartitionId(0), 1)])]
    )
    requests: Sequence[bytes] = [
        frame(MetadataRequest()),
        frame(FindCoordinatorRequest(coordinator_keys=[GROUP])),
        frame(HeartbeatRequest(GROUP, GenerationId(1), MemberId("nobody"))),
        frame(commit, 9),
        join("another", "seat", b""),
        produce(TOPIC, encode_batch([Record(0, -1, None, b"")])),
        fetch(TOPIC),
    ]
    answered = 0
    for request in requests:
        with Client(broker) as client:
            finish([client], [request])
            answered += client.answers
    return f"{answered} of {len(requests)} answered"


def main(directory: Path) -> int:
    """Print a row for each limit, and return the number of limits at which a broker failed."""
    failed = 0
    for limit_kb in LIMITS_KB:
        try:
            outcome = run(directory / str(limit_kb), limit_kb)
        except AssertionError as hang:
            outcome = Outcome(True, f"! {hang}", "")
        print(f"{f'memory-limits: ulimit -v {limit_kb}':50} {outcome.ending}", flush=True)
        for failure in outcome.failures:
            print(f"    FAILED: {failure}", flush=True)
        failed += bool(outcome.failures) or outcome.ending.startswith("!")
    return failed
