"""Worker of the bank: it processes transfers with a real membership and the real transactional producer.

It reads positions with `require_stable`. It writes entries and position in one transaction, under the identity that the
member had when the transaction began. The producer's own coroutines send one request after the other. Only the class
`Producer` is not used, because it needs threads.
"""

import asyncio
from collections.abc import Awaitable, Callable, Coroutine, Iterable, Mapping
from typing import TYPE_CHECKING, Any, Final, TypeAlias

from tenure.client.errors import RequestRefused, RequestTimedOut, TransactionAbortable, UnknownOutcome
from tenure.client.producer.delivery import Delivery
from tenure.client.producer.producer_queue import Queue
from tenure.client.producer.producer_settings import producer_settings
from tenure.client.producer.producer_transactions import ProducerTransactions, TransactionState
from tenure.client.producer.sender import Sender
from tenure.client.producer.transaction_coordinator_client import TransactionalId
from tenure.client.values import GroupMetadata
from tenure.limits.client import RECORD_OVERHEAD_BYTES
from tenure.protocol.message import Message
from tenure.protocol.messages import (
    OffsetFetchRequest,
    OffsetFetchRequestGroup,
    OffsetFetchRequestTopics,
)
from tenure.protocol.records import Record
from tenure.protocol.special_values import CONSUMER
from tenure.protocol.types import GroupId, MemberId, PartitionId, TopicId, TopicName
from tenure.values import (
    NO_IDENTITY,
    Assigned,
    Event,
    Identity,
    Lost,
    OffsetAndMetadata,
    Revoked,
    TopicPartition,
)
from tests.simulation.bank.client_coroutines import AwaitedResponse, SimulatedCluster, VirtualLoop
from tests.simulation.bank.entries import ENTRIES, TRANSFERS, Entry, Transfer, TransferPosition, entered
from tests.simulation.bank.model import BankModel
from tests.simulation.process import Process

if TYPE_CHECKING:
    from tests.simulation.bank.life import BankCluster

ABORT_SHARE: Final = 0.1
"""Probability that a worker aborts a transaction for no reason."""
PATIENCE_MS: Final = (2_000, 20_000, 120_000)
"""Bounds of a producer's retries (`max.block.ms`), of which each producer has one."""
RETRIES: Final = 3
"""Retries of a batch. The producer's other bound, `delivery.timeout.ms`, is in real time."""
FOREVER_MS: Final = 2**31 - 1
CONTINUES_AFTER_REVOCATION: Final = 0.5
"""Probability that a worker continues with partitions that are being revoked."""

Course: TypeAlias = Coroutine[Any, Any, None]


class SimulatedUserError(Exception):
    """Simulated exception in the code of the worker."""


class SequentialSender(Sender):
    """Sender without a task for each partition: the worker itself sends the queued batches."""

    def start_or_end_linger(self, queue: Queue) -> None:
        """Do nothing, because `write` sends the batches."""

    async def write(self, queue: Queue, records: Iterable[Record]) -> None:
        """Write records as one batch."""
        for record in records:
            size = len(record.value or b"") + RECORD_OVERHEAD_BYTES
            with self.lock:
                self.make_room(size)
                queue.append(record.key, record.value, record.timestamp_ms, record.headers, size, None)
                self.count_queued(queue, size)
        await self._drain(queue)


class TransferProcess(Process):
    def __init__(self, cluster: "BankCluster", name: str, *process: Any) -> None:
        self.cluster: Final = cluster
        super().__init__(name, *process)

    def _new_work(self) -> "TransferWork":
        self.transfer_work = TransferWork(self, self.cluster)
        return self.transfer_work

    @property
    def is_in_transaction(self) -> bool:
        return self.transfer_work.transactions.state not in (
            TransactionState.UNINITIALIZED,
            TransactionState.READY,
            TransactionState.FATAL,
        )


