"""Certificates of a listener that a client changes at run time, with AlterConfigs (KIP-226, rule 1.9)."""

import asyncio
import shutil
import socket
import ssl
from collections.abc import Iterator
from pathlib import Path

import pytest
from cryptography.hazmat.primitives.serialization import BestAvailableEncryption, load_pem_private_key, pkcs12
from cryptography.x509 import load_pem_x509_certificate

from tenure.broker.loop.threads import Threads
from tenure.broker.security import tls
from tenure.development_certificates import write_certificates
from tenure.protocol.errors import ErrorCode
from tenure.protocol.generated.alter_configs import AlterableConfig, AlterConfigsRequest, AlterConfigsResource
from tenure.protocol.messages import AlterConfigsResourceResponse, IncrementalAlterConfigsRequest
from tests.broker.handlers.test_configs import BROKER, DELETE, SET, Change, described, resource
from tests.serving import Serving, serving
from tests.wire import Wire

STORE = "listener.name.ssl.ssl.keystore"
LISTEN = ("--listen", "SSL://127.0.0.1:0,PLAINTEXT://127.0.0.1:0")
SECRET = "planted-secret"
OF_THIS_BROKER, AT_START = 2, 4
"""Sources of a value."""


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a directory with the broker's first certificate. `renewed` in it has another one of the same authority."""
    directory = tmp_path_factory.mktemp("certificates")
    write_certificates(directory)
    shutil.copytree(directory, directory / "renewed")
    write_certificates(directory / "renewed")
    return directory


def pair(directory: Path) -> str:
    return f"{directory}/broker.pem,{directory}/broker-key.pem"


@pytest.fixture(scope="module")
def broker(files: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Serving]:
    settings = (f"ssl.keystore.location={pair(files)}",)
    with serving(tmp_path_factory.mktemp("run"), *settings, options=(*LISTEN, "--memory")) as running:
        yield running


def admin(broker: Serving) -> Wire:
    host, _, port = broker.listeners["PLAINTEXT"].rpartition(":")
    return Wire(host, int(port))


def alter(broker: Serving, *changes: Change, name: str = "1") -> AlterConfigsResourceResponse:
    with admin(broker) as wire:
        (answer,) = wire.ask(IncrementalAlterConfigsRequest([resource(BROKER, name, *changes)])).responses
        found: AlterConfigsResourceResponse = answer
        return found


def alter_accepted(broker: Serving, *changes: Change) -> None:
    answer = alter(broker, *changes)
    assert answer.error_code == ErrorCode.NONE, answer.error_message


def connected(broker: Serving, files: Path) -> ssl.SSLSocket:
    host, _, port = broker.listeners["SSL"].rpartition(":")
    raw = socket.create_connection((host, int(port)), timeout=60)
    return ssl.create_default_context(cafile=f"{files}/ca.pem").wrap_socket(raw, server_hostname=host)


def serial_used(broker: Serving, files: Path) -> int:
    with connected(broker, files) as connection:
        return int(str(dict(connection.getpeercert() or {})["serialNumber"]), 16)


def serial_of(directory: Path) -> int:
    return load_pem_x509_certificate((directory / "broker.pem").read_bytes()).serial_number


@pytest.mark.long
def test_keystore_of_a_listener__changed_and_later_reset__changed_one_used_until_the_reset_even_after_a_restart(
    files: Path, tmp_path: Path
) -> None:
    location = f"{STORE}.location"
    with serving(tmp_path, f"ssl.keystore.location={pair(files)}", options=LISTEN) as broker:
        before = connected(broker, files)
        alter_accepted(broker, (location, SET, pair(files / "renewed")))
        assert serial_used(broker, files) == serial_of(files / "renewed")
        before.sendall(b"\0\0\0\x0a\0\x12\0\0\0\0\0\1\xff\xff")  # ApiVersions
        assert before.recv(4), "open connections continue"
        before.close()
        with admin(broker) as wire:
            config = described(wire, BROKER, "1")[location]
        assert (config.value, config.config_source) == (pair(files / "renewed"), OF_THIS_BROKER)
        broker.restart()
        assert serial_used(broker, files) == serial_of(files / "renewed")
        with admin(broker) as wire:  # AlterConfigs resets all configs that it does not name
            wire.ask(AlterConfigsRequest([AlterConfigsResource(BROKER, "1", [AlterableConfig("log.roll.ms", "7")])]))
        assert serial_used(broker, files) == serial_of(files)


