"""Configurations of topics and groups: DescribeConfigs and IncrementalAlterConfigs."""

from collections.abc import Mapping, Sequence
from typing import Final

from tenure.client.errors import RequestRefused
from tenure.client.net.cluster import Cluster, RetriableError
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

TOPIC: Final = 2
GROUP: Final = 32
"""Kafka's numbers of the resource types topic (`TOPIC`) and group (`GROUP`)."""
SET: Final = 0
DELETE: Final = 1


async def group_configs(cluster: Cluster, group_id: str) -> list[DescribeConfigsResourceResult]:
    """Return all configurations of a group. The group need not exist."""
    resource = DescribeConfigsResource(resource_type=GROUP, resource_name=group_id, configuration_keys=None)
    request = DescribeConfigsRequest(resources=[resource])

    async def attempt() -> list[DescribeConfigsResourceResult]:
        answer = await cluster.request_any(request, DescribeConfigsResponse)
        found = answer.results[0]
        _check(found.error_code, found.error_message, f"Settings of group '{group_id}' could not be read")
        return found.configs

    return await cluster.retry(attempt)


async def topic_configs(cluster: Cluster, topics: Sequence[str]) -> dict[str, list[DescribeConfigsResourceResult]]:
    """Return all configurations of topics."""
    resources = [DescribeConfigsResource(TOPIC, topic, None) for topic in topics]
    request = DescribeConfigsRequest(resources=resources)

    async def attempt() -> dict[str, list[DescribeConfigsResourceResult]]:
        answer = await cluster.request_any(request, DescribeConfigsResponse)
        for found in answer.results:
            _check(
                found.error_code, found.error_message, f"Settings of topic '{found.resource_name}' could not be read"
            )
        return {found.resource_name: found.configs for found in answer.results}

    return await cluster.retry(attempt)


async def alter_group_configs(cluster: Cluster, group_id: str, values: Mapping[str, str | None]) -> None:
    """Set configurations of a group. The value None restores the default.

    Raises:
        RequestRefused: The broker rejected a key or value, and has changed nothing. The message is the broker's.
    """
    configs = [
        IncrementalAlterableConfig(name=key, config_operation=DELETE if value is None else SET, value=value)
        for key, value in values.items()
    ]
    resource = IncrementalAlterConfigsResource(resource_type=GROUP, resource_name=group_id, configs=configs)
    request = IncrementalAlterConfigsRequest(resources=[resource])

    async def attempt() -> None:
        answer = await cluster.request_any(request, IncrementalAlterConfigsResponse)
        found = answer.responses[0]
        _check(found.error_code, found.error_message, f"Settings of group '{group_id}' were not changed")

    await cluster.retry(attempt)


def _check(error_code: int, error_message: str | None, problem: str) -> None:
    """Raise the errors of `tenure.client.net.cluster.check` if the error code is not NONE.

    The error contains the broker's message, which names the configuration key.
    """
    if error_code == ErrorCode.NONE:
        return
    code = ErrorCode(error_code)
    why = (error_message or code.message).rstrip(".")
    raise (RetriableError if code.retriable else RequestRefused)(f"{problem}: {why} ({code.name}).", code)
