"""Assignors that the coordinator runs (rule 3.12): `uniform`, `range`, and user-defined ones.

A user-defined assignor is configured by import path in `group.consumer.assignors` (`my_package.my_module:MyAssignor`).
Members select it by its `name` in `group.remote.assignor`. Like Tenure's own assignors, it gets arrays and returns one
array. It also gets the names of topics and members that the indices stand for.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple, Protocol

import numpy as np

from tenure.assignors import range as range_assignor
from tenure.assignors.group import NOBODY, Group, Indices
from tenure.assignors.sticky import reassign


class ServerMember(NamedTuple):
    """Ids and rack of one member. The member at index i of the list is member i in `Group`."""

    member_id: str
    instance_id: str | None
    rack_id: str | None


@dataclass(frozen=True)
class ServerGroup:
    """Consumer group whose partitions are to be assigned. The arrays are read-only."""

    group: Group
    """Topics and subscriptions. It has no claims, because `owners` replaces them, and no racks."""
    owners: Indices
    """Previous target owner by partition, or NOBODY."""
    topic_names: Sequence[str]
    members: Sequence[ServerMember]


class ServerAssignor(Protocol):
    """Interface of assignors. One object serves several groups on any thread, so it must have no state.

    If `assign` raises an exception, its text becomes part of the group's error message.
    """

    @property
    def name(self) -> str: ...

    def assign(self, requested: ServerGroup) -> Indices:
        """Return, by partition, the member that gets the partition, or NOBODY.

        The member must subscribe to the topic of the partition.
        """


class UniformAssignor:
    """Balanced assignor (rule 3.12): members keep their partitions where possible, and racks are ignored.

    If some members must get one partition more than others, Apache Kafka chooses these members by the order of its hash
    tables. This assignor chooses members that already have one partition more, which saves moves.
    """

    name: Final = "uniform"

    def assign(self, requested: ServerGroup) -> Indices:
        return reassign(requested.group, requested.owners)


class RangeAssignor:
    name: Final = "range"

    def assign(self, requested: ServerGroup) -> Indices:
        return range_assignor.assign(requested.group)


BUILT_IN: Final[dict[str, ServerAssignor]] = {of.name: of for of in (UniformAssignor(), RangeAssignor())}


class WrongAnswer(ValueError):
    """An assignor returned an array of the wrong size or type, or an owner that may not have the partition."""


def checked(requested: ServerGroup, answer: object) -> Indices:
    """Return `answer`, the result of a user-defined assignor for `requested`, as an array.

    Raises:
        WrongAnswer: The result is invalid.
    """
    group = requested.group
    owners = np.asarray(answer)
    if owners.shape != (group.partition_count,) or (owners.size and owners.dtype.kind not in "iu"):
        raise WrongAnswer(
            f"the assignor returned an array of {owners.dtype} with shape {owners.shape}; return "
            f"{group.partition_count} integers, one per partition"
        )
    if owners.size and not (owners.min() >= NOBODY and owners.max() < group.member_count):
        raise WrongAnswer(
            f"the assignor returned owners from {owners.min()} to {owners.max()}; return {NOBODY} for no owner, or the "
            f"index of a member from 0 to {group.member_count - 1}"
        )
    for topic, subscribers in enumerate(group.subscribers):
        unsubscribed = np.setdiff1d(owners[group.partitions_of(topic)], [NOBODY, *subscribers])
        if len(unsubscribed):
            member_id, name = requested.members[unsubscribed[0]].member_id, requested.topic_names[topic]
            raise WrongAnswer(
                f"the assignor gave partitions of topic {name} to member {member_id}, which does not subscribe to it"
            )
    return owners.astype(np.int32)
