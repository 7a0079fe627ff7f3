"""TLS and SASL settings of a client.

TLS uses Python's `ssl`. Certificates and keys are PEM files. The host name is verified unless
`ssl.endpoint.identification.algorithm` is empty. The keys for files, user and password are librdkafka's, because
Kafka's own keys refer to Java key stores and to JAAS configuration.
"""

import ssl
from functools import cache
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from tenure.client.configuration import Configuration, ConfigurationError
from tenure.client.errors import AuthenticationFailed, ClientError
from tenure.config_keys import ConfigKey, one_of, text

if TYPE_CHECKING:
    from tenure.client.net.addresses import BrokerAddress

MECHANISMS: Final = ("PLAIN", "SCRAM-SHA-256", "SCRAM-SHA-512")
PROTOCOLS: Final = ("PLAINTEXT", "SSL", "SASL_PLAINTEXT", "SASL_SSL")


def _maybe_empty(value: Any) -> str:
    if not isinstance(value, str):
        raise ValueError("a string")
    return value


SECURITY_KEYS: Final[tuple[ConfigKey[Any], ...]] = (
    ConfigKey("security.protocol", one_of(*PROTOCOLS), "PLAINTEXT", "whether to use TLS and SASL"),
    ConfigKey("ssl.ca.location", text, None, "PEM file of trusted authorities; default: those of the system"),
    ConfigKey(
        "ssl.certificate.location", text, None, "PEM file of the client's certificate, if the broker requires one"
    ),
    ConfigKey("ssl.key.location", text, None, "PEM file of the client's private key"),
    ConfigKey("ssl.key.password", text, None, "password of the private key"),
    ConfigKey(
        "ssl.endpoint.identification.algorithm", _maybe_empty, "https", "empty: do not verify the broker's host name"
    ),
    ConfigKey("sasl.mechanism", one_of(*MECHANISMS), None, "SASL mechanism"),
    ConfigKey("sasl.username", text, None, "SASL user name"),
    ConfigKey("sasl.password", _maybe_empty, None, "SASL password"),
)


class Security(NamedTuple):
    """TLS and SASL settings. Comparable, so that connections can be shared; `repr` hides the secrets."""

    protocol: str = "PLAINTEXT"
    ca_location: str | None = None
    certificate_location: str | None = None
    key_location: str | None = None
    key_password: str | None = None
    checks_name: bool = True
    mechanism: str = ""
    username: str = ""
    password: str = ""

    def __repr__(self) -> str:
        return f"Security({self.protocol}, {self.mechanism or 'no SASL'})"

    @property
    def is_encrypted(self) -> bool:
        """True if connections use TLS."""
        return self.protocol in ("SSL", "SASL_SSL")

    @property
    def is_authenticated(self) -> bool:
        """True if connections use SASL."""
        return self.protocol.startswith("SASL_")


PLAINTEXT: Final = Security()


def security(values: Configuration) -> Security:
    """Return the security settings of a configuration. Raises `ConfigurationError`."""
    protocol: str = values["security.protocol"]
    found = Security(
        protocol,
        values["ssl.ca.location"],
        values["ssl.certificate.location"],
        values["ssl.key.location"],
        values["ssl.key.password"],
        bool(values["ssl.endpoint.identification.algorithm"]),
    )
    if found.is_encrypted:
        ssl_context(found)
    if not found.is_authenticated:
        return found
    why = f"with security.protocol {protocol}"
    return found._replace(
        mechanism=values.required("sasl.mechanism", why),
        username=values.required("sasl.username", why),
        password=values.required("sasl.password", why),
    )


@cache
def ssl_context(of: Security) -> ssl.SSLContext | None:
    """Return the TLS context; None without TLS. Raises `ConfigurationError` for unusable files."""
    if not of.is_encrypted:
        return None
    try:
        context = ssl.create_default_context(cafile=of.ca_location)
        if of.certificate_location is not None:
            context.load_cert_chain(of.certificate_location, of.key_location, lambda: of.key_password or "")
    except (OSError, ssl.SSLError) as error:
        files = [name for name in (of.ca_location, of.certificate_location, of.key_location) if name is not None]
        raise ConfigurationError(
            f"TLS files cannot be loaded: {', '.join(files)} ({error.strerror or error}). They must be PEM files, and "
            "the key must belong to the certificate."
        ) from None
    context.check_hostname = of.checks_name
    return context


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
