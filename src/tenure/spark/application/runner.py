"""Start of an application: checks, Spark session, services and members."""

import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from typing import Any

from tenure.client.errors import BrokerUnreachable, ClientError, RequestTimedOut, UnknownTopic
from tenure.client.queries.blocking import describe_topic
from tenure.exit_status import ExitStatus
from tenure.limits.client import STARTUP_PATIENCE_MS
from tenure.pipeline.engine.engine import Engine
from tenure.pipeline.engine.topic_changes import partition_count
from tenure.pipeline.errors import Code, PipelineConfigError, PipelineStopped
from tenure.pipeline.output.directory_check import check_writable
from tenure.pipeline.output.files import Files
from tenure.pipeline.output.shared_files import shared_files
from tenure.protocol.special_values import READ_UNCOMMITTED
from tenure.run_options import RunOptions
from tenure.spark.application.application_services import application_services
from tenure.spark.application.members import create_members, topic_names
from tenure.spark.application.memberships import Memberships, memberships_of
from tenure.spark.application.pipeline_application import (
    EngineMember,
    PipelineApplication,
    serialize_observer,
    stop_on_signals,
)
from tenure.spark.application.repartition_through import repartition_pipelines
from tenure.spark.application.spark_watch import watch_spark
from tenure.spark.application.submitted_driver import pass_signals_on
from tenure.spark.declarations.pipeline_declaration import PipelineDeclaration
from tenure.spark.declarations.topics import Through
from tenure.spark.jobs.executor_check import prepare_executors
from tenure.spark.jobs.hosts import check_master, is_one_host, local_directories
from tenure.spark.jobs.job import job_of
from tenure.spark.kafka.caught_up import all_partitions_owned, all_partitions_read
from tenure.spark.kafka.topic_log import TopicLog
from tenure.spark.sinks.output_checks import check_rows
from tenure.spark.sinks.outputs import files_of, layout_of, outputs_of
from tenure.spark.sinks.topic_sink import TopicSink
from tenure.spark.spark_session import (
    RunningSpark,
    active_session,
    is_submitted,
    new_context,
    planned_master,
    refuse_spark_connect,
)
from tenure.spark.workers.task import new_id
from tenure.spark.workers.warm_up import warming_up


def run(pipeline: PipelineDeclaration, options: RunOptions, memberships: Memberships | None = None) -> None:
    """Run a pipeline as one application; return when it has ended.

    All checks that need no Spark run before Spark starts, because its start takes seconds.

    Args:
        pipeline: Pipeline to run.
        options: Options of the run.
        memberships: Factory of the members' group memberships; default: for the group with the pipeline's name.
    """
    with translate_errors():
        memberships = memberships or memberships_of(pipeline, options)
        pipelines = [*repartition_pipelines(pipeline), pipeline]
        master = master_of(options)
        options, remark = check_run(pipelines, options, memberships, master)
        application = PipelineApplication()
        with (
            stop_on_signals(application.stop_by_signal),
            application_services(pipeline, options, application, remark) as control,
            pass_signals_on(control.stop),
            use_spark(pipeline, options) as spark,
            watch_spark(spark.context, application.fail),
            ExitStack() as stack,
        ):
            files = [stack.enter_context(task_files(each, master, options)) for each in pipelines]
            if ships_modules(master) or options.py_files:
                needed = [task_needs(each, options, access) for each, access in zip(pipelines, files, strict=True)]
                prepare_executors(
                    spark.context, needed, options.py_files or (), lambda: application.is_ending, control.write_line
                )
                if application.first_error is not None:
                    raise application.first_error
            observer = serialize_observer(stack.enter_context(control.observe(spark)))
            groups = [
                create_members(each, options, spark, observer, access, memberships)
                for each, access in zip(pipelines, files, strict=True)
            ]
            application.run(
                [member for group in groups for member in group],
                caught_up_check(pipelines, options, groups, memberships.group_of),
            )


def check_run(
    pipelines: Sequence[PipelineDeclaration], options: RunOptions, memberships: Memberships, master: str
) -> tuple[RunOptions, str]:
    """Check topics, directories and sinks before Spark starts.

    Returns:
        The options with a group protocol, and a log line about the choice of the protocol; "" for no line.
    """
    for each in pipelines:
        check_master(each, master, shared_directory=options.shared_directory)
    for each in pipelines:
        check_topics_exist(each, options, memberships.internal_topics)
        for topic in each.topics:
            topic.check_readable()
    options, remark = memberships.prepare(options)
    for each in pipelines:
        check_writable(files_of(each), layout_of(each), new_id())
        for sink in outputs_of(each).values():
            sink.check()
        check_rows(each)
    return options, remark


def check_topics_exist(pipeline: PipelineDeclaration, options: RunOptions, internal: frozenset[str]) -> None:
    """Check that all topics exist, and that all input topics have the same number of partitions.

    Raises:
        UnknownTopic: A topic does not exist.
        PipelineStopped: The numbers of partitions differ.
    """
    names = topic_names(pipeline)
    written = [sink.topic.name for sink in outputs_of(pipeline).values() if isinstance(sink, TopicSink)]
    for name in (name for name in (*names, *written) if name not in internal):
        describe_topic(options.cluster, name, patience_ms=STARTUP_PATIENCE_MS)
    if sources := [name for name in names if name not in internal]:
        partition_count(TopicLog(options.cluster), sources)


