"""Security of the listeners: complete and consistent, or the broker does not start."""

from collections.abc import Callable, Mapping, Sequence
from importlib import import_module
from typing import TYPE_CHECKING, Any, Final

from tenure.broker.config import keys
from tenure.broker.config.keys import LISTENER_KEYS, LISTENER_PREFIX, Settings
from tenure.broker.config.listeners import BrokerListener, SecurityProtocol
from tenure.broker.config.start_error import StartError
from tenure.broker.loop.threads import Threads
from tenure.broker.security.authentication import Sasl
from tenure.broker.security.mechanisms import MECHANISMS, OAUTHBEARER, PLAIN, Plain, SaslExchange, Scram
from tenure.broker.security.users import Users, Verifier, read_users
from tenure.config_keys import ConfigKey
from tenure.coordinator.metadata.commands import ScramCredential, ScramUser

if TYPE_CHECKING:
    from tenure.broker.security.oauthbearer import TokenVerifier
    from tenure.broker.security.tls import Tls

SASL_KEYS: Final = (
    keys.SASL_ENABLED_MECHANISMS,
    keys.CONNECTIONS_MAX_REAUTH_MS,
    keys.USERS_FILE,
    keys.SASL_PLAIN_BACKEND,
    keys.SASL_OAUTHBEARER_JWKS_ENDPOINT_URL,
)
"""Keys that have no effect without a listener with SASL."""
TLS_KEYS: Final = (
    keys.SSL_KEYSTORE_LOCATION,
    keys.SSL_KEYSTORE_CERTIFICATE_CHAIN,
    keys.SSL_KEYSTORE_KEY,
    keys.SSL_TRUSTSTORE_LOCATION,
    keys.SSL_TRUSTSTORE_CERTIFICATES,
)
"""Keys that have no effect without a listener with TLS."""

LIMIT_KEYS: Final = {keys.MAX_CONNECTIONS.name, keys.MAX_CONNECTION_CREATION_RATE.name}
"""Keys of a listener that are not about its security."""


def secured(settings: Settings, listeners: Sequence[BrokerListener]) -> dict[str, "ListenerSecurity"]:
    """Return the security of each listener, by name. Listeners without settings of their own share it.

    Raises StartError where listeners and settings do not fit together.
    """
    names = [listener.name.lower() for listener in listeners]
    for name in settings.listeners_with_settings:
        if name not in names:
            raise StartError(f"{LISTENER_PREFIX}{name}.* names no listener: name one of {', '.join(names)}")
    protected = settings[keys.INTER_BROKER_LISTENER_NAME]
    if protected and protected.lower() not in names:
        key = keys.INTER_BROKER_LISTENER_NAME.name
        raise StartError(f"{key} = {protected!r} names no listener: name one of {', '.join(names)}")
    _refuse_unused(settings, listeners, [*TLS_KEYS], [*SASL_KEYS])
    found: dict[str, ListenerSecurity] = {}
    sharing: list[BrokerListener] = []
    for listener in listeners:
        own = settings.own_of_listener(listener.name)
        if not own.origins.keys() - LIMIT_KEYS:
            sharing.append(listener)
            continue
        of_tls = [key for key in keys.KEYS.values() if key.name.startswith("ssl.")]
        of_sasl = [key for name, key in keys.KEYS.items() if name in LISTENER_KEYS - LIMIT_KEYS and key not in of_tls]
        _refuse_unused(own, [listener], of_tls, of_sasl)
        found[listener.name] = ListenerSecurity(settings.of_listener(listener.name), [listener])
    shared = ListenerSecurity(settings, sharing)
    return found | {listener.name: shared for listener in sharing}


