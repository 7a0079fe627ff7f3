"""A producer for bulk loads: batches per partition, idempotent sequences, Java's partitioning.

The caller's thread only appends to its partition's open batch. On the client's event loop each partition that has
records has one task, which sends them batch after batch: one in flight, the rest waits and grows together. So order
holds through every retry, and a retry is byte for byte what was sent before: the broker recognises its sequence.
"""

import asyncio
import threading
import time
from collections.abc import Sequence
from types import TracebackType
from typing import Final, Self

from tenure.client.addresses import parse_bootstrap_servers
from tenure.client.cluster import Cluster
from tenure.client.delivery import Delivery, NotDelivered, ProducerIdentity
from tenure.client.errors import Closed, DeliveryFailed, UnknownTopic
from tenure.client.event_loop import client_loop, run
from tenure.client.partitioner import partition_for_key
from tenure.client.values import TopicPartition
from tenure.limits import (
    PRODUCER_BATCH_BYTES,
    PRODUCER_BUFFER_BYTES,
    PRODUCER_FAILURES_KEPT,
    RECORD_OVERHEAD_BYTES,
    REQUEST_TIMEOUT_MS,
    STARTUP_PATIENCE_MS,
)
from tenure.protocol.compression import Codec
from tenure.protocol.records import Record

TOPIC_CREATION_S: Final = 1.0
ACKS: Final = {"all": -1, "-1": -1, "1": 1}


class _Queue:
    """The records of one partition that are not written yet. Guarded by the producer's lock."""

    __slots__ = ("at_work", "batches", "next_sequence", "open", "open_bytes", "partition")

    def __init__(self, partition: TopicPartition) -> None:
        self.partition: Final = partition
        self.open: list[Record] = []
        self.open_bytes = 0
        self.batches: list[tuple[list[Record], int]] = []
        """Full ones, oldest first, with their sizes in bytes."""
        self.at_work = False
        """Whether a task sends them."""
        self.next_sequence = 0
        """Invariant: the sequence of the first record that the broker has not acknowledged."""

    def close_batch(self) -> None:
        if self.open:
            self.batches.append((self.open, self.open_bytes))
            self.open, self.open_bytes = [], 0


