"""Spark cluster on this host: master and workers of the standalone mode, each worker at a loopback address of its own.

Applications are started by `spark-submit`. Everything is a child process that ends with its `with` block; output goes
to files in one directory.
"""

import os
import re
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path

import psutil

from tenure.spark.java.class_archive import class_sharing
from tenure.spark.java.java_runtime import java_home
from tenure.spark.spark_session import QUICK_JVM
from tests.spark.patience import QUICK_PYTHON

ROOT = Path(__file__).parents[3]
START_TIMEOUT_S = 120.0
SUBMIT_TIMEOUT_S = 400.0

EXECUTOR = "org.apache.spark.executor.CoarseGrainedExecutorBackend"
UNSHARED = ("unshare", "--mount", "sh", "-c", 'mount -t tmpfs none "$0" && exec "$@"')
"""Command that runs another one with an empty file system at a directory, its first argument."""


class Cluster:
    def __init__(self, url: str, environment: Mapping[str, str], workers: "Sequence[subprocess.Popen[bytes]]") -> None:
        self.url = url
        self.environment = environment
        self.workers = workers

    def executors(self) -> list[psutil.Process]:
        """Return the Java processes that run tasks."""
        found = [child for worker in self.workers for child in psutil.Process(worker.pid).children(recursive=True)]
        return [child for child in found if EXECUTOR in command_of(child)]

    def submit(self, *command: str) -> "subprocess.CompletedProcess[str]":
        """Run `spark-submit` with a Python program to its end; standard output contains all of its output."""
        return subprocess.run(
            [spark_home() / "bin" / "spark-submit", "--master", self.url, *options(), *command],
            env=self.environment,
            cwd=ROOT,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            timeout=SUBMIT_TIMEOUT_S,
            check=False,
        )


def spark_home() -> Path:
    import pyspark

    return Path(pyspark.__file__).parent


def java_options() -> str:
    """Return options of a local session with which all Java processes of a cluster share a class archive."""
    return f"{QUICK_JVM} {class_sharing(java_home())}".rstrip()


def options() -> list[str]:
    configured = {
        "spark.driver.host": "127.0.0.1",
        "spark.driver.bindAddress": "127.0.0.1",
        "spark.executor.memory": "512m",
        "spark.driver.extraJavaOptions": java_options(),
        "spark.executor.extraJavaOptions": java_options(),
        "spark.ui.enabled": "false",
        "spark.sql.session.timeZone": "UTC",
    }
    return [part for key, value in configured.items() for part in ("--conf", f"{key}={value}")]


@contextmanager
def cluster(
    directory: Path, workers: int, environment: Mapping[str, str], hidden: Path | None = None
) -> Iterator[Cluster]:
    """Start a cluster. Drivers and executors get `environment`.

    The last worker has another file system at the directory `hidden`, as a host has that did not mount the shared one.
    That needs root.
    """
    settings = os.environ | {
        "JAVA_HOME": str(java_home()),
        "SPARK_HOME": str(spark_home()),
        "PYSPARK_PYTHON": sys.executable,
        "PYTHONPATH": os.pathsep.join([str(ROOT), str(ROOT / "src"), QUICK_PYTHON]),
        "SPARK_WORKER_DIR": str(directory),
        "SPARK_DAEMON_MEMORY": "256m",
        "SPARK_DAEMON_JAVA_OPTS": java_options(),
        "SPARK_LAUNCHER_OPTS": QUICK_JVM,
        "SPARK_LOCAL_IP": "127.0.0.1",
        **environment,
    }
    with ExitStack() as stack:
        master = stack.enter_context(
            daemon("master.Master", directory / "master", settings, "--host", "127.0.0.1", "--port", "0")
        )
        started = []
        url = wait_for_output(directory / "master", r"Starting Spark master at (spark://\S+)", master)
        for number in range(1, workers + 1):
            host = f"127.0.0.{number}"
            log = directory / f"worker-{number}"
            arguments = ("--host", host, "--cores", "1", "--memory", "1g", url)
            apart = () if hidden is None or number < workers else (*UNSHARED, str(hidden))
            worker = stack.enter_context(daemon("worker.Worker", log, settings, *arguments, prefix=apart))
            wait_for_output(log, r"(Successfully registered with master)", worker)
            started.append(worker)
        yield Cluster(url, settings, started)


@contextmanager
def daemon(
    name: str, log: Path, environment: Mapping[str, str], *arguments: str, prefix: Sequence[str] = ()
) -> Iterator["subprocess.Popen[bytes]"]:
    """Start a master or worker; `spark-class` becomes Java by exec, and executors end with their worker."""
    web = ("--webui-port", "0")
    command = [*prefix, spark_home() / "bin" / "spark-class", f"org.apache.spark.deploy.{name}", *web, *arguments]
    with log.open("wb") as output:
        process = subprocess.Popen(command, env=environment, stdout=output, stderr=subprocess.STDOUT)
    try:
        yield process
    finally:
        process.terminate()
        try:
            process.wait(30)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


def wait_for_output(log: Path, pattern: str, process: "subprocess.Popen[bytes]") -> str:
    deadline = time.monotonic() + START_TIMEOUT_S
    while not (found := re.search(pattern, log.read_text(errors="replace"))):
        assert process.poll() is None, f"{log.name} ended: {log.read_text(errors='replace')}"
        assert time.monotonic() < deadline, f"{log.name} did not say {pattern}: {log.read_text(errors='replace')}"
        time.sleep(0.05)
    return found[1]


def command_of(process: psutil.Process) -> str:
    """Return the command line; empty if the process has ended."""
    with suppress(psutil.NoSuchProcess):
        return " ".join(process.cmdline())
    return ""
