"""SASL state of one connection (rule 1.5), in the order that Kafka demands.

ApiVersions once, SaslHandshake, then tokens: in SaslAuthenticate after version 1 of the handshake, and bare after
version 0. Any other request before the login ends the connection without an answer.
"""

from collections.abc import Callable, Sequence
from enum import Enum, auto
from typing import Final, NamedTuple

from tenure.broker.security.mechanisms import SaslExchange
from tenure.broker.security.principal import Principal
from tenure.limits.broker import REAUTHENTICATION_INTERVAL_MIN_MS


class Step(Enum):
    VERSIONS = auto()
    """State in which ApiVersions or SaslHandshake has to follow."""

    HANDSHAKE = auto()
    """State in which SaslHandshake has to follow."""

    TOKENS = auto()
    BARE_TOKENS = auto()
    COMPLETE = auto()


class Sasl(NamedTuple):
    """Authentication of a listener."""

    mechanisms: Sequence[str]
    begin: Callable[[str], SaslExchange]
    """Begin a login with one of the mechanisms."""

    session_ms: int
    """Lifetime of a session (`connections.max.reauth.ms`); 0: unlimited."""

    failure_delay_s: float
    """Delay of the answer to a failed login."""


class Authentication:
    __slots__ = ("_started_ms", "exchange", "expires_ms", "mechanism", "sasl", "step")

    def __init__(self, sasl: Sasl) -> None:
        self.sasl: Final = sasl
        self.step = Step.VERSIONS
        self.mechanism = ""
        self.exchange: SaslExchange | None = None
        """Login in progress."""
        self.expires_ms: int | None = None
        """Tick at which the session ends; None if it does not end."""
        self._started_ms: int | None = None
        """Tick of the last re-authentication."""

    @property
    def is_open(self) -> bool:
        """True once the client has logged in; false while it logs in again."""
        return self.step is Step.COMPLETE

    def maybe_begin_again(self, now_ms: int) -> bool:
        """Begin a re-authentication; False if sessions do not end, or the last one began less than a second ago."""
        if self.expires_ms is None:
            return False
        if self._started_ms is not None and now_ms - self._started_ms < REAUTHENTICATION_INTERVAL_MIN_MS:
            return False
        self._started_ms = now_ms
        self.step = Step.HANDSHAKE
        return True

    def complete(self, now_ms: int, credential_ms: int | None) -> int:
        """End a successful login.

        Args:
            now_ms: Present tick.
            credential_ms: Time until the client's credential expires; None if it does not expire.

        Returns:
            The lifetime of the session in ms, 0 if it does not end.
        """
        self.step = Step.COMPLETE
        self.exchange = None
        bounds = [bound for bound in (self.sasl.session_ms or None, credential_ms) if bound is not None]
        session_ms = max(1, min(bounds)) if bounds else 0
        self.expires_ms = now_ms + session_ms if session_ms else None
        return session_ms


def principal_of(user: str) -> Principal:
    return Principal("User", user)
