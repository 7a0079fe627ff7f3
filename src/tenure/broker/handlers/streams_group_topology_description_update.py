"""StreamsGroupTopologyDescriptionUpdate (API key 93, KIP-1331, rule 5.6b): refused, no description is stored."""

from typing import Final

from tenure.broker.requests.context import Context
from tenure.broker.requests.permissions import is_allowed
from tenure.broker.requests.request import Request
from tenure.broker.requests.route import Route
from tenure.protocol.acls import AclOperation, ResourceType
from tenure.protocol.errors import ErrorCode
from tenure.protocol.messages import (
    StreamsGroupTopologyDescriptionUpdateRequest,
    StreamsGroupTopologyDescriptionUpdateResponse,
)

NO_PLUGIN: Final = "The broker has no streams group topology description plugin configured."
"""Kafka's message of a broker that cannot store topology descriptions, because it has no plugin for them."""


def handle(context: Context, request: Request, message: StreamsGroupTopologyDescriptionUpdateRequest) -> None:
    if is_allowed(context, request, AclOperation.READ, ResourceType.GROUP, message.group_id):
        error_code, why = ErrorCode.UNSUPPORTED_VERSION, NO_PLUGIN
    else:
        error_code, why = ErrorCode.GROUP_AUTHORIZATION_FAILED, None
    request.answer(StreamsGroupTopologyDescriptionUpdateResponse(error_code=error_code, error_message=why))


route = Route(StreamsGroupTopologyDescriptionUpdateRequest, handle)
