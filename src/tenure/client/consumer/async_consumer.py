"""Consumer for asyncio: the methods of `Consumer` as coroutines."""

import inspect
from collections.abc import AsyncIterator, Collection, Coroutine, Iterable, Mapping
from types import TracebackType
from typing import TYPE_CHECKING, Any, Final, Self, TypeVar

from tenure.client.consumer.consumer import POLL_S
from tenure.client.consumer.consumer_core import ConsumerCore, Topics
from tenure.client.consumer.consumer_records import ConsumerRecord
from tenure.client.consumer.consumer_settings import consumer_settings
from tenure.client.consumer.consumer_steps import ConsumerSteps, Step, Steps
from tenure.client.consumer.rebalance_listener import Listener, RebalanceCallback
from tenure.client.queries.group_queries import committed_offsets
from tenure.client.values import NO_IDENTITY, GroupMetadata, Identity, ListedOffset, OffsetAndMetadata, TopicPartition
from tenure.protocol.special_values import EARLIEST, LATEST

if TYPE_CHECKING:
    import pyarrow as pa

T = TypeVar("T")


class AsyncConsumer:
    """Consumer for one asyncio event loop.

    Methods and errors are those of `Consumer`. Callbacks may be coroutine functions.
    """

    def __init__(self, config: Mapping[str, Any]) -> None:
        settings = consumer_settings(config)
        self._core: Final = ConsumerCore(settings)
        self._steps: Final = ConsumerSteps(self._core, settings.max_poll_records)

    # --- subscription -------------------------------------------------------------------------------------------------

    async def subscribe(
        self,
        topics: Topics,
        *,
        on_assigned: RebalanceCallback | None = None,
        on_revoked: RebalanceCallback | None = None,
        on_lost: RebalanceCallback | None = None,
    ) -> None:
        self._steps.listener = Listener(on_assigned, on_revoked, on_lost)
        await self._core.subscribe(topics)

    async def assign(self, partitions: Iterable[TopicPartition]) -> None:
        await self._core.assign(partitions)

    async def unsubscribe(self) -> None:
        await _take(self._steps.unsubscribe())

    def assignment(self) -> set[TopicPartition]:
        return set(self._core.positions.partitions)

    # --- records ------------------------------------------------------------------------------------------------------

    async def poll(self, timeout_s: float = POLL_S) -> list[ConsumerRecord]:
        return await _take(self._steps.poll(timeout_s))

    async def poll_arrow(self, timeout_s: float = POLL_S, *, headers: bool = False) -> "pa.Table | None":
        return await _take(self._steps.poll_arrow(timeout_s, headers=headers))

    async def __aiter__(self) -> AsyncIterator[ConsumerRecord]:
        while True:
            for record in await self.poll():
                yield record

    # --- positions ----------------------------------------------------------------------------------------------------

    async def seek(self, partition: TopicPartition, offset: int) -> None:
        await self._core.seek({partition: offset})

    async def seek_to_beginning(self, partitions: Collection[TopicPartition] = ()) -> None:
        await self._core.seek_to(partitions, EARLIEST)

    async def seek_to_end(self, partitions: Collection[TopicPartition] = ()) -> None:
        await self._core.seek_to(partitions, LATEST)

    async def pause(self, partitions: Collection[TopicPartition]) -> None:
        await _take(self._steps.pause(partitions))

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
        """Commit offsets, as `Consumer.commit` does.

        Commits from several tasks reach the coordinator in the order of the calls.
        """
        await self._core.commit(offsets)

    async def commit_owned(self) -> frozenset[TopicPartition]:
        return await self._core.commit_owned()

    async def committed(self, partitions: Iterable[TopicPartition]) -> dict[TopicPartition, OffsetAndMetadata | None]:
        wanted = list(partitions)
        found = await committed_offsets(self._core.cluster, self._core.commits.group_id, wanted)
        return {partition: found.get(partition) for partition in wanted}

    async def group_metadata(self) -> GroupMetadata:
        return await self._core.group_metadata()

    @property
    def identity(self) -> Identity:
        return NO_IDENTITY if self._core.membership is None else self._core.membership.identity

    # --- close --------------------------------------------------------------------------------------------------------

    async def close(self, leave: bool | None = None) -> None:
        await _take(self._steps.close(leave))

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.close()


async def _take(steps: Steps[T]) -> T:
    """Run a method of `ConsumerSteps`. The user's callbacks are awaited in the caller's task.

    `steps` is the generator that the method returned. If a step fails, its error is raised in the generator, at the
    `yield` of that step.
    """
    step: Step
    try:
        step = next(steps)
        while True:
            try:
                answer = await step if isinstance(step, Coroutine) else step()
                if inspect.isawaitable(answer):
                    answer = await answer
            except BaseException as error:
                step = steps.throw(error)
            else:
                step = steps.send(answer)
    except StopIteration as end:
        result: T = end.value
        return result
