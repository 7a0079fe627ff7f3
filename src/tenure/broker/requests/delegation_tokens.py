"""Delegation tokens (KIP-48), which this broker does not issue: Kafka's answers without a secret key for them."""

from tenure.broker.requests.request import Request
from tenure.broker.security.principal import ANONYMOUS
from tenure.protocol.errors import ErrorCode


def refusal(request: Request) -> ErrorCode:
    """Return the error: clients without authentication may not use tokens, and for others tokens are disabled."""
    if request.principal == ANONYMOUS:
        return ErrorCode.DELEGATION_TOKEN_REQUEST_NOT_ALLOWED
    return ErrorCode.DELEGATION_TOKEN_AUTH_DISABLED
