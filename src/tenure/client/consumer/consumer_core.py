"""Consumer without its user interface: subscription, positions, membership. Runs on one event loop.

`Consumer` (blocking) and `AsyncConsumer` are its two interfaces. An interface gets rebalance events from `poll_events`.
It calls `adopt`, then the user's callback for the event, then `release`. It gets fetched chunks from `take`, returns
their records to the user, and advances the positions.
"""

import asyncio
from collections.abc import Collection, Iterable, Mapping
from re import Pattern
from time import monotonic
from typing import Final, TypeAlias

from tenure.client.consumer.consumer_commits import ConsumerCommits
from tenure.client.consumer.consumer_records import batches_before_malformed
from tenure.client.consumer.consumer_settings import ConsumerSettings, check_pattern, membership_settings
from tenure.client.consumer.fetch import unreadable
from tenure.client.consumer.initial_positions import InitialPositions
from tenure.client.consumer.positions import Chunk, Positions, Reading
from tenure.client.consumer.prefetch import Prefetch
from tenure.client.consumer.topic_pattern_watcher import TopicWatch
from tenure.client.errors import ClientError, Closed, NotAssigned, RequestTimedOut, UnknownTopic
from tenure.client.group.empty_assignment import has_empty_assignment
from tenure.client.group.membership_runner import MembershipRunner
from tenure.client.net.addresses import parse_bootstrap_servers
from tenure.client.net.cluster import Cluster
from tenure.client.net.security import security
from tenure.client.queries.group_queries import Unstable
from tenure.client.queries.partition_queries import list_offsets
from tenure.client.values import (
    NO_IDENTITY,
    Assigned,
    Event,
    GroupMetadata,
    ListedOffset,
    Lost,
    OffsetAndMetadata,
    Revoked,
    SubscriptionPattern,
    TopicPartition,
)
from tenure.protocol.errors import ErrorCode

Topics: TypeAlias = Collection[str] | Pattern[str] | SubscriptionPattern


