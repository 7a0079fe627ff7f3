"""TLS and SASL settings of a client.

The settings for PEM files, PEM texts, user and password have librdkafka's names, because Kafka's own settings refer to
Java key stores and to JAAS configuration. Tokens of OAUTHBEARER come from a function, a file or an identity provider
(`tokens.py`).
"""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Final, NamedTuple
from urllib.parse import urlsplit

from tenure.client.configuration import Configuration, ConfigurationError
from tenure.client.net.tls import TlsFiles, ssl_context
from tenure.config_keys import ConfigKey, ConfigKind, one_of, text

if TYPE_CHECKING:
    from ssl import SSLContext

PLAIN: Final = "PLAIN"
OAUTHBEARER: Final = "OAUTHBEARER"
MECHANISMS: Final = (PLAIN, "SCRAM-SHA-256", "SCRAM-SHA-512", OAUTHBEARER)
PROTOCOLS: Final = ("PLAINTEXT", "SSL", "SASL_PLAINTEXT", "SASL_SSL")
TOKEN_URL: Final = "sasl.oauthbearer.token.endpoint.url"
CLIENT_ID: Final = "sasl.oauthbearer.client.id"
CLIENT_SECRET: Final = "sasl.oauthbearer.client.secret"
OAUTH_CALLBACK: Final = "oauth_cb"


def _maybe_empty(value: Any) -> str:
    if not isinstance(value, str):
        raise ValueError("a string")
    return value


def _function(value: Any) -> Callable[[str], Any]:
    if not callable(value):
        raise ValueError("a function")
    found: Callable[[str], Any] = value
    return found


def _token_url(value: Any) -> str:
    parts = urlsplit(value) if isinstance(value, str) else urlsplit("")
    is_here = parts.hostname in ("localhost", "127.0.0.1", "::1")
    if parts.scheme == "file" and not parts.netloc and parts.path:
        return str(value)
    if parts.hostname and (parts.scheme == "https" or (parts.scheme == "http" and is_here)):
        return str(value)
    raise ValueError("a file:///PATH or https:// URL (http:// for this host only)")


def _extensions(value: Any) -> str:
    for entry in _maybe_empty(value).split(","):
        name, equals, content = entry.partition("=")
        if not (name.isascii() and name.isalpha() and equals and content.isascii() and content.isprintable()):
            raise ValueError("a list of NAME=VALUE with commas between them")
        if name == "auth":
            raise ValueError("a list without the name auth, which the token itself has")
    return str(value)


def _secret(name: str, documentation: str) -> ConfigKey[Any]:
    return ConfigKey(name, _maybe_empty, None, documentation, ConfigKind.PASSWORD)


SECURITY_KEYS: Final[tuple[ConfigKey[Any], ...]] = (
    ConfigKey("security.protocol", one_of(*PROTOCOLS), "PLAINTEXT", "whether to use TLS and SASL"),
    ConfigKey("ssl.ca.location", text, None, "PEM file of trusted authorities; default: those of the system"),
    ConfigKey("ssl.ca.pem", text, None, "trusted authorities as PEM text"),
    ConfigKey(
        "ssl.certificate.location", text, None, "PEM file of the client's certificate, if the broker requires one"
    ),
    ConfigKey("ssl.certificate.pem", text, None, "the client's certificate as PEM text"),
    ConfigKey("ssl.key.location", text, None, "PEM file of the client's private key"),
    _secret("ssl.key.pem", "the client's private key as PEM text"),
    _secret("ssl.key.password", "password of the private key"),
    ConfigKey("ssl.keystore.location", text, None, "PKCS12 file of the client's certificate and private key"),
    _secret("ssl.keystore.password", "password of the PKCS12 file"),
    ConfigKey(
        "ssl.endpoint.identification.algorithm", _maybe_empty, "https", "empty: do not verify the broker's host name"
    ),
    ConfigKey("sasl.mechanism", one_of(*MECHANISMS), None, "SASL mechanism"),
    ConfigKey("sasl.username", text, None, "SASL user name"),
    _secret("sasl.password", "SASL password"),
    ConfigKey(TOKEN_URL, _token_url, None, "where tokens come from: a file, or an identity provider (OIDC)"),
    ConfigKey(CLIENT_ID, text, None, "client id at the identity provider"),
    _secret(CLIENT_SECRET, "client secret at the identity provider"),
    ConfigKey("sasl.oauthbearer.scope", text, None, "scope of requested tokens"),
    ConfigKey("sasl.oauthbearer.extensions", _extensions, None, "NAME=VALUE for the broker, several with commas"),
    ConfigKey(
        "sasl.oauthbearer.method", one_of("default", "oidc"), "default", "oidc: tokens come from an identity provider"
    ),
    _secret("sasl.oauthbearer.config", "text that `oauth_cb` receives"),
    ConfigKey("https.ca.location", text, None, "PEM file of authorities of the identity provider; default: system's"),
    ConfigKey(OAUTH_CALLBACK, _function, None, "function that returns a token and its Unix time of expiry in s"),
)


