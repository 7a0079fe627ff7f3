"""Attacks before authentication, on listeners with TLS and SASL. The probe uses a listener without security."""

from __future__ import annotations

import resource
import select
import socket
import ssl
import struct
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from random import Random
from typing import Final

from tenure.development_certificates import write_certificates
from tenure.protocol.frames import RequestHeader, encode_request
from tenure.protocol.message import Message
from tenure.protocol.messages import (
    ApiVersionsRequest,
    MetadataRequest,
    SaslAuthenticateRequest,
    SaslHandshakeRequest,
)
from tests.adversary.probe import SETTINGS, TOPIC, probing
from tests.adversary.trial import Arena, Attack, Stages
from tests.serving import Serving, serving
from tests.wire import Wire

SECURITY: Final = "security"
"""Value of `Attack.finding` for all attacks of this module."""
HALF_OPEN: Final = 2_000
SLOW: Final = 500
HANDSHAKES: Final = 200
GUESSES: Final = 300
FRAMES: Final = 1_000_000
CONNECTIONS: Final = 128
UNANSWERED_S: Final = 0.05
PATIENCE_S: Final = 60.0
LOGIN_MAX_MS: Final = 2_000
SETTLE_S: Final = 0.2
PASSWORD: Final = "planted secret"
LISTENERS: Final = "PLAINTEXT://127.0.0.1:0,SSL://127.0.0.1:0,SASL_PLAINTEXT://127.0.0.1:0,SASL_SSL://127.0.0.1:0"
START_OF_CLIENT_HELLO: Final = b"\x16\x03\x01\x02\x00\x01"
GARBAGE: Final = (
    b"GET / HTTP/1.1\r\n\r\n",
    b"\x16\x03\x01\x00\x05hello",
    bytes(300_000),
    b"\x15\x03\x03\x00\x02\x02\x28",
    struct.pack(">i", -1),
    struct.pack(">i", 2**31 - 1) + b"x",
)
NO_DELAY: Final = struct.pack("ii", 1, 0)
"""SO_LINGER value with which a closed connection does not occupy its port."""


@contextmanager
def login_arena(directory: Path) -> Iterator[Arena]:
    directory.mkdir(exist_ok=True)
    write_certificates(directory / "certificates")
    (directory / "users").write_text(f"alice={PASSWORD}\n")
    settings = (
        *SETTINGS,
        f"ssl.keystore.location={directory}/certificates/broker.pem,{directory}/certificates/broker-key.pem",
        f"tenure.users.file={directory}/users",
        "sasl.enabled.mechanisms=PLAIN,SCRAM-SHA-256",
        f"tenure.connection.login.max.ms={LOGIN_MAX_MS}",
        "connection.failed.authentication.delay.ms=1",
    )
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    with serving(directory, *settings, options=("--listen", LISTENERS)) as broker:
        broker.address = broker.listeners["PLAINTEXT"]
        with probing(broker) as probe:
            yield Arena(broker, probe)


def connected(broker: Serving, protocol: str) -> socket.socket:
    host, _, port = broker.listeners[protocol].rpartition(":")
    found = socket.create_connection((host, int(port)), timeout=PATIENCE_S)
    found.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, NO_DELAY)
    return found


def half_open_handshakes(broker: Serving) -> Stages:
    """2,000 TLS handshakes that are begun and never continued."""
    with ExitStack() as stack:
        yield
        peers = [stack.enter_context(connected(broker, "SSL")) for _ in range(HALF_OPEN)]
        for peer in peers:
            peer.sendall(START_OF_CLIENT_HELLO)
        for peer in peers:
            with suppress(ConnectionError):
                assert peer.recv(1) == b"", "a half-open handshake was answered"
        return f"{HALF_OPEN} closed by the broker"


def slow_senders(broker: Serving) -> Stages:
    """500 clients that announce a large login and send it byte by byte."""
    with ExitStack() as stack:
        yield
        peers = [stack.enter_context(connected(broker, "SASL_PLAINTEXT")) for _ in range(SLOW)]
        for peer in peers:
            peer.sendall(struct.pack(">i", 500_000) + b"\0\x24")
        is_open, until = set(peers), time.monotonic() + PATIENCE_S
        while is_open and time.monotonic() < until:
            for peer in list(is_open):
                try:
                    peer.send(b"\0")
                except ConnectionError:
                    is_open.discard(peer)
            for peer in select.select([], [], [], 0.1) and select.select(list(is_open), [], [], 0)[0]:
                with suppress(ConnectionError):
                    assert peer.recv(1) == b"", "a login that is not complete was answered"
                is_open.discard(peer)
        assert not is_open, f"{len(is_open)} slow senders are still connected"
        return f"{SLOW} closed by the broker"


def garbage(broker: Serving) -> Stages:
    """Bytes that are no TLS, and bytes inside of TLS that are no request."""
    context = ssl.create_default_context()
    context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
    yield
    for content in GARBAGE:
        for protocol in ("SSL", "SASL_SSL"):
            refused(broker, protocol, content)
            with connected(broker, protocol) as peer, context.wrap_socket(peer) as inside, suppress(OSError):
                inside.sendall(content)
                while inside.recv(65_536):
                    pass
    return f"{4 * len(GARBAGE)} closed by the broker"


