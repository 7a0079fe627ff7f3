"""Certificates for development and tests: a certificate authority signs those of a broker and of its clients."""

import os
from collections.abc import Iterable, Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.asymmetric.ec import EllipticCurvePrivateKey
    from cryptography.x509 import Certificate, ExtensionType, GeneralName

CA: Final = "ca"
BROKER: Final = "broker"
LOOPBACK_HOSTS: Final = ("localhost", "127.0.0.1", "::1")


def write_certificates(
    directory: Path, clients: Iterable[str] = (), hosts: Sequence[str] = LOOPBACK_HOSTS, days: int = 365
) -> None:
    """Write ca.pem and ca-key.pem if there are none, then broker.pem and broker-key.pem, and two files for each client.

    The files of a client NAME are `NAME.pem` and `NAME-key.pem`.

    Raises:
        ValueError: The package cryptography is missing.
        OSError: A file cannot be written.
    """
    try:
        import cryptography  # noqa: F401 - only to see whether it is there
    except ImportError:
        raise ValueError("Certificates need the package cryptography: pip install 'tenure[security]'") from None
    directory.mkdir(parents=True, exist_ok=True)
    authority = _authority(directory, days)
    for name in (BROKER, *clients):
        _write(directory, name, *_signed(authority, name, hosts, days))


def _authority(directory: Path, days: int) -> "tuple[EllipticCurvePrivateKey, Certificate]":
    """Return key and certificate of the directory's certificate authority. Create the authority if there is none."""
    from cryptography import x509
    from cryptography.hazmat.primitives.asymmetric import ec
    from cryptography.hazmat.primitives.serialization import load_pem_private_key

    if (directory / "ca.pem").exists():
        key = load_pem_private_key((directory / "ca-key.pem").read_bytes(), None)
        assert isinstance(key, ec.EllipticCurvePrivateKey)
        return key, x509.load_pem_x509_certificate((directory / "ca.pem").read_bytes())
    key = ec.generate_private_key(ec.SECP256R1())
    usage = x509.KeyUsage(False, False, False, False, False, True, True, False, False)
    certificate = _certificate(
        "Tenure development CA", key, None, days, [(x509.BasicConstraints(True, 0), True), (usage, True)]
    )
    _write(directory, CA, key, certificate)
    return key, certificate


def _signed(
    authority: "tuple[EllipticCurvePrivateKey, Certificate]", name: str, hosts: Sequence[str], days: int
) -> "tuple[EllipticCurvePrivateKey, Certificate]":
    from cryptography import x509
    from cryptography.hazmat.primitives.asymmetric import ec

    key = ec.generate_private_key(ec.SECP256R1())
    extensions: list[tuple[ExtensionType, bool]] = [(x509.BasicConstraints(False, None), True)]
    if name == BROKER:
        extensions.append((x509.SubjectAlternativeName([_general_name(host) for host in hosts]), False))
    return key, _certificate(name, key, authority, days, extensions)


def _certificate(
    name: str,
    key: "EllipticCurvePrivateKey",
    authority: "tuple[EllipticCurvePrivateKey, Certificate] | None",
    days: int,
    extensions: "list[tuple[ExtensionType, bool]]",
) -> "Certificate":
    """Return a certificate that is signed by the authority, or by its own key if `authority` is None."""
    from cryptography import x509
    from cryptography.hazmat.primitives import hashes
    from cryptography.x509.oid import NameOID

    subject = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, name)])
    signing_key, issuer = (key, subject) if authority is None else (authority[0], authority[1].subject)
    now = datetime.now(UTC)
    builder = (
        x509.CertificateBuilder()
        .subject_name(subject)
        .issuer_name(issuer)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - timedelta(minutes=5))  # clocks of clients may be behind
        .not_valid_after(now + timedelta(days=days))
        .add_extension(x509.SubjectKeyIdentifier.from_public_key(key.public_key()), False)
        .add_extension(x509.AuthorityKeyIdentifier.from_issuer_public_key(signing_key.public_key()), False)
    )
    for extension, is_critical in extensions:
        builder = builder.add_extension(extension, is_critical)
    return builder.sign(signing_key, hashes.SHA256())


def _general_name(host: str) -> "GeneralName":
    from ipaddress import ip_address

    from cryptography import x509

    try:
        return x509.IPAddress(ip_address(host))
    except ValueError:
        return x509.DNSName(host)


def _write(directory: Path, name: str, key: "EllipticCurvePrivateKey", certificate: "Certificate") -> None:
    """Write the certificate to `NAME.pem` and the key to `NAME-key.pem`.

    The key file is created with permissions for this user only.
    """
    from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat

    path = directory / f"{name}-key.pem"
    path.unlink(missing_ok=True)
    with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
        file.write(key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption()))
    (directory / f"{name}.pem").write_bytes(certificate.public_bytes(Encoding.PEM))
