"""Apache Kafka, run from its published jars: oracle tests and benchmarks compare Tenure with it.

The jars are fetched once with Maven into a cache directory. A broker is one child process (KRaft, broker and
controller in one) with its data in a directory of the caller; it is stopped when its `with` block ends.

Version 4.4.0 is the reference. `TENURE_KAFKA_VERSION=4.3.1` runs another one. Tests then leave out the APIs, versions
and keys that 4.4 added (`tests/kafka_versions.py`), and expect the differences of `tests/oracle/differences_of_4_3.py`.

Without Maven or Java, the tests that need them skip and say so. In CI (`CI=true`) they fail instead, so that the
comparison with Apache Kafka cannot stop unnoticed.
"""

from __future__ import annotations

import base64
import contextlib
import fcntl
import hashlib
import os
import random
import shutil
import socket
import struct
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Final
from uuid import uuid4

VERSION: Final = os.environ.get("TENURE_KAFKA_VERSION", "4.4.0")
START_TIMEOUT_S: Final = 180.0
STOP_TIMEOUT_S: Final = 60.0
MAVEN_TIMEOUT_S: Final = 600.0

ROOT: Final = Path(__file__).resolve().parent.parent
POM: Final = ROOT / "tests" / "oracle" / "pom.xml"

PORTS: Final = range(20_000, 32_000)
NODE_ID: Final = "1"

QUICK_JVM: Final = ("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC")
"""Java options for short runs: quick compilation; measured processes use Java's defaults."""

SILENT: Final = ("-Xshare:auto", "-Xlog:cds=off", "-Xlog:cds+dynamic=off")
"""Options that keep messages about the class archive from standard output."""

FEW_NO_OP_RECORDS: Final = {"metadata.max.idle.interval.ms": "10000"}
"""Setting of a broker that is not measured. By default its controller writes a NoOpRecord twice a second, which takes
half of the processor time of an idle broker."""

API_VERSIONS_V0: Final = struct.pack(">ihhih", 10, 18, 0, 1, -1)
"""Request to which any broker answers: size, ApiVersions (18) v0, correlation id 1, no client id."""


class Unavailable(Exception):
    """Apache Kafka cannot run on this machine; the text says what is missing."""


def library() -> Path:
    """Return the directory of the jars, filled on first use; `TENURE_KAFKA_LIB` names another one."""
    given = os.environ.get("TENURE_KAFKA_LIB")
    broker = f"kafka_2.13-{VERSION}.jar"
    if not given:
        return jars_of(f"kafka-{VERSION}", POM, broker, prepare_starts)
    if not (Path(given) / broker).exists():
        raise Unavailable(f"TENURE_KAFKA_LIB is {given}, which does not hold {broker}")
    return Path(given)


