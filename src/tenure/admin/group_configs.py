"""Settings of a group: Kafka's own, and those by which Tenure's coordinator is told what it cannot know.

`group.expected.instance.ids`: the first assignment waits, `group.expected.timeout.ms` at most, for the seats that are
known to come. `target.group.size`: members beyond it are standbys. `group.rebalance.counter`: its change starts a
rebalance. Apache Kafka has no API for any of them. The first two are for classic groups: a consumer group's coordinator
assigns to whoever is there, and `consumer.assignment.interval.ms` is how long it lets newcomers gather.
"""

from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple

from tenure.admin.group_description import CONSUMER
from tenure.admin.groups import find, must_find
from tenure.client import config_queries
from tenure.client.cluster import Cluster
from tenure.client.errors import RequestRefused, UnsupportedByBroker
from tenure.protocol.errors import ErrorCode

EXPECTED_INSTANCE_IDS: Final = "group.expected.instance.ids"
EXPECTED_TIMEOUT_MS: Final = "group.expected.timeout.ms"
REBALANCE_COUNTER: Final = "group.rebalance.counter"

CLASSIC_ONLY: Final = frozenset({EXPECTED_INSTANCE_IDS, EXPECTED_TIMEOUT_MS, "target.group.size"})

OF_THE_GROUP: Final = 8
"""Kafka's number for a value that was set for this very group; every other value comes from the broker."""


class GroupConfig(NamedTuple):
    key: str
    value: str | None
    is_set: bool
    """For this group; otherwise it is the broker's value."""


class Expectation(NamedTuple):
    instance_ids: tuple[str, ...]
    timeout_ms: int | None


async def group_configs(cluster: Cluster, group_id: str) -> list[GroupConfig]:
    """Also of a group that does not exist yet."""
    found = await config_queries.group_configs(cluster, group_id)
    return sorted(GroupConfig(at.name, at.value, at.config_source == OF_THE_GROUP) for at in found)


async def alter_group_configs(cluster: Cluster, group_id: str, values: Mapping[str, str | None]) -> None:
    """None takes a setting back. Raises `RequestRefused`."""
    for_classic = sorted(key for key, value in values.items() if key in CLASSIC_ONLY and value is not None)
    group = await find(cluster, group_id) if for_classic else None
    if group is not None and group.group_type == CONSUMER:
        raise RequestRefused(
            f"Group '{group_id}' is a consumer group, and {for_classic[0]} holds for classic groups: "
            "consumer.assignment.interval.ms lets newcomers gather, and nobody is held in reserve.",
            ErrorCode.INVALID_CONFIG,
        )
    await config_queries.alter_group_configs(cluster, group_id, values)


async def rebalance(cluster: Cluster, group_id: str) -> None:
    """Start a rebalance, whose cause is the administrator. Raises `RequestRefused`, `UnsupportedByBroker`."""
    counter = (await _configs_of_ours(cluster, group_id, REBALANCE_COUNTER, "start a rebalance from outside")).get(
        REBALANCE_COUNTER
    )
    group = await must_find(cluster, group_id)
    if group.state == "Empty":
        raise RequestRefused(
            f"Group '{group_id}' has no members: there is nothing to rebalance.", ErrorCode.INVALID_REQUEST
        )
    await alter_group_configs(cluster, group_id, {REBALANCE_COUNTER: str(int(counter or 0) + 1)})


async def expectation(cluster: Cluster, group_id: str) -> Expectation:
    configs = await _configs_of_ours(cluster, group_id, EXPECTED_INSTANCE_IDS, "wait for seats that are to come")
    expected = tuple(one for one in (configs[EXPECTED_INSTANCE_IDS] or "").split(",") if one)
    timeout_ms = configs.get(EXPECTED_TIMEOUT_MS)
    return Expectation(expected, None if timeout_ms is None else int(timeout_ms))


async def expect(cluster: Cluster, group_id: str, instance_ids: Sequence[str], timeout_ms: int | None = None) -> None:
    """Let the group's first assignment wait for these; none of them takes the wish back.

    The group need not exist yet. Raises `RequestRefused`, `UnsupportedByBroker`.
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
            f"The broker cannot {what}: group '{group_id}' has no setting {key} there, which is Tenure's own and "
            "nothing that Apache Kafka offers."
        )
    return configs
