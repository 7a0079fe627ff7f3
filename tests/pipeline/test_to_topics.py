"""Rows for a topic on a real broker: they are committed in one transaction with their offset."""

import time
from collections.abc import Callable, Collection, Iterator, Mapping
from contextlib import suppress
from dataclasses import replace
from functools import partial
from pathlib import Path

import pyarrow as pa
import pytest

from tenure.client.consumer.fetch_arrow import fetch_arrow
from tenure.client.errors import TransactionAbortable, UnknownOutcome
from tenure.client.group.group_member import GroupMember
from tenure.client.producer.producer import Producer
from tenure.client.producer.transaction_lender import TransactionLender
from tenure.client.values import GroupMetadata, Identity, TopicPartition
from tenure.pipeline.engine.engine import Engine
from tenure.pipeline.engine.settings import EngineSettings
from tenure.pipeline.errors import PipelineStopped
from tenure.pipeline.output.files import LocalFiles
from tenure.pipeline.output.layout import Layout
from tenure.pipeline.output.transactions import TopicRecords
from tenure.pipeline.state.keyed_state import KeyedState
from tenure.pipeline.task.job import Job
from tenure.pipeline.values.manifest import TransactionHandle
from tenure.pipeline.values.membership import CommitOutcome
from tenure.pipeline.values.plan import Bundle
from tenure.pipeline.values.progress import Progress, ProgressStep
from tenure.pipeline.values.stager import Result
from tenure.protocol.special_values import READ_COMMITTED, READ_UNCOMMITTED
from tenure.protocol.types import GroupId, TopicName
from tenure.spark.kafka.client_membership import ClientMembership
from tenure.spark.kafka.lane_transactions import LaneTransactions, write_in_transaction
from tenure.spark.kafka.topic_log import TopicLog
from tenure.spark.workers.task import new_id
from tenure.testing import Broker
from tenure.values import OffsetAndMetadata
from tests.pipeline.crashes.application import InThisProcess, Staging
from tests.pipeline.harness import Killed
from tests.simulation.pipelines.counting import STATE, Numbers, Record, Row, counted
from tests.simulation.pipelines.invariants import direct
from tests.topic_records import records_of

PARTITIONS = 2
RECORDS = 10
"""Records of each partition."""
HEARTBEAT_MS, SESSION_MS = 900_000, 1_800_000
"""Heartbeat interval and session timeout so long that no member learns during a test that it was removed."""
GROUP, TOPIC, SINK = "counts", "numbers", "counted"
LOST = "lost"
"""Topic to which only a lost attempt of a task writes."""


@pytest.fixture
def broker() -> Iterator[Broker]:
    with Broker() as at:
        for topic in (TOPIC, SINK):
            at.create_topic(topic, partitions=PARTITIONS)
        produce(at)
        yield at


def produce(broker: Broker) -> None:
    with Producer(broker.address) as producer:
        for number in range(PARTITIONS * RECORDS):
            producer.send(TOPIC, key_of(number).encode(), str(number).encode(), partition=number % PARTITIONS)


def key_of(number: int) -> str:
    return f"k{number % PARTITIONS}-{number % 3}"


def as_records(rows: pa.Table) -> pa.Table:
    value = [text(Row(*row.values())) for row in rows.to_pylist()]
    return pa.table({"key": rows["key"].cast(pa.binary()), "value": pa.array(value)})


def text(row: Row) -> str:
    return f"{row.partition}@{row.offset}: {row.key} for the {row.times}th time"


