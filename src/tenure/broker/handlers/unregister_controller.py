"""UnregisterController (API key 94). Always refused: this broker is the only controller."""

from tenure.broker.requests.context import Context
from tenure.broker.requests.permissions import is_allowed_to_cluster
from tenure.broker.requests.request import Request
from tenure.broker.requests.route import Route
from tenure.protocol.acls import AclOperation
from tenure.protocol.errors import ErrorCode
from tenure.protocol.messages import UnregisterControllerRequest, UnregisterControllerResponse


def handle(context: Context, request: Request, message: UnregisterControllerRequest) -> None:
    error_code, text = ErrorCode.CONTROLLER_ID_NOT_REGISTERED, f"controller {context.node_id} is the only one"
    if not is_allowed_to_cluster(context, request, AclOperation.ALTER):
        error_code, text = ErrorCode.CLUSTER_AUTHORIZATION_FAILED, "the client may not ALTER the cluster"
    elif message.controller_id == context.node_id:
        error_code, text = ErrorCode.INVALID_REQUEST, "the active controller stays registered"
    request.answer(UnregisterControllerResponse(error_code=error_code, error_message=text))


route = Route(UnregisterControllerRequest, handle)
