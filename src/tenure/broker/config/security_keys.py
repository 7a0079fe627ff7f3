"""Settings that ask for TLS, authentication or authorization, which Tenure does not have.

The broker refuses to start with one of them: it would look protected and be open.
"""

from collections.abc import Mapping
from typing import Final

TLS: Final = "TLS"
AUTHENTICATION: Final = "authentication"
AUTHORIZATION: Final = "authorization"
SECURITY_BY_PREFIX: Final = {
    "ssl.": TLS,
    "sasl.": AUTHENTICATION,
    "listener.name.": "security of a single listener",
    "delegation.token.": AUTHENTICATION,
    "connections.max.reauth.ms": AUTHENTICATION,
    "principal.builder.class": AUTHENTICATION,
    "security.inter.broker.protocol": "TLS or authentication",
    "security.providers": TLS,
    "authorizer.": AUTHORIZATION,
    "super.users": AUTHORIZATION,
    "allow.everyone.if.no.acl.found": AUTHORIZATION,
}
"""Features that keys of Kafka's brokers with this prefix configure. Authorizers and listeners have keys of their own.
"""

ASKS_FOR_NOTHING: Final = {
    "allow.everyone.if.no.acl.found": "true",
    "connections.max.reauth.ms": "0",
    "security.inter.broker.protocol": "PLAINTEXT",
    "ssl.client.auth": "none",
}
"""The values, besides the empty one, with which such a key switches security off."""

LISTENER_KEYS: Final = ("listeners", "advertised.listeners")
PROTOCOL_MAP: Final = "listener.security.protocol.map"
PLAINTEXT: Final = "PLAINTEXT"
KAFKA_PROTOCOLS: Final = (PLAINTEXT, "SSL", "SASL_PLAINTEXT", "SASL_SSL")


def security_asked_for(key: str, value: str) -> str | None:
    """Return what the setting asks for, None if nothing that protects the broker."""
    if not value.strip() or value.strip() == ASKS_FOR_NOTHING.get(key):
        return None
    return next((security for prefix, security in SECURITY_BY_PREFIX.items() if key.startswith(prefix)), None)


def secured_listener(settings: Mapping[str, str]) -> tuple[str, str] | None:
    """Return the first key that names a listener with TLS or SASL, and its protocol; None if there is no such."""
    pairs = [entry.partition(":") for entry in settings.get(PROTOCOL_MAP, "").split(",")]
    protocols = {name.strip().upper(): protocol.strip().upper() for name, _, protocol in pairs}
    for key in LISTENER_KEYS:
        for listener in settings.get(key, "").split(","):
            name = listener.partition("://")[0].strip().upper() if "://" in listener else PLAINTEXT
            protocol = protocols.get(name, name)
            if protocol != PLAINTEXT and protocol in KAFKA_PROTOCOLS:
                return (PROTOCOL_MAP if name in protocols else key), protocol
    return None
