"""RenewDelegationToken (API key 39). Changes: v2 flexible encoding."""

from typing import Final

from tenure.broker.requests.context import Context
from tenure.broker.requests.delegation_tokens import refusal
from tenure.broker.requests.request import Request
from tenure.broker.requests.route import Route
from tenure.protocol.messages import RenewDelegationTokenRequest, RenewDelegationTokenResponse

NEVER: Final = -1


def handle(_: Context, request: Request, __: RenewDelegationTokenRequest) -> None:
    request.answer(RenewDelegationTokenResponse(error_code=refusal(request), expiry_timestamp_ms=NEVER))


route = Route(RenewDelegationTokenRequest, handle)
