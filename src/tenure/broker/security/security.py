"""Security of the listeners. If settings are incomplete or contradictory, the broker does not start."""

from collections.abc import Callable, Collection, Mapping, Sequence
from importlib import import_module
from typing import TYPE_CHECKING, Any, Final

from tenure.broker.config import keys
from tenure.broker.config.listener_keys import LISTENER_KEYS, LISTENER_PREFIX
from tenure.broker.config.listeners import BrokerListener, SecurityProtocol
from tenure.broker.config.settings import Settings
from tenure.broker.config.start_error import StartError
from tenure.broker.loop.threads import Threads
from tenure.broker.security.authentication import Sasl
from tenure.broker.security.mechanisms import MECHANISMS, OAUTHBEARER, PLAIN, Plain, SaslExchange, Scram
from tenure.broker.security.users import NUMBERS, Users, Verifier, read_users
from tenure.config_keys import ConfigKey
from tenure.coordinator.metadata.commands import ScramCredential, ScramUser

if TYPE_CHECKING:
    from tenure.broker.security.oauthbearer import TokenVerifier
    from tenure.broker.security.tls import Tls

SCRAM: Final = next(iter(NUMBERS))

LIMIT_KEYS: Final = {keys.MAX_CONNECTIONS.name, keys.MAX_CONNECTION_CREATION_RATE.name}
"""Limits on connections that can be set for a single listener, besides its security settings."""

TLS_KEYS: Final = tuple(key for name, key in keys.KEYS.items() if name.startswith("ssl."))
"""Keys that have an effect only if a listener uses TLS."""

SASL_KEYS: Final = (
    *(keys.KEYS[name] for name in sorted(LISTENER_KEYS - LIMIT_KEYS) if not name.startswith("ssl.")),
    keys.USERS_FILE,
    keys.SASL_PLAIN_BACKEND,
)
"""Keys that have an effect only if a listener uses SASL."""

TOKEN_KEYS: Final = tuple(key for key in SASL_KEYS if key.name.startswith("sasl.oauthbearer."))
"""Keys that have an effect only if OAUTHBEARER is enabled."""


def security_by_listener(settings: Settings, listeners: Sequence[BrokerListener]) -> dict[str, "ListenerSecurity"]:
    """Return the security of each listener, by name. Listeners without settings of their own share one object.

    Raises StartError if the settings are incomplete or contradictory.
    """
    names = [listener.name.lower() for listener in listeners]
    for name in settings.listeners_with_settings:
        if name not in names:
            raise StartError(f"{LISTENER_PREFIX}{name}.* names no listener: name one of {', '.join(names)}")
    protected = settings[keys.INTER_BROKER_LISTENER_NAME]
    if protected and protected.lower() not in names:
        key = keys.INTER_BROKER_LISTENER_NAME.name
        raise StartError(f"{key} = {protected!r} names no listener: name one of {', '.join(names)}")
    _refuse_unused(settings, listeners)
    found: dict[str, ListenerSecurity] = {}
    sharing: list[BrokerListener] = []
    for listener in listeners:
        own = settings.own_of_listener(listener.name)
        if not own.origins.keys() - LIMIT_KEYS:
            sharing.append(listener)
            continue
        _refuse_unused(own, [listener])
        of_listener = ListenerSecurity(settings.of_listener(listener.name), [listener])
        _refuse_disabled(own, of_listener.mechanisms)
        found[listener.name] = of_listener
    shared = ListenerSecurity(settings, sharing)
    found |= {listener.name: shared for listener in sharing}
    _refuse_disabled(settings, [name for of_listener in found.values() for name in of_listener.mechanisms])
    return found


