"""TLS of the listeners, from Kafka's keys for certificate, key and trusted authorities.

Changed files are read again.
"""

import asyncio
import logging
import os
import ssl
import tempfile
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Final

from tenure.broker.config import keys
from tenure.broker.config.settings import Settings
from tenure.broker.config.start_error import StartError
from tenure.broker.loop.threads import Threads
from tenure.broker.security.certificate import first_certificate, subject_name
from tenure.broker.security.principal import ANONYMOUS, Principal
from tenure.broker.security.principal_mapping import principal_mapping
from tenure.broker.security.start_warnings import warn_if_expiring, warn_if_others_read
from tenure.limits.broker import TLS_FILE_BYTES_MAX, TLS_RELOAD_CHECK_S

log = logging.getLogger("tenure.broker")

PEM: Final = "PEM"
PKCS12: Final = "PKCS12"
VERSIONS: Final = {"TLSv1.2": ssl.TLSVersion.TLSv1_2, "TLSv1.3": ssl.TLSVersion.TLSv1_3}
TLS_1_3_SUITES: Final = frozenset({"TLS_AES_256_GCM_SHA384", "TLS_CHACHA20_POLY1305_SHA256", "TLS_AES_128_GCM_SHA256"})
VERIFICATION: Final = {"none": ssl.CERT_NONE, "requested": ssl.CERT_OPTIONAL, "required": ssl.CERT_REQUIRED}


class Tls:
    def __init__(self, settings: Settings) -> None:
        """Read the certificate, the key and the trusted authorities. Raises StartError."""
        self.settings: Final = settings
        self._map: Final = principal_mapping(settings[keys.SSL_PRINCIPAL_MAPPING_RULES])
        _refuse_contradictions(settings)
        self._seen = self._files()
        self.context = _context(settings)
        """Context of new connections. Open connections keep the context that they began with."""
        _warn(settings)

    def principal(self, certificate: bytes | None) -> Principal:
        """Return the principal of a client from its certificate (DER). Raises ValueError if no rule maps its name."""
        return ANONYMOUS if certificate is None else Principal("User", self._map(subject_name(certificate)))

    def following_context(self) -> ssl.SSLContext:
        """Return a context that need not be replaced when files change: each handshake uses the newest files."""
        context = self.context

        def use_newest(handshake: ssl.SSLObject, _name: str | None, _context: ssl.SSLContext) -> None:
            handshake.context = self.context

        context.sni_callback = use_newest
        return context

    def maybe_reload(self) -> bool:
        """Read the files again if they have changed. Return whether new connections use the new files.

        If the new files are invalid, the old ones stay in use.
        """
        seen = self._files()
        if seen == self._seen:
            return False
        self._seen = seen
        try:
            self.context = _context(self.settings)
        except StartError as error:
            log.error("TLS files have changed, but cannot be used, so the old certificates stay in use: %s", error)
            return False
        log.info("TLS files have changed: new connections use the new certificates")
        _warn(self.settings)
        return True

    def _files(self) -> list[tuple[int, int, int] | None]:
        paths = [
            *_paths(self.settings[keys.SSL_KEYSTORE_LOCATION]),
            *_paths(self.settings[keys.SSL_TRUSTSTORE_LOCATION]),
        ]
        return [_version(path) for path in paths]


def watch_files(loop: asyncio.AbstractEventLoop, threads: Threads, in_use: Callable[[], Iterable[Tls]]) -> None:
    """Check every TLS_RELOAD_CHECK_S whether files of TLS objects in use have changed, until `threads` is closed."""

    def check() -> None:
        if threads.is_closed:
            return
        for tls in in_use():
            threads.run(tls.maybe_reload).add_done_callback(lambda done: done.cancelled() or done.result())
        loop.call_later(TLS_RELOAD_CHECK_S, check)

    loop.call_later(TLS_RELOAD_CHECK_S, check)


def check_changed(settings: Settings) -> None:
    """Raise StartError if a listener cannot use settings that a client wants to change.

    The client names the files, so only regular files of a limited size are read.
    """
    for key in (keys.SSL_KEYSTORE_LOCATION, keys.SSL_TRUSTSTORE_LOCATION):
        for path in _paths(settings[key]):
            if os.path.exists(path) and not os.path.isfile(path):
                raise StartError(f"{key.name}: path {path} is not a regular file: name a PEM file")
            if os.path.isfile(path) and os.path.getsize(path) > TLS_FILE_BYTES_MAX:
                raise StartError(f"{key.name}: file {path} has more than {TLS_FILE_BYTES_MAX} bytes: name another file")
    _refuse_contradictions(settings)
    _context(settings)


def _version(path: str) -> tuple[int, int, int] | None:
    try:
        status = os.stat(path)
    except OSError:
        return None
    return status.st_mtime_ns, status.st_size, status.st_ino


def _paths(location: str) -> list[str]:
    return [path.strip() for path in location.split(",") if path.strip()]


