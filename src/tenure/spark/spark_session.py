"""A local Spark session fit for short batches, one as `spark-submit` wants it, or the caller's own.

Spark's defaults are made for long jobs over many hosts. A pipeline runs a job every few hundred milliseconds, whose
work happens in Python: so the web interface is off unless asked for, everything binds to loopback, jobs of several
members share the cores fairly, and the virtual machine compiles quickly rather than deeply.
"""

import logging
import os
import signal
import sys
import threading
import warnings
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, Final

from tenure.limits import WORKER_KEEPS_BYTES, WORKER_KEEPS_MS, WORKER_PIECE_BYTES_MAX
from tenure.spark.errors import SparkSetupError
from tenure.spark.java.class_archive import class_sharing
from tenure.spark.java.java_runtime import java_home
from tenure.spark.workers.warm_up import begin_warm_up

if TYPE_CHECKING:
    from pyspark import SparkConf
    from pyspark.sql import SparkSession

PYSPARK_VERSION_MIN: Final = (4, 2)

JVM_OPTIONS: Final = "spark.driver.extraJavaOptions"

QUICK_JVM: Final = "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC -Xss4m"

SHORT_BATCHES: Final = {
    # Over TCP every task waits 40 ms for a delayed acknowledgement between the machine and its Python worker.
    "spark.python.unix.domain.socket.enabled": "true",
    "spark.scheduler.mode": "FAIR",
    "spark.sql.session.timeZone": "UTC",
    "spark.sql.execution.arrow.pyspark.enabled": "true",
    "spark.ui.showConsoleProgress": "false",
    # What ends a job is raised here, in one sentence; Spark would print some hundred lines more.
    "spark.log.level": "FATAL",
}
"""Wherever Spark runs, unless somebody says otherwise."""

WORKER_ALLOCATORS: Final = {
    "MALLOC_ARENA_MAX": "1",
    "MALLOC_MMAP_THRESHOLD_": str(WORKER_PIECE_BYTES_MAX),
    "MALLOC_TRIM_THRESHOLD_": str(WORKER_KEEPS_BYTES),
    "MIMALLOC_PURGE_DELAY": str(WORKER_KEEPS_MS),
    "MIMALLOC_ALLOW_LARGE_OS_PAGES": "1",
}
"""What glibc's and Arrow's allocators read where a worker starts. By themselves they give memory back after an answer.
What is fresh from the system has to be cleared page by page, which costs more than to copy records there: so it is kept
for a while, and what records need beyond that comes in large pages, of which there are fewer."""

SETTINGS: Final = SHORT_BATCHES | {
    "spark.driver.bindAddress": "127.0.0.1",
    "spark.driver.host": "127.0.0.1",
    "spark.driver.memory": "1g",
    "spark.python.daemon.module": "tenure.spark.workers.daemon",
    "spark.sql.shuffle.partitions": "2",
}


def worker_allocator_settings() -> dict[str, str]:
    """Except where somebody has said otherwise: Spark puts it over what workers inherit."""
    found = {name: os.environ.get(name, value) for name, value in WORKER_ALLOCATORS.items()}
    return {f"spark.executorEnv.{name}": value for name, value in found.items()}


def require_pyspark() -> None:
    try:
        from pyspark import __version__ as version
    except ImportError:
        raise SparkSetupError(
            "pipelines need pyspark, which is not installed: run `pip install 'tenure[spark]'`, or in a clone of the"
            " repository `pip install -e '.[spark]'`"
        ) from None
    if tuple(int(part) for part in version.split(".")[:2]) < PYSPARK_VERSION_MIN:
        raise SparkSetupError(
            f"pipelines need pyspark 4.2 or later, but {version} is installed: run `pip install -U pyspark`"
        )


SUBMITTED: Final = "PYSPARK_GATEWAY_PORT"
"""In the environment of a driver that `spark-submit` has started: it has said where and how Spark runs."""


def new_session(name: str, *, ui: bool = False) -> "SparkSession":
    """As `spark-submit` says, or else a local one."""
    require_pyspark()
    if SUBMITTED not in os.environ:
        return local_session(name, ui=ui)
    from pyspark import SparkConf, SparkContext

    with preserve_ctrl_c():
        SparkContext._ensure_initialized()  # From then on a SparkConf knows what spark-submit was told.
        said = SparkConf()
        for key, value in SHORT_BATCHES.items():
            said.setIfMissing(key, value)
        session = session_with_warm_up(said.setAppName(name))
    silence_gateway_errors(session)
    return session