class ListenerSecurity:
    def __init__(self, settings: Settings, listeners: Sequence[BrokerListener]) -> None:
        """Read certificates and users of listeners with the same settings. Raises StartError."""
        self._settings: Final = settings
        self._mechanisms: Sequence[str] = ()
        self._passwords: Mapping[str, str] = {}
        self._verifier: Verifier | None = None
        self._tokens: TokenVerifier | None = None
        self.tls: Tls | None = None
        """TLS of the listeners that use it."""
        if any(listener.protocol.is_encrypted for listener in listeners):
            self.tls = _tls(settings)
        if any(listener.protocol.is_authenticated for listener in listeners):
            self._read_sasl()

    def _read_sasl(self) -> None:
        settings = self._settings
        names = settings[keys.SASL_ENABLED_MECHANISMS]
        self._mechanisms = [name.strip().upper() for name in names.split(",")]
        unknown = [name for name in self._mechanisms if name not in MECHANISMS]
        if unknown:
            raise StartError(
                f"{keys.SASL_ENABLED_MECHANISMS.name} names {unknown[0]}, which this broker does not have: "
                f"use {', '.join(MECHANISMS)}"
            )
        if path := settings[keys.USERS_FILE]:
            self._passwords = read_users(path)
        if backend := settings[keys.SASL_PLAIN_BACKEND]:
            self._verifier = _verifier(backend)
        if OAUTHBEARER in self._mechanisms:
            from tenure.broker.security.oauthbearer import TokenVerifier

            self._tokens = TokenVerifier(settings)
        elif settings[keys.SASL_OAUTHBEARER_JWKS_ENDPOINT_URL]:
            raise StartError(
                f"{keys.SASL_OAUTHBEARER_JWKS_ENDPOINT_URL.name} is set, but OAUTHBEARER is not enabled: "
                f"add it to {keys.SASL_ENABLED_MECHANISMS.name}, or remove the setting"
            )
        if PLAIN in self._mechanisms and not self._passwords and self._verifier is None:
            raise StartError(
                f"{keys.SASL_ENABLED_MECHANISMS.name} enables PLAIN, but no user has a password for it: "
                f"set {keys.USERS_FILE.name} or {keys.SASL_PLAIN_BACKEND.name}, or use SCRAM-SHA-256"
            )
        if self._verifier is not None and PLAIN not in self._mechanisms:
            raise StartError(
                f"{keys.SASL_PLAIN_BACKEND.name} is set, but PLAIN is not enabled: "
                f"add it to {keys.SASL_ENABLED_MECHANISMS.name}, or remove the setting"
            )

    def sasl(self, stored: Callable[[], Mapping[ScramUser, ScramCredential]], threads: Threads) -> Sasl:
        """Return the authentication of listeners with SASL; `stored` returns the credentials of the metadata log."""
        users = Users(self._passwords, stored)
        verifier, tokens = self._verifier, self._tokens

        def begin(mechanism: str) -> SaslExchange:
            if mechanism == OAUTHBEARER:
                from tenure.broker.security.oauthbearer import OAuthBearer

                assert tokens is not None
                return OAuthBearer(tokens, threads)
            return Plain(users, verifier, threads) if mechanism == PLAIN else Scram(mechanism, users, threads)

        return Sasl(
            self._mechanisms,
            begin,
            self._settings[keys.CONNECTIONS_MAX_REAUTH_MS],
            self._settings[keys.CONNECTION_FAILED_AUTHENTICATION_DELAY_MS] / 1000,
        )


def _tls(settings: Settings) -> "Tls":
    from tenure.broker.security.tls import Tls  # a start without TLS does without this import

    return Tls(settings)


def refuse_open_listener(listener: BrokerListener, settings: Settings, *, insecure: bool) -> None:
    """Raise StartError if other machines can reach a listener without encryption or without authentication."""
    if listener.address.is_loopback or insecure:
        return
    where = listener.address.host or "every address of this machine"
    if not listener.protocol.is_encrypted:
        what = "could read and write all data" if listener.protocol is SecurityProtocol.PLAINTEXT else "could listen in"
    elif not listener.protocol.is_authenticated and settings[keys.SSL_CLIENT_AUTH] != "required":
        what = "could read and write all data"
    else:
        return
    raise StartError(
        f"{where} is not a loopback address, and any host that reaches it {what}: "
        f"use SASL_SSL, or SSL with {keys.SSL_CLIENT_AUTH.name}=required, listen at 127.0.0.1, or pass --insecure"
    )


def _refuse_unused(
    settings: Settings,
    listeners: Sequence[BrokerListener],
    of_tls: Sequence[ConfigKey[Any]],
    of_sasl: Sequence[ConfigKey[Any]],
) -> None:
    """Refuse settings of TLS without a listener that uses it, and those of SASL."""
    unused: dict[str, str] = {}
    if not any(listener.protocol.is_encrypted for listener in listeners):
        unused |= {key.name: "SSL or SASL_SSL" for key in of_tls}
    if not any(listener.protocol.is_authenticated for listener in listeners):
        unused |= {key.name: "SASL_SSL or SASL_PLAINTEXT" for key in of_sasl}
    for name, protocols in unused.items():
        if name in settings.origins:
            raise StartError(
                f"{name} ({settings.origins[name]}) is set, but no listener uses {protocols}: "
                f"add such a listener to {keys.LISTENERS.name}, or remove the setting"
            )


def _verifier(text: str) -> Verifier:
    of = keys.SASL_PLAIN_BACKEND.name
    module, _, name = text.partition(":")
    try:
        found: Verifier = getattr(import_module(module), name)
    except (ImportError, AttributeError, ValueError) as error:
        raise StartError(f"{of} = {text!r} cannot be loaded ({error}): write package.module:function") from None
    if not callable(found):
        raise StartError(f"{of} = {text!r} is no function: name one that takes user and password")
    return found