def caught_up_check(
    pipelines: Sequence[PipelineDeclaration],
    options: RunOptions,
    members: Sequence[Sequence[EngineMember]],
    group_of: Callable[[PipelineDeclaration], str],
) -> Callable[[], bool] | None:
    """Return a function that checks whether all pipelines have caught up; None unless `until` is "caught-up".

    `pipelines` are in the order of processing, so each may read topics that the earlier ones write.
    """
    engines = [[member.engine for member in group] for group in members]

    def has_all_caught_up() -> bool:
        return all(
            has_caught_up(pipeline, options, each, group_of(pipeline))
            for pipeline, each in zip(pipelines, engines, strict=True)
        )

    return has_all_caught_up if options.until == "caught-up" else None


def has_caught_up(pipeline: PipelineDeclaration, options: RunOptions, engines: Sequence[Engine], group_id: str) -> bool:
    """Return whether the group has read all records, and each partition has an owner (`caught_up.py`)."""
    first = engines[0]
    topics, own = first.settings.topics, {lane.partition for one in engines for lane in list(one.owned_lanes.known)}
    is_rekeyed = any(isinstance(source, Through) for source in pipeline.sources)
    # The earlier pipeline's rows become readable a moment after the commit of their transaction. So the end of the log
    # is compared, and not the last stable offset.
    log = TopicLog(options.cluster, READ_UNCOMMITTED) if is_rekeyed else first.log
    return all_partitions_read(first.membership, log, topics) and all_partitions_owned(
        options.cluster, group_id, first.log, topics, own
    )


def master_of(options: RunOptions) -> str:
    """Return the master of Spark that `use_spark` will yield.

    Raises:
        PipelineConfigError: A master or settings are given although a session exists, or a master is given under
            `spark-submit`.
        SparkSetupError: pyspark is missing, or the session is a client of Spark Connect.
    """
    planned = planned_master(options.master)
    session = options.spark or active_session()
    if session is None:
        return planned
    refuse_spark_connect(session)
    if options.master is not None or options.conf:
        raise PipelineConfigError("A Spark session with its own settings is active already: leave out master and conf.")
    return str(session.sparkContext.master)


def ships_modules(master: str) -> bool:
    """Return whether the driver has to send modules to the executors, because these have another import path."""
    return is_submitted() or not is_one_host(master)


@contextmanager
def task_files(pipeline: PipelineDeclaration, master: str, options: RunOptions) -> Iterator[Files]:
    """Yield the file access of the driver and its tasks.

    On a cluster with `shared_directory`, each worker that unpickles the file access checks that its host has mounted
    the directories of output and state.
    """
    files, directories = files_of(pipeline), local_directories(pipeline)
    if is_one_host(master) or not options.shared_directory or not directories:
        yield files
        return
    with shared_files(files, directories, new_id()) as checked:
        yield checked


def task_needs(pipeline: PipelineDeclaration, options: RunOptions, files: Files) -> tuple[Any, Files]:
    """Return the objects that Spark pickles for the tasks: a pair of job and user's function, and the file access.

    The user's function is that of `transform`; None for other pipelines, whose job contains their functions.
    """
    function = None if pipeline.transformed is None else pipeline.transformed.function
    return (job_of(pipeline, options.cluster), function), files


@contextmanager
def use_spark(pipeline: PipelineDeclaration, options: RunOptions) -> Iterator[RunningSpark]:
    """Yield Spark with the given or the active session; if there is none, start Spark, which ends with the block."""
    if session := options.spark or active_session():
        with warming_up(session.sparkContext, options.threads * options.tasks):
            yield RunningSpark(session.sparkContext, session)
        return
    spark = RunningSpark(new_context(pipeline.name, master=options.master, conf=options.conf, ui=options.spark_ui))
    try:
        yield spark
    finally:
        spark.stop()


@contextmanager
def translate_errors() -> Iterator[None]:
    """Convert errors of the client to `PipelineStopped`.

    If the application was fenced, print the error and exit with status 3. A supervisor must not restart a fenced
    application, because the two applications would fence each other for ever.
    """
    try:
        yield
    except ClientError as error:
        raise PipelineStopped(error_code_of(error), str(error)) from error
    except PipelineStopped as stopped:
        if stopped.code is not Code.FENCED:
            raise
        print(stopped, file=sys.stderr)
        raise SystemExit(ExitStatus.FENCED) from stopped


def error_code_of(error: ClientError) -> Code:
    """Return the `code` of the PipelineStopped that replaces an error of the client."""
    match error:
        case UnknownTopic():
            return Code.UNKNOWN_TOPIC
        case BrokerUnreachable() | RequestTimedOut():
            return Code.NO_BROKER
        case _:
            return Code.REFUSED_BY_BROKER