def local_session(name: str, *, cores: int | None = None, ui: bool = False) -> "SparkSession":
    """Starts Spark in this process. `cores` defaults to all of the machine; raises `SparkSetupError`."""
    require_pyspark()
    home = java_home()
    os.environ["JAVA_HOME"] = str(home)
    # Without this, workers run whatever `python3` comes first on the PATH.
    os.environ["PYSPARK_PYTHON"] = os.environ["PYSPARK_DRIVER_PYTHON"] = sys.executable
    # Functions of the user's own modules are pickled by name: workers look for them where this process does.
    os.environ["PYTHONPATH"] = os.pathsep.join(os.path.abspath(place) for place in sys.path)
    os.environ.setdefault("SPARK_LOCAL_IP", "127.0.0.1")
    from pyspark import SparkConf
    from pyspark.errors import PySparkRuntimeError

    said = SparkConf().setAppName(name).setMaster(f"local[{cores or '*'}]")
    said.setAll((SETTINGS | worker_allocator_settings() | {"spark.ui.enabled": str(ui).lower()}).items())
    said.set(JVM_OPTIONS, f"{QUICK_JVM} {class_sharing(home)}".rstrip())
    try:
        with preserve_ctrl_c():
            session = session_with_warm_up(said)
    except PySparkRuntimeError as error:
        raise SparkSetupError(
            f"Spark did not start with the Java runtime in {os.environ['JAVA_HOME']} ({error.getCondition()}): "
            "see its messages above, or try another Java 17 or 21"
        ) from error
    silence_gateway_errors(session)
    return session


def session_with_warm_up(said: "SparkConf") -> "SparkSession":
    """Python's workers start while Spark makes a session of its context, which takes as long again."""
    from pyspark import SparkContext
    from pyspark.sql import SparkSession

    begin_warm_up(SparkContext.getOrCreate(said))
    session: SparkSession = SparkSession.builder.config(conf=said).getOrCreate()
    return session


@contextmanager
def preserve_ctrl_c() -> Iterator[None]:
    """PySpark takes Ctrl-C for itself when it starts, to cancel all jobs: it stays with whoever has it, so that a
    batch may end before the application does."""
    before = signal.getsignal(signal.SIGINT)
    yield
    if before is not None and threading.current_thread() is threading.main_thread():
        signal.signal(signal.SIGINT, before)


def silence_gateway_errors(spark: "SparkSession") -> None:
    """PySpark's server for accumulators, and py4j on the root logger, print tracebacks when the Java process goes away;
    whoever runs a job learns of that in a sentence."""
    logging.getLogger().addFilter(is_not_from_gateway)
    server = spark.sparkContext._accumulatorServer
    tell = server.handle_error

    def handle_error(request: object, client: object) -> None:
        if not isinstance(sys.exc_info()[1], EOFError | OSError):
            tell(request, client)

    server.handle_error = handle_error


def is_not_from_gateway(record: logging.LogRecord) -> bool:
    return record.module != "java_gateway"


def active_session() -> "SparkSession | None":
    """The session that the caller already runs, as in a notebook: used, and left running."""
    if "pyspark" not in sys.modules:
        return None
    from pyspark.sql import SparkSession

    session: SparkSession | None = SparkSession.getActiveSession()
    return session


def refuse_spark_connect(spark: "SparkSession") -> None:
    """Raises `SparkSetupError` for a client of Spark Connect, which cannot cancel, name or listen to jobs as a driver
    can (`docs/decisions/0014`)."""
    if type(spark).__module__.startswith("pyspark.sql.connect"):
        raise SparkSetupError(
            "a pipeline needs a session in the driver, but this one is a Spark Connect client: start the pipeline with"
            ' spark-submit, or read with format("tenure"), which works over Spark Connect'
        )


def has_ended(spark: "SparkSession") -> bool:
    """Whether the session was stopped, or its Java process is gone."""
    from py4j.protocol import Py4JError

    try:
        return spark.sparkContext._jsc is None or bool(spark.sparkContext._jsc.sc().isStopped())
    except (Py4JError, OSError):
        return True


def stop_session(spark: "SparkSession") -> None:
    """Says nothing where the Java process is gone already, as after a signal to the whole process group."""
    from py4j.protocol import Py4JError

    with warnings.catch_warnings(), suppress(Py4JError, OSError):
        warnings.simplefilter("ignore", RuntimeWarning)
        spark.stop()


def enter_job_group(spark: "SparkSession", group: str, pool: str, description: str = "") -> None:
    """Jobs that this thread starts from now on can be cancelled by `group`, and share the cores fairly with those of
    other pools. Spark's web interface shows the description."""
    spark.sparkContext.setLocalProperty("spark.scheduler.pool", pool)
    spark.sparkContext.setJobGroup(group, f"{pool}: {description or group}", interruptOnCancel=True)
