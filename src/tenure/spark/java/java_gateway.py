"""Java process of a driver.

The start of Java and the imports of the driver take about a second each, so Java can start during the imports. PySpark
starts Java in the same way, but only when it creates a context. PySpark then checks ten times a second whether Java has
answered.
"""

import os
import signal
import subprocess
import tempfile
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from tenure.limits.spark import GATEWAY_LOOK_S

if TYPE_CHECKING:
    from py4j.java_gateway import JavaGateway

PORT_VARIABLE: Final = "PYSPARK_GATEWAY_PORT"
SECRET_VARIABLE: Final = "PYSPARK_GATEWAY_SECRET"
"""Environment variables in which `spark-submit` tells a driver how to reach Java, and with which PySpark connects."""

WORKER_VARIABLE: Final = "PYTHONPATH"
"""Environment variable that may differ between this process and a Java process that was started early.

The import of the pipeline's module may change it. That is no problem, because Spark sends it to workers with each job.
"""

LAUNCHER_OPTIONS: Final = "SPARK_LAUNCHER_OPTS"
"""Environment variable with the options of the first Java process, which composes the command of the second one."""

QUICK_LAUNCHER: Final = "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC"
"""Options that shorten the start of a Java process with little work."""

STDERR: Final = 2


class JavaEnded(Exception):
    """The Java process ended before it could be used; it has printed the reason."""

    def __str__(self) -> str:
        return "it ended early"


class JavaProcess:
    """Java process that waits for a driver. It ends when its standard input ends, so it never outlives the driver."""

    def __init__(self, settings: Mapping[str, str], *, is_early: bool = False) -> None:
        """Start Java with these settings of Spark, without waiting for it.

        Args:
            settings: Settings of Spark.
            is_early: True if Java starts before the driver has made all its checks. Java's messages are then held back
                until `connect`, so that a failed check prints only its own error.
        """
        from pyspark.find_spark_home import _find_spark_home

        self.settings: Final = dict(settings)
        self.environment: Final = environment_of_java()
        self._directory: Final = tempfile.TemporaryDirectory(prefix="tenure-java-")
        self._answer: Final = Path(self._directory.name, "connection")
        home = _find_spark_home()
        given = [part for key, value in settings.items() for part in ("--conf", f"{key}={value}")]
        more = {
            "SPARK_CONNECT_MODE": "0",
            "_PYSPARK_DRIVER_CONN_INFO_PATH": str(self._answer),
            "SPARK_HOME": home,  # Otherwise the script starts Python to find it.
        }
        self._process: Final = subprocess.Popen(
            [f"{home}/bin/spark-submit", *given, "pyspark-shell"],
            stdin=subprocess.PIPE,
            stderr=subprocess.PIPE if is_early else None,
            env={LAUNCHER_OPTIONS: QUICK_LAUNCHER} | os.environ | more,
            preexec_fn=ignore_ctrl_c,  # PySpark does the same.
        )

    def fits(self, settings: Mapping[str, str]) -> bool:
        """Return whether Java has these settings, and the environment that this process has now."""
        return self.settings == settings and self.environment == environment_of_java()

    def connect(self) -> "JavaGateway":
        """Wait until Java answers, and return the connection. Raises JavaEnded."""
        from pyspark.java_gateway import launch_gateway

        # From now on, `cat` forwards Java's messages. Java would block if no process read them.
        if self._process.stderr is not None:
            subprocess.Popen(["cat"], stdin=self._process.stderr, stdout=STDERR, preexec_fn=ignore_ctrl_c)
            self._process.stderr.close()
        while not self._answer.exists():
            if self._process.poll() is not None:
                self.close()
                raise JavaEnded
            time.sleep(GATEWAY_LOOK_S)
        answer = self._answer.read_bytes()  # Java gives the file this name after writing it, so it is complete.
        self._directory.cleanup()
        os.environ[PORT_VARIABLE] = str(int.from_bytes(answer[:4], "big"))
        os.environ[SECRET_VARIABLE] = answer[8:].decode()
        try:
            gateway: Any = launch_gateway()
        finally:
            del os.environ[PORT_VARIABLE], os.environ[SECRET_VARIABLE]
        gateway.proc = self._process
        return gateway

    def close(self) -> None:
        """End the Java process."""
        with suppress(ProcessLookupError):
            self._process.kill()
        self._process.wait()
        for pipe in (self._process.stdin, self._process.stderr):
            if pipe is not None:
                pipe.close()
        self._directory.cleanup()


@contextmanager
def started_early(settings: Mapping[str, str]) -> Iterator[None]:
    """Start Java before the block, for a session that the block creates. End Java if the block creates no session.

    Do nothing if a Java process that was started early waits already. If that process has other settings than the
    session needs, the session ends it and starts another one.
    """
    if EARLY_PROCESSES:
        yield
        return
    process = JavaProcess(settings, is_early=True)
    EARLY_PROCESSES.append(process)
    try:
        yield
    finally:
        if process in EARLY_PROCESSES:
            EARLY_PROCESSES.remove(process)
            process.close()


EARLY_PROCESSES: Final[list[JavaProcess]] = []
"""Java process that no session uses yet, if there is one."""


def java_process(settings: Mapping[str, str]) -> JavaProcess:
    """Return the Java process that was started early, if its settings fit; else start a new one."""
    if EARLY_PROCESSES:
        early = EARLY_PROCESSES.pop()
        if early.fits(settings):
            return early
        early.close()  # Settings or environment have changed since the start of this Java process.
    return JavaProcess(settings)


def environment_of_java() -> dict[str, str]:
    """Return the environment with which Java would be started now."""
    return {name: value for name, value in os.environ.items() if name != WORKER_VARIABLE}


def ignore_ctrl_c() -> None:
    """Ignore Ctrl-C in the child process that becomes Java, because the driver ends Java."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
