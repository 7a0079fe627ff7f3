"""Start of Spark for pipelines: local, on a cluster, or in a driver that `spark-submit` has started.

Spark's defaults suit long jobs on many hosts. A pipeline runs a job every few hundred milliseconds, and most work is
done in Python. So a local session has no web UI by default, binds to loopback, divides the cores fairly among the jobs
of several members, and makes Java compile quickly instead of thoroughly.
"""

import logging
import os
import re
import signal
import sys
import threading
import warnings
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager, suppress
from typing import TYPE_CHECKING, Final

from tenure.limits.spark import WORKER_KEEPS_BYTES, WORKER_KEEPS_MS, WORKER_PIECE_BYTES_MAX
from tenure.pipeline.errors import PipelineConfigError
from tenure.spark.errors import SparkSetupError
from tenure.spark.java.class_archive import class_sharing
from tenure.spark.java.java_gateway import PORT_VARIABLE, JavaEnded, java_process, started_early
from tenure.spark.java.java_runtime import java_home
from tenure.spark.spark_versions import error_condition, require_pyspark
from tenure.spark.workers.warm_up import begin_warm_up

if TYPE_CHECKING:
    from pyspark import SparkConf, SparkContext
    from pyspark.sql import SparkSession

JVM_OPTIONS: Final = "spark.driver.extraJavaOptions"

QUICK_JVM: Final = "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC -Xss4m"

SHORT_BATCHES: Final = {
    # Over TCP instead of a Unix socket, each task would wait 40 ms for a delayed acknowledgement.
    "spark.python.unix.domain.socket.enabled": "true",
    "spark.scheduler.mode": "FAIR",
    "spark.sql.session.timeZone": "UTC",
    "spark.sql.execution.arrow.pyspark.enabled": "true",
    "spark.ui.showConsoleProgress": "false",
    # Tenure raises the error of a job in one sentence. Spark would also log hundreds of lines.
    "spark.log.level": "FATAL",
}
"""Settings for all sessions that Tenure creates, unless the user sets them."""

WORKER_ALLOCATORS: Final = {
    "MALLOC_ARENA_MAX": "1",
    "MALLOC_MMAP_THRESHOLD_": str(WORKER_PIECE_BYTES_MAX),
    "MALLOC_TRIM_THRESHOLD_": str(WORKER_KEEPS_BYTES),
    "MIMALLOC_PURGE_DELAY": str(WORKER_KEEPS_MS),
    "MIMALLOC_ALLOW_LARGE_OS_PAGES": "1",
}
"""Settings of the memory allocators of glibc and Arrow in workers.

By default, the allocators return memory to the system after a batch. For the next batch, the system clears new memory
page by page, which takes longer than copying records into it. With these settings, the allocators keep freed memory for
a while, and request new memory in large pages."""

SETTINGS: Final = SHORT_BATCHES | {
    "spark.driver.bindAddress": "127.0.0.1",
    "spark.driver.host": "127.0.0.1",
    "spark.driver.memory": "1g",
    "spark.python.daemon.module": "tenure.spark.workers.daemon",
    "spark.sql.shuffle.partitions": "2",
}


def worker_allocator_settings() -> dict[str, str]:
    """Return Spark settings that set environment variables of the workers, for their memory allocators.

    A variable that is already set in this process keeps its value.
    """
    found = {name: os.environ.get(name, value) for name, value in WORKER_ALLOCATORS.items()}
    return {f"spark.executorEnv.{name}": value for name, value in found.items()}


SUBMITTED_VARIABLE: Final = PORT_VARIABLE
"""Environment variable of a driver that `spark-submit` has started, with its own settings."""


YARN_VARIABLES: Final = {"HADOOP_CONF_DIR", "YARN_CONF_DIR", "SPARK_CONF_DIR", "SPARK_HOME"}
"""Environment variables with which Spark finds YARN's configuration. At least one has to be set. The first two name
the directory of the configuration; the others name a directory of Spark, whose `spark-env.sh` may set the first two."""