def jars_of(name: str, pom: Path, newest: str, then: Callable[[Path], None] = lambda _: None) -> Path:
    """Return the directory of the jars that a pom names. The first use fills it, and calls `then` with it.

    The jar `newest` shows that the directory is filled.
    """
    directory = ROOT / ".work" / name
    if (directory / newest).exists():
        return directory
    directory.parent.mkdir(exist_ok=True)
    with directory.with_name(f"{directory.name}.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)  # one Maven at a time: two would fill one repository
        if not (directory / newest).exists():
            fetch(directory, pom)
            then(directory)
    return directory


def fetch(directory: Path, pom: Path) -> None:
    """Fill `directory` in one step, so that an interrupted run leaves no incomplete library."""
    maven = program("mvn")
    partial = directory.with_name(f"{directory.name}.{os.getpid()}")
    goal = ["dependency:copy-dependencies", f"-Dkafka.version={VERSION}", f"-DoutputDirectory={partial}"]
    command = [maven, "-q", "-B", "-f", str(pom), *goal]
    done = subprocess.run(command, capture_output=True, text=True, timeout=MAVEN_TIMEOUT_S, check=False)
    if done.returncode != 0:
        shutil.rmtree(partial, ignore_errors=True)
        raise Unavailable(f"Maven could not fetch the jars of {pom}: {(done.stdout or done.stderr).strip()[-500:]}")
    partial.rename(directory)


def prepare_starts(directory: Path) -> None:
    """Format a data directory and archive the Java classes, so that no later start has to do it."""
    format_template(directory)
    archive_classes(directory)


def formatted_template(directory: Path) -> Path:
    return directory.with_name(f"{directory.name}.formatted")


def format_template(directory: Path) -> None:
    """Format a data directory with the default features, which later brokers copy."""
    with tempfile.TemporaryDirectory(dir=directory.parent) as scratch:
        properties, draft = Path(scratch, "server.properties"), Path(scratch, "draft")
        write_properties(properties, server_properties("127.0.0.1", 1, 2, draft))
        format_with_tool(properties, ())
        shutil.rmtree(formatted_template(directory), ignore_errors=True)
        draft.rename(formatted_template(directory))


def format_with_tool(properties: Path, features: Sequence[str]) -> None:
    levels = [word for feature in features for word in ("--feature", feature)]
    java("kafka.tools.StorageTool", "format", "-t", new_id(), "-c", str(properties), *levels)


def format_storage(properties: Path, log_directory: Path, features: Sequence[str]) -> None:
    """Format a data directory. With default features, copy a formatted one: Kafka's tool takes half a second."""
    formatted = formatted_template(library())
    if features or not formatted.is_dir():
        format_with_tool(properties, features)
        return
    shutil.copytree(formatted, log_directory)
    ids = {"version": "1", "node.id": NODE_ID, "cluster.id": new_id(), "directory.id": new_id()}
    write_properties(log_directory / "meta.properties", ids)


def new_id() -> str:
    """Return a random UUID as Kafka writes it, without hyphens: tools would take a leading one for an option."""
    return base64.urlsafe_b64encode(uuid4().bytes).decode().rstrip("=").replace("-", "_")


def write_properties(path: Path, properties: Mapping[str, str]) -> None:
    path.write_text("".join(f"{key}={value}\n" for key, value in properties.items()))


def class_archive(directory: Path) -> Path:
    return directory.with_name(f"{directory.name}.jsa")


def archive_classes(directory: Path) -> None:
    """Start a broker once and archive its Java classes; later starts need half the processor time."""
    archive = class_archive(directory)
    with tempfile.TemporaryDirectory(dir=directory.parent) as scratch:
        draft = Path(scratch, "draft.jsa")
        with apache_kafka(Path(scratch, "kafka"), options=(*QUICK_JVM, *SILENT, f"-XX:ArchiveClassesAtExit={draft}")):
            pass
        draft.replace(archive)


def quick_jvm() -> tuple[str, ...]:
    """Return the options of a Java process that is not measured."""
    archive = class_archive(library())
    return (*QUICK_JVM, *SILENT, f"-XX:SharedArchiveFile={archive}") if archive.is_file() else QUICK_JVM


def program(name: str) -> str:
    found = shutil.which(name)
    if found is None:
        raise Unavailable(f"Apache Kafka needs `{name}`, which is not on the PATH")
    return found


def java(
    main: str,
    *arguments: str,
    heap: str = "256M",
    options: Sequence[str] | None = None,
    timeout_s: float = START_TIMEOUT_S,
) -> str:
    """Run one of Kafka's command-line tools; return its standard output."""
    command = jvm(heap, main, arguments, quick_jvm() if options is None else options)
    done = subprocess.run(command, capture_output=True, text=True, timeout=timeout_s, check=False)
    if done.returncode != 0:
        raise RuntimeError(f"{main} ended with status {done.returncode}: {done.stderr or done.stdout}")
    return done.stdout


def jvm(heap: str, main: str, arguments: Sequence[str], options: Sequence[str] = ()) -> list[str]:
    return [program("java"), *options, f"-Xmx{heap}", "-cp", str(library() / "*"), main, *arguments]


def javac(source: Path, directory: Path) -> None:
    """Compile a Java program of this repository, with those of its directory that it uses, against Kafka's jars."""
    quick = [f"-J{option}" for option in QUICK_JVM]
    places = ["-cp", str(library() / "*"), "-sourcepath", str(source.parent), "-d", str(directory)]
    command = [program("javac"), *quick, "-nowarn", *places, str(source)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=START_TIMEOUT_S, check=False)
    if done.returncode != 0:
        raise RuntimeError(f"{source.name} does not compile: {done.stderr}")


def classes_of(source: Path) -> Path:
    """Return the directory with the classes of a Java program of this repository; compile it only after a change."""
    sources = b"".join(path.read_bytes() for path in sorted(source.parent.glob("*.java")))
    compiled = ROOT / ".work" / f"kafka-{VERSION}.classes" / f"{source.stem}-{hashlib.sha256(sources).hexdigest()}"
    if not compiled.is_dir():
        compiled.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=compiled.parent) as scratch:
            draft = Path(scratch, "classes")
            javac(source, draft)
            with contextlib.suppress(OSError):  # Another process has compiled it meanwhile.
                draft.rename(compiled)
    return compiled


class ApacheKafka:
    """A running broker.

    `address` is its plaintext listener, `log_directory` the directory of its partitions. `secured` has the addresses of
    its other listeners, by security protocol.

    `ready_s` is the time from exec until it answered.
    """

    def __init__(self, options: Sequence[str], heap: str, host: str, port: int, log_directory: Path) -> None:
        self.options = options
        self.process = launch(log_directory.parent, heap, options)
        self.host = host
        self.port = port
        self.log_directory = log_directory
        self.ready_s = 0.0
        self.secured: dict[str, str] = {}

    @property
    def address(self) -> str:
        return f"{self.host}:{self.port}"

    def restart(self, settings: Mapping[str, str], heap: str = "1G") -> None:
        """Stop cleanly and start again on the same data and ports; `settings` are added to the earlier ones."""
        self.stop()
        directory = self.log_directory.parent
        with (directory / "server.properties").open("a") as properties:
            properties.write("".join(f"{key}={value}\n" for key, value in settings.items()))
        self.process = launch(directory, heap, self.options)
        wait_until_kafka_answers(self, directory / "output.txt")

    def stop(self) -> None:
        """Stop the broker, by force after a timeout, so that no process remains."""
        if self.process.poll() is None:
            self.process.terminate()
            try:
                self.process.wait(STOP_TIMEOUT_S)
            except subprocess.TimeoutExpired:
                self.process.kill()
        self.process.wait()


