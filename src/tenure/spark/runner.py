"""From a declared pipeline to a running application."""

import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING, Any, Final, Literal

from tenure.client.errors import BrokerUnreachable, ClientError, RequestTimedOut, UnknownTopic
from tenure.client.group.group_member import GroupMember
from tenure.client.group.membership_settings import CLASSIC, FAIL, SEIZE, WAIT
from tenure.client.net.bootstrap import BOOTSTRAP_SERVERS, bootstrap
from tenure.client.queries.blocking import describe_topic
from tenure.limits import STARTUP_PATIENCE_MS
from tenure.pipeline.engine.engine import Engine
from tenure.pipeline.engine.recover import OnDisagreement
from tenure.pipeline.engine.settings import EngineSettings
from tenure.pipeline.engine.task import Job
from tenure.pipeline.engine.topic_changes import partition_count
from tenure.pipeline.errors import Code, PipelineConfigError, PipelineStopped
from tenure.pipeline.output.directory_check import check_writable
from tenure.pipeline.values.membership import Log
from tenure.pipeline.values.progress import Observer
from tenure.protocol.types import TopicName
from tenure.spark.application import Application, Member, one_at_a_time, stopped_by_signals
from tenure.spark.background_threads import BackgroundThreads
from tenure.spark.bounded_log import BoundedLog
from tenure.spark.caught_up import everything_is_held, everything_is_read
from tenure.spark.client_membership import READ_UNCOMMITTED, ClientMembership, TopicLog
from tenure.spark.dead_letters import DeadLetterTopic
from tenure.spark.declarations import DeadLetter, Stateful, Through
from tenure.spark.group_protocol import HEARTBEAT_INTERVAL_MS, SESSION_TIMEOUT_MS, check_protocol, with_group_protocol
from tenure.spark.hosts import check_hosts
from tenure.spark.job import files_of, job_of, layout_of, outputs_of, publishers_of, state_schema_of
from tenure.spark.operations.operation import operated
from tenure.spark.spark_session import active_session, check_classic, session_of_its_own, stop_session
from tenure.spark.stager import SparkStager, staged_by_a_task
from tenure.spark.task import new_id, staged_in_a_task
from tenure.spark.through import rekeying
from tenure.spark.topic_sink import TopicSink
from tenure.spark.transactions import LaneTransactions
from tenure.spark.transform_job import TransformJob
from tenure.spark.warm_up import warming_up

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

    from tenure.spark.pipeline import Pipeline

FENCED_EXIT_STATUS: Final = 3

RANGE: Final = "range"


@dataclass(frozen=True, slots=True)
class Options:
    """How one application runs a pipeline; `Pipeline.run` says what each means, and what it is unless given."""

    bootstrap_servers: str
    security: Mapping[str, Any] = field(repr=False)
    group_instance_id: str | None
    client_id: str
    threads: int
    until: Literal["stopped", "caught-up"]
    max_records: int
    max_bytes: int
    target_batch_time_s: float
    tasks: int
    on_disagreement: str
    session_timeout_ms: int | None
    heartbeat_interval_ms: int | None
    max_poll_interval_ms: int
    group_protocol: str | None
    on_unreleased: str
    observer: Observer | None
    metrics: str | None
    standby: bool
    spark_ui: bool
    ending_offsets: Mapping[str, Mapping[int, int]] | None
    remark: str = ""
    """A sentence for people, where something was decided for them."""

    def __post_init__(self) -> None:
        if min(self.threads, self.tasks, self.max_records) < 1:
            asked = f"{self.threads}, {self.tasks} and {self.max_records}"
            raise PipelineConfigError(f"threads, tasks and max_records must be at least 1, not {asked}.")
        if min(self.max_bytes, self.target_batch_time_s) <= 0:
            asked = f"{self.max_bytes} and {self.target_batch_time_s}"
            raise PipelineConfigError(f"max_bytes and target_batch_time_s must be more than 0, not {asked}.")
        check_protocol(self)
        if self.on_unreleased not in (SEIZE, WAIT, FAIL):
            raise PipelineConfigError(f"Unknown on_unreleased {self.on_unreleased!r}: use {SEIZE}, {WAIT} or {FAIL}.")
        try:
            bootstrap(self.cluster)
        except ValueError as error:
            raise PipelineConfigError(str(error)) from None

    @property
    def cluster(self) -> dict[str, Any]:
        return {**self.security, BOOTSTRAP_SERVERS: self.bootstrap_servers}


