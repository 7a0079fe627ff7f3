"""Pipelines in the tab "Structured Streaming" of Spark's web UI, with rates, durations and state.

The tab shows events that Spark's listener bus delivers. This module creates such events from JSON in Spark's format,
and posts them to the bus. The pipeline appears as one query with the batches of all members of the application. Every
StreamingQueryListener of the session gets the same events.
"""

import json
import uuid
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, Final

from tenure.spark.reporting.application_status import ApplicationStatus
from tenure.spark.reporting.finished_batches import FinishedBatch

if TYPE_CHECKING:
    from pyspark import SparkContext
    from pyspark.sql import SparkSession

    from tenure.spark.spark_session import RunningSpark

LISTENERS_KEY: Final = "spark.sql.streaming.streamingQueryListeners"

STREAMS: Final = ".StreamingQueryListenerBus"
"""Suffix of the class name of the listener that a session registers when it creates its manager of streaming
queries."""

LISTENER: Final = "org.apache.spark.sql.streaming.StreamingQueryListener$"


class StreamingTab:
    """Reporter of one application to Spark's web UI. Call it from one thread at a time."""

    def __init__(self, spark: "SparkSession", name: str, source: str, sink: str, status: ApplicationStatus) -> None:
        self._spark: Final = spark
        self._source: Final = source
        self._sink: Final = sink
        self._status: Final = status
        self._query: Final = {"id": str(uuid.uuid4()), "runId": str(uuid.uuid4()), "name": name}
        self._batches = 0
        self._last = datetime.now(UTC)

    def post_start(self) -> None:
        """Post the event that the query has started."""
        self._post("QueryStartedEvent", self._query | {"timestamp": spark_time(self._last), "jobTags": []})

    def post_batch(self, batch: FinishedBatch) -> None:
        """Post the event for a published batch."""
        now = datetime.now(UTC)
        since_s = max((now - self._last).total_seconds(), 0.001)
        self._last = now
        self._post("QueryProgressEvent", {"progress": self._progress(batch, now, since_s)})
        self._batches += 1

    def post_end(self, error: str | None) -> None:
        """Post the event that the query has ended. `error` is the error that ended it, or None."""
        self._post("QueryTerminatedEvent", self._query | {"exception": error, "errorClassOnException": None})

    def _progress(self, batch: FinishedBatch, now: datetime, since_s: float) -> dict[str, Any]:
        source = {
            "description": self._source,
            "startOffset": None,
            "endOffset": None,
            "latestOffset": None,
            "numInputRows": batch.records,
            "inputRowsPerSecond": batch.records / since_s,
            "processedRowsPerSecond": batch.records / max(batch.total_s, 0.001),
            "metrics": {"lag": str(batch.lag)},
        }
        return self._query | {
            "timestamp": spark_time(now),
            "batchId": self._batches,
            "batchDuration": to_ms(batch.total_s),
            "durationMs": {phase: to_ms(seconds) for phase, seconds in batch.seconds.items()}
            | {"triggerExecution": to_ms(batch.total_s)},
            "eventTime": {},
            "stateOperators": self._state(batch),
            "sources": [source],
            "sink": {"description": self._sink, "numOutputRows": batch.rows, "metrics": {}},
            "observedMetrics": {},
        }

    def _state(self, batch: FinishedBatch) -> list[dict[str, Any]]:
        if batch.state_rows is None:
            return []
        lanes = [lane for member in self._status.members.values() for lane in member.lanes.values()]
        return [
            {
                "operatorName": "stateful",
                "numRowsTotal": sum(lane.state_rows or 0 for lane in lanes),
                "numRowsUpdated": 0,
                "allUpdatesTimeMs": to_ms(batch.seconds.get("process", 0.0)),
                "numRowsRemoved": 0,
                "allRemovalsTimeMs": 0,
                "commitTimeMs": to_ms(batch.seconds.get("write", 0.0)),
                "memoryUsedBytes": sum(lane.state_bytes for lane in lanes),
                "numRowsDroppedByWatermark": 0,
                "numShufflePartitions": len(lanes),
                "numStateStoreInstances": len(lanes),
                "customMetrics": {},
            }
        ]

    def _post(self, kind: str, event: dict[str, Any]) -> None:
        from py4j.protocol import Py4JError

        java = self._spark.sparkContext._jvm
        try:
            factory = getattr(java, f"{LISTENER}{kind}$").__getattr__("MODULE$")
            self._spark._jsparkSession.streams().postListenerEvent(factory.fromJson(json.dumps(event)))
        except (Py4JError, OSError):
            return  # Spark has ended. The running jobs report it.


def has_viewers(spark: "RunningSpark") -> bool:
    """Return whether Spark has a web UI, or its session has listeners."""
    if spark.context.uiWebUrl is not None:
        return True
    if not may_have_listeners(spark.context):
        return False
    return len(spark.session._jsparkSession.streams().listListeners()) > 0


def may_have_listeners(context: "SparkContext") -> bool:
    """Return whether the session may have listeners of streaming queries.

    A session may have listeners if its configuration names some, or if it already has a manager of streaming queries.
    The session itself is not asked: it would create the manager and load all of Spark SQL, which takes longer than the
    first batch.
    """
    scala_context = context._jsc.sc()
    # PySpark's `getConf` is not used here: it copies the configuration with hundreds of calls to Java.
    if scala_context.conf().contains(LISTENERS_KEY):
        return True
    listening = scala_context.listenerBus().listeners()
    return any(str(one.getClass().getName()).endswith(STREAMS) for one in listening)


def spark_time(time: datetime) -> str:
    """Return a time in Spark's format."""
    return time.strftime("%Y-%m-%dT%H:%M:%S.") + f"{time.microsecond // 1000:03d}Z"


def to_ms(seconds: float) -> int:
    """Convert seconds to whole milliseconds."""
    return round(seconds * 1000)
