"""Settings that would enable security features that Tenure does not have.

The broker does not start with such a setting, because the user would rely on protection that does not exist.
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
"""Security feature by the prefix of the keys that configure it. Some prefixes are whole keys."""

ASKS_FOR_NOTHING: Final = {
    "allow.everyone.if.no.acl.found": "true",
    "security.inter.broker.protocol": "PLAINTEXT",
}
"""Value, by key, with which the key enables no security feature. An empty value never enables one."""


def security_asked_for(key: str, value: str) -> str | None:
    """Return the name of the security feature that a setting would enable; None if it enables none."""
    if key in KEYS or not value.strip() or value.strip() == ASKS_FOR_NOTHING.get(key):
        return None
    return next((security for prefix, security in SECURITY_BY_PREFIX.items() if key.startswith(prefix)), None)