class Tokens(NamedTuple):
    """Source of OAUTHBEARER tokens. Its `repr` hides the secrets."""

    url: str = ""
    client_id: str = ""
    client_secret: str = ""
    scope: str = ""
    authorities: str | None = None
    """PEM file with the certificate authorities for the identity provider; None uses those of the system."""

    callback: Callable[[str], Any] | None = None
    callback_argument: str = ""
    extensions: str = ""

    def __repr__(self) -> str:
        return f"Tokens({self.name})"

    @property
    def name(self) -> str:
        """Name of the token source, for error messages."""
        return OAUTH_CALLBACK if self.callback is not None else self.url


class Security(NamedTuple):
    """TLS and SASL settings. Comparable, so that equal configurations share connections. `repr` hides the secrets."""

    protocol: str = "PLAINTEXT"
    files: TlsFiles = TlsFiles()
    checks_name: bool = True
    mechanism: str = ""
    username: str = ""
    password: str = ""
    tokens: Tokens = Tokens()

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

    def ssl_context(self) -> "SSLContext | None":
        """Return the TLS context; None without TLS. Raises `ConfigurationError` for unusable files."""
        return ssl_context(self.files, self.checks_name) if self.is_encrypted else None


PLAINTEXT: Final = Security()


def security(values: Configuration) -> Security:
    """Return the security settings of a configuration. Raises `ConfigurationError`."""
    protocol: str = values["security.protocol"]
    found = Security(protocol, _files(values), bool(values["ssl.endpoint.identification.algorithm"]))
    found.ssl_context()
    if not found.is_authenticated:
        return found
    why = f"with security.protocol {protocol}"
    found = found._replace(mechanism=values.required("sasl.mechanism", why))
    if found.mechanism == OAUTHBEARER:
        return found._replace(tokens=_tokens(values))
    return found._replace(
        username=values.required("sasl.username", why), password=values.required("sasl.password", why)
    )


def _files(values: Configuration) -> TlsFiles:
    found = TlsFiles(*(values[f"ssl.{name.replace('_', '.')}"] for name in TlsFiles._fields))
    for text_, file in (("ssl.ca.pem", "ssl.ca.location"), ("ssl.certificate.pem", "ssl.certificate.location"),
                        ("ssl.key.pem", "ssl.key.location"), ("ssl.certificate.location", "ssl.keystore.location"),
                        ("ssl.certificate.pem", "ssl.keystore.location")):  # fmt: skip
        if values[text_] and values[file]:
            raise ConfigurationError(f"'{text_}' and '{file}' are both set: remove one of them.")
    has_certificate = found.certificate_location or found.certificate_pem
    if (found.key_location or found.key_pem) and not has_certificate:
        raise ConfigurationError("A private key is set without its certificate: set 'ssl.certificate.location'.")
    if found.certificate_pem and not (found.key_pem or found.key_location):
        raise ConfigurationError("Missing setting 'ssl.key.pem': it is required with 'ssl.certificate.pem'.")
    return found


def _tokens(values: Configuration) -> Tokens:
    url, callback = values[TOKEN_URL], values[OAUTH_CALLBACK]
    if (url is None) == (callback is None):
        raise ConfigurationError(
            f"Tokens for sasl.mechanism {OAUTHBEARER} need one source: set '{TOKEN_URL}' or '{OAUTH_CALLBACK}'."
        )
    is_oidc = url is not None and not url.startswith("file:")
    if values["sasl.oauthbearer.method"] == "oidc" and not is_oidc:
        raise ConfigurationError(f"'sasl.oauthbearer.method' is oidc: set '{TOKEN_URL}' to an https:// URL.")
    if is_oidc:
        for name in (CLIENT_ID, CLIENT_SECRET):
            values.required(name, f"with {TOKEN_URL} {url}")
    return Tokens(
        url or "",
        values[CLIENT_ID] or "",
        values[CLIENT_SECRET] or "",
        values["sasl.oauthbearer.scope"] or "",
        values["https.ca.location"],
        callback,
        values["sasl.oauthbearer.config"] or "",
        values["sasl.oauthbearer.extensions"] or "",
    )
