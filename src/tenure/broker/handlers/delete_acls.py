"""DeleteAcls (API key 31). Changes: v2 flexible encoding, v3 resources of type USER."""

from collections.abc import Sequence

from tenure.broker.requests.acl_filters import filter_of
from tenure.broker.requests.context import Context
from tenure.broker.requests.permissions import is_allowed_to_cluster
from tenure.broker.requests.refused_by_protocol import RefusedByProtocol
from tenure.broker.requests.request import Request
from tenure.broker.requests.route import Route
from tenure.coordinator.answers import Refused
from tenure.coordinator.metadata.answers import AclsDeleted, Refusal
from tenure.coordinator.metadata.commands import DeleteAcls
from tenure.limits.broker import ACL_FILTERS_PER_REQUEST_MAX
from tenure.protocol.acls import Acl, AclOperation
from tenure.protocol.errors import ErrorCode
from tenure.protocol.messages import (
    DeleteAclsFilterResult,
    DeleteAclsMatchingAcl,
    DeleteAclsRequest,
    DeleteAclsResponse,
)


def handle(context: Context, request: Request, message: DeleteAclsRequest) -> None:
    filters = [filter_of(requested) for requested in message.filters]

    def answer_all(error_code: ErrorCode, why: str) -> None:
        results = [DeleteAclsFilterResult(error_code, why) for _ in filters]
        request.answer(DeleteAclsResponse(filter_results=results))

    def respond(answer: Refused | AclsDeleted) -> None:
        if isinstance(answer, Refused):
            answer_all(answer.error_code, "the change could not be stored")
        else:
            response = DeleteAclsResponse(filter_results=[_result(result) for result in answer.results])
            request.go_on(request.answer_in_steps(response))

    if not is_allowed_to_cluster(context, request, AclOperation.ALTER):
        answer_all(ErrorCode.CLUSTER_AUTHORIZATION_FAILED, "the client may not ALTER the cluster")
    elif context.authorization is None:
        answer_all(ErrorCode.SECURITY_DISABLED, "this broker has no authorizer: set authorizer.class.name")
    elif len(filters) > ACL_FILTERS_PER_REQUEST_MAX:
        raise RefusedByProtocol(
            f"the request has {len(filters)} filters of ACLs, at most {ACL_FILTERS_PER_REQUEST_MAX} are allowed"
        )
    else:
        context.metadata.ask(DeleteAcls(filters), request.callback(respond))


def _result(result: Sequence[Acl] | Refusal) -> DeleteAclsFilterResult:
    if isinstance(result, tuple):
        error_code, why = result
        return DeleteAclsFilterResult(error_code, why)
    deleted = [
        DeleteAclsMatchingAcl(
            ErrorCode.NONE,
            None,
            acl.resource_type,
            acl.resource_name,
            acl.pattern_type,
            acl.principal,
            acl.host,
            acl.operation,
            acl.permission,
        )
        for acl in result
    ]
    return DeleteAclsFilterResult(matching_acls=deleted)


route = Route(DeleteAclsRequest, handle)
