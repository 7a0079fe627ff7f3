"""SASL state of one connection (rule 1.5): which request may come next, as in Kafka.

The order is: at most one ApiVersions, one SaslHandshake, then tokens. After SaslHandshake v1, each token is in a
SaslAuthenticate request; after SaslHandshake v0, it is in a frame without a header. Any other request before the end of
the login closes the connection without a response.
"""

from collections.abc import Callable, Sequence
from enum import Enum, auto
from typing import Final, NamedTuple

from tenure.broker.security.mechanisms import SaslExchange
from tenure.broker.security.principal import Principal
from tenure.limits.broker import REAUTHENTICATION_INTERVAL_MIN_MS


class LoginStep(Enum):
    VERSIONS = auto()
    """ApiVersions or SaslHandshake must follow."""

    HANDSHAKE = auto()
    """SaslHandshake must follow."""

    TOKENS = auto()
    BARE_TOKENS = auto()
    COMPLETE = auto()


class Sasl(NamedTuple):
    """Settings of SASL logins on a listener."""

    mechanisms: Sequence[str]
    begin: Callable[[str], SaslExchange]
    """Function that begins a login with the given mechanism."""

    session_ms: int
    """Lifetime of a session (`connections.max.reauth.ms`); 0 means unlimited."""

    failure_delay_s: float
    """Delay before the response to a failed login."""


class Authentication:
    __slots__ = ("_started_ms", "exchange", "expires_ms", "mechanism", "sasl", "step")

    def __init__(self, sasl: Sasl) -> None:
        self.sasl: Final = sasl
        self.step = LoginStep.VERSIONS
        self.mechanism = ""
        self.exchange: SaslExchange | None = None
        """Login in progress."""
        self.expires_ms: int | None = None
        """Tick at which the session ends; None if it is unlimited."""
        self._started_ms: int | None = None
        """Tick at which the last re-authentication began."""

    @property
    def is_open(self) -> bool:
        """True while the client is logged in. False during the first login and during each re-authentication."""
        return self.step is LoginStep.COMPLETE

    def maybe_begin_again(self, now_ms: int) -> bool:
        """Begin a re-authentication and return True. Return False if the client may not re-authenticate now.

        A client may not re-authenticate if sessions are unlimited, or if its last re-authentication began less than
        REAUTHENTICATION_INTERVAL_MIN_MS ago.
        """
        if self.expires_ms is None:
            return False
        if self._started_ms is not None and now_ms - self._started_ms < REAUTHENTICATION_INTERVAL_MIN_MS:
            return False
        self._started_ms = now_ms
        self.step = LoginStep.HANDSHAKE
        return True

    def complete(self, now_ms: int, credential_ms: int | None) -> int:
        """End a successful login, and return the lifetime of the session in ms; 0 if it is unlimited.

        Args:
            now_ms: Present tick.
            credential_ms: Time until the client's credential expires; None if it does not expire.
        """
        self.step = LoginStep.COMPLETE
        self.exchange = None
        bounds = [bound for bound in (self.sasl.session_ms or None, credential_ms) if bound is not None]
        session_ms = max(1, min(bounds)) if bounds else 0
        self.expires_ms = now_ms + session_ms if session_ms else None
        return session_ms


def principal_of(user: str) -> Principal:
    return Principal("User", user)
