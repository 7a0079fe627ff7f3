"""Kafka's own consumers, admin client and tools in one JVM (`java/JavaClients.java`), controlled by lines of text."""

from __future__ import annotations

import contextlib
import itertools
import json
import subprocess
import threading
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from tests.apache_kafka import VERSION, classes_of, library, program, quick_jvm
from tests.interop.group_of_three import STEP_TIMEOUT_S, GroupOfThree

SOURCE = Path(__file__).with_name("java") / "JavaClients.java"

TOOLS = {
    "groups": "org.apache.kafka.tools.consumer.group.ConsumerGroupCommand",
    "streams-groups": "org.apache.kafka.tools.streams.StreamsGroupCommand",
    "topics": "org.apache.kafka.tools.TopicCommand",
    "configs": "kafka.admin.ConfigCommand" if VERSION.startswith("4.3.") else "org.apache.kafka.tools.ConfigCommand",
    "offsets": "org.apache.kafka.tools.GetOffsetShell",
    "producer": "org.apache.kafka.tools.ConsoleProducer",
    "transactions": "org.apache.kafka.tools.TransactionsCommand",
    "delete-records": "org.apache.kafka.tools.DeleteRecordsCommand",
    "log-dirs": "org.apache.kafka.tools.LogDirsCommand",
    "consumer": "org.apache.kafka.tools.consumer.ConsoleConsumer",
    "dump-log": "org.apache.kafka.tools.DumpLogSegments",
    "storage": "kafka.tools.StorageTool",
}
"""`kafka-consumer-groups` and other tools, by the classes that their scripts start."""


class JavaClients:
    def __init__(self, process: subprocess.Popen[str], address: str, log: Path) -> None:
        self.address = address
        self.log = log
        self.changed = threading.Condition()
        self.members: dict[str, JavaMember] = {}
        self._process = process
        self._numbers = itertools.count(1)
        self._answers: dict[int, dict[str, Any]] = {}
        self._ended = False
        self._reader = threading.Thread(target=self._listen)
        self._reader.start()

    def ask(self, do: str, **what: Any) -> dict[str, Any]:
        number = next(self._numbers)
        assert self._process.stdin is not None
        self._process.stdin.write(json.dumps({"number": number, "do": do} | what) + "\n")
        self._process.stdin.flush()
        with self.changed:
            self.changed.wait_for(lambda: number in self._answers or self._ended, STEP_TIMEOUT_S)
            assert number in self._answers, f"no answer to {do} {what}: {self.log.read_text()}"
            return self._answers.pop(number)

    def tool(self, name: str, *arguments: str, stdin: str = "") -> str:
        """Run one of Kafka's command-line tools on the broker; return its output."""
        return self.run(name, "--bootstrap-server", self.address, *arguments, stdin=stdin)

    def run(self, name: str, *arguments: str, stdin: str = "") -> str:
        """Run one of Kafka's command-line tools; return its output."""
        answer = self.ask("tool", main=TOOLS[name], arguments=arguments, input=stdin)
        assert answer.get("status") == 0, (arguments, answer)
        return str(answer["printed"])

    def rows(self, name: str, *arguments: str) -> list[list[str]]:
        """Return the table that a tool printed, without its headings."""
        lines = [line.split() for line in self.tool(name, *arguments).splitlines() if line.strip()]
        return [line for line in lines if not line[0].isupper()]

    def kill(self) -> None:
        """Kill the JVM (`kill -9`); none of its members leaves. It still has to be closed."""
        self._process.kill()
        self._process.wait()

    def close(self) -> None:
        assert self._process.stdin is not None
        self._process.stdin.close()
        try:
            self._process.wait(15)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        self._reader.join()
        assert self._process.stdout is not None
        self._process.stdout.close()

    def _listen(self) -> None:
        assert self._process.stdout is not None
        for line in self._process.stdout:
            message = json.loads(line)
            with self.changed:
                if "answers" in message:
                    self._answers[message["answers"]] = message
                else:
                    self.members[message["member"]].receive(message)
                self.changed.notify_all()
        with self.changed:
            self._ended = True
            self.changed.notify_all()


class JavaMember:
    """Static member over all of its processes, as `tests.interop.group_of_three.Member`."""

    def __init__(
        self, java: JavaClients, name: str, group: str, topic: str, instance: str, assignor: str, **others: str | None
    ) -> None:
        """`others` are more of Kafka's keys, with underscores; one that is None is not set."""
        self.instance = instance
        self.assigned: list[int] = []
        self.read: set[tuple[int, int]] = set()
        self.read_again: set[tuple[int, int]] = set()
        self.failed: str | None = None
        self.log = java.log
        self._java = java
        self._name = name
        self._topic = topic
        config = {
            "group.id": group,
            "group.instance.id": instance,
            "client.id": name,
            "session.timeout.ms": "30000",
            "heartbeat.interval.ms": "300",
            "partition.assignment.strategy": f"org.apache.kafka.clients.consumer.{assignor}",
        }
        given = {key.replace("_", "."): value for key, value in others.items()}
        self._config = {key: value for key, value in (config | given).items() if value is not None}
        java.members[name] = self
        self.start()

    def start(self) -> None:
        self._java.ask("join", member=self._name, topic=self._topic, config=self._config)

    def stop(self) -> None:
        """Stop; the group keeps the membership of a static member."""
        self._java.ask("close", member=self._name)
        with self._java.changed:
            self.assigned = []

    def receive(self, event: dict[str, Any]) -> None:
        self.assigned = event.get("assigned", self.assigned)
        read = {(partition, offset) for partition, offset in event.get("read", [])}
        self.read_again |= self.read & read
        self.read |= read
        self.failed = event.get("failed", self.failed)
        if "lost" in event or "failed" in event:
            self.assigned = []


@contextlib.contextmanager
def java_clients(address: str, directory: Path) -> Iterator[JavaClients]:
    classes = classes_of(SOURCE)
    jars = str(library() / "*")
    log = directory / "java.txt"
    with log.open("w") as errors:
        process = subprocess.Popen(
            [
                program("java"),
                *quick_jvm(),
                "-Xmx256M",
                "-cp",
                f"{jars}:{classes}",  # The archive of classes needs the jars first.
                "JavaClients",
                address,
            ],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=errors,
            text=True,
        )
    java = JavaClients(process, address, log)
    try:
        yield java
    finally:
        java.close()


@contextlib.contextmanager
def java_group(
    java: JavaClients,
    group: str,
    topic: str,
    assignor: str = "RangeAssignor",
    instances: Sequence[str] = ("1", "2", "3"),
    **others: str | None,
) -> Iterator[GroupOfThree[JavaMember]]:
    members = [
        JavaMember(java, f"{group}-{number}", group, topic, f"instance-{number}", assignor, **others)
        for number in instances
    ]
    try:
        yield GroupOfThree(members, java.changed)
    finally:
        for member in members:
            member.stop()
