"""Records of streams groups (KIP-1071; types 17 and 19 to 23).

The members own active tasks. A task of a subtopology reads one partition number of all its source topics, so its owner
is taken to own these partitions. Standby and warm-up tasks have no owner in this sense: they read no source topics. The
topics of a subtopology whose sources are regular expressions are not in the records, so its tasks are left out.
"""

from tenure.audit.groups import epoch_group
from tenure.audit.groups.events import GroupReplay
from tenure.audit.groups.group_model import Member, PartitionKey, RecordPosition
from tenure.audit.groups.needed_moves import needed_moves
from tenure.protocol.coordinator_logs.consumer_offsets import (
    StreamsGroupCurrentMemberAssignmentValue,
    StreamsGroupMemberMetadataValue,
    StreamsGroupMetadataValue,
    StreamsGroupTopologyValue,
)
from tenure.protocol.special_values import STREAMS


def apply_member(
    history: GroupReplay, member_id: str, value: StreamsGroupMemberMetadataValue, position: RecordPosition
) -> None:
    """Apply StreamsGroupMemberMetadata (record type 19). The member gets no topics: its group has the topology."""
    epoch_group.set_group_type(history, STREAMS)
    member = Member(
        member_id, value.instance_id, value.client_id, value.client_host, [], None, value.rebalance_timeout_ms
    )
    epoch_group.put_member(history, member, position)


def apply_topology(history: GroupReplay, value: StreamsGroupTopologyValue) -> None:
    """Apply StreamsGroupTopology (record type 23): store the source topics of each subtopology."""
    epoch_group.set_group_type(history, STREAMS)
    history.model.subtopologies = {
        each.subtopology_id: [*each.source_topics, *(topic.name for topic in each.repartition_source_topics)]
        for each in value.subtopologies
    }
    epoch_group.note(history, "topology")


def apply_epoch(history: GroupReplay, value: StreamsGroupMetadataValue, position: RecordPosition) -> None:
    """Apply StreamsGroupMetadata (record type 17): the epoch of a group."""
    epoch_group.set_group_type(history, STREAMS)
    model = history.model
    needed = None
    if all(len(topics) == 1 for topics in model.subtopologies.values()):  # Otherwise a task has several partitions.
        needed = needed_moves(model.ownerships, model.members.values(), model.ownerships.keys())
    epoch_group.begin_epoch(history, value.epoch, value.metadata_hash, needed, position)


def apply_assignment(
    history: GroupReplay, member_id: str, value: StreamsGroupCurrentMemberAssignmentValue, position: RecordPosition
) -> None:
    """Apply StreamsGroupCurrentMemberAssignment (record type 22).

    A member also owns the active tasks that it still has to release.
    """
    epoch_group.set_group_type(history, STREAMS)
    owned: set[PartitionKey] = {
        (topic, number)
        for tasks in (*value.active_tasks, *value.active_tasks_pending_revocation)
        for topic in history.model.subtopologies.get(tasks.subtopology_id, ())
        for number in tasks.partitions
    }
    epoch_group.put_assignment(history, member_id, value.member_epoch, owned, position)
