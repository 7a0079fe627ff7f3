"""The broker: where shards, logs and connections meet. Handlers see it, and nothing behind it."""

import asyncio
import logging
import os
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cached_property
from itertools import chain, islice
from typing import TYPE_CHECKING, Any, Final, Protocol, TypeVar

from tenure.broker.config import keys
from tenure.broker.config.keys import Settings
from tenure.broker.config.listener import Address
from tenure.broker.config.server_assignors import server_assignors
from tenure.broker.config.start_error import StartError
from tenure.broker.config.topic_settings import TopicSchema, schemas
from tenure.broker.coordinators.effects import Effects
from tenure.broker.coordinators.endings import Endings
from tenure.broker.coordinators.group_configs import GroupsConfigured, default_group_configs
from tenure.broker.coordinators.groups import Groups, GroupsServed
from tenure.broker.coordinators.journal import Journal
from tenure.broker.coordinators.narration import NarratingGroupsCodec
from tenure.broker.coordinators.producer_ids import ProducerIds
from tenure.broker.coordinators.served_shard import ServedShard
from tenure.broker.coordinators.transactions import Transactions
from tenure.broker.logs.logs import Logs
from tenure.broker.loop.clock import Clock, LoopClock
from tenure.broker.loop.one_at_a_time import OneAtATime
from tenure.broker.loop.turn import Turn
from tenure.broker.topic_names import CONSUMER_OFFSETS, TRANSACTION_STATE
from tenure.coordinator.groups.commands import Resign, TopicsDeleted
from tenure.coordinator.groups.settings import GroupSettings
from tenure.coordinator.groups.shard import GroupsShard
from tenure.coordinator.metadata.commands import CreateTopics, Entity, NewTopic
from tenure.coordinator.metadata.configs import Configs
from tenure.coordinator.metadata.settings import MetadataSettings
from tenure.coordinator.metadata.shard import MetadataShard
from tenure.coordinator.metadata.topics import Topic, Topics
from tenure.limits import PRODUCERS_LOOKED_AT_MAX, SHUTDOWN_GRACE_S, THREAD_SWITCH_S
from tenure.protocol.types import BrokerId, TopicName
from tenure.runtime.codecs import MetadataCodec
from tenure.runtime.host import Host, HostState
from tenure.storage.data_directory import DataDirectory
from tenure.storage.recovery import REPAIR

if TYPE_CHECKING:
    from concurrent.futures import ThreadPoolExecutor

    from tenure.broker.coordinators.transactions import TransactionsServed
    from tenure.broker.logs.batch_checks import BatchChecks
    from tenure.broker.requests.fetch_sessions import FetchSessions

log = logging.getLogger("tenure.broker")

T = TypeVar("T")


class Parked(Protocol):
    """Something that waits and can be made to answer at once."""

    def answer(self) -> None: ...