class Producer:
    """Thread-safe. Errors of delivery are raised by the next `flush` or `close`."""

    def __init__(
        self,
        bootstrap_servers: str | Sequence[str],
        *,
        compression: Codec = Codec.NONE,
        linger_ms: int = 5,
        acks: str = "all",
        enable_idempotence: bool = True,
        batch_bytes: int = PRODUCER_BATCH_BYTES,
        delivery_timeout_ms: int = 120_000,
        client_id: str = "tenure",
    ) -> None:
        if acks not in ACKS or (enable_idempotence and ACKS[acks] != -1):
            raise ValueError("acks is 'all' or '1', and an idempotent producer needs 'all': nothing else is safe")
        self._cluster: Final = Cluster(
            parse_bootstrap_servers(bootstrap_servers),
            client_id=client_id,
            request_timeout_ms=REQUEST_TIMEOUT_MS,
            patience_ms=STARTUP_PATIENCE_MS,
        )
        self._delivery: Final = Delivery(
            self._cluster, ACKS[acks], compression, delivery_timeout_ms, ProducerIdentity(enabled=enable_idempotence)
        )
        self._linger_s: Final = linger_ms / 1000
        self._batch_bytes: Final = batch_bytes
        self._lock: Final = threading.Lock()
        """Guards everything below."""
        self._freed: Final = threading.Condition(self._lock)
        """Notified when records leave the buffer, and when the producer breaks."""
        self._queues: Final[dict[str, list[_Queue]]] = {}
        """By topic, by partition."""
        self._sticky: Final[dict[str, int]] = {}
        """Where records without a key go until that batch is full (KIP-480)."""
        self._buffered_bytes = 0
        self._failures: list[str] = []
        self._failed_records = 0
        self._broken: DeliveryFailed | None = None
        """Not None: what was written is uncertain, so nothing more may be."""
        self._flushing = 0
        self._hurry: Final = asyncio.Event()
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
    ) -> None:
        """Queue one record; blocks while the buffer is full. Raises `UnknownTopic`, `BrokerUnreachable`, and
        `DeliveryFailed` once the producer is broken."""
        queues = self._queues.get(topic) or self._learn(topic)
        size = (len(key) if key else 0) + (len(value) if value else 0) + RECORD_OVERHEAD_BYTES
        if headers:
            size += sum(len(name) + len(content or b"") + 4 for name, content in headers)
        record = Record(0, time.time_ns() // 1_000_000 if timestamp_ms is None else timestamp_ms, key, value, headers)
        with self._lock:
            while self._buffered_bytes >= PRODUCER_BUFFER_BYTES and self._broken is None:
                self._freed.wait()
            if self._broken is not None or self._closed:
                raise self._broken or Closed("This producer was closed.")
            if partition is None:
                partition = self._sticky[topic] if key is None else partition_for_key(key, len(queues))
            queue = _queue_of(queues, topic, partition)
            queue.open.append(record)
            queue.open_bytes += size
            self._buffered_bytes += size
            if queue.open_bytes >= self._batch_bytes:
                queue.close_batch()
                if key is None:
                    self._sticky[topic] = (partition + 1) % len(queues)
            if not queue.at_work:
                queue.at_work = True
                client_loop().call_soon_threadsafe(self._begin, queue)

    def flush(self) -> None:
        """Wait until everything queued is written. Raises `DeliveryFailed` if something was not."""
        loop = client_loop()
        with self._lock:
            self._flushing += 1
            loop.call_soon_threadsafe(self._hurry.set)
            try:
                while self._buffered_bytes > 0 and self._broken is None:
                    self._freed.wait()
            finally:
                self._flushing -= 1
                if not self._flushing:
                    loop.call_soon_threadsafe(self._hurry.clear)
            self._raise_failures()

    def close(self) -> None:
        """Flush, then stop. The producer is closed also when that fails."""
        if self._closed:
            return
        try:
            self.flush()
        finally:
            with self._lock:
                self._closed = True
            run(self._stop())

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if kind is None:
            self.close()
        else:  # the caller's own error is the one to tell; what is queued is not waited for
            with self._lock:
                self._closed = True
            run(self._stop())

    def _learn(self, topic: str) -> list[_Queue]:
        count = run(self._count_partitions(topic))
        with self._lock:
            if topic not in self._queues:
                self._sticky[topic] = 0
                self._queues[topic] = [_Queue(TopicPartition(topic, partition)) for partition in range(count)]
            return self._queues[topic]

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

    def _raise_failures(self) -> None:
        if self._broken is not None:
            raise self._broken
        if self._failures:
            reasons, self._failures = self._failures, []
            count, self._failed_records = self._failed_records, 0
            written = "1 record was" if count == 1 else f"{count} records were"
            raise DeliveryFailed(f"{written} not written: {' '.join(reasons)}")

    # --- the event loop's side ----------------------------------------------------------------------------------------

    def _begin(self, queue: _Queue) -> None:
        task = asyncio.get_running_loop().create_task(self._drain(queue))
        self._tasks.add(task)
        task.add_done_callback(self._ended)

    def _ended(self, task: asyncio.Task[None]) -> None:
        self._tasks.discard(task)
        error = None if task.cancelled() else task.exception()
        if error is not None:
            self._break(f"the producer failed in a way that it did not foresee: {error!r}.")

    async def _drain(self, queue: _Queue) -> None:
        """Send a partition's batches, until there are none."""
        while (taken := await self._take(queue)) is not None:
            records, size = taken
            try:
                await self._delivery.deliver(queue.partition, records, queue.next_sequence)
                queue.next_sequence = (queue.next_sequence + len(records)) & 0x7FFF_FFFF
            except NotDelivered as error:
                if error.maybe_written:
                    self._break(str(error))
                    return
                self._fail(str(error), len(records))
            with self._lock:
                self._buffered_bytes -= size
                self._freed.notify_all()

    async def _take(self, queue: _Queue) -> tuple[list[Record], int] | None:
        if not queue.batches and not self._flushing and self._linger_s:
            try:
                async with asyncio.timeout(self._linger_s):
                    await self._hurry.wait()
            except TimeoutError:
                pass
        with self._lock:
            if not queue.batches:
                queue.close_batch()
            if not queue.batches:
                queue.at_work = False
                return None
            return queue.batches.pop(0)

    def _fail(self, reason: str, records: int) -> None:
        with self._lock:
            self._failed_records += records
            if len(self._failures) < PRODUCER_FAILURES_KEPT:
                self._failures.append(reason)

    def _break(self, reason: str) -> None:
        with self._lock:
            self._broken = self._broken or DeliveryFailed(
                f"Records may be missing, and this producer stops so that none is written twice: {reason}"
            )
            self._freed.notify_all()

    async def _stop(self) -> None:
        for task in self._tasks:
            task.cancel()
        self._cluster.close()


def _queue_of(queues: list[_Queue], topic: str, partition: int) -> _Queue:
    if not 0 <= partition < len(queues):
        raise ValueError(f"topic '{topic}' has partitions 0 to {len(queues) - 1}, and no partition {partition}")
    return queues[partition]
