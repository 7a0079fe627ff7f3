"""Pipeline without Spark in a process of its own, with real members, broker and files; it can die at every crash point.

It runs until it is killed, or gets SIGTERM and leaves its group. It writes the crash points that it passes, and
the reason of its end, into its event log: one line of JSON each.
"""

import json
import os
import signal
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from tenure.client.consumer.fetch_arrow import fetch_arrow
from tenure.pipeline.engine.background_tasks import FOREGROUND_TASKS
from tenure.pipeline.engine.background_threads import BackgroundThreads
from tenure.pipeline.engine.engine import Engine
from tenure.pipeline.engine.settings import EngineSettings
from tenure.pipeline.errors import PipelineStopped
from tenure.pipeline.operators.user_function import MAIN, Function, outputs_by_name
from tenure.pipeline.output.files import Files
from tenure.pipeline.output.layout import Layout
from tenure.pipeline.output.transactions import Records, TopicRecords
from tenure.pipeline.state.keyed_state import KeyedState
from tenure.pipeline.task.job import Job
from tenure.pipeline.task.task import run_bundle
from tenure.pipeline.values.lanes import Lane
from tenure.pipeline.values.manifest import TransactionHandle
from tenure.pipeline.values.plan import Bundle
from tenure.pipeline.values.progress import Progress
from tenure.pipeline.values.stager import Result
from tenure.protocol.errors import ErrorCode
from tenure.protocol.messages import OffsetFetchRequest, OffsetFetchRequestGroup, OffsetFetchRequestTopics
from tenure.protocol.special_values import READ_COMMITTED
from tenure.protocol.types import GroupId, PartitionId, TopicName
from tenure.spark.kafka.lane_transactions import write_in_transaction
from tenure.spark.kafka.topic_log import TopicLog
from tenure.spark.workers.task import new_id
from tenure.values import OffsetAndMetadata, TopicPartition
from tests.pipeline.crashes.crash_points import CrashingFiles, CrashingMembership, CrashingTransactions, CrashPoints
from tests.pipeline.crashes.forgetful_directory import ForgetfulDirectory
from tests.pipeline.crashes.memberships import cache_of, new_membership, standby_lanes_of
from tests.simulation.broken import Broken
from tests.simulation.pipelines.counting import STATE, Numbers, counted
from tests.simulation.pipelines.counting_in_steps import counting_steps
from tests.simulation.pipelines.invariants import Commits, pointer_resolves, sweep_safe
from tests.wire import Wire

PARTITIONS = 2
OFFSET_FETCH_VERSION = 9
"""Version of OffsetFetch that names topics."""
TO_TOPIC = "seen"
UNSTABLE_PAUSE_S = 0.02
BATCH_RECORDS = 20


@dataclass(frozen=True, slots=True)
class ApplicationSettings:
    """Settings of one application. `group` is also the name of its topic."""

    address: str
    group: str
    group_protocol: str
    instance_id: str
    root: str
    event_log: str
    crash_point: str | None = None
    number: int | None = None
    """Number of the signal that it sends to itself at the crash point."""
    partitions: int = PARTITIONS
    batch_records: int = BATCH_RECORDS
    has_threads: bool = False
    """True if background tasks run in threads. Without threads, the crash points have a fixed order."""
    has_steps: bool = False
    """True if the pipeline is a chain of two stateful steps."""


class EventLog:
    """File of events, written line by line with system calls, so that lines from before a kill remain."""

    def __init__(self, path: str) -> None:
        self.file = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o644)

    def tell(self, what: Mapping[str, Any]) -> None:
        os.write(self.file, json.dumps(what).encode() + b"\n")


def layout_of(settings: ApplicationSettings) -> Layout:
    return Layout.of(GroupId(settings.group), f"{settings.root}/now/out")


def partitions_of(settings: ApplicationSettings) -> list[TopicPartition]:
    return [TopicPartition(TopicName(settings.group), PartitionId(number)) for number in range(settings.partitions)]


def main(settings: ApplicationSettings) -> None:
    event_log = EventLog(settings.event_log)
    try:
        run(settings, event_log)
    except PipelineStopped as stopped:
        event_log.tell({"ended": stopped.code.value, "why": stopped.sentence})
    except BaseException as error:
        event_log.tell({"ended": type(error).__name__, "why": str(error)})
        raise


def run(settings: ApplicationSettings, event_log: EventLog) -> None:
    crash_points = CrashPoints(event_log.tell, settings.crash_point, settings.number)
    files = CrashingFiles(Path(settings.root), crash_points, Sentinel(settings))
    membership = new_membership(settings)
    log = TopicLog(settings.address)
    job = job_of(settings, crash_points)
    standby = standby_lanes_of(membership, job, files, settings.group)

    def observer(progress: Progress) -> None:
        crash_points.observe(progress)
        event_log.tell({"step": progress.step.value, "reason": progress.reason})

    engine = Engine(
        EngineSettings(
            topics=(TopicName(settings.group),),
            stateful=True,
            max_records=settings.batch_records,
            rebalance_timeout_s=10.0,
        ),
        layout_of(settings),
        CrashingMembership(membership, settings.address, settings.group, crash_points),
        log,
        InThisProcess(job, files),
        files,
        new_id=new_id,
        clock_s=time.monotonic,
        observer=observer,
        background_tasks=BackgroundThreads(settings.instance_id) if settings.has_threads else FOREGROUND_TASKS,
        transactions=CrashingTransactions(settings.address, membership.member, settings.group, crash_points),
    )
    signal.signal(signal.SIGTERM, lambda *_: engine.stop())
    membership.start()
    if standby is not None:
        standby.start()
    engine.run()
    membership.close(leave=True)


