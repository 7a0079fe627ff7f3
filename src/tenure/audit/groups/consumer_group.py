"""Records of consumer groups (KIP-848; types 3 to 8 and 16).

The coordinator writes the records of one heartbeat in this order: the member (5) or its tombstones (8, 7, 5), the
topics (4), the group epoch (3). Afterwards each member moves to its new assignment (8).
"""

from tenure.audit.groups import epoch_group
from tenure.audit.groups.events import GroupReplay
from tenure.audit.groups.group_model import Member, PartitionKey, RecordPosition
from tenure.audit.groups.needed_moves import needed_moves
from tenure.protocol.coordinator_logs.consumer_offsets import (
    ConsumerGroupCurrentMemberAssignmentValue,
    ConsumerGroupMemberMetadataValue,
    ConsumerGroupMetadataValue,
    CurrentTopicPartitions,
)
from tenure.protocol.special_values import CONSUMER
from tenure.protocol.types import topic_id_text


def apply_member(
    history: GroupReplay, member_id: str, value: ConsumerGroupMemberMetadataValue, position: RecordPosition
) -> None:
    """Apply ConsumerGroupMemberMetadata (record type 5)."""
    epoch_group.set_group_type(history, CONSUMER)
    classic = value.classic_member_metadata
    member = Member(
        member_id,
        value.instance_id,
        value.client_id,
        value.client_host,
        sorted(value.subscribed_topic_names),
        None if classic is None else classic.session_timeout_ms,
        value.rebalance_timeout_ms,
    )
    epoch_group.put_member(history, member, position)


def apply_epoch(history: GroupReplay, value: ConsumerGroupMetadataValue, position: RecordPosition) -> None:
    """Apply ConsumerGroupMetadata (record type 3): the epoch of a group."""
    epoch_group.set_group_type(history, CONSUMER)
    model = history.model
    needed = needed_moves(model.ownerships, model.members.values(), model.ownerships.keys())
    epoch_group.begin_epoch(history, value.epoch, value.metadata_hash, needed, position)


def note_topics(history: GroupReplay) -> None:
    """Apply a record of type 4 or 16: the topics or the matches of a regular expression have changed."""
    epoch_group.set_group_type(history, CONSUMER)
    epoch_group.note(history, "topics")


def apply_assignment(
    history: GroupReplay, member_id: str, value: ConsumerGroupCurrentMemberAssignmentValue, position: RecordPosition
) -> None:
    """Apply ConsumerGroupCurrentMemberAssignment (record type 8).

    A member also owns the partitions that it still has to release.
    """
    epoch_group.set_group_type(history, CONSUMER)
    owned = _partitions(value.assigned_partitions) | _partitions(value.partitions_pending_revocation)
    epoch_group.put_assignment(history, member_id, value.member_epoch, owned, position)


def _partitions(topics: list[CurrentTopicPartitions]) -> set[PartitionKey]:
    return {(topic_id_text(topic.topic_id), number) for topic in topics for number in topic.partitions}