def run(pipeline: "Pipeline", options: Options, spark: "SparkSession | None") -> None:
    """Everything that can be refused is refused before Spark starts, which takes seconds."""
    with in_one_sentence():
        pipelines = [*rekeying(pipeline), pipeline]
        for each in pipelines:
            check_topics(each, options)
        options = with_group_protocol(options)
        for each in pipelines:
            check_writable(files_of(each), layout_of(each), new_id())
            for sink in outputs_of(each).values():
                sink.check()
        application = Application()
        with (
            stopped_by_signals(application.stop_by_signal),
            operated(pipeline, options, application) as operation,
            session_for(pipeline, options, spark) as session,
            operation.over(session) as observer,
        ):
            check_hosts(pipeline, session)
            observer = one_at_a_time(observer)
            seats = [members(each, options, session, observer) for each in pipelines]
            application.run([member for each in seats for member in each], is_done_of(pipelines, options, seats))


def check_topics(pipeline: "Pipeline", options: Options) -> None:
    """That all of them are there, and those that are read have the same number of partitions."""
    names = topic_names(pipeline)
    written = [sink.topic.name for sink in outputs_of(pipeline).values() if isinstance(sink, TopicSink)]
    for name in (*names, *written):
        describe_topic(options.cluster, name, patience_ms=STARTUP_PATIENCE_MS)
    partition_count(TopicLog(options.cluster), names)


def topic_names(pipeline: "Pipeline") -> tuple[TopicName, ...]:
    return tuple(TopicName(topic.name) for topic in pipeline.topics)


def is_done_of(
    pipelines: "Sequence[Pipeline]", options: Options, members: Sequence[Sequence[Member]]
) -> Callable[[], bool] | None:
    """Of pipelines of which each reads what those before it write."""
    engines = [[member.engine for member in seats] for seats in members]

    def asked() -> bool:
        return all(has_caught_up(pipeline, options, each) for pipeline, each in zip(pipelines, engines, strict=True))

    return asked if options.until == "caught-up" else None


def has_caught_up(pipeline: "Pipeline", options: Options, engines: Sequence[Engine]) -> bool:
    first = engines[0]
    topics, own = first.settings.topics, {lane.partition for one in engines for lane in list(one.owned_lanes.held)}
    is_rekeyed = any(isinstance(source, Through) for source in pipeline.sources)
    # What was committed by those before it may be read a moment later only: not the readable end counts, but the end.
    log = TopicLog(options.cluster, READ_UNCOMMITTED) if is_rekeyed else first.log
    return everything_is_read(first.membership, log, topics) and everything_is_held(
        options.cluster, pipeline.name, first.log, topics, own
    )


@contextmanager
def session_for(pipeline: "Pipeline", options: Options, given: "SparkSession | None") -> "Iterator[SparkSession]":
    """The caller's, or the one that is active; else one of its own, which ends with the application."""
    if session := given or active_session():
        check_classic(session)
        with warming_up(session.sparkContext, options.threads * options.tasks):
            yield session
        return
    session = session_of_its_own(pipeline.name, ui=options.spark_ui)
    try:
        yield session
    finally:
        stop_session(session)


@contextmanager
def in_one_sentence() -> Iterator[None]:
    """Whatever ends an application ends it as `PipelineStopped`; or, when it was fenced, with an exit status of its
    own: a supervisor that starts it again would have the two fence each other for ever."""
    try:
        yield
    except ClientError as error:
        raise PipelineStopped(code_of(error), str(error)) from error
    except PipelineStopped as stopped:
        if stopped.code is not Code.FENCED:
            raise
        print(stopped, file=sys.stderr)
        raise SystemExit(FENCED_EXIT_STATUS) from stopped


