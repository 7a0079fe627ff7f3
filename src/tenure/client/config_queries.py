"""Settings that a cluster keeps for a group: DescribeConfigs and IncrementalAlterConfigs, resource type GROUP."""

from collections.abc import Mapping
from typing import Final

from tenure.client.cluster import Cluster, TryAgain
from tenure.client.errors import RequestRefused
from tenure.protocol.errors import ErrorCode
from tenure.protocol.messages import (
    DescribeConfigsRequest,
    DescribeConfigsResource,
    DescribeConfigsResourceResult,
    DescribeConfigsResponse,
    IncrementalAlterableConfig,
    IncrementalAlterConfigsRequest,
    IncrementalAlterConfigsResource,
    IncrementalAlterConfigsResponse,
)

GROUP: Final = 32
SET: Final = 0
DELETE: Final = 1


async def group_configs(cluster: Cluster, group_id: str) -> list[DescribeConfigsResourceResult]:
    """All keys that the broker knows for groups, also for a group that does not exist yet."""
    resource = DescribeConfigsResource(resource_type=GROUP, resource_name=group_id, configuration_keys=None)
    request = DescribeConfigsRequest(resources=[resource])

    async def attempt() -> list[DescribeConfigsResourceResult]:
        answer = await cluster.ask_any(request, DescribeConfigsResponse)
        found = answer.results[0]
        _check(found.error_code, found.error_message, f"The settings of group '{group_id}' cannot be read")
        return found.configs

    return await cluster.persist(attempt)


async def alter_group_configs(cluster: Cluster, group_id: str, values: Mapping[str, str | None]) -> None:
    """All of them or none; None takes a setting back. Raises `RequestRefused` in the broker's words."""
    configs = [
        IncrementalAlterableConfig(name=key, config_operation=DELETE if value is None else SET, value=value)
        for key, value in values.items()
    ]
    resource = IncrementalAlterConfigsResource(resource_type=GROUP, resource_name=group_id, configs=configs)
    request = IncrementalAlterConfigsRequest(resources=[resource])

    async def attempt() -> None:
        answer = await cluster.ask_any(request, IncrementalAlterConfigsResponse)
        found = answer.responses[0]
        _check(found.error_code, found.error_message, f"The settings of group '{group_id}' cannot be changed")

    await cluster.persist(attempt)


def _check(error_code: int, error_message: str | None, what: str) -> None:
    """As `check`, with the broker's own words, which name the key."""
    if error_code == ErrorCode.NONE:
        return
    code = ErrorCode(error_code)
    why = (error_message or code.message).rstrip(".")
    raise (TryAgain if code.retriable else RequestRefused)(f"{what}: {why} ({code.name}).", code)
