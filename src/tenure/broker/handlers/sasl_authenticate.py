"""SaslAuthenticate (API key 36).

The connection handles logins (`authentication_gate`). A SaslAuthenticate that reaches this handler is outside of a
login, so the response is an error (rule 1.5).
"""

from tenure.broker.requests.context import Context
from tenure.broker.requests.request import Request
from tenure.broker.requests.route import Route
from tenure.protocol.errors import ErrorCode
from tenure.protocol.messages import SaslAuthenticateRequest, SaslAuthenticateResponse


def handle(_: Context, request: Request, __: SaslAuthenticateRequest) -> None:
    code = ErrorCode.ILLEGAL_SASL_STATE
    request.answer(
        SaslAuthenticateResponse(
            error_code=code, error_message="authentication was not requested on this connection, or is complete"
        )
    )


route = Route(SaslAuthenticateRequest, handle)