class ConsumerCore:
    """Subscription, positions and membership of one consumer."""

    def __init__(self, settings: ConsumerSettings) -> None:
        """Create the consumer. Call this on the event loop that runs it."""
        values = settings.configuration
        self.settings: Final = settings
        self.cluster: Final = Cluster(
            parse_bootstrap_servers(values["bootstrap.servers"]),
            client_id=values["client.id"],
            request_timeout_ms=values["request.timeout.ms"],
            patience_ms=values["default.api.timeout.ms"],
            security=security(values),
        )
        self.positions: Final = Positions(values["tenure.prefetch.max.bytes"], values["max.partition.fetch.bytes"])
        self.commits: Final = ConsumerCommits(settings, self.cluster, self.positions)
        self.membership: MembershipRunner[Event] | None = None
        self._reported_identity = NO_IDENTITY
        """Identity of the last event that the user has seen; the membership may already be newer."""
        self._prefetch: Final = Prefetch(
            self.cluster, self.positions, settings.fetch, values["client.rack"] or "", self._wake
        )
        self._changed: Final = asyncio.Event()
        self._failure: Exception | None = None
        self._lookup: asyncio.Task[None] | None = None
        self._initial: Final = InitialPositions(settings, self.cluster, self.positions)
        self._watch: TopicWatch | None = None
        self._is_closed = False

    # --- subscription -------------------------------------------------------------------------------------------------

    async def subscribe(self, topics: Topics) -> None:
        """Join the group with these topics; if the consumer is a member already, replace its subscription."""
        self._check_open()
        if self.membership is None and self.positions.partitions:
            raise ClientError("The consumer has partitions from assign(): call unsubscribe() before subscribe().")
        self._stop_watching()
        names: tuple[str, ...] = ()
        pattern: str | None = None
        if isinstance(topics, SubscriptionPattern):
            check_pattern(self.settings)
            pattern = topics.pattern
        elif isinstance(topics, Pattern):
            watch = TopicWatch(self.cluster, topics, self.settings.configuration["metadata.max.age.ms"])
            names = await watch.topics()
            watch.begin(self._resubscribe)
            self._watch = watch
        else:
            names = tuple(sorted(set(topics)))
        if self.membership is not None:
            self.membership.resubscribe(names, pattern)
        else:
            self.membership = self.commits.membership = MembershipRunner(
                self.cluster, membership_settings(self.settings, names, pattern)
            )
            self.membership.on_change = self._wake
            self.membership.open()

    def _resubscribe(self, topics: tuple[str, ...]) -> None:
        if self.membership is not None:
            self.membership.resubscribe(topics)

    def _stop_watching(self) -> None:
        if self._watch is not None:
            self._watch.end()
            self._watch = None

    async def assign(self, partitions: Iterable[TopicPartition]) -> None:
        """Replace the manual assignment. If `partitions` is a mapping, its values are the offsets to start at."""
        self._check_open()
        if self.membership is not None:
            raise ClientError("The consumer is subscribed to topics: call unsubscribe() before assign().")
        wanted = set(partitions)
        await self._check_exist(wanted)
        self.positions.remove(set(self.positions.partitions) - wanted)
        self.positions.add(wanted)
        if isinstance(partitions, Mapping):
            for partition, offset in partitions.items():
                self.positions.set_position(partition, offset)
        self.start_fetching()

    async def _check_exist(self, partitions: Collection[TopicPartition]) -> None:
        described = await self.cluster.describe_topics({partition.topic for partition in partitions})
        exist = {
            TopicPartition(topic.topic, partition.partition) for topic in described for partition in topic.partitions
        }
        for partition in sorted(set(partitions) - exist):
            raise UnknownTopic(
                f"Unknown partition {partition}: topic '{partition.topic}' has no partition {partition.partition}.",
                ErrorCode.UNKNOWN_TOPIC_OR_PARTITION,
            )

    # --- events -------------------------------------------------------------------------------------------------------

    async def poll_events(self) -> Event | None:
        """Handle a poll of the user, and return the oldest event that the user has not received; None if there is none.

        Restart the timer of `max.poll.interval.ms` (rule 7.1.3), and start an automatic commit if one is due.

        If there is no event, raise errors as `check` does. If there is an event, the caller reports it to the user
        first, and calls `check` afterwards.
        """
        self._check_open()
        self.commits.commit_if_due()
        self.start_fetching()
        if self.membership is not None:
            self.membership.polled()
        event = self.next_event()
        if event is None:
            await self.check()
        return event

    def next_event(self) -> Event | None:
        """Return the oldest event that the user has not received; None if there is none.

        `adopt` removes the event. Therefore a cancelled poll or a failing callback loses no event.
        """
        membership = self.membership
        return membership.events[0] if membership is not None and membership.events else None

    async def check(self) -> None:
        """Raise a pending error, if there is one.

        An error of a fetch or of a lookup of positions is raised once. The error that ended the membership is raised on
        each call.
        """
        for failure in (self._failure, self._prefetch.failure):
            if failure is not None:
                self._failure = self._prefetch.failure = None
                raise failure
        failure = None if self.membership is None else self.membership.to_raise()
        if failure is not None:
            raise failure

    async def _wait(self, timeout_s: float) -> None:
        """Wait until there is an event, a chunk or an error, or until `timeout_s` has passed."""
        self._changed.clear()
        if self._can_return():
            return
        try:
            async with asyncio.timeout(timeout_s):
                await self._changed.wait()
        except TimeoutError:
            pass

    def _can_return(self) -> bool:
        return self.positions.has_chunk() or self._has_event_or_error()

    def _has_event_or_error(self) -> bool:
        membership = self.membership
        return (
            self._is_closed
            or self._failure is not None
            or self._prefetch.failure is not None
            or (membership is not None and (bool(membership.events) or membership.has_to_raise))
        )

    def _wake(self) -> None:
        self._find_positions()
        self._changed.set()

    async def adopt(self, event: Event) -> None:
        """Apply an event before the user's callback: add assigned partitions, and remove lost ones.

        Revoked partitions stay until `release`, so that the callback can still commit them.
        """
        membership = self.membership
        if (
            membership is not None and membership.events and membership.events[0] is event
        ):  # the event of `event_before_leave` is in no queue
            membership.events.popleft()
        if isinstance(event, Assigned):
            self._reported_identity = event.identity
            self.positions.remove(set(self.positions.partitions) - set(event.partitions))
            self.positions.add(event.added, None if membership is None else membership.commits.ownership_ids)
        elif isinstance(event, Lost):
            self.positions.remove(event.partitions)

    async def release(self, event: Event) -> None:
        """Finish an event after the user's callback: remove revoked partitions, and acknowledge the revocation."""
        if isinstance(event, Revoked):
            self.positions.remove(event.partitions)
            if self.membership is not None:
                self.membership.acknowledge_revocation()
        self.start_fetching()

    async def take(self, timeout_s: float) -> Chunk | None:
        """Return the next chunk; None after the timeout, or if there is an event or error.

        This method also waits for the chunk, so that the blocking interface needs only one call of the event loop's
        thread. Such a call takes as long as returning 50 records.
        """
        chunk = self._take_now()
        if chunk is None and timeout_s > 0:
            await self._wait(timeout_s)
            chunk = None if self._has_event_or_error() else self._take_now()
        return chunk

    def _take_now(self) -> Chunk | None:
        chunk = self.positions.take()
        self._prefetch.fetch_more()
        return chunk

    async def handle_malformed_batch(self, chunk: Chunk, error: ValueError) -> None:
        """Handle a chunk that contains a malformed batch: keep only the batches before the malformed one.

        The consumer returns the records of these batches. Then it fetches the malformed batch again, now as the first
        batch of a chunk, and raises the error.

        Raises:
            RequestRefused: The malformed batch is the first one; the position does not change.
        """
        partition = chunk.reading.partition
        sound, next_offset = batches_before_malformed(chunk)
        self.positions.set_position(partition, chunk.start)
        if not 0 < len(sound) < len(chunk.data):
            self.start_fetching()
            raise unreadable(partition, chunk.start, error) from error
        self.positions.add_fetched(partition, chunk.start, sound, next_offset, chunk.leader_epoch)
        self.start_fetching()

    # --- initial positions --------------------------------------------------------------------------------------------

    def start_fetching(self) -> None:
        """Start to look up the missing positions, and to fetch the partitions that have a position. Does not wait."""
        self._find_positions()
        self._prefetch.fetch_more()

    def _find_positions(self) -> None:
        lacks_position = self.positions.without_position() or self.positions.stuck()
        if lacks_position and self._lookup is None and self._failure is None and not self._is_closed:
            self._lookup = asyncio.get_running_loop().create_task(self._look_up_positions())
            self._lookup.add_done_callback(self._handle_lookup_end)

    def _handle_lookup_end(self, task: "asyncio.Task[None]") -> None:
        self._lookup = None
        error = None if task.cancelled() else task.exception()
        if isinstance(error, Exception):
            self._failure = error
            self._wake()
        elif not task.cancelled():
            self.start_fetching()  # another partition may have lost its position meanwhile

    async def _look_up_positions(self) -> None:
        await self._initial.look_up()
        if self._initial.has_unstable:
            self._prefetch.fetch_more()
        await self._initial.wait()

    # --- positions ----------------------------------------------------------------------------------------------------

    def reading(self, partition: TopicPartition) -> Reading:
        """Return the position and fetch state of an assigned partition. Raises `NotAssigned`."""
        reading = self.positions.reading(partition)
        if reading is None:
            raise NotAssigned(f"Partition {partition} is not assigned to this consumer: see its assignment().")
        return reading

    async def seek(self, offsets: Mapping[TopicPartition, int]) -> None:
        """Set the position of each partition to the given offset. Raises `NotAssigned`."""
        for partition in offsets:
            self.reading(partition)
        for partition, offset in offsets.items():
            self.positions.set_position(partition, offset)
        self.start_fetching()

    async def seek_to(self, partitions: Collection[TopicPartition], end: int) -> None:
        """Seek to the beginning or end of the given partitions, or of all assigned ones.

        `end` is EARLIEST or LATEST.
        """
        found = await self.list_offsets(dict.fromkeys(partitions or list(self.positions.partitions), end))
        await self.seek({partition: listed.offset for partition, listed in found.items()})

    async def pause(self, partitions: Iterable[TopicPartition], refetch_offsets: Mapping[TopicPartition, int]) -> None:
        """Stop returning records of these partitions.

        Args:
            partitions: Partitions to pause.
            refetch_offsets: By partition, the offset of the first row that was fetched but not returned to the user.
                The partition is fetched again from this offset after `resume`.
        """
        for partition in partitions:
            self.reading(partition).is_paused = True
        await self.seek(refetch_offsets)

    async def resume(self, partitions: Iterable[TopicPartition]) -> None:
        """End the pause of these partitions, so that their records are returned again."""
        for partition in partitions:
            self.reading(partition).is_paused = False
        self.start_fetching()

    async def position(self, partition: TopicPartition) -> int:
        """Return the position of a partition, after waiting until it is known.

        Raises:
            RequestTimedOut: An open transaction may still change the committed offset.
        """
        give_up_at = monotonic() + self.cluster.patience_ms / 1000
        while (reading := self.reading(partition)).position is None:
            self._check_open()  # a closed consumer determines no positions
            self.start_fetching()
            if self._lookup is not None:
                await asyncio.wait([self._lookup])
            if self._failure is not None:
                failure, self._failure = self._failure, None
                raise failure
            if self._initial.is_unstable(partition) and monotonic() >= give_up_at:
                raise RequestTimedOut(str(Unstable(self.commits.group_id, partition)))
        return reading.position

    async def list_offsets(self, timestamps_ms: Mapping[TopicPartition, int]) -> dict[TopicPartition, ListedOffset]:
        """Return the first offset at or after each timestamp, with the consumer's isolation level."""
        return await list_offsets(self.cluster, timestamps_ms, isolation_level=self.settings.fetch.isolation_level)

    async def commit(self, offsets: Mapping[TopicPartition, OffsetAndMetadata] | None) -> None:
        """Commit these offsets; None commits the positions of all partitions."""
        self._check_open()
        await self.commits.commit(self.commits.consumed() if offsets is None else offsets)

    async def commit_owned(self) -> frozenset[TopicPartition]:
        """Commit the positions of the partitions that are still owned. See `Consumer.commit_owned`."""
        self._check_open()
        return await self.commits.commit_owned()

    async def has_empty_assignment(self) -> bool:
        """Return whether the consumer has no partition, and will get none before the next rebalance."""
        if self.positions.partitions or self.membership is None or not self.membership.identity.member_id:
            return False
        member_id = self.membership.identity.member_id
        return await has_empty_assignment(self.cluster, self.commits.group_id, member_id)

    async def group_metadata(self) -> GroupMetadata:
        """Return the identity for commits of all records polled so far.

        The result is the identity in the last event that the user has received. If the user has not received all events
        yet, the membership may already have a newer identity.
        """
        self._check_open()
        membership = self.membership
        if membership is None and self.positions.partitions:  # assigned by hand
            return GroupMetadata(self.commits.group_id)
        has_seat = self._reported_identity.generation_id >= 0
        if membership is not None and has_seat and not membership.events and membership.identity.generation_id >= 0:
            self._reported_identity = membership.identity
        if not has_seat:
            raise NotAssigned("The consumer has no assignment yet, so nothing can be committed: call poll() first.")
        return GroupMetadata(self.commits.group_id, self._reported_identity)

    # --- close --------------------------------------------------------------------------------------------------------

    async def event_before_leave(self) -> Event | None:
        """Return the event to report before leaving: `Revoked`, or `Lost` if the membership is lost (rule 7.4).

        Return None if the member owns no partitions.
        """
        if self.membership is None or not self.positions.partitions:
            return None
        had = tuple(sorted(self.positions.partitions))
        return Revoked(had) if self.membership.identity.generation_id >= 0 else Lost(had)

    async def unsubscribe(self) -> None:
        """Leave the group or drop the manual assignment. Report `event_before_leave` to the user before this call."""
        await self._leave(None)
        self.positions.remove(list(self.positions.partitions))

    async def close(self, leave: bool | None) -> None:
        """End the membership and close all connections.

        With `leave` None, a dynamic member leaves its group and a static member does not (rule 7.3).
        """
        if self._is_closed:
            return
        await self._leave(leave)
        self._is_closed = True
        self._prefetch.close()
        self.commits.close()
        if self._lookup is not None:
            self._lookup.cancel()
        self.cluster.close()
        self._wake()

    async def _leave(self, leave: bool | None) -> None:
        self._stop_watching()
        if self.membership is None and self.positions.partitions:
            await self.commits.commit_before_revocation()
        membership, self.membership, self.commits.membership = self.membership, None, None
        self._reported_identity = NO_IDENTITY
        if membership is not None:
            await membership.close(leave)

    def _check_open(self) -> None:
        if self._is_closed:
            raise Closed("The consumer is closed; create a new one.")
