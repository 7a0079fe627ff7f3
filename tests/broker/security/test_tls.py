"""TLS with other clients and ours: certificates, changed files, and peers that do not use TLS."""

import shutil
import socket
import ssl
import struct
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from confluent_kafka import KafkaException
from confluent_kafka.admin import AdminClient
from typer.testing import CliRunner

from tenure.client import Producer, read_arrow
from tenure.client.errors import AuthenticationFailed, ClientError
from tenure.protocol.frames import RequestHeader, encode_request
from tenure.protocol.messages import ApiVersionsRequest, MetadataRequest
from tests.command_line import app
from tests.serving import Serving, serving

PASSWORD = "planted secret"
APIS = encode_request(RequestHeader(18, 3, 1, "c"), ApiVersionsRequest("a-library", "1.0"))


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> Path:
    directory = tmp_path_factory.mktemp("certificates")
    done = CliRunner().invoke(app, ["certificates", str(directory), "--client", "alice"], catch_exceptions=False)
    assert done.exit_code == 0, done.stderr
    (directory / "users").write_text(f"alice={PASSWORD}\n")
    return directory


def options(protocol: str) -> tuple[str, ...]:
    return "--listen", f"{protocol}://127.0.0.1:0", "--memory"


@pytest.fixture(scope="module")
def broker(files: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Serving]:
    keystore = f"ssl.keystore.location={files}/broker.pem,{files}/broker-key.pem"
    settings = (keystore, "ssl.client.auth=requested", f"ssl.truststore.location={files}/ca.pem")
    with serving(tmp_path_factory.mktemp("tls"), *settings, options=options("SSL")) as running:
        yield running


def keys(broker: Serving, files: Path, protocol: str = "SSL") -> dict[str, Any]:
    return {
        "bootstrap.servers": broker.address,
        "security.protocol": protocol,
        "ssl.ca.location": f"{files}/ca.pem",
    }


def connected(broker: Serving, files: Path, **settings: Any) -> ssl.SSLSocket:
    context = ssl.create_default_context(cafile=f"{files}/ca.pem")
    for name, value in settings.items():
        setattr(context, name, value)
    raw = socket.create_connection((broker.host, broker.port), timeout=60)
    return context.wrap_socket(raw, server_hostname="127.0.0.1")


def answer(connection: socket.socket, request: bytes) -> bytes:
    connection.sendall(request)
    reader = connection.makefile("rb")
    (size,) = struct.unpack(">i", reader.read(4))
    return reader.read(size)


def serial(connection: ssl.SSLSocket) -> str:
    return str(dict(connection.getpeercert() or {})["serialNumber"])


def test_tls__client_of_tenure__writes_and_reads_large_records(broker: Serving, files: Path) -> None:
    values = [bytes([number]) * 900_000 for number in range(20)]
    with Producer(keys(broker, files)) as producer:
        for value in values:
            producer.send("large", b"k", value, partition=0)
    assert read_arrow(keys(broker, files), "large").column("value").to_pylist() == values


@pytest.mark.interop
def test_tls__librdkafka__connects_only_if_it_trusts_the_certificate(broker: Serving, files: Path) -> None:
    assert AdminClient(keys(broker, files)).list_topics(timeout=60).brokers
    untrusted = {**keys(broker, files), "ssl.ca.location": f"{files}/alice.pem", "log_level": 0}
    with pytest.raises(KafkaException):
        AdminClient({**untrusted, "error_cb": lambda _: None}).list_topics(timeout=2)


def test_tls__client_without_tls__refused_and_others_served(broker: Serving, files: Path) -> None:
    with socket.create_connection((broker.host, broker.port), timeout=60) as plain:
        plain.sendall(APIS)
        received = plain.recv(1000)
        assert received == b"" or received[0] == 21  # an alert
    with connected(broker, files) as connection:
        assert answer(connection, APIS)


