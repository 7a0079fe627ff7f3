"""A producer: batches per partition, idempotent sequences, Java's partitioning; rows or Arrow columns in.

The caller's thread only appends to its partition's open batch, or packs whole batches from columns. On the client's
event loop each partition that has records has one task, which sends them batch after batch: one in flight, the rest
waits and grows together. So order holds through every retry, and a retry is byte for byte what was sent before: the
broker recognises its sequence.
"""

import asyncio
import threading
import time
from collections.abc import Coroutine, Mapping, Sequence
from types import TracebackType
from typing import TYPE_CHECKING, Any, Final, Self

from tenure.client.addresses import parse_bootstrap_servers
from tenure.client.cluster import Cluster
from tenure.client.delivery import Delivery, NotDelivered
from tenure.client.errors import ClientError, Closed, DeliveryFailed, RecordTooLarge, RequestTimedOut, UnknownTopic
from tenure.client.event_loop import client_loop, run
from tenure.client.partitioner import partition_for_key
from tenure.client.producer_queue import Batch, OnDelivery, Queue
from tenure.client.producer_settings import producer_settings
from tenure.client.security import security
from tenure.client.values import TopicPartition
from tenure.limits import PRODUCER_FAILURES_KEPT, RECORD_OVERHEAD_BYTES
from tenure.protocol.records import Record

if TYPE_CHECKING:
    import pyarrow as pa

TOPIC_CREATION_S: Final = 1.0
CLOSED_TOO_EARLY: Final = DeliveryFailed("The producer was closed before the record was certainly written.")