def _refuse_contradictions(settings: Settings) -> None:
    location, chain, key = (
        settings[name]
        for name in (keys.SSL_KEYSTORE_LOCATION, keys.SSL_KEYSTORE_CERTIFICATE_CHAIN, keys.SSL_KEYSTORE_KEY)
    )
    if location and (chain or key):
        raise StartError(
            f"{keys.SSL_KEYSTORE_LOCATION.name} and {keys.SSL_KEYSTORE_CERTIFICATE_CHAIN.name} are both set: remove one"
        )
    if not location and not (chain and key):
        raise StartError(
            f"a listener uses TLS, but there is no certificate: set {keys.SSL_KEYSTORE_LOCATION.name} to a PEM file "
            "with certificate and key, or pass --tls CERTIFICATE,KEY"
        )
    trusts = settings[keys.SSL_TRUSTSTORE_LOCATION] or settings[keys.SSL_TRUSTSTORE_CERTIFICATES]
    if settings[keys.SSL_TRUSTSTORE_LOCATION] and settings[keys.SSL_TRUSTSTORE_CERTIFICATES]:
        raise StartError(
            f"{keys.SSL_TRUSTSTORE_LOCATION.name} and {keys.SSL_TRUSTSTORE_CERTIFICATES.name} are both set: remove one"
        )
    if settings[keys.SSL_CLIENT_AUTH] != "none":
        if not trusts:
            raise StartError(
                f"{keys.SSL_CLIENT_AUTH.name} asks clients for certificates, but no authority is trusted: "
                f"set {keys.SSL_TRUSTSTORE_LOCATION.name} to the PEM file of the one that signs them"
            )
        _require_cryptography(keys.SSL_CLIENT_AUTH.name)
    elif trusts:
        raise StartError(
            f"{keys.SSL_TRUSTSTORE_LOCATION.name} is set, but clients are asked for no certificate: "
            f"set {keys.SSL_CLIENT_AUTH.name} to required, or remove the trust store"
        )


def _require_cryptography(setting: str) -> None:
    try:
        import cryptography  # noqa: F401 - only to see whether it is there
    except ImportError:
        raise StartError(f"{setting} needs the package cryptography: pip install 'tenure[security]'") from None


def _check_readable(settings: Settings) -> None:
    """Raise StartError if a file cannot be read. The message names the file; errors of the module `ssl` do not."""
    for key in (keys.SSL_KEYSTORE_LOCATION, keys.SSL_TRUSTSTORE_LOCATION):
        for path in _paths(settings[key]):
            try:
                Path(path).open("rb").close()
            except OSError as error:
                raise StartError(
                    f"{key.name}: {path} cannot be loaded ({error.strerror}): name a file that the broker can read"
                ) from None


def _context(settings: Settings) -> ssl.SSLContext:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.options |= ssl.OP_NO_RENEGOTIATION | ssl.OP_NO_COMPRESSION
    _set_versions(context, settings)
    try:
        _load_certificate(context, settings)
        _load_authorities(context, settings)
    except (OSError, ValueError) as error:  # SSLError is an OSError
        _check_readable(settings)
        reason = getattr(error, "reason", None) or getattr(error, "strerror", None) or "they are malformed"
        raise StartError(
            f"the files or texts of ssl.keystore and ssl.truststore cannot be loaded ({reason}): "
            "the certificate and its key must belong together, and ssl.key.password must fit"
        ) from None
    context.verify_mode = VERIFICATION[settings[keys.SSL_CLIENT_AUTH]]
    return context


def _set_versions(context: ssl.SSLContext, settings: Settings) -> None:
    named = [name.strip() for name in settings[keys.SSL_ENABLED_PROTOCOLS].split(",")]
    unknown = [name for name in named if name not in VERSIONS]
    if unknown:
        raise StartError(
            f"{keys.SSL_ENABLED_PROTOCOLS.name} names {unknown[0]}, which is unknown or insecure: "
            f"use {' or '.join(VERSIONS)}"
        )
    suites = [name.strip() for name in settings[keys.SSL_CIPHER_SUITES].split(",") if name.strip()]
    of_1_3 = TLS_1_3_SUITES.intersection(suites)
    older = [_openssl_name(name) for name in suites if name not in TLS_1_3_SUITES]
    if of_1_3 and of_1_3 != TLS_1_3_SUITES and "TLSv1.3" in named:
        raise StartError(
            f"{keys.SSL_CIPHER_SUITES.name} names some of TLS 1.3's suites, which Python cannot restrict: "
            f"name all of {', '.join(sorted(TLS_1_3_SUITES))}, or none, or remove TLSv1.3 from "
            f"{keys.SSL_ENABLED_PROTOCOLS.name}"
        )
    allowed = [name for name in named if not suites or (of_1_3 if name == "TLSv1.3" else older)]
    if not allowed:
        raise StartError(
            f"{keys.SSL_CIPHER_SUITES.name} has no suite of {' or '.join(named)}: add a suite of one of these versions"
        )
    context.minimum_version = min(VERSIONS[name] for name in allowed)
    context.maximum_version = max(VERSIONS[name] for name in allowed)
    if older:
        try:
            context.set_ciphers(":".join(older))
        except ssl.SSLError:
            raise StartError(
                f"{keys.SSL_CIPHER_SUITES.name} = {','.join(suites)!r} names no suite that this machine has: correct it"
            ) from None


