"""An application while it runs: who is told what it does, and how it is reached from outside.

Reached it is from the first moment, before Spark has started: whoever wants it stopped need not wait for that. Where no
socket can be made it runs all the same, and says so.
"""

import os
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, Final

from tenure.pipeline.values.progress import Observer, Progress, nobody
from tenure.spark.application.pipeline_application import PipelineApplication
from tenure.spark.application.repartition_through import repartition_pipelines
from tenure.spark.application.run_options import RunOptions
from tenure.spark.application.standby import STANDING_BY, Standby
from tenure.spark.application.supervised import restarts_of_this
from tenure.spark.declarations.pipeline_declaration import PipelineDeclaration
from tenure.spark.reporting.application_status import ApplicationStatus
from tenure.spark.reporting.console_reporter import ConsoleReporter
from tenure.spark.reporting.finished_batches import BatchCollector
from tenure.spark.reporting.streaming_tab import StreamingTab, has_viewers
from tenure.spark.workers.warm_up import warm_up

if TYPE_CHECKING:
    from pyspark.sql import SparkSession


STARTING, RUNNING = "starting", "running"
STOPPING, PAUSING, PAUSED = "stopping", "pausing", "paused"


class ApplicationControl:
    """What people outside may learn of an application, and do to it."""

    def __init__(
        self,
        pipeline: PipelineDeclaration,
        options: RunOptions,
        application: PipelineApplication,
        narration: ConsoleReporter | None,
    ) -> None:
        self.pipeline: Final = pipeline
        self.options: Final = options
        self.application: Final = application
        self.narration: Final = narration
        self.standing: Final = ApplicationStatus(options.threads)
        self.stages: Final = {
            stage.name: ApplicationStatus(options.threads) for stage in repartition_pipelines(pipeline)
        }
        """By group, those that fill the topics which it reads through."""
        self.began_ms: Final = time.time_ns() // 1_000_000
        self.restarts: Final = restarts_of_this()
        self.phase = STARTING

    @property
    def doing(self) -> str:
        if self.application.stop_asked:
            return STOPPING
        if self.application.paused and self.phase == RUNNING:
            return PAUSED if self.standing.all_are(PAUSED) else PAUSING
        return self.phase

    @property
    def has_its_seats(self) -> bool:
        """Every thread has taken part in the group, and has what the group has given it."""
        return self.phase == RUNNING and self.standing.joined == self.options.threads

    @contextmanager
    def over(self, spark: "SparkSession") -> Iterator[Observer]:
        """Spark has started: what the application's members are to tell."""
        if self.options.standby:
            self.stand_by(spark)
        self.be_at_work()
        told = self.narration or self.options.observer
        with self.shown_by(spark) as shown:

            def tell(progress: Progress) -> None:
                if progress.group in self.stages:
                    self.stages[progress.group](progress)
                else:
                    self.standing(progress)
                    shown(progress)
                if told is not None:
                    told(progress)

            yield tell

    @contextmanager
    def shown_by(self, spark: "SparkSession") -> Iterator[Observer]:
        """In Spark's web interface, and to its listeners, where there are any."""
        if not has_viewers(spark):
            yield nobody
            return
        pipeline = self.pipeline
        topics = ", ".join(topic.name for topic in pipeline.topics)
        tab = StreamingTab(spark, pipeline.name, topics, pipeline.sink.where, self.standing)
        tab.started()
        if self.narration is not None and spark.sparkContext.uiWebUrl is not None:
            self.narration.shown_at(spark.sparkContext.uiWebUrl)
        try:
            yield BatchCollector(tab.batch)
        except BaseException as error:
            tab.ended(str(error))
            raise
        tab.ended(None)

    def be_at_work(self) -> None:
        self.phase = RUNNING

    def stand_by(self, spark: "SparkSession") -> None:
        options, application = self.options, self.application
        instance = str(options.group_instance_id)
        standby = Standby(
            options.cluster, self.pipeline.name, instance, options.threads, lambda: application.stop_asked
        )
        if standby.has_to_wait():
            warm_up(spark.sparkContext, options.threads * options.tasks)
        self.phase = STANDING_BY
        if self.narration is not None:
            self.narration.standing_by(instance)
        reason = standby.wait(self.be_at_work)
        if self.narration is not None and reason:
            self.narration.takes_over(reason)

    # --- what may be asked --------------------------------------------------------------------------------------------

    def who(self) -> dict[str, Any]:
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
        stages = {group: standing.as_json() for group, standing in self.stages.items()}
        return self.who() | {"doing": self.doing} | self.standing.as_json() | {"stages": stages}

    def stop(self) -> dict[str, Any]:
        if not self.application.stop_asked:
            self.application.stop_by_signal()
        return {"doing": self.doing}

    def pause(self) -> dict[str, Any]:
        if self.narration is not None and not self.application.paused:
            self.narration.pausing()
        self.application.pause()
        return {"doing": self.doing}

    def resume(self) -> dict[str, Any]:
        if self.narration is not None and self.application.paused:
            self.narration.resumed()
        self.application.resume()
        return {"doing": self.doing}
