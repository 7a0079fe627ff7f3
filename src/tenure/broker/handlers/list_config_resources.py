"""ListConfigResources (API key 74, KIP-1142).

v0 lists client metrics, v1 the requested types or all.
"""

from collections.abc import Callable
from typing import Final

from tenure.broker.requests.context import Context
from tenure.broker.requests.log_levels import BROKER_LOGGER
from tenure.broker.requests.permissions import is_allowed_to_cluster
from tenure.broker.requests.request import Request
from tenure.broker.requests.route import Route
from tenure.coordinator.metadata.configs import (
    BROKER_RESOURCE,
    CLIENT_METRICS_RESOURCE,
    GROUP_RESOURCE,
    TOPIC_RESOURCE,
)
from tenure.protocol.acls import AclOperation
from tenure.protocol.errors import ErrorCode
from tenure.protocol.messages import ConfigResource, ListConfigResourcesRequest, ListConfigResourcesResponse

NAMES: Final[dict[int, Callable[[Context], list[str]]]] = {
    TOPIC_RESOURCE: lambda context: [topic.name for topic in context.topics],
    BROKER_RESOURCE: lambda context: [str(context.node_id)],
    BROKER_LOGGER: lambda context: [str(context.node_id)],
    CLIENT_METRICS_RESOURCE: lambda context: context.configs.names(CLIENT_METRICS_RESOURCE),
    GROUP_RESOURCE: lambda context: context.configs.names(GROUP_RESOURCE),
}


def handle(context: Context, request: Request, message: ListConfigResourcesRequest) -> None:
    if not is_allowed_to_cluster(context, request, AclOperation.DESCRIBE_CONFIGS):
        request.answer(ListConfigResourcesResponse(error_code=ErrorCode.CLUSTER_AUTHORIZATION_FAILED))
        return
    kinds = (message.resource_types or list(NAMES)) if request.version >= 1 else [CLIENT_METRICS_RESOURCE]
    if not NAMES.keys() >= set(kinds):
        request.answer(ListConfigResourcesResponse(error_code=ErrorCode.UNSUPPORTED_VERSION))
        return
    resources = [ConfigResource(name, kind) for kind in dict.fromkeys(kinds) for name in NAMES[kind](context)]
    request.answer(ListConfigResourcesResponse(config_resources=resources))


route = Route(ListConfigResourcesRequest, handle)
