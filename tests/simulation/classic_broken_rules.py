"""Groups shards with one deliberately broken rule of classic groups; the class names the fault."""

from typing import Any

from tenure.coordinator.groups.shard import GroupsShard
from tenure.coordinator.shard import LogRecord
from tenure.protocol.coordinator_logs.consumer_offsets import GroupMetadataValue


class RemembersWhatIsNotLogged(GroupsShard):
    """Broken rule: the group in memory has another age than its record in the log, so offsets expire too late."""

    BREAKS = "ReplayEqualsLive"

    def apply(self, record: Any) -> None:
        super().apply(record)
        if isinstance(record, LogRecord) and isinstance(record.value, GroupMetadataValue):
            key: Any = record.key
            self._groups.by_id[key.group].state_since_ms += 1
