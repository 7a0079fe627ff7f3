"""DescribeDelegationToken (API key 41).

Changes: v2 flexible encoding, v3 the principal that requested a token (KIP-373).
"""

from tenure.broker.requests.context import Context
from tenure.broker.requests.delegation_tokens import refusal
from tenure.broker.requests.request import Request
from tenure.broker.requests.route import Route
from tenure.protocol.messages import DescribeDelegationTokenRequest, DescribeDelegationTokenResponse


def handle(_: Context, request: Request, __: DescribeDelegationTokenRequest) -> None:
    request.answer(DescribeDelegationTokenResponse(error_code=refusal(request)))


route = Route(DescribeDelegationTokenRequest, handle)
