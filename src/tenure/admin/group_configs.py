"""Configurations of a group: Kafka's, and those of Tenure's coordinator.

`group.expected.instance.ids`: static members that the first assignment waits for, at most `group.expected.timeout.ms`.
`target.group.size`: further members are reserve members. `group.rebalance.counter`: a change starts a rebalance. Apache
Kafka has no API for them. The first two are for classic groups: the coordinator of a consumer group assigns to all
members at once, and `consumer.assignment.interval.ms` is the time in which new members gather.
"""

from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple

from tenure.admin.group_description import CONSUMER
from tenure.admin.groups import find, must_find
from tenure.client.errors import RequestRefused, UnsupportedByBroker
from tenure.client.net.cluster import Cluster
from tenure.client.queries import config_queries
from tenure.protocol.errors import ErrorCode

EXPECTED_INSTANCE_IDS: Final = "group.expected.instance.ids"
EXPECTED_TIMEOUT_MS: Final = "group.expected.timeout.ms"
REBALANCE_COUNTER: Final = "group.rebalance.counter"

CLASSIC_ONLY: Final = frozenset({EXPECTED_INSTANCE_IDS, EXPECTED_TIMEOUT_MS, "target.group.size"})

OF_THE_GROUP: Final = 8
"""Kafka's config source of values that are set for this group; other values come from the broker."""


class GroupConfig(NamedTuple):
    """A configuration key and its value."""

    key: str
    value: str | None
    is_set: bool
    """True if it is set for this group; otherwise the value is the broker's."""


class Expectation(NamedTuple):
    """Static members that the first assignment waits for."""

    instance_ids: tuple[str, ...]
    timeout_ms: int | None


async def group_configs(cluster: Cluster, group_id: str) -> list[GroupConfig]:
    """Return all configurations of a group, which need not exist."""
    found = await config_queries.group_configs(cluster, group_id)
    return sorted(GroupConfig(at.name, at.value, at.config_source == OF_THE_GROUP) for at in found)


async def alter_group_configs(cluster: Cluster, group_id: str, values: Mapping[str, str | None]) -> None:
    """Change configurations; None resets one to the broker's value. Raises `RequestRefused`."""
    for_classic = sorted(key for key, value in values.items() if key in CLASSIC_ONLY and value is not None)
    group = await find(cluster, group_id) if for_classic else None
    if group is not None and group.group_type == CONSUMER:
        raise RequestRefused(
            f"Group '{group_id}' is a consumer group, and {for_classic[0]} applies to classic groups only. Use "
            "consumer.assignment.interval.ms to let new members gather; there are no reserve members.",
            ErrorCode.INVALID_CONFIG,
        )
    await config_queries.alter_group_configs(cluster, group_id, values)


async def rebalance(cluster: Cluster, group_id: str) -> None:
    """Start a rebalance. Raises `RequestRefused`; `UnsupportedByBroker` if the broker is not Tenure's."""
    counter = (await _configs_of_ours(cluster, group_id, REBALANCE_COUNTER, "start a rebalance on request")).get(
        REBALANCE_COUNTER
    )
    group = await must_find(cluster, group_id)
    if group.state == "Empty":
        raise RequestRefused(f"Group '{group_id}' has no members to rebalance.", ErrorCode.INVALID_REQUEST)
    await alter_group_configs(cluster, group_id, {REBALANCE_COUNTER: str(int(counter or 0) + 1)})


async def expectation(cluster: Cluster, group_id: str) -> Expectation:
    """Return the static members that the first assignment waits for."""
    configs = await _configs_of_ours(cluster, group_id, EXPECTED_INSTANCE_IDS, "wait for expected instances")
    expected = tuple(one for one in (configs[EXPECTED_INSTANCE_IDS] or "").split(",") if one)
    timeout_ms = configs.get(EXPECTED_TIMEOUT_MS)
    return Expectation(expected, None if timeout_ms is None else int(timeout_ms))


async def expect(cluster: Cluster, group_id: str, instance_ids: Sequence[str], timeout_ms: int | None = None) -> None:
    """Make the group's first assignment wait for static members; an empty list removes the setting.

    The group need not exist. Raises `RequestRefused`; `UnsupportedByBroker` if the broker is not Tenure's.
    """
    await expectation(cluster, group_id)
    expected = list(dict.fromkeys(instance_ids))
    values: dict[str, str | None] = {EXPECTED_INSTANCE_IDS: ",".join(expected) or None}
    if timeout_ms is not None:
        values[EXPECTED_TIMEOUT_MS] = str(timeout_ms)
    elif not expected:
        values[EXPECTED_TIMEOUT_MS] = None
    await alter_group_configs(cluster, group_id, values)


async def _configs_of_ours(cluster: Cluster, group_id: str, key: str, what: str) -> dict[str, str | None]:
    configs = {config.key: config.value for config in await group_configs(cluster, group_id)}
    if key not in configs:
        raise UnsupportedByBroker(
            f"Broker cannot {what}: it has no group setting {key}, which only Tenure's broker offers (group "
            f"'{group_id}')."
        )
    return configs