def test_keystore_of_a_listener__changed_file_set_again__read_again_at_once(
    broker: Serving, files: Path, tmp_path: Path
) -> None:
    shutil.copytree(files, tmp_path / "used")
    alter_accepted(broker, (f"{STORE}.location", SET, pair(tmp_path / "used")))
    write_certificates(tmp_path / "used")
    alter_accepted(broker, (f"{STORE}.location", SET, pair(tmp_path / "used")))
    assert serial_used(broker, files) == serial_of(tmp_path / "used")
    alter_accepted(broker, (f"{STORE}.location", DELETE, None))
    assert serial_used(broker, files) == serial_of(files)


def test_keystore_of_a_listener__changed_to_pkcs12_with_a_password__used_and_password_never_shown(
    broker: Serving, files: Path, tmp_path: Path
) -> None:
    renewed = files / "renewed"
    certificate = load_pem_x509_certificate((renewed / "broker.pem").read_bytes())
    key = load_pem_private_key((renewed / "broker-key.pem").read_bytes(), None)
    encryption = BestAvailableEncryption(SECRET.encode())
    store = pkcs12.serialize_key_and_certificates(b"b", key, certificate, None, encryption)  # type: ignore[arg-type]
    (tmp_path / "store.p12").write_bytes(store)
    changes = {"type": "PKCS12", "location": str(tmp_path / "store.p12"), "password": SECRET}
    alter_accepted(broker, *((f"{STORE}.{name}", SET, value) for name, value in changes.items()))
    assert serial_used(broker, files) == serial_of(renewed)
    with admin(broker) as wire:
        password = described(wire, BROKER, "1")[f"{STORE}.password"]
    assert (password.value, password.is_sensitive) == (None, True)
    alter_accepted(broker, *((f"{STORE}.{name}", DELETE, None) for name in changes))
    assert SECRET not in broker.log
    assert f"{STORE}.password=[hidden]" in broker.log


@pytest.mark.parametrize(
    ("name", "key", "value", "why"),
    [
        ("1", f"{STORE}.location", "/nowhere", "listener ssl: ssl.keystore.location: /nowhere cannot be loaded"),
        ("1", f"{STORE}.location", "/dev/zero", "/dev/zero is not a regular file"),
        ("1", f"{STORE}.location", "/a\0b", "the certificates cannot be loaded: embedded null byte"),
        ("1", f"{STORE}.location", "{files}/ca.pem", "the certificate and its key must belong together"),
        ("1", f"{STORE}.type", "JKS", "must be one of PEM, PKCS12"),
        ("1", "listener.name.ssl.ssl.truststore.location", "{files}/ca.pem", "clients are asked for no certificate"),
        ("1", "listener.name.plaintext.ssl.keystore.location", "{files}/ca.pem", "the listener does not use TLS"),
        ("1", "listener.name.other.ssl.keystore.location", "{files}/ca.pem", "names no listener"),
        ("1", "listener.name.other.max.connections", "5", "names no listener"),
        ("", f"{STORE}.location", "{files}/ca.pem", "belongs to one broker"),
        ("1", "ssl.keystore.location", "{files}/ca.pem", "set listener.name.NAME.ssl.keystore.location"),
        ("1", "listener.name.ssl.ssl.client.auth", "required", "changes with a restart only"),
        ("1", "sasl.jaas.config", "x", "asks for authentication, which Tenure does not have"),
        ("1", "listeners", "SSL://127.0.0.1:0", "changes with a restart only"),
    ],
)
def test_listener_config__cannot_be_used__refused_with_the_reason_and_nothing_changed(
    broker: Serving, files: Path, name: str, key: str, value: str, why: str
) -> None:
    answer = alter(broker, (key, SET, value.format(files=files)), ("log.roll.ms", SET, "9"), name=name)
    assert answer.error_code == ErrorCode.INVALID_REQUEST
    assert why in (answer.error_message or "")
    assert serial_used(broker, files) == serial_of(files)
    with admin(broker) as wire:
        assert described(wire, BROKER, "1", "log.roll.ms")["log.roll.ms"].value is None


