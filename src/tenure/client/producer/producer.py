"""Producer of rows or Arrow columns: one open batch per partition, idempotence, transactions, Java's partitioning.

The caller's thread only appends records to open batches, or packs complete batches from columns. `Sender` does
everything else.
"""

import asyncio
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from types import TracebackType
from typing import TYPE_CHECKING, Any, Final, Self

from tenure.client.errors import ClientError, InvalidTxnState, RecordTooLarge, UnknownTopic
from tenure.client.net.addresses import parse_bootstrap_servers
from tenure.client.net.cluster import Cluster
from tenure.client.net.event_loop import client_loop, run
from tenure.client.net.security import security
from tenure.client.producer.delivery import Delivery
from tenure.client.producer.partitioner import partition_for_key
from tenure.client.producer.producer_queue import OnDelivery, ProducerBatch, Queue
from tenure.client.producer.producer_settings import producer_settings
from tenure.client.producer.producer_transactions import ProducerTransactions, TransactionState
from tenure.client.producer.sender import ABORTED, Sender
from tenure.client.producer.transaction_coordinator_client import TransactionalId
from tenure.client.values import GroupMetadata, OffsetAndMetadata, OpenTransaction, TopicPartition
from tenure.limits.client import OPTIONAL_REQUEST_TIMEOUT_MS, RECORD_OVERHEAD_BYTES

if TYPE_CHECKING:
    import pyarrow as pa

TOPIC_CREATION_S: Final = 1.0


