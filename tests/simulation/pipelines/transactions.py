"""Transactions of lanes in virtual time: the client's own coroutines, run by the worker that needs their result.

A worker waits for a request or a pause without the run token. Members use the connection of their application; a task
uses one of its own, because it may outlive its driver.
"""

import asyncio
from collections.abc import Callable, Coroutine, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final, TypeVar

import pyarrow as pa

from tenure.client.errors import ClientError, TransactionAbortable
from tenure.client.producer.producer_transactions import ProducerTransactions
from tenure.client.producer.transaction_coordinator_client import TransactionalId
from tenure.client.producer.transaction_lender import TransactionLender
from tenure.client.values import OpenTransaction
from tenure.client.values import TopicPartition as Partition
from tenure.pipeline.output.transactions import Records, TopicRecords
from tenure.pipeline.values.lanes import Writer
from tenure.pipeline.values.manifest import TransactionHandle, parse_pointer
from tenure.pipeline.values.membership import CommitAnswer, CommitOutcome
from tenure.protocol.batches import encode_batch
from tenure.protocol.errors import ErrorCode
from tenure.protocol.message import Message
from tenure.protocol.messages import PartitionProduceData, ProduceRequest, ProduceResponse, TopicProduceData
from tenure.protocol.records import Record
from tenure.protocol.types import PartitionId, TopicName
from tenure.spark.kafka.lane_transactions import LaneTransactions, open_transaction
from tenure.values import OffsetAndMetadata, TopicPartition
from tests.simulation.bank.client_coroutines import AwaitedResponse, SimulatedCluster, VirtualLoop
from tests.simulation.bank.entries import ENTRIES
from tests.simulation.network import Connection
from tests.simulation.pipelines.cooperative_thread import this_worker
from tests.simulation.pipelines.written_rows import Written
from tests.simulation.process import REQUEST_TIMEOUT_MS

if TYPE_CHECKING:
    from tests.simulation.pipelines.application import Application
    from tests.simulation.pipelines.life import PipelineCluster

T = TypeVar("T")

SIDE: Final = "entries"
"""Output that is a topic and has the rows of every second lane."""
RETRY_MS: Final = 300
GIVES_UP: Final = 0.3
"""Probability that a task does not repeat a request without an answer."""

Ask = Callable[[Message], Message | None]
Sleep = Callable[[int], None]


class BlockingLoop(VirtualLoop):
    """Event loop that runs a coroutine in the thread of a worker, which blocks while it waits."""

    def __init__(self, clock_s: Callable[[], float], ask: Ask, sleep: Sleep) -> None:
        super().__init__(clock_s)
        self._ask: Final = ask
        self._sleep: Final = sleep

    def run(self, work: Coroutine[Any, Any, T]) -> T:
        heard: Message | None = None
        while True:
            try:
                wanted = self.step(work, heard)
            except StopIteration as done:
                result: T = done.value
                return result
            if isinstance(wanted, Message):
                heard = self._ask(wanted)
            else:
                self._sleep(wanted)
                heard = None


class SimulatedLender(TransactionLender):
    def __init__(self, application: "Application", transactional_id: str) -> None:
        self._loop: Final = BlockingLoop(application.clock_s, application.ask, application.sleep)
        self._version: Final = application.cluster.transaction_version
        timeout_ms = application.cluster.transaction_timeout_ms
        super().__init__("", transactional_id, transaction_timeout_ms=timeout_ms)

    def _cluster(self, *_: object) -> Any:
        return SimulatedCluster(self._version)

    def _run(self, work: Coroutine[Any, Any, T]) -> T:
        return self._loop.run(work)


class SimulatedTransactions(LaneTransactions):
    def __init__(self, application: "Application") -> None:
        super().__init__("", application.membership, application.settings.group_id)  # type: ignore[arg-type]
        self.application: Final = application

    def new_lender(self, transactional_id: str) -> TransactionLender:
        return SimulatedLender(self.application, transactional_id)

    def init(self, lenders: Sequence[TransactionLender]) -> Sequence[BaseException | None]:
        """Initialize producers one after the other: an application's engine is one worker."""
        return [failure_of(lender) for lender in lenders]

    def commit(
        self, transaction: TransactionHandle, offsets: Mapping[TopicPartition, OffsetAndMetadata], writer: Writer
    ) -> CommitAnswer:
        manifests = [pointer.manifest_id for at in offsets.values() if (pointer := parse_pointer(at.metadata))]
        self.application.commit_sent(manifests)
        answer = super().commit(transaction, offsets, writer)
        if answer.outcome is not CommitOutcome.UNKNOWN:
            self.application.commit_answered(manifests)
        if answer.outcome is CommitOutcome.ACCEPTED:
            self.application.model.decided(offsets)
        self.application.did(f"transaction {answer.outcome.value}")
        self.application.note("ends its transaction", transaction, answer)
        return answer