@pytest.mark.parametrize("version", ["TLSv1_2", "TLSv1_3"])
def test_tls__each_version_and_a_resumed_session__answered(broker: Serving, files: Path, version: str) -> None:
    chosen = ssl.TLSVersion[version]
    with connected(broker, files, minimum_version=chosen, maximum_version=chosen) as connection:
        assert connection.version() == version.replace("_", ".")
        assert answer(connection, APIS)
        session, context = connection.session, connection.context
    raw = socket.create_connection((broker.host, broker.port), timeout=60)
    with context.wrap_socket(raw, server_hostname="127.0.0.1", session=session) as again:
        assert answer(again, APIS)
        assert again.session_reused


def test_tls__client_with_an_old_tls_version__refused(broker: Serving, files: Path) -> None:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.load_verify_locations(f"{files}/ca.pem")
    with pytest.warns(DeprecationWarning, match="TLSv1"):
        context.minimum_version, context.maximum_version = ssl.TLSVersion.TLSv1, ssl.TLSVersion.TLSv1_1
    raw = socket.create_connection((broker.host, broker.port), timeout=60)
    with pytest.raises((ssl.SSLError, ConnectionError)):
        context.wrap_socket(raw, server_hostname="127.0.0.1")


def test_tls__requests_in_single_bytes_and_many_at_once__answered_in_order(broker: Serving, files: Path) -> None:
    with connected(broker, files) as connection:
        for byte in APIS:
            connection.send(bytes([byte]))
        reader = connection.makefile("rb")
        connection.sendall(APIS * 200)
        for _ in range(201):
            (size,) = struct.unpack(">i", reader.read(4))
            assert reader.read(size)[:4] == b"\0\0\0\1"


def test_tls__client_reads_late__receives_every_byte(broker: Serving, files: Path) -> None:
    """Deliver every byte to a client that reads late; the broker encrypts the rest only when the socket takes it."""
    given = keys(broker, files)
    with Producer(given) as producer:
        for _ in range(30):
            producer.send("late", b"k", bytes(1_000_000), partition=0)
    with connected(broker, files) as connection:
        connection.sendall(encode_request(RequestHeader(3, 12, 7, "c"), MetadataRequest(None)))
        connection.sendall(APIS * 3_000)
        time.sleep(0.2)
        reader = connection.makefile("rb")
        sizes = []
        for _ in range(3_001):
            (size,) = struct.unpack(">i", reader.read(4))
            sizes.append(len(reader.read(size)))
        assert len(set(sizes[1:])) == 1
    assert sum(map(len, read_arrow(given, "late").column("value").to_pylist())) == 30_000_000


@pytest.mark.long
def test_client_certificate__required_with_mapping_rules__only_a_name_that_a_rule_maps_accepted(
    files: Path, tmp_path: Path
) -> None:
    keystore = f"ssl.keystore.location={files}/broker.pem,{files}/broker-key.pem"
    rules = "ssl.principal.mapping.rules=RULE:^CN=bob$/x/"
    settings = (keystore, "ssl.client.auth=required", f"ssl.truststore.location={files}/ca.pem")
    with serving(tmp_path, *settings, options=options("SSL")) as broker:
        given = keys(broker, files) | {
            "ssl.certificate.location": f"{files}/alice.pem", "ssl.key.location": f"{files}/alice-key.pem"
        }  # fmt: skip
        assert AdminClient(given).list_topics(timeout=60).brokers
        with pytest.raises(ClientError):
            read_arrow({**keys(broker, files), "default.api.timeout.ms": 3000}, "t")
    with serving(tmp_path, *settings, rules, options=options("SSL")) as broker:
        with pytest.raises(ClientError):
            read_arrow({**given, "bootstrap.servers": broker.address, "default.api.timeout.ms": 3000}, "t")
        assert "no rule of ssl.principal.mapping.rules matches the certificate's name 'CN=alice'" in broker.log


