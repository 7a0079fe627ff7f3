"""SASL mechanism OAUTHBEARER (RFC 7628): signed tokens, verified with the library `joserfc`.

The issuer's keys come from a JWKS file or URL. They are read again after some time, and when a token is signed with an
unknown key. Only signatures by a private key are accepted; the algorithm `none` and shared secrets are refused.
"""

import re
import threading
import time
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import urlsplit
from urllib.request import urlopen

from tenure.broker.config import keys
from tenure.broker.config.settings import Settings
from tenure.broker.config.start_error import StartError
from tenure.broker.loop.threads import Threads
from tenure.broker.security.mechanisms import Evaluation, LoginFailed
from tenure.limits.broker import JWKS_BYTES_MAX, JWKS_RETRY_S, JWKS_TIMEOUT_S

if TYPE_CHECKING:
    from joserfc.jwk import KeySet

ALGORITHMS: Final = ("RS256", "RS384", "RS512", "PS256", "PS384", "PS512", "ES256", "ES384", "ES512")
FIRST: Final = re.compile(
    rb"n,(?:a=([^,\x01]*))?,\x01(?:[A-Za-z]+=[^\x01]*\x01)*?auth=[Bb]earer ([A-Za-z0-9._~+/=-]+)\x01"
)
INVALID: Final = b'{"status":"invalid_token"}'


class TokenVerifier:
    """Keys of the issuer, and the claims that a token must have. Thread-safe."""

    def __init__(self, settings: Settings) -> None:
        """Read the keys of the issuer. Raises StartError."""
        self._url: Final = settings[keys.SASL_OAUTHBEARER_JWKS_ENDPOINT_URL]
        self._refresh_s: Final = settings[keys.SASL_OAUTHBEARER_JWKS_ENDPOINT_REFRESH_MS] / 1000
        self._user_claim: Final = settings[keys.SASL_OAUTHBEARER_SUB_CLAIM_NAME]
        issuer = settings[keys.SASL_OAUTHBEARER_EXPECTED_ISSUER]
        audience = settings[keys.SASL_OAUTHBEARER_EXPECTED_AUDIENCE]
        _refuse_incomplete(self._url, issuer, audience)
        from joserfc.jwt import JWTClaimsRegistry

        claims: dict[str, Any] = {"exp": {"essential": True}, self._user_claim: {"essential": True}}
        if issuer:
            claims["iss"] = {"essential": True, "value": issuer}
        if audience:
            claims["aud"] = {"essential": True, "values": [item.strip() for item in audience.split(",")]}
        self._claims: Final = JWTClaimsRegistry(leeway=settings[keys.SASL_OAUTHBEARER_CLOCK_SKEW_SECONDS], **claims)
        self._lock: Final = threading.Lock()
        self._read_at_s = time.monotonic()
        try:
            self._keys = _read(self._url)
        except (OSError, ValueError) as error:
            raise StartError(
                f"{keys.SASL_OAUTHBEARER_JWKS_ENDPOINT_URL.name} = {self._url!r} gives no JWKS "
                f"({type(error).__name__}): name a file:// or https:// URL of the issuer's key set"
            ) from None

    def verify(self, token: str) -> tuple[str, float]:
        """Return the user of a token and the Unix time in s at which the token expires. Raises LoginFailed."""
        from joserfc import jwt
        from joserfc.errors import InvalidKeyIdError, JoseError

        self._maybe_read(self._refresh_s)
        try:
            try:
                decoded = jwt.decode(token, self._keys, algorithms=list(ALGORITHMS))
            except (InvalidKeyIdError, ValueError):  # The issuer may have new keys.
                self._maybe_read(JWKS_RETRY_S)
                decoded = jwt.decode(token, self._keys, algorithms=list(ALGORITHMS))
            self._claims.validate(decoded.claims)
            return str(decoded.claims[self._user_claim]), float(decoded.claims["exp"])
        except (JoseError, AttributeError, KeyError, TypeError, ValueError):
            raise LoginFailed(INVALID.decode()) from None

    def _maybe_read(self, older_than_s: float) -> None:
        """Read the keys again if the last attempt was more than `older_than_s` ago.

        If that fails, keep the present keys.
        """
        with self._lock:
            if time.monotonic() - self._read_at_s < older_than_s:
                return
            self._read_at_s = time.monotonic()
            try:
                self._keys = _read(self._url)
            except (OSError, ValueError):
                return


class OAuthBearer:
    """State of one login with a token."""

    def __init__(self, verifier: TokenVerifier, threads: Threads) -> None:
        self.user: str | None = None
        self.claimed = ""
        self.expires_s: float | None = None
        self._verifier: Final = verifier
        self._threads: Final = threads
        self._has_failed = False

    def evaluate(self, token: bytes) -> Evaluation:
        found = FIRST.match(token)
        if self._has_failed or found is None:
            raise LoginFailed(INVALID.decode())
        authorized, bearer = found.groups()
        verified = self._threads.run(self._verifier.verify, bearer.decode())
        yield verified
        try:
            user, self.expires_s = verified.result()
        except LoginFailed:
            self._has_failed = True  # The client answers with one byte and then fails (RFC 7628, section 3.2.3).
            return INVALID
        self.claimed = user
        if authorized not in (None, b"", user.encode()):
            raise LoginFailed(INVALID.decode())
        self.user = user
        return b""


def _refuse_incomplete(url: str, issuer: str, audience: str) -> None:
    if not url:
        raise StartError(
            f"{keys.SASL_ENABLED_MECHANISMS.name} enables OAUTHBEARER, but there are no keys of an issuer: "
            f"set {keys.SASL_OAUTHBEARER_JWKS_ENDPOINT_URL.name}"
        )
    if urlsplit(url).scheme not in ("file", "http", "https"):
        raise StartError(
            f"{keys.SASL_OAUTHBEARER_JWKS_ENDPOINT_URL.name} = {url!r} is not a file://, http:// or https:// URL"
        )
    if not issuer and not audience:
        claims = f"{keys.SASL_OAUTHBEARER_EXPECTED_AUDIENCE.name} or {keys.SASL_OAUTHBEARER_EXPECTED_ISSUER.name}"
        raise StartError(
            f"{keys.SASL_ENABLED_MECHANISMS.name} enables OAUTHBEARER, but the broker would accept tokens for other "
            f"services: set {claims}"
        )
    try:
        import joserfc  # noqa: F401 - only to see whether it is there
    except ImportError:
        raise StartError("OAUTHBEARER needs the package joserfc: pip install 'tenure[security]'") from None


def _read(url: str) -> "KeySet":
    """Read the key set from a file or URL. Raises OSError and ValueError."""
    import json

    from joserfc.errors import JoseError
    from joserfc.jwk import KeySet

    with urlopen(url, timeout=JWKS_TIMEOUT_S) as answer:
        data = answer.read(JWKS_BYTES_MAX + 1)
    if len(data) > JWKS_BYTES_MAX:
        raise ValueError(f"the key set has more than {JWKS_BYTES_MAX} bytes")
    try:
        return KeySet.import_key_set(json.loads(data))
    except (JoseError, KeyError, TypeError, AttributeError) as error:
        raise ValueError(str(error)) from None
