"""Start and stop of the broker's coordinators and logs, and its periodic work."""

import asyncio
import logging
from collections.abc import Iterable, Iterator
from itertools import chain, islice
from typing import Any, Final

from tenure.broker.config import keys
from tenure.broker.config.start_error import StartError
from tenure.broker.coordinators.groups import GroupsServed
from tenure.broker.coordinators.served_shard import ServedShard
from tenure.broker.requests.context import Context
from tenure.coordinator.groups.commands import Resign
from tenure.coordinator.metadata.commands import CreateTopics, FinalizeFeatures, NewTopic, RaiseLeaderEpochs
from tenure.coordinator.metadata.features import INITIAL_LEVELS
from tenure.coordinator.metadata.topic_names import CONSUMER_OFFSETS, TRANSACTION_STATE
from tenure.coordinator.metadata.topics import Topic
from tenure.limits.broker import PRODUCERS_CHECKED_PER_TURN_MAX, SHUTDOWN_GRACE_S
from tenure.protocol.types import PartitionId
from tenure.runtime.host import HostState
from tenure.storage.recovery.recovery import REPAIR

log = logging.getLogger("tenure.broker")


class Broker:
    def __init__(self, context: Context) -> None:
        self.context: Final = context

    # --- start and stop -----------------------------------------------------------------------------------------------

    async def start(self) -> None:
        """Load the metadata shard, and begin to load the shards of groups and transactions.

        After an unclean stop, wait until the shards of groups are loaded, and recover all logs. Afterwards the broker
        can answer requests; requests for a shard that is still loading get a retriable error.

        Raises:
            StartError: The metadata log cannot be read, or `__consumer_offsets` cannot be created.
        """
        context = self.context
        context.metadata.load()
        await self._loaded([context.metadata])
        if context.metadata.host.state is HostState.DOWN:
            remedy = f": {REPAIR}" if context.metadata.is_damaged else ""
            raise StartError(f"the metadata log cannot be read: {context.metadata.host.failure}{remedy}")
        await self._finalize_features()
        context.reload_settings()
        context.reload_quotas()
        context.groups.set_offsets_topic(context.topics.named(CONSUMER_OFFSETS) or await self._create_offsets_topic())
        context.logs.set_strays_aside(context.topics)
        stored = [partition for topic, partition in context.logs.stored() if topic == CONSUMER_OFFSETS]
        shards = [shard for partition in stored if (shard := context.groups.maybe_shard(partition)) is not None]
        if not context.directory.must_recover:  # requests for a loading shard are answered with a retriable error
            self._loading = context.loop.create_task(self._groups_loaded(shards))
        else:
            await self._groups_loaded(shards)
            context.logs.recover(context.topics, context.groups.highest_committed())
            await self._record_leader_epochs()
        for topic, partition in context.logs.stored():
            if topic == TRANSACTION_STATE:  # loading it completes the transactions whose end was decided
                context.transactions.maybe_shard(partition)
        context.directory.mark_recovered()
        self._schedule_retention()
        self._schedule_expiry_of_producers()

    async def _finalize_features(self) -> None:
        """Set the level of each feature that has none: at the first start, and after an upgrade that adds a feature."""
        missing = {name: level for name, level in INITIAL_LEVELS.items() if name not in self.context.features}
        if missing:
            await self._ask_metadata(FinalizeFeatures(missing))

    async def _record_leader_epochs(self) -> None:
        """Write the present leader epoch of each open log to the metadata log."""
        context = self.context
        epochs = {
            (topic.topic_id, PartitionId(partition)): served.partition.leader_epoch
            for (name, partition), served in context.logs.open.items()
            if (topic := context.topics.named(name)) is not None
        }
        await self._ask_metadata(RaiseLeaderEpochs(epochs))

    async def _ask_metadata(self, command: object) -> object:
        answered: asyncio.Future[object] = self.context.loop.create_future()
        self.context.metadata.ask(command, answered.set_result)
        return await answered

    async def _loaded(self, shards: Iterable[ServedShard[Any]]) -> None:
        for shard in shards:
            loaded: asyncio.Future[None] = self.context.loop.create_future()
            shard.when_loaded(lambda loaded=loaded: loaded.set_result(None))  # type: ignore[misc]
            await loaded

    async def _groups_loaded(self, shards: list[GroupsServed]) -> None:
        await self._loaded(shards)
        self._remove_offsets_of_missing_topics()

    async def _create_offsets_topic(self) -> Topic:
        """Return the topic `__consumer_offsets`. Create it if it is missing, so that the first group need not wait."""
        settings = self.context.settings
        configs = {
            "cleanup.policy": "compact",
            "compression.type": "producer",
            "segment.bytes": str(settings[keys.OFFSETS_TOPIC_SEGMENT_BYTES]),
        }
        topic = NewTopic(CONSUMER_OFFSETS, settings[keys.OFFSETS_TOPIC_NUM_PARTITIONS], 1, {}, configs)
        answer = await self._ask_metadata(CreateTopics([topic]))
        found = self.context.topics.named(CONSUMER_OFFSETS)
        if found is None:
            raise StartError(
                f"topic {CONSUMER_OFFSETS} could not be created: {self.context.metadata.host.failure or answer}"
            )
        return found

    def _remove_offsets_of_missing_topics(self) -> None:
        """Delete the committed offsets of topics that no longer exist.

        A crash between the deletion of a topic and that of its offsets leaves such offsets. A new topic of the same
        name must not inherit them.
        """
        groups, topics = self.context.groups, self.context.topics
        missing = {topic for topic, _ in groups.highest_committed() if topics.named(topic) is None}
        if missing:
            log.warning(
                "removing the offsets that groups have committed for topics that no longer exist: %s",
                ", ".join(sorted(missing)),
            )
            groups.remove_offsets(sorted(missing))

    async def answer_parked(self) -> None:
        """Answer all parked requests, because the broker stops.

        Parked fetches get the records that the logs have now. Parked joins and syncs get NOT_COORDINATOR (rule 6.5.5).
        Then wait, for a limited time, until leader epochs and journal entries are written, and all syncs have ended.
        """
        context = self.context
        for parked in list(context.parked):
            parked.answer()
        resigned = [context.loop.create_future() for _ in context.groups.active]
        for shard, done in zip(context.groups.active, resigned, strict=True):
            shard.ask(Resign(), done.set_result)
        if resigned:
            await asyncio.wait(resigned, timeout=SHUTDOWN_GRACE_S)
        if context.metadata.host.state is HostState.ACTIVE:
            await asyncio.wait([context.loop.create_task(self._record_leader_epochs())], timeout=SHUTDOWN_GRACE_S)
        await context.journal.wait_until_written(SHUTDOWN_GRACE_S)
        await context.logs.wait_until_synced(SHUTDOWN_GRACE_S)

    def close(self) -> bool:
        """Sync all logs. Return False if a log could not be synced and the next start has to recover it."""
        return self.context.close()

    # --- periodic work ------------------------------------------------------------------------------------------------

    def _schedule_retention(self) -> None:
        interval_s = self.context.settings[keys.LOG_RETENTION_CHECK_INTERVAL_MS] / 1000
        self.context.loop.call_later(interval_s, self._enforce_retention)

    def _enforce_retention(self) -> None:
        self._schedule_retention()
        logs, wall_ms = self.context.logs, self.context.wall_ms()
        for name, partition in logs.stored():
            topic = self.context.topics.named(name)
            if topic is not None:
                logs.enforce_retention(topic, partition, wall_ms)

    def _schedule_expiry_of_producers(self) -> None:
        interval_s = self.context.settings[keys.PRODUCER_ID_EXPIRATION_CHECK_INTERVAL_MS] / 1000
        self.context.loop.call_later(interval_s, self._expire_producers)

    def _expire_producers(self) -> None:
        """Remove expired producers from open logs. Logs that are not open have no producers in memory."""
        now_ms, opened = self.context.wall_ms(), list(self.context.logs.open.values())
        self._go_on_expiring(chain.from_iterable(served.partition.expire_producers(now_ms) for served in opened))

    def _go_on_expiring(self, steps: Iterator[None]) -> None:
        if sum(1 for _ in islice(steps, PRODUCERS_CHECKED_PER_TURN_MAX)) == PRODUCERS_CHECKED_PER_TURN_MAX:
            self.context.loop.call_soon(self._go_on_expiring, steps)
        else:
            self._schedule_expiry_of_producers()
