"""Assignors that the group coordinator runs (rule 3.12): `uniform`, `range`, and users' own.

One of a user's own is named by an import path in `group.consumer.assignors` (`my_package.my_module:MyAssignor`), and by
its `name` in members' `group.remote.assignor`. It is asked like ours: arrays in, one array out, and the names behind
the indices beside them.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple, Protocol

import numpy as np

from tenure.assignors import range as range_assignor
from tenure.assignors import uniform
from tenure.assignors.group import NOBODY, Group, Indices


class ServerMember(NamedTuple):
    """Member i of the group is the one behind index i."""

    member_id: str
    instance_id: str | None
    rack_id: str | None


@dataclass(frozen=True)
class ServerGroup:
    """A consumer group that is to be assigned. The arrays are read-only."""

    group: Group
    """Without claims and racks: the coordinator knows what everybody was to have."""
    owners: Indices
    """By partition: who was to own it until now, or NOBODY."""
    topic_names: Sequence[str]
    members: Sequence[ServerMember]


class ServerAssignor(Protocol):
    """Is asked on any thread, and by several groups: keeps no state. What it raises its group is told."""

    @property
    def name(self) -> str: ...

    def assign(self, asked: ServerGroup) -> Indices:
        """The owner of each partition, one who subscribes to it; or NOBODY."""


class Uniform:
    name: Final = "uniform"

    def assign(self, asked: ServerGroup) -> Indices:
        return uniform.assign(asked.group, asked.owners)


class Range:
    name: Final = "range"

    def assign(self, asked: ServerGroup) -> Indices:
        return range_assignor.assign(asked.group)


BUILT_IN: Final[dict[str, ServerAssignor]] = {of.name: of for of in (Uniform(), Range())}


class WrongAnswer(ValueError):
    """What an assignor has answered is no assignment."""


def checked(asked: ServerGroup, answer: object) -> Indices:
    """The answer of a user's assignor, or WrongAnswer."""
    group = asked.group
    owners = np.asarray(answer)
    if owners.shape != (group.partition_count,) or (owners.size and owners.dtype.kind not in "iu"):
        wanted = f"an array of {group.partition_count} whole numbers, one for each partition"
        raise WrongAnswer(f"it answered {owners.dtype} of shape {owners.shape}; return {wanted}")
    if owners.size and not (owners.min() >= NOBODY and owners.max() < group.member_count):
        raise WrongAnswer(f"it named member {owners.min()} or {owners.max()} of {group.member_count}; return indices")
    for topic, subscribers in enumerate(group.subscribers):
        strangers = np.setdiff1d(owners[group.partitions_of(topic)], [NOBODY, *subscribers])
        if len(strangers):
            who, what = asked.members[strangers[0]].member_id, asked.topic_names[topic]
            raise WrongAnswer(f"it gave {what} to {who}, which does not subscribe to it; give it to subscribers only")
    return owners.astype(np.int32)