def is_submitted() -> bool:
    """Return whether `spark-submit` has started this driver."""
    return SUBMITTED_VARIABLE in os.environ


def planned_master(master: str | None = None) -> str:
    """Return the master of the context that `new_context` would create.

    Raises:
        PipelineConfigError: Both `master` and `spark-submit` name a master, or YARN's configuration is missing.
        SparkSetupError: pyspark is missing.
    """
    require_pyspark()
    if not is_submitted():
        if master == "yarn" and not YARN_VARIABLES & os.environ.keys():
            raise PipelineConfigError(
                "The master yarn needs the configuration of the cluster: set HADOOP_CONF_DIR to its directory."
            )
        return master or "local[*]"
    if master is not None:
        raise PipelineConfigError(
            "spark-submit has chosen the master: leave out master, or start without spark-submit."
        )
    from pyspark import SparkConf, SparkContext

    with preserve_ctrl_c():
        SparkContext._ensure_initialized()  # After this, a SparkConf has the settings of spark-submit.
    return str(SparkConf().get("spark.master", "local[*]"))


def new_context(
    name: str, *, master: str | None = None, conf: Mapping[str, str] | None = None, ui: bool = False
) -> "SparkContext":
    """Start Spark on the cluster `master`, or on this host without `master`.

    If `spark-submit` has started this driver, its settings determine the master.

    Args:
        name: Name of the application in Spark.
        master: Spark's master; default all cores of this host.
        conf: Spark settings of the user. They replace Tenure's settings and those of the Spark installation.
        ui: Whether to serve Spark's web UI.

    Raises:
        SparkSetupError: pyspark or Java is missing or does not fit, or Spark did not start.
    """
    require_pyspark()
    if is_submitted():
        return configured_context(name, dict(conf or {}))
    if master is None or LOCAL.fullmatch(master):
        return local_context(name, master=master, ui=ui, conf=conf)
    # PySpark starts Spark's launcher without a program. So Spark assumes a shell, and would show progress bars.
    ours = {"spark.master": master, "spark.ui.enabled": str(ui).lower(), "spark.ui.showConsoleProgress": "false"}
    settings = ours | dict(conf or {})
    os.environ["JAVA_HOME"] = str(java_home())
    # By default Spark runs the first `python3` on the PATH of each host.
    os.environ["PYSPARK_PYTHON"] = settings.get("spark.pyspark.python") or os.environ.get(
        "PYSPARK_PYTHON", sys.executable
    )
    return configured_context(name, settings)


LOCAL: Final = re.compile(r"local(\[.+\])?")
"""Masters that run tasks in the driver's Java process."""


def configured_context(name: str, settings: Mapping[str, str]) -> "SparkContext":
    """Start Spark with the settings of its installation.

    Settings of the user take precedence over those of the Spark installation. Tenure's own settings (`SHORT_BATCHES`)
    apply only if neither sets them.
    """
    from py4j.protocol import Py4JError
    from pyspark import SparkConf, SparkContext
    from pyspark.errors import PySparkRuntimeError

    try:
        with preserve_ctrl_c():
            # Only a running Java process can read the defaults of Spark's installation. It starts here, so the next
            # SparkConf contains them.
            SparkContext._ensure_initialized(conf=SparkConf(loadDefaults=False).setAll(list(settings.items())))
            conf = SparkConf().setAll(list(settings.items())).setAppName(name)
            for key, value in SHORT_BATCHES.items():
                conf.setIfMissing(key, value)
            context = context_with_warm_up(conf)
    except (PySparkRuntimeError, Py4JError) as error:
        raise SparkSetupError(
            f"Spark did not start with the master {settings.get('spark.master', 'of spark-submit')}"
            f" ({start_failure(error)}): see its messages above, and check that the master can be reached"
        ) from error
    silence_gateway_errors(context)
    return context


