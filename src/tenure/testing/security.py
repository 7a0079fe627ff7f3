"""Security settings of a broker for tests: certificates, users and tokens in a temporary directory."""

import json
import shutil
import ssl
import tempfile
import time
import weakref
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any, Final, NamedTuple

from tenure.broker.config import keys
from tenure.broker.config.listeners import SecurityProtocol
from tenure.client.net.security import MECHANISMS, OAUTHBEARER, PLAIN, PROTOCOLS
from tenure.config_keys import unknown_name
from tenure.development_certificates import write_certificates

OWN_USER: Final = "tenure-testing"
"""User of the methods of `Broker`; a super user."""
AUDIENCE: Final = "kafka"
TOKEN_LIFETIME_S: Final = 300
SCRAM: Final = "SCRAM-SHA-512"


@dataclass(frozen=True)
class BrokerSecurity:
    """Security settings of a broker: protocol, users and mechanisms. The defaults are SASL_SSL and the user alice."""

    protocol: str = "SASL_SSL"
    users: Mapping[str, str] = field(default_factory=lambda: {"alice": "alice-secret"}, repr=False)
    """Passwords by user. Each user also has a certificate with the same principal, `User:NAME`."""

    mechanisms: Sequence[str] = (SCRAM, "SCRAM-SHA-256", PLAIN)
    """Enabled SASL mechanisms. OAUTHBEARER can be added."""

    def __post_init__(self) -> None:
        if self.protocol not in PROTOCOLS:
            raise ValueError(unknown_name("security protocol", self.protocol, PROTOCOLS))
        for mechanism in self.mechanisms:
            if mechanism not in MECHANISMS:
                raise ValueError(unknown_name("SASL mechanism", mechanism, MECHANISMS))

    @property
    def is_encrypted(self) -> bool:
        return self.protocol.endswith("SSL")

    @property
    def is_authenticated(self) -> bool:
        return self.protocol.startswith("SASL_")


class Credentials(NamedTuple):
    """Connection settings of one user, for several client libraries. `repr` hides the password."""

    bootstrap_servers: str
    security: BrokerSecurity
    user: str
    password: str
    mechanism: str
    files: "SecurityFiles"

    def __repr__(self) -> str:
        return f"Credentials({self.bootstrap_servers}, {self.security.protocol}, {self.user})"

    def token(self) -> str:
        """Return a new token of the user, for OAUTHBEARER."""
        return self.files.token(self.user)

    @property
    def librdkafka(self) -> dict[str, Any]:
        """Settings for confluent-kafka and for Tenure's clients."""
        found: dict[str, Any] = {
            "bootstrap.servers": self.bootstrap_servers,
            "security.protocol": self.security.protocol,
        }
        if self.security.is_encrypted:
            found["ssl.ca.location"] = self.files.path("ca.pem")
        if self.security.protocol == "SSL":
            found["ssl.certificate.location"] = self.files.path(f"{self.user}.pem")
            found["ssl.key.location"] = self.files.path(f"{self.user}-key.pem")
        if self.security.is_authenticated:
            found["sasl.mechanism"] = self.mechanism
            if self.mechanism == OAUTHBEARER:
                found["oauth_cb"] = lambda _: (self.token(), time.time() + TOKEN_LIFETIME_S, self.user, {})
            else:
                found |= {"sasl.username": self.user, "sasl.password": self.password}
        return found

    @property
    def kafka_python(self) -> dict[str, Any]:
        """Arguments for KafkaConsumer, KafkaProducer and KafkaAdminClient of kafka-python."""
        found = self._arguments()
        if self.mechanism == OAUTHBEARER:
            base = _token_provider_of_kafka_python()
            provider = type("Provider", (base,), {"token": lambda _: self.token()})
            found["sasl_oauth_token_provider"] = provider()
        return found

    @property
    def aiokafka(self) -> dict[str, Any]:
        """Arguments for AIOKafkaConsumer, AIOKafkaProducer and AIOKafkaAdminClient of aiokafka."""
        found = self._arguments()
        if self.mechanism == OAUTHBEARER:
            from aiokafka.abc import AbstractTokenProvider

            async def token(_: object) -> str:
                return self.token()

            provider = type("Provider", (AbstractTokenProvider,), {"token": token})
            found["sasl_oauth_token_provider"] = provider()
        return found

    @property
    def java(self) -> dict[str, str]:
        """Settings for Kafka's Java clients and tools; not for OAUTHBEARER."""
        found = {"bootstrap.servers": self.bootstrap_servers, "security.protocol": self.security.protocol}
        if self.security.is_encrypted:
            found |= {"ssl.truststore.type": "PEM", "ssl.truststore.location": self.files.path("ca.pem")}
        if self.security.protocol == "SSL":
            found |= {"ssl.keystore.type": "PEM", "ssl.keystore.location": self.files.keystore(self.user)}
        if self.security.is_authenticated:
            module = "plain.PlainLoginModule" if self.mechanism == PLAIN else "scram.ScramLoginModule"
            login = f'username="{self.user}" password="{self.password}"'
            found["sasl.mechanism"] = self.mechanism
            found["sasl.jaas.config"] = f"org.apache.kafka.common.security.{module} required {login};"
        return found

    def _arguments(self) -> dict[str, Any]:
        found: dict[str, Any] = {
            "bootstrap_servers": self.bootstrap_servers,
            "security_protocol": self.security.protocol,
        }
        if self.security.is_encrypted:
            found["ssl_context"] = context = ssl.create_default_context(cafile=self.files.path("ca.pem"))
            if self.security.protocol == "SSL":
                context.load_cert_chain(self.files.path(f"{self.user}.pem"), self.files.path(f"{self.user}-key.pem"))
        if self.security.is_authenticated:
            found["sasl_mechanism"] = self.mechanism
            if self.mechanism != OAUTHBEARER:
                found |= {"sasl_plain_username": self.user, "sasl_plain_password": self.password}
        return found


