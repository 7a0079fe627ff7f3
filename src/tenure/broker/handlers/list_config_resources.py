"""ListConfigResources (74; KIP-1142). v0 lists client metrics, of which there are none, v1 what is asked for or all."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Final

from tenure.broker.requests.request import Request
from tenure.broker.requests.route import Route
from tenure.coordinator.metadata.configs import BROKER_RESOURCE, GROUP_RESOURCE, TOPIC_RESOURCE
from tenure.protocol.errors import ErrorCode
from tenure.protocol.messages import ConfigResource, ListConfigResourcesRequest, ListConfigResourcesResponse

if TYPE_CHECKING:
    from tenure.broker.broker import Broker

BROKER_LOGGER: Final = 8
CLIENT_METRICS: Final = 16

NAMES: Final[dict[int, Callable[["Broker"], list[str]]]] = {
    TOPIC_RESOURCE: lambda broker: [topic.name for topic in broker.topics],
    BROKER_RESOURCE: lambda broker: [str(broker.node_id)],
    BROKER_LOGGER: lambda _: [],  # what is logged is not altered while we run
    CLIENT_METRICS: lambda _: [],
    GROUP_RESOURCE: lambda broker: broker.configs.names(GROUP_RESOURCE),
}


def handle(broker: "Broker", request: Request, message: ListConfigResourcesRequest) -> None:
    kinds = (message.resource_types or list(NAMES)) if request.version >= 1 else [CLIENT_METRICS]
    if not NAMES.keys() >= set(kinds):
        request.answer(ListConfigResourcesResponse(error_code=ErrorCode.UNSUPPORTED_VERSION))
        return
    resources = [ConfigResource(name, kind) for kind in dict.fromkeys(kinds) for name in NAMES[kind](broker)]
    request.answer(ListConfigResourcesResponse(config_resources=resources))


route = Route(ListConfigResourcesRequest, handle)
