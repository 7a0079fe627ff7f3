"""Broker in which one allocation of memory fails during each request.

The broker answers the request or closes its connection, and then serves the next one.

The test chooses the allocation by its number, with CPython's own test function `_testcapi.set_nomemory`, which the
broker calls when it receives a signal.
"""

from __future__ import annotations

import mmap
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from signal import SIGUSR1
from typing import Final, Self

from tenure.broker.process.restart import RESTARTS
from tenure.protocol.batches import encode_batch
from tenure.protocol.messages import (
    ConsumerGroupHeartbeatRequest,
    CreatableTopic,
    CreateTopicsRequest,
    HeartbeatRequest,
    MetadataRequest,
    OffsetCommitRequest,
    OffsetCommitRequestPartition,
    OffsetCommitRequestTopic,
)
from tenure.protocol.records import Record
from tenure.protocol.types import GenerationId, GroupId, MemberId, PartitionId, TopicName
from tests.adversary.attacks import fetch, join, produce
from tests.adversary.client import Client, finish, frame
from tests.serving import Serving

TOPIC: Final = TopicName("failing")
NUMBER_BYTES: Final = 8
TAKEN: Final = (-1).to_bytes(NUMBER_BYTES, sys.byteorder, signed=True)
SIGNAL_PATIENCE_S: Final = 30.0
ALLOCATIONS: Final = 400
"""More allocations than any of these requests needs."""
EXCERPT_CHARACTERS: Final = 2_000
IDLE_ALLOCATIONS: Final = 20
IDLE_PATIENCE_S: Final = 1.0
"""Time in which an idle broker allocates memory: it does so four times a second, to check its clock."""
ATTEMPTS: Final = 5
"""Attempts for a request, because the failing allocation may come only during the next attempt."""

HOOK: Final = """
import mmap, signal, struct, sys
import _testcapi

file = open({path!r}, "r+b")
shared = mmap.mmap(file.fileno(), {size})

def fail(*_):
    number, = struct.unpack("q", shared)
    shared[:] = {taken!r}
    _testcapi.set_nomemory(number, number + 1)

signal.signal(signal.SIGUSR1, fail)
sys.argv = ["tenure", *sys.argv[3:]]
from tenure.cli import main
main()
"""
"""Program that adds the signal handler and then runs `python -m tenure`."""


def commit(group: str) -> bytes:
    partitions = [OffsetCommitRequestPartition(PartitionId(0), 1)]
    return frame(
        OffsetCommitRequest(GroupId(group), topics=[OffsetCommitRequestTopic(TOPIC, partitions=partitions)]), 9
    )


def heartbeat_of_consumer(group: str) -> bytes:
    return frame(
        ConsumerGroupHeartbeatRequest(
            GroupId(group),
            MemberId("member"),
            rebalance_timeout_ms=60_000,
            subscribed_topic_names=[TOPIC],
            topic_partitions=[],
        )
    )


REQUESTS: Final[Mapping[str, Callable[[int], bytes]]] = {
    "metadata": lambda _: frame(MetadataRequest()),
    "create-topic": lambda number: frame(CreateTopicsRequest([CreatableTopic(TopicName(f"topic-{number}"), 1, 1)])),
    "heartbeat": lambda _: frame(HeartbeatRequest(GroupId("none"), GenerationId(1), MemberId("nobody"))),
    "join": lambda number: join(f"classic-{number}", "seat", b""),
    "consumer-heartbeat": lambda number: heartbeat_of_consumer(f"consumer-{number}"),
    "commit": lambda number: commit(f"offsets-{number}"),
    "produce": lambda _: produce(TOPIC, encode_batch([Record(0, -1, None, b"value")])),
    "fetch": lambda _: fetch(TOPIC),
}
"""Functions that encode a request, by its name. Each gets a number, so that requests that change state can differ."""