class Application:
    def __init__(
        self,
        broker: Broker,
        root: Path,
        observer: Callable[[Progress], None] = lambda _: None,
        transactions: Callable[..., LaneTransactions] = LaneTransactions,
    ) -> None:
        self.steps: list[Progress] = []
        self.observer = observer
        layout = Layout.of(GroupId(GROUP), str(root))
        self.job = Job(
            layout,
            Numbers(),
            counted,
            partial(fetch_arrow, broker.address, isolation_level=READ_COMMITTED),
            state=STATE,
            sinks={},
            to_topics={"": TopicRecords(SINK, as_records)},
            write=partial(write_in_transaction, broker.address),
        )
        self.membership = GroupMember(
            broker.address,
            GROUP,
            [TOPIC],
            group_instance_id="a",
            session_timeout_ms=SESSION_MS,
            heartbeat_interval_ms=HEARTBEAT_MS,
        )
        self.transactions = transactions(broker.address, self.membership, GROUP)
        self.engine = Engine(
            EngineSettings((TopicName(TOPIC),), stateful=True, max_records=8),
            layout,
            ClientMembership(self.membership, "a"),
            TopicLog(broker.address),
            InThisProcess(self.job, LocalFiles()),
            LocalFiles(),
            new_id=new_id,
            clock_s=time.monotonic,
            observer=self.observe,
            transactions=self.transactions,
        )

    def observe(self, progress: Progress) -> None:
        self.steps.append(progress)
        self.observer(progress)

    def run(self) -> None:
        with self.membership:
            self.engine.run(until="caught-up")


def read(broker: Broker, isolation_level: int) -> list[str]:
    return sorted((value or b"").decode() for _, value in records_of(broker.address, SINK, isolation_level))


def expected() -> list[str]:
    numbers = range(PARTITIONS * RECORDS)
    partitions = [
        [Record(key_of(number), number) for number in numbers[first::PARTITIONS]] for first in range(PARTITIONS)
    ]
    return sorted(text(row) for row in direct(partitions).elements())


def at_first(step: ProgressStep, do: Callable[[], object]) -> Callable[[Progress], None]:
    """Return an observer that acts when this step is first reported."""
    told: list[Progress] = []

    def observer(progress: Progress) -> None:
        if progress.step is step:
            told.append(progress)
            if len(told) == 1:
                do()

    return observer


def die() -> None:
    raise Killed


def test_topic_sink__several_batches__each_row_once_with_its_key(broker: Broker, tmp_path: Path) -> None:
    Application(broker, tmp_path).run()
    assert read(broker, READ_COMMITTED) == read(broker, READ_UNCOMMITTED) == expected()
    assert sum(broker.committed(GROUP).values()) == PARTITIONS * RECORDS


@pytest.mark.parametrize(
    ("step", "is_true"),
    [(ProgressStep.STAGED, False), (ProgressStep.COMMITTED, True)],
    ids=["before its commit", "after its commit"],
)
def test_member_killed__before_or_after_its_commit__transaction_aborted_or_committed_by_recovery(
    broker: Broker, tmp_path: Path, step: ProgressStep, is_true: bool
) -> None:
    with pytest.raises(Killed):
        Application(broker, tmp_path, at_first(step, die)).run()
    assert bool(broker.committed(GROUP)) is is_true
    assert read(broker, READ_UNCOMMITTED) != []
    Application(broker, tmp_path).run()
    assert read(broker, READ_COMMITTED) == expected()


def test_zombie__lane_recovered_by_its_successor__commit_refused_and_none_of_its_rows_read(
    broker: Broker, tmp_path: Path
) -> None:
    successor = Application(broker, tmp_path)
    zombie = Application(broker, tmp_path, at_first(ProgressStep.STAGED, successor.run))
    with suppress(PipelineStopped):  # It may notice the fence before it finds that no work is left.
        zombie.run()
    assert [told.step for told in zombie.steps if told.step in (ProgressStep.COMMITTED, ProgressStep.DROPPED)] == [
        ProgressStep.DROPPED
    ]
    assert read(broker, READ_COMMITTED) == expected()


