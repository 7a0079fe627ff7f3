"""A worker of the bank: a real membership, a real transactional producer's rules, and transfers that it enters.

It consumes, transforms and produces as the book says: positions are read with `require_stable`, entries and position
go into one transaction, under the identity that the member had when it began. What it does is written as it happens,
one request after the other; each one takes its time, and while the process stands still nothing goes on.
"""

from collections.abc import Callable, Generator, Mapping
from typing import TYPE_CHECKING, Any, Final, TypeAlias

from tenure.client.errors import ClientError, TransactionAbortable
from tenure.client.group.membership_settings import CONSUMER
from tenure.client.producer.producer_transactions import EPOCH_BUMPS, State, Transactions
from tenure.client.producer.transaction_reactions import (
    ABORT_ELSE_FATAL,
    ADD_OFFSETS_ELSE_FATAL,
    ADD_PARTITIONS_ELSE_ABORT,
    COMMIT_ELSE_FATAL,
    INIT_PRODUCER_ID_ELSE_FATAL,
    TXN_OFFSET_COMMIT_ELSE_ABORT,
    Reaction,
    Reactions,
)
from tenure.client.producer.transaction_requests import (
    add_offsets,
    add_partitions,
    end_txn,
    init_producer_id,
    refusal_of_offsets,
    refusal_to_add,
    txn_offset_commit,
)
from tenure.client.values import (
    NO_IDENTITY,
    Assigned,
    Event,
    GroupMetadata,
    Identity,
    Lost,
    OffsetAndMetadata,
    OpenTransaction,
    Revoked,
    TopicPartition,
)
from tenure.protocol.errors import ErrorCode
from tenure.protocol.message import Message
from tenure.protocol.messages import (
    OffsetFetchRequest,
    OffsetFetchRequestGroup,
    OffsetFetchRequestTopics,
    PartitionProduceData,
    ProduceRequest,
    TopicProduceData,
)
from tenure.protocol.records import Record, encode_batch
from tenure.protocol.types import GroupId, MemberId, PartitionId, TopicId, TopicName
from tests.simulation.bank.books import Books
from tests.simulation.bank.ledger import ENTRIES, TRANSFERS, Entry, Place, Transfer, entered
from tests.simulation.process import REQUEST_TIMEOUT_MS, Process

if TYPE_CHECKING:
    from tests.simulation.bank.life import BankCluster

CHANGES_ITS_MIND: Final = 0.1
"""Chance that a transaction is aborted for no reason."""
GIVES_UP: Final = 0.3
"""Chance that a request of a transaction without an answer is not repeated."""
RETRY_MS: Final = 300
LETS_THE_FENCE_DECIDE: Final = 0.5
"""Chance that a worker continues with partitions that are being revoked."""

Steps: TypeAlias = "Generator[Message | int, Message | None, Any]"
"""Yields requests, and is sent their responses, None where there is none; or milliseconds, to wait."""


class Ended(Exception):
    """The producer is of no use any more: the process ends, and its supervisor starts another one."""


class Teller(Process):
    def __init__(self, cluster: "BankCluster", name: str, *process: Any) -> None:
        self.cluster: Final = cluster
        super().__init__(name, *process)

    def _new_work(self) -> "TransferWork":
        self.transfer_work = TransferWork(self, self.cluster)
        return self.transfer_work

    @property
    def is_in_transaction(self) -> bool:
        return self.transfer_work.transactions.state not in (State.UNINITIALIZED, State.READY, State.FATAL)


