"""Tokens for the SASL mechanism OAUTHBEARER: from a file, a function, or an identity provider.

The requests to an identity provider use OIDC client credentials. A token file is read for each login. Other tokens are
reused for `TOKEN_LIFETIME_PART` of their lifetime, because a process has many connections. Fetching a token blocks, so
it runs in a thread.
"""

import base64
import json
import os
import re
import ssl
import threading
import time
from functools import cache
from http.client import HTTPException
from pathlib import Path
from typing import Any, Final, NamedTuple
from urllib.error import HTTPError
from urllib.parse import quote, unquote, urlencode, urlsplit
from urllib.request import HTTPRedirectHandler, HTTPSHandler, OpenerDirector, Request, build_opener

from tenure.client.errors import AuthenticationFailed, BrokerUnreachable
from tenure.client.net.security import CLIENT_ID, CLIENT_SECRET, TOKEN_URL, Tokens
from tenure.limits.client import TOKEN_BYTES_MAX, TOKEN_LIFETIME_PART, TOKEN_TIMEOUT_S

TOKEN: Final = re.compile(r"[A-Za-z0-9\-._~+/]+=*", re.ASCII)
"""Pattern of a token (RFC 6750, section 2.1)."""


class Token(NamedTuple):
    """OAuth token. Its `repr` does not show the token."""

    value: str
    renew_at_s: float
    """Time of `time.monotonic` from which a login fetches a new token."""

    extensions: str = ""
    """SASL extensions that are sent with the token: NAME=VALUE, with commas between them."""

    def __repr__(self) -> str:
        return "Token()"


_kept: dict[Tokens, Token] = {}
_fetching: dict[Tokens, threading.Lock] = {}
"""Lock of each source. With it, connections that are opened at the same time share one token."""

os.register_at_fork(after_in_child=_fetching.clear)  # A thread of the parent may hold one.


def fetch_token(source: Tokens) -> Token:
    """Return a valid token. May block: call this function on a thread.

    Raises:
        AuthenticationFailed: The source provides no token, and a retry will not help.
        BrokerUnreachable: The identity provider cannot be reached at the moment.
    """
    with _fetching.setdefault(source, threading.Lock()):
        found = _kept.get(source)
        if found is None or time.monotonic() >= found.renew_at_s:
            found = _kept[source] = _fetch(source)
        return found


def forget_token(source: Tokens) -> None:
    """Remove a token that a broker rejected, so that the next login fetches a new one."""
    _kept.pop(source, None)


def _fetch(source: Tokens) -> Token:
    if source.callback is not None:
        return _call_function(source)
    if source.url.startswith("file:"):
        return _token(source, _read_token_file(unquote(urlsplit(source.url).path)), 0)
    return _request_token(source)


def _token(source: Tokens, value: object, lifetime_s: float, extensions: str = "") -> Token:
    if not isinstance(value, str) or not TOKEN.fullmatch(value):
        raise AuthenticationFailed(f"{source.name} returned no token: it must be one word, such as a JWT.")
    renew_at_s = time.monotonic() + lifetime_s * TOKEN_LIFETIME_PART
    return Token(value, renew_at_s, ",".join(filter(None, (source.extensions, extensions))))


def _read_token_file(path: str) -> str:
    try:
        with Path(path).open("rb") as file:
            return file.read(TOKEN_BYTES_MAX).decode().strip()
    except OSError as error:
        raise AuthenticationFailed(
            f"Token file {path} cannot be read: {(error.strerror or 'error').lower()}. Correct '{TOKEN_URL}'."
        ) from None
    except UnicodeDecodeError:
        return ""


def _call_function(source: Tokens) -> Token:
    """Return a token from the configured function, which has the interface of confluent-kafka's `oauth_cb`."""
    assert source.callback is not None
    try:
        value, expires_s, *rest = source.callback(source.callback_argument)
        lifetime_s = float(expires_s) - time.time()
    except Exception as error:  # of the user's function
        raise AuthenticationFailed(
            f"oauth_cb failed with {type(error).__name__}: it must return a token and its Unix time of expiry in s."
        ) from error
    extensions: dict[str, Any] = rest[1] if len(rest) > 1 else {}
    return _token(source, value, lifetime_s, ",".join(f"{name}={content}" for name, content in extensions.items()))


def _request_token(source: Tokens) -> Token:
    """Request a token from the identity provider (RFC 6749, section 4.4)."""
    fields = {"grant_type": "client_credentials"} | ({"scope": source.scope} if source.scope else {})
    credentials = f"{quote(source.client_id, safe='')}:{quote(source.client_secret, safe='')}"
    headers = {
        "Authorization": f"Basic {base64.b64encode(credentials.encode()).decode()}",
        "Accept": "application/json",
        "Content-Type": "application/x-www-form-urlencoded",
    }
    request = Request(source.url, urlencode(fields).encode(), headers, method="POST")
    try:
        with _opener(source.authorities).open(request, timeout=TOKEN_TIMEOUT_S) as answer:
            content = json.loads(answer.read(TOKEN_BYTES_MAX))
        return _token(source, content["access_token"], float(content.get("expires_in", 0)))
    except HTTPError as error:
        error.close()
        raise _refusal(source, error) from None
    except (OSError, HTTPException) as error:
        cause = getattr(error, "reason", error)
        if isinstance(cause, ssl.SSLCertVerificationError):
            raise AuthenticationFailed(
                f"TLS certificate of {source.url} is not trusted: set 'https.ca.location' to its authority."
            ) from None
        raise BrokerUnreachable(
            f"identity provider {source.url}: {getattr(cause, 'strerror', None) or cause}"
        ) from None
    except (ValueError, TypeError, KeyError):
        raise AuthenticationFailed(f"{source.url} returned no token: '{TOKEN_URL}' must be a token endpoint.") from None


def _refusal(source: Tokens, error: HTTPError) -> AuthenticationFailed | BrokerUnreachable:
    if error.code >= 500 or error.code == 429:
        return BrokerUnreachable(f"identity provider {source.url}: HTTP status {error.code}")
    return AuthenticationFailed(
        f"Identity provider {source.url} refused client '{source.client_id}' (HTTP status {error.code}). "
        f"Check '{CLIENT_ID}', '{CLIENT_SECRET}' and '{TOKEN_URL}'."
    )


class _NoRedirect(HTTPRedirectHandler):
    """HTTP handler that refuses redirects: the request contains a secret, which another host must not receive."""

    def redirect_request(self, *_: Any) -> None:
        return None


@cache
def _opener(authorities: str | None) -> OpenerDirector:
    return build_opener(_NoRedirect(), HTTPSHandler(context=ssl.create_default_context(cafile=authorities)))
