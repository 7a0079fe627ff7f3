"""Authentication on listeners with SASL. A login begins a session, and requests outside of a session are refused."""

import asyncio
import struct
from collections.abc import Callable, Generator
from typing import Any, Final, TypeVar

from tenure.broker.loop.clock import Clock
from tenure.broker.requests.refused_by_protocol import RefusedByProtocol
from tenure.broker.requests.steps import Steps
from tenure.broker.security.authentication import Authentication, LoginStep, principal_of
from tenure.broker.security.mechanisms import LoginFailed, SaslExchange
from tenure.broker.server.connection import Begin, Connection
from tenure.protocol.apis import APIS, ApiKey
from tenure.protocol.codec import decode
from tenure.protocol.errors import ErrorCode
from tenure.protocol.frames import RequestHeader, decode_request_header, encode_response
from tenure.protocol.message import Data, Message
from tenure.protocol.messages import (
    SaslAuthenticateRequest,
    SaslAuthenticateResponse,
    SaslHandshakeRequest,
    SaslHandshakeResponse,
)

M = TypeVar("M", bound=Message)

HANDSHAKE: Final = ApiKey.SASL_HANDSHAKE.to_bytes(2, "big")
_pack_size: Final = struct.Struct(">i").pack


class AuthenticationGate:
    def __init__(self, begin: Begin, loop: asyncio.AbstractEventLoop, clock: Clock) -> None:
        """Create a gate. `begin` begins each request of a logged-in client, and ApiVersions before the login."""
        self._begin: Final = begin
        self._loop: Final = loop
        self._clock: Final = clock

    def begin(self, connection: Connection, frame: Data) -> Steps | None:
        login = connection.authentication
        assert login is not None
        if login.is_open:
            if frame[:2] == HANDSHAKE and login.maybe_begin_again(self._now_ms()):
                return self._login(connection, login, bytes(frame))
            if login.expires_ms is not None and self._now_ms() >= login.expires_ms:
                raise RefusedByProtocol("the SASL session has ended, and the client did not authenticate again")
            return self._begin(connection, frame)
        if not frame:
            raise RefusedByProtocol("the client sent an empty frame before authentication")
        return self._login(connection, login, bytes(frame))

    def _now_ms(self) -> int:
        return self._clock.tick_ms()

    def _login(self, connection: Connection, login: Authentication, frame: bytes) -> Steps | None:
        if login.step is LoginStep.BARE_TOKENS:
            return self._bare_token(connection, login, frame)
        header, at = decode_request_header(frame)
        if login.step is LoginStep.TOKENS:
            request = _decoded(SaslAuthenticateRequest, header, frame, at)
            return self._token(connection, login, header, request.auth_bytes)
        if header.api_key == ApiKey.API_VERSIONS and login.step is LoginStep.VERSIONS:
            if header.api_version in _versions(ApiKey.API_VERSIONS):
                login.step = LoginStep.HANDSHAKE
            return self._begin(connection, frame)
        handshake = _decoded(SaslHandshakeRequest, header, frame, at)
        return self._handshake(connection, login, header, handshake.mechanism)

    def _handshake(self, connection: Connection, login: Authentication, header: RequestHeader, mechanism: str) -> Steps:
        offered = list(login.sasl.mechanisms)
        is_same = login.mechanism in ("", mechanism)
        if mechanism in offered and is_same:
            login.mechanism = mechanism
            login.exchange = login.sasl.begin(mechanism)
            login.step = LoginStep.TOKENS if header.api_version else LoginStep.BARE_TOKENS
            _answer(connection, header, SaslHandshakeResponse(mechanisms=offered))
            return
        response = SaslHandshakeResponse(ErrorCode.UNSUPPORTED_SASL_MECHANISM, offered)
        why = (
            "the client requested a SASL mechanism that is not enabled"
            if is_same
            else "the client changed the SASL mechanism of its session"
        )
        yield from self._refuse(connection, login, why, lambda: _answer(connection, header, response))

    def _token(self, connection: Connection, login: Authentication, header: RequestHeader, token: bytes) -> Steps:
        exchange = _exchange(login)
        try:
            answer = yield from exchange.evaluate(token)
            session_ms = self._maybe_complete(connection, login, exchange)
        except LoginFailed as failure:
            response = SaslAuthenticateResponse(ErrorCode.SASL_AUTHENTICATION_FAILED, str(failure))
            send_error = lambda: _answer(connection, header, response)  # noqa: E731 - the answer to this request
            yield from self._refuse(connection, login, _why(login, exchange), send_error)
        else:
            _answer(connection, header, SaslAuthenticateResponse(auth_bytes=answer, session_lifetime_ms=session_ms))

    def _bare_token(self, connection: Connection, login: Authentication, token: bytes) -> Steps:
        exchange = _exchange(login)
        try:
            answer = yield from exchange.evaluate(token)
            self._maybe_complete(connection, login, exchange)
        except LoginFailed:
            yield from self._refuse(connection, login, _why(login, exchange), None)
        else:
            connection.respond([_pack_size(len(answer)) + answer])

    def _maybe_complete(self, connection: Connection, login: Authentication, exchange: SaslExchange) -> int:
        """Let the client send other requests if the login is complete.

        Return the lifetime of the session in ms; 0 if it is unlimited, or the login is not complete.
        """
        if exchange.user is None:
            return 0
        principal = principal_of(exchange.user)
        if connection.is_established and principal != connection.principal:
            raise LoginFailed("Authentication failed: a session cannot change its principal")
        connection.become_established(principal)
        now = self._clock.now()
        expires_s = exchange.expires_s
        return login.complete(now.tick_ms, None if expires_s is None else int(expires_s * 1000) - now.wall_ms)

    def _refuse(
        self, connection: Connection, login: Authentication, why: str, send_error: Callable[[], None] | None
    ) -> Generator[Any, None, None]:
        """Close the connection after a failed login.

        First wait for a while, which limits the rate at which passwords can be tried. Then answer the client with
        `send_error`; it is None if the protocol has no response. `why` is the reason for the log.
        """
        connection.count_login_failure(login.mechanism)
        over: asyncio.Future[None] = self._loop.create_future()
        self._loop.call_later(login.sasl.failure_delay_s, over.set_result, None)
        yield over
        if send_error is not None:
            send_error()
        connection.refuse(why)


def _exchange(login: Authentication) -> SaslExchange:
    assert login.exchange is not None, "tokens follow a handshake"
    return login.exchange


def _why(login: Authentication, exchange: SaslExchange) -> str:
    return f"authentication as {exchange.claimed!r} with {login.mechanism} failed"


def _versions(key: ApiKey) -> range:
    return range(APIS[key].min_version, APIS[key].max_version + 1)


def _decoded(kind: type[M], header: RequestHeader, frame: bytes, at: int) -> M:
    key = ApiKey(kind.KEY)
    if header.api_key != key:
        raise RefusedByProtocol(f"the client sent API {header.api_key} before authentication; expected {key.name}")
    if header.api_version not in _versions(key):
        raise RefusedByProtocol(f"the client sent {key.name} in version {header.api_version}, which does not exist")
    return decode(kind, header.api_version, frame, at)


def _answer(connection: Connection, header: RequestHeader, response: Message) -> None:
    connection.respond([encode_response(header.api_key, header.api_version, header.correlation_id, response)])