class Broker:
    groups: Groups

    def __init__(
        self,
        settings: Settings,
        directory: DataDirectory,
        address: Address,
        loop: asyncio.AbstractEventLoop,
        clock: Clock | None = None,
    ) -> None:
        """Create the broker. Raises StartError."""
        self.settings: Final = settings
        self._assignors = server_assignors(settings[keys.GROUP_CONSUMER_ASSIGNORS])
        self.node_id: Final = BrokerId(settings[keys.NODE_ID])
        self.address: Final = address
        """Address that clients are told to connect to."""
        self.cluster_id: Final = directory.cluster_id
        self.auto_create_topics: Final = settings[keys.AUTO_CREATE_TOPICS_ENABLE]
        self.loop: Final = loop
        self.clock: Final = clock or LoopClock(loop)
        self.turn: Final = Turn(loop, self.clock)
        self.logs: Final = Logs(directory, settings, loop)
        self.effects: Final = Effects(loop)
        self.lists_of_groups: Final = OneAtATime(loop)
        self.parked: Final[set[Parked]] = set()
        self._directory = directory
        self._group_defaults = default_group_configs(settings)
        self._groups_codec = NarratingGroupsCodec()
        metadata_settings = MetadataSettings(self.node_id, settings[keys.NUM_PARTITIONS])
        config_schemas = schemas(TopicSchema())
        self.metadata: Final = ServedShard(
            "the metadata shard",
            Host(lambda: MetadataShard(metadata_settings, os.urandom, config_schemas), MetadataCodec()),
            self.logs.of_metadata(),
            self.turn,
            self.logs.on_loader,
        )
        self.producer_ids: Final = ProducerIds(self.metadata)
        self.journal: Final = Journal(self)
        self.transactions: Final = Transactions(
            self._transaction_partitions,
            self._create_transaction_state,
            self._start_transactions,
            self.producer_ids,
            Endings(loop),
        )

    @cached_property
    def fetch_sessions(self) -> "FetchSessions":
        """Made by the first fetch."""
        from tenure.broker.requests.fetch_sessions import FetchSessions

        return FetchSessions(self.settings[keys.MAX_INCREMENTAL_FETCH_SESSION_CACHE_SLOTS])

    @cached_property
    def batch_checks(self) -> "BatchChecks":
        """Made by the first large batch."""
        from tenure.broker.logs.batch_checks import BatchChecks

        return BatchChecks(self.loop)

    @cached_property
    def _decoder(self) -> "ThreadPoolExecutor":
        """Made by the first large request."""
        from concurrent.futures import ThreadPoolExecutor

        sys.setswitchinterval(THREAD_SWITCH_S)
        return ThreadPoolExecutor(1, "decoder")

    def on_decoder(self, work: Callable[[], T]) -> "asyncio.Future[T]":
        """Run work on the thread that decodes large requests, one at a time."""
        return self.loop.run_in_executor(self._decoder, work)

    @property
    def topics(self) -> Topics:
        return self.metadata.host.shard.topics

    @property
    def configs(self) -> Configs:
        """Configs of all resources but topics."""
        return self.metadata.host.shard.configs

    @property
    def quotas(self) -> Mapping[Entity, Mapping[str, float]]:
        """Quotas of clients."""
        return self.metadata.host.shard.quotas

    @property
    def shards(self) -> list[ServedShard[Any]]:
        """Shards so far: those of groups appear when the topics are loaded."""
        groups = self.groups.active if hasattr(self, "groups") else ()
        return [self.metadata, *groups, *self.transactions.active]

    def wall_ms(self) -> int:
        return self.clock.now().wall_ms

    # --- start and stop -----------------------------------------------------------------------------------------------

    async def start(self) -> None:
        """Load every shard; requests can be answered afterwards. Raises StartError."""
        self.metadata.load()
        await self._loaded([self.metadata])
        if self.metadata.host.state is HostState.DOWN:
            remedy = f": {REPAIR}" if self.metadata.is_damaged else ""
            raise StartError(f"the log of topics cannot be read: {self.metadata.host.failure}{remedy}")
        offsets_topic = self.topics.named(CONSUMER_OFFSETS) or await self._create_offsets_topic()
        self.logs.set_strays_aside(self.topics)
        configured = GroupsConfigured(lambda: self.configs, self._group_defaults, offsets_topic.partitions)
        self.groups = Groups(
            offsets_topic.partitions, lambda partition: self._start_shard(offsets_topic, partition), configured
        )
        stored = [partition for topic, partition in self.logs.stored() if topic == CONSUMER_OFFSETS]
        shards = [shard for partition in stored if (shard := self.groups.maybe_shard(partition)) is not None]
        if not self._directory.must_recover:  # requests for a loading shard are answered with a retriable error
            self._loading = self.loop.create_task(self._groups_loaded(shards))
        else:
            await self._groups_loaded(shards)
            self.logs.recover(self.topics, self.groups.highest_committed())
        for topic, partition in self.logs.stored():
            if topic == TRANSACTION_STATE:  # what was decided there is carried out
                self.transactions.maybe_shard(partition)
        self._directory.recovered()
        self._schedule_retention()
        self._schedule_expiry_of_producers()

    async def _loaded(self, shards: "Iterable[ServedShard[Any]]") -> None:
        for shard in shards:
            loaded: asyncio.Future[None] = self.loop.create_future()
            shard.when_loaded(lambda loaded=loaded: loaded.set_result(None))  # type: ignore[misc]
            await loaded

    async def _groups_loaded(self, shards: list[GroupsServed]) -> None:
        await self._loaded(shards)
        self._forget_offsets_of_missing_topics()

    async def _create_offsets_topic(self) -> Topic:
        """Create the offsets topic at the first start, so that no group ever has to wait for it."""
        created: asyncio.Future[object] = self.loop.create_future()
        configs = {
            "cleanup.policy": "compact",
            "compression.type": "producer",
            "segment.bytes": str(self.settings[keys.OFFSETS_TOPIC_SEGMENT_BYTES]),
        }
        topic = NewTopic(CONSUMER_OFFSETS, self.settings[keys.OFFSETS_TOPIC_NUM_PARTITIONS], 1, {}, configs)
        self.metadata.ask(CreateTopics([topic]), created.set_result)
        answer = await created
        found = self.topics.named(CONSUMER_OFFSETS)
        if found is None:
            raise StartError(f"{CONSUMER_OFFSETS} could not be created: {self.metadata.host.failure or answer}")
        return found

    def _start_shard(self, offsets_topic: Topic, partition: int) -> GroupsServed:
        settings = GroupSettings(
            group_min_session_timeout_ms=self.settings[keys.GROUP_MIN_SESSION_TIMEOUT_MS],
            group_max_session_timeout_ms=self.settings[keys.GROUP_MAX_SESSION_TIMEOUT_MS],
            group_initial_rebalance_delay_ms=self.settings[keys.GROUP_INITIAL_REBALANCE_DELAY_MS],
            group_max_size=self.settings[keys.GROUP_MAX_SIZE],
            group_consumer_max_size=self.settings[keys.GROUP_CONSUMER_MAX_SIZE],
            group_consumer_assignors=self._assignors[0],
            own_assignors=self._assignors[1],
            group_consumer_regex_refresh_interval_ms=self.settings[keys.GROUP_CONSUMER_REGEX_REFRESH_INTERVAL_MS],
            group_consumer_migration_policy=self.settings[keys.GROUP_CONSUMER_MIGRATION_POLICY],
            offset_metadata_max_bytes=self.settings[keys.OFFSET_METADATA_MAX_BYTES],
            offsets_retention_minutes=self.settings[keys.OFFSETS_RETENTION_MINUTES],
            offsets_retention_check_interval_ms=self.settings[keys.OFFSETS_RETENTION_CHECK_INTERVAL_MS],
            configs=self._group_defaults,
            group_consumer_min_heartbeat_interval_ms=self.settings[keys.GROUP_CONSUMER_MIN_HEARTBEAT_INTERVAL_MS],
        )
        return ServedShard(
            f"the groups of {CONSUMER_OFFSETS}-{partition}",
            Host(
                lambda: GroupsShard(settings, os.urandom, self.journal.observer(), lambda: self.topics),
                self._groups_codec,
            ),
            self.logs.of(offsets_topic, partition),
            self.turn,
            self.logs.on_loader,
            self.effects,
        )

    def _transaction_partitions(self) -> int | None:
        topic = self.topics.named(TRANSACTION_STATE)
        return None if topic is None else topic.partitions

    def _create_transaction_state(self, then: Callable[[], None]) -> None:
        configs = {
            "cleanup.policy": "compact",
            "compression.type": "uncompressed",
            "segment.bytes": str(self.settings[keys.TRANSACTION_STATE_LOG_SEGMENT_BYTES]),
        }
        partitions = self.settings[keys.TRANSACTION_STATE_LOG_NUM_PARTITIONS]
        topic = NewTopic(TRANSACTION_STATE, partitions, 1, {}, configs)
        self.metadata.ask(CreateTopics([topic]), lambda _: then())

    def _start_transactions(self, partition: int) -> "TransactionsServed":
        from tenure.broker.coordinators.transactions_shard import started  # most brokers never have a transaction

        return started(self, partition)

    async def answer_parked(self) -> None:
        """Answer all parked requests: fetches with the present records, members with NOT_COORDINATOR (rule 6.5.5)."""
        for parked in list(self.parked):
            parked.answer()
        resigned = [self.loop.create_future() for _ in self.groups.active]
        for shard, done in zip(self.groups.active, resigned, strict=True):
            shard.ask(Resign(), done.set_result)
        if resigned:
            await asyncio.wait(resigned, timeout=SHUTDOWN_GRACE_S)
        await self.journal.settled(SHUTDOWN_GRACE_S)
        await self.logs.settled(SHUTDOWN_GRACE_S)

    def close(self) -> bool:
        """Make everything durable; return False if something could not be synced, and has to be recovered."""
        self.effects.close()
        if "batch_checks" in self.__dict__:
            self.batch_checks.close()
        if "_decoder" in self.__dict__:
            self._decoder.shutdown(cancel_futures=True)
        return self.logs.close()

    # --- what follows from a change of topics, and from time ----------------------------------------------------------

    def topics_removed(self, topics: list[Topic]) -> None:
        """Their logs go, and with them what groups had committed for them (rule 6.4.7)."""
        if not topics:
            return
        for topic in topics:
            self.logs.delete(topic)
            log.info("topic %s was deleted", topic.name)
        self._forget_offsets([topic.name for topic in topics])

    def _forget_offsets_of_missing_topics(self) -> None:
        """Forget the offsets of deleted topics, which a crash left behind.

        A new topic of the same name must not inherit them.
        """
        missing = {topic for topic, _ in self.groups.highest_committed() if self.topics.named(topic) is None}
        if missing:
            log.warning("offsets of topics that are gone are forgotten: %s", ", ".join(sorted(missing)))
            self._forget_offsets(sorted(missing))

    def _forget_offsets(self, topics: list[TopicName]) -> None:
        for shard in self.groups.active:
            shard.when_loaded(lambda shard=shard: shard.ask(TopicsDeleted(topics), lambda _: None))  # type: ignore[misc]

    def _schedule_retention(self) -> None:
        interval_s = self.settings[keys.LOG_RETENTION_CHECK_INTERVAL_MS] / 1000
        self.loop.call_later(interval_s, self._enforce_retention)

    def _enforce_retention(self) -> None:
        self._schedule_retention()
        wall_ms = self.wall_ms()
        for name, partition in self.logs.stored():
            topic = self.topics.named(name)
            if topic is not None:
                self.logs.enforce_retention(topic, partition, wall_ms)

    def _schedule_expiry_of_producers(self) -> None:
        interval_s = self.settings[keys.PRODUCER_ID_EXPIRATION_CHECK_INTERVAL_MS] / 1000
        self.loop.call_later(interval_s, self._expire_producers)

    def _expire_producers(self) -> None:
        """Expire producers of open logs. Unopened logs have no producers in memory."""
        now_ms, opened = self.wall_ms(), list(self.logs.open.values())
        self._go_on_expiring(chain.from_iterable(served.partition.expire_producers(now_ms) for served in opened))

    def _go_on_expiring(self, steps: Iterator[None]) -> None:
        if sum(1 for _ in islice(steps, PRODUCERS_LOOKED_AT_MAX)) == PRODUCERS_LOOKED_AT_MAX:
            self.loop.call_soon(self._go_on_expiring, steps)
        else:
            self._schedule_expiry_of_producers()