def test_serve__options_for_tls_and_users__only_the_right_password_over_tls_accepted(
    files: Path, tmp_path: Path
) -> None:
    short_form = ("--tls", f"{files}/broker.pem,{files}/broker-key.pem", "--users", f"{files}/users")
    with serving(tmp_path, options=("--listen", "127.0.0.1:0", "--memory", *short_form)) as broker:
        given = keys(broker, files, "SASL_SSL") | {
            "sasl.mechanism": "SCRAM-SHA-512", "sasl.username": "alice", "sasl.password": PASSWORD
        }  # fmt: skip
        with Producer(given) as producer:
            producer.send("t", b"k", b"v", partition=0)
        assert len(read_arrow(given, "t")) == 1
        assert AdminClient(given).list_topics(timeout=60).topics.keys() >= {"t"}
        with pytest.raises(AuthenticationFailed):
            read_arrow({**given, "sasl.password": "guess"}, "t")
        assert PASSWORD not in broker.log


@pytest.mark.long
def test_certificate_files__replaced__new_connections_use_them_and_open_ones_continue(
    files: Path, tmp_path: Path
) -> None:
    used = tmp_path / "used"
    shutil.copytree(files, used)
    keystore = f"ssl.keystore.location={used}/broker.pem,{used}/broker-key.pem"
    with serving(tmp_path, keystore, options=options("SSL")) as broker, connected(broker, files) as before:
        assert answer(before, APIS)
        (used / "broker.pem").write_text("not a certificate")
        while "the old certificates stay in use" not in broker.log:
            time.sleep(0.1)
        done = CliRunner().invoke(app, ["certificates", str(used)], catch_exceptions=False)
        assert done.exit_code == 0
        while "new connections use the new certificates" not in broker.log:
            time.sleep(0.1)
        with connected(broker, files) as after:
            assert serial(after) != serial(before)
            assert answer(after, APIS)
        assert answer(before, APIS)


@pytest.mark.long
def test_tls_settings__set_per_listener__each_has_its_certificate_and_client_auth(files: Path, tmp_path: Path) -> None:
    done = CliRunner().invoke(app, ["certificates", str(tmp_path / "other")], catch_exceptions=False)
    assert done.exit_code == 0
    own = tmp_path / "other"
    settings = (
        "listener.security.protocol.map=IN:SSL,OUT:SSL",
        f"ssl.keystore.location={files}/broker.pem,{files}/broker-key.pem",
        f"listener.name.out.ssl.keystore.location={own}/broker.pem,{own}/broker-key.pem",
        "listener.name.out.ssl.client.auth=required",
        f"listener.name.out.ssl.truststore.location={own}/ca.pem",
    )
    listen = ("--listen", "IN://127.0.0.1:0,OUT://127.0.0.1:0", "--memory")
    with serving(tmp_path, *settings, options=listen) as broker:
        inside, outside = (entry.rpartition("//")[2] for entry in broker.address.split(","))
        given = {"security.protocol": "SSL"}
        client = AdminClient({**given, "bootstrap.servers": inside, "ssl.ca.location": f"{files}/ca.pem"})
        assert client.list_topics(timeout=60).brokers
        given["default.api.timeout.ms"] = "3000"
        for authority in (f"{files}/ca.pem", f"{own}/ca.pem"):
            with pytest.raises(ClientError):
                read_arrow({**given, "bootstrap.servers": outside, "ssl.ca.location": authority}, "t")
        assert "peer did not return a certificate" in broker.log, "the certificate was trusted, the client was not"


def test_tls_handshake__client_sends_other_bytes__connection_closed(broker: Serving, files: Path) -> None:
    for garbage in (
        b"GET / HTTP/1.1\r\n\r\n",
        b"\x16\x03\x01\x00\x05hello",
        b"\0" * 300_000,
        b"\x15\x03\x03\x00\x02\x02\x28",
    ):
        address = broker.host, broker.port
        with socket.create_connection(address, timeout=60) as peer, suppress(ConnectionError):
            peer.sendall(garbage)
            while peer.recv(1000):
                pass
    with connected(broker, files) as connection:
        connection.sendall(struct.pack(">i", -1))
        assert connection.recv(1) == b""
