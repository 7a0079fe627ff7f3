"""Generations of classic groups (record type 2): joins, departures, partition owners, and causes of rebalances.

The coordinator writes a generation when the leader has assigned the partitions, and when a group becomes empty. If a
static member returns under a new member id, the coordinator writes the same generation again. This is no rebalance
(rules 2.6, 6.3).
"""

from collections.abc import Collection, Mapping
from typing import Final, NamedTuple

from tenure.audit.groups.events import GroupReplay
from tenure.audit.groups.group_model import LastOwner, Member, PartitionKey, RecordPosition
from tenure.audit.groups.needed_moves import needed_moves
from tenure.protocol.consumer_protocol import decode_assignment, decode_topics
from tenure.protocol.coordinator_logs.consumer_offsets import GroupMetadataValue, MemberMetadata
from tenure.protocol.message import MalformedMessage
from tenure.protocol.special_values import CLASSIC

CONSUMERS: Final = "consumer"
"""Protocol type whose members exchange topics and partitions. Members of other types, such as Connect, use other
formats."""

JOIN, LEAVE, STATIC_REPLACEMENT, SUBSCRIPTION = "join", "leave", "static-replacement", "subscription-change"
TOPICS, SECOND_PHASE, LEADER, SERVER = "topic-change", "second-phase", "leader-rejoin", "server-reassignment"
MIGRATION = "migration"
"""JOIN to MIGRATION are the causes of rebalances. `leave` is refined to `session-timeout` by the commits of the member
(`findings/causes.py`)."""


class Difference(NamedTuple):
    """Difference between the members in two records of a group."""

    joined: dict[str, Member]
    left: dict[str, Member]
    replaced: dict[str, str]
    """Static members that returned: the old member id by the new one. They are in neither `joined` nor `left`."""
    changed: list[str]
    """Ids of the members whose subscription has changed."""

    @classmethod
    def of(cls, before: Mapping[str, Member], after: Mapping[str, Member]) -> "Difference":
        joined = {key: member for key, member in after.items() if key not in before}
        left = {key: member for key, member in before.items() if key not in after}
        old = {member.instance_id: key for key, member in left.items() if member.instance_id is not None}
        replaced = {key: old[member.instance_id] for key, member in joined.items() if member.instance_id in old}
        changed = [key for key in sorted(after.keys() & before.keys()) if after[key].topics != before[key].topics]
        return cls(
            {key: member for key, member in joined.items() if key not in replaced},
            {key: member for key, member in left.items() if key not in replaced.values()},
            replaced,
            changed,
        )

    @property
    def counts(self) -> dict[str, int]:
        """Number of joined, left, replaced and changed members, by column name."""
        return {name: len(getattr(self, name)) for name in self._fields}


def apply_generation(history: GroupReplay, value: GroupMetadataValue, position: RecordPosition) -> None:
    """Apply GroupMetadata (record type 2): a generation of a classic group."""
    model = history.model
    is_migrated = model.group_type == "" and ("migrated", "") in model.pending
    is_first = model.epoch < 0
    model.pending.clear()
    if is_first and value.generation == 0 and not value.members:  # A group is created before its first member joins.
        model.group_type, model.epoch = CLASSIC, 0
        return
    members: dict[str, Member] = {member.member_id: _member(member, value.protocol_type) for member in value.members}
    difference = Difference.of(model.members, members)
    missed = None if is_first else max(value.generation - model.epoch - 1, 0)
    is_rebalance = value.generation != model.epoch or is_migrated
    model.group_type, model.epoch, model.protocol, model.members = (
        CLASSIC,
        value.generation,
        value.protocol or "",
        members,
    )
    _add_member_events(history, difference, position)
    if not is_rebalance:
        _update_member_ids(history, members)
        return
    assigned = _assigned_partitions(value)
    is_known = not is_first or value.generation <= 1
    causes = [MIGRATION] if is_migrated else _causes(difference, model.ownerships, assigned, is_known=is_known)
    owners = {member.owner for member in members.values()}
    revoked = {key for key, each in model.ownerships.items() if each.owner in owners}
    needed = needed_moves(model.ownerships, members.values(), assigned.keys() | revoked)
    history.rebalance(position, missed, difference.counts, causes, needed)
    for partition in sorted(model.owned().keys() - assigned.keys()):
        history.release(position, partition)
    for partition, member_id in assigned.items():
        history.assign(position, partition, members[member_id].owner, member_id)


def _add_member_events(history: GroupReplay, difference: Difference, position: RecordPosition) -> None:
    members = history.model.members
    for key, old in difference.replaced.items():
        history.member_event(position, "replaced", members[key], old)
    for member in difference.joined.values():
        history.member_event(position, "joined", member)
    for member in difference.left.values():
        history.member_event(position, "left", member)
    for key in difference.changed:
        history.member_event(position, "changed", members[key])


def _member(member: MemberMetadata, protocol_type: str) -> Member:
    topics: list[str] = []
    if protocol_type == CONSUMERS:
        try:
            topics = sorted(decode_topics(member.subscription))
        except MalformedMessage:
            topics = []
    return Member(
        member.member_id,
        member.group_instance_id,
        member.client_id,
        member.client_host,
        topics,
        member.session_timeout,
        member.rebalance_timeout if member.rebalance_timeout >= 0 else member.session_timeout,
    )


def _assigned_partitions(value: GroupMetadataValue) -> dict[PartitionKey, str]:
    if value.protocol_type != CONSUMERS:
        return {}
    assigned: dict[PartitionKey, str] = {}
    for member in value.members:
        try:
            topics = decode_assignment(member.assignment).assigned_partitions if member.assignment else []
        except MalformedMessage:
            continue
        for topic in topics:
            assigned |= dict.fromkeys(((str(topic.topic), number) for number in topic.partitions), member.member_id)
    return assigned


def _causes(
    difference: Difference,
    before: Mapping[PartitionKey, LastOwner],
    assigned: Collection[PartitionKey],
    *,
    is_known: bool,
) -> list[str]:
    """Return the causes of a rebalance, as far as the records show them.

    `is_known` is False if the records before the rebalance are missing. In that case no cause is known.
    """
    if not is_known:
        return []
    named = {"joined": JOIN, "left": LEAVE, "replaced": STATIC_REPLACEMENT, "changed": SUBSCRIPTION}
    causes = [cause for name, cause in named.items() if difference.counts[name]]
    if causes:
        return causes
    owned = {key for key, each in before.items() if each.released_ms is None}
    added = set(assigned) - owned
    if added and added <= before.keys():
        return [
            SECOND_PHASE
        ]  # Cooperative members release partitions first. Other members get them in the next rebalance.
    return [TOPICS] if added or not owned <= set(assigned) else [LEADER]


def _update_member_ids(history: GroupReplay, members: dict[str, Member]) -> None:
    """Store the new member ids of static members, which own the same partitions as before."""
    ids = {member.owner: key for key, member in members.items()}
    for each in history.model.ownerships.values():
        if each.released_ms is None and each.owner in ids:
            each.member_id = ids[each.owner]
