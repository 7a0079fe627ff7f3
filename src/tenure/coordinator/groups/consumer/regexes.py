"""Subscriptions by regular expression (rule 3.8).

Expressions are resolved outside of the shard. A heartbeat with a new expression requests an effect; when its result is
logged, the member gets the matching topics. All expressions of a group are resolved together, at most every ten
seconds.
"""

from collections import Counter
from collections.abc import Callable, Mapping
from typing import Final

from tenure.coordinator.answers import NO_MEMBER_ID, Refused
from tenure.coordinator.groups.causes import Cause, Why
from tenure.coordinator.groups.commands import RegexResolved
from tenure.coordinator.groups.consumer import logged
from tenure.coordinator.groups.consumer.group import ConsumerGroup
from tenure.coordinator.groups.consumer.subscribed import metadata_hash
from tenure.coordinator.groups.effects import ResolveRegex
from tenure.coordinator.groups.records import EpochBumped, ResolutionAwaited, TopicsSeen
from tenure.coordinator.groups.state import AnyGroup, Groups
from tenure.coordinator.groups.topic_regex import why_invalid
from tenure.coordinator.metadata.topics import Topics
from tenure.coordinator.shard import AskId, CoordinatorResult, LogRecord, Now
from tenure.protocol.coordinator_logs.consumer_offsets import ConsumerGroupRegularExpressionValue
from tenure.protocol.errors import ErrorCode
from tenure.protocol.types import TopicName

RESOLUTION_INTERVAL_MIN_MS: Final = 10_000
"""Minimum interval between two resolutions of a group's regular expressions, as in Kafka."""


def refused(pattern: str) -> Refused | None:
    why = why_invalid(pattern)
    if why is None:
        return None
    message = f"SubscribedTopicRegex `{pattern}` is not a valid regular expression: {why}."
    return Refused(ErrorCode.INVALID_REGULAR_EXPRESSION, NO_MEMBER_ID, message)


def subscribers_with(group: ConsumerGroup, before: str, after: str) -> Mapping[str, int]:
    """Return the number of subscribers of each expression after one member has changed its expression.

    The member changes from `before` to `after`; "" means no expression.
    """
    if before == after:
        return group.regex_subscribers
    counts = dict(group.regex_subscribers)
    counts[after] = counts.get(after, 0) + 1
    counts[before] = counts.get(before, 0) - 1
    return {pattern: count for pattern, count in counts.items() if pattern and count > 0}


def abandoned(group: ConsumerGroup, *patterns: str) -> list[LogRecord]:
    """Return the tombstones of resolved expressions that no member subscribes to any more.

    `patterns` has one entry per member that stops subscribing.
    """
    return [
        logged.regex_resolved(group.group_id, pattern, None)
        for pattern, count in Counter(patterns).items()
        if group.regex_subscribers.get(pattern) == count
    ]


def resolution_due(
    groups: Groups,
    group: ConsumerGroup,
    subscribers: Mapping[str, int],
    topics: Topics,
    now: Now,
    may_describe: Callable[[TopicName], bool] | None = None,
) -> ResolveRegex | None:
    """Return the effect that resolves all expressions if Kafka would resolve them now, else None.

    `subscribers` has the number of subscribers of each expression. `may_describe` is the filter for topics.
    """
    if not subscribers or group.resolving is not None:
        return None
    resolved = group.regexes.values()
    newest_ms = max((value.timestamp for value in resolved), default=None)
    if newest_ms is not None and now.wall_ms <= newest_ms + RESOLUTION_INTERVAL_MIN_MS:
        return None
    version = max((value.version for value in resolved), default=-1)
    # A log that another broker wrote may have greater versions.
    knows_all_topics = topics.newest_version <= version <= topics.version
    interval_ms = groups.settings.group_consumer_regex_refresh_interval_ms
    is_fresh = newest_ms is not None and now.wall_ms <= newest_ms + interval_ms
    if is_fresh and knows_all_topics and len(subscribers) == len(resolved):
        return None
    return ResolveRegex(group.group_id, tuple(subscribers), topics.names, topics.version, now.wall_ms, may_describe)


def regex_resolved(
    groups: Groups, _: AskId, group: AnyGroup | None, found: RegexResolved, __: Now
) -> CoordinatorResult:
    """Store the topics that match the regular expressions. Ignore the result if the group no longer waits for it."""
    effect = found.effect
    if not isinstance(group, ConsumerGroup) or not isinstance(effect, ResolveRegex) or group.resolving is not effect:
        return CoordinatorResult()
    records: list[object] = [ResolutionAwaited(found.group_id)]
    regexes = dict(group.regexes)
    has_changed = False
    for pattern, names in found.resolved.items():
        if pattern not in group.regex_subscribers:
            continue
        if effect.may_describe is not None:
            names = list(filter(effect.may_describe, names))
        before = regexes.get(pattern)
        has_changed |= set(names) != set(before.topics if before is not None else ())
        value = ConsumerGroupRegularExpressionValue(list(names), effect.topics_version, effect.wall_ms)
        regexes[pattern] = value
        records.append(logged.regex_resolved(found.group_id, pattern, value))
    topics = groups.topics()
    metadata = metadata_hash(group.members.values(), topics, regexes)
    if has_changed or metadata != group.metadata_hash:
        cause = Cause.PATTERN_RESOLVED if has_changed else Cause.TOPICS_CHANGED
        records.append(EpochBumped(found.group_id, Why(cause)))
        records.append(logged.group_epoch(found.group_id, group.group_epoch + 1, metadata))
        records.append(TopicsSeen(found.group_id, topics.version))
    return CoordinatorResult(records)
