"""Certificates of our client: PEM files and texts, encrypted keys, PKCS12, and files that change."""

import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from cryptography.hazmat.primitives.serialization import (
    BestAvailableEncryption,
    Encoding,
    PrivateFormat,
    load_pem_private_key,
    pkcs12,
)
from cryptography.x509 import load_pem_x509_certificate

from tenure.client import read_arrow
from tenure.client.configuration import ConfigurationError
from tenure.client.errors import ClientError
from tenure.client.net.bootstrap import bootstrap
from tenure.testing import Broker

PASSWORD = "planted secret"


@pytest.fixture(scope="module")
def broker() -> Iterator[Broker]:
    with Broker({"ssl.client.auth": "required"}, security="SSL") as running:
        running.create_topic("orders")
        running.produce("orders", ["a"])
        yield running


@pytest.fixture
def files(broker: Broker, tmp_path: Path) -> dict[str, str]:
    """Return paths by name: certificate and key of alice as PEM, the key encrypted, and both in a PKCS12 store."""
    given = broker.credentials().librdkafka
    certificate, key = (Path(given[name]) for name in ("ssl.certificate.location", "ssl.key.location"))
    loaded: Any = load_pem_private_key(key.read_bytes(), None)
    encryption = BestAvailableEncryption(PASSWORD.encode())
    encrypted, store = tmp_path / "encrypted.pem", tmp_path / "store.p12"
    encrypted.write_bytes(loaded.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, encryption))
    chain = load_pem_x509_certificate(certificate.read_bytes())
    store.write_bytes(pkcs12.serialize_key_and_certificates(b"alice", loaded, chain, None, encryption))
    return {"certificate": str(certificate), "key": str(key), "encrypted": str(encrypted), "store": str(store)}


def text(path: str) -> str:
    return Path(path).read_text()


FORMS: dict[str, Callable[[dict[str, str]], dict[str, str]]] = {
    "files": lambda of: {"ssl.certificate.location": of["certificate"], "ssl.key.location": of["key"]},
    "texts": lambda of: {"ssl.certificate.pem": text(of["certificate"]), "ssl.key.pem": text(of["key"])},
    "text and file": lambda of: {"ssl.certificate.pem": text(of["certificate"]), "ssl.key.location": of["key"]},
    "file and text": lambda of: {"ssl.certificate.location": of["certificate"], "ssl.key.pem": text(of["key"])},
    "encrypted": lambda of: {
        "ssl.certificate.location": of["certificate"], "ssl.key.location": of["encrypted"], "ssl.key.password": PASSWORD
    },
    "PKCS12": lambda of: {"ssl.keystore.location": of["store"], "ssl.keystore.password": PASSWORD},
}  # fmt: skip


def config(broker: Broker, **others: str) -> dict[str, str]:
    authority = broker.credentials().librdkafka["ssl.ca.location"]
    given = {"bootstrap.servers": broker.address, "security.protocol": "SSL", "default.api.timeout.ms": "3000"}
    return given | {"ssl.ca.pem": text(authority)} | others


@pytest.mark.parametrize("form", FORMS)
def test_client_certificate__pem_pkcs12_or_text__accepted_by_the_broker(
    broker: Broker, files: dict[str, str], form: str
) -> None:
    assert len(read_arrow(config(broker, **FORMS[form](files)), "orders")) == 1


@pytest.mark.long
def test_client_certificate__missing_but_required__refused(broker: Broker) -> None:
    with pytest.raises(ClientError):
        read_arrow(config(broker), "orders")


@pytest.mark.parametrize("form", ["encrypted", "PKCS12"])
def test_client_certificate__wrong_password_of_the_key__error_names_the_setting_but_not_the_password(
    broker: Broker, files: dict[str, str], form: str
) -> None:
    given = {name: "guess-9" if "password" in name else value for name, value in FORMS[form](files).items()}
    with pytest.raises(ConfigurationError, match=r"TLS files cannot be loaded: .*\.password'") as refused:
        read_arrow(config(broker, **given), "orders")
    assert "guess-9" not in str(refused.value)


def test_certificate_files__renewed__later_connections_use_the_new_ones(
    broker: Broker, files: dict[str, str], tmp_path: Path
) -> None:
    used = tmp_path / "certificate.pem"
    shutil.copy(files["certificate"], used)
    given = {"ssl.certificate.location": str(used), "ssl.key.location": files["key"]}
    security = bootstrap({name: value for name, value in config(broker, **given).items() if "api" not in name}).security
    before = security.ssl_context()
    assert security.ssl_context() is before
    used.write_text(used.read_text() + "\n")
    assert security.ssl_context() is not before
