"""Blocking consumer. Network work runs on the client's event loop.

Not thread-safe, except `commit` and `commit_async`, which any thread may call.
"""

import asyncio
from collections.abc import Callable, Collection, Coroutine, Iterable, Iterator, Mapping
from concurrent.futures import Future
from types import TracebackType
from typing import TYPE_CHECKING, Any, Final, Self, TypeVar

from tenure.client.consumer.consumer_core import ConsumerCore, Topics
from tenure.client.consumer.consumer_records import ConsumerRecord
from tenure.client.consumer.consumer_settings import ConsumerSettings, consumer_settings
from tenure.client.consumer.consumer_steps import ConsumerSteps, Step, Steps
from tenure.client.consumer.rebalance_listener import Listener, RebalanceCallback
from tenure.client.net.event_loop import client_loop, run
from tenure.client.queries.group_queries import committed_offsets
from tenure.client.values import NO_IDENTITY, GroupMetadata, Identity, ListedOffset, OffsetAndMetadata, TopicPartition
from tenure.protocol.special_values import EARLIEST, LATEST

if TYPE_CHECKING:
    import pyarrow as pa

T = TypeVar("T")

POLL_S: Final = 1.0
"""Default timeout of a poll in seconds. It is short, so that Ctrl-C can interrupt a loop over `poll`."""


