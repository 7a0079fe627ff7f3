"""Conversion of a consumer group to arrays for assignors, and of their result to changed targets (rule 3.12).

The arrays of a large group (`GroupArrays`) are kept for its next assignment, because creating them takes many times as
long as the assignor. Only members that joined, left, or have another subscription or target are converted again. A
`GroupArrays` object never changes, so a thread can use it while the group changes.
"""

from bisect import bisect_left
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from operator import itemgetter
from typing import Final

import numpy as np

from tenure.assignors.group import NOBODY, Classes, Counts, Flags, Group, Indices, no_indices
from tenure.assignors.members import member_order
from tenure.assignors.server import ServerGroup, ServerMember
from tenure.coordinator.groups.consumer.member import NO_TARGET, Member
from tenure.coordinator.groups.consumer.subscribed import Regexes, existing, names_of
from tenure.coordinator.metadata.topics import Topic, Topics
from tenure.protocol.coordinator_logs.target_assignment import TargetAssignment
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
    targets: Mapping[MemberId, TargetAssignment]
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
) -> tuple[GroupArrays, Indices | None]:
    """Return the present arrays of a group, and the argument `newcomers` for `changed_targets`.

    `changed_members` are the members that have joined, left or changed since `old` was created. Usually only these
    members are converted, and `newcomers` has their indices. If the whole group is converted instead, for example
    because many members have changed, `newcomers` is None.
    """
    if len(changed_members) * CHANGED_PART > len(now.members):
        return build_arrays(now), None
    before = old.server_group
    removed = _indices_of(old.order, changed_members)
    order, members = list(old.order), list(before.members)
    for index in reversed(removed):
        del order[index], members[index]
    added = sorted(_order(now.members[member_id]) for member_id in changed_members if member_id in now.members)
    positions = np.array([bisect_left(order, one) for one in added], np.int64)
    known = {names: number for number, names in enumerate(old.subscriptions)}
    classes = []
    for already, (position, one) in enumerate(zip(positions.tolist(), added, strict=True)):
        member = now.members[one[-1]]
        order.insert(position + already, one)
        members.insert(position + already, _server_member(member))
        classes.append(known.setdefault(_names(member, now.regexes), len(known)))
    stayed = np.delete(np.arange(len(before.members)), removed)
    of_members = np.insert(before.group.classes.of_members[stayed], positions, classes).astype(np.int32)
    if not np.bincount(of_members, minlength=len(known)).all():  # no member with this subscription is left
        return build_arrays(now), None
    arrays = _arrays(order, members, tuple(known), of_members, now.topics)
    if arrays.topics != old.topics:
        return _with_targets(arrays, now), None
    newcomers = (positions + np.arange(len(positions))).astype(np.int32)
    renumbered = np.full(len(before.members) + 1, NOBODY, np.int32)  # the last one is for NOBODY, -1
    renumbered[stayed] = np.delete(np.arange(len(members)), newcomers)
    owners = renumbered.take(before.owners)
    _put(owners, arrays, [(index, now.targets.get(order[index][-1], NO_TARGET)) for index in newcomers.tolist()])
    return arrays.with_owners(owners), newcomers


