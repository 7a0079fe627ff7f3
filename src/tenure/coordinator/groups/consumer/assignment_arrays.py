"""Conversion of a consumer group to arrays for assignors, and of their result to changed targets (rule 3.12).

The arrays of a large group (`GroupArrays`) are kept for its next assignment, because creating them takes many times as
long as the assignor. Only members that joined, left, or have another subscription or target are converted again. A
`GroupArrays` object never changes, so a thread can use it while the group changes.
"""

from bisect import bisect_left
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

import numpy as np

from tenure.assignors.group import NOBODY, Classes, Counts, Flags, Group, Indices, no_indices
from tenure.assignors.members import member_order
from tenure.assignors.server import ServerGroup, ServerMember
from tenure.coordinator.groups.consumer.member import NO_TARGET, Member, Target
from tenure.coordinator.groups.consumer.subscribed import Regexes, existing, names_of
from tenure.coordinator.metadata.topics import Topic, Topics
from tenure.protocol.types import MemberId, PartitionId, TopicId, TopicName

Names = tuple[TopicName, ...]
Order = tuple[bool, bytes, MemberId]

CHANGED_PART: Final = 8
"""If more than 1/CHANGED_PART of the members have joined, left or changed, the whole group is converted again."""


@dataclass(slots=True, frozen=True)
class GroupArrays:
    """Topics, members and owners of partitions of a consumer group, as arrays for an assignor."""

    topics: Sequence[Topic]
    """Existing topics to which members subscribe, sorted by name."""
    subscriptions: Sequence[Names]
    """Subscribed topics of each class, including topics that do not exist. Members with equal topics form a class."""
    order: Sequence[Order]
    """Sort keys of the members, ascending. In all arrays, the index of a member is its index here."""
    server_group: ServerGroup
    """The same group in the form that assignors get."""

    def with_owners(self, owners: Indices) -> "GroupArrays":
        owners.setflags(write=False)
        now = self.server_group
        server_group = ServerGroup(now.group, owners, now.topic_names, now.members)
        return GroupArrays(self.topics, self.subscriptions, self.order, server_group)


@dataclass(slots=True)
class CurrentGroup:
    """Present members, targets, topics and resolved regular expressions of a group."""

    members: Mapping[MemberId, Member]
    regexes: Regexes
    targets: Mapping[MemberId, Target]
    topics: Topics


def build_arrays(now: CurrentGroup) -> GroupArrays:
    """Convert a whole group to arrays."""
    order = sorted(_order(member) for member in now.members.values())
    members = [now.members[one[-1]] for one in order]
    known: dict[Names, int] = {}
    classes = [known.setdefault(_names(member, now.regexes), len(known)) for member in members]
    server_members = [_server_member(member) for member in members]
    return _with_targets(_arrays(order, server_members, tuple(known), np.array(classes, np.int32), now.topics), now)


def update_arrays(
    old: GroupArrays, changed_members: Collection[MemberId], now: CurrentGroup
) -> tuple[GroupArrays, Collection[MemberId] | None]:
    """Return the present arrays of a group, and the `changed_members` with which `changed_targets` must be called.

    `changed_members` are the members that have joined, left or changed since `old` was created. Usually, only these
    members are converted, and the second value is `changed_members`. If the whole group is converted instead, the
    second value is None.
    """
    if len(changed_members) * CHANGED_PART > len(now.members):
        return build_arrays(now), None
    before = old.server_group
    removed = [index for index, member in enumerate(before.members) if member.member_id in changed_members]
    stayed = np.delete(np.arange(len(before.members)), removed)
    order, members = list(old.order), list(before.members)
    for index in reversed(removed):
        del order[index], members[index]
    added = sorted(_order(now.members[member_id]) for member_id in changed_members if member_id in now.members)
    places = np.array([bisect_left(order, one) for one in added], np.int64)
    known = {names: number for number, names in enumerate(old.subscriptions)}
    classes = []
    for already, (place, one) in enumerate(zip(places.tolist(), added, strict=True)):
        member = now.members[one[-1]]
        order.insert(place + already, one)
        members.insert(place + already, _server_member(member))
        classes.append(known.setdefault(_names(member, now.regexes), len(known)))
    of_members = np.insert(before.group.classes.of_members[stayed], places, classes).astype(np.int32)
    if not np.bincount(of_members, minlength=len(known)).all():  # no member with this subscription is left
        return build_arrays(now), None
    arrays = _arrays(order, members, tuple(known), of_members, now.topics)
    if arrays.topics != old.topics:
        return _with_targets(arrays, now), None
    renumbered = np.full(len(before.members) + 1, NOBODY, np.int32)  # the last one is for NOBODY, -1
    renumbered[stayed] = np.arange(len(stayed)) + np.searchsorted(places, np.arange(len(stayed)), side="right")
    owners = renumbered[before.owners]
    newcomers = places + np.arange(len(places))
    _put(owners, arrays, [(int(index), now.targets.get(order[index][-1], NO_TARGET)) for index in newcomers])
    return arrays.with_owners(owners), changed_members


def _order(member: Member) -> Order:
    return *member_order(member.member_id, member.instance_id), member.member_id


def _names(member: Member, regexes: Regexes) -> Names:
    return tuple(sorted(names_of(member, regexes)))


def _server_member(member: Member) -> ServerMember:
    return ServerMember(member.member_id, member.instance_id, member.rack_id)


