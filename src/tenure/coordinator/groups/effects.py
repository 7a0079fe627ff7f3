"""Slow work that rules of groups request; it runs outside of the shard (see `CoordinatorResult.effects`).

An effect contains all input of the work, so `perform` can run anywhere: on a thread of the broker, or at any time that
the simulation chooses. The result is a command that contains the effect. The group ignores a result if it no longer
waits for this effect. A group has at most one effect of each kind in progress, so the number of waiting effects is
bounded.
"""

from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any, Final

from tenure.coordinator.groups.commands import RegexResolved, TargetComputed
from tenure.coordinator.groups.consumer.member import Member
from tenure.coordinator.groups.consumer.subscribed import Regexes
from tenure.coordinator.groups.streams.assign import AssignTasks, assign_tasks
from tenure.coordinator.groups.topic_regex import matching
from tenure.coordinator.metadata.topics import Topics
from tenure.coordinator.values import value
from tenure.protocol.coordinator_logs.target_assignment import TargetAssignment
from tenure.protocol.types import GroupId, MemberId, TopicName


@value
class ResolveRegex:
    """Search for the topics that match regular expressions (rule 3.8). Its result is `RegexResolved`."""

    group_id: GroupId
    patterns: Sequence[str]
    topic_names: Sequence[TopicName]
    """Names of all topics that exist at `topics_version`."""
    topics_version: int
    wall_ms: int
    """Time of the request, from which the age of the result is measured."""
    may_describe: Callable[[TopicName], bool] | None = None
    """Filter for topics; None permits all. It is applied on the event loop, when `regex_resolved` stores the result."""


def resolve_regex(effect: ResolveRegex) -> RegexResolved:
    resolved = {pattern: matching(pattern, effect.topic_names) for pattern in effect.patterns}
    return RegexResolved(effect.group_id, effect, resolved)


@value
class Assign:
    """Computation of a target assignment (rule 3.12). Its result is `TargetComputed`."""

    group_id: GroupId
    group_epoch: int
    assignor: str
    own: object | None
    """User-defined assignor; None for one of Tenure's."""
    members: Mapping[MemberId, Member]
    regexes: Regexes
    targets: Mapping[MemberId, TargetAssignment]
    """Target assignment of each member before this assignment."""
    topics: Topics
    arrays: object | None = None
    """`GroupArrays` of the last assignment on a thread, to be updated; None to create new arrays."""
    changed_members: Collection[MemberId] = frozenset()
    """Members that have joined, left or changed since `arrays` were created."""


def assign(effect: Assign) -> TargetComputed:
    """Compute the assignment. If the assignor raises an exception, the result contains it as `failure`."""
    try:
        return _assigned(effect)
    except (Exception, SystemExit) as failure:
        return TargetComputed(effect.group_id, effect, {}, None, f"{type(failure).__name__}: {failure}")


def _assigned(effect: Assign) -> TargetComputed:
    from tenure.assignors.server import BUILT_IN, checked  # imported late: numpy would slow down the start
    from tenure.coordinator.groups.consumer.assignment_arrays import (
        CurrentGroup,
        GroupArrays,
        build_arrays,
        changed_targets,
        update_arrays,
    )

    current = CurrentGroup(effect.members, effect.regexes, effect.targets, effect.topics)
    if isinstance(effect.arrays, GroupArrays):
        arrays, newcomers = update_arrays(effect.arrays, effect.changed_members, current)
    else:
        arrays, newcomers = build_arrays(current), None
    own: Any = effect.own
    if own is None:
        owners = BUILT_IN[effect.assignor].assign(arrays.server_group)
    else:
        owners = checked(arrays.server_group, own.assign(arrays.server_group))
    targets = changed_targets(arrays, owners, newcomers, effect.targets)
    return TargetComputed(effect.group_id, effect, targets, arrays.with_owners(owners))


WORK: Final[dict[type, Callable[[Any], object]]] = {
    ResolveRegex: resolve_regex,
    Assign: assign,
    AssignTasks: assign_tasks,
}
"""Function that performs each kind of effect."""


def perform(effect: object) -> object:
    """Perform an effect, and return the command with its result. May take seconds; changes no state."""
    return WORK[type(effect)](effect)
