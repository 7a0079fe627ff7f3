"""Work that rules of groups may not wait for, and how it is done (see `Step.effects`).

An effect holds all that its work needs, so `perform` runs anywhere: on a thread of the broker's, at a moment of the
simulation's choice. What comes of it is a command that names its effect, and the group knows which one it waits for.
At most one of each kind is under way per group: that bounds what can pile up.
"""

from collections.abc import Callable, Sequence
from typing import Any, Final

from tenure.coordinator.groups.commands import RegexResolved
from tenure.coordinator.groups.topic_regex import matching
from tenure.coordinator.values import value
from tenure.protocol.types import GroupId, TopicName


@value
class ResolveRegex:
    """Which topics do regular expressions match (rule 3.8)? Comes back as `RegexResolved`."""

    group_id: GroupId
    patterns: Sequence[str]
    topic_names: Sequence[TopicName]
    """All that there were in `topics_version`."""
    topics_version: int
    wall_ms: int
    """When it was asked: the age of the answer counts from there."""


def resolve_regex(effect: ResolveRegex) -> RegexResolved:
    resolved = {pattern: matching(pattern, effect.topic_names) for pattern in effect.patterns}
    return RegexResolved(effect.group_id, effect, resolved)


WORK: Final[dict[type, Callable[[Any], object]]] = {ResolveRegex: resolve_regex}
"""By kind of effect."""


def perform(effect: object) -> object:
    """The command that the effect comes back as. Touches no state; may take seconds."""
    return WORK[type(effect)](effect)
