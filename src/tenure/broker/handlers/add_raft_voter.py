"""AddRaftVoter (API key 80, KIP-853). Changes: v1 optionally answers before the change is committed.

The broker is the only voter, as in a Kafka cluster with kraft.version 0, so every request is refused.
"""

from typing import Final

from tenure.broker.requests.context import Context
from tenure.broker.requests.permissions import is_allowed_to_cluster
from tenure.broker.requests.request import Request
from tenure.broker.requests.route import Route
from tenure.protocol.acls import AclOperation
from tenure.protocol.errors import ErrorCode
from tenure.protocol.messages import AddRaftVoterRequest, AddRaftVoterResponse

CONTROLLER: Final = "CONTROLLER"
"""Usual name of the listener for controllers. Every voter needs this listener."""


def handle(context: Context, request: Request, message: AddRaftVoterRequest) -> None:
    error_code, text = _refusal(context, request, message)
    request.answer(AddRaftVoterResponse(error_code=error_code, error_message=text))


def _refusal(context: Context, request: Request, message: AddRaftVoterRequest) -> tuple[ErrorCode, str]:
    if not is_allowed_to_cluster(context, request, AclOperation.ALTER):
        return ErrorCode.CLUSTER_AUTHORIZATION_FAILED, "the client may not ALTER the cluster"
    if message.cluster_id not in (None, context.cluster_id):
        return ErrorCode.INCONSISTENT_CLUSTER_ID, f"this is the cluster {context.cluster_id}"
    if not any(message.voter_directory_id):
        return ErrorCode.INVALID_REQUEST, "the voter has no directory id"
    if all(listener.name != CONTROLLER for listener in message.listeners):
        return ErrorCode.INVALID_REQUEST, f"the voter has no listener {CONTROLLER}"
    return ErrorCode.UNSUPPORTED_VERSION, "voters cannot be added: this broker is the only one"


route = Route(AddRaftVoterRequest, handle)
