"""Keys of single listeners: `listener.name.NAME.KEY` overrides KEY for the listener NAME."""

from typing import Any, Final

from tenure.broker.config import keys
from tenure.config_keys import ConfigKey

LISTENER_PREFIX: Final = "listener.name."
LISTENER_KEYS: Final = frozenset(
    {
        *(name for name in keys.KEYS if name.startswith(("ssl.", "sasl.oauthbearer."))),
        keys.SASL_ENABLED_MECHANISMS.name,
        keys.CONNECTIONS_MAX_REAUTH_MS.name,
        keys.CONNECTION_FAILED_AUTHENTICATION_DELAY_MS.name,
        keys.MAX_CONNECTIONS.name,
        keys.MAX_CONNECTION_CREATION_RATE.name,
    }
)
"""Keys that can be set for a single listener, as `listener.name.NAME.KEY`."""


def listener_key(name: str) -> ConfigKey[Any] | None:
    """Return the key KEY, for a `name` of the form `listener.name.NAME.KEY`.

    None for all other names, and if KEY cannot be set for a single listener.
    """
    _, _, key = name.removeprefix(LISTENER_PREFIX).partition(".")
    return keys.KEYS[key] if name.startswith(LISTENER_PREFIX) and key in LISTENER_KEYS else None


def key_of(name: str) -> ConfigKey[Any] | None:
    """Return the key of a setting, which may be one of a single listener; None if Tenure has no such key."""
    return keys.KEYS.get(name) or listener_key(name)
