"""Peers that do not log in: nothing is answered but the login itself, and honest members do not notice."""

import random
import socket
import struct
from contextlib import suppress
from pathlib import Path

from tenure.protocol.frames import RequestHeader, encode_request
from tenure.protocol.messages import (
    ApiVersionsRequest,
    MetadataRequest,
    SaslAuthenticateRequest,
    SaslHandshakeRequest,
)
from tests.broker.wire import Wire
from tests.serving import Serving, serving

PASSWORD = "planted secret"
CONNECTIONS = 400
SLOW = 300
CORRELATION = 0x5EC2E7


def encoded(request: object, key: int, version: int) -> bytes:
    return encode_request(RequestHeader(key, version, CORRELATION, "c"), request)  # type: ignore[arg-type]


FRAMES = [
    encoded(ApiVersionsRequest("a-library", "1.0"), 18, 3),
    encoded(SaslHandshakeRequest("SCRAM-SHA-256"), 17, 1),
    encoded(SaslHandshakeRequest("PLAIN"), 17, 0),
    encoded(SaslAuthenticateRequest(b"n,,n=alice,r=abc"), 36, 2),
    encoded(SaslAuthenticateRequest(b"\0alice\0guess"), 36, 2),
    encoded(MetadataRequest(None), 3, 12),
]


def mutated(random_: random.Random) -> bytes:
    """Some frames in any order, with a few changed bytes, cut or repeated."""
    data = bytearray(b"".join(random_.choices(FRAMES, k=random_.randint(1, 4))))
    for _ in range(random_.randint(0, 4)):
        data[random_.randrange(len(data))] = random_.randrange(256)
    return bytes(data[: random_.randint(1, len(data))])


def sent(broker: Serving, data: bytes) -> bytes:
    received = b""
    with socket.create_connection((broker.host, broker.port), timeout=60) as peer, suppress(ConnectionError):
        peer.sendall(data)
        peer.shutdown(socket.SHUT_WR)
        while part := peer.recv(65_536):
            received += part
    return received


def member(broker: Serving) -> Wire:
    wire = Wire(broker)
    wire.ask(SaslHandshakeRequest("PLAIN"), 1)
    assert wire.ask(SaslAuthenticateRequest(f"\0alice\0{PASSWORD}".encode())).error_code == 0
    return wire


def test_peers__that_never_log_in__get_no_metadata_and_hurt_nobody(tmp_path: Path) -> None:
    seed = random.randrange(2**32)
    print(f"seed {seed}")
    random_ = random.Random(seed)
    (tmp_path / "users").write_text(f"alice={PASSWORD}\n")
    settings = ("sasl.enabled.mechanisms=PLAIN,SCRAM-SHA-256", "connection.failed.authentication.delay.ms=10")
    options = ("--listen", "127.0.0.1:0", "--memory", "--users", str(tmp_path / "users"))
    with serving(tmp_path, *settings, options=options) as broker, member(broker) as honest:
        cluster_id = honest.ask(MetadataRequest([])).cluster_id.encode()
        slow = [socket.create_connection((broker.host, broker.port), timeout=60) for _ in range(SLOW)]
        for one in slow:
            one.sendall(struct.pack(">i", 500_000) + b"\0\x24")
        for _ in range(CONNECTIONS):
            assert cluster_id not in sent(broker, mutated(random_))
        assert honest.ask(MetadataRequest([])).brokers
        with member(broker) as another:
            assert another.ask(MetadataRequest([])).brokers
        for one in slow:
            one.close()
        assert PASSWORD not in broker.log
        assert "a bug in the broker" not in broker.log
