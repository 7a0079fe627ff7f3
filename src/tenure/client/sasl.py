"""Who we are, said to a broker (rule 1.5): PLAIN (RFC 4616), and SCRAM (RFC 5802) by way of `scramp`."""

from collections.abc import Generator
from typing import TYPE_CHECKING

from tenure.client.errors import AuthenticationFailed
from tenure.client.security import Security
from tenure.protocol.errors import ErrorCode
from tenure.protocol.messages import (
    SaslAuthenticateRequest,
    SaslAuthenticateResponse,
    SaslHandshakeRequest,
    SaslHandshakeResponse,
)

if TYPE_CHECKING:
    from tenure.client.connection import Connection


async def authenticate(connection: "Connection", security: Security, timeout_ms: int) -> int:
    """For how many ms the broker then believes us; 0 for ever. Raises `AuthenticationFailed`."""
    await _agree_on_mechanism(connection, security.mechanism, timeout_ms)
    who = f"'{security.username}' with {security.mechanism}"
    messages = _messages(security)
    message = next(messages)
    while True:
        request = SaslAuthenticateRequest(auth_bytes=message)
        answer = await connection.request(request, SaslAuthenticateResponse, timeout_ms=timeout_ms)
        if answer.error_code != ErrorCode.NONE:
            reason = answer.error_message or ErrorCode(answer.error_code).message
            raise AuthenticationFailed(
                f"{connection.address} does not let {who} in ({reason}): check sasl.username and sasl.password."
            )
        try:
            message = messages.send(answer.auth_bytes)
        except StopIteration:
            return answer.session_lifetime_ms
        except ValueError as error:
            raise AuthenticationFailed(f"{connection.address} cannot prove itself to {who}: {error}.") from None


async def _agree_on_mechanism(connection: "Connection", mechanism: str, timeout_ms: int) -> None:
    answer = await connection.request(
        SaslHandshakeRequest(mechanism=mechanism), SaslHandshakeResponse, timeout_ms=timeout_ms, min_version=1
    )
    if answer.error_code != ErrorCode.NONE:
        offers = f"it offers {', '.join(answer.mechanisms)}" if answer.mechanisms else "it asks nobody who they are"
        raise AuthenticationFailed(
            f"{connection.address} does not take {mechanism} ({ErrorCode(answer.error_code).name}): {offers}."
        )


def _messages(security: Security) -> Generator[bytes, bytes, None]:
    """What to send; each time given what the broker answered.

    Raises ValueError where the broker does not know the password itself.
    """
    if security.mechanism == "PLAIN":
        yield b"\0" + security.username.encode() + b"\0" + security.password.encode()
        return
    from scramp import ScramClient, ScramException

    try:
        client = ScramClient([security.mechanism], security.username, security.password)
        client.set_server_first((yield client.get_client_first().encode()).decode())
        client.set_server_final((yield client.get_client_final().encode()).decode())
    except (ScramException, UnicodeDecodeError) as error:
        raise ValueError(str(error)) from error