def handshakes(broker: Serving) -> Stages:
    """TLS handshakes as fast as one client can make them."""
    context = ssl.create_default_context()
    context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
    yield
    for _ in range(HANDSHAKES):
        with connected(broker, "SSL") as peer, context.wrap_socket(peer):
            pass
    return f"{HANDSHAKES} handshakes"


def guessed_passwords(broker: Serving) -> Stages:
    """Many wrong passwords at once."""
    login = encoded(SaslHandshakeRequest("PLAIN"), 1) + encoded(SaslAuthenticateRequest(b"\0alice\0guess"), 2)
    yield
    with ExitStack() as stack:
        peers = [stack.enter_context(connected(broker, "SASL_PLAINTEXT")) for _ in range(GUESSES)]
        for peer in peers:
            peer.sendall(login)
        for peer in peers:
            received = b"".join(iter(lambda peer=peer: received_part(peer), b""))  # type: ignore[misc]
            assert b"Invalid username or password" in received
    return f"{GUESSES} refused"


def mutated_logins(seed: int, count: int) -> Attack:
    def run(broker: Serving) -> Stages:
        """Mutated requests of logins in any order. The broker must answer only those that belong to a login."""
        with Wire(broker.host, broker.port) as wire:
            cluster_id = wire.ask(MetadataRequest([])).cluster_id.encode()
        yield
        answered = bombard(broker, mutated_frames(seed, count), [cluster_id, TOPIC.encode()])
        return f"seed {seed}: {count} connections, {answered} with an answer to ApiVersions or a part of the login"

    return Attack("mutated-logins", SECURITY, run, is_large=count > 10_000, settle_s=SETTLE_S, shares_broker=True)


def encoded(request: Message, version: int) -> bytes:
    return encode_request(RequestHeader(request.KEY, version, 7, "c"), request)


PLAIN_TOKEN: Final = b"\0alice\0guess"
VALID: Final = (
    encoded(ApiVersionsRequest("a-library", "1.0"), 3),
    encoded(ApiVersionsRequest(), 0),
    encoded(SaslHandshakeRequest("SCRAM-SHA-256"), 1),
    encoded(SaslHandshakeRequest("PLAIN"), 1),
    encoded(SaslHandshakeRequest("PLAIN"), 0),
    encoded(SaslAuthenticateRequest(b"n,,n=alice,r=abc"), 2),
    encoded(SaslAuthenticateRequest(b"c=biws,r=abc,p=" + b"A" * 43 + b"="), 2),
    encoded(SaslAuthenticateRequest(PLAIN_TOKEN), 2),
    encoded(SaslAuthenticateRequest(PLAIN_TOKEN), 0),
    struct.pack(">i", len(PLAIN_TOKEN)) + PLAIN_TOKEN,
    encoded(MetadataRequest(None), 12),
    encoded(MetadataRequest(None), 1),
)


def mutated_frames(seed: int, count: int) -> Iterator[bytes]:
    """Yield the bytes for each connection: some frames in any order, with a few bytes changed, cut or repeated."""
    random = Random(seed)
    for _ in range(count):
        data = bytearray(b"".join(random.choices(VALID, k=random.randint(1, 4))))
        for _ in range(random.randint(0, 4)):
            data[random.randrange(len(data))] = random.randrange(256)
        yield bytes(data[: random.randint(1, len(data))])


def bombard(broker: Serving, frames: Iterator[bytes], secrets: Sequence[bytes]) -> int:
    """Send each frame on a connection of its own; return how many were answered.

    Raises AssertionError if an answer contains one of `secrets`.
    """
    waiting: dict[socket.socket, float] = {}
    received: dict[socket.socket, bytes] = {}
    answered = 0
    is_over = False
    while waiting or not is_over:
        while len(waiting) < CONNECTIONS and not is_over:
            frame = next(frames, None)
            is_over = frame is None
            if frame is not None:
                peer = connected(broker, "SASL_PLAINTEXT")
                peer.sendall(frame)
                waiting[peer], received[peer] = time.monotonic() + UNANSWERED_S, b""
        now = time.monotonic()
        ready = select.select(list(waiting), [], [], UNANSWERED_S)[0]
        ended = {peer for peer, until in waiting.items() if until < now and peer not in ready}
        for peer in ready:
            part = received_part(peer)
            received[peer] += part
            if not part:
                ended.add(peer)
        for peer in ended:
            del waiting[peer]
            peer.close()
            told = received.pop(peer)
            answered += bool(told)
            assert not [secret for secret in secrets if secret in told], f"answered without authentication: {told!r}"
    return answered


def refused(broker: Serving, protocol: str, content: bytes) -> None:
    with connected(broker, protocol) as peer, suppress(ConnectionError):
        peer.sendall(content)
        while peer.recv(65_536):
            pass


def received_part(peer: socket.socket) -> bytes:
    try:
        return peer.recv(65_536)
    except ConnectionError:
        return b""


def login_attacks(seed: int, frames: int) -> list[Attack]:
    """Return the attacks in the order in which they share one broker."""
    attacks: tuple[Callable[[Serving], Stages], ...] = (
        half_open_handshakes, slow_senders, garbage, handshakes, guessed_passwords
    )  # fmt: skip
    named = [
        Attack(run.__name__.replace("_", "-"), SECURITY, run, settle_s=SETTLE_S, shares_broker=run is not attacks[0])
        for run in attacks
    ]
    return [*named, mutated_logins(seed, frames)]