def start_failure(error: Exception) -> str:
    """Return the reason why Spark did not start, in one line: the condition of PySpark's error, or Java's exception."""
    java = getattr(error, "java_exception", None)
    if java is not None:
        text = str(java.toString()).partition("\n")[0]
        return "no answer from the master" if "stopped SparkContext" in text else text
    condition = getattr(error, "getCondition", None) or getattr(error, "getErrorClass", None)
    return str((condition and condition()) or error).partition("\n")[0]


def local_session(
    name: str,
    *,
    cores: int | None = None,
    ui: bool = False,
    master: str | None = None,
    conf: Mapping[str, str] | None = None,
) -> "SparkSession":
    """Start Spark in this process, and create a session.

    Args:
        name: Name of the application in Spark.
        cores: Number of cores; default all of the host.
        ui: Whether to serve Spark's web UI.
        master: Spark's master, instead of `cores`: `local` or `local[N]`.
        conf: Spark settings of the user. They replace Tenure's settings.

    Raises:
        SparkSetupError: pyspark or Java is missing or does not fit.
    """
    return RunningSpark(local_context(name, ui=ui, master=master or f"local[{cores or '*'}]", conf=conf)).session


def local_context(
    name: str, *, ui: bool = False, master: str | None = None, conf: Mapping[str, str] | None = None
) -> "SparkContext":
    """Start Spark in this process, without a session. `local_session` describes arguments and errors."""
    require_pyspark()
    from pyspark import SparkConf, SparkContext
    from pyspark.errors import PySparkRuntimeError

    given = java_settings(conf or {}, ui=ui)
    # Functions of the user's modules are pickled by name: workers need the import path of this process.
    os.environ["PYTHONPATH"] = os.pathsep.join(os.path.abspath(entry) for entry in sys.path)
    settings = SparkConf().setMaster(master or "local[*]").setAppName(name)
    settings.set("spark.executorEnv.PYTHONPATH", os.environ["PYTHONPATH"])
    settings.setAll(list(given.items()))
    try:
        with preserve_ctrl_c():
            if SparkContext._gateway is None:  # Otherwise the Java process of an earlier session is used again.
                SparkContext._ensure_initialized(gateway=java_process(given).connect())
            context = context_with_warm_up(settings)
    except (PySparkRuntimeError, JavaEnded) as error:
        reason = str(error) if isinstance(error, JavaEnded) else error_condition(error)
        raise SparkSetupError(
            f"Spark did not start with the Java runtime in {os.environ['JAVA_HOME']} ({reason}): "
            "see its messages above, or try another Java 17 or 21"
        ) from error
    silence_gateway_errors(context)
    return context


def java_settings(conf: Mapping[str, str], *, ui: bool) -> dict[str, str]:
    """Return the settings of a local session, and set the environment variables that its Java process needs.

    `conf` are the user's settings, which replace Tenure's. `ui` enables Spark's web UI.

    Raises:
        SparkSetupError: Java is missing or does not fit.
    """
    home = java_home()
    os.environ["JAVA_HOME"] = str(home)
    # Without this, workers run the first `python3` on the PATH.
    os.environ["PYSPARK_PYTHON"] = os.environ["PYSPARK_DRIVER_PYTHON"] = sys.executable
    os.environ.setdefault("SPARK_LOCAL_IP", "127.0.0.1")
    ours = SETTINGS | worker_allocator_settings() | {"spark.ui.enabled": str(ui).lower()}
    return {**ours, JVM_OPTIONS: f"{QUICK_JVM} {class_sharing(home)}".rstrip(), **conf}


@contextmanager
def starting_java(master: str | None, conf: Mapping[str, str], *, ui: bool) -> Iterator[None]:
    """Start Java before the block, for a local context that `new_context` creates in the block with these arguments.

    Java starts while this process imports and checks the pipeline. Other contexts start their own Java process later.
    Errors are ignored here, because `new_context` raises them.
    """
    with ExitStack() as stack:
        if not is_submitted() and (master is None or LOCAL.fullmatch(master)):
            with suppress(SparkSetupError, OSError):
                require_pyspark()
                stack.enter_context(started_early(java_settings(conf, ui=ui)))
        yield


