"""State of the broker that handlers use: coordinators, logs, settings, and the broker's id and address."""

import asyncio
import logging
from functools import cached_property
from typing import TYPE_CHECKING, Any, Final, Protocol

from tenure.broker.config import keys
from tenure.broker.config.dynamic_keys import apply_dynamic
from tenure.broker.config.listener import Address
from tenure.broker.config.settings import Settings
from tenure.broker.coordinators.context import CoordinatorContext
from tenure.broker.coordinators.group_configs import GroupConfigCommands
from tenure.broker.coordinators.groups import Groups
from tenure.broker.coordinators.groups_shard import GroupsShards
from tenure.broker.coordinators.producer_ids import ProducerIds
from tenure.broker.coordinators.served_shard import ServedShard
from tenure.broker.coordinators.transactions import Transactions
from tenure.broker.logs.batch_checks import BatchChecks
from tenure.broker.loop.clock import Clock, LoopClock
from tenure.broker.loop.one_at_a_time import OneAtATime
from tenure.broker.quotas.client_quotas import ClientQuotas
from tenure.broker.quotas.connection_limits import ConnectionLimits
from tenure.broker.quotas.rates import Windows
from tenure.broker.security.listener_certificates import ListenerCertificates
from tenure.coordinator.metadata.configs import ALL_BROKERS, BROKER_RESOURCE
from tenure.coordinator.metadata.topics import Topic
from tenure.storage.data_directory import DataDirectory

if TYPE_CHECKING:
    from tenure.broker.requests.authorization import Authorization
    from tenure.broker.requests.fetch_sessions import FetchSessions

log = logging.getLogger("tenure.broker")


class Parked(Protocol):
    """Interface of a request that waits, and can be answered early."""

    def answer(self) -> None: ...


class Context(CoordinatorContext):
    def __init__(
        self,
        settings: Settings,
        directory: DataDirectory,
        address: Address,
        loop: asyncio.AbstractEventLoop,
        clock: Clock | None = None,
    ) -> None:
        """Create the coordinators. Raises StartError, and the errors of `storage`.

        Args:
            settings: Settings of the broker.
            directory: Data directory, locked by the caller.
            address: Address that clients get in Metadata.
            loop: Event loop of the broker.
            clock: Clock for timers and timestamps; None for a `LoopClock`.
        """
        super().__init__(settings, directory, loop, clock or LoopClock(loop))
        self.directory: Final = directory
        self.address: Final = address
        """Address that clients of the first listener get."""
        self.cluster_id: Final = directory.cluster_id
        shards = GroupsShards(self)
        self.journal: Final = shards.journal
        self.groups: Final = Groups(shards.open_shard, GroupConfigCommands(lambda: self.configs, settings))
        self.producer_ids: Final = ProducerIds(self.metadata)
        self.transactions: Final = Transactions(self, self.groups, self.producer_ids)
        self.batch_checks: Final = BatchChecks(loop)
        self.lists_of_groups: Final = OneAtATime(loop)
        self.authorization: Final = self._authorization()
        """Authorization of requests; None if every client may do everything."""
        self.client_quotas: Final = ClientQuotas(
            Windows(settings[keys.QUOTA_WINDOW_NUM], settings[keys.QUOTA_WINDOW_SIZE_SECONDS] * 1000),
            Windows(
                settings[keys.CONTROLLER_QUOTA_WINDOW_NUM], settings[keys.CONTROLLER_QUOTA_WINDOW_SIZE_SECONDS] * 1000
            ),
        )
        self.connection_limits: Final = ConnectionLimits(settings)
        self.certificates: Final = ListenerCertificates(settings, loop)
        self.parked: Final[set[Parked]] = set()

    @cached_property
    def fetch_sessions(self) -> "FetchSessions":
        """Fetch sessions; created by the first fetch."""
        from tenure.broker.requests.fetch_sessions import FetchSessions

        return FetchSessions(self.settings[keys.MAX_INCREMENTAL_FETCH_SESSION_CACHE_SLOTS])

    def _authorization(self) -> "Authorization | None":
        if not self.settings[keys.AUTHORIZER_CLASS_NAME]:
            return None
        from tenure.broker.requests.authorization import Authorization

        metadata = self.metadata
        return Authorization(self.settings, lambda: metadata.host.shard.acls)

    @property
    def shards(self) -> list[ServedShard[Any]]:
        """All started shards of all coordinators."""
        return [self.metadata, *self.groups.active, *self.transactions.active]

    def reload_settings(self) -> None:
        """Apply the settings that are stored in the metadata log now."""
        configs = self.configs
        of_this = configs.of(BROKER_RESOURCE, str(self.node_id))
        apply_dynamic(self.settings, configs.of(BROKER_RESOURCE, ALL_BROKERS), of_this)
        self.connection_limits.configure(self.settings)
        self.groups.maybe_configure_all()

    def reload_quotas(self) -> None:
        """Apply the quotas that are stored in the metadata log now."""
        self.client_quotas.reload(self.quotas)
        self.connection_limits.reload(self.quotas)

    def delete_data_of_topics(self, topics: list[Topic]) -> None:
        """Delete the logs of removed topics, and the offsets that groups have committed for them (rule 6.4.7)."""
        for topic in topics:
            self.logs.delete(topic)
            log.info("topic %s was deleted", topic.name)
        if topics:
            self.groups.remove_offsets([topic.name for topic in topics])

    def close(self) -> bool:
        """Sync all logs. Return False if a log could not be synced and the next start has to recover it."""
        self.batch_checks.close()
        self.certificates.close()
        return super().close()
