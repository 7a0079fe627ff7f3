"""Steps of a consumer's methods, shared by the blocking and the asyncio interface.

Each method is a generator that yields steps and receives their results. A step is a coroutine for the client's event
loop, or a callback of the user. The two interfaces differ only in how they run a step.
"""

import time
from collections.abc import Callable, Coroutine, Generator, Iterable
from functools import partial
from typing import TYPE_CHECKING, Any, Final, TypeAlias, TypeVar

from tenure.client.consumer.consumer_core import ConsumerCore
from tenure.client.consumer.consumer_records import ConsumerRecord, table_of
from tenure.client.consumer.positions import Chunk
from tenure.client.consumer.rebalance_listener import Listener, callbacks_for
from tenure.client.consumer.record_iterator import BufferedRows
from tenure.client.values import Event, Revoked, TopicPartition

if TYPE_CHECKING:
    import pyarrow as pa

T = TypeVar("T")

Step: TypeAlias = Coroutine[Any, Any, Any] | Callable[[], Any]
Steps: TypeAlias = Generator[Step, Any, T]

EVENT_POLL_S: Final = 0.05
"""Interval in s of the checks for group events while rows are buffered. A check takes as long as returning 50 rows."""


class ConsumerSteps:
    """Methods of one consumer as generators of steps."""

    def __init__(self, core: ConsumerCore, max_poll_records: int) -> None:
        self.listener = Listener()
        self._core: Final = core
        self._max_poll_records: Final = max_poll_records
        self._buffered: Final = BufferedRows()
        self._poll_events_at = 0.0

    def poll(self, timeout_s: float) -> Steps[list[ConsumerRecord]]:
        """Return the next records, at most `max.poll.records`."""
        give_up_at = time.monotonic() + timeout_s
        while True:
            yield from self._poll_events()
            found = self._buffered.next_rows(self._max_poll_records)
            if found:
                return found
            chunk = yield from self._next_chunk(give_up_at)
            if chunk is None:
                return []
            try:
                self._buffered.open(chunk)
            except ValueError as error:
                yield self._core.handle_malformed_batch(chunk, error)

    def poll_arrow(self, timeout_s: float, *, headers: bool) -> "Steps[pa.Table | None]":
        """Return the next fetched chunk with at least one record as a table; None after the timeout."""
        give_up_at = time.monotonic() + timeout_s
        dropped = self._buffered.drop(self._core.positions.partitions)
        if dropped:
            yield self._core.seek(dropped)
        while True:
            yield from self._poll_events()
            chunk = yield from self._next_chunk(give_up_at)
            if chunk is None:
                return None
            try:
                table = table_of(chunk, headers=headers)
            except ValueError as error:
                yield self._core.handle_malformed_batch(chunk, error)
                continue
            if len(table):
                return table

    def pause(self, partitions: Iterable[TopicPartition]) -> Steps[None]:
        """Pause partitions. Their buffered rows are dropped, and are fetched again after `resume`."""
        wanted = list(partitions)
        yield self._core.pause(wanted, self._buffered.drop(wanted))

    def unsubscribe(self) -> Steps[None]:
        """Call the user's callback for the assigned partitions, then leave the group."""
        yield from self._report_release()
        yield self._core.unsubscribe()

    def close(self, leave: bool | None) -> Steps[None]:
        """Call the user's callback for the assigned partitions, then close the consumer."""
        try:
            yield from self._report_release()
        finally:
            yield self._core.close(leave)

    # --- the group ----------------------------------------------------------------------------------------------------

    def _poll_events(self) -> Steps[None]:
        """Restart the timer of `max.poll.interval.ms`, and report events to the user.

        While rows are buffered, this method does nothing until EVENT_POLL_S has passed since the last check.
        """
        if not self._buffered.is_empty and time.monotonic() < self._poll_events_at:
            return
        self._poll_events_at = time.monotonic() + EVENT_POLL_S
        if (yield self._core.poll_events()) is not None:
            yield from self._report_events()
            yield self._core.check()

    def _report_events(self) -> Steps[None]:
        while (event := self._core.next_event()) is not None:
            yield from self._report(event)

    def _report(self, event: Event) -> Steps[None]:
        if isinstance(event, Revoked):
            yield self._core.commits.commit_before_revocation()
        yield self._core.adopt(event)
        try:
            for callback, partitions in callbacks_for(self.listener, event):
                yield partial(callback, partitions)
        finally:
            yield self._core.release(event)

    def _next_chunk(self, give_up_at: float) -> Steps[Chunk | None]:
        while True:
            left_s = give_up_at - time.monotonic()
            chunk: Chunk | None = yield self._core.take(left_s)
            if chunk is not None or left_s <= 0:
                return chunk
            yield from self._poll_events()

    def _report_release(self) -> Steps[None]:
        yield from self._report_events()
        release = yield self._core.event_before_leave()
        if release is not None:
            yield from self._report(release)
