"""CreateAcls (API key 30). Changes: v2 flexible encoding, v3 resources of type USER."""

from tenure.broker.requests.acl_filters import refuse_unknown
from tenure.broker.requests.context import Context
from tenure.broker.requests.permissions import is_allowed_to_cluster
from tenure.broker.requests.refused_by_protocol import RefusedByProtocol
from tenure.broker.requests.request import Request
from tenure.broker.requests.route import Route
from tenure.coordinator.answers import Refused
from tenure.coordinator.metadata.answers import AclsCreated, Refusal
from tenure.coordinator.metadata.commands import CreateAcls
from tenure.limits.broker import ACLS_PER_REQUEST_MAX
from tenure.protocol.acls import Acl, AclOperation
from tenure.protocol.errors import ErrorCode
from tenure.protocol.messages import AclCreationResult, CreateAclsRequest, CreateAclsResponse


def handle(context: Context, request: Request, message: CreateAclsRequest) -> None:
    acls = [
        Acl(
            requested.resource_type,
            requested.resource_name,
            requested.resource_pattern_type,
            requested.principal,
            requested.host,
            requested.operation,
            requested.permission_type,
        )
        for requested in message.creations
    ]
    for acl in acls:
        refuse_unknown(acl)

    def answer_all(refusal: Refusal) -> None:
        request.answer(CreateAclsResponse(results=[AclCreationResult(*refusal) for _ in acls]))

    def respond(answer: Refused | AclsCreated) -> None:
        if isinstance(answer, Refused):
            answer_all((answer.error_code, "the ACLs could not be stored"))
        else:
            results = [AclCreationResult(*refusal) if refusal else AclCreationResult() for refusal in answer.refusals]
            request.answer(CreateAclsResponse(results=results))

    if not is_allowed_to_cluster(context, request, AclOperation.ALTER):
        answer_all((ErrorCode.CLUSTER_AUTHORIZATION_FAILED, "the client may not ALTER the cluster"))
    elif context.authorization is None:
        answer_all((ErrorCode.SECURITY_DISABLED, "this broker has no authorizer: set authorizer.class.name"))
    elif len(acls) > ACLS_PER_REQUEST_MAX:
        raise RefusedByProtocol(f"the request creates {len(acls)} ACLs, at most {ACLS_PER_REQUEST_MAX} are allowed")
    else:
        context.metadata.ask(CreateAcls(acls), request.callback(respond))


route = Route(CreateAclsRequest, handle)
