"""AlterConfigs (33). v2 flexible. What a resource has set and the request does not name is forgotten."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from tenure.broker.configs import alter_configs
from tenure.broker.request import Request
from tenure.broker.route import Route
from tenure.coordinator.metadata.answers import AlteredResource
from tenure.coordinator.metadata.commands import AlterConfigs, ConfigChange, Operation, ResourceChanges
from tenure.protocol.messages import AlterConfigsRequest, AlterConfigsResourceResponse, AlterConfigsResponse

if TYPE_CHECKING:
    from tenure.broker.broker import Broker


def handle(broker: "Broker", request: Request, message: AlterConfigsRequest) -> None:
    def respond(results: Sequence[AlteredResource]) -> None:
        responses = [
            AlterConfigsResourceResponse(
                result.error_code, result.error_message, result.resource_type, result.resource_name
            )
            for result in results
        ]
        request.answer(AlterConfigsResponse(responses=responses))

    alter_configs(broker, command(message), respond)


def command(message: AlterConfigsRequest) -> AlterConfigs:
    resources = [
        ResourceChanges(
            resource.resource_type,
            resource.resource_name,
            [ConfigChange(config.name, Operation.SET, config.value) for config in resource.configs],
            forget_rest=True,
        )
        for resource in message.resources
    ]
    return AlterConfigs(resources, message.validate_only)


route = Route(AlterConfigsRequest, handle)
