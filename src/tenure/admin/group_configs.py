"""Configurations of a group: Kafka's, and three that only Tenure's coordinator has.

- `group.expected.instance.ids`: static members for which the first assignment waits, for at most
  `group.expected.timeout.ms`. For classic groups only.
- `target.group.size`: number of active members; all further members are reserve members. For classic groups only.
- `group.rebalance.counter`: a change of its value starts a rebalance.

Consumer and streams groups do not need the first two. Their coordinator assigns to all members at once, and waits for
further new members: `consumer.assignment.interval.ms`, `streams.initial.rebalance.delay.ms`.
"""

from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple

from tenure.admin.groups import find, must_find
from tenure.client.errors import RequestRefused, UnsupportedByBroker
from tenure.client.net.cluster import Cluster
from tenure.client.queries import config_queries
from tenure.protocol.errors import ErrorCode
from tenure.protocol.special_values import CONSUMER, STREAMS

EXPECTED_INSTANCE_IDS: Final = "group.expected.instance.ids"
EXPECTED_TIMEOUT_MS: Final = "group.expected.timeout.ms"
REBALANCE_COUNTER: Final = "group.rebalance.counter"

CLASSIC_ONLY: Final = frozenset({EXPECTED_INSTANCE_IDS, EXPECTED_TIMEOUT_MS, "target.group.size"})

GATHERING: Final = {CONSUMER: "consumer.assignment.interval.ms", STREAMS: "streams.initial.rebalance.delay.ms"}
"""Configuration that makes an assignment wait for further members, by type of the group."""

OF_THE_GROUP: Final = 8
"""Kafka's `ConfigSource` of a value that is set for the group itself. With any other source, the value is the
broker's."""


class GroupConfig(NamedTuple):
    """A configuration key and its value."""

    key: str
    value: str | None
    is_set: bool
    """True if the value is set for this group; False if the broker's value applies."""


class Expectation(NamedTuple):
    """Static members for which the first assignment of a group waits, and the longest time of this wait."""

    instance_ids: tuple[str, ...]
    timeout_ms: int | None


async def group_configs(cluster: Cluster, group_id: str) -> list[GroupConfig]:
    """Return all configurations of a group, even if the group does not exist."""
    found = await config_queries.group_configs(cluster, group_id)
    return sorted(GroupConfig(config.name, config.value, config.config_source == OF_THE_GROUP) for config in found)


async def alter_group_configs(cluster: Cluster, group_id: str, values: Mapping[str, str | None]) -> None:
    """Change configurations of a group.

    The value None removes a configuration, so that the broker's value applies. Raises `RequestRefused`.
    """
    for_classic = sorted(key for key, value in values.items() if key in CLASSIC_ONLY and value is not None)
    group = await find(cluster, group_id) if for_classic else None
    if group is not None and group.group_type in GATHERING:
        raise RequestRefused(
            f"Group '{group_id}' is a {group.group_type} group, and {for_classic[0]} applies to classic groups only. "
            f"To make an assignment wait for more members, set {GATHERING[group.group_type]}; there are no reserve "
            "members.",
            ErrorCode.INVALID_CONFIG,
        )
    await config_queries.alter_group_configs(cluster, group_id, values)


async def rebalance(cluster: Cluster, group_id: str) -> None:
    """Start a rebalance of a group. Raises `RequestRefused`, or `UnsupportedByBroker` if the broker is not Tenure's."""
    counter = (await _configs_of_ours(cluster, group_id, REBALANCE_COUNTER, "start a rebalance on request")).get(
        REBALANCE_COUNTER
    )
    group = await must_find(cluster, group_id)
    if group.state == "Empty":
        raise RequestRefused(f"Group '{group_id}' has no members to rebalance.", ErrorCode.INVALID_REQUEST)
    await alter_group_configs(cluster, group_id, {REBALANCE_COUNTER: str(int(counter or 0) + 1)})


async def expectation(cluster: Cluster, group_id: str) -> Expectation:
    """Return the static members for which the group's first assignment waits."""
    configs = await _configs_of_ours(cluster, group_id, EXPECTED_INSTANCE_IDS, "wait for expected instances")
    expected = tuple(instance_id for instance_id in (configs[EXPECTED_INSTANCE_IDS] or "").split(",") if instance_id)
    timeout_ms = configs.get(EXPECTED_TIMEOUT_MS)
    return Expectation(expected, None if timeout_ms is None else int(timeout_ms))


async def expect(cluster: Cluster, group_id: str, instance_ids: Sequence[str], timeout_ms: int | None = None) -> None:
    """Make the group's first assignment wait for static members; an empty list removes the setting.

    The assignment waits for at most `timeout_ms`; None keeps the present timeout. The group may be created later.

    Raises `RequestRefused`, or `UnsupportedByBroker` if the broker is not Tenure's.
    """
    await expectation(cluster, group_id)
    expected = list(dict.fromkeys(instance_ids))
    values: dict[str, str | None] = {EXPECTED_INSTANCE_IDS: ",".join(expected) or None}
    if timeout_ms is not None:
        values[EXPECTED_TIMEOUT_MS] = str(timeout_ms)
    elif not expected:
        values[EXPECTED_TIMEOUT_MS] = None
    await alter_group_configs(cluster, group_id, values)


async def _configs_of_ours(cluster: Cluster, group_id: str, key: str, action: str) -> dict[str, str | None]:
    configs = {config.key: config.value for config in await group_configs(cluster, group_id)}
    if key not in configs:
        raise UnsupportedByBroker(
            f"Broker cannot {action}: it has no group setting {key}, which only Tenure's broker offers (group "
            f"'{group_id}')."
        )
    return configs
