"""Refusals of requests about delegation tokens (KIP-48): the errors of a Kafka broker without a secret key for them."""

from tenure.broker.requests.request import Request
from tenure.broker.security.principal import ANONYMOUS
from tenure.protocol.errors import ErrorCode


def refusal(request: Request) -> ErrorCode:
    """Return an error: unauthenticated clients may not use tokens, and for all others tokens are disabled."""
    if request.principal == ANONYMOUS:
        return ErrorCode.DELEGATION_TOKEN_REQUEST_NOT_ALLOWED
    return ErrorCode.DELEGATION_TOKEN_AUTH_DISABLED