def code_of(error: ClientError) -> Code:
    match error:
        case UnknownTopic():
            return Code.UNKNOWN_TOPIC
        case BrokerUnreachable() | RequestTimedOut():
            return Code.NO_BROKER
        case _:
            return Code.REFUSED_BY_BROKER


def members(pipeline: "Pipeline", options: Options, spark: "SparkSession", observer: Observer) -> list[Member]:
    return [member(pipeline, options, spark, number, observer) for number in range(options.threads)]


def member(pipeline: "Pipeline", options: Options, spark: "SparkSession", number: int, observer: Observer) -> Member:
    client_id = f"{options.client_id}-thread-{number + 1}"
    instance = options.group_instance_id and f"{options.group_instance_id}-thread-{number + 1}"
    job = job_of(pipeline, options.cluster)
    stager = stager_of(pipeline, job, spark, client_id, options.tasks)
    membership = GroupMember(
        options.cluster,
        pipeline.name,
        topic_names(pipeline),
        group_instance_id=instance,
        client_id=client_id,
        session_timeout_ms=options.session_timeout_ms or SESSION_TIMEOUT_MS,
        heartbeat_interval_ms=options.heartbeat_interval_ms or HEARTBEAT_INTERVAL_MS,
        rebalance_timeout_ms=options.max_poll_interval_ms,
        max_poll_interval_ms=options.max_poll_interval_ms,
        group_protocol=options.group_protocol or CLASSIC,
        # Partition n of all topics has to stand with one member; members of the classic protocol offer nothing else.
        server_assignor=RANGE if len(pipeline.topics) > 1 else None,
        on_unreleased=options.on_unreleased,
    )
    seat = ClientMembership(membership, instance)
    publishers = publishers_of(pipeline)
    background_tasks = BackgroundThreads(client_id)
    engine = Engine(
        settings_of(pipeline, options),
        job.layout,
        seat,
        log_of(options),
        stager,
        files_of(pipeline),
        new_id=new_id,
        clock_s=time.monotonic,
        observer=observer,
        dead_letters=dead_letters_of(pipeline, options),
        publishers=publishers,
        transactions=transactions_of(pipeline, options, membership),
        background_tasks=background_tasks,
    )
    sinks = [publisher.close for publisher in publishers.values()]
    return Member(engine, start=membership.start, close=[stager.close, *sinks, background_tasks.close, seat.close])


def transactions_of(pipeline: "Pipeline", options: Options, membership: GroupMember) -> LaneTransactions | None:
    if not any(isinstance(sink, TopicSink) for sink in outputs_of(pipeline).values()):
        return None
    return LaneTransactions(options.cluster, membership, pipeline.name)


def log_of(options: Options) -> Log:
    log = TopicLog(options.cluster)
    return log if options.ending_offsets is None else BoundedLog(log, options.ending_offsets)


def settings_of(pipeline: "Pipeline", options: Options) -> EngineSettings:
    return EngineSettings(
        topics=topic_names(pipeline),
        stateful=state_schema_of(pipeline) is not None,
        max_records=options.max_records,
        max_bytes=options.max_bytes,
        target_batch_time_s=options.target_batch_time_s,
        tasks=options.tasks if isinstance(pipeline.process, Stateful) else 1,
        on_disagreement=OnDisagreement(options.on_disagreement),
        rebalance_timeout_s=options.max_poll_interval_ms / 1000,
        run_timeout_s=options.max_poll_interval_ms / 1000,
    )


def dead_letters_of(pipeline: "Pipeline", options: Options) -> DeadLetterTopic | None:
    chosen = pipeline.on_bad_record
    return DeadLetterTopic(options.cluster, chosen.topic) if isinstance(chosen, DeadLetter) else None


def stager_of(pipeline: "Pipeline", job: Job, spark: "SparkSession", member: str, tasks: int) -> SparkStager:
    files = files_of(pipeline)
    if isinstance(pipeline.process, Stateful):
        stage = partial(staged_in_a_task, job, files)
        return SparkStager(spark, staged_by_a_task(spark, stage), member, tasks)
    columns = pipeline.topics[0].value.schema
    whole = TransformJob(spark, job, columns, pipeline.process.function, files, new_id)
    return SparkStager(spark, whole, member)
