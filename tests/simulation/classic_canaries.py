"""Groups shards with one rule of classic groups broken on purpose: each names what it breaks."""

from typing import Any

from tenure.coordinator.groups.shard import GroupsShard
from tenure.coordinator.shard import LogRecord
from tenure.protocol.coordinator_logs.consumer_offsets import GroupMetadataValue


class RemembersWhatIsNotLogged(GroupsShard):
    """The live group has another age than its record: its offsets would expire later than after a fail-over."""

    BREAKS = "ReplayEqualsLive"

    def apply(self, record: Any) -> None:
        super().apply(record)
        if isinstance(record, LogRecord) and isinstance(record.value, GroupMetadataValue):
            key: Any = record.key
            self._groups.classic[key.group].state_since_ms += 1