def test_zombie__has_the_newest_transaction_but_lost_its_instance_id__fenced_by_the_group(
    broker: Broker, tmp_path: Path
) -> None:
    outcomes: list[CommitOutcome] = []
    successor, zombie = Application(broker, tmp_path), Application(broker, tmp_path)

    def settle_and_commit_late() -> None:
        writer, lanes = zombie.engine.writer, zombie.engine.owned_lanes.partitions
        assert writer is not None
        successor.run()
        begun = of_a_zombie(broker, zombie.transactions)
        outcomes.append(
            zombie.transactions.commit(begun, {at: OffsetAndMetadata(RECORDS, "") for at in lanes}, writer).outcome
        )

    zombie.observer = at_first(ProgressStep.STAGED, settle_and_commit_late)
    with suppress(PipelineStopped):
        zombie.run()
    Application(broker, tmp_path).run()
    assert outcomes == [CommitOutcome.FENCED]
    assert "of a zombie" in read(broker, READ_UNCOMMITTED)
    assert read(broker, READ_COMMITTED) == expected()


def test_zombie__recovers_a_lane_of_the_owner__owners_transaction_aborted_and_repeated(
    broker: Broker, tmp_path: Path
) -> None:
    zombie = Application(broker, tmp_path)
    owner = Application(
        broker, tmp_path, at_first(ProgressStep.STAGED, lambda: of_a_zombie(broker, zombie.transactions))
    )
    owner.run()
    dropped = [told.reason for told in owner.steps if told.step is ProgressStep.DROPPED]
    assert len(dropped) == 1
    assert f"'{GROUP}-0'" in dropped[0]
    assert "of a zombie" in read(broker, READ_UNCOMMITTED)
    assert read(broker, READ_COMMITTED) == expected()


def test_task_of_a_zombie__writes_after_the_recovery_of_its_lane__refused(broker: Broker, tmp_path: Path) -> None:
    zombie, owner = Application(broker, tmp_path), Application(broker, tmp_path)
    zombie.transactions.fence_producers([f"{GROUP}-0"])
    begun = zombie.transactions.begin(f"{GROUP}-0")
    assert begun is not None
    owner.run()
    with pytest.raises(TransactionAbortable, match="INVALID_PRODUCER_EPOCH"):
        write_in_transaction(broker.address, begun, [(SINK, pa.table({"value": ["of a zombie"]}))])
    assert read(broker, READ_UNCOMMITTED) == read(broker, READ_COMMITTED) == expected()


class Refused(LaneTransactions):
    def has_owned(self, partitions: Collection[TopicPartition], identity: Identity) -> bool:
        del partitions, identity
        return False


class LosesItsFirstTask(InThisProcess):
    """Stager that loses the first attempt of the first bundle after it wrote rows.

    Spark runs the task again, and the second attempt has no rows. The rows of the lost one go to a topic of their own,
    because later batches also begin with sequence 0.
    """

    def start(self, bundle: Bundle) -> Staging:
        for plan in bundle.lanes:
            assert plan.transaction is not None
            assert self.job.write is not None
            self.job.write(plan.transaction, [(LOST, pa.table({"value": ["of a lost attempt"]}))])
        self.start = super().start  # type: ignore[method-assign]
        return SecondAttempt(InThisProcess(replace(self.job, function=without_rows), self.files), bundle)


class SecondAttempt(Staging):
    def wait(self, timeout_s: float) -> list[Result]:
        from pyspark import TaskContext

        TaskContext._getOrCreate()._attemptNumber = 1
        try:
            return super().wait(timeout_s)
        finally:
            TaskContext._setTaskContext(None)


def without_rows(rows: pa.Table, state: KeyedState) -> pa.Table:
    return counted(rows, state).slice(0, 0)


def test_second_attempt_of_a_task__first_attempt_wrote_rows__rows_of_the_first_not_read(
    broker: Broker, tmp_path: Path
) -> None:
    broker.create_topic(LOST)
    one = Application(broker, tmp_path)
    one.engine.stager = LosesItsFirstTask(one.job, LocalFiles())
    one.run()
    assert len(records_of(broker.address, LOST, READ_UNCOMMITTED)) == PARTITIONS
    assert records_of(broker.address, LOST, READ_COMMITTED) == []
    assert read(broker, READ_COMMITTED) == expected()


