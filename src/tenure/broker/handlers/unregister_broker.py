"""UnregisterBroker (API key 64). The only broker cannot be unregistered."""

from tenure.broker.requests.context import Context
from tenure.broker.requests.permissions import is_allowed_to_cluster
from tenure.broker.requests.request import Request
from tenure.broker.requests.route import Route
from tenure.protocol.acls import AclOperation
from tenure.protocol.errors import ErrorCode
from tenure.protocol.messages import UnregisterBrokerRequest, UnregisterBrokerResponse


def handle(context: Context, request: Request, message: UnregisterBrokerRequest) -> None:
    error_code, text = ErrorCode.BROKER_ID_NOT_REGISTERED, f"broker {context.node_id} is the only one"
    if not is_allowed_to_cluster(context, request, AclOperation.ALTER):
        error_code, text = ErrorCode.CLUSTER_AUTHORIZATION_FAILED, "the client may not ALTER the cluster"
    elif message.broker_id == context.node_id:
        error_code, text = ErrorCode.INVALID_REQUEST, "the only broker stays registered: stop it instead"
    request.answer(UnregisterBrokerResponse(error_code=error_code, error_message=text))


route = Route(UnregisterBrokerRequest, handle)
