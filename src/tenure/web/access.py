"""Access to the dashboard: a password for other hosts, and protection from requests that other sites cause."""

import hmac
import secrets
import time
from collections import OrderedDict
from collections.abc import Mapping
from hashlib import sha256
from ipaddress import ip_address
from pathlib import Path
from typing import Final
from urllib.parse import urlsplit

from tenure.limits.web import LOGIN_DELAY_S, PASSWORD_CHARACTERS_MIN, SESSION_S, SESSIONS_MAX

COOKIE: Final = "tenure-session"

HEADERS: Final = {
    "Content-Security-Policy": "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; "
    "connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
}
"""Headers of every answer: scripts and styles come from this server only, and no other site frames the pages."""


class LoginSessions:
    """Sessions of users who have logged in with the dashboard's password.

    Args:
        password: Password; None if no login is necessary.
    """

    def __init__(self, password: str | None) -> None:
        self._digest: Final = None if password is None else sha256(password.encode()).digest()
        self._ends: Final[OrderedDict[str, float]] = OrderedDict()
        self._next_login = 0.0

    @property
    def needed(self) -> bool:
        """True if pages require a login."""
        return self._digest is not None

    def login(self, password: str) -> str:
        """Start a session and return its token. Raises ValueError with the reason if the login is rejected."""
        now = time.monotonic()
        if now < self._next_login:
            raise ValueError("Too many attempts: try again in a second.")
        if not hmac.compare_digest(sha256(password.encode(errors="replace")).digest(), self._digest or b""):
            self._next_login = now + LOGIN_DELAY_S
            raise ValueError("Wrong password.")
        token = secrets.token_urlsafe()
        self._ends[token] = now + SESSION_S
        while len(self._ends) > SESSIONS_MAX:
            self._ends.popitem(last=False)
        return token

    def is_valid(self, token: str) -> bool:
        """Return whether the token belongs to a session that has not ended."""
        return not self.needed or self._ends.get(token, 0.0) > time.monotonic()

    def logout(self, token: str) -> None:
        """End the session of this token."""
        self._ends.pop(token, None)


class FormTokens:
    """Tokens that protect forms: a form is accepted only if this server created it for the same session."""

    def __init__(self) -> None:
        self._key: Final = secrets.token_bytes(32)

    def token(self, session: str, form: Mapping[str, str]) -> str:
        """Return the token of a form with these fields in a session."""
        text = "\0".join([session, *(f"{name}={value}" for name, value in sorted(form.items()))])
        return hmac.new(self._key, text.encode(errors="surrogatepass"), sha256).hexdigest()

    def is_valid(self, session: str, form: Mapping[str, str], token: str) -> bool:
        """Return whether the token was created for a form with these fields in this session."""
        return hmac.compare_digest(self.token(session, form).encode(), token.encode(errors="replace"))


def password_of(file: Path) -> str:
    """Return the password in the first line of a file.

    Raises:
        ValueError: The file cannot be read, other users can read it, or the password is too short.
    """
    try:
        mode, text = file.stat().st_mode, file.read_text("utf-8")
    except (OSError, UnicodeDecodeError) as error:
        reason = (error.strerror or str(error)).lower() if isinstance(error, OSError) else "it is not UTF-8 text"
        raise ValueError(f"The password file {file} cannot be read: {reason}.") from None
    if mode & 0o077:
        raise ValueError(f"Other users can read the password file {file}: run `chmod 600 {file}`.")
    password = text.partition("\n")[0].rstrip("\r")
    if len(password) < PASSWORD_CHARACTERS_MIN:
        raise ValueError(
            f"The first line of {file} is not a password of at least {PASSWORD_CHARACTERS_MIN} characters."
        )
    return password


def is_loopback(host: str) -> bool:
    """Return whether `host` is a name or address that only this host can reach."""
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def is_for_loopback(headers: Mapping[str, str]) -> bool:
    """Return whether the Host header names this host. Another name may belong to an attacker (DNS rebinding)."""
    return is_loopback(urlsplit(f"//{headers.get('host', '')}").hostname or "")


def is_from_here(headers: Mapping[str, str], scheme: str) -> bool:
    """Return whether a page of this server sent the form. Browsers send the page's origin with each POST."""
    return headers.get("origin") == f"{scheme}://{headers.get('host')}"