@contextlib.contextmanager
def apache_kafka(
    directory: Path,
    *,
    settings: Mapping[str, str] | None = None,
    secured: Sequence[str] = (),
    features: Sequence[str] = (),
    heap: str = "1G",
    options: Sequence[str] | None = None,
) -> Iterator[ApacheKafka]:
    """Start a broker with its data under `directory`, on free ports of the loopback; stop it when the block ends.

    `secured` names the security protocols of further listeners; `settings` have their certificates and users.
    `features` lists the features that are not at their newest level, as `name=level`. `options` are Java's; the default
    suits a broker that runs briefly and is not measured.
    """
    host = "127.0.0.1"
    port, controller_port, *secured_ports = free_ports(host, 2 + len(secured))
    directory.mkdir(parents=True, exist_ok=True)
    properties = directory / "server.properties"
    log_directory = directory / "data"
    lines = server_properties(host, port, controller_port, log_directory)
    for protocol, its_port in zip(secured, secured_ports, strict=True):
        lines["listeners"] += f",{protocol}://{host}:{its_port}"
        lines["advertised.listeners"] += f",{protocol}://{host}:{its_port}"
        lines["listener.security.protocol.map"] += f",{protocol}:{protocol}"
    lines |= FEW_NO_OP_RECORDS if options is None else {}
    lines |= settings or {}
    write_properties(properties, lines)
    format_storage(properties, log_directory, features)
    started = time.perf_counter()
    broker = ApacheKafka(quick_jvm() if options is None else options, heap, host, port, log_directory)
    broker.secured = {protocol: f"{host}:{port}" for protocol, port in zip(secured, secured_ports, strict=True)}
    try:
        wait_until_kafka_answers(broker, directory / "output.txt")
        broker.ready_s = time.perf_counter() - started
        yield broker
    finally:
        broker.stop()


def launch(directory: Path, heap: str, options: Sequence[str]) -> subprocess.Popen[bytes]:
    """Start a broker with the `server.properties` in this directory; it writes its output to `output.txt` there."""
    command = jvm(heap, "kafka.Kafka", [str(directory / "server.properties")], options)
    with (directory / "output.txt").open("ab") as output:
        return subprocess.Popen(command, stdout=output, stderr=subprocess.STDOUT, cwd=directory)


def server_properties(host: str, port: int, controller_port: int, log_directory: Path) -> dict[str, str]:
    return {
        "process.roles": "broker,controller",
        "node.id": NODE_ID,
        "controller.quorum.voters": f"{NODE_ID}@{host}:{controller_port}",
        "listeners": f"PLAINTEXT://{host}:{port},CONTROLLER://{host}:{controller_port}",
        "advertised.listeners": f"PLAINTEXT://{host}:{port}",
        "controller.listener.names": "CONTROLLER",
        "listener.security.protocol.map": "PLAINTEXT:PLAINTEXT,CONTROLLER:PLAINTEXT",
        "log.dirs": str(log_directory),
        "offsets.topic.replication.factor": "1",
        "offsets.topic.num.partitions": "1",
        "transaction.state.log.replication.factor": "1",
        "transaction.state.log.min.isr": "1",
        "share.coordinator.state.topic.replication.factor": "1",
        "share.coordinator.state.topic.min.isr": "1",
        "group.initial.rebalance.delay.ms": "0",
    }


def free_ports(host: str, count: int) -> list[int]:
    """Return free ports outside of the system's ephemeral range, so that no client gets one before Kafka binds it.

    Test runs with adjacent process ids choose from disjoint ports.
    """
    ports: list[int] = []
    own = PORTS[os.getpid() % 100 :: 100]
    with contextlib.ExitStack() as held:
        for port in random.SystemRandom().sample(own, len(own)):
            with contextlib.suppress(OSError):
                held.enter_context(socket.socket()).bind((host, port))
                ports.append(port)
            if len(ports) == count:
                return ports
    raise RuntimeError(f"{count} ports between {own.start} and {own.stop} are not free on {host}")


def wait_until_kafka_answers(broker: ApacheKafka, output: Path) -> None:
    deadline = time.monotonic() + START_TIMEOUT_S
    while not is_answering(broker.host, broker.port):
        if broker.process.poll() is not None:
            raise RuntimeError(f"Apache Kafka ended with status {broker.process.returncode}: {output.read_text()}")
        if time.monotonic() > deadline:
            raise RuntimeError(f"Apache Kafka did not answer within {START_TIMEOUT_S:.0f} s: {output.read_text()}")
        time.sleep(0.02)


def is_answering(host: str, port: int) -> bool:
    """Return whether a broker at this address answers an ApiVersions request."""
    try:
        with socket.create_connection((host, port), timeout=5.0) as connection:
            connection.sendall(API_VERSIONS_V0)
            return len(connection.recv(4)) > 0
    except OSError:
        return False
