"""Sender of a producer: buffers records, sends the batches of each partition, and reports the results.

Each partition with records has one task on the client's event loop. The task sends one batch at a time, so retries do
not change the order of records. Meanwhile, new records are added to later batches. A retry has the same bytes, so that
the broker recognises its sequence.
"""

import asyncio
import threading
import time
from collections.abc import Coroutine, Iterable
from typing import Any, Final

from tenure.client.errors import ClientError, Closed, DeliveryFailed, RequestRefused, RequestTimedOut
from tenure.client.net.event_loop import client_loop
from tenure.client.producer.delivery import Delivery, NotDelivered
from tenure.client.producer.producer_queue import ProducerBatch, Queue
from tenure.client.producer.producer_settings import ProducerSettings
from tenure.client.producer.producer_transactions import ProducerTransactions
from tenure.client.producer.transaction_reactions import FATAL_FOR_BATCHES
from tenure.limits.client import PRODUCER_FAILURES_KEPT
from tenure.plural import format_count

CLOSED_TOO_EARLY: Final = DeliveryFailed("Record may be lost: the producer was closed before its acknowledgement.")
ABORTED: Final = DeliveryFailed("Record dropped: its transaction was aborted.")


class Sender:
    """Buffer and sending tasks of one producer."""

    def __init__(
        self, delivery: Delivery, settings: ProducerSettings, transactions: ProducerTransactions | None
    ) -> None:
        self.lock: Final = threading.Lock()
        """Lock that guards all attributes below, and the queues."""
        self.is_closed = False
        self._delivery: Final = delivery
        self._settings: Final = settings
        self._transactions: Final = transactions
        self._freed: Final = threading.Condition(self.lock)
        """Condition that is notified when records leave the buffer, and when the producer stops."""
        self._queues: Final[list[Queue]] = []
        self._buffered_bytes = 0
        self._failures: list[str] = []
        self._failed_records = 0
        self._broken: DeliveryFailed | None = None
        """Error after which nothing more may be sent, because it is unknown whether records were written; else None."""
        self._space_waiters = 0
        """Number of callers that wait for buffer space. While there are any, no batch waits for `linger.ms`."""
        self._tasks: Final[set[asyncio.Task[None]]] = set()

    # --- called by the producer ---------------------------------------------------------------------------------------

    def add(self, queues: Iterable[Queue]) -> None:
        """Add the queues of a topic. Call it with the lock held."""
        self._queues.extend(queues)

    def make_room(self, size: int) -> None:
        """Wait until `size` bytes fit into the buffer. Call it with the lock held; the wait releases the lock.

        A batch larger than the buffer waits until the buffer is empty.

        Raises:
            RequestTimedOut: The buffer stayed full for `max.block.ms`.
            DeliveryFailed: The producer stopped.
            Closed: The producer is closed.
        """
        if self._buffered_bytes and self._buffered_bytes + size > self._settings.buffer_bytes:
            give_up_at = time.monotonic() + self._settings.max_block_s
            self._start_space_wait()
            try:
                while self._buffered_bytes and self._buffered_bytes + size > self._settings.buffer_bytes:
                    if self._broken is not None or self.is_closed:
                        break
                    if not self._freed.wait(give_up_at - time.monotonic()):
                        raise RequestTimedOut(
                            f"Producer buffer full for {self._settings.max_block_s:g} s: the broker is unreachable or "
                            "too slow. Raise 'buffer.memory' or 'max.block.ms', or send less."
                        )
            finally:
                self._space_waiters -= 1
        self._check_alive()
        if self._transactions is not None:
            self._transactions.check_write("send()")

    def count_queued(self, queue: Queue, size: int) -> None:
        """Count `size` queued bytes as buffered, and make the queue's task send them. Call it with the lock held."""
        self._buffered_bytes += size
        if queue.lingers or not queue.at_work:
            self.start_or_end_linger(queue)

    def start_or_end_linger(self, queue: Queue) -> None:
        """Start the queue's task. If the task waits for `linger.ms` and a batch is complete, end the wait.

        Call it with the lock held.
        """
        if not queue.at_work:
            queue.at_work = True
            client_loop().call_soon_threadsafe(self._begin, queue)
        elif queue.lingers and queue.has_full_batch:
            queue.lingers = False
            client_loop().call_soon_threadsafe(queue.linger_ended.set)

    def wait_until_empty(self) -> None:
        """Wait until no record is buffered: all are written or failed, or the producer has stopped."""
        with self.lock:
            self._start_space_wait()
            try:
                while self._buffered_bytes > 0 and self._broken is None and not self.is_closed:
                    self._freed.wait()
            finally:
                self._space_waiters -= 1

    def raise_failures(self) -> None:
        """Raise one `DeliveryFailed` for all failures since the last call, if there are any."""
        with self.lock:
            self._check_alive()
            if self._failures:
                reasons, self._failures = self._failures, []
                count, self._failed_records = self._failed_records, 0
                raise DeliveryFailed(f"{format_count(count, 'record')} not written: {' '.join(reasons)}")

    def drop(self, failure: DeliveryFailed) -> None:
        """Remove all queued records and report them as failed. Batches in flight are not affected."""
        with self.lock:
            left = [batch for queue in self._queues for batch in queue.take_all()]
            self._buffered_bytes -= sum(batch.size_bytes for batch in left)
            self._freed.notify_all()
        for batch in left:
            batch.report_failure(failure)

    def close(self) -> None:
        """Refuse further records, and wake up all callers that wait for buffer space."""
        with self.lock:
            self.is_closed = True
            self._freed.notify_all()

    def _check_alive(self) -> None:
        if self._broken is not None or self.is_closed:
            raise self._broken or Closed("The producer is closed; create a new one.")

    def _start_space_wait(self) -> None:
        """Make the tasks of all queues send their open batches now, without waiting for `linger.ms`.

        Call it with the lock held. Increments `_space_waiters`; the caller decrements it when its wait is over.
        """
        self._space_waiters += 1
        client_loop().call_soon_threadsafe(self._end_lingering)

    # --- on the event loop --------------------------------------------------------------------------------------------

    def _begin(self, queue: Queue) -> None:
        self.start_task(self._drain(queue))

    def start_task(self, work: Coroutine[Any, Any, None]) -> None:
        """Run a coroutine as a task of this sender. `stop` cancels the task."""
        task = asyncio.get_running_loop().create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._handle_task_end)

    def _handle_task_end(self, task: asyncio.Task[None]) -> None:
        self._tasks.discard(task)
        error = None if task.cancelled() else task.exception()
        if error is not None:
            self._break(f"unexpected error {error!r}.")

    def _end_lingering(self) -> None:
        with self.lock:
            queues = list(self._queues)
        for queue in queues:
            queue.linger_ended.set()

    async def _drain(self, queue: Queue) -> None:
        """Send all batches of a partition, one at a time."""
        while (batch := await self._take(queue)) is not None:
            try:
                base_offset = await self._delivery.deliver(queue, batch)
            except NotDelivered as error:
                if self._transactions is not None:
                    self._fail_transaction(self._transactions, batch, error)
                elif error.maybe_written and self._settings.is_idempotent:
                    batch.report_failure(self._break(str(error)))
                    return
                else:
                    self._fail(batch, str(error))
            except asyncio.CancelledError:
                if self._transactions is not None:
                    self._transactions.require_new_epoch()
                batch.report_failure(CLOSED_TOO_EARLY)
                raise
            else:
                batch.report_written(queue.partition, base_offset)
            with self.lock:
                self._buffered_bytes -= batch.size_bytes
                self._freed.notify_all()

    async def _take(self, queue: Queue) -> ProducerBatch | None:
        with self.lock:
            linger_s = self._linger_s(queue)
            queue.lingers = linger_s > 0
            queue.linger_ended.clear()
        if queue.lingers:
            try:
                async with asyncio.timeout(linger_s):
                    await queue.linger_ended.wait()
            except TimeoutError:
                pass
        with self.lock:
            queue.lingers = False
            batch = queue.take()
            queue.at_work = batch is not None
            return batch

    def _linger_s(self, queue: Queue) -> float:
        if queue.has_full_batch or queue.open_since_s is None or self._space_waiters:
            return 0
        return queue.open_since_s + self._settings.linger_s - time.monotonic()

    def _fail(self, batch: ProducerBatch, reason: str) -> None:
        untold = batch.report_failure(DeliveryFailed(f"Record not written: {reason}"))
        with self.lock:
            self._failed_records += untold
            if untold and len(self._failures) < PRODUCER_FAILURES_KEPT:
                self._failures.append(reason)

    def _fail_transaction(self, transactions: ProducerTransactions, batch: ProducerBatch, error: NotDelivered) -> None:
        """Mark the transaction as failed, and drop all queued records."""
        failure: ClientError
        if error.error_code in FATAL_FOR_BATCHES:
            failure = transactions.become_fatal(RequestRefused(str(error), error.error_code))
        else:
            failure = transactions.become_abortable(str(error), error.error_code)
        batch.report_failure(DeliveryFailed(f"Record not written: {failure}"))
        self.drop(ABORTED)

    def _break(self, reason: str) -> DeliveryFailed:
        with self.lock:
            self._broken = self._broken or DeliveryFailed(
                f"Producer stopped to avoid duplicates, because records may be missing: {reason}"
            )
            self._freed.notify_all()
        self.drop(self._broken)
        return self._broken

    async def stop(self) -> None:
        """Cancel all tasks, and report all queued records as failed."""
        for task in self._tasks:
            task.cancel()
        self.drop(CLOSED_TOO_EARLY)
