"""Members of an application. Each member consists of an engine, its group membership, its Spark jobs and its sinks."""

import time
from collections.abc import Collection
from functools import partial
from typing import TYPE_CHECKING

from tenure.limits.pipeline import REPARTITION_PURGE_S, STANDBY_COPY_S
from tenure.pipeline.engine.background_threads import BackgroundThreads
from tenure.pipeline.engine.engine import Engine
from tenure.pipeline.engine.recover import OnDisagreement
from tenure.pipeline.engine.settings import EngineSettings
from tenure.pipeline.output.files import Files
from tenure.pipeline.state.standby_copies import StandbyCopies
from tenure.pipeline.task.job import Job
from tenure.pipeline.values.membership import Log
from tenure.pipeline.values.progress import Observer
from tenure.protocol.types import TopicName
from tenure.run_options import RunOptions
from tenure.spark.application.memberships import Memberships, StartableMembership
from tenure.spark.application.periodic_work import PeriodicWork
from tenure.spark.application.pipeline_application import EngineMember
from tenure.spark.application.repartition_purge import RepartitionPurge
from tenure.spark.application.standby_lanes import StandbyLanes
from tenure.spark.declarations.inputs import state_schema_of
from tenure.spark.declarations.pipeline_declaration import PipelineDeclaration
from tenure.spark.declarations.topics import DeadLetter
from tenure.spark.jobs.hosts import is_one_host
from tenure.spark.jobs.job import job_of
from tenure.spark.jobs.stager import SparkStager, bundle_job
from tenure.spark.jobs.transform_job import TransformJob
from tenure.spark.kafka.client_membership import ClientMembership
from tenure.spark.kafka.dead_letter_topic import DeadLetterTopic
from tenure.spark.kafka.lane_transactions import LaneTransactions
from tenure.spark.kafka.streams_memberships import SubtopologyMembership
from tenure.spark.kafka.topic_log import BoundedLog, TopicLog
from tenure.spark.sinks.outputs import outputs_of, publishers_of
from tenure.spark.sinks.topic_sink import TopicSink
from tenure.spark.workers.task import new_id, stage_bundle

if TYPE_CHECKING:
    from tenure.spark.spark_session import RunningSpark


def create_members(
    pipeline: PipelineDeclaration,
    options: RunOptions,
    spark: "RunningSpark",
    observer: Observer,
    files: Files,
    memberships: Memberships,
) -> list[EngineMember]:
    """Return the members of an application, not started yet."""
    return [
        create_member(pipeline, options, spark, number, observer, files, memberships)
        for number in range(options.threads)
    ]


def create_member(
    pipeline: PipelineDeclaration,
    options: RunOptions,
    spark: "RunningSpark",
    number: int,
    observer: Observer,
    files: Files,
    memberships: Memberships,
) -> EngineMember:
    """Return member `number`, counted from 0. Names that users see count from 1."""
    client_id = f"{options.client_id}-thread-{number + 1}"
    instance = options.group_instance_id and f"{options.group_instance_id}-thread-{number + 1}"
    job = job_of(pipeline, options.cluster)
    stager = stager_of(pipeline, job, spark, client_id, options.tasks, files)
    membership = memberships.create(pipeline, options, client_id, instance)
    publishers = publishers_of(pipeline)
    background_tasks = BackgroundThreads(client_id)
    background = [
        *standby_lanes_of(membership, job, files, observer, str(spark.context.master)),
        *repartition_purge_of(membership, options, memberships.internal_topics.intersection(topic_names(pipeline))),
    ]
    engine = Engine(
        settings_of(pipeline, options),
        job.layout,
        membership,
        log_of(options),
        stager,
        files,
        new_id=new_id,
        clock_s=time.monotonic,
        observer=observer,
        dead_letters=dead_letters_of(pipeline, options),
        publishers=publishers,
        transactions=transactions_of(pipeline, options, membership, memberships.group_of(pipeline)),
        lane_state=None if job.state is None else partial(job.lane_state, files),
        background_tasks=background_tasks,
    )
    sinks = [publisher.close for publisher in publishers.values()]
    close = [stager.close, *sinks, background_tasks.close, membership.close]

    def start() -> None:
        membership.start()
        for work in background:
            work.start()

    return EngineMember(engine, start=start, close=[*(work.close for work in background), *close])


