"""Application of one record of `__consumer_offsets` to the model of its group."""

from tenure.audit.groups import consumer_group, epoch_group, streams_group
from tenure.audit.groups.classic_group import apply_generation
from tenure.audit.groups.events import GroupReplay
from tenure.audit.groups.group_model import GroupModel, RecordPosition
from tenure.protocol.coordinator_logs.consumer_offsets import (
    ConsumerGroupCurrentMemberAssignmentKey,
    ConsumerGroupCurrentMemberAssignmentValue,
    ConsumerGroupMemberMetadataKey,
    ConsumerGroupMemberMetadataValue,
    ConsumerGroupMetadataKey,
    ConsumerGroupMetadataValue,
    ConsumerGroupPartitionMetadataValue,
    ConsumerGroupRegularExpressionValue,
    GroupMetadataKey,
    GroupMetadataValue,
    Key,
    StreamsGroupCurrentMemberAssignmentKey,
    StreamsGroupCurrentMemberAssignmentValue,
    StreamsGroupMemberMetadataKey,
    StreamsGroupMemberMetadataValue,
    StreamsGroupMetadataKey,
    StreamsGroupMetadataValue,
    StreamsGroupTopologyValue,
    Value,
)


def apply_record(history: GroupReplay, key: Key, value: Value | None, position: RecordPosition) -> None:
    """Apply a record other than an offset commit, and add rows for its changes."""
    match key, value:
        case _, GroupMetadataValue():
            apply_generation(history, value, position)
        case _, ConsumerGroupMetadataValue():
            consumer_group.apply_epoch(history, value, position)
        case ConsumerGroupMemberMetadataKey(), ConsumerGroupMemberMetadataValue():
            consumer_group.apply_member(history, key.member_id, value, position)
        case ConsumerGroupMemberMetadataKey() | StreamsGroupMemberMetadataKey(), None:
            epoch_group.remove_member(history, key.member_id)
        case ConsumerGroupCurrentMemberAssignmentKey(), ConsumerGroupCurrentMemberAssignmentValue():
            consumer_group.apply_assignment(history, key.member_id, value, position)
        case ConsumerGroupCurrentMemberAssignmentKey() | StreamsGroupCurrentMemberAssignmentKey(), None:
            epoch_group.remove_assignment(history, key.member_id, position)
        case _, ConsumerGroupPartitionMetadataValue() | ConsumerGroupRegularExpressionValue():
            consumer_group.note_topics(history)
        case _, StreamsGroupMetadataValue():
            streams_group.apply_epoch(history, value, position)
        case StreamsGroupMemberMetadataKey(), StreamsGroupMemberMetadataValue():
            streams_group.apply_member(history, key.member_id, value, position)
        case StreamsGroupCurrentMemberAssignmentKey(), StreamsGroupCurrentMemberAssignmentValue():
            streams_group.apply_assignment(history, key.member_id, value, position)
        case _, StreamsGroupTopologyValue():
            streams_group.apply_topology(history, value)
        case GroupMetadataKey() | ConsumerGroupMetadataKey() | StreamsGroupMetadataKey(), None:
            end_group(history, position)


def end_group(history: GroupReplay, position: RecordPosition) -> None:
    """Apply the tombstone of a group: the group was removed, or changes its protocol (classic or consumer).

    If the group has members, its protocol changes, because a coordinator removes only groups without members.
    """
    model = history.model
    for partition in model.owned():
        history.release(position, partition)
    is_migration = bool(model.members or model.leaving)
    history.model = GroupModel(epoch=model.epoch, pending=[("migrated", "")]) if is_migration else GroupModel()