def _arrays(
    order: list[Order],
    members: list[ServerMember],
    subscriptions: tuple[Names, ...],
    of_members: Indices,
    known: Topics,
) -> GroupArrays:
    """Return the arrays of a group in which no partition has an owner.

    A class is a set of members with the same subscribed topics. `subscriptions` has the topics of each class,
    `of_members` has the index of each member's class, and `known` has the existing topics.
    """
    topics = existing({name for names in subscriptions for name in names}, known)
    at = {topic.name: index for index, topic in enumerate(topics)}
    wanted = tuple(np.array([at[name] for name in names if name in at], np.int32) for names in subscriptions)
    group = Group(
        np.array([topic.partitions for topic in topics], np.int64),
        tuple(wanted[number] for number in of_members.tolist()),
        known_classes=Classes(wanted, of_members),
    )
    server_group = ServerGroup(group, no_indices(), tuple(topic.name for topic in topics), members)
    return GroupArrays(topics, subscriptions, order, server_group)


def _with_targets(arrays: GroupArrays, now: CurrentGroup) -> GroupArrays:
    owners = np.full(arrays.server_group.group.partition_count, NOBODY, np.int32)
    targets = [(index, now.targets.get(one[-1], NO_TARGET)) for index, one in enumerate(arrays.order)]
    _put(owners, arrays, targets)
    return arrays.with_owners(owners)


def _put(owners: Indices, arrays: GroupArrays, targets: Iterable[tuple[int, Target]]) -> None:
    first = arrays.server_group.group.first_partition.tolist()
    at = {topic.topic_id: (first[index], topic.partitions) for index, topic in enumerate(arrays.topics)}
    for member, target in targets:
        there = [(*at[topic_id], partitions) for topic_id, partitions in target.items() if topic_id in at]
        places = [start + number for start, count, partitions in there for number in partitions if number < count]
        owners[np.array(places, np.int64)] = member


# --- from arrays to targets -------------------------------------------------------------------------------------------


def changed_targets(
    arrays: GroupArrays,
    owners: Indices,
    changed_members: Collection[MemberId] | None,
    before: Mapping[MemberId, Target],
) -> dict[MemberId, Target]:
    """Return the new target assignment of each member whose target assignment has changed.

    Args:
        arrays: Group with the previous owner of each partition.
        owners: New owner of each partition, as the assignor has computed it.
        changed_members: Members that have joined or changed since the last assignment. Their targets are computed from
            `owners` completely. The target of any other member is its previous target, changed by the partitions that
            the member gains or loses. None computes all targets completely, because `arrays` has no previous owners.
        before: Previous target assignments.
    """
    members = arrays.server_group.members
    if changed_members is None:
        is_recomputed = np.ones(len(members), np.bool_)
    else:
        is_recomputed = np.array([member.member_id in changed_members for member in members], np.bool_)
    targets = {m: target for m, target in _targets(arrays, owners, is_recomputed).items() if before.get(m) != target}
    if changed_members is not None:
        targets |= _amended(arrays, owners, ~is_recomputed, before)
    return targets


def _amended(
    arrays: GroupArrays, owners: Indices, known: Flags, before: Mapping[MemberId, Target]
) -> dict[MemberId, Target]:
    """Return the new targets of the members that gain or lose partitions. Members with False in `known` are left out.

    Each new target is the previous one, changed by these partitions.
    """
    had = arrays.server_group.owners
    moved = np.flatnonzero(owners != had)
    targets: dict[int, dict[TopicId, frozenset[PartitionId]]] = {}
    for is_gain, side in ((False, had[moved]), (True, owners[moved])):
        is_affected = (side != NOBODY) & known[side]
        for member, topic, partitions in _runs(arrays, side[is_affected], moved[is_affected]):
            if member not in targets:
                targets[member] = dict(before.get(arrays.order[member][-1], NO_TARGET))
            target = targets[member]
            has = target.get(topic, frozenset())
            left = has.union(partitions) if is_gain else has.difference(partitions)
            if left:
                target[topic] = left
            else:
                del target[topic]
            if not has:
                targets[member] = _in_order(arrays, target)
    return {arrays.order[member][-1]: target for member, target in targets.items()}


def _in_order(
    arrays: GroupArrays, target: Mapping[TopicId, frozenset[PartitionId]]
) -> dict[TopicId, frozenset[PartitionId]]:
    """Return the target with its topics in the order of the arrays."""
    return {topic.topic_id: target[topic.topic_id] for topic in arrays.topics if topic.topic_id in target}


def _targets(arrays: GroupArrays, owners: Indices, wanted: Flags) -> dict[MemberId, Target]:
    """Return the targets of the members with True in `wanted`, in the order of the members in `arrays`."""
    partitions = np.flatnonzero(owners != NOBODY)
    partitions = partitions[wanted[owners[partitions]]]
    found: dict[int, dict[TopicId, frozenset[PartitionId]]] = {int(i): {} for i in np.flatnonzero(wanted)}
    for member, topic, numbers in _runs(arrays, owners[partitions], partitions):
        found[member][topic] = frozenset(numbers)
    return {arrays.order[member][-1]: target for member, target in found.items()}


def _runs(
    arrays: GroupArrays, members: Indices, partitions: Counts
) -> Iterator[tuple[int, TopicId, Sequence[PartitionId]]]:
    """Yield (index of a member, topic id, partition numbers) for each member and topic.

    `partitions` are ascending indices into the array of all partitions. `members` has the index of the owner of each
    of these partitions.
    """
    order = np.argsort(members, kind="stable")
    members, partitions = members[order], partitions[order]
    first = arrays.server_group.group.first_partition
    topics = np.searchsorted(first, partitions, side="right") - 1
    numbers = (partitions - first[topics]).tolist()
    cells = members.astype(np.int64) * len(arrays.topics) + topics
    starts = np.flatnonzero(np.diff(cells, prepend=-1))
    for (start, end), cell in zip(pairwise([*starts.tolist(), len(numbers)]), cells[starts].tolist(), strict=True):
        member, topic = divmod(cell, len(arrays.topics))
        yield member, arrays.topics[topic].topic_id, numbers[start:end]
