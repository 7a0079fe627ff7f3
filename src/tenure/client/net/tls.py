"""TLS of a client, with Python's `ssl`: certificates as PEM files, PEM texts or PKCS12.

The host name is verified unless `ssl.endpoint.identification.algorithm` is empty. After a file has changed, new
connections use its new content.
"""

import os
import ssl
import tempfile
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from tenure.client.configuration import ConfigurationError
from tenure.client.errors import AuthenticationFailed, ClientError
from tenure.limits.client import TLS_CONTEXTS_CACHED

if TYPE_CHECKING:
    from tenure.client.net.addresses import BrokerAddress


class TlsFiles(NamedTuple):
    """Files and texts with certificates and keys. `repr` hides the secrets."""

    ca_location: str | None = None
    ca_pem: str | None = None
    certificate_location: str | None = None
    certificate_pem: str | None = None
    key_location: str | None = None
    key_pem: str | None = None
    key_password: str | None = None
    keystore_location: str | None = None
    keystore_password: str | None = None

    def __repr__(self) -> str:
        return f"TlsFiles({', '.join(self.paths)})"

    @property
    def paths(self) -> list[str]:
        files = self.ca_location, self.certificate_location, self.key_location, self.keystore_location
        return [path for path in files if path is not None]


def ssl_context(files: TlsFiles, checks_name: bool) -> ssl.SSLContext:
    """Return a TLS context for the current content of the files. Raises `ConfigurationError` for unusable files."""
    return _context(files, checks_name, tuple(_version(path) for path in files.paths))


def _version(path: str) -> tuple[int, int, int] | None:
    try:
        status = os.stat(path)
    except OSError:
        return None
    return status.st_mtime_ns, status.st_size, status.st_ino


@lru_cache(maxsize=TLS_CONTEXTS_CACHED)
def _context(files: TlsFiles, checks_name: bool, _versions: tuple[tuple[int, int, int] | None, ...]) -> ssl.SSLContext:
    """Return the TLS context, from the cache if no file has changed.

    `_versions` has modification time, size and inode of each file. It is only part of the cache key.
    """
    try:
        context = ssl.create_default_context(cafile=files.ca_location, cadata=files.ca_pem)
        if files.keystore_location is not None:
            _load_pem(context, *_from_pkcs12(files.keystore_location, files.keystore_password))
        elif files.certificate_location is not None and files.key_pem is None:
            context.load_cert_chain(files.certificate_location, files.key_location, lambda: files.key_password or "")
        elif files.certificate_location is not None or files.certificate_pem is not None:
            _load_pem(context, _pem(files), files.key_password or "")
    except (OSError, ValueError) as error:  # SSLError is an OSError
        places = ", ".join(files.paths) or "ssl.*.pem"
        reason = error.strerror if isinstance(error, OSError) and error.strerror else _reason(error)
        raise ConfigurationError(
            f"TLS files cannot be loaded: {places} ({reason}). They must be PEM files (a key store: PKCS12), the key "
            "must belong to the certificate, and 'ssl.key.password' or 'ssl.keystore.password' must fit."
        ) from None
    context.check_hostname = checks_name
    return context


def _reason(error: Exception) -> str:
    return str(getattr(error, "reason", None) or "malformed, or a wrong password")


def _pem(files: TlsFiles) -> bytes:
    """Return certificate and key as one PEM text. Each of them comes from a file or a setting."""
    certificate = files.certificate_pem or Path(files.certificate_location or "").read_text("utf-8")
    return f"{certificate}\n{files.key_pem or Path(files.key_location or '').read_text('utf-8')}\n".encode()


def _load_pem(context: ssl.SSLContext, pem: bytes, password: str) -> None:
    """Load a certificate and key from memory, through a temporary file that only this user can read.

    Python's `ssl` reads keys only from files.
    """
    with tempfile.NamedTemporaryFile() as file:
        file.write(pem)
        file.flush()
        context.load_cert_chain(file.name, password=lambda: password)


def _from_pkcs12(path: str, password: str | None) -> tuple[bytes, str]:
    """Convert a PKCS12 store to PEM. Return the PEM and the new password that encrypts its key."""
    try:
        from cryptography.hazmat.primitives.serialization import (
            BestAvailableEncryption,
            Encoding,
            PrivateFormat,
            pkcs12,
        )
    except ImportError:
        raise ConfigurationError(
            "'ssl.keystore.location' needs the package cryptography: pip install 'tenure[security]'."
        ) from None
    store = pkcs12.load_pkcs12(Path(path).read_bytes(), password.encode() if password else None)
    if store.key is None or store.cert is None:
        raise ValueError("a key store must contain a certificate and its private key")
    new = os.urandom(24).hex()
    key = store.key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, BestAvailableEncryption(new.encode()))
    chain = [store.cert, *store.additional_certs]
    return b"".join(link.certificate.public_bytes(Encoding.PEM) for link in chain) + key, new


def handshake_failed(address: "BrokerAddress", error: ssl.SSLError) -> ClientError:
    """Return the error for a failed TLS handshake, with cause and remedy."""
    if isinstance(error, ssl.SSLCertVerificationError):
        return AuthenticationFailed(
            f"TLS certificate of {address} is not trusted ({error.verify_message}). Set 'ssl.ca.location' to the "
            "authority that signed it, and connect to a host name that the certificate contains."
        )
    if error.reason in ("WRONG_VERSION_NUMBER", "HTTP_REQUEST", "RECORD_LAYER_FAILURE"):
        return AuthenticationFailed(
            f"TLS is not enabled at {address}. Use its TLS listener, or set 'security.protocol' to PLAINTEXT or "
            "SASL_PLAINTEXT."
        )
    return AuthenticationFailed(f"TLS handshake with {address} failed: {error.reason or error}.")
