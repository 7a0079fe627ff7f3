"""IncrementalAlterConfigs (44). v1 flexible."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from tenure.broker.configs import alter_configs
from tenure.broker.request import Request
from tenure.broker.route import Route
from tenure.coordinator.metadata.answers import AlteredResource
from tenure.coordinator.metadata.commands import AlterConfigs, ConfigChange, ResourceChanges
from tenure.protocol.messages import (
    IncrementalAlterConfigsRequest,
    IncrementalAlterConfigsResourceResponse,
    IncrementalAlterConfigsResponse,
)

if TYPE_CHECKING:
    from tenure.broker.broker import Broker


def handle(broker: "Broker", request: Request, message: IncrementalAlterConfigsRequest) -> None:
    def respond(results: Sequence[AlteredResource]) -> None:
        responses = [
            IncrementalAlterConfigsResourceResponse(
                result.error_code, result.error_message, result.resource_type, result.resource_name
            )
            for result in results
        ]
        request.answer(IncrementalAlterConfigsResponse(responses=responses))

    alter_configs(broker, command(message), respond)


def command(message: IncrementalAlterConfigsRequest) -> AlterConfigs:
    resources = [
        ResourceChanges(
            resource.resource_type,
            resource.resource_name,
            [ConfigChange(config.name, config.config_operation, config.value) for config in resource.configs],
        )
        for resource in message.resources
    ]
    return AlterConfigs(resources, message.validate_only)


route = Route(IncrementalAlterConfigsRequest, handle)
