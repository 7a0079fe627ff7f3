"""Members, epochs and partitions of groups whose coordinator assigns partitions: consumer and streams groups.

The coordinator writes the records of one heartbeat together. The record of the group epoch follows the records about
members. Therefore the records before an epoch show its cause. For a static member that returns, the coordinator writes
tombstones of the old member id and records of the new one.
"""

from collections.abc import Collection
from typing import Final

from tenure.audit.groups.classic_group import JOIN, LEAVE, MIGRATION, SERVER, SUBSCRIPTION, TOPICS
from tenure.audit.groups.events import GroupReplay
from tenure.audit.groups.group_model import Member, PartitionKey, RecordPosition

LEFT_FOR_NOW: Final = -2
"""Member epoch of a static member that left and may come back within its session timeout."""

FIRST_EPOCHS: Final = 2
"""Greatest epoch at which a group counts as new: if its first known epoch is at most this one, its history is
complete."""

COUNTED: Final = {"joined": JOIN, "left": LEAVE, "changed": SUBSCRIPTION}

NOTED: Final = {"topology": SUBSCRIPTION, "topics": TOPICS}
"""Cause of a group epoch, by the change that `note` has stored; not used if a member joined, left or changed."""


def set_group_type(history: GroupReplay, group_type: str) -> None:
    """Set the group type of the model. If the type changes, the model loses its members and owners."""
    model = history.model
    if model.group_type != group_type:
        model.group_type, model.protocol = group_type, ""
        model.members, model.ownerships = {}, {}


def put_member(history: GroupReplay, member: Member, position: RecordPosition) -> None:
    """Add a member, replace the old id of a static member that returned, or change a subscription."""
    model, member_id = history.model, member.member_id
    before = model.members.get(member_id)
    model.members[member_id] = member
    if before is None:
        old = next((key for key, each in model.leaving.items() if each.owner == member.owner), None)
        if old is None:
            model.pending.append(("joined", member_id))
            history.member_event(position, "joined", member)
        else:
            del model.leaving[old]
            model.pending.remove(("left", old))  # A replacement alone begins no epoch.
            history.member_event(position, "replaced", member, old)
    elif before.topics != member.topics:
        model.pending.append(("changed", member_id))
        history.member_event(position, "changed", member)


def remove_member(history: GroupReplay, member_id: str) -> None:
    """Apply the tombstone of a member. The next epoch adds the event `left`, unless the member is replaced before."""
    member = history.model.members.pop(member_id, None)
    if member is not None:
        history.model.pending.append(("left", member_id))
        history.model.leaving[member_id] = member


def note(history: GroupReplay, change: str) -> None:
    """Note a change of the group (`NOTED`) as the possible cause of the next epoch."""
    if (change, "") not in history.model.pending:
        history.model.pending.append((change, ""))


def begin_epoch(
    history: GroupReplay, epoch: int, metadata_hash: int, needed: int | None, position: RecordPosition
) -> None:
    """Begin an epoch of the group, with the changes since the last one as its causes.

    Args:
        history: History of the group.
        epoch: New epoch. Nothing happens if the model has this epoch already.
        metadata_hash: Hash of the topics, 0 if the record has none.
        needed: Minimum number of partition moves; None if it cannot be computed.
        position: Position of the record.
    """
    model = history.model
    if epoch == model.epoch:
        return
    is_first = model.epoch < 0
    has_other_topics = model.metadata_hash not in (0, metadata_hash)
    missed = None if is_first else max(epoch - model.epoch - 1, 0)
    model.epoch, model.metadata_hash = epoch, metadata_hash
    for member in model.leaving.values():
        history.member_event(position, "left", member)
    happened = [what for what, _ in model.pending]
    counts = {what: happened.count(what) for what in COUNTED}
    causes = [cause for what, cause in COUNTED.items() if counts[what]]
    causes = causes or [cause for what, cause in NOTED.items() if what in happened][:1]
    if not causes and not is_first:
        causes = [TOPICS if has_other_topics else SERVER]
    if is_first and epoch > FIRST_EPOCHS:
        causes = []
    if "migrated" in happened:
        causes = [MIGRATION]
    model.pending.clear()
    model.leaving.clear()
    history.rebalance(position, missed, {**counts, "replaced": 0}, causes, needed)


def member_of(history: GroupReplay, member_id: str) -> Member:
    """Return a member. If compaction has removed its record, return a member without properties."""
    return history.model.members.get(member_id) or Member(member_id, None, "", "", [], None, -1)


def put_assignment(
    history: GroupReplay, member_id: str, epoch: int, owned: Collection[PartitionKey], position: RecordPosition
) -> None:
    """Make `owned` the partitions of a member. `epoch` is its member epoch.

    If the epoch is LEFT_FOR_NOW, only add the event that the member is away.
    """
    member = member_of(history, member_id)
    if epoch == LEFT_FOR_NOW:
        history.member_event(position, "away", member)
        return
    for key, each in list(history.model.ownerships.items()):
        if each.owner == member.owner and each.released_ms is None and key not in owned:
            history.release(position, key)
    for key in sorted(owned):
        history.assign(position, key, member.owner, member_id)


def remove_assignment(history: GroupReplay, member_id: str, position: RecordPosition) -> None:
    """Apply the tombstone of a member's assignment."""
    for key, each in list(history.model.ownerships.items()):
        if each.member_id == member_id:
            history.release(position, key)
