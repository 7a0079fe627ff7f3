"""Records of consumer groups (KIP-848; types 3 to 8 and 16).

The coordinator writes the records of one heartbeat together: first the member (5) or its tombstones (8, 7, 5), then the
topics (4), then the group epoch (3). Therefore the records before an epoch show its cause. Afterwards each member moves
to its new assignment (8). For a static member that returns, the coordinator writes tombstones of the old member id and
records of the new one.
"""

from typing import Final

from tenure.audit.groups.classic_group import (
    JOIN,
    LEAVE,
    MIGRATION,
    SERVER,
    SUBSCRIPTION,
    TOPICS,
)
from tenure.audit.groups.events import GroupReplay
from tenure.audit.groups.group_model import CONSUMER, Member, PartitionKey, Place
from tenure.audit.groups.sticky import needed_moves
from tenure.protocol.coordinator_logs.consumer_offsets import (
    ConsumerGroupCurrentMemberAssignmentValue,
    ConsumerGroupMemberMetadataValue,
    ConsumerGroupMetadataValue,
    CurrentTopicPartitions,
)
from tenure.protocol.types import topic_id_text

LEFT_FOR_NOW: Final = -2
"""Member epoch of a static member that left and may come back within its session timeout."""

FIRST_EPOCHS: Final = 2
"""If the first known epoch of a group is at most this one, the group is new and its history is complete."""

COUNTED: Final = {"joined": JOIN, "left": LEAVE, "changed": SUBSCRIPTION}


def apply_member(history: GroupReplay, member_id: str, value: ConsumerGroupMemberMetadataValue, place: Place) -> None:
    """Apply ConsumerGroupMemberMetadata (record type 5)."""
    model = history.model
    _become_consumer_group(history)
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
    before = model.members.get(member_id)
    model.members[member_id] = member
    if before is None:
        old = next((key for key, each in model.leaving.items() if each.owner == member.owner), None)
        if old is None:
            model.pending.append(("joined", member_id))
            history.member_event(place, "joined", member)
        else:
            del model.leaving[old]
            model.pending.remove(("left", old))  # A replacement alone makes no epoch.
            history.member_event(place, "replaced", member, old)
    elif before.topics != member.topics:
        model.pending.append(("changed", member_id))
        history.member_event(place, "changed", member)


def remove_member(history: GroupReplay, member_id: str) -> None:
    """Apply a tombstone of type 5."""
    member = history.model.members.pop(member_id, None)
    if member is not None:
        history.model.pending.append(("left", member_id))
        history.model.leaving[member_id] = member


def apply_epoch(history: GroupReplay, value: ConsumerGroupMetadataValue, place: Place) -> None:
    """Apply ConsumerGroupMetadata (record type 3): the epoch of a group."""
    model = history.model
    _become_consumer_group(history)
    if value.epoch == model.epoch:
        return
    is_first = model.epoch < 0
    has_other_topics = model.metadata_hash not in (0, value.metadata_hash)
    missed = None if is_first else max(value.epoch - model.epoch - 1, 0)
    model.epoch, model.metadata_hash = value.epoch, value.metadata_hash
    for member in model.leaving.values():
        history.member_event(place, "left", member)
    happened = [what for what, _ in model.pending]
    counts = {what: happened.count(what) for what in COUNTED}
    causes = [cause for what, cause in COUNTED.items() if counts[what]]
    if not causes and "topics" in happened:
        causes = [TOPICS]
    if not causes and not is_first:
        causes = [TOPICS if has_other_topics else SERVER]
    if is_first and value.epoch > FIRST_EPOCHS:
        causes = []
    if "migrated" in happened:
        causes = [MIGRATION]
    model.pending.clear()
    model.leaving.clear()
    needed = needed_moves(model.ownerships, model.members.values(), model.ownerships.keys())
    history.rebalance(place, missed, {**counts, "replaced": 0}, causes, needed)


def note_topics(history: GroupReplay) -> None:
    """Apply a record of type 4 or 16: the topics or the matches of a regular expression have changed."""
    _become_consumer_group(history)
    if ("topics", "") not in history.model.pending:
        history.model.pending.append(("topics", ""))


def apply_assignment(
    history: GroupReplay, member_id: str, value: ConsumerGroupCurrentMemberAssignmentValue, place: Place
) -> None:
    """Apply ConsumerGroupCurrentMemberAssignment (record type 8).

    A member also owns the partitions that it still has to release.
    """
    _become_consumer_group(history)
    member = history.model.members.get(member_id)
    if member is None:  # Compaction has removed the record of the member.
        member = Member(member_id, None, "", "", [], None, -1)
    if value.member_epoch == LEFT_FOR_NOW:
        history.member_event(place, "away", member)
        return
    owned = _partitions(value.assigned_partitions) | _partitions(value.partitions_pending_revocation)
    for key, each in list(history.model.ownerships.items()):
        if each.owner == member.owner and each.released_ms is None and key not in owned:
            history.release(place, key)
    for key in sorted(owned):
        history.assign(place, key, member.owner, member_id)


def remove_assignment(history: GroupReplay, member_id: str, place: Place) -> None:
    """Apply a tombstone of type 8."""
    for key, each in list(history.model.ownerships.items()):
        if each.member_id == member_id:
            history.release(place, key)


def _partitions(topics: list[CurrentTopicPartitions]) -> set[PartitionKey]:
    return {(topic_id_text(topic.topic_id), number) for topic in topics for number in topic.partitions}


def _become_consumer_group(history: GroupReplay) -> None:
    """Change the model to an empty consumer group."""
    model = history.model
    if model.kind != CONSUMER:
        model.kind, model.protocol = CONSUMER, ""
        model.members, model.ownerships = {}, {}
