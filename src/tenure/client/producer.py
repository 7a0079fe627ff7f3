"""A producer: batches per partition, idempotent sequences, transactions, Java's partitioning; rows or Arrow columns in.

The caller's thread only appends to its partition's open batch, or packs whole batches from columns. `Sender` does the
rest.
"""

import asyncio
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from types import TracebackType
from typing import TYPE_CHECKING, Any, Final, Self

from tenure.client.addresses import parse_bootstrap_servers
from tenure.client.cluster import Cluster
from tenure.client.delivery import Delivery
from tenure.client.errors import ClientError, InvalidTxnState, RecordTooLarge, UnknownTopic
from tenure.client.event_loop import client_loop, run
from tenure.client.partitioner import partition_for_key
from tenure.client.producer_queue import Batch, OnDelivery, Queue
from tenure.client.producer_settings import producer_settings
from tenure.client.security import security
from tenure.client.sender import ABORTED, Sender
from tenure.client.transactional_id import TransactionalId
from tenure.client.transactions import State, Transactions
from tenure.client.values import GroupMetadata, OffsetAndMetadata, OpenTransaction, TopicPartition
from tenure.limits import GOODBYE_TIMEOUT_MS, RECORD_OVERHEAD_BYTES
from tenure.protocol.records import Record

if TYPE_CHECKING:
    import pyarrow as pa

TOPIC_CREATION_S: Final = 1.0


