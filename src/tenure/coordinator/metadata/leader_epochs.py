"""Leader epochs of partitions.

A log may begin an epoch without a record here, for example after a crash. The metadata log names it afterwards, because
Apache Kafka takes the epochs from there, and its clients ignore the leader of an epoch below one that they have seen.
"""

from typing import Final

from tenure.coordinator.metadata.answers import LeaderEpochsRaised
from tenure.coordinator.metadata.commands import RaiseLeaderEpochs
from tenure.coordinator.metadata.state import Metadata
from tenure.coordinator.shard import AskId, LogRecord, Step
from tenure.protocol.generated.cluster_metadata import PartitionChangeRecord
from tenure.protocol.types import BrokerId

NO_LEADER_CHANGE: Final = BrokerId(-2)
"""Leader of a change record that leaves the leader as it is."""


def raise_leader_epochs(metadata: Metadata, ask: AskId, command: RaiseLeaderEpochs) -> Step:
    """Elect the leader again as often as the log has begun an epoch: each election raises it by one."""
    records = []
    for (topic_id, partition), epoch in command.epochs.items():
        if metadata.topics.with_id(topic_id) is not None:
            election = PartitionChangeRecord(partition, topic_id, leader=metadata.settings.node_id)
            missing = epoch - metadata.leader_epochs.get((topic_id, partition), 0)
            records += [LogRecord(None, election)] * missing
    return Step(records, [(ask, LeaderEpochsRaised())])


def partition_changed(metadata: Metadata, record: PartitionChangeRecord) -> None:
    if record.leader != NO_LEADER_CHANGE:
        place = record.topic_id, record.partition_id
        metadata.leader_epochs[place] = metadata.leader_epochs.get(place, 0) + 1