def _token_provider_of_kafka_python() -> type:
    try:
        from kafka.net.sasl.oauth import AbstractTokenProvider
    except ImportError:  # before version 3
        from kafka.sasl.oauth import AbstractTokenProvider
    found: type = AbstractTokenProvider
    return found


class SecurityFiles:
    """Certificates, users and keys of one broker, in a directory that is removed together with this object."""

    def __init__(self, security: BrokerSecurity) -> None:
        self._security: Final = security
        self._directory: Final = Path(tempfile.mkdtemp(prefix="tenure-testing-"))
        weakref.finalize(self, shutil.rmtree, self._directory, ignore_errors=True)
        self._users: Final = {**security.users, OWN_USER: f"{OWN_USER}-secret"}
        self.path_of_users: Final = self.path("users")
        Path(self.path_of_users).write_text("".join(f"{user}={secret}\n" for user, secret in self._users.items()))
        if security.is_encrypted:
            write_certificates(self._directory, self._users)

    def path(self, name: str) -> str:
        return str(self._directory / name)

    def keystore(self, user: str) -> str:
        """Return the path of a PEM file with key and certificate."""
        parts = [Path(self.path(name)).read_text() for name in (f"{user}-key.pem", f"{user}.pem")]
        Path(self.path(f"{user}-both.pem")).write_text("".join(parts))
        return self.path(f"{user}-both.pem")

    def renew_certificates(self) -> None:
        """Replace the certificates by new ones from the same authority."""
        write_certificates(self._directory, self._users)

    def settings(self, given: Mapping[str, Any]) -> dict[str, str]:
        """Return the broker's settings for its listener. Settings in `given` take precedence."""
        found: dict[str, str] = {}
        if self._security.is_encrypted:
            found[keys.SSL_KEYSTORE_LOCATION.name] = f"{self.path('broker.pem')},{self.path('broker-key.pem')}"
        if self._security.protocol == "SSL":
            found |= {
                keys.SSL_CLIENT_AUTH.name: "requested",
                keys.SSL_TRUSTSTORE_LOCATION.name: self.path("ca.pem"),
                keys.SSL_PRINCIPAL_MAPPING_RULES.name: "RULE:^CN=(.*)$/$1/,DEFAULT",
            }
        if self._security.is_authenticated:
            found[keys.USERS_FILE.name] = self.path_of_users
            found[keys.SASL_ENABLED_MECHANISMS.name] = ",".join(dict.fromkeys((*self._security.mechanisms, SCRAM)))
        if self._security.is_authenticated and OAUTHBEARER in self._security.mechanisms:
            found[keys.SASL_OAUTHBEARER_JWKS_ENDPOINT_URL.name] = f"file://{self._write_jwks()}"
            found[keys.SASL_OAUTHBEARER_EXPECTED_AUDIENCE.name] = AUDIENCE
        found |= {name: value for name, value in given.items() if name in found}
        if given.get(keys.AUTHORIZER_CLASS_NAME.name):
            supers = given.get(keys.SUPER_USERS.name, "")
            found[keys.SUPER_USERS.name] = ";".join(filter(None, (supers, f"User:{OWN_USER}")))
        return found

    @property
    def protocol(self) -> SecurityProtocol:
        return SecurityProtocol(self._security.protocol)

    def own_credentials(self, bootstrap_servers: str) -> Credentials:
        """Return the settings with which the methods of `Broker` connect."""
        return self.credentials(bootstrap_servers, OWN_USER, SCRAM)

    def credentials(self, bootstrap_servers: str, user: str | None, mechanism: str | None) -> Credentials:
        """Return the settings of a user; default: the first one. Raises ValueError for an unknown user."""
        user = user or next(iter(self._users))
        if user not in self._users:
            raise ValueError(unknown_name("user", user, self._users))
        chosen = mechanism or next(iter(self._security.mechanisms), SCRAM)
        return Credentials(bootstrap_servers, self._security, user, self._users[user], chosen, self)

    def token(self, user: str) -> str:
        """Return a token of the user. The broker has the public key that verifies it."""
        from joserfc import jwt

        claims = {"sub": user, "aud": AUDIENCE, "exp": int(time.time()) + TOKEN_LIFETIME_S}
        return jwt.encode({"alg": "ES256", "kid": self._key.kid}, claims, self._key, algorithms=["ES256"])

    def _write_jwks(self) -> str:
        from joserfc.jwk import KeySet

        Path(self.path("jwks.json")).write_text(json.dumps(KeySet([self._key]).as_dict(private=False)))
        return self.path("jwks.json")

    @cached_property
    def _key(self) -> Any:
        try:
            from joserfc.jwk import ECKey
        except ImportError:
            raise ValueError("OAUTHBEARER needs the package joserfc: pip install 'tenure[security]'") from None
        return ECKey.generate_key("P-256", {"kid": "testing"})