def _indices_of(order: Sequence[Order], member_ids: Collection[MemberId]) -> list[int]:
    """Return the indices in `order` of the given members, ascending. Members that are not in `order` are left out.

    Dynamic members are found by binary search. Static members are sorted by instance id, so a search for their member
    ids passes over all static members.
    """
    first_dynamic = bisect_left(order, True, key=itemgetter(0))
    found = [index for index in range(first_dynamic) if order[index][-1] in member_ids]
    for key in sorted((*member_order(member_id, None), member_id) for member_id in member_ids):
        position = bisect_left(order, key)
        if order[position : position + 1] == [key]:
            found.append(position)
    return found


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

    A class is a set of members with the same subscribed topics. `subscriptions` has the topics of each class.
    `of_members` has the index of the class, for each member. `known` has the existing topics.
    """
    topics = existing({name for names in subscriptions for name in names}, known)
    at = {topic.name: index for index, topic in enumerate(topics)}
    wanted = tuple(np.array([at[name] for name in names if name in at], np.int32) for names in subscriptions)
    group = Group(np.array([topic.partitions for topic in topics], np.int64), Classes(wanted, of_members))
    server_group = ServerGroup(group, no_indices(), tuple(topic.name for topic in topics), members)
    return GroupArrays(topics, subscriptions, order, server_group)


def _with_targets(arrays: GroupArrays, now: CurrentGroup) -> GroupArrays:
    owners = np.full(arrays.server_group.group.partition_count, NOBODY, np.int32)
    targets = [(index, now.targets.get(one[-1], NO_TARGET)) for index, one in enumerate(arrays.order)]
    _put(owners, arrays, targets)
    return arrays.with_owners(owners)


def _put(owners: Indices, arrays: GroupArrays, targets: Iterable[tuple[int, TargetAssignment]]) -> None:
    first = arrays.server_group.group.first_partition.tolist()
    at = {topic.topic_id: (first[index], topic.partitions) for index, topic in enumerate(arrays.topics)}
    for member, target in targets:
        there = [(*at[topic_id], partitions) for topic_id, partitions in target.items() if topic_id in at]
        indices = [start + number for start, count, partitions in there for number in partitions if number < count]
        owners[np.array(indices, np.int64)] = member


# --- from arrays to targets -------------------------------------------------------------------------------------------


def changed_targets(
    arrays: GroupArrays, owners: Indices, newcomers: Indices | None, before: Mapping[MemberId, TargetAssignment]
) -> dict[MemberId, TargetAssignment]:
    """Return the new target assignment of each member whose target assignment has changed.

    Args:
        arrays: Group with the previous owner of each partition.
        owners: New owner of each partition, as the assignor has computed it.
        newcomers: Indices of the members that have joined or changed since the last assignment; None for all members.
            Their targets are collected from `owners`. The targets of all others are changed by the partitions that they
            gain or lose, which is faster.
        before: Previous target assignments.
    """
    is_recomputed = np.zeros(len(arrays.order) + 1, np.bool_)  # the last one is for NOBODY, -1
    is_recomputed[slice(-1) if newcomers is None else newcomers] = True
    targets = {m: target for m, target in _targets(arrays, owners, is_recomputed).items() if before.get(m) != target}
    if newcomers is not None:
        targets |= _amended(arrays, owners, is_recomputed, before)
    return targets


def _amended(
    arrays: GroupArrays, owners: Indices, is_recomputed: Flags, before: Mapping[MemberId, TargetAssignment]
) -> dict[MemberId, TargetAssignment]:
    """Return the new targets of the members that gain or lose partitions, without the members in `is_recomputed`.

    A new target is the member's previous target with these partitions added or removed.
    """
    had = arrays.server_group.owners
    moved = np.flatnonzero(owners != had)
    changes: dict[int, tuple[dict[TopicId, Sequence[PartitionId]], dict[TopicId, Sequence[PartitionId]]]] = {}
    for is_gain, side in ((False, had[moved]), (True, owners[moved])):
        is_affected = (side != NOBODY) & ~is_recomputed[side]
        for member, topic, partitions in _runs(arrays, side[is_affected], moved[is_affected]):
            changes.setdefault(member, ({}, {}))[is_gain][topic] = partitions
    targets = {}
    for member, (lost, gained) in changes.items():
        member_id = arrays.order[member][-1]
        order = (topic.topic_id for topic in arrays.topics)
        targets[member_id] = before.get(member_id, NO_TARGET).changed(lost, gained, order)
    return targets


def _targets(arrays: GroupArrays, owners: Indices, wanted: Flags) -> dict[MemberId, TargetAssignment]:
    """Return the targets of the members with True in `wanted`, in the order of the members in `arrays`."""
    partitions = np.flatnonzero(wanted.take(owners))
    found: dict[int, dict[TopicId, Sequence[PartitionId]]] = {i: {} for i in np.flatnonzero(wanted).tolist()}
    for member, topic, numbers in _runs(arrays, owners[partitions], partitions):
        found[member][topic] = numbers
    return {arrays.order[member][-1]: TargetAssignment(topics) for member, topics in found.items()}


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
    starts = np.flatnonzero((np.diff(members, prepend=NOBODY) != 0) | (np.diff(topics, prepend=NOBODY) != 0))
    cuts = pairwise([*starts.tolist(), len(numbers)])
    for member, topic, (start, end) in zip(members[starts].tolist(), topics[starts].tolist(), cuts, strict=True):
        yield member, arrays.topics[topic].topic_id, numbers[start:end]
