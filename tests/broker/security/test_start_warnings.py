"""Warnings of a start about certificates that expire, and about secrets that others can read."""

import logging
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from cryptography.hazmat.primitives.serialization import NoEncryption, load_pem_private_key, pkcs12
from cryptography.x509 import load_pem_x509_certificate

from tenure.broker.config.configuration import load_settings
from tenure.broker.security.certificate import expiry_of, first_certificate
from tenure.broker.security.monitoring_security import MonitoringSecurity
from tenure.broker.security.tls import Tls
from tenure.broker.security.users import read_users
from tenure.development_certificates import write_certificates
from tenure.limits.broker import CERTIFICATE_EXPIRES_SOON_DAYS


def start(directory: Path, *flags: str) -> Tls:
    files = f"ssl.keystore.location={directory}/broker.pem,{directory}/broker-key.pem"
    settings, _ = load_settings(flags=flags or [files])
    return Tls(settings)


@pytest.mark.parametrize(
    ("days", "warning"),
    [
        (0, "expired at "),
        (CERTIFICATE_EXPIRES_SOON_DAYS - 1, "expires at "),
        (CERTIFICATE_EXPIRES_SOON_DAYS + 1, None),
        (365 * 40, None),
    ],
)
def test_start__certificate_expired_or_expires_soon__warning_with_time_and_remedy(
    days: int, warning: str | None, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    write_certificates(tmp_path, days=days)
    end = expiry_of(first_certificate((tmp_path / "broker.pem").read_text()))
    assert abs(end - datetime.now(UTC) - timedelta(days=days)) < timedelta(hours=1)
    while days == 0 and end >= datetime.now(UTC):
        pass  # the certificate expires within this second
    start(tmp_path)
    if warning is None:
        assert not caplog.messages
    else:
        (message,) = caplog.messages
        assert f"the certificate of {tmp_path}/broker.pem {warning}{end.isoformat()}" in message
        assert "renew it" in message


def test_start__certificate_in_a_pkcs12_store_expires_soon__warning(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    write_certificates(tmp_path, days=3)
    key = load_pem_private_key((tmp_path / "broker-key.pem").read_bytes(), None)
    certificate = load_pem_x509_certificate((tmp_path / "broker.pem").read_bytes())
    store = tmp_path / "broker.p12"
    store.write_bytes(pkcs12.serialize_key_and_certificates(b"b", key, certificate, None, NoEncryption()))  # type: ignore[arg-type]
    store.chmod(0o640)
    start(tmp_path, "ssl.keystore.type=PKCS12", f"ssl.keystore.location={store}")
    assert [message.partition(" expires at ")[0] for message in caplog.messages] == [f"the certificate of {store}"]


def test_start__certificate_given_as_text_expires_soon__warning_names_the_setting(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    write_certificates(tmp_path, days=3)
    chain, key = ((tmp_path / name).read_text() for name in ("broker.pem", "broker-key.pem"))
    start(tmp_path, f"ssl.keystore.certificate.chain={chain}", f"ssl.keystore.key={key}")
    (message,) = caplog.messages
    assert message.startswith("the certificate of ssl.keystore.certificate.chain expires at ")


def test_reload__new_certificate_expires_soon__warning(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    write_certificates(tmp_path)
    tls = start(tmp_path)
    assert not caplog.messages
    write_certificates(tmp_path, days=3)
    assert tls.maybe_reload()
    assert [record.levelno for record in caplog.records if "expires at" in record.message] == [logging.WARNING]


def test_start__other_users_can_read_files_with_secrets__one_warning_per_file(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    write_certificates(tmp_path)
    users, token = tmp_path / "users", tmp_path / "token"
    users.write_text("alice=planted\n")
    token.write_text("planted\n")
    files = [tmp_path / "broker-key.pem", users, token]
    settings, _ = load_settings(flags=[f"tenure.metrics.token.file={token}"])
    for mode, warned in ((0o600, []), (0o640, []), (0o644, files)):
        for file in files:
            file.chmod(mode)
        start(tmp_path)
        read_users(str(users))
        MonitoringSecurity(settings)
        assert [file for file in files if any(str(file) in message for message in caplog.messages)] == warned
    assert len(caplog.messages) == len(files)
    for message in caplog.messages:
        assert "every user of this machine can read" in message
        assert "chmod o-r" in message
        assert "planted" not in message