class Producer:
    """Writes records to topics. `config` is an address, or has Kafka's keys.

        with Producer({"bootstrap.servers": "localhost:9092", "compression.type": "zstd"}) as producer:
            producer.send("flights", key=b"N1", value=b"...")
            producer.send_arrow("flights", table)

    Thread-safe. What could not be delivered is raised by the next `flush` or `close`. Raises `ConfigurationError` for a
    key or a value that makes no sense.
    """

    def __init__(self, config: str | Mapping[str, Any]) -> None:
        self._settings: Final = producer_settings(config)
        values = self._settings.configuration
        self._cluster: Final = Cluster(
            parse_bootstrap_servers(values["bootstrap.servers"]),
            client_id=values["client.id"],
            request_timeout_ms=values["request.timeout.ms"],
            patience_ms=values["max.block.ms"],
            security=security(values),
        )
        self._delivery: Final = Delivery(self._cluster, self._settings)
        self._lock: Final = threading.Lock()
        """Guards everything below."""
        self._freed: Final = threading.Condition(self._lock)
        """Notified when records leave the buffer, and when the producer breaks."""
        self._queues: Final[dict[str, list[Queue]]] = {}
        """By topic, by partition."""
        self._sticky: Final[dict[str, int]] = {}
        """Where records without a key go until that batch is full (KIP-480)."""
        self._buffered_bytes = 0
        self._failures: list[str] = []
        self._failed_records = 0
        self._broken: DeliveryFailed | None = None
        """Not None: what was written is uncertain, so nothing more may be."""
        self._in_a_hurry = 0
        """Callers that wait for the buffer to become smaller: no batch lingers then."""
        self._tasks: Final[set[asyncio.Task[None]]] = set()
        self._closed = False

    # --- the caller's side --------------------------------------------------------------------------------------------

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
        `max.block.ms`, and `DeliveryFailed` once the producer is broken.
        """
        queues = self._queues.get(topic) or self._learn(topic)
        size = (len(key) if key else 0) + (len(value) if value else 0) + RECORD_OVERHEAD_BYTES
        if headers:
            size += sum(len(name) + len(content or b"") + 4 for name, content in headers)
        if size > self._settings.max_request_bytes:
            self._refuse(topic, size)
        record = Record(0, time.time_ns() // 1_000_000 if timestamp_ms is None else timestamp_ms, key, value, headers)
        with self._lock:
            self._make_room(size)
            queue = self._queue_for(topic, queues, key, partition, size)
            if queue.append(record, size, on_delivery) >= self._settings.batch_bytes:
                queue.close_batch()
                if partition is None and key is None:
                    self._stick_to_next(topic, queue)
            self._buffered_bytes += size
            self._see_to(queue)

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

    def send_arrow(self, topic: str, rows: "pa.Table | pa.RecordBatch") -> None:
        """Queue a record for each row; blocks while the buffer is full.

        Columns: `value`, and if wanted `key` (binary or text of any kind), `timestamp` (now where null), `partition`
        and `headers` (lists of key and value, as `read_arrow` gives them). Rows of a partition keep their order, also
        among what `send` queued. Raises as `send` does, and ValueError for columns that cannot be sent.
        """
        from tenure.client.arrow_rows import partition_batches

        queues = self._queues.get(topic) or self._learn(topic)
        for batch in partition_batches(rows, len(queues), self._sticky[topic], self._settings):
            with self._lock:
                self._make_room(batch.size_bytes)
                queue = queues[batch.partition]
                queue.append_batch(Batch(batch.records, batch.size_bytes))
                self._buffered_bytes += batch.size_bytes
                self._see_to(queue)
        with self._lock:
            self._sticky[topic] = (self._sticky[topic] + 1) % len(queues)

    def flush(self) -> None:
        """Wait until everything queued is written. Raises `DeliveryFailed` if something was not."""
        with self._lock:
            self._hurry_up()
            try:
                while self._buffered_bytes > 0 and self._broken is None:
                    self._freed.wait()
            finally:
                self._in_a_hurry -= 1
            self._raise_failures()

    def close(self) -> None:
        """Flush, then stop. The producer is closed also when that fails."""
        if self._closed:
            return
        try:
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
        with self._lock:
            self._closed = True
            self._freed.notify_all()
        run(self._stop())

    def _refuse(self, topic: str, size: int) -> None:
        raise RecordTooLarge(
            f"A record of {size} bytes for '{topic}' is too large: a request holds {self._settings.max_request_bytes}; "
            "raise 'max.request.size', and the broker's 'message.max.bytes'."
        )

    def _make_room(self, size: int) -> None:
        """Waits for it, with the lock, which is given up meanwhile. A batch larger than the buffer has it alone."""
        if self._buffered_bytes and self._buffered_bytes + size > self._settings.buffer_bytes:
            give_up_at = time.monotonic() + self._settings.max_block_s
            self._hurry_up()
            try:
                while self._buffered_bytes and self._buffered_bytes + size > self._settings.buffer_bytes:
                    if self._broken is not None or self._closed:
                        break
                    if not self._freed.wait(give_up_at - time.monotonic()):
                        raise RequestTimedOut(
                            f"The producer's buffer was full for {self._settings.max_block_s:g} s: the broker is away "
                            "or slower than this sender; raise 'buffer.memory' or 'max.block.ms', or send less."
                        )
            finally:
                self._in_a_hurry -= 1
        if self._broken is not None or self._closed:
            raise self._broken or Closed("This producer was closed.")

    def _hurry_up(self) -> None:
        """With the lock; whoever calls takes `_in_a_hurry` back."""
        self._in_a_hurry += 1
        client_loop().call_soon_threadsafe(self._end_lingering)

    def _see_to(self, queue: Queue) -> None:
        """With the lock: that a task sends what the queue has, and lingers no longer when a batch is full."""
        if not queue.at_work:
            queue.at_work = True
            client_loop().call_soon_threadsafe(self._begin, queue)
        elif queue.lingers and queue.has_full_batch:
            queue.lingers = False
            client_loop().call_soon_threadsafe(queue.hurry.set)

    def _stick_to_next(self, topic: str, queue: Queue) -> None:
        queue.close_batch()
        self._see_to(queue)
        self._sticky[topic] = (queue.partition.partition + 1) % len(self._queues[topic])

    def _raise_failures(self) -> None:
        if self._broken is not None:
            raise self._broken
        if self._failures:
            reasons, self._failures = self._failures, []
            count, self._failed_records = self._failed_records, 0
            written = "1 record was" if count == 1 else f"{count} records were"
            raise DeliveryFailed(f"{written} not written: {' '.join(reasons)}")

    # --- topics -------------------------------------------------------------------------------------------------------

    def _learn(self, topic: str) -> list[Queue]:
        count = run(self._count_partitions(topic))
        with self._lock:
            if not self._queues:
                client_loop().call_soon_threadsafe(self._keep, self._watch())
            self._sticky.setdefault(topic, 0)
            return self._grow(topic, count)

    def _grow(self, topic: str, count: int) -> list[Queue]:
        queues = self._queues.setdefault(topic, [])
        queues += [Queue(TopicPartition(topic, number)) for number in range(len(queues), count)]
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
            with self._lock:
                for topic, count in counts.items():
                    self._grow(topic, count)

    # --- the event loop's side ----------------------------------------------------------------------------------------

    def _begin(self, queue: Queue) -> None:
        self._keep(self._drain(queue))

    def _keep(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.get_running_loop().create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._ended)

    def _ended(self, task: asyncio.Task[None]) -> None:
        self._tasks.discard(task)
        error = None if task.cancelled() else task.exception()
        if error is not None:
            self._break(f"the producer failed in a way that it did not foresee: {error!r}.")

    def _end_lingering(self) -> None:
        for queue in self._all_queues():
            queue.hurry.set()

    def _all_queues(self) -> list[Queue]:
        with self._lock:
            return [queue for queues in self._queues.values() for queue in queues]

    async def _drain(self, queue: Queue) -> None:
        """Send a partition's batches, until there are none."""
        while (batch := await self._take(queue)) is not None:
            try:
                base_offset = await self._delivery.deliver(queue.partition, batch, queue.next_sequence)
            except NotDelivered as error:
                if error.maybe_written and self._settings.is_idempotent:
                    batch.has_failed(self._break(str(error)))
                    return
                self._fail(batch, str(error))
            except asyncio.CancelledError:
                batch.has_failed(CLOSED_TOO_EARLY)
                raise
            else:
                queue.next_sequence = (queue.next_sequence + batch.record_count) & 0x7FFF_FFFF
                batch.was_written(queue.partition, base_offset)
            with self._lock:
                self._buffered_bytes -= batch.size_bytes
                self._freed.notify_all()

    async def _take(self, queue: Queue) -> Batch | None:
        with self._lock:
            linger_s = self._linger_s(queue)
            queue.lingers = linger_s > 0
            queue.hurry.clear()
        if queue.lingers:
            try:
                async with asyncio.timeout(linger_s):
                    await queue.hurry.wait()
            except TimeoutError:
                pass
        with self._lock:
            queue.lingers = False
            batch = queue.take()
            queue.at_work = batch is not None
            return batch

    def _linger_s(self, queue: Queue) -> float:
        if queue.has_full_batch or queue.open_since_s is None or self._in_a_hurry:
            return 0
        return queue.open_since_s + self._settings.linger_s - time.monotonic()

    def _fail(self, batch: Batch, reason: str) -> None:
        untold = batch.has_failed(DeliveryFailed(f"The record was not written: {reason}"))
        with self._lock:
            self._failed_records += untold
            if untold and len(self._failures) < PRODUCER_FAILURES_KEPT:
                self._failures.append(reason)

    def _break(self, reason: str) -> DeliveryFailed:
        with self._lock:
            self._broken = self._broken or DeliveryFailed(
                f"Records may be missing, and this producer stops so that none is written twice: {reason}"
            )
            self._freed.notify_all()
        self._abandon(self._broken)
        return self._broken

    def _abandon(self, failure: DeliveryFailed) -> None:
        """What is queued; batches under way have their own fate."""
        for queue in self._all_queues():
            with self._lock:
                left = queue.take_all()
            for batch in left:
                batch.has_failed(failure)

    async def _stop(self) -> None:
        for task in self._tasks:
            task.cancel()
        self._cluster.close()
        self._abandon(CLOSED_TOO_EARLY)


def _queue_of(queues: Sequence[Queue], topic: str, partition: int) -> Queue:
    if not 0 <= partition < len(queues):
        raise ValueError(f"topic '{topic}' has partitions 0 to {len(queues) - 1}, and no partition {partition}")
    return queues[partition]
