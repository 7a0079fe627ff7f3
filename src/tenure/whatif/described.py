"""Conversion of a live group's description, from any Kafka broker, for a what-if analysis."""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Final

from tenure.admin import Admin
from tenure.admin.group_description import GroupDescription, MemberDescription
from tenure.client.errors import ClientError
from tenure.protocol.special_values import CLASSIC, CONSUMER, STREAMS
from tenure.whatif.situation import GroupSeat, Situation, WhatIfError

SETTINGS: Final = (
    "session.timeout.ms",
    "heartbeat.interval.ms",
    "max.poll.interval.ms",
    "group.initial.rebalance.delay.ms",
)
"""Settings that Kafka's description of a group does not contain. The user may pass their values."""


def describe(admin: Admin, group_id: str) -> Situation:
    """Describe a group for a what-if analysis.

    Raises:
        WhatIfError: The group has no members, is rebalancing, or is not a group of consumers.
        ClientError: The cluster rejected the request, or did not answer.
    """
    (group,) = admin.describe_groups([group_id])
    topics = {topic for member in group.members for topic in topics_of(member)}
    partitions = {topic.topic: len(topic.partitions) for topic in admin.describe_topics(sorted(topics))}
    situation = situation_of(group, partitions)
    return with_settings(situation, _configs(admin, group_id)) if group.group_type == CONSUMER else situation


def situation_of(group: GroupDescription, partitions: Mapping[str, int]) -> Situation:
    """Convert the description of a group. Raises WhatIfError."""
    if group.group_type == STREAMS:
        raise WhatIfError(f"Group {group.group_id} is a streams group: only classic and consumer groups are simulated.")
    if group.members and group.group_type == CLASSIC and not group.assignor:
        raise WhatIfError(f"Group {group.group_id} is {group.state}: try again when it is Stable.")
    is_classic = group.group_type == CLASSIC
    situation = Situation(
        group.group_id,
        tuple(seats_of(group.members)),
        partitions,
        CLASSIC if is_classic else CONSUMER,
        assignors=(group.assignor,) if is_classic and group.assignor else ("range",),
        server_assignor=None if is_classic else group.assignor or None,
    )
    situation.check()
    return situation


def topics_of(member: MemberDescription) -> tuple[str, ...]:
    """Return the topics of a member: subscribed ones, and those of its partitions, which a pattern may have matched."""
    return tuple(sorted({*member.topics, *(partition.topic for partition in member.partitions)}))


def seats_of(members: Iterable[MemberDescription]) -> Iterable[GroupSeat]:
    """Yield one seat for each member. The name of a dynamic member is its client id with a number."""
    numbers: Counter[str] = Counter()
    for member in members:
        name = member.group_instance_id
        if name is None:
            client = member.client_id or "member"
            numbers[client] += 1
            name = f"{client}-{numbers[client]}"
        yield GroupSeat(
            name, topics_of(member), member.group_instance_id, member.client_id, tuple(sorted(member.partitions))
        )


def with_settings(situation: Situation, settings: Mapping[str, str | None]) -> Situation:
    """Return the group with changed settings. `settings` has values by Kafka's keys. Raises WhatIfError."""
    changed = {}
    for key, value in settings.items():
        if key not in SETTINGS:
            raise WhatIfError(f"Unknown setting {key!r}: what-if knows {', '.join(SETTINGS)}.")
        if value is None or not value.isdecimal():
            raise WhatIfError(f"Setting {key} has the value {value!r}, which is not a number of milliseconds.")
        changed[key.replace(".", "_")] = int(value)
    return replace(situation, **changed)  # type: ignore[arg-type]


def _configs(admin: Admin, group_id: str) -> dict[str, str]:
    """Return session timeout and heartbeat interval of a consumer group; an empty dict if the request fails."""
    try:
        found = {config.key.removeprefix("consumer."): config.value for config in admin.group_configs(group_id)}
    except ClientError:
        return {}
    return {key: value for key in SETTINGS if (value := found.get(key)) is not None}
