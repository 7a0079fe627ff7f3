"""A consumer without its user: what it reads, where it stands, and its seat. Lives on one event loop.

`Consumer` and `AsyncConsumer` are its two faces. A face tells its user what happened (`attend`, then `adopt` and
`let_go` around the user's callback), hands out chunks (`take`), and moves the positions.
"""

import asyncio
from collections.abc import Collection, Iterable, Mapping
from re import Pattern
from time import monotonic
from typing import Final, TypeAlias

from tenure.client.addresses import parse_bootstrap_servers
from tenure.client.cluster import Cluster
from tenure.client.consumer_commits import ConsumerCommits
from tenure.client.consumer_records import sound_part
from tenure.client.consumer_settings import ConsumerSettings, check_pattern, membership_settings
from tenure.client.errors import ClientError, Closed, NoOffset, NotAssigned, RequestTimedOut, UnknownTopic
from tenure.client.fetch import unreadable
from tenure.client.group_queries import Unstable, stable_offsets
from tenure.client.partition_queries import EARLIEST, LATEST, list_offsets
from tenure.client.pauses import Pauses
from tenure.client.positions import Chunk, Positions, Reading
from tenure.client.prefetch import Prefetch
from tenure.client.seat import Seat
from tenure.client.security import security
from tenure.client.topic_watch import TopicWatch
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

RESET_TO: Final = {"earliest": EARLIEST, "latest": LATEST}


