"""Driver that `spark-submit` has started: its signals, and its exit status.

`spark-submit` is a Java process that runs the driver as a Python child process. SIGTERM from a supervisor, Kubernetes
or YARN reaches only the Java process. If the Java process ended at once, Spark would stop during the running batch. So
the Java process forwards the first signal to Python, waits until the driver exits, and exits with the same status.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import Any, Final

from tenure.spark.spark_session import is_submitted

SIGNALS: Final = ("TERM", "INT")

SPARK_PROGRAMS: Final = "org.apache.spark.deploy."
"""Package of `spark-submit` and of YARN's application master. Other programs that start drivers, such as notebook
servers, outlive the pipeline and keep their signals."""


@contextmanager
def pass_signals_on(stop: Callable[[], object]) -> Iterator[None]:
    """Call `stop` on the first signal to the Java process of `spark-submit`. A second signal ends that process."""
    if not is_submitted():
        yield
        return
    from py4j.protocol import Py4JError
    from pyspark import SparkContext
    from pyspark.java_gateway import ensure_callback_server_started

    SparkContext._ensure_initialized()
    if not str(SparkContext._jvm.System.getProperty("sun.java.command")).startswith(SPARK_PROGRAMS):
        yield
        return
    ensure_callback_server_started(SparkContext._gateway)
    signal = SparkContext._jvm.sun.misc.Signal
    before: dict[str, Any] = {}

    def restore() -> None:
        with suppress(Py4JError, OSError):  # The Java process may have ended.
            for name, handler in before.items():
                signal.handle(signal(name), handler)

    def handle() -> None:
        restore()
        stop()

    for name in SIGNALS:
        before[name] = signal.handle(signal(name), JavaSignalHandler(handle))
    try:
        yield
    finally:
        restore()


class JavaSignalHandler:
    """Signal handler that Java calls."""

    def __init__(self, handle: Callable[[], None]) -> None:
        self.call: Final = handle

    def handle(self, _signal: object) -> None:
        self.call()

    class Java:
        implements: Final = ["sun.misc.SignalHandler"]
