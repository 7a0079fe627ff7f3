"""Who may listen, and who we are: TLS and SASL, under Kafka's keys.

TLS is Python's `ssl`; certificates and keys are PEM files, and the host name is checked unless
`ssl.endpoint.identification.algorithm` is empty. Files, user and password have librdkafka's keys, because Kafka's own
are key stores of Java, and a line of its login configuration.
"""

import ssl
from functools import cache
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from tenure.client.configuration import Configuration, ConfigurationError, Key, one_of, text
from tenure.client.errors import AuthenticationFailed, ClientError

if TYPE_CHECKING:
    from tenure.client.addresses import Address

MECHANISMS: Final = ("PLAIN", "SCRAM-SHA-256", "SCRAM-SHA-512")
PROTOCOLS: Final = ("PLAINTEXT", "SSL", "SASL_PLAINTEXT", "SASL_SSL")


def _maybe_empty(value: Any) -> str:
    if not isinstance(value, str):
        raise ValueError("a text")
    return value


SECURITY_KEYS: Final = (
    Key("security.protocol", one_of(*PROTOCOLS), "PLAINTEXT", "whether to speak TLS, and whether to say who we are"),
    Key("ssl.ca.location", text, None, "PEM file of the authorities to trust; by default those of the system"),
    Key("ssl.certificate.location", text, None, "PEM file of our certificate, where the broker wants one"),
    Key("ssl.key.location", text, None, "PEM file of its key"),
    Key("ssl.key.password", text, None, "of that file"),
    Key("ssl.endpoint.identification.algorithm", _maybe_empty, "https", "empty: do not check the broker's name"),
    Key("sasl.mechanism", one_of(*MECHANISMS), None, "how to prove who we are"),
    Key("sasl.username", text, None, "who we are"),
    Key("sasl.password", _maybe_empty, None, "and the proof"),
)


class Security(NamedTuple):
    """Values that can be compared, so that connections can be shared. Printed without its secrets."""

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
        return self.protocol in ("SSL", "SASL_SSL")

    @property
    def is_authenticated(self) -> bool:
        return self.protocol.startswith("SASL_")


PLAINTEXT: Final = Security()


def security(values: Configuration) -> Security:
    """Raises `ConfigurationError`."""
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
    """None where nothing is encrypted. Raises `ConfigurationError` for files that cannot be read."""
    if not of.is_encrypted:
        return None
    try:
        context = ssl.create_default_context(cafile=of.ca_location)
        if of.certificate_location is not None:
            context.load_cert_chain(of.certificate_location, of.key_location, lambda: of.key_password or "")
    except (OSError, ssl.SSLError) as error:
        files = [name for name in (of.ca_location, of.certificate_location, of.key_location) if name is not None]
        raise ConfigurationError(
            f"The TLS files {', '.join(files)} cannot be used ({error.strerror or error}): they must be PEM files, and "
            "the key must belong to the certificate."
        ) from None
    context.check_hostname = of.checks_name
    return context


def handshake_failed(address: "Address", error: ssl.SSLError) -> ClientError:
    """What TLS ended with, and what to do about it."""
    if isinstance(error, ssl.SSLCertVerificationError):
        return AuthenticationFailed(
            f"The certificate of {address} is not to be trusted ({error.verify_message}): name the authority that "
            "signed it in 'ssl.ca.location', and the broker by a name that the certificate has."
        )
    if error.reason in ("WRONG_VERSION_NUMBER", "HTTP_REQUEST", "RECORD_LAYER_FAILURE"):
        return AuthenticationFailed(
            f"{address} does not speak TLS: use its TLS listener, or security.protocol PLAINTEXT or SASL_PLAINTEXT."
        )
    return AuthenticationFailed(f"TLS with {address} failed: {error.reason or error}.")