class TransferWork:
    def __init__(self, process: TransferProcess, cluster: "BankCluster") -> None:
        self.topic_ids: dict[TopicPartition, TopicId] = {}
        self._process: Final = process
        self._cluster: Final = cluster
        self._model: Final[BankModel] = cluster.model
        self._random: Final = cluster.random
        self._positions: Final[dict[TopicPartition, int | None]] = {}
        """Positions of its partitions; None if a position has to be read."""
        self._given_away: set[TopicPartition] = set()
        """Partitions that the worker lost during a transaction."""
        seat = process.settings.group_instance_id or process.name.rpartition(".")[0]
        self.transactions: Final = ProducerTransactions(seat if cluster.has_id_per_member else process.name)
        simulated: Any = SimulatedCluster(cluster.transaction_version, self._random.choice(PATIENCE_MS))
        self._transactional: Final = TransactionalId(
            simulated, self.transactions, transaction_timeout_ms=cluster.transaction_timeout_ms
        )
        settings = producer_settings(
            {
                "bootstrap.servers": "simulated",
                "transactional.id": self.transactions.transactional_id,
                "linger.ms": 0,
                "retries": RETRIES,
                "delivery.timeout.ms": FOREVER_MS,
            }
        )
        delivery = Delivery(simulated, settings, self._transactional)
        self._sender: Final = SequentialSender(delivery, settings, self.transactions)
        partitions = range(cluster.entries_partitions)
        self._queues: Final = [Queue(TopicPartition(ENTRIES, partition)) for partition in partitions]
        self._transaction = 0
        self._loop: Final = VirtualLoop(lambda: cluster.agenda.now_ms / 1_000)

    # --- events of the membership -------------------------------------------------------------------------------------

    def handle_event(self, event: Event) -> None:
        match event:
            case Assigned():
                ids = self._process.membership.topic_ids
                self.topic_ids.update({added: ids[added.topic] for added in event.added if added.topic in ids})
                self._positions.update(dict.fromkeys(event.added))
            case Revoked():
                self._forget(event.partitions, gives_up=self._random.random() > CONTINUES_AFTER_REVOCATION)
                takes_ms = self._random.randrange(1, self._process.habits.release_delay_ms + 1)
                self._cluster.agenda.after(takes_ms, self._acknowledge_revocation)
            case Lost():
                self._forget(event.partitions, gives_up=self._random.random() > CONTINUES_AFTER_REVOCATION)

    def _forget(self, partitions: Any, *, gives_up: bool) -> None:
        for partition in partitions:
            self._positions.pop(partition, None)
            if gives_up:
                self._given_away.add(partition)

    def _acknowledge_revocation(self) -> None:
        self._process.tell(self._process.membership.acknowledge_revocation)

    # --- running the coroutine ----------------------------------------------------------------------------------------

    def schedule_work(self) -> None:
        self._continue(self._live(), None)

    def _continue(self, course: Course, heard: Message | None) -> None:
        if self._process.waits(lambda: self._continue(course, heard)):
            return
        try:
            wanted = self._loop.step(course, heard)
        except RequestRefused as fatal:
            self._cluster.trace.did[f"worker ended: {fatal.error_code.name}"] += 1
            self._process.kill()
            return
        if isinstance(wanted, Message):
            self._cluster.trace.note(self._process.name, "asks", wanted)
            self._process.send(wanted, lambda response: self._continue(course, response))
        else:
            self._cluster.agenda.after(wanted, lambda: self._continue(course, None))

    async def _live(self) -> None:
        await self._until_known(self._transactional.initialize)
        while True:
            await self._pause(2 * self._process.habits.work_every_ms)
            self._process.poll()
            if not self._process.membership.may_commit:
                continue
            identity = self._process.identity
            await self._look_up_positions(identity)
            work, ends = self._planned()
            if work:
                await self._transact(work, ends, identity)

    async def _pause(self, longest_ms: int) -> None:
        await asyncio.sleep((1 + self._random.randrange(longest_ms)) / 1_000)

    async def _until_known(self, call: Callable[[], Awaitable[None]]) -> None:
        """Repeat a call while its outcome is unknown, as the documentation of `Producer` requires."""
        while True:
            try:
                return await call()
            except (RequestTimedOut, UnknownOutcome):
                self._cluster.trace.did["outcome unknown"] += 1

    # --- positions ----------------------------------------------------------------------------------------------------

    async def _look_up_positions(self, identity: Identity) -> None:
        unknown = [partition for partition, offset in self._positions.items() if offset is None]
        if not unknown:
            return
        topic = OffsetFetchRequestTopics(
            name=TopicName(TRANSFERS), partition_indexes=[PartitionId(at.partition) for at in unknown]
        )
        who = identity if self._process.settings.group_protocol == CONSUMER else NO_IDENTITY
        group = OffsetFetchRequestGroup(
            group_id=GroupId(self._process.settings.group_id),
            topics=[topic],
            member_id=MemberId(who.member_id) if who.member_id else None,
            member_epoch=who.generation_id,
        )
        response: Any = await AwaitedResponse(OffsetFetchRequest(groups=[group], require_stable=True))
        if response is None or response.groups[0].error_code:
            return
        for found in response.groups[0].topics[0].partitions:
            partition = TopicPartition(TRANSFERS, found.partition_index)
            if not found.error_code and partition in self._positions and self._positions[partition] is None:
                self._positions[partition] = max(found.committed_offset, 0)

    def _planned(self) -> tuple[dict[TransferPosition, Transfer], dict[TopicPartition, int]]:
        """Return some transfers of some partitions, and the offsets after them."""
        work: dict[TransferPosition, Transfer] = {}
        ends: dict[TopicPartition, int] = {}
        owned = set(self._process.membership.partitions)
        for partition, offset in self._positions.items():
            if offset is None or partition not in owned or not self._cluster.machine.is_up:
                continue
            found = self._model.transfers(
                partition.partition, offset, 1 + self._random.randrange(self._cluster.transfers_at_once)
            )
            if found:
                work |= {
                    TransferPosition(partition.partition, offset + n): transfer for n, transfer in enumerate(found)
                }
                ends[partition] = offset + len(found)
        return work, ends

    # --- a transaction ------------------------------------------------------------------------------------------------

    async def _transact(
        self, work: Mapping[TransferPosition, Transfer], ends: dict[TopicPartition, int], identity: Identity
    ) -> None:
        self._transaction += 1
        self._given_away.clear()
        name = f"{self._process.name}/{self._transaction}"
        entries = entered(name, work, self._cluster.entries_partitions)
        self.transactions.begin()
        try:
            await self._do(name, entries, ends, identity)
            if self._random.random() < ABORT_SHARE or not self._given_away.isdisjoint(ends):
                raise SimulatedUserError
            self.transactions.become_committing()
            await self._until_known(self._transactional.end)
        except (SimulatedUserError, TransactionAbortable) as failure:
            self._cluster.trace.did[f"aborted: {_reason(failure)}"] += 1
            self._cluster.trace.note(self._process.name, "aborts", name, failure)
            self.transactions.become_aborting()
            await self._until_known(self._transactional.end)
            self._model.aborted(name)
            self._positions.update(dict.fromkeys(self._positions))
        else:
            self._model.committed(name, sum(map(len, entries.values())))
            self._positions.update({partition: at for partition, at in ends.items() if partition in self._positions})

    async def _do(
        self, name: str, entries: Mapping[int, list[Entry]], ends: Mapping[TopicPartition, int], identity: Identity
    ) -> None:
        offsets = {partition: OffsetAndMetadata(offset, name) for partition, offset in ends.items()}
        group = GroupMetadata(self._process.settings.group_id, identity)
        parts: list[Callable[[], Awaitable[None]]] = [
            lambda: self._write({partition: some[: len(some) // 2] for partition, some in entries.items()}),
            lambda: self._write({partition: some[len(some) // 2 :] for partition, some in entries.items()}),
        ]
        parts.insert(self._random.randrange(len(parts) + 1), lambda: self._transactional.send_offsets(offsets, group))
        for part in parts:
            await part()
            await self._pause(self._process.habits.work_takes_ms)

    async def _write(self, entries: Mapping[int, list[Entry]]) -> None:
        now_ms = self._cluster.machine.now.wall_ms
        for partition, some in entries.items():
            await self._sender.write(
                self._queues[partition], [Record(0, now_ms, None, entry.encode()) for entry in some]
            )
            if self.transactions.failure is not None:
                raise self.transactions.failure


def _reason(failure: SimulatedUserError | TransactionAbortable) -> str:
    code = failure.error_code if isinstance(failure, TransactionAbortable) else None
    return type(failure).__name__ if code is None else code.name