def _openssl_name(suite: str) -> str:
    """Return OpenSSL's name of a cipher suite; Kafka uses IANA's, such as TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256."""
    exchange, with_, cipher = suite.removeprefix("TLS_").partition("_WITH_")
    if not with_:
        return suite
    cipher = cipher.replace("AES_128", "AES128").replace("AES_256", "AES256").replace("_CBC", "")
    cipher = cipher.replace("CHACHA20_POLY1305_SHA256", "CHACHA20_POLY1305")
    return (cipher if exchange == "RSA" else f"{exchange}_{cipher}").replace("_", "-")


def _load_certificate(context: ssl.SSLContext, settings: Settings) -> None:
    password = settings[keys.SSL_KEY_PASSWORD] or settings[keys.SSL_KEYSTORE_PASSWORD]
    paths = _paths(settings[keys.SSL_KEYSTORE_LOCATION])
    if settings[keys.SSL_KEYSTORE_TYPE] == PKCS12:
        _load_pem(context, *_from_pkcs12(settings))
    elif paths:
        if len(paths) > 2:
            raise StartError(f"{keys.SSL_KEYSTORE_LOCATION.name} names more than two files: write CERTIFICATE,KEY")
        context.load_cert_chain(paths[0], paths[-1] if len(paths) > 1 else None, lambda: password)
    else:
        pem = settings[keys.SSL_KEYSTORE_CERTIFICATE_CHAIN] + "\n" + settings[keys.SSL_KEYSTORE_KEY] + "\n"
        _load_pem(context, pem.encode(), password)


def _load_pem(context: ssl.SSLContext, pem: bytes, password: str) -> None:
    """Load a certificate and key from memory, through a temporary file that only this user can read.

    Python can load keys only from files.
    """
    with tempfile.NamedTemporaryFile() as file:
        file.write(pem)
        file.flush()
        context.load_cert_chain(file.name, password=lambda: password)


def _from_pkcs12(settings: Settings) -> tuple[bytes, str]:
    """Return the contents of the key store as PEM, and a new password with which its key is encrypted."""
    _require_cryptography(f"{keys.SSL_KEYSTORE_TYPE.name}={PKCS12}")
    from cryptography.hazmat.primitives.serialization import BestAvailableEncryption, Encoding, PrivateFormat, pkcs12

    data = Path(settings[keys.SSL_KEYSTORE_LOCATION]).read_bytes()
    store = pkcs12.load_pkcs12(data, settings[keys.SSL_KEYSTORE_PASSWORD].encode() or None)
    if store.key is None or store.cert is None:
        raise StartError(
            f"key store {settings[keys.SSL_KEYSTORE_LOCATION]} has no certificate with its private key: create the key "
            "store "
            "with both"
        )
    password = os.urandom(24).hex()
    encryption = BestAvailableEncryption(password.encode())
    key = store.key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, encryption)
    chain = [store.cert, *store.additional_certs]
    return b"".join(one.certificate.public_bytes(Encoding.PEM) for one in chain) + key, password


def _warn(settings: Settings) -> None:
    """Log warnings about a certificate that expires soon, and about a key file that others can read."""
    paths = _paths(settings[keys.SSL_KEYSTORE_LOCATION])
    where = paths[0] if paths else keys.SSL_KEYSTORE_CERTIFICATE_CHAIN.name
    if settings[keys.SSL_KEYSTORE_TYPE] == PKCS12:
        pem = _from_pkcs12(settings)[0].decode()
    else:
        pem = Path(where).read_text("utf-8") if paths else settings[keys.SSL_KEYSTORE_CERTIFICATE_CHAIN]
    warn_if_expiring(first_certificate(pem), where)
    if paths:
        warn_if_others_read(paths[-1], keys.SSL_KEYSTORE_LOCATION)


def _load_authorities(context: ssl.SSLContext, settings: Settings) -> None:
    if text := settings[keys.SSL_TRUSTSTORE_CERTIFICATES]:
        context.load_verify_locations(cadata=text)
    for path in _paths(settings[keys.SSL_TRUSTSTORE_LOCATION]):
        if settings[keys.SSL_TRUSTSTORE_TYPE] == PEM:
            context.load_verify_locations(path)
            continue
        _require_cryptography(f"{keys.SSL_TRUSTSTORE_TYPE.name}={PKCS12}")
        from cryptography.hazmat.primitives.serialization import Encoding, pkcs12

        store = pkcs12.load_pkcs12(Path(path).read_bytes(), settings[keys.SSL_TRUSTSTORE_PASSWORD].encode() or None)
        certificates = [store.cert, *store.additional_certs] if store.cert else store.additional_certs
        pem = "".join(one.certificate.public_bytes(Encoding.PEM).decode() for one in certificates)
        context.load_verify_locations(cadata=pem)