def committed_in(
    address: str, group: str, partitions: Sequence[TopicPartition], *, require_stable: bool = False
) -> dict[TopicPartition, OffsetAndMetadata | None]:
    """Return the committed offsets, read on a new connection.

    With `require_stable`, wait for the markers of committed transactions, as the recovery of a lane does.
    """
    host, _, port = address.rpartition(":")
    wanted = [
        OffsetFetchRequestTopics(name=TopicName(group), partition_indexes=[each.partition for each in partitions])
    ]
    groups = [OffsetFetchRequestGroup(group_id=GroupId(group), topics=wanted)]
    request = OffsetFetchRequest(groups=groups, require_stable=require_stable)
    with Wire(host, int(port)) as wire:
        (topic,) = wire.ask(request, OFFSET_FETCH_VERSION).groups[0].topics
        while any(found.error_code == ErrorCode.UNSTABLE_OFFSET_COMMIT for found in topic.partitions):
            time.sleep(UNSTABLE_PAUSE_S)
            (topic,) = wire.ask(request, OFFSET_FETCH_VERSION).groups[0].topics
    return {
        TopicPartition(topic.name, found.partition_index): None
        if found.committed_offset < 0
        else OffsetAndMetadata(found.committed_offset, found.metadata, found.committed_leader_epoch)
        for found in topic.partitions
    }


def job_of(settings: ApplicationSettings, crash_points: CrashPoints) -> Job:
    """Return the job. Only lanes of odd partitions also write rows to a topic, and so commit in a transaction."""
    work = counting_steps() if settings.has_steps else None
    return Job(
        layout_of(settings),
        Numbers(),
        partial(with_topic, counted if work is None else work.function),
        partial(fetch_arrow, settings.address, isolation_level=READ_COMMITTED),
        state=STATE if work is None else work.state,
        key="key",
        cache=cache_of(settings.root, settings.group_protocol, settings.instance_id),
        to_topics={TO_TOPIC: TopicRecords(topic_of(settings.group), records_of_rows)},
        write=partial(write_and_pass, crash_points, settings.address),
    )


def with_topic(function: Function, rows: pa.Table, state: KeyedState) -> dict[str, pa.Table]:
    counts = outputs_by_name(function(rows, state)).get(MAIN)
    if counts is None:
        return {}
    return {MAIN: counts, TO_TOPIC: counts.filter(pc.bit_wise_and(counts["partition"], 1).cast(pa.bool_()))}


def topic_of(group: str) -> str:
    return f"{group}-{TO_TOPIC}"


def records_of_rows(rows: pa.Table) -> pa.Table:
    return pa.table({"value": pa.array([json.dumps(list(row.values())).encode() for row in rows.to_pylist()])})


def write_and_pass(
    crash_points: CrashPoints, address: str, transaction: TransactionHandle, records: Sequence[Records]
) -> int:
    rows = write_in_transaction(address, transaction, records)
    crash_points.pass_("rows written to the topic")
    return rows


class Sentinel:
    """Check of SweepSafe before each removal: no committed manifest of the group needs the file."""

    def __init__(self, settings: ApplicationSettings) -> None:
        self.settings = settings
        self.files = ForgetfulDirectory(Path(settings.root))

    def __call__(self, path: str) -> None:
        committed = self.committed()
        while (broken := self.broken_by(path, committed)) is not None:
            seen, committed = committed, self.committed()
            if committed == seen:
                raise broken  # Otherwise the lane's new owner has committed and swept in the meantime.

    def committed(self) -> Commits:
        settings = self.settings
        return committed_in(settings.address, settings.group, partitions_of(settings), require_stable=True)

    def broken_by(self, path: str, committed: Commits) -> Broken | None:
        layout = layout_of(self.settings)
        try:
            for partition in committed:
                lane = Lane((partition.topic,), partition.partition)
                manifest = pointer_resolves(self.files, layout, lane, committed)
                sweep_safe(layout, path, [] if manifest is None else [manifest])
        except Broken as broken:
            return broken
        return None


class InThisProcess:
    """Stager that stages a bundle when its result is requested."""

    def __init__(self, job: Job, files: Files) -> None:
        self.job = job
        self.files = files

    def start(self, bundle: Bundle) -> "Staging":
        return Staging(self, bundle)


class Staging:
    def __init__(self, stager: InThisProcess, bundle: Bundle) -> None:
        self.stager = stager
        self.bundle = bundle

    def wait(self, timeout_s: float) -> list[Result]:
        del timeout_s
        return run_bundle(self.stager.job, self.bundle, self.stager.files, new_id)

    def cancel(self) -> None:
        pass
