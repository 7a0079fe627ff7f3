"""Refusals of all requests about delegation tokens (KIP-48). A Kafka broker without a secret key for tokens does so."""

from tenure.broker.requests.request import Request
from tenure.broker.security.principal import ANONYMOUS
from tenure.protocol.errors import ErrorCode


def refusal(request: Request) -> ErrorCode:
    """Return an error: unauthenticated clients may not use tokens, and for all others tokens are disabled."""
    if request.principal == ANONYMOUS:
        return ErrorCode.DELEGATION_TOKEN_REQUEST_NOT_ALLOWED
    return ErrorCode.DELEGATION_TOKEN_AUTH_DISABLED