def context_with_warm_up(conf: "SparkConf") -> "SparkContext":
    """Start Spark, and begin to start the Python workers."""
    from pyspark import SparkContext

    context: SparkContext = SparkContext.getOrCreate(conf)
    begin_warm_up(context)
    return context


@contextmanager
def preserve_ctrl_c() -> Iterator[None]:
    """Restore the present handler of Ctrl-C after the block.

    PySpark installs its own handler, which cancels all jobs. But a batch should finish before the application ends.
    """
    before = signal.getsignal(signal.SIGINT)
    yield
    if before is not None and threading.current_thread() is threading.main_thread():
        signal.signal(signal.SIGINT, before)


def silence_gateway_errors(context: "SparkContext") -> None:
    """Suppress tracebacks of PySpark and py4j after the Java process has ended.

    The running job fails, and reports the end of Spark in one sentence.
    """
    logging.getLogger().addFilter(is_not_from_gateway)
    server = context._accumulatorServer
    original = server.handle_error

    def handle_error(request: object, client: object) -> None:
        if not isinstance(sys.exc_info()[1], EOFError | OSError):
            original(request, client)

    server.handle_error = handle_error


def is_not_from_gateway(record: logging.LogRecord) -> bool:
    """Return whether a log record comes from another module than py4j's gateway."""
    return record.module != "java_gateway"


def active_session() -> "SparkSession | None":
    """Return the session that the caller has started already, as in a notebook; None if there is none."""
    if "pyspark" not in sys.modules:
        return None
    from pyspark.sql import SparkSession

    session: SparkSession | None = SparkSession.getActiveSession()
    return session


def refuse_spark_connect(spark: "SparkSession") -> None:
    """Raise `SparkSetupError` for a client of Spark Connect, which cannot cancel, name or observe jobs.

    See `docs/decisions/0014`.
    """
    if type(spark).__module__.startswith("pyspark.sql.connect"):
        raise SparkSetupError(
            "a pipeline needs a session in the driver, but this one is a Spark Connect client: start the pipeline with"
            ' spark-submit, or read with format("tenure"), which works over Spark Connect'
        )


def has_ended(context: "SparkContext") -> bool:
    """Return whether Spark was stopped or its Java process has ended."""
    from py4j.protocol import Py4JError

    try:
        return context._jsc is None or bool(context._jsc.sc().isStopped())
    except (Py4JError, OSError):
        return True


class RunningSpark:
    """Spark's context, and a session, which is created when it is first used.

    Only Spark SQL needs a session, and most pipelines do not use it. The creation of a session takes almost a third of
    the processor time of Spark's start, because Spark then registers SQL functions of its machine learning library.
    """

    def __init__(self, context: "SparkContext", session: "SparkSession | None" = None) -> None:
        self.context: Final = context
        self._session = session

    @property
    def session(self) -> "SparkSession":
        if self._session is None:
            from pyspark.sql import SparkSession

            self._session = SparkSession.builder.getOrCreate()
        return self._session

    def stop(self) -> None:
        """Stop Spark. Does nothing if the Java process has already ended."""
        from py4j.protocol import Py4JError

        with warnings.catch_warnings(), suppress(Py4JError, OSError):
            warnings.simplefilter("ignore", RuntimeWarning)
            (self._session or self.context).stop()


def enter_job_group(context: "SparkContext", group: str, pool: str, description: str = "") -> None:
    """Put all jobs that this thread starts later into a job group.

    The group can be cancelled, and gets a fair share of the cores. Spark's web UI shows the description.
    """
    context.setLocalProperty("spark.scheduler.pool", pool)
    context.setJobGroup(group, f"{pool}: {description or group}", interruptOnCancel=True)
