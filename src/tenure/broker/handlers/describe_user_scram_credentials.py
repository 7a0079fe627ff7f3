"""DescribeUserScramCredentials (50, KIP-554).

There are none here; tools that show a user's quotas ask for them, too.
"""

from collections import Counter

from tenure.broker.requests.context import Context
from tenure.broker.requests.permissions import is_allowed_to_cluster
from tenure.broker.requests.request import Request
from tenure.broker.requests.route import Route
from tenure.protocol.acls import AclOperation
from tenure.protocol.errors import ErrorCode
from tenure.protocol.messages import (
    DescribeUserScramCredentialsRequest,
    DescribeUserScramCredentialsResponse,
    DescribeUserScramCredentialsResult,
)


def handle(context: Context, request: Request, message: DescribeUserScramCredentialsRequest) -> None:
    if not is_allowed_to_cluster(context, request, AclOperation.DESCRIBE):
        error_code = ErrorCode.CLUSTER_AUTHORIZATION_FAILED
        request.answer(DescribeUserScramCredentialsResponse(error_code=error_code))
        return
    named = Counter(user.name for user in message.users or ())
    results = [_result(user, times) for user, times in named.items()]
    request.answer(DescribeUserScramCredentialsResponse(results=results))


def _result(user: str, times: int) -> DescribeUserScramCredentialsResult:
    if times > 1:
        return DescribeUserScramCredentialsResult(user, ErrorCode.DUPLICATE_RESOURCE, "it is named twice: name it once")
    return DescribeUserScramCredentialsResult(user, ErrorCode.RESOURCE_NOT_FOUND, "there are no SCRAM credentials here")


route = Route(DescribeUserScramCredentialsRequest, handle)
