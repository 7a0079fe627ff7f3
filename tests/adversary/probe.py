"""Group members that run beside an attack, in a process of their own, and measure the broker's latency.

    python -m tests.adversary.probe HOST PORT

Four static members have sessions of 6 s: two in a classic group with librdkafka, two in a consumer group with Tenure's
client. A fifth member sends raw heartbeats every 50 ms and measures how long each answer takes. The process says
`ready` when all of them have joined. Each input line `begin` starts a measurement, each line `end` prints it as JSON.
"""

from __future__ import annotations

import json
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field
from typing import Any, Final

from confluent_kafka import Consumer as Librdkafka

from tenure.client import Consumer
from tenure.protocol.messages import (
    ConsumerGroupDescribeRequest,
    CreatableTopic,
    CreateTopicsRequest,
    DescribeGroupsRequest,
    HeartbeatRequest,
    JoinGroupRequest,
    JoinGroupRequestProtocol,
    SyncGroupRequest,
    SyncGroupRequestAssignment,
)
from tenure.protocol.types import GroupId, InstanceId, MemberId, TopicName
from tests.serving import Serving
from tests.wire import Wire

SESSION_TIMEOUT_MS: Final = 6_000
HEARTBEAT_INTERVAL_MS: Final = 2_000
PULSE_S: Final = 0.05
"""Interval of timed heartbeats. Each one waits for the answer to the one before."""
STANDSTILL_LOOK_S: Final = 0.05
PATIENCE_S: Final = 60.0
TOPIC: Final = TopicName("probe")
CLASSIC, CONSUMER, RAW = GroupId("probe-classic"), GroupId("probe-consumer"), GroupId("probe-raw")
INSTANCES: Final = ("instance-1", "instance-2")

SETTINGS: Final = (
    f"group.consumer.session.timeout.ms={SESSION_TIMEOUT_MS}",
    f"group.consumer.heartbeat.interval.ms={HEARTBEAT_INTERVAL_MS}",
)
"""Settings of a broker that serves the probe."""


@dataclass
class Measurement:
    """Heartbeats between `begin` and `end`, and the members that were removed meanwhile."""

    heartbeats: int
    p99_ms: float
    max_ms: float
    stood_still_s: float
    """Longest time for which the probe's process did not run. After a few seconds, its members are removed for this."""
    lost: list[str] = field(default_factory=list)


class Probe:
    """Parent's side of the probe's process."""

    def __init__(self, process: subprocess.Popen[str]) -> None:
        self._process = process

    def begin(self) -> None:
        self._ask("begin")

    def end(self) -> Measurement:
        return Measurement(**json.loads(self._ask("end")))

    def expect(self, line: str) -> None:
        assert (found := self._read()) == line, f"the probe said {found!r} instead of {line!r}"

    def _ask(self, command: str) -> str:
        assert self._process.stdin is not None
        self._process.stdin.write(f"{command}\n")
        self._process.stdin.flush()
        return self._read()

    def _read(self) -> str:
        assert self._process.stdout is not None
        line = self._process.stdout.readline()
        assert line, "the probe has ended"
        return line.rstrip("\n")


