"""SASL authentication with a broker (rule 1.5).

PLAIN (RFC 4616), OAUTHBEARER (RFC 7628), and SCRAM (RFC 5802) with the library `scramp`.
"""

import asyncio
from collections.abc import Generator

from tenure.client.errors import AuthenticationFailed
from tenure.client.net.connection import BrokerConnection
from tenure.client.net.security import OAUTHBEARER, PLAIN, Security
from tenure.client.net.tokens import Token, fetch_token, forget_token
from tenure.protocol.errors import ErrorCode
from tenure.protocol.messages import (
    SaslAuthenticateRequest,
    SaslAuthenticateResponse,
    SaslHandshakeRequest,
    SaslHandshakeResponse,
)


async def authenticate(connection: BrokerConnection, security: Security, timeout_ms: int) -> int:
    """Authenticate a connection.

    Returns:
        The lifetime of the session in ms; 0 if it does not expire.

    Raises:
        AuthenticationFailed: The broker rejects the mechanism, password or token, or fails to authenticate itself.
        BrokerUnreachable: There is no token at the moment.
    """
    token = None
    if security.mechanism == OAUTHBEARER:
        token = await asyncio.to_thread(fetch_token, security.tokens)
    await _agree_on_mechanism(connection, security.mechanism, timeout_ms)
    login = security.mechanism if token else f"'{security.username}' with {security.mechanism}"
    messages = _messages(security) if token is None else _bearer_messages(token)
    message = next(messages)
    while True:
        request = SaslAuthenticateRequest(auth_bytes=message)
        answer = await connection.request(request, SaslAuthenticateResponse, timeout_ms=timeout_ms)
        if answer.error_code != ErrorCode.NONE:
            reason = answer.error_message or ErrorCode(answer.error_code).message
            forget_token(security.tokens)
            raise AuthenticationFailed(
                f"SASL authentication failed at {connection.address} for {login}: {reason.rstrip('.')}. "
                + (f"Check {security.tokens.name}." if token else "Check 'sasl.username' and 'sasl.password'.")
            )
        try:
            message = messages.send(answer.auth_bytes)
        except StopIteration:
            return answer.session_lifetime_ms
        except ValueError as error:
            raise AuthenticationFailed(
                f"SASL authentication failed at {connection.address} for {login}: the broker did not prove that it "
                f"knows the password ({error})."
            ) from None


async def _agree_on_mechanism(connection: BrokerConnection, mechanism: str, timeout_ms: int) -> None:
    answer = await connection.request(
        SaslHandshakeRequest(mechanism=mechanism), SaslHandshakeResponse, timeout_ms=timeout_ms, min_version=1
    )
    if answer.error_code != ErrorCode.NONE:
        offers = ", ".join(answer.mechanisms) if answer.mechanisms else "none, this listener has no authentication"
        raise AuthenticationFailed(
            f"SASL mechanism {mechanism} is not available at {connection.address} "
            f"({ErrorCode(answer.error_code).name}). Available: {offers}."
        )


def _messages(security: Security) -> Generator[bytes, bytes, None]:
    """Yield the messages of one authentication. The caller passes each response of the broker to `send`.

    Raises:
        ValueError: The broker did not prove that it has the password.
    """
    if security.mechanism == PLAIN:
        yield b"\0" + security.username.encode() + b"\0" + security.password.encode()
        return
    from scramp import ScramClient, ScramException

    try:
        client = ScramClient([security.mechanism], security.username, security.password)
        client.set_server_first((yield client.get_client_first().encode()).decode())
        client.set_server_final((yield client.get_client_final().encode()).decode())
    except (ScramException, UnicodeDecodeError) as error:
        raise ValueError(str(error)) from error


def _bearer_messages(token: Token) -> Generator[bytes, bytes, None]:
    """Yield the token. If the broker rejects the token, it sends the reason and expects one byte (RFC 7628, 3.2.3)."""
    extensions = "".join(f"{extension}\x01" for extension in token.extensions.split(",") if extension)
    if (yield f"n,,\x01auth=Bearer {token.value}\x01{extensions}\x01".encode()):
        yield b"\x01"
