"""Load over TLS and SASL: the requests of `bench.load`, from connections that have logged in."""

from __future__ import annotations

import socket
import ssl
import struct
from dataclasses import dataclass

from scramp import ScramClient

from bench import load
from bench.load import Rate
from tenure.protocol.apis import ApiKey
from tenure.protocol.frames import RequestHeader, decode_response, encode_request
from tenure.protocol.message import Message
from tenure.protocol.messages import SaslAuthenticateRequest, SaslAuthenticateResponse, SaslHandshakeRequest

MECHANISM = "SCRAM-SHA-256"


@dataclass(frozen=True, slots=True)
class SecuredLoad(load.Load):
    """Load whose connections use TLS and log in with SCRAM."""

    ca: str
    user: str
    password: str


def generate(of: SecuredLoad) -> Rate:
    """Generate the load of `bench.load` over connections that have logged in."""
    context = ssl.create_default_context(cafile=of.ca)

    def connect() -> ssl.SSLSocket:
        connection = opened(of.host, of.port, context)
        log_in(connection, of.user, of.password)
        return connection

    return load.generate(of, connect)


def opened(host: str, port: int, context: ssl.SSLContext, session: ssl.SSLSession | None = None) -> ssl.SSLSocket:
    raw = socket.create_connection((host, port), timeout=load.STALLED_S)
    raw.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    return context.wrap_socket(raw, server_hostname=host, session=session)


def log_in(connection: socket.socket, user: str, password: str) -> None:
    client = ScramClient([MECHANISM], user, password)
    ask(connection, SaslHandshakeRequest(MECHANISM), 1)
    first = token_of(ask(connection, SaslAuthenticateRequest(client.get_client_first().encode()), 2))
    client.set_server_first(first.decode())
    final = token_of(ask(connection, SaslAuthenticateRequest(client.get_client_final().encode()), 2))
    client.set_server_final(final.decode())


def ask(connection: socket.socket, request: Message, version: int) -> bytes:
    connection.sendall(encode_request(RequestHeader(request.KEY, version, 7, "bench"), request))
    (size,) = struct.unpack(">i", exactly(connection, 4))
    return exactly(connection, size)


def exactly(connection: socket.socket, size: int) -> bytes:
    received = b""
    while len(received) < size:
        part = connection.recv(size - len(received))
        if not part:
            raise SystemExit("the broker closed the connection")
        received += part
    return received


def token_of(frame: bytes) -> bytes:
    _, answer = decode_response(ApiKey.SASL_AUTHENTICATE, 2, frame)
    assert isinstance(answer, SaslAuthenticateResponse)
    if answer.error_code:
        raise SystemExit(f"the login was refused: {answer.error_message}")
    return bytes(answer.auth_bytes)
