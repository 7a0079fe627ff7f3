"""CreateDelegationToken (API key 38). Changes: v2 flexible encoding, v3 a token for another owner (KIP-373)."""

from typing import Final

from tenure.broker.requests.context import Context
from tenure.broker.requests.delegation_tokens import refusal
from tenure.broker.requests.permissions import is_allowed
from tenure.broker.requests.request import Request
from tenure.broker.requests.route import Route
from tenure.broker.security.principal import Principal
from tenure.protocol.acls import AclOperation, ResourceType
from tenure.protocol.errors import ErrorCode
from tenure.protocol.messages import CreateDelegationTokenRequest, CreateDelegationTokenResponse

NEVER: Final = -1
OWNERS_SINCE: Final = 3


def handle(context: Context, request: Request, message: CreateDelegationTokenRequest) -> None:
    requester, owner = request.principal, request.principal
    if message.owner_principal_name:
        owner = Principal(message.owner_principal_type or "", message.owner_principal_name)
    error_code = refusal(request)
    if (
        error_code is ErrorCode.DELEGATION_TOKEN_AUTH_DISABLED
        and owner != requester
        and not is_allowed(context, request, AclOperation.CREATE_TOKENS, ResourceType.USER, str(owner))
    ):
        error_code = ErrorCode.DELEGATION_TOKEN_AUTHORIZATION_FAILED
    request.answer(
        CreateDelegationTokenResponse(
            error_code=error_code,
            principal_type=owner.kind,
            principal_name=owner.name,
            token_requester_principal_type=requester.kind if request.version >= OWNERS_SINCE else "",
            token_requester_principal_name=requester.name if request.version >= OWNERS_SINCE else "",
            issue_timestamp_ms=NEVER,
            expiry_timestamp_ms=NEVER,
            max_timestamp_ms=NEVER,
        )
    )


route = Route(CreateDelegationTokenRequest, handle)