class ConsumerCore:
    def __init__(self, settings: ConsumerSettings) -> None:
        """On its event loop."""
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
        self.seat: Seat | None = None
        self._told_identity = NO_IDENTITY
        """Under which the user came to have what it has; the seat's own may be ahead of what the user was told."""
        self._prefetch: Final = Prefetch(
            self.cluster, self.positions, settings.fetch, values["client.rack"] or "", self._wake
        )
        self._news: Final = asyncio.Event()
        self._failure: Exception | None = None
        self._placing: asyncio.Task[None] | None = None
        self._unstable: set[TopicPartition] = set()
        """What an open transaction keeps without a place. It is asked for until that has ended, however long."""
        self._pauses = Pauses()
        self._watch: TopicWatch | None = None
        self._is_closed = False

    # --- what is read -------------------------------------------------------------------------------------------------

    async def subscribe(self, topics: Topics) -> None:
        """Join the group for these topics; or, with a seat already, have it for them."""
        self._check_open()
        if self.seat is None and self.positions.partitions:
            raise ClientError("This consumer reads partitions that were assigned by hand: unsubscribe it first.")
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
        if self.seat is not None:
            self.seat.resubscribe(names, pattern)
        else:
            self.seat = self.commits.seat = Seat(self.cluster, membership_settings(self.settings, names, pattern))
            self.seat.heard = self._wake
            self.seat.open()

    def _resubscribe(self, topics: tuple[str, ...]) -> None:
        if self.seat is not None:
            self.seat.resubscribe(topics)

    def _stop_watching(self) -> None:
        if self._watch is not None:
            self._watch.end()
            self._watch = None

    async def assign(self, partitions: Iterable[TopicPartition]) -> None:
        """Read these, and no others, without a group's say; from the offsets that a mapping has for them."""
        self._check_open()
        if self.seat is not None:
            raise ClientError("This consumer has subscribed to topics: its group assigns the partitions.")
        wanted = set(partitions)
        await self._check_exist(wanted)
        self.positions.remove(set(self.positions.partitions) - wanted)
        self.positions.add(wanted)
        if isinstance(partitions, Mapping):
            for partition, offset in partitions.items():
                self.positions.place(partition, offset)
        self.begin()

    async def _check_exist(self, partitions: Collection[TopicPartition]) -> None:
        described = await self.cluster.describe_topics({partition.topic for partition in partitions})
        exist = {TopicPartition(topic.topic, at.partition) for topic in described for at in topic.partitions}
        for partition in sorted(set(partitions) - exist):
            raise UnknownTopic(
                f"Topic '{partition.topic}' has no partition {partition.partition}.",
                ErrorCode.UNKNOWN_TOPIC_OR_PARTITION,
            )

    # --- what happened ------------------------------------------------------------------------------------------------

    async def attend(self) -> Event | None:
        """A sign of life for the group (rule 7.1.3); the answer is `next_event`.

        Raises as `check` does when nothing has happened; else the user is told of it first, and `check` comes then.
        """
        self._check_open()
        self.commits.now_and_then()
        self.begin()
        if self.seat is not None:
            self.seat.polled()
        event = self.next_event()
        if event is None:
            await self.check()
        return event

    def next_event(self) -> Event | None:
        """What happened first, to be adopted and let go. It stays until it is adopted: whose poll is cancelled before,
        or whose callback raises, misses nothing."""
        seat = self.seat
        return seat.events[0] if seat is not None and seat.events else None

    async def check(self) -> None:
        """Raises what ended the seat; and what reading, or finding a place to read from, failed with: once."""
        for failure in (self._failure, self._prefetch.failure):
            if failure is not None:
                self._failure = self._prefetch.failure = None
                raise failure
        failure = None if self.seat is None else self.seat.to_raise()
        if failure is not None:
            raise failure

    async def _wait(self, timeout_s: float) -> None:
        """Until there is an event, a chunk, or a failure; at most so long."""
        self._news.clear()
        if self._has_news():
            return
        try:
            async with asyncio.timeout(timeout_s):
                await self._news.wait()
        except TimeoutError:
            pass

    def _has_news(self) -> bool:
        return self.positions.has_chunk() or self._needs_attendance()

    def _needs_attendance(self) -> bool:
        seat = self.seat
        return (
            self._is_closed
            or self._failure is not None
            or self._prefetch.failure is not None
            or (seat is not None and (bool(seat.events) or seat.has_to_raise))
        )

    def _wake(self) -> None:
        self._find_places()
        self._news.set()

    async def adopt(self, event: Event) -> None:
        """Before the user is told. What is revoked can still be committed while the user is told."""
        seat = self.seat
        if seat is not None and seat.events and seat.events[0] is event:  # not so at a farewell
            seat.events.popleft()
        if isinstance(event, Assigned):
            self._told_identity = event.identity
            self.positions.remove(set(self.positions.partitions) - set(event.partitions))
            self.positions.add(event.added)
        elif isinstance(event, Lost):
            self.positions.remove(event.partitions)

    async def let_go(self, event: Event) -> None:
        """After the user was told."""
        if isinstance(event, Revoked):
            self.positions.remove(event.partitions)
            if self.seat is not None:
                self.seat.acknowledge_revocation()
        self.begin()

    async def take(self, timeout_s: float) -> Chunk | None:
        """The next chunk; None when none comes in time, or when there is something to attend to first.

        It waits here, and not in the face: to ask another thread costs as much as 50 rows.
        """
        chunk = self._take_now()
        if chunk is None and timeout_s > 0:
            await self._wait(timeout_s)
            chunk = None if self._needs_attendance() else self._take_now()
        return chunk

    def _take_now(self) -> Chunk | None:
        chunk = self.positions.take()
        self._prefetch.go_on()
        return chunk

    async def spare(self, chunk: Chunk, error: ValueError) -> None:
        """A batch of this chunk cannot be read: what comes before it is handed out first, and then nothing until the
        user seeks. Raises `RequestRefused` where nothing comes before it; the position is then where it was."""
        partition = chunk.reading.partition
        sound, next_offset = sound_part(chunk)
        self.positions.place(partition, chunk.start)
        if not 0 < len(sound) < len(chunk.data):
            self.begin()
            raise unreadable(partition, chunk.start, error) from error
        self.positions.fetched(partition, chunk.start, sound, next_offset, chunk.leader_epoch)
        self.begin()

    # --- where to begin -----------------------------------------------------------------------------------------------

    def begin(self) -> None:
        """Find out where to read what has no position yet, and read ahead what has one."""
        self._find_places()
        self._prefetch.go_on()

    def _find_places(self) -> None:
        needs_place = self.positions.unplaced() or self.positions.stuck()
        if needs_place and self._placing is None and self._failure is None and not self._is_closed:
            self._placing = asyncio.get_running_loop().create_task(self._place())
            self._placing.add_done_callback(self._placed)

    def _placed(self, task: "asyncio.Task[None]") -> None:
        self._placing = None
        error = None if task.cancelled() else task.exception()
        if isinstance(error, Exception):
            self._failure = error
            self._wake()
        elif not task.cancelled():
            self.begin()  # another partition may have lost its place meanwhile

    async def _place(self) -> None:
        unplaced = self.positions.unplaced()
        stuck = self.positions.stuck()
        offsets: dict[TopicPartition, int] = {}
        if not unplaced:  # what had no place may have been sought since
            self._unstable = set()
        elif self.settings.group_id is not None:
            committed, self._unstable = await stable_offsets(self.cluster, self.settings.group_id, unplaced)
            offsets = {partition: found.offset for partition, found in committed.items()}
        lacking = [partition for partition in unplaced if partition not in offsets and partition not in self._unstable]
        if lacking or stuck:
            offsets |= await self._reset({**dict.fromkeys(lacking), **stuck})
        for partition, offset in offsets.items():
            reading = self.positions.reading(partition)
            if reading is not None and reading.position == stuck.get(partition):  # the user may have sought meanwhile
                self.positions.place(partition, offset)
        if self._unstable:
            self._prefetch.go_on()
            await asyncio.sleep(self._pauses.next_s(ErrorCode.UNSTABLE_OFFSET_COMMIT))
        else:
            self._pauses = Pauses()

    async def _reset(self, partitions: Mapping[TopicPartition, int | None]) -> dict[TopicPartition, int]:
        """By partition, with the offset at which it has nothing: None where there is no offset at all."""
        policy = self.settings.auto_offset_reset
        if policy not in RESET_TO:
            partition, offset = next(iter(partitions.items()))
            lacks = "no committed offset" if offset is None else f"no offset {offset} (any more)"
            raise NoOffset(
                f"{partition} has {lacks}, and 'auto.offset.reset' is 'none': seek to where you want to read.",
                ErrorCode.OFFSET_OUT_OF_RANGE,
            )
        found = await self.list_offsets(dict.fromkeys(partitions, RESET_TO[policy]))
        return {partition: listed.offset for partition, listed in found.items()}

    # --- moving about -------------------------------------------------------------------------------------------------

    def reading(self, partition: TopicPartition) -> Reading:
        reading = self.positions.reading(partition)
        if reading is None:
            raise NotAssigned(f"{partition} is not assigned to this consumer.")
        return reading

    async def seek(self, places: Mapping[TopicPartition, int]) -> None:
        for partition in places:
            self.reading(partition)
        for partition, offset in places.items():
            self.positions.place(partition, offset)
        self.begin()

    async def seek_to(self, partitions: Collection[TopicPartition], end: int) -> None:
        """`end` is EARLIEST or LATEST."""
        found = await self.list_offsets(dict.fromkeys(partitions or list(self.positions.partitions), end))
        await self.seek({partition: listed.offset for partition, listed in found.items()})

    async def pause(self, partitions: Iterable[TopicPartition], back: Mapping[TopicPartition, int]) -> None:
        """`back`: where to read again what was begun to be handed out."""
        for partition in partitions:
            self.reading(partition).is_paused = True
        await self.seek(back)

    async def resume(self, partitions: Iterable[TopicPartition]) -> None:
        for partition in partitions:
            self.reading(partition).is_paused = False
        self.begin()

    async def position(self, partition: TopicPartition) -> int:
        """Waits for it to be found out. Raises `RequestTimedOut` where an open transaction takes too long to end."""
        give_up_at = monotonic() + self.cluster.patience_ms / 1000
        while (reading := self.reading(partition)).position is None:
            self._check_open()  # maybe closed while this waited: nobody would look for a place any more
            self.begin()
            if self._placing is not None:
                await asyncio.wait([self._placing])
            if self._failure is not None:
                failure, self._failure = self._failure, None
                raise failure
            if partition in self._unstable and monotonic() >= give_up_at:
                raise RequestTimedOut(str(Unstable(self.commits.group_id, partition)))
        return reading.position

    async def list_offsets(self, timestamps_ms: Mapping[TopicPartition, int]) -> dict[TopicPartition, ListedOffset]:
        return await list_offsets(self.cluster, timestamps_ms, isolation_level=self.settings.fetch.isolation_level)

    async def commit(self, offsets: Mapping[TopicPartition, OffsetAndMetadata] | None) -> None:
        """None: what was handed out."""
        self._check_open()
        await self.commits.commit(self.commits.consumed() if offsets is None else offsets)

    async def group_metadata(self) -> GroupMetadata:
        """A newer epoch is the user's own as long as nothing has happened that it was not told of."""
        self._check_open()
        seat = self.seat
        if seat is None and self.positions.partitions:  # assigned by hand
            return GroupMetadata(self.commits.group_id)
        has_seat = self._told_identity.generation_id >= 0
        if seat is not None and has_seat and not seat.events and seat.identity.generation_id >= 0:
            self._told_identity = seat.identity
        if not has_seat:
            raise NotAssigned("This consumer has no seat in its group yet, and so nothing to commit: poll it first.")
        return GroupMetadata(self.commits.group_id, self._told_identity)

    # --- the end ------------------------------------------------------------------------------------------------------

    async def farewell(self) -> Event | None:
        """What giving up the seat means for what is still had (rule 7.4): revoked, or lost if the seat is gone."""
        if self.seat is None or not self.positions.partitions:
            return None
        had = tuple(sorted(self.positions.partitions))
        return Revoked(had) if self.seat.identity.generation_id >= 0 else Lost(had)

    async def unsubscribe(self) -> None:
        """Leave the group, or give up what was assigned by hand. The farewell was told before."""
        await self._leave(None)
        self.positions.remove(list(self.positions.partitions))

    async def close(self, leave: bool | None) -> None:
        """`leave` None: a dynamic member leaves its group, a static one keeps its seat (rule 7.3)."""
        if self._is_closed:
            return
        await self._leave(leave)
        self._is_closed = True
        self._prefetch.close()
        self.commits.close()
        if self._placing is not None:
            self._placing.cancel()
        self.cluster.close()
        self._wake()

    async def _leave(self, leave: bool | None) -> None:
        self._stop_watching()
        if self.seat is None and self.positions.partitions:
            await self.commits.at_last()
        seat, self.seat, self.commits.seat = self.seat, None, None
        self._told_identity = NO_IDENTITY
        if seat is not None:
            await seat.close(leave)

    def _check_open(self) -> None:
        if self._is_closed:
            raise Closed("This consumer was closed.")
