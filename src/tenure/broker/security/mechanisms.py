"""SASL mechanisms of the server: PLAIN (RFC 4616), and SCRAM (RFC 5802) with the library `scramp`.

`evaluate` is a generator. It yields futures of work that runs on threads, and returns the response to the client's
token.
"""

import logging
from collections.abc import Generator
from typing import Any, Final, Protocol, TypeAlias

from tenure.broker.loop.threads import Threads
from tenure.broker.security.users import NUMBERS, Users, Verifier

log = logging.getLogger("tenure.broker")

PLAIN: Final = "PLAIN"
OAUTHBEARER: Final = "OAUTHBEARER"
MECHANISMS: Final = (PLAIN, *NUMBERS, OAUTHBEARER)

Evaluation: TypeAlias = Generator[Any, None, bytes]


class LoginFailed(Exception):
    """A login has failed. The message is sent to the client, so it does not reveal which users exist."""


class SaslExchange(Protocol):
    """Progress of one login of a client."""

    user: str | None
    """Name of the user after a successful login; None before."""

    claimed: str
    """Unverified name of the user, for the log."""

    expires_s: float | None
    """Unix time at which the credential expires; None if it does not expire."""

    def evaluate(self, token: bytes) -> Evaluation:
        """Handle the client's next token, and return the response. Raises LoginFailed."""


class Plain:
    def __init__(self, users: Users, verifier: Verifier | None, threads: Threads) -> None:
        self.user: str | None = None
        self.claimed = ""
        self.expires_s: float | None = None
        self._users: Final = users
        self._verifier: Final = verifier
        self._threads: Final = threads

    def evaluate(self, token: bytes) -> Evaluation:
        try:
            authorized, name, password = token.decode().split("\0")
        except ValueError:
            raise LoginFailed("Authentication failed: the token is not a PLAIN token") from None
        self.claimed = name
        if self._verifier is None:
            is_right = self._users.has_password(name, password)
        else:
            verified = self._threads.run(self._verifier, name, password)
            yield verified
            try:
                is_right = verified.result() is True
            # The function is the operator's; its error message may contain the password, so it is not logged.
            except Exception as error:
                log.error(
                    "the login of a client is refused, because the function of tenure.sasl.plain.backend raised %s",
                    type(error).__name__,
                )
                is_right = False
        if not name or not password or authorized not in ("", name) or not is_right:
            raise LoginFailed("Authentication failed: Invalid username or password")
        self.user = name
        return b""


class _Underived(Exception):
    """The SCRAM credential of a user must be derived from the password before the login can continue."""


class Scram:
    def __init__(self, mechanism: str, users: Users, threads: Threads) -> None:
        self.user: str | None = None
        self.claimed = ""
        self.expires_s: float | None = None
        self._mechanism: Final = mechanism
        self._users: Final = users
        self._threads: Final = threads
        self._server: Any = None

    def evaluate(self, token: bytes) -> Evaluation:
        from scramp import ScramException

        try:
            text = token.decode()
            if self._server is None:
                return (yield from self._first(text))
            self._server.set_client_final(text)
            answer: str = self._server.get_server_final()
        except (ScramException, UnicodeDecodeError):
            raise LoginFailed(
                f"Authentication failed during authentication due to invalid credentials with SASL mechanism "
                f"{self._mechanism}"
            ) from None
        self.user = self.claimed
        return answer.encode()

    def _first(self, text: str) -> Evaluation:
        from scramp import ScramException, ScramMechanism

        try:
            self._begin(ScramMechanism(self._mechanism), text)
        except ScramException as error:
            if not isinstance(error.__cause__, _Underived):
                raise
            derived = self._threads.run(self._users.derive, self.claimed, self._mechanism)
            yield derived
            derived.result()
            self._begin(ScramMechanism(self._mechanism), text)
        answer: str = self._server.get_server_first()
        return answer.encode()

    def _begin(self, mechanism: Any, text: str) -> None:
        self._server = mechanism.make_server(self._credential)
        self._server.set_client_first(text)

    def _credential(self, name: str) -> tuple[bytes, bytes, bytes, int]:
        self.claimed = name
        found = self._users.credential(name, self._mechanism)
        if found is None:
            raise _Underived
        return found.salt, found.stored_key, found.server_key, found.iterations
