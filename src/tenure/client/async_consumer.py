"""The consumer for code that runs on an event loop: as `Consumer`, and nothing blocks."""

import asyncio
import inspect
from collections.abc import AsyncIterator, Collection, Iterable, Mapping
from types import TracebackType
from typing import TYPE_CHECKING, Any, Final, Self

from tenure.client.consumer import POLL_S
from tenure.client.consumer_core import ConsumerCore, Topics
from tenure.client.consumer_records import ConsumerRecord
from tenure.client.consumer_settings import consumer_settings
from tenure.client.group_queries import committed_offsets
from tenure.client.handout import Handout, table_of
from tenure.client.listener import Listener, Told, to_tell
from tenure.client.partition_queries import EARLIEST, LATEST
from tenure.client.positions import Chunk
from tenure.client.values import NO_IDENTITY, Event, Identity, ListedOffset, OffsetAndMetadata, Revoked, TopicPartition

if TYPE_CHECKING:
    import pyarrow as pa


class AsyncConsumer:
    """Made and used on one event loop. What the methods do and raise is said at `Consumer`; callbacks may be coroutine
    functions."""

    def __init__(self, config: Mapping[str, Any]) -> None:
        settings = consumer_settings(config)
        self._core: Final = ConsumerCore(settings)
        self._max_poll_records: Final = settings.max_poll_records
        self._handout: Final = Handout()
        self._listener = Listener()

    # --- what is read -------------------------------------------------------------------------------------------------

    async def subscribe(
        self,
        topics: Topics,
        *,
        on_assigned: Told | None = None,
        on_revoked: Told | None = None,
        on_lost: Told | None = None,
    ) -> None:
        self._listener = Listener(on_assigned, on_revoked, on_lost)
        await self._core.subscribe(topics)

    async def assign(self, partitions: Iterable[TopicPartition]) -> None:
        await self._core.assign(partitions)

    async def unsubscribe(self) -> None:
        await self._say_farewell()
        await self._core.unsubscribe()

    def assignment(self) -> set[TopicPartition]:
        return set(self._core.positions.partitions)

    # --- records ------------------------------------------------------------------------------------------------------

    async def poll(self, timeout_s: float = POLL_S) -> list[ConsumerRecord]:
        give_up_at = asyncio.get_running_loop().time() + timeout_s
        while True:
            await self._attend()
            found = self._handout.next_rows(self._max_poll_records)
            if found:
                return found
            chunk = await self._next_chunk(give_up_at)
            if chunk is None:
                return []
            try:
                self._handout.open(chunk)
            except ValueError as error:
                await self._core.spare(chunk, error)

    async def poll_arrow(self, timeout_s: float = POLL_S, *, headers: bool = False) -> "pa.Table | None":
        give_up_at = asyncio.get_running_loop().time() + timeout_s
        await self._core.seek(self._handout.give_up(self._core.positions.partitions))
        while True:
            await self._attend()
            chunk = await self._next_chunk(give_up_at)
            if chunk is None:
                return None
            try:
                table = table_of(chunk, headers=headers)
            except ValueError as error:
                await self._core.spare(chunk, error)
                continue
            if len(table):
                return table

    async def __aiter__(self) -> AsyncIterator[ConsumerRecord]:
        while True:
            for record in await self.poll():
                yield record

    async def _attend(self) -> None:
        if await self._core.attend() is not None:
            await self._tell_events()
            await self._core.check()

    async def _tell_events(self) -> None:
        while (event := self._core.next_event()) is not None:
            await self._tell(event)

    async def _tell(self, event: Event) -> None:
        if isinstance(event, Revoked):
            await self._core.commits.at_last()
        await self._core.adopt(event)
        try:
            for told, partitions in to_tell(self._listener, event):
                answer = told(partitions)
                if inspect.isawaitable(answer):
                    await answer
        finally:
            await self._core.let_go(event)

    async def _next_chunk(self, give_up_at: float) -> Chunk | None:
        while True:
            left_s = give_up_at - asyncio.get_running_loop().time()
            chunk = await self._core.take(left_s)
            if chunk is not None or left_s <= 0:
                return chunk
            await self._attend()

    # --- moving about -------------------------------------------------------------------------------------------------

    async def seek(self, partition: TopicPartition, offset: int) -> None:
        await self._core.seek({partition: offset})

    async def seek_to_beginning(self, partitions: Collection[TopicPartition] = ()) -> None:
        await self._core.seek_to(partitions, EARLIEST)

    async def seek_to_end(self, partitions: Collection[TopicPartition] = ()) -> None:
        await self._core.seek_to(partitions, LATEST)

    async def pause(self, partitions: Collection[TopicPartition]) -> None:
        await self._core.pause(partitions, self._handout.give_up(partitions))

    async def resume(self, partitions: Collection[TopicPartition]) -> None:
        await self._core.resume(partitions)

    def paused(self) -> set[TopicPartition]:
        return self._core.positions.paused()

    async def position(self, partition: TopicPartition) -> int:
        return await self._core.position(partition)

    async def beginning_offsets(self, partitions: Collection[TopicPartition]) -> dict[TopicPartition, int]:
        return await self._offsets(dict.fromkeys(partitions, EARLIEST))

    async def end_offsets(self, partitions: Collection[TopicPartition]) -> dict[TopicPartition, int]:
        return await self._offsets(dict.fromkeys(partitions, LATEST))

    async def offsets_for_times(
        self, timestamps_ms: Mapping[TopicPartition, int]
    ) -> dict[TopicPartition, ListedOffset]:
        return await self._core.list_offsets(timestamps_ms)

    async def _offsets(self, places: Mapping[TopicPartition, int]) -> dict[TopicPartition, int]:
        return {partition: listed.offset for partition, listed in (await self._core.list_offsets(places)).items()}

    # --- commits ------------------------------------------------------------------------------------------------------

    async def commit(self, offsets: Mapping[TopicPartition, OffsetAndMetadata] | None = None) -> None:
        """Commits of several tasks reach the coordinator in the order of their calls."""
        await self._core.commit(offsets)

    async def committed(self, partitions: Iterable[TopicPartition]) -> dict[TopicPartition, OffsetAndMetadata | None]:
        wanted = list(partitions)
        found = await committed_offsets(self._core.cluster, self._core.commits.group_id, wanted)
        return {partition: found.get(partition) for partition in wanted}

    @property
    def identity(self) -> Identity:
        return NO_IDENTITY if self._core.seat is None else self._core.seat.identity

    # --- the end ------------------------------------------------------------------------------------------------------

    async def close(self, leave: bool | None = None) -> None:
        try:
            await self._say_farewell()
        finally:
            await self._core.close(leave)

    async def _say_farewell(self) -> None:
        await self._tell_events()
        farewell = await self._core.farewell()
        if farewell is not None:
            await self._tell(farewell)

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.close()
