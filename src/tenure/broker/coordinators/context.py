"""State that all coordinators use: settings, clock, logs, and the metadata shard."""

import asyncio
import os
from collections.abc import Mapping
from functools import partial
from typing import Final

from tenure.broker.config import keys
from tenure.broker.config.schemas import schemas
from tenure.broker.config.settings import Settings
from tenure.broker.coordinators.effects import Effects
from tenure.broker.coordinators.served_shard import ServedShard
from tenure.broker.logs.logs import Logs
from tenure.broker.loop.clock import Clock
from tenure.broker.loop.turn import Turn
from tenure.coordinator.metadata.acls import Acls
from tenure.coordinator.metadata.commands import Entity, ScramCredential, ScramUser
from tenure.coordinator.metadata.configs import Configs
from tenure.coordinator.metadata.shard import MetadataShard
from tenure.coordinator.metadata.state import MetadataSettings
from tenure.coordinator.metadata.topics import Topics
from tenure.protocol.types import BrokerId
from tenure.runtime.codecs import MetadataCodec
from tenure.runtime.host import Host
from tenure.storage.data_directory import DataDirectory
from tenure.storage.recovery.metadata_snapshot import load_snapshot


class CoordinatorContext:
    def __init__(
        self, settings: Settings, directory: DataDirectory, loop: asyncio.AbstractEventLoop, clock: Clock
    ) -> None:
        """Open the metadata log. Raises the errors of `storage`."""
        self.settings: Final = settings
        self.node_id: Final = BrokerId(settings[keys.NODE_ID])
        self.loop: Final = loop
        self.clock: Final = clock
        self.turn: Final = Turn(loop, clock)
        self.logs: Final = Logs(directory, settings, loop, lambda: self.metadata.host.shard.leader_epochs)
        self.effects: Final = Effects(loop)
        altered = schemas(settings)
        metadata_settings = MetadataSettings(self.node_id, settings[keys.NUM_PARTITIONS])
        self.metadata: Final = ServedShard(
            "the metadata shard",
            Host(lambda: MetadataShard(metadata_settings, os.urandom, altered), MetadataCodec()),
            self.logs.of_metadata(),
            self.turn,
            self.logs.on_loader,
            load_snapshot=partial(load_snapshot, directory.files, directory.path),
        )

    @property
    def topics(self) -> Topics:
        return self.metadata.host.shard.topics

    @property
    def configs(self) -> Configs:
        """Configs of all resources except topics."""
        return self.metadata.host.shard.configs

    @property
    def quotas(self) -> Mapping[Entity, Mapping[str, float]]:
        """Client quotas in the metadata log, by entity."""
        return self.metadata.host.shard.quotas

    @property
    def features(self) -> Mapping[str, int]:
        """Finalized level of each feature, 0 if it was disabled."""
        return self.metadata.host.shard.features

    @property
    def scram_credentials(self) -> Mapping[ScramUser, ScramCredential]:
        return self.metadata.host.shard.scram_credentials

    @property
    def acls(self) -> Acls:
        return self.metadata.host.shard.acls

    def wall_ms(self) -> int:
        return self.clock.wall_ms()

    def close(self) -> bool:
        """Sync all logs. Return False if a log could not be synced and the next start has to recover it."""
        self.effects.close()
        return self.logs.close()
