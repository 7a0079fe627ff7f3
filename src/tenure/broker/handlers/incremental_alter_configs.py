"""IncrementalAlterConfigs (API key 44). Changes: v1 flexible encoding."""

from collections.abc import Iterator, Sequence

from tenure.broker.requests.alter_configs import alter_configs, refuse_too_many_changes
from tenure.broker.requests.context import Context
from tenure.broker.requests.request import Request
from tenure.broker.requests.route import Route
from tenure.broker.requests.steps import in_steps
from tenure.coordinator.metadata.answers import AlteredResource
from tenure.coordinator.metadata.commands import AlterConfigs, ConfigChange, ResourceChanges
from tenure.protocol.messages import (
    IncrementalAlterConfigsRequest,
    IncrementalAlterConfigsResource,
    IncrementalAlterConfigsResourceResponse,
    IncrementalAlterConfigsResponse,
)


def handle(context: Context, request: Request, message: IncrementalAlterConfigsRequest) -> Iterator[None]:
    refuse_too_many_changes([len(resource.configs) for resource in message.resources])
    resources = yield from in_steps((_changes(resource) for resource in message.resources), at_once=1)
    alter = AlterConfigs(resources, message.validate_only)
    alter_configs(context, request, alter, lambda results: request.go_on(_answer(request, results)))


def _answer(request: Request, results: Sequence[AlteredResource]) -> Iterator[None]:
    responses = yield from in_steps(
        IncrementalAlterConfigsResourceResponse(
            result.error_code, result.error_message, result.resource_type, result.resource_name
        )
        for result in results
    )
    yield from request.answer_in_steps(IncrementalAlterConfigsResponse(responses=responses), len(responses))


def _changes(resource: IncrementalAlterConfigsResource) -> ResourceChanges:
    return ResourceChanges(
        resource.resource_type,
        resource.resource_name,
        [ConfigChange(config.name, config.config_operation, config.value) for config in resource.configs],
    )


route = Route(IncrementalAlterConfigsRequest, handle)
