"""A consumer for code that blocks. What waits for the network runs on the client's own event loop.

For one thread at a time, but `commit` and `commit_async`: those may be called from any.
"""

import asyncio
from collections.abc import Callable, Collection, Coroutine, Iterable, Iterator, Mapping
from concurrent.futures import Future
from types import TracebackType
from typing import TYPE_CHECKING, Any, Final, Self, TypeVar

from tenure.client.consumer_core import ConsumerCore, Topics
from tenure.client.consumer_records import ConsumerRecord
from tenure.client.consumer_settings import ConsumerSettings, consumer_settings
from tenure.client.consumer_steps import ConsumerSteps, Step, Steps
from tenure.client.event_loop import client_loop, run
from tenure.client.group_queries import committed_offsets
from tenure.client.listener import Listener, Told
from tenure.client.partition_queries import EARLIEST, LATEST
from tenure.client.values import NO_IDENTITY, GroupMetadata, Identity, ListedOffset, OffsetAndMetadata, TopicPartition

if TYPE_CHECKING:
    import pyarrow as pa

T = TypeVar("T")

POLL_S: Final = 1.0
"""How long a poll waits by default; a loop over it stays answerable to Ctrl-C."""


class Consumer:
    """Reads topics as a member of a group, or partitions by hand. `config` has Kafka's keys.

        with Consumer({"bootstrap.servers": "localhost:9092", "group.id": "g"}) as consumer:
            consumer.subscribe(["flights"])
            for record in consumer:
                ...

    Raises `ConfigurationError` for a key or a value that makes no sense.
    """

    def __init__(self, config: Mapping[str, Any]) -> None:
        settings = consumer_settings(config)
        self._core: Final = run(_made(settings))
        self._steps: Final = ConsumerSteps(self._core, settings.max_poll_records)

    # --- what is read -------------------------------------------------------------------------------------------------

    def subscribe(
        self,
        topics: Topics,
        *,
        on_assigned: Told | None = None,
        on_revoked: Told | None = None,
        on_lost: Told | None = None,
    ) -> None:
        """Join the group for these topics, or for all whose whole name matches a pattern: one of Python's, matched here
        every `metadata.max.age.ms`, or a `SubscriptionPattern`, matched by the broker.

        The three are called within `poll`, with the partitions in question: revoked ones may still be committed then,
        lost ones may not. Cooperative members are told of what changes only (rule 7.4).
        """
        self._steps.listener = Listener(on_assigned, on_revoked, on_lost)
        run(self._core.subscribe(topics))

    def assign(self, partitions: Iterable[TopicPartition]) -> None:
        """Read these, and no others, without being a member; a mapping says at which offsets to begin.

        Raises `UnknownTopic`.
        """
        run(self._core.assign(partitions))

    def unsubscribe(self) -> None:
        """Leave the group (what was assigned is revoked first), or give up what was assigned by hand."""
        _take(self._steps.unsubscribe())

    def assignment(self) -> set[TopicPartition]:
        return set(self._core.positions.partitions)

    def partitions_of(self, topic: str) -> list[int]:
        """Raises `UnknownTopic`."""
        (described,) = run(self._core.cluster.describe_topics([topic]))
        return [partition.partition for partition in described.partitions]

    @property
    def patience_s(self) -> float:
        """How long it goes on trying (`default.api.timeout.ms`)."""
        return self._core.cluster.patience_ms / 1000

    # --- records ------------------------------------------------------------------------------------------------------

    def poll(self, timeout_s: float = POLL_S) -> list[ConsumerRecord]:
        """The next records, `max.poll.records` at most, of one partition; empty when none come in time.

        Raises what ended the membership (`Fenced`, `MembershipRefused`), what cannot be read (`RequestRefused`: no
        offset is skipped, `seek` past it to go on) and `NoOffset`.
        """
        return _take(self._steps.poll(timeout_s))

    def poll_arrow(self, timeout_s: float = POLL_S, *, headers: bool = False) -> "pa.Table | None":
        """All that one fetch brought of one partition, as columns; None when nothing comes in time.

        Columns: topic (dictionary of string), partition (int32), offset (int64), timestamp (ms, UTC), key and value
        (binary_view), and headers if wanted. Raises as `poll` does.
        """
        return _take(self._steps.poll_arrow(timeout_s, headers=headers))

    def __iter__(self) -> Iterator[ConsumerRecord]:
        """Records for ever; each is taken for done when the next is asked for."""
        while True:
            yield from self.poll()

    # --- moving about -------------------------------------------------------------------------------------------------

    def seek(self, partition: TopicPartition, offset: int) -> None:
        """Read on from there. Raises `NotAssigned`."""
        run(self._core.seek({partition: offset}))

    def seek_to_beginning(self, partitions: Collection[TopicPartition] = ()) -> None:
        """All partitions that are assigned, if none are named."""
        run(self._core.seek_to(partitions, EARLIEST))

    def seek_to_end(self, partitions: Collection[TopicPartition] = ()) -> None:
        run(self._core.seek_to(partitions, LATEST))

    def pause(self, partitions: Collection[TopicPartition]) -> None:
        """Hand out nothing of them, and keep them. Goes on to be a member."""
        _take(self._steps.pause(partitions))

    def resume(self, partitions: Collection[TopicPartition]) -> None:
        run(self._core.resume(partitions))

    def paused(self) -> set[TopicPartition]:
        return self._core.positions.paused()

    def position(self, partition: TopicPartition) -> int:
        """The offset that will be handed out next. Raises `NotAssigned`, `NoOffset`."""
        return run(self._core.position(partition))

    def beginning_offsets(self, partitions: Collection[TopicPartition]) -> dict[TopicPartition, int]:
        return self._offsets(dict.fromkeys(partitions, EARLIEST))

    def end_offsets(self, partitions: Collection[TopicPartition]) -> dict[TopicPartition, int]:
        """Behind the last record; with `read_committed`, behind the last one that is certain."""
        return self._offsets(dict.fromkeys(partitions, LATEST))

    def offsets_for_times(self, timestamps_ms: Mapping[TopicPartition, int]) -> dict[TopicPartition, ListedOffset]:
        """The first record at or after each time; offset -1 where there is none so young."""
        return run(self._core.list_offsets(timestamps_ms))

    def _offsets(self, places: Mapping[TopicPartition, int]) -> dict[TopicPartition, int]:
        return {partition: listed.offset for partition, listed in run(self._core.list_offsets(places)).items()}

    # --- commits ------------------------------------------------------------------------------------------------------

    def commit(self, offsets: Mapping[TopicPartition, OffsetAndMetadata] | None = None) -> None:
        """Commit these, or all that was handed out; returns when they are.

        While the group rebalances the commit waits, and goes out in the new generation for what this member has kept.
        Raises `StaleIdentity` where it has not, `Fenced`, `RebalanceInProgress`, `CommitRefused`, `UnknownOutcome`.
        """
        run(self._core.commit(offsets))

    def commit_async(
        self,
        offsets: Mapping[TopicPartition, OffsetAndMetadata] | None = None,
        done: Callable[[BaseException | None], None] | None = None,
    ) -> "Future[None]":
        """The same without waiting: commits reach the coordinator in the order of their calls.

        `done` is called on the client's event loop: it must not block.
        """
        wanted = self._core.commits.consumed() if offsets is None else dict(offsets)
        future = asyncio.run_coroutine_threadsafe(self._core.commit(wanted), client_loop())
        if done is not None:
            future.add_done_callback(lambda ended: done(_error_of(ended)))
        return future

    def committed(self, partitions: Iterable[TopicPartition]) -> dict[TopicPartition, OffsetAndMetadata | None]:
        """What the group has committed; None where nothing is."""
        wanted = list(partitions)
        found = run(committed_offsets(self._core.cluster, self._core.commits.group_id, wanted))
        return {partition: found.get(partition) for partition in wanted}

    def group_metadata(self) -> GroupMetadata:
        """For `Producer.send_offsets_to_transaction`: as which member what was polled until now may be committed.

        Ask for each transaction, between its last poll and its commit. Raises `NotAssigned` before anything was polled.
        """
        return run(self._core.group_metadata())

    @property
    def identity(self) -> Identity:
        """Who this consumer is in its group now; generation -1 while it has no seat."""
        return NO_IDENTITY if self._core.seat is None else self._core.seat.identity

    # --- the end ------------------------------------------------------------------------------------------------------

    def close(self, leave: bool | None = None) -> None:
        """Commit if that is automatic, then stop.

        A dynamic member leaves its group, a static one keeps its seat, unless `leave` says otherwise (KIP-1092).
        """
        _take(self._steps.close(leave))

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


async def _made(settings: ConsumerSettings) -> ConsumerCore:
    return ConsumerCore(settings)


def _take(steps: Steps[T]) -> T:
    """Callbacks are called here, in the user's thread. What fails is thrown where it was asked for."""
    step: Step
    try:
        step = next(steps)
        while True:
            try:
                answer = run(step) if isinstance(step, Coroutine) else step()
            except BaseException as error:
                step = steps.throw(error)
            else:
                step = steps.send(answer)
    except StopIteration as end:
        result: T = end.value
        return result


def _error_of(ended: "Future[None]") -> BaseException | None:
    return None if ended.cancelled() else ended.exception()