@pytest.mark.parametrize(
    ("step", "transactions"),
    [(ProgressStep.STAGED, LaneTransactions), (ProgressStep.DROPPED, Refused)],
    ids=["before its commit", "after its commit was refused"],
)
def test_pipeline_fails__transactions_open__transactions_aborted(
    broker: Broker, tmp_path: Path, step: ProgressStep, transactions: type[LaneTransactions]
) -> None:
    def fail() -> None:
        raise ValueError("out of order")

    with pytest.raises(ValueError, match="out of order"):
        Application(broker, tmp_path, at_first(step, fail), transactions).run()
    with Producer(broker.address) as producer:
        for number in range(PARTITIONS):
            producer.send(SINK, None, b"of somebody else", partition=number)
    assert read(broker, READ_COMMITTED) == ["of somebody else"] * PARTITIONS


def test_stop__lane_belongs_to_another_member_now__transaction_of_the_owner_continues(
    broker: Broker, tmp_path: Path
) -> None:
    owner, lane = Application(broker, tmp_path).transactions, f"{GROUP}-0"
    stopped = Application(broker, tmp_path, at_first(ProgressStep.IDLE, lambda: owner.fence_producers([lane])))
    stopped.run()
    begun = owner.begin(lane)
    assert begun is not None
    assert write_in_transaction(broker.address, begun, [(SINK, pa.table({"value": ["of the owner"]}))]) == 1


class RefusedOnce(LaneTransactions):
    """Group that refuses the first commit of partition 1."""

    def has_owned(self, partitions: Collection[TopicPartition], identity: Identity) -> bool:
        if self.is_over or not any(each.partition == 1 for each in partitions):
            return super().has_owned(partitions, identity)
        self.is_over = True
        return False

    is_over = False


def test_commit_of_one_lane__refused__only_this_lane_of_the_bundle_is_dropped(broker: Broker, tmp_path: Path) -> None:
    one = Application(broker, tmp_path, transactions=RefusedOnce)
    one.run()
    steps = [(told.step, [int(lane.lane.partition) for lane in told.lanes]) for told in one.steps]
    first = steps.index((ProgressStep.PLANNED, [0, 1]))
    assert steps[first + 2 : first + 5] == [
        (ProgressStep.COMMITTED, [0]),
        (ProgressStep.DROPPED, [1]),
        (ProgressStep.PUBLISHED, [0]),
    ]
    assert ProgressStep.ROLLED_FORWARD not in [step for step, _ in steps]
    assert read(broker, READ_COMMITTED) == expected()


class Unanswered(LaneTransactions):
    """Transactions whose first end gets no answer; with `happens` it has taken effect."""

    def __init__(self, address: str, member: GroupMember, group_id: str, *, happens: bool) -> None:
        super().__init__(address, member, group_id)
        self.happens = happens
        self.ends = 0

    def end(
        self, lender: TransactionLender, positions: Mapping[TopicPartition, OffsetAndMetadata], group: GroupMetadata
    ) -> None:
        self.ends += 1
        if self.ends > 1:
            return super().end(lender, positions, group)
        lender.send_offsets(positions, group)
        if self.happens:
            lender.commit()
        raise UnknownOutcome("no answer")


@pytest.mark.parametrize("happens", [True, False], ids=["committed", "not committed"])
def test_end_of_a_transaction__no_answer__outcome_read_from_the_committed_offset(
    broker: Broker, tmp_path: Path, happens: bool
) -> None:
    one = Application(broker, tmp_path, transactions=partial(Unanswered, happens=happens))
    one.run()
    assert ProgressStep.REVOKED in [told.step for told in one.steps]
    assert read(broker, READ_COMMITTED) == expected()


def of_a_zombie(broker: Broker, transactions: LaneTransactions) -> TransactionHandle:
    transactions.fence_producers([f"{GROUP}-0"])
    begun = transactions.begin(f"{GROUP}-0")
    assert begun is not None
    write_in_transaction(broker.address, begun, [(SINK, pa.table({"value": ["of a zombie"]}))])
    return begun
