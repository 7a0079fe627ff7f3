"""Settings that ask for security which Tenure does not have.

The broker refuses to start with one of them, because it could not enforce it.
"""

from typing import Final

from tenure.broker.config.keys import KEYS

TLS: Final = "TLS"
AUTHENTICATION: Final = "authentication"
AUTHORIZATION: Final = "authorization"
SECURITY_BY_PREFIX: Final = {
    "ssl.": TLS,
    "sasl.": AUTHENTICATION,
    "listener.name.": "security of a single listener",
    "delegation.token.": AUTHENTICATION,
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
    "security.inter.broker.protocol": "PLAINTEXT",
}
"""Values, besides the empty one, that disable the feature of such a key."""


def security_asked_for(key: str, value: str) -> str | None:
    """Return the security feature that the setting would enable; None if it enables none."""
    if key in KEYS or not value.strip() or value.strip() == ASKS_FOR_NOTHING.get(key):
        return None
    return next((security for prefix, security in SECURITY_BY_PREFIX.items() if key.startswith(prefix)), None)