def standby_lanes_of(
    membership: StartableMembership, job: Job, files: Files, observer: Observer, master: str
) -> list[PeriodicWork]:
    """Return the periodic work that refreshes the copies of a member's standby lanes; empty without standby lanes.

    A member has standby lanes only in a streams group, and only if the pipeline has state and Spark runs on one host.
    On a cluster the driver cannot copy a state to the hosts of future tasks, because Spark chooses these hosts later.
    """
    if not isinstance(membership, SubtopologyMembership) or job.state is None or not is_one_host(master):
        return []
    copies = StandbyCopies(files, job.layout, partial(job.lane_state, files), membership.committed)
    lanes = StandbyLanes(membership, tuple(map(TopicName, job.topics)), copies, observer, job.layout.group)
    purpose = f"pipeline {job.layout.group}: copy the state of standby lanes of {'+'.join(job.topics)}"
    return [PeriodicWork(f"standby-{membership.subtopology_id}", STANDBY_COPY_S, lanes.refresh, purpose)]


def repartition_purge_of(
    membership: StartableMembership, options: RunOptions, topics: Collection[str]
) -> list[PeriodicWork]:
    """Return the periodic work that deletes processed records from `topics`; empty if there are no topics.

    `topics` are those input topics of the member's step that an earlier step of the pipeline writes.
    """
    if not isinstance(membership, SubtopologyMembership) or not topics:
        return []
    purge = RepartitionPurge(membership, options.cluster, topics).purge
    purpose = f"delete processed records of the repartition topics {', '.join(sorted(topics))}"
    return [PeriodicWork(f"purge-{membership.subtopology_id}", REPARTITION_PURGE_S, purge, purpose)]


def transactions_of(
    pipeline: PipelineDeclaration, options: RunOptions, membership: StartableMembership, group_id: str
) -> LaneTransactions | None:
    """Return the transactions of a member; None for a pipeline that writes to no topic."""
    if not any(isinstance(sink, TopicSink) for sink in outputs_of(pipeline).values()):
        return None
    assert isinstance(membership, ClientMembership), "a transaction commits the offsets of a Kafka group"
    return LaneTransactions(options.cluster, membership.member, group_id)


def log_of(options: RunOptions) -> Log:
    """Return access to the input logs. With the option `ending_offsets`, these logs end at the given offsets."""
    log = TopicLog(options.cluster)
    return log if options.ending_offsets is None else BoundedLog(log, options.ending_offsets)


def settings_of(pipeline: PipelineDeclaration, options: RunOptions) -> EngineSettings:
    """Combine a declaration and run options into the settings of the engine, which plans and commits batches."""
    return EngineSettings(
        topics=topic_names(pipeline),
        stateful=state_schema_of(pipeline) is not None,
        max_records=options.max_records,
        max_bytes=options.max_bytes,
        target_batch_time_s=options.target_batch_time_s,
        tasks=options.tasks if pipeline.transformed is None else 1,
        on_disagreement=OnDisagreement(options.on_disagreement),
        rebalance_timeout_s=options.max_poll_interval_ms / 1000,
        batch_timeout_s=options.max_poll_interval_ms / 1000,
    )


def dead_letters_of(pipeline: PipelineDeclaration, options: RunOptions) -> DeadLetterTopic | None:
    """Return the dead-letter topic; None if the pipeline has none."""
    chosen = pipeline.on_bad_record
    return DeadLetterTopic(options.cluster, chosen.topic) if isinstance(chosen, DeadLetter) else None


def stager_of(
    pipeline: PipelineDeclaration, job: Job, spark: "RunningSpark", member: str, tasks: int, files: Files
) -> SparkStager:
    """Return the stager that runs the pipeline as Spark jobs."""
    if (transformed := pipeline.transformed) is None:
        stage = partial(stage_bundle, job, files)
        return SparkStager(spark.context, bundle_job(spark.context, stage), member, tasks)
    columns = pipeline.topics[0].value.schema
    transform_job = TransformJob(spark.session, job, columns, transformed.function, files, new_id)
    return SparkStager(spark.context, transform_job, member)


def topic_names(pipeline: PipelineDeclaration) -> tuple[TopicName, ...]:
    """Return the names of the topics that the pipeline reads."""
    return tuple(TopicName(topic.name) for topic in pipeline.topics)