class Producer:
    """Writes records to topics. `config` is an address, or has Kafka's keys.

        with Producer({"bootstrap.servers": "localhost:9092", "compression.type": "zstd"}) as producer:
            producer.send("flights", key=b"N1", value=b"...")
            producer.send_arrow("flights", table)

    Thread-safe, but for the calls of transactions: those are for one thread at a time. What could not be delivered is
    raised by the next `flush` or `close`. Raises `ConfigurationError` for a key or a value that makes no sense.

    `within` is a transaction that somebody else began (`TransactionLender`): what is sent belongs to it.
    """

    def __init__(self, config: str | Mapping[str, Any], *, within: OpenTransaction | None = None) -> None:
        self._settings: Final = producer_settings(config, is_within=within is not None)
        values = self._settings.configuration
        self._cluster: Final = Cluster(
            parse_bootstrap_servers(values["bootstrap.servers"]),
            client_id=values["client.id"],
            request_timeout_ms=values["request.timeout.ms"],
            patience_ms=values["max.block.ms"],
            security=security(values),
        )
        self._transactional: Final = self._transactional_id(within)
        transactions = None if self._transactional is None else self._transactional.transactions
        delivery = Delivery(self._cluster, self._settings, self._transactional)
        self._sender: Final = Sender(delivery, self._settings, transactions)
        self._queues: Final[dict[str, list[Queue]]] = {}
        """By topic, by partition. Guarded by the sender's lock, as what follows."""
        self._sticky: Final[dict[str, int]] = {}
        """Where records without a key go until that batch is full (KIP-480)."""

    def _transactional_id(self, within: OpenTransaction | None) -> TransactionalId | None:
        transactional_id = self._settings.configuration["transactional.id"]
        if within is not None:
            transactions = Transactions.within(within)
        elif transactional_id is not None:
            transactions = Transactions(transactional_id)
        else:
            return None
        timeout_ms = self._settings.configuration["transaction.timeout.ms"]
        return TransactionalId(self._cluster, transactions, transaction_timeout_ms=timeout_ms)

    # --- records ------------------------------------------------------------------------------------------------------

    def send(
        self,
        topic: str,
        key: bytes | None,
        value: bytes | None,
        partition: int | None = None,
        timestamp_ms: int | None = None,
        headers: Sequence[tuple[str, bytes | None]] = (),
        on_delivery: OnDelivery | None = None,
    ) -> None:
        """Queue one record; blocks while the buffer is full.

        `on_delivery` hears what became of it: a `RecordMetadata`, or the `DeliveryFailed` that is then not raised by
        `flush`. It is called on the client's event loop and must not block; the `set_result` of a future will do.
        Raises `UnknownTopic`, `BrokerUnreachable`, `RecordTooLarge`, `RequestTimedOut` when there is no room within
        `max.block.ms`, and `DeliveryFailed` once the producer is broken. A transactional one raises `InvalidTxnState`
        outside of a transaction, and `TransactionAbortable` in one that failed.
        """
        queues = self._queues.get(topic) or self._learn(topic)
        size = (len(key) if key else 0) + (len(value) if value else 0) + RECORD_OVERHEAD_BYTES
        if headers:
            size += sum(len(name) + len(content or b"") + 4 for name, content in headers)
        if size > self._settings.max_request_bytes:
            self._refuse(topic, size)
        record = Record(0, time.time_ns() // 1_000_000 if timestamp_ms is None else timestamp_ms, key, value, headers)
        with self._sender.lock:
            self._sender.make_room(size)
            queue = self._queue_for(topic, queues, key, partition, size)
            if queue.append(record, size, on_delivery) >= self._settings.batch_bytes:
                queue.close_batch()
                if partition is None and key is None:
                    self._stick_to_next(topic, queue)
            self._sender.took(queue, size)

    def _queue_for(
        self, topic: str, queues: Sequence[Queue], key: bytes | None, partition: int | None, size: int
    ) -> Queue:
        """Of the record's partition, with a batch that has room for it."""
        if partition is None and key is None:
            queue = queues[self._sticky[topic]]
            if not queue.has_room(size, self._settings.batch_bytes):
                self._stick_to_next(topic, queue)
                queue = queues[self._sticky[topic]]
            return queue
        queue = _queue_of(queues, topic, partition_for_key(key or b"", len(queues)) if partition is None else partition)
        if not queue.has_room(size, self._settings.batch_bytes):
            queue.close_batch()
        return queue

    def _stick_to_next(self, topic: str, queue: Queue) -> None:
        queue.close_batch()
        self._sender.see_to(queue)
        self._sticky[topic] = (queue.partition.partition + 1) % len(self._queues[topic])

    def send_arrow(self, topic: str, rows: "pa.Table | pa.RecordBatch") -> None:
        """Queue a record for each row; blocks while the buffer is full.

        Columns: `value`, and if wanted `key` (binary or text of any kind), `timestamp` (now where null), `partition`
        and `headers` (lists of key and value, as `read_arrow` gives them). Rows of a partition keep their order, also
        among what `send` queued. Raises as `send` does, and ValueError for columns that cannot be sent.
        """
        from tenure.client.arrow_rows import partition_batches

        queues = self._queues.get(topic) or self._learn(topic)
        for batch in partition_batches(rows, len(queues), self._sticky[topic], self._settings):
            with self._sender.lock:
                self._sender.make_room(batch.size_bytes)
                queue = queues[batch.partition]
                queue.append_batch(Batch(batch.records, batch.size_bytes))
                self._sender.took(queue, batch.size_bytes)
        with self._sender.lock:
            self._sticky[topic] = (self._sticky[topic] + 1) % len(queues)

    def _refuse(self, topic: str, size: int) -> None:
        raise RecordTooLarge(
            f"A record of {size} bytes for '{topic}' is too large: a request holds {self._settings.max_request_bytes}; "
            "raise 'max.request.size', and the broker's 'message.max.bytes'."
        )

    def flush(self) -> None:
        """Wait until everything queued is written. Raises `DeliveryFailed` if something was not, and
        `TransactionAbortable` in a transaction."""
        self._sender.wait_until_empty()
        self._sender.raise_failures()
        if self._transactional is not None and self._transactional.transactions.failure is not None:
            raise self._transactional.transactions.failure

    # --- transactions -------------------------------------------------------------------------------------------------

    def init_transactions(self) -> None:
        """Before the first transaction: fences whoever used the `transactional.id` before, and ends what it left.

        Raises `RequestTimedOut` when that takes longer than `max.block.ms`: call it again. All calls of transactions
        raise `InvalidTxnState` where they make no sense, and for ever what was fatal: `ProducerFenced`, or the
        `RequestRefused` that names cause and remedy.
        """
        run(self._own_transactions().initialize())

    def begin_transaction(self) -> None:
        run(self._begin(self._own_transactions().transactions))

    async def _begin(self, transactions: Transactions) -> None:
        transactions.begin()

    def send_offsets_to_transaction(
        self, offsets: Mapping[TopicPartition, OffsetAndMetadata], group_metadata: GroupMetadata
    ) -> None:
        """Commit these offsets with the transaction, or never; `group_metadata` is the consumer's `group_metadata()`.

        Raises `TransactionAbortable` when the group refuses them: its `error_code` says why.
        """
        run(self._own_transactions().send_offsets(offsets, group_metadata))

    def commit_transaction(self) -> None:
        """Flush, then commit all of the transaction: it is seen by whoever reads committed records, and survives.

        Raises `TransactionAbortable` when it cannot be committed, and `UnknownOutcome` when it takes longer than
        `max.block.ms`: call it again, for it may have happened.
        """
        transactional = self._own_transactions()
        run(self._become(transactional.transactions, State.COMMITTING))
        self._sender.wait_until_empty()
        self._sender.raise_failures()
        run(transactional.end())

    def abort_transaction(self) -> None:
        """As if it had never begun. What is queued is not sent. Raises `UnknownOutcome`, as `commit_transaction`."""
        transactional = self._own_transactions()
        run(self._become(transactional.transactions, State.ABORTING))
        self._sender.wait_until_empty()
        run(transactional.end())

    async def _become(self, transactions: Transactions, state: State) -> None:
        with self._sender.lock:  # no record slips in between
            if state is State.COMMITTING:
                transactions.become_committing()
            else:
                transactions.become_aborting()
        if state is State.ABORTING:
            self._sender.drop(ABORTED)  # here, for `on_delivery` is called on the event loop

    def _own_transactions(self) -> TransactionalId:
        if self._transactional is None:
            raise InvalidTxnState("This producer has no transactions: add 'transactional.id' to its configuration.")
        return self._transactional

    # --- the end ------------------------------------------------------------------------------------------------------

    def close(self) -> None:
        """Flush, then stop. The producer is closed also when that fails. A transaction that was begun is aborted."""
        if self._sender.is_closed:
            return
        try:
            if self._transactional is None or self._transactional.transactions.is_lent:
                self.flush()
        finally:
            self._shut()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if kind is None:
            self.close()
        else:  # the caller's own error is the one to tell; what is queued is not waited for
            self._shut()

    def _shut(self) -> None:
        self._sender.close()
        run(self._stop())

    async def _stop(self) -> None:
        try:
            await self._sender.stop()
            if self._transactional is not None:
                await self._abort_at_last(self._transactional)
        finally:
            self._cluster.close()

    async def _abort_at_last(self, transactional: TransactionalId) -> None:
        """If that takes no time: readers wait for it. The broker does it when `transaction.timeout.ms` is over."""
        with suppress(ClientError, TimeoutError):
            async with asyncio.timeout(GOODBYE_TIMEOUT_MS / 1000):
                transactional.transactions.become_aborting()
                await transactional.end()

    # --- topics -------------------------------------------------------------------------------------------------------

    def partitions_of(self, topic: str) -> list[int]:
        """Where it can be written to. Raises `UnknownTopic` and `BrokerUnreachable`, as the first `send` does."""
        return list(range(len(self._queues.get(topic) or self._learn(topic))))

    def _learn(self, topic: str) -> list[Queue]:
        count = run(self._count_partitions(topic))
        with self._sender.lock:
            if not self._queues:
                client_loop().call_soon_threadsafe(self._sender.keep, self._watch())
            self._sticky.setdefault(topic, 0)
            return self._grow(topic, count)

    def _grow(self, topic: str, count: int) -> list[Queue]:
        queues = self._queues.setdefault(topic, [])
        new = [Queue(TopicPartition(topic, number)) for number in range(len(queues), count)]
        queues += new
        self._sender.add(new)
        return queues

    async def _count_partitions(self, topic: str) -> int:
        """A broker that creates topics on demand says at first that there is none: so that is asked twice."""

        async def attempt() -> int:
            answer = await self._cluster.metadata([topic], create=True)
            self._cluster.check_topic(answer.topics[0])
            return len(answer.topics[0].partitions)

        try:
            return await self._cluster.persist(attempt)
        except UnknownTopic:
            await asyncio.sleep(TOPIC_CREATION_S)
            return await self._cluster.persist(attempt)

    async def _watch(self) -> None:
        """Look now and then whether topics have grown."""
        while True:
            await asyncio.sleep(self._settings.configuration["metadata.max.age.ms"] / 1000)
            try:
                counts = await self._cluster.partition_counts(list(self._queues))
            except ClientError:
                continue  # the broker is away; deliveries find that out
            with self._sender.lock:
                for topic, count in counts.items():
                    self._grow(topic, count)


def _queue_of(queues: Sequence[Queue], topic: str, partition: int) -> Queue:
    if not 0 <= partition < len(queues):
        raise ValueError(f"topic '{topic}' has partitions 0 to {len(queues) - 1}, and no partition {partition}")
    return queues[partition]