class Consumer:
    """Blocking consumer: a group member, or a reader of manually assigned partitions.

        with Consumer({"bootstrap.servers": "localhost:9092", "group.id": "g"}) as consumer:
            consumer.subscribe(["flights"])
            for record in consumer:
                ...

    Args:
        config: Settings with Kafka's keys.

    Raises:
        ConfigurationError: A key is unknown, or a value is invalid.
    """

    def __init__(self, config: Mapping[str, Any]) -> None:
        settings = consumer_settings(config)
        self._core: Final = run(_made(settings))
        self._steps: Final = ConsumerSteps(self._core, settings.max_poll_records)

    # --- subscription -------------------------------------------------------------------------------------------------

    def subscribe(
        self,
        topics: Topics,
        *,
        on_assigned: RebalanceCallback | None = None,
        on_revoked: RebalanceCallback | None = None,
        on_lost: RebalanceCallback | None = None,
    ) -> None:
        """Join the group with these topics.

        The callbacks run inside `poll`, with the affected partitions. Revoked partitions can still be committed in the
        callback, lost ones cannot. With the cooperative protocol the callbacks receive only the partitions that this
        consumer gets or gives up in the rebalance (rule 7.4).

        Args:
            topics: Topic names; or a compiled `re` pattern, which this consumer compares with all topics every
                `metadata.max.age.ms`; or a `SubscriptionPattern`, which the coordinator resolves. A pattern has to
                match the whole name.
            on_assigned: Called after each assignment with the new partitions, also if there are none.
            on_revoked: Called with revoked partitions.
            on_lost: Called with the partitions of a lost membership.
        """
        self._steps.listener = Listener(on_assigned, on_revoked, on_lost)
        run(self._core.subscribe(topics))

    def assign(self, partitions: Iterable[TopicPartition]) -> None:
        """Read these partitions without joining a group. They replace an earlier assignment.

        Args:
            partitions: Partitions, or a mapping from partition to the offset to start at.

        Raises:
            UnknownTopic: A topic or partition does not exist.
        """
        run(self._core.assign(partitions))

    def unsubscribe(self) -> None:
        """Call `on_revoked`, then leave the group or drop the manual assignment."""
        _take(self._steps.unsubscribe())

    def assignment(self) -> set[TopicPartition]:
        """Return the assigned partitions."""
        return set(self._core.positions.partitions)

    def has_empty_assignment(self) -> bool:
        """Return whether the group is stable and assigns no partition to this consumer."""
        return run(self._core.has_empty_assignment())

    def partitions_of(self, topic: str, timeout_s: float | None = None) -> list[int]:
        """Return the partition numbers of a topic. Raises `UnknownTopic`.

        Args:
            topic: Topic name.
            timeout_s: Seconds to wait for a reachable broker; None for `default.api.timeout.ms`.
        """
        patience_ms = None if timeout_s is None else round(timeout_s * 1000)
        (described,) = run(self._core.cluster.describe_topics([topic], patience_ms))
        return [partition.partition for partition in described.partitions]

    @property
    def patience_s(self) -> float:
        """Time in seconds for which an operation is retried (`default.api.timeout.ms`)."""
        return self._core.cluster.patience_ms / 1000

    # --- records ------------------------------------------------------------------------------------------------------

    def poll(self, timeout_s: float = POLL_S) -> list[ConsumerRecord]:
        """Return the next records of one partition, at most `max.poll.records`; an empty list after the timeout.

        Raises:
            Fenced: Another member took over the instance id.
            MembershipRefused: The group rejects the member.
            RequestRefused: Records cannot be read. The consumer does not skip them. To continue, `seek` to an offset
                after them.
            NoOffset: A partition has no committed offset, and `auto.offset.reset` is none.
        """
        return _take(self._steps.poll(timeout_s))

    def poll_arrow(self, timeout_s: float = POLL_S, *, headers: bool = False) -> "pa.Table | None":
        """Return the records of one fetch from one partition as a table; None after the timeout.

        Raises the errors of `poll`. Columns: topic (dictionary of string), partition (int32), offset (int64), timestamp
        (ms, UTC), key and value (binary_view), and headers if requested.
        """
        return _take(self._steps.poll_arrow(timeout_s, headers=headers))

    def __iter__(self) -> Iterator[ConsumerRecord]:
        """Iterate over records without end.

        With `enable.auto.commit`, the request for the next record marks the present one as processed. Then it can be
        committed.
        """
        while True:
            yield from self.poll()

    # --- positions ----------------------------------------------------------------------------------------------------

    def seek(self, partition: TopicPartition, offset: int) -> None:
        """Set the offset of the next record to return. Raises `NotAssigned`."""
        run(self._core.seek({partition: offset}))

    def seek_to_beginning(self, partitions: Collection[TopicPartition] = ()) -> None:
        """Seek to the first offset of the given partitions, or of all assigned ones."""
        run(self._core.seek_to(partitions, EARLIEST))

    def seek_to_end(self, partitions: Collection[TopicPartition] = ()) -> None:
        """Seek to the end of the given partitions, or of all assigned ones."""
        run(self._core.seek_to(partitions, LATEST))

    def pause(self, partitions: Collection[TopicPartition]) -> None:
        """Stop returning records of these partitions. They remain assigned."""
        _take(self._steps.pause(partitions))

    def resume(self, partitions: Collection[TopicPartition]) -> None:
        """End the pause of these partitions: `poll` returns their records again."""
        run(self._core.resume(partitions))

    def paused(self) -> set[TopicPartition]:
        """Return the paused partitions."""
        return self._core.positions.paused()

    def position(self, partition: TopicPartition) -> int:
        """Return the offset of the next record that `poll` returns. Raises `NotAssigned`, `NoOffset`."""
        return run(self._core.position(partition))

    def beginning_offsets(self, partitions: Collection[TopicPartition]) -> dict[TopicPartition, int]:
        """Return the first offset of each partition."""
        return self._offsets(dict.fromkeys(partitions, EARLIEST))

    def end_offsets(self, partitions: Collection[TopicPartition]) -> dict[TopicPartition, int]:
        """Return the end offset of each partition.

        With `isolation.level=read_committed`, a partition ends at its first open transaction.
        """
        return self._offsets(dict.fromkeys(partitions, LATEST))

    def offsets_for_times(self, timestamps_ms: Mapping[TopicPartition, int]) -> dict[TopicPartition, ListedOffset]:
        """Return the first offset at or after each timestamp in ms; -1 if there is none."""
        return run(self._core.list_offsets(timestamps_ms))

    def _offsets(self, places: Mapping[TopicPartition, int]) -> dict[TopicPartition, int]:
        return {partition: listed.offset for partition, listed in run(self._core.list_offsets(places)).items()}

    # --- commits ------------------------------------------------------------------------------------------------------

    def commit(self, offsets: Mapping[TopicPartition, OffsetAndMetadata] | None = None) -> None:
        """Commit offsets, and return after the coordinator has stored them.

        During a rebalance this method waits, and sends the commit in the new generation.

        Args:
            offsets: Next offset to read, by partition; None commits the positions of all returned records.

        Raises:
            StaleIdentity: This member no longer owns one of the partitions. Nothing was committed.
            Fenced, RebalanceInProgress, CommitRefused: Nothing was committed.
            UnknownOutcome: The offsets may have been committed.
        """
        run(self._core.commit(offsets))

    def commit_owned(self) -> frozenset[TopicPartition]:
        """Commit the positions of partitions that this consumer has owned without interruption since it read them.

        Unlike `commit`, this method leaves out lost partitions and positions that are already committed.

        Returns:
            The partitions whose positions are committed now. A partition is missing if this consumer lost it, or if a
                rebalance is in progress. Then call `poll`, which reports lost partitions, and call this method again.

        Raises:
            Fenced, CommitRefused: Nothing was committed.
            UnknownOutcome: The offsets may have been committed.
        """
        return run(self._core.commit_owned())

    def commit_async(
        self,
        offsets: Mapping[TopicPartition, OffsetAndMetadata] | None = None,
        done: Callable[[BaseException | None], None] | None = None,
    ) -> "Future[None]":
        """Start a commit, and return its future. Commits reach the coordinator in the order of the calls.

        `done` is called on the client's event loop with the error or None, and must not block.
        """
        wanted = self._core.commits.consumed() if offsets is None else dict(offsets)
        future = asyncio.run_coroutine_threadsafe(self._core.commit(wanted), client_loop())
        if done is not None:
            future.add_done_callback(lambda ended: done(_error_of(ended)))
        return future

    def committed(self, partitions: Iterable[TopicPartition]) -> dict[TopicPartition, OffsetAndMetadata | None]:
        """Return the group's committed offset of each partition; None where there is none."""
        wanted = list(partitions)
        found = run(committed_offsets(self._core.cluster, self._core.commits.group_id, wanted))
        return {partition: found.get(partition) for partition in wanted}

    def group_metadata(self) -> GroupMetadata:
        """Return the identity to pass to `Producer.send_offsets_to_transaction`, valid for all records polled so far.

        Call this method once per transaction, after the last `poll` and before the commit of the transaction. Raises
        `NotAssigned` before the first poll.
        """
        return run(self._core.group_metadata())

    @property
    def identity(self) -> Identity:
        """Current identity in the group; the generation is -1 without a membership."""
        return NO_IDENTITY if self._core.membership is None else self._core.membership.identity

    # --- close --------------------------------------------------------------------------------------------------------

    def close(self, leave: bool | None = None) -> None:
        """Commit if `enable.auto.commit` is on, then end the membership and close all connections.

        A dynamic member leaves its group and a static member does not, unless `leave` overrides this (KIP-1092).
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
    """Run a method of `ConsumerSteps`. The user's callbacks run in the caller's thread.

    `steps` is the generator that the method returned. If a step fails, its error is raised in the generator, at the
    `yield` of that step.
    """
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
