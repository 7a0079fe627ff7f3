"""Requests for monitoring pages. A request that the server gives up is repeated, as collectors repeat it.

The server gives a request up if its head, or the TLS handshake, takes longer than MONITORING_HEAD_S: on an overloaded
host, one of the two processes may be suspended meanwhile.
"""

import ssl
import time
from typing import NamedTuple
from urllib.error import HTTPError, URLError
from urllib.request import Request, urlopen

ANSWER_TIMEOUT_S = 30.0
PATIENCE_S = 60.0
"""Time after which a request is no longer repeated."""
REQUEST_TIMEOUT = 408


class Page(NamedTuple):
    status: int
    text: str
    login_scheme: str = ""
    """Header `WWW-Authenticate` of a refused request."""


def read_page(request: Request | str, tls: ssl.SSLContext | None = None) -> Page:
    """Return the answer to a GET request, also one with an HTTP error."""
    deadline = time.monotonic() + PATIENCE_S
    while True:
        try:
            with urlopen(request, timeout=ANSWER_TIMEOUT_S, context=tls) as answer:
                return Page(answer.status, answer.read().decode())
        except HTTPError as refused:
            with refused:
                if refused.code != REQUEST_TIMEOUT or time.monotonic() > deadline:
                    return Page(refused.code, refused.read().decode(), refused.headers.get("WWW-Authenticate", ""))
        except (ConnectionError, URLError) as error:
            was_closed = isinstance(error, ConnectionError) or isinstance(error.reason, ConnectionError)
            if not was_closed or time.monotonic() > deadline:
                raise