def failure_of(lender: TransactionLender) -> ClientError | None:
    try:
        lender.init()
    except ClientError as error:
        return error
    return None


# --- in a task --------------------------------------------------------------------------------------------------------


def to_topics() -> dict[str, TopicRecords]:
    return {SIDE: TopicRecords(ENTRIES, as_values)}


def as_values(rows: pa.Table) -> pa.Table:
    lines = [" ".join(map(str, row.values())) for row in rows.to_pylist()]
    return pa.table({"value": pa.array(lines, pa.string())})


class TaskWriter:
    """`Write` of `tenure.pipeline`, for one task."""

    def __init__(self, cluster: "PipelineCluster", name: str) -> None:
        self._cluster: Final = cluster
        self._name: Final = name
        self._connection: Connection | None = None
        self._loop: Final = BlockingLoop(lambda: cluster.agenda.now_ms / 1_000, self._ask, self._pause)

    def __call__(self, transaction: TransactionHandle, records: Sequence[Records]) -> int:
        self._loop.run(self._write(open_transaction(transaction), records))
        return sum(len(rows) for _, rows in records)

    async def _write(self, transaction: OpenTransaction, records: Sequence[Records]) -> None:
        simulated: Any = SimulatedCluster(transaction.transaction_version)
        within, timeout_ms = ProducerTransactions.within(transaction), self._cluster.transaction_timeout_ms
        transactional = TransactionalId(simulated, within, transaction_timeout_ms=timeout_ms)
        for topic, rows in records:
            lines = rows["value"].to_pylist()
            for partition in range(self._cluster.entries_partitions):
                if some := lines[partition :: self._cluster.entries_partitions]:
                    writer = await transactional.add_partition(Partition(topic, partition))
                    half = len(some) // 2
                    for sequence, part in ((0, some[:half]), (half, some[half:])):
                        if part:
                            await self._written(topic, partition, batch_of(writer, sequence, part), transaction)

    async def _written(self, topic: str, partition: int, batch: bytes, transaction: OpenTransaction) -> None:
        data = [PartitionProduceData(PartitionId(partition), batch)]
        topics = [TopicProduceData(TopicName(topic), partition_data=data)]
        request = ProduceRequest(transaction.transactional_id, -1, REQUEST_TIMEOUT_MS, topics)
        while True:
            response = await AwaitedResponse(request)
            if response is None and self._cluster.random.random() < GIVES_UP:
                raise TransactionAbortable("no answer")
            if response is not None:
                assert isinstance(response, ProduceResponse)
                code = ErrorCode(response.responses[0].partition_responses[0].error_code)
                if code is ErrorCode.NONE:
                    self._cluster.trace.did["rows written to a topic"] += 1
                    return
                if not code.retriable:
                    self._cluster.trace.did["rows for a topic refused"] += 1
                    raise TransactionAbortable(code.name, code)
            await asyncio.sleep(RETRY_MS / 1_000)

    def _ask(self, request: Message) -> Message | None:
        answers: list[Message | None] = []

        def arm(wake: Callable[[], None]) -> None:
            def then(response: Message | None) -> None:
                answers.append(response)
                self._cluster.agenda.after(0, wake)

            if self._connection is None or not self._connection.is_open:
                self._connection = Connection(self._cluster.network, self._name)
            self._connection.send(request, REQUEST_TIMEOUT_MS, then)

        this_worker().sleep(arm)
        return answers[0]

    def _pause(self, delay_ms: int) -> None:
        this_worker().sleep(lambda wake: self._cluster.agenda.after(delay_ms, wake))


def batch_of(writer: OpenTransaction, sequence: int, lines: Sequence[str]) -> bytes:
    values = [Written.of(writer.producer_id, writer.producer_epoch, line).encode() for line in lines]
    return encode_batch(
        [Record(0, 1_700_000_000_000, None, value) for value in values],
        producer_id=writer.producer_id,
        producer_epoch=writer.producer_epoch,
        base_sequence=sequence,
        is_transactional=True,
    )