class Producer:
    """Writes records to topics. Thread-safe, except the transactional methods.

        with Producer({"bootstrap.servers": "localhost:9092", "compression.type": "zstd"}) as producer:
            producer.send("flights", key=b"N1", value=b"...")
            producer.send_arrow("flights", table)

    The next `flush` or `close` raises delivery errors.

    Args:
        config: Broker address, or settings with Kafka's keys.
        within: Transaction that a `TransactionLender` began. All records are written in this transaction.

    Raises:
        ConfigurationError: A key is unknown, or a value is invalid.
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
        """Queues by topic and partition number. Guarded by the sender's lock, like the following attributes."""
        self._sticky: Final[dict[str, int]] = {}
        """Partition of the next records without key, until its batch is full (KIP-480)."""

    def _transactional_id(self, within: OpenTransaction | None) -> TransactionalId | None:
        transactional_id = self._settings.configuration["transactional.id"]
        if within is not None:
            transactions = ProducerTransactions.within(within)
        elif transactional_id is not None:
            transactions = ProducerTransactions(transactional_id)
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
        """Queue one record; block while the buffer is full.

        Args:
            topic: Topic name.
            key: Key, or None.
            value: Value; None for a tombstone.
            partition: Partition. None selects the partition of the key as Java's producer does. Without a key, all
                records of a batch get the same partition (KIP-480).
            timestamp_ms: Timestamp in ms; None for the current time.
            headers: Names and values.
            on_delivery: Called with the `RecordMetadata`, or with a `DeliveryFailed`. `flush` does not raise an error
                that this callback received. The callback runs on the client's event loop and must not block.

        Raises:
            UnknownTopic: The topic does not exist.
            BrokerUnreachable: No broker can be reached.
            RecordTooLarge: The record exceeds `max.request.size`.
            RequestTimedOut: The buffer stayed full for `max.block.ms`.
            DeliveryFailed: The producer stopped, because it is unknown whether earlier records were written.
            InvalidTxnState: A transactional producer is in no transaction.
            TransactionAbortable: The transaction failed and has to be aborted.
        """
        queues = self._queues.get(topic) or self._learn(topic)
        size = (len(key) if key else 0) + (len(value) if value else 0) + RECORD_OVERHEAD_BYTES
        if headers:
            size += sum(len(name) + len(content or b"") + 4 for name, content in headers)
        if size > self._settings.max_request_bytes:
            self._refuse(topic, size)
        if timestamp_ms is None:
            timestamp_ms = time.time_ns() // 1_000_000
        with self._sender.lock:
            self._sender.make_room(size)
            queue = self._queue_for(topic, queues, key, partition, size)
            try:
                batch_bytes = queue.append(key, value, timestamp_ms, headers, size, on_delivery)
            except TypeError as error:
                raise TypeError(f"Key, value and headers of a record must be bytes: {error}.") from None
            if batch_bytes >= self._settings.batch_bytes:
                queue.close_batch()
                if partition is None and key is None:
                    self._stick_to_next(topic, queue)
            self._sender.count_queued(queue, size)

    def _queue_for(
        self, topic: str, queues: Sequence[Queue], key: bytes | None, partition: int | None, size: int
    ) -> Queue:
        """Return the queue of the record's partition. Its open batch has room for the record."""
        if partition is None and key is None:
            queue = queues[self._sticky[topic]]
            if not queue.has_room(size, self._settings.batch_bytes):
                self._stick_to_next(topic, queue)
                queue = queues[self._sticky[topic]]
            return queue
        if partition is None:
            queue = queues[partition_for_key(key or b"", len(queues))]
        else:
            queue = _queue_of(queues, topic, partition)
        if not queue.has_room(size, self._settings.batch_bytes):
            queue.close_batch()
        return queue

    def _stick_to_next(self, topic: str, queue: Queue) -> None:
        queue.close_batch()
        self._sender.start_or_end_linger(queue)
        self._sticky[topic] = (queue.partition.partition + 1) % len(self._queues[topic])

    def send_arrow(self, topic: str, rows: "pa.Table | pa.RecordBatch") -> None:
        """Queue one record per row; block while the buffer is full.

        Rows of a partition keep their order, also relative to records from `send`.

        Args:
            topic: Topic.
            rows: Columns `value`, and optionally `key` (binary or string), `timestamp` (now if null), `partition` and
                `headers` (list of key and value, as from `read_arrow`).

        Raises:
            ValueError: A column is missing, unknown, or has the wrong type. The other errors are those of `send`.
        """
        from tenure.client.producer.arrow_batches import partition_batches

        queues = self._queues.get(topic) or self._learn(topic)
        for batch in partition_batches(rows, len(queues), self._sticky[topic], self._settings):
            with self._sender.lock:
                self._sender.make_room(batch.size_bytes)
                queue = queues[batch.partition]
                queue.append_batch(ProducerBatch(batch.records, batch.size_bytes))
                self._sender.count_queued(queue, batch.size_bytes)
        with self._sender.lock:
            self._sticky[topic] = (self._sticky[topic] + 1) % len(queues)

    def _refuse(self, topic: str, size: int) -> None:
        raise RecordTooLarge(
            f"Record of {size} bytes for topic '{topic}' exceeds 'max.request.size' "
            f"({self._settings.max_request_bytes}): raise this setting, and the broker's 'message.max.bytes'."
        )

    def flush(self) -> None:
        """Wait until all queued records are written.

        Raises:
            DeliveryFailed: Records were not written.
            TransactionAbortable: The transaction failed.
        """
        self._sender.wait_until_empty()
        self._sender.raise_failures()
        if self._transactional is not None and self._transactional.transactions.failure is not None:
            raise self._transactional.transactions.failure

    # --- transactions -------------------------------------------------------------------------------------------------

    def init_transactions(self) -> None:
        """Fence earlier producers of the `transactional.id` and end their transactions.

        Call this method before any other one.

        Raises:
            RequestTimedOut: Not done within `max.block.ms`; call this method again.
            InvalidTxnState: The producer is initialized already. Every transactional method raises this error if the
                state of the producer does not permit the call.
            ProducerFenced, RequestRefused: Fatal; every later transactional call raises the same error.
        """
        run(self._own_transactions().initialize())

    def begin_transaction(self) -> None:
        """Begin a transaction, to which all records belong until its commit or abort."""
        run(self._begin(self._own_transactions().transactions))

    async def _begin(self, transactions: ProducerTransactions) -> None:
        transactions.begin()

    def send_offsets_to_transaction(
        self, offsets: Mapping[TopicPartition, OffsetAndMetadata], group_metadata: GroupMetadata
    ) -> None:
        """Add a group's offsets to the transaction. They are committed only if the transaction is committed.

        Args:
            offsets: Next offset to read, by partition.
            group_metadata: Result of the consumer's `group_metadata()`.

        Raises:
            TransactionAbortable: The group rejected the offsets; `error_code` is the group's error.
        """
        run(self._own_transactions().send_offsets(offsets, group_metadata))

    def commit_transaction(self) -> None:
        """Flush, then commit the transaction.

        Raises:
            TransactionAbortable: The transaction cannot be committed.
            UnknownOutcome: No response within `max.block.ms`, so the transaction may be committed. Call this method
                again.
        """
        transactional = self._own_transactions()
        run(self._become(transactional.transactions, TransactionState.COMMITTING))
        self._sender.wait_until_empty()
        self._sender.raise_failures()
        run(transactional.end())

    def abort_transaction(self) -> None:
        """Abort the transaction and drop queued records. Raises `UnknownOutcome` as `commit_transaction`."""
        transactional = self._own_transactions()
        run(self._become(transactional.transactions, TransactionState.ABORTING))
        self._sender.wait_until_empty()
        run(transactional.end())

    async def _become(self, transactions: ProducerTransactions, state: TransactionState) -> None:
        with self._sender.lock:  # no record is added in between
            if state is TransactionState.COMMITTING:
                transactions.become_committing()
            else:
                transactions.become_aborting()
        if state is TransactionState.ABORTING:
            self._sender.drop(ABORTED)  # on the event loop, because it calls `on_delivery`

    def _own_transactions(self) -> TransactionalId:
        if self._transactional is None:
            raise InvalidTxnState("The producer is not transactional: set 'transactional.id' in its configuration.")
        return self._transactional

    # --- close --------------------------------------------------------------------------------------------------------

    def close(self) -> None:
        """Flush, abort an open transaction, and close all connections, even if the flush fails."""
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
        else:  # raise the caller's own error, and do not wait for queued records
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
        """Abort the open transaction when the producer closes, with a short timeout. Errors are ignored.

        Without the abort, readers wait for the transaction until `transaction.timeout.ms` is over.
        """
        with suppress(ClientError, TimeoutError):
            async with asyncio.timeout(OPTIONAL_REQUEST_TIMEOUT_MS / 1000):
                transactional.transactions.become_aborting()
                await transactional.end()

    # --- topics -------------------------------------------------------------------------------------------------------

    def partitions_of(self, topic: str) -> list[int]:
        """Return the partition numbers of a topic. Raises `UnknownTopic`, `BrokerUnreachable`."""
        return list(range(len(self._queues.get(topic) or self._learn(topic))))

    def _learn(self, topic: str) -> list[Queue]:
        count = run(self._count_partitions(topic))
        with self._sender.lock:
            if not self._queues:
                client_loop().call_soon_threadsafe(self._sender.start_task, self._watch())
            self._sticky.setdefault(topic, 0)
            return self._grow(topic, count)

    def _grow(self, topic: str, count: int) -> list[Queue]:
        queues = self._queues.setdefault(topic, [])
        new = [Queue(TopicPartition(topic, number)) for number in range(len(queues), count)]
        queues += new
        self._sender.add(new)
        return queues

    async def _count_partitions(self, topic: str) -> int:
        """Return the number of partitions of a topic, and let the broker create the topic if it is missing.

        If the topic is unknown, request the metadata once more after TOPIC_CREATION_S, because a broker creates topics
        in the background.
        """

        async def attempt() -> int:
            answer = await self._cluster.metadata([topic], create=True)
            self._cluster.check_topic(answer.topics[0])
            return len(answer.topics[0].partitions)

        try:
            return await self._cluster.retry(attempt)
        except UnknownTopic:
            await asyncio.sleep(TOPIC_CREATION_S)
            return await self._cluster.retry(attempt)

    async def _watch(self) -> None:
        """Look up the number of partitions of each topic every `metadata.max.age.ms`."""
        while True:
            await asyncio.sleep(self._settings.configuration["metadata.max.age.ms"] / 1000)
            try:
                counts = await self._cluster.partition_counts(list(self._queues))
            except ClientError:
                continue  # deliveries report an unreachable broker
            with self._sender.lock:
                for topic, count in counts.items():
                    self._grow(topic, count)


def _queue_of(queues: Sequence[Queue], topic: str, partition: int) -> Queue:
    if not 0 <= partition < len(queues):
        raise ValueError(f"Unknown partition {partition}: topic '{topic}' has partitions 0 to {len(queues) - 1}.")
    return queues[partition]