class TransferWork:
    def __init__(self, process: Teller, cluster: "BankCluster") -> None:
        self.topic_ids: dict[TopicPartition, TopicId] = {}
        self._process: Final = process
        self._cluster: Final = cluster
        self._books: Final[Books] = cluster.books
        self._random: Final = cluster.random
        self._positions: Final[dict[TopicPartition, int | None]] = {}
        """Positions of its partitions; None if a position has to be looked up."""
        self._given_away: set[TopicPartition] = set()
        """Partitions that it lost during a transaction."""
        seat = process.settings.group_instance_id or process.name.rpartition(".")[0]
        self.transactions: Final = Transactions(seat if cluster.id_of_seat else process.name)
        self._sequences: dict[int, int] = {}
        self._sequences_of: OpenTransaction | None = None
        self._transaction = 0

    # --- what the membership says -------------------------------------------------------------------------------------

    def hear(self, event: Event) -> None:
        match event:
            case Assigned():
                ids = self._process.membership.topic_ids
                self.topic_ids.update({added: ids[added.topic] for added in event.added if added.topic in ids})
                self._positions.update(dict.fromkeys(event.added))
            case Revoked():
                self._forget(event.partitions, gives_up=self._random.random() > LETS_THE_FENCE_DECIDE)
                takes_ms = self._random.randrange(1, self._process.habits.lets_go_in_ms + 1)
                self._cluster.agenda.after(takes_ms, self._let_go)
            case Lost():
                self._forget(event.partitions, gives_up=self._random.random() > LETS_THE_FENCE_DECIDE)

    def _forget(self, partitions: Any, *, gives_up: bool) -> None:
        for partition in partitions:
            self._positions.pop(partition, None)
            if gives_up:
                self._given_away.add(partition)

    def _let_go(self) -> None:
        self._process.tell(self._process.membership.acknowledge_revocation)

    # --- how it goes on -----------------------------------------------------------------------------------------------

    def rest(self) -> None:
        self._go_on(self._life(), None)

    def _go_on(self, steps: Steps, heard: Message | None) -> None:
        if self._process.waits(lambda: self._go_on(steps, heard)):
            return
        try:
            wanted = steps.send(heard)
        except Ended as end:
            self._cluster.trace.did[f"worker ended: {end}"] += 1
            self._process.kill()
            return
        if isinstance(wanted, int):
            self._cluster.agenda.after(wanted, lambda: self._go_on(steps, None))
        else:
            self._process.send(wanted, lambda response: self._go_on(steps, response))

    def _life(self) -> Steps:
        writer = yield from self._next_epoch(None)
        self.transactions.initialized(writer)
        while True:
            yield 1 + self._random.randrange(2 * self._process.habits.work_every_ms)
            self._process.poll()
            if not self._process.membership.may_commit:
                continue
            identity = self._process.identity
            yield from self._look_up_positions(identity)
            work, ends = self._planned()
            if work:
                yield from self._transact(work, ends, identity)

    # --- positions ----------------------------------------------------------------------------------------------------

    def _look_up_positions(self, identity: Identity) -> Steps:
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
        response: Any = yield OffsetFetchRequest(groups=[group], require_stable=True)
        if response is None or response.groups[0].error_code:
            return
        for found in response.groups[0].topics[0].partitions:
            partition = TopicPartition(TRANSFERS, found.partition_index)
            if not found.error_code and partition in self._positions and self._positions[partition] is None:
                self._positions[partition] = max(found.committed_offset, 0)

    def _planned(self) -> tuple[dict[Place, Transfer], dict[TopicPartition, int]]:
        """Return some transfers of some partitions, and their end."""
        work: dict[Place, Transfer] = {}
        ends: dict[TopicPartition, int] = {}
        owned = set(self._process.membership.partitions)
        for partition, offset in self._positions.items():
            if offset is None or partition not in owned or not self._cluster.machine.is_up:
                continue
            found = self._books.transfers(
                partition.partition, offset, 1 + self._random.randrange(self._cluster.transfers_at_once)
            )
            if found:
                work |= {Place(partition.partition, offset + n): transfer for n, transfer in enumerate(found)}
                ends[partition] = offset + len(found)
        return work, ends

    # --- a transaction ------------------------------------------------------------------------------------------------

    def _transact(self, work: Mapping[Place, Transfer], ends: dict[TopicPartition, int], identity: Identity) -> Steps:
        self._transaction += 1
        self._given_away.clear()
        name = f"{self._process.name}/{self._transaction}"
        entries = entered(name, work, self._cluster.entries_partitions)
        self.transactions.begin()
        try:
            yield from self._do(name, entries, ends, identity)
            if self._random.random() < CHANGES_ITS_MIND or not self._given_away.isdisjoint(ends):
                raise self.transactions.failed("it has changed its mind")
            self.transactions.become_committing()
            yield from self._end()
        except TransactionAbortable:
            self._cluster.trace.note(self._process.name, "aborts", name, self.transactions.failure)
            self.transactions.become_aborting()
            yield from self._end()
            self._books.aborted(name)
            self._positions.update(dict.fromkeys(self._positions))
        else:
            self._books.committed(name, sum(map(len, entries.values())))
            self._positions.update({partition: at for partition, at in ends.items() if partition in self._positions})

    def _do(
        self, name: str, entries: Mapping[int, list[Entry]], ends: Mapping[TopicPartition, int], identity: Identity
    ) -> Steps:
        parts: list[Callable[[], Steps]] = [
            lambda: self._write({partition: some[: len(some) // 2] for partition, some in entries.items()}),
            lambda: self._write({partition: some[len(some) // 2 :] for partition, some in entries.items()}),
        ]
        parts.insert(self._random.randrange(len(parts) + 1), lambda: self._send_offsets(name, ends, identity))
        for part in parts:
            yield from part()
            yield 1 + self._random.randrange(self._process.habits.work_takes_ms)

    @property
    def _writer(self) -> OpenTransaction:
        assert self.transactions.writer is not None
        return self.transactions.writer

    def _write(self, entries: Mapping[int, list[Entry]]) -> Steps:
        self.transactions.touched()
        wanted = {TopicPartition(ENTRIES, partition) for partition in entries} - self.transactions.partitions
        if self._writer.transaction_version < EPOCH_BUMPS and wanted:
            adding = add_partitions(self._writer, wanted)
            yield from self._part(adding, refusal_to_add, ADD_PARTITIONS_ELSE_ABORT, Reaction.ABORT)
            self.transactions.partitions.update(wanted)
        unwritten = {partition: self._batch(partition, some) for partition, some in entries.items()}
        while unwritten:
            data = [PartitionProduceData(PartitionId(partition), batch) for partition, batch in unwritten.items()]
            topics = [TopicProduceData(TopicName(ENTRIES), partition_data=data)]
            request = ProduceRequest(self.transactions.transactional_id, -1, REQUEST_TIMEOUT_MS, topics)
            response: Any = yield request
            answers = [] if response is None else response.responses[0].partition_responses
            if response is None and self._random.random() < GIVES_UP:
                raise self._failed("no answer")
            for answer in answers:
                code = ErrorCode(answer.error_code)
                if code is ErrorCode.NONE:
                    del unwritten[answer.index]
                elif not code.retriable:
                    raise self._failed(code.name)
            if unwritten:
                yield RETRY_MS

    def _batch(self, partition: int, entries: list[Entry]) -> bytes:
        """Return a batch. A new epoch starts with sequence 0."""
        if self._sequences_of != self._writer:
            self._sequences, self._sequences_of = {}, self._writer
        sequence = self._sequences.get(partition, 0)
        self._sequences[partition] = sequence + len(entries)
        return encode_batch(
            [Record(0, self._cluster.machine.now.wall_ms, None, entry.encode()) for entry in entries],
            producer_id=self._writer.producer_id,
            producer_epoch=self._writer.producer_epoch,
            base_sequence=sequence,
            is_transactional=True,
        )

    def _send_offsets(self, name: str, ends: Mapping[TopicPartition, int], identity: Identity) -> Steps:
        self.transactions.touched()
        group = GroupMetadata(self._process.settings.group_id, identity)
        if self._writer.transaction_version < EPOCH_BUMPS:
            request = add_offsets(self._writer, group.group_id)
            yield from self._part(request, _code, ADD_OFFSETS_ELSE_FATAL, Reaction.FATAL)
        offsets = {partition: OffsetAndMetadata(offset, name) for partition, offset in ends.items()}
        commit = txn_offset_commit(self._writer, offsets, group)
        yield from self._part(commit, refusal_of_offsets, TXN_OFFSET_COMMIT_ELSE_ABORT, Reaction.ABORT)

    # --- its end ------------------------------------------------------------------------------------------------------

    def _end(self) -> Steps:
        """End the transaction like `TransactionalId.end`.

        Without an answer the request is repeated. Under version 1, a late request cannot be distinguished from one of
        the next transaction (KIP-890), so no further request uses that epoch.
        """
        transactions, writer = self.transactions, self._writer
        if transactions.has_begun:
            commits = transactions.state is State.COMMITTING
            reactions = COMMIT_ELSE_FATAL if commits else ABORT_ELSE_FATAL
            transactions.decided()
            gives_up = float(writer.transaction_version < EPOCH_BUMPS)
            reaction, code, answer = yield from self._settled(end_txn(writer, commits), _code, reactions, gives_up)
            next_writer = transactions.next_writer(reaction, answer)
            if next_writer is None:
                raise self._failed(code.name) if reaction is Reaction.ABORT else Ended(code.name)
            writer = next_writer
        if transactions.needs_epoch and writer == transactions.writer:
            writer = yield from self._next_epoch(writer)
        transactions.ended(writer)

    def _next_epoch(self, writer: OpenTransaction | None) -> Steps:
        name, cluster = self.transactions.transactional_id, self._cluster
        request = init_producer_id(name, cluster.transaction_timeout_ms, writer)
        reaction, code, answer = yield from self._settled(request, _code, INIT_PRODUCER_ID_ELSE_FATAL, 0.0)
        if reaction is not Reaction.DONE:
            raise Ended(code.name)
        return OpenTransaction(name, answer.producer_id, answer.producer_epoch, cluster.transaction_version)

    # --- asking -------------------------------------------------------------------------------------------------------

    def _part(self, request: Message, code_of: Any, reactions: Reactions, other: Reaction) -> Steps:
        reaction, code, _ = yield from self._settled(request, code_of, reactions, GIVES_UP)
        if (reaction or other) is Reaction.ABORT:
            raise self._failed(code.name)
        if reaction is not Reaction.DONE:
            raise Ended(code.name)

    def _settled(self, request: Message, code_of: Any, reactions: Reactions, gives_up: float) -> Steps:
        """Repeat a request until its answer is not retriable."""
        while True:
            self._cluster.trace.note(self._process.name, "asks", request)
            response = yield request
            if response is not None:
                code = code_of(response)
                reaction = reactions.get(code)
                if reaction not in (Reaction.RETRY, Reaction.REDISCOVER):
                    return reaction, code, response
            elif self._random.random() < gives_up:
                if self.transactions.is_decided:
                    raise Ended("no answer to its end")
                raise self._failed("no answer")
            yield RETRY_MS

    def _failed(self, why: str) -> ClientError:
        self._cluster.trace.did[f"abortable: {why}"] += 1
        return self.transactions.failed(why)


def _code(response: Any) -> ErrorCode:
    return ErrorCode(response.error_code)
