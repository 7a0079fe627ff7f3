"""Control of a running application: its status, and the commands stop, pause and resume.

The control socket opens before Spark starts, so that an application can be stopped while it starts. If no socket can be
created, the application runs without a socket and logs the reason.
"""

import os
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, Final

from tenure.pipeline.values.progress import Observer, Progress, ignore_progress
from tenure.run_options import RunOptions
from tenure.spark.application.pipeline_application import PipelineApplication
from tenure.spark.application.repartition_through import repartition_pipelines
from tenure.spark.application.standby import STANDING_BY, Standby
from tenure.spark.application.supervised import crashes_before_this_start
from tenure.spark.declarations.pipeline_declaration import PipelineDeclaration
from tenure.spark.reporting.application_status import ApplicationStatus
from tenure.spark.reporting.console_reporter import ConsoleReporter
from tenure.spark.reporting.finished_batches import BatchCollector
from tenure.spark.reporting.streaming_tab import StreamingTab, has_viewers
from tenure.spark.workers.warm_up import warm_up

if TYPE_CHECKING:
    from tenure.spark.spark_session import RunningSpark


STARTING, RUNNING = "starting", "running"
STOPPING, PAUSING, PAUSED = "stopping", "pausing", "paused"


class ApplicationControl:
    """Status and commands of one application. Thread-safe, because control socket and metrics server use it."""

    def __init__(
        self,
        pipeline: PipelineDeclaration,
        options: RunOptions,
        application: PipelineApplication,
        reporter: ConsoleReporter | None,
    ) -> None:
        self.pipeline: Final = pipeline
        self.options: Final = options
        self.application: Final = application
        self.reporter: Final = reporter
        self.status_of_members: Final = ApplicationStatus(options.threads)
        self.repartitioning: Final = {
            each.name: ApplicationStatus(options.threads) for each in repartition_pipelines(pipeline)
        }
        """Status of the pipelines that repartition rows for this one (`through`), by group."""
        self.began_ms: Final = time.time_ns() // 1_000_000
        self.restarts: Final = crashes_before_this_start()
        self.phase = STARTING

    @property
    def doing(self) -> str:
        """Current activity: "starting", "standing by", "running", "pausing", "paused" or "stopping"."""
        if self.application.stop_requested:
            return STOPPING
        if self.application.paused and self.phase == RUNNING:
            return PAUSED if self.status_of_members.all_members_are(PAUSED) else PAUSING
        return self.phase

    @property
    def has_all_members(self) -> bool:
        """True if every member of this application has joined the group and has its assignment."""
        return self.phase == RUNNING and self.status_of_members.joined == self.options.threads

    def write_line(self, line: str) -> None:
        """Write a log line, unless the caller of `Pipeline.run` has passed an observer."""
        if self.reporter is not None:
            self.reporter.write_line(line)

    @contextmanager
    def observe(self, spark: "RunningSpark") -> Iterator[Observer]:
        """Yield the observer to which the members report their progress. A standby first waits until it may take over.

        Call it after Spark has started, because a standby warms up Spark while it waits.
        """
        if self.options.standby:
            self.stand_by(spark)
        self.set_running()
        also = self.reporter or self.options.observer
        with self.show_in_spark(spark) as show:

            def observer(progress: Progress) -> None:
                if progress.group in self.repartitioning:
                    self.repartitioning[progress.group](progress)
                else:
                    self.status_of_members(progress)
                    show(progress)
                if also is not None:
                    also(progress)

            yield observer

    @contextmanager
    def show_in_spark(self, spark: "RunningSpark") -> Iterator[Observer]:
        """Yield an observer that reports batches to Spark's web UI and to listeners.

        If the session has neither, the observer does nothing.
        """
        if not has_viewers(spark):
            yield ignore_progress
            return
        pipeline = self.pipeline
        topics = ", ".join(topic.name for topic in pipeline.topics)
        tab = StreamingTab(spark.session, pipeline.name, topics, pipeline.sink.where, self.status_of_members)
        tab.post_start()
        if self.reporter is not None and spark.context.uiWebUrl is not None:
            self.reporter.shown_in_spark_at(spark.context.uiWebUrl)
        try:
            yield BatchCollector(tab.post_batch)
        except BaseException as error:
            tab.post_end(str(error))
            raise
        tab.post_end(None)

    def set_running(self) -> None:
        """Set the activity to "running"."""
        self.phase = RUNNING

    def stand_by(self, spark: "RunningSpark") -> None:
        """Wait until this application can take over, or is stopped.

        It can take over when the application with the same `group_instance_id` has ended on this host, or when the
        static members of that application have left the group.
        """
        options, application = self.options, self.application
        instance = str(options.group_instance_id)
        standby = Standby(options.cluster, self.pipeline.name, instance, options.threads, lambda: application.is_ending)
        if standby.has_to_wait():
            warm_up(spark.context, options.threads * options.tasks)
        self.phase = STANDING_BY
        if self.reporter is not None:
            self.reporter.standing_by(instance)
        reason = standby.wait(self.set_running)
        if self.reporter is not None and reason:
            self.reporter.takes_over(reason)

    # --- commands -----------------------------------------------------------------------------------------------------

    def description(self) -> dict[str, Any]:
        """Return what identifies this application on its host: pipeline, instance id, process id, role and start."""
        return {
            "pipeline": self.pipeline.name,
            "group_instance_id": self.options.group_instance_id,
            "bootstrap_servers": self.options.bootstrap_servers,
            "threads": self.options.threads,
            "pid": os.getpid(),
            "role": "standby" if self.options.standby and self.phase != RUNNING else "application",
            "began_ms": self.began_ms,
            "restarts": self.restarts,
        }

    def status(self) -> dict[str, Any]:
        """Return `description`, the activity of this application, and the status of all its members."""
        repartitioning = {group: status.as_json() for group, status in self.repartitioning.items()}
        activity = {"doing": self.doing, "repartitioning": repartitioning}
        return self.description() | activity | self.status_of_members.as_json()

    def stop(self) -> dict[str, Any]:
        """Stop the application after its running batches, as SIGTERM does; return the activity."""
        if not self.application.stop_requested:
            self.application.stop_by_signal()
        return {"doing": self.doing}

    def pause(self) -> dict[str, Any]:
        """Pause all members; return the activity of the application."""
        if self.reporter is not None and not self.application.paused:
            self.reporter.pausing()
        self.application.pause()
        return {"doing": self.doing}

    def resume(self) -> dict[str, Any]:
        """Resume all members; return the activity of the application."""
        if self.reporter is not None and self.application.paused:
            self.reporter.log_resume()
        self.application.resume()
        return {"doing": self.doing}