class FailingBroker(Serving):
    """A broker whose allocations can be made to fail by number."""

    def __init__(self, directory: Path, *options: str) -> None:
        directory.mkdir(exist_ok=True)
        shared = directory / "shared"
        shared.write_bytes(TAKEN)
        hook = directory / "hook.py"
        hook.write_text(HOOK.format(path=str(shared), size=NUMBER_BYTES, taken=TAKEN))
        python = directory / "python"
        python.write_text(f'#!/bin/sh\nexec {sys.executable} {hook} "$@"\n')
        python.chmod(0o755)
        super().__init__(directory / "data", ("group.initial.rebalance.delay.ms=0",), options, python)
        self._file = shared.open("r+b")
        self._shared = mmap.mmap(self._file.fileno(), NUMBER_BYTES)

    def run_out_of_memory(self) -> None:
        """Let allocations fail while no request is under way, until the broker starts again or ends."""
        before = self.restarts
        for number in range(1, IDLE_ALLOCATIONS):
            self.fail_allocation(number)
            give_up_at = time.monotonic() + IDLE_PATIENCE_S
            while time.monotonic() < give_up_at:
                if not self.is_running or self.restarts > before:
                    return
                time.sleep(0.01)
        raise AssertionError("no allocation failed outside of requests")

    @property
    def restarts(self) -> int:
        return self.log.count(RESTARTS.decode())

    def fail_allocation(self, number: int) -> None:
        """Let one allocation fail: the one after `number` others. Return when the broker has begun to count."""
        self._shared[:] = number.to_bytes(NUMBER_BYTES, sys.byteorder, signed=True)
        self.signal(SIGUSR1)
        give_up_at = time.monotonic() + SIGNAL_PATIENCE_S
        while self._shared[:] != TAKEN:
            assert time.monotonic() < give_up_at, "the broker does not take the signal"
            time.sleep(0.000_5)

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(self, *_: object) -> None:
        if self.is_running:
            self.kill()
        self._shared.close()
        self._file.close()


@dataclass
class Outcome:
    requests: int = 0
    answered: int = 0
    """Number of requests that were answered although an allocation failed, or before it did."""
    failures: list[str] = field(default_factory=list)
    restarts: int = 0

    def __str__(self) -> str:
        return f"{self.answered} of {self.requests} answered at once, {self.restarts} restarts"


def run(directory: Path, numbers: Sequence[int], kinds: Sequence[str] = tuple(REQUESTS)) -> Outcome:
    """Send a request of each kind once per number. During the request, the allocation with this number fails.

    Raises NotAnsweredError if the broker neither answers nor closes a connection.
    """
    outcome = Outcome()
    with FailingBroker(directory) as broker:
        prepare(broker)
        for kind in kinds:
            for number in numbers:
                attack(broker, REQUESTS[kind](number), number, f"{kind}, allocation {number}", outcome)
        log = broker.log
        outcome.restarts = broker.restarts
    _, bug, rest = log.partition("a bug in the broker")
    if bug:
        outcome.failures.append(f"a bug: {rest[:EXCERPT_CHARACTERS]}")
    return outcome


def prepare(broker: Serving) -> None:
    """Send each request once, so that the broker has loaded everything that it needs."""
    with Client(broker) as client:
        client.exchange([frame(CreateTopicsRequest([CreatableTopic(TOPIC, 1, 1)]))])
        client.exchange([request(0) for request in REQUESTS.values()])


def attack(broker: FailingBroker, request: bytes, number: int, name: str, outcome: Outcome) -> None:
    """Send a request during which allocation `number` fails. Then send it again until it is answered."""
    with Client(broker) as client:
        client.exchange([frame(MetadataRequest())])  # wait until the broker has accepted the connection
        if not client.is_closed:
            broker.fail_allocation(number)
        finish([client], [request])
        outcome.requests += 1
        outcome.answered += not client.is_closed
    if not any(is_answered(broker, request) for _ in range(ATTEMPTS)):
        outcome.failures.append(f"{name}: not answered afterwards, in {ATTEMPTS} attempts")


def is_answered(broker: Serving, request: bytes) -> bool:
    with Client(broker) as client:
        client.exchange([request])
        return not client.is_closed


def main(directory: Path) -> int:
    """Print a row for each kind of request, and return the number of kinds with a failure."""
    failed = 0
    for kind in REQUESTS:
        try:
            outcome = run(directory / kind, range(1, ALLOCATIONS), [kind])
        except AssertionError as hang:
            outcome = Outcome(failures=[str(hang)])
        print(f"{f'failing-allocations: {kind}':50} {outcome}", flush=True)
        for failure in outcome.failures:
            print(f"    FAILED: {failure}", flush=True)
        failed += bool(outcome.failures)
    return failed