@contextmanager
def probing(broker: Serving) -> Iterator[Probe]:
    """Start the probe and wait until all its members have joined."""
    command = [sys.executable, "-m", "tests.adversary.probe", broker.host, str(broker.port)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        try:
            probe = Probe(process)
            probe.expect("ready")
            yield probe
        finally:
            process.kill()


# --- the probe's process ----------------------------------------------------------------------------------------------


def main(host: str, port: int) -> None:
    with Wire(host, port) as wire:
        wire.ask(CreateTopicsRequest([CreatableTopic(TOPIC, 2 * len(INSTANCES), 1)]))
    for instance in INSTANCES:
        start_thread(lambda instance=instance: run_classic_member(f"{host}:{port}", instance))
        start_thread(lambda instance=instance: run_consumer_member(f"{host}:{port}", instance))
    pulse, standstills = Pulse(host, port), Standstills()
    before = wait_for_members(host, port)
    print("ready", flush=True)
    for line in sys.stdin:
        if line == "begin\n":
            before = wait_for_members(host, port)
            pulse.begin()
            standstills.longest_s = 0.0
            print("ok", flush=True)
        else:
            latencies_ms = sorted(pulse.end())
            now = stable_members(host, port)
            lost = [
                f"{instance}: {before[instance]} -> {now.get(instance)}"
                for instance in before
                if now.get(instance) != before[instance]
            ]
            p99_ms = latencies_ms[len(latencies_ms) * 99 // 100]
            found = Measurement(len(latencies_ms), p99_ms, latencies_ms[-1], standstills.longest_s, lost + pulse.errors)
            print(json.dumps(asdict(found)), flush=True)


def start_thread(run: Callable[[], None]) -> None:
    threading.Thread(target=run, daemon=True).start()


def run_classic_member(address: str, instance: str) -> None:
    consumer = Librdkafka(
        {
            "bootstrap.servers": address,
            "group.id": CLASSIC,
            "group.instance.id": instance,
            "session.timeout.ms": SESSION_TIMEOUT_MS,
            "heartbeat.interval.ms": HEARTBEAT_INTERVAL_MS,
            "log_level": 0,
        }
    )
    consumer.subscribe([TOPIC])
    while True:
        consumer.poll(0.5)


def run_consumer_member(address: str, instance: str) -> None:
    settings = {"bootstrap.servers": address, "group.id": CONSUMER, "group.protocol": "consumer"}
    consumer = Consumer(settings | {"group.instance.id": instance})
    consumer.subscribe([TOPIC])
    while True:
        consumer.poll(0.5)


def wait_for_members(host: str, port: int) -> dict[str, Any]:
    """Return the members once all have joined and their groups are stable."""
    give_up_at = time.monotonic() + PATIENCE_S
    while len(found := stable_members(host, port)) < 2 * len(INSTANCES):
        assert time.monotonic() < give_up_at, f"only these members have joined: {found}"
        time.sleep(0.1)
    return found


def stable_members(host: str, port: int) -> dict[str, Any]:
    """Return ids and epochs of the members of stable groups. A removed member returns with another id or epoch."""
    with Wire(host, port) as wire:  # a new connection: the broker closes those that are idle during a long attack
        (classic,) = wire.ask(DescribeGroupsRequest([CLASSIC])).groups
        (consumer,) = wire.ask(ConsumerGroupDescribeRequest([CONSUMER])).groups
    found: dict[str, Any] = {}
    if classic.group_state == "Stable":
        found |= {f"librdkafka {each.group_instance_id}": each.member_id for each in classic.members}
    if consumer.group_state == "Stable":
        found |= {f"tenure.client {each.instance_id}": [each.member_id, each.member_epoch] for each in consumer.members}
    return found


class Pulse:
    """Static classic member with timed heartbeats.

    A heartbeat is due every 50 ms. Its latency is counted from that time, even if the previous one has no response yet.
    So a stall of the broker appears in all heartbeats that were due during the stall.
    """

    def __init__(self, host: str, port: int) -> None:
        self.errors: list[str] = []
        self._latencies_ms: list[float] = []
        self._asked_at = 0.0
        self._wire = Wire(host, port)
        self._heartbeat = self._join()
        start_thread(self._run)

    def begin(self) -> None:
        self.errors.clear()
        self._latencies_ms = []

    def end(self) -> list[float]:
        """Return the latencies so far, with that of the heartbeat that waits for its answer now."""
        now = time.perf_counter()
        while self._asked_at <= now and not self.errors:
            time.sleep(PULSE_S)
        return self._latencies_ms[:] or [float("inf")]

    def _join(self) -> HeartbeatRequest:
        instance, protocols = InstanceId("instance-1"), [JoinGroupRequestProtocol("range", b"")]
        join = JoinGroupRequest(RAW, SESSION_TIMEOUT_MS, 60_000, MemberId(""), instance, "consumer", protocols)
        joined = self._wire.ask(join)
        own = RAW, joined.generation_id, joined.member_id, instance
        assignments = [SyncGroupRequestAssignment(joined.member_id, b"")]
        assert self._wire.ask(SyncGroupRequest(*own, "consumer", "range", assignments)).error_code == 0
        return HeartbeatRequest(*own)

    def _run(self) -> None:
        due_at = time.perf_counter()
        try:
            while True:
                due_at += PULSE_S
                pause_s = due_at - time.perf_counter()
                if pause_s > 0:
                    time.sleep(pause_s)
                    due_at = max(due_at, time.perf_counter())  # do not count a late wake-up of this thread
                self._asked_at = due_at
                error_code = self._wire.ask(self._heartbeat).error_code
                self._latencies_ms.append((time.perf_counter() - due_at) * 1_000)
                if error_code:
                    self.errors.append(f"raw heartbeat: error {error_code}")
                    self._heartbeat = self._join()
        except (OSError, AssertionError) as error:
            self.errors.append(f"raw heartbeat: {error!r}")


class Standstills:
    """Longest time for which this process did not run, because it was suspended or the machine was busy."""

    def __init__(self) -> None:
        self.longest_s = 0.0
        start_thread(self._run)

    def _run(self) -> None:
        while True:
            slept_at = time.monotonic()
            time.sleep(STANDSTILL_LOOK_S)
            self.longest_s = max(self.longest_s, time.monotonic() - slept_at - STANDSTILL_LOOK_S)


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]))
