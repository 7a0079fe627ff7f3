"""RemoveRaftVoter (API key 81, KIP-853). The broker is the only voter, as with Kafka's kraft.version 0."""

from tenure.broker.requests.context import Context
from tenure.broker.requests.permissions import is_allowed_to_cluster
from tenure.broker.requests.request import Request
from tenure.broker.requests.route import Route
from tenure.protocol.acls import AclOperation
from tenure.protocol.errors import ErrorCode
from tenure.protocol.messages import RemoveRaftVoterRequest, RemoveRaftVoterResponse


def handle(context: Context, request: Request, message: RemoveRaftVoterRequest) -> None:
    error_code, text = ErrorCode.UNSUPPORTED_VERSION, "voters cannot be removed: this broker is the only one"
    if not is_allowed_to_cluster(context, request, AclOperation.ALTER):
        error_code, text = ErrorCode.CLUSTER_AUTHORIZATION_FAILED, "the client may not ALTER the cluster"
    elif message.cluster_id not in (None, context.cluster_id):
        error_code, text = ErrorCode.INCONSISTENT_CLUSTER_ID, f"this is the cluster {context.cluster_id}"
    elif not any(message.voter_directory_id):
        error_code, text = ErrorCode.INVALID_REQUEST, "the voter has no directory id"
    request.answer(RemoveRaftVoterResponse(error_code=error_code, error_message=text))


route = Route(RemoveRaftVoterRequest, handle)
