"""DescribeUserScramCredentials (API key 50, KIP-554). Null, or an empty list of names, stands for all users."""

from collections import Counter
from collections.abc import Sequence

from tenure.broker.requests.context import Context
from tenure.broker.requests.permissions import is_allowed_to_cluster
from tenure.broker.requests.request import Request
from tenure.broker.requests.route import Route
from tenure.protocol.acls import AclOperation
from tenure.protocol.errors import ErrorCode
from tenure.protocol.messages import (
    CredentialInfo,
    DescribeUserScramCredentialsRequest,
    DescribeUserScramCredentialsResponse,
    DescribeUserScramCredentialsResult,
)


def handle(context: Context, request: Request, message: DescribeUserScramCredentialsRequest) -> None:
    if not is_allowed_to_cluster(context, request, AclOperation.DESCRIBE):
        error_code = ErrorCode.CLUSTER_AUTHORIZATION_FAILED
        request.answer(DescribeUserScramCredentialsResponse(error_code=error_code))
        return
    found: dict[str, list[CredentialInfo]] = {}
    for (user, mechanism), credential in sorted(context.scram_credentials.items()):
        found.setdefault(user, []).append(CredentialInfo(mechanism, credential.iterations))
    named = Counter(user.name for user in message.users or ()) or dict.fromkeys(found, 1)
    results = [_result(user, times, found.get(user, ())) for user, times in named.items()]
    request.answer(DescribeUserScramCredentialsResponse(results=results))


def _result(user: str, times: int, infos: Sequence[CredentialInfo]) -> DescribeUserScramCredentialsResult:
    if times > 1:
        why = "the request names this user more than once: name it once"
        return DescribeUserScramCredentialsResult(user, ErrorCode.DUPLICATE_RESOURCE, why)
    if not infos:
        return DescribeUserScramCredentialsResult(user, ErrorCode.RESOURCE_NOT_FOUND, "no SCRAM credentials")
    return DescribeUserScramCredentialsResult(user, credential_infos=list(infos))


route = Route(DescribeUserScramCredentialsRequest, handle)
