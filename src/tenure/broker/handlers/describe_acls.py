"""DescribeAcls (API key 29). Changes: v2 flexible encoding, v3 resources of type USER."""

from collections.abc import Generator, Iterator

from tenure.broker.requests.acl_filters import filter_of
from tenure.broker.requests.context import Context
from tenure.broker.requests.permissions import is_allowed_to_cluster
from tenure.broker.requests.request import Request
from tenure.broker.requests.route import Route
from tenure.coordinator.metadata.commands import DescribeTopics
from tenure.protocol.acls import AclFilter, AclOperation
from tenure.protocol.errors import ErrorCode
from tenure.protocol.messages import AclDescription, DescribeAclsRequest, DescribeAclsResource, DescribeAclsResponse


def handle(context: Context, request: Request, message: DescribeAclsRequest) -> None:
    wanted = filter_of(message)
    if not is_allowed_to_cluster(context, request, AclOperation.DESCRIBE):
        error_code, why = ErrorCode.CLUSTER_AUTHORIZATION_FAILED, "the client may not DESCRIBE the cluster"
        request.answer(DescribeAclsResponse(error_code=error_code, error_message=why))
    elif context.authorization is None:
        error_code, why = ErrorCode.SECURITY_DISABLED, "this broker has no authorizer: set authorizer.class.name"
        request.answer(DescribeAclsResponse(error_code=error_code, error_message=why))
    else:
        # Respond only after the shard's answer, because the shard's state is durable then.
        then = request.callback(lambda _: request.go_on(_answer(context, request, wanted)))
        context.metadata.ask(DescribeTopics([]), then)


def _answer(context: Context, request: Request, wanted: AclFilter) -> Iterator[None]:
    resources = yield from _resources(context, wanted)
    yield from request.answer_in_steps(DescribeAclsResponse(resources=resources))


def _resources(context: Context, wanted: AclFilter) -> Generator[None, None, list[DescribeAclsResource]]:
    resources: dict[tuple[int, str, int], DescribeAclsResource] = {}
    for count, acl in enumerate(context.acls.matching(wanted)):
        pattern = acl.resource_type, acl.resource_name, acl.pattern_type
        if pattern not in resources:
            resources[pattern] = DescribeAclsResource(*pattern, acls=[])
        resources[pattern].acls.append(AclDescription(acl.principal, acl.host, acl.operation, acl.permission))
        if not count % 100:
            yield
    return list(resources.values())


route = Route(DescribeAclsRequest, handle)