class ListenerSecurity:
    def __init__(self, settings: Settings, listeners: Sequence[BrokerListener]) -> None:
        """Read certificates and users, for listeners that have the same settings. Raises StartError."""
        self._settings: Final = settings
        self.mechanisms: Sequence[str] = ()
        """Enabled SASL mechanisms; empty if no listener uses SASL."""
        self._passwords: Mapping[str, str] = {}
        self._verifier: Verifier | None = None
        self._tokens: TokenVerifier | None = None
        self.tls: Tls | None = None
        """TLS of the listeners that are encrypted; None if there are none."""
        if any(listener.protocol.is_encrypted for listener in listeners):
            self.tls = _tls(settings)
        if any(listener.protocol.is_authenticated for listener in listeners):
            self._read_sasl()

    def _read_sasl(self) -> None:
        settings = self._settings
        names = settings[keys.SASL_ENABLED_MECHANISMS]
        self.mechanisms = [name.strip().upper() for name in names.split(",")]
        unknown = [name for name in self.mechanisms if name not in MECHANISMS]
        if unknown:
            raise StartError(
                f"{keys.SASL_ENABLED_MECHANISMS.name} names {unknown[0]}, which this broker does not have: "
                f"use {', '.join(MECHANISMS)}"
            )
        if path := settings[keys.USERS_FILE]:
            self._passwords = read_users(path)
        if backend := settings[keys.SASL_PLAIN_BACKEND]:
            self._verifier = _verifier(backend)
        if OAUTHBEARER in self.mechanisms:
            from tenure.broker.security.oauthbearer import TokenVerifier

            self._tokens = TokenVerifier(settings)
        if PLAIN in self.mechanisms and not self._passwords and self._verifier is None:
            raise StartError(
                f"{keys.SASL_ENABLED_MECHANISMS.name} enables PLAIN, but no user has a password for it: "
                f"set {keys.USERS_FILE.name} or {keys.SASL_PLAIN_BACKEND.name}, or use SCRAM-SHA-256"
            )

    def sasl(self, stored: Callable[[], Mapping[ScramUser, ScramCredential]], threads: Threads) -> Sasl:
        """Return the SASL settings of the listeners. `stored()` returns the credentials in the metadata log."""
        users = Users(self._passwords, stored)
        verifier, tokens = self._verifier, self._tokens

        def begin(mechanism: str) -> SaslExchange:
            if mechanism == OAUTHBEARER:
                from tenure.broker.security.oauthbearer import OAuthBearer

                assert tokens is not None
                return OAuthBearer(tokens, threads)
            return Plain(users, verifier, threads) if mechanism == PLAIN else Scram(mechanism, users, threads)

        return Sasl(
            self.mechanisms,
            begin,
            self._settings[keys.CONNECTIONS_MAX_REAUTH_MS],
            self._settings[keys.CONNECTION_FAILED_AUTHENTICATION_DELAY_MS] / 1000,
        )


def _tls(settings: Settings) -> "Tls":
    from tenure.broker.security.tls import Tls  # imported only for TLS, so that other starts are faster

    return Tls(settings)


def refuse_open_listener(listener: BrokerListener, settings: Settings, *, insecure: bool) -> None:
    """Raise StartError if other machines can reach an unencrypted or unauthenticated listener, unless `insecure`."""
    if listener.address.is_loopback or insecure:
        return
    address = listener.address.host or "every address of this machine"
    if not listener.protocol.is_encrypted:
        is_plaintext = listener.protocol is SecurityProtocol.PLAINTEXT
        danger = "could read and write all data" if is_plaintext else "could listen in"
    elif not listener.protocol.is_authenticated and settings[keys.SSL_CLIENT_AUTH] != "required":
        danger = "could read and write all data"
    else:
        return
    raise StartError(
        f"{address} is not a loopback address, and any host that reaches it {danger}: "
        f"use SASL_SSL, or SSL with {keys.SSL_CLIENT_AUTH.name}=required, listen at 127.0.0.1, or pass --insecure"
    )


def _refuse_unused(settings: Settings, listeners: Sequence[BrokerListener]) -> None:
    """Raise StartError for TLS or SASL settings that no listener uses, because they would protect nothing."""
    unused: dict[ConfigKey[Any], str] = {}
    if not any(listener.protocol.is_encrypted for listener in listeners):
        unused |= dict.fromkeys(TLS_KEYS, "SSL or SASL_SSL")
    if not any(listener.protocol.is_authenticated for listener in listeners):
        unused |= dict.fromkeys(SASL_KEYS, "SASL_SSL or SASL_PLAINTEXT")
    for key, protocols in unused.items():
        if settings.is_changed(key):
            raise StartError(
                f"{key.name} ({settings.origins[key.name]}) is set, but no listener uses {protocols}: "
                f"add such a listener to {keys.LISTENERS.name}, or remove the setting"
            )


def _refuse_disabled(settings: Settings, enabled: Collection[str]) -> None:
    """Raise StartError for settings of SASL mechanisms that are not enabled."""
    unused: dict[ConfigKey[Any], str] = {}
    if OAUTHBEARER not in enabled:
        unused |= dict.fromkeys(TOKEN_KEYS, OAUTHBEARER)
    if PLAIN not in enabled:
        unused[keys.SASL_PLAIN_BACKEND] = PLAIN
    if not {PLAIN, *NUMBERS}.intersection(enabled):
        unused[keys.USERS_FILE] = SCRAM
    for key, mechanism in unused.items():
        if settings.is_changed(key):
            raise StartError(
                f"{key.name} is set, but {mechanism} is not enabled: "
                f"add it to {keys.SASL_ENABLED_MECHANISMS.name}, or remove the setting"
            )


def _verifier(text: str) -> Verifier:
    setting = keys.SASL_PLAIN_BACKEND.name
    module, _, name = text.partition(":")
    try:
        found: Verifier = getattr(import_module(module), name)
    except (ImportError, AttributeError, ValueError) as error:
        raise StartError(f"{setting} = {text!r} cannot be loaded ({error}): write package.module:function") from None
    if not callable(found):
        raise StartError(f"{setting} = {text!r} is not a function: name one that takes user and password")
    return found
