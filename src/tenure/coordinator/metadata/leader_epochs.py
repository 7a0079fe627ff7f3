"""Leader epochs of partitions in the metadata log.

The log of a partition may begin a new leader epoch before the metadata log has a record of it, for example after a
crash. The record is written later. It is necessary because Apache Kafka takes leader epochs from the metadata log, and
clients ignore a leader whose epoch is lower than one that they have seen.
"""

from typing import Final

from tenure.coordinator.metadata.answers import LeaderEpochsRaised
from tenure.coordinator.metadata.commands import RaiseLeaderEpochs
from tenure.coordinator.metadata.state import Metadata
from tenure.coordinator.shard import AskId, CoordinatorResult, LogRecord
from tenure.protocol.generated.cluster_metadata import PartitionChangeRecord
from tenure.protocol.types import BrokerId

NO_LEADER_CHANGE: Final = BrokerId(-2)
"""Value of the field `leader` by which a change record leaves the leader unchanged."""


def raise_leader_epochs(metadata: Metadata, ask: AskId, command: RaiseLeaderEpochs) -> CoordinatorResult:
    """Return the result that raises the leader epochs of partitions to those of the command.

    One record raises the leader epoch of its partition by one. So to raise an epoch by n, the result has n records.
    """
    records = []
    for (topic_id, partition), epoch in command.epochs.items():
        if metadata.topics.with_id(topic_id) is not None:
            election = PartitionChangeRecord(partition, topic_id, leader=metadata.settings.node_id)
            missing = epoch - metadata.leader_epochs.get((topic_id, partition), 0)
            records += [LogRecord(None, election)] * missing
    return CoordinatorResult(records, [(ask, LeaderEpochsRaised())])


def partition_changed(metadata: Metadata, record: PartitionChangeRecord) -> None:
    if record.leader != NO_LEADER_CHANGE:
        key = record.topic_id, record.partition_id
        metadata.leader_epochs[key] = metadata.leader_epochs.get(key, 0) + 1
