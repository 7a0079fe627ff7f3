"""SaslHandshake (API key 17).

The connection handles logins (`authentication_gate`). A SaslHandshake that reaches this handler is outside of a login,
so the response is an error (rule 1.5).
"""

from tenure.broker.requests.context import Context
from tenure.broker.requests.request import Request
from tenure.broker.requests.route import Route
from tenure.protocol.errors import ErrorCode
from tenure.protocol.messages import SaslHandshakeRequest, SaslHandshakeResponse


def handle(_: Context, request: Request, __: SaslHandshakeRequest) -> None:
    request.answer(SaslHandshakeResponse(error_code=ErrorCode.ILLEGAL_SASL_STATE))


route = Route(SaslHandshakeRequest, handle)