def test_listener_config__refused__other_resources_of_the_request_changed(broker: Serving) -> None:
    wrong = resource(BROKER, "1", (f"{STORE}.location", SET, "/nowhere"))
    right = resource(BROKER, "", ("log.retention.ms", SET, "9000"))
    with admin(broker) as wire:
        answers = wire.ask(IncrementalAlterConfigsRequest([wrong, right])).responses
        codes = {answer.resource_name: answer.error_code for answer in answers}
        assert described(wire, BROKER, "", "log.retention.ms")["log.retention.ms"].value == "9000"
    assert codes == {"1": ErrorCode.INVALID_REQUEST, "": ErrorCode.NONE}


def test_max_connections_of_a_listener__set_at_run_time__limit_applies(broker: Serving, files: Path) -> None:
    limit = "listener.name.ssl.max.connections"
    with connected(broker, files):
        alter_accepted(broker, (limit, SET, "1"))
        host, _, port = broker.listeners["SSL"].rpartition(":")
        with socket.create_connection((host, int(port)), timeout=60) as waiting:
            waiting.settimeout(0.2)
            with pytest.raises(TimeoutError):
                ssl.create_default_context(cafile=f"{files}/ca.pem").wrap_socket(waiting, server_hostname=host)
        alter_accepted(broker, (limit, DELETE, None))
        with connected(broker, files):
            pass


@pytest.mark.long
def test_start__keystore_that_was_set_at_run_time_is_missing__keystore_of_the_static_setting_used(
    files: Path, tmp_path: Path
) -> None:
    """Start as Apache Kafka does, so that a client can correct the config."""
    shutil.copytree(files / "renewed", tmp_path / "used")
    with serving(tmp_path, f"ssl.keystore.location={pair(files)}", options=LISTEN) as broker:
        alter_accepted(broker, (f"{STORE}.location", SET, pair(tmp_path / "used")))
        broker.terminate()
        shutil.move(tmp_path / "used", tmp_path / "elsewhere")
        broker.start()
        assert "listener ssl cannot use the certificates that were set at run time, and keeps" in broker.log
        assert serial_used(broker, files) == serial_of(files)
        shutil.move(tmp_path / "elsewhere", tmp_path / "used")
        alter_accepted(broker, (f"{STORE}.location", SET, pair(tmp_path / "used")))
        assert serial_used(broker, files) == serial_of(files / "renewed")


def test_watch_of_certificate_files__broker_threads_closed__files_not_checked_again(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(tls, "TLS_RELOAD_CHECK_S", 0.0)
    checks: list[int] = []

    def in_use() -> list[tls.Tls]:
        checks.append(1)
        return []

    async def watch() -> None:
        loop = asyncio.get_running_loop()
        threads = Threads(loop, 1, "test")
        tls.watch_files(loop, threads, in_use)
        while len(checks) < 3:
            await asyncio.sleep(0)
        threads.close()
        await asyncio.sleep(0)
        seen = len(checks)
        for _ in range(10):
            await asyncio.sleep(0)
        assert len(checks) == seen

    asyncio.run(watch())
