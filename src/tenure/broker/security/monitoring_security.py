"""TLS and bearer token of the monitoring pages. Only /metrics needs the token; /healthz and /readyz are open."""

from pathlib import Path
from typing import TYPE_CHECKING, Final

from tenure.broker.config import keys
from tenure.broker.config.settings import Settings
from tenure.broker.config.start_error import StartError
from tenure.broker.security.start_warnings import warn_if_others_read

if TYPE_CHECKING:
    from tenure.broker.security.tls import Tls


class MonitoringSecurity:
    def __init__(self, settings: Settings) -> None:
        """Read the certificate and the token. Raises StartError."""
        self.tls: Final = _tls(settings)
        """TLS of the pages; None if they are not encrypted."""
        self.token: Final = _token(settings)
        """Token that clients need for the metrics; "" if they need none."""

    @property
    def protects_metrics(self) -> bool:
        """True if clients need a token to read the metrics, and TLS hides the token from others on the network."""
        return self.tls is not None and bool(self.token)


def refuse_unused(settings: Settings) -> None:
    """Raise StartError if TLS or a token is configured, but no monitoring address."""
    for key in (keys.METRICS_TLS, keys.METRICS_TOKEN_FILE):
        if settings[key]:
            raise StartError(
                f"{key.name} is set, but no pages are served: "
                f"set {keys.METRICS_LISTENER.name} or --metrics, or remove it"
            )


def _tls(settings: Settings) -> "Tls | None":
    location = settings[keys.METRICS_TLS]
    if not location:
        return None
    from tenure.broker.security.tls import Tls  # imported only for TLS, so that other starts are faster

    try:
        return Tls(Settings({keys.SSL_KEYSTORE_LOCATION.name: location}))
    except StartError as error:
        raise StartError(f"{keys.METRICS_TLS.name} cannot be used: {error}") from None


def _token(settings: Settings) -> str:
    path = settings[keys.METRICS_TOKEN_FILE]
    if not path:
        return ""
    setting = keys.METRICS_TOKEN_FILE.name
    try:
        token = Path(path).read_text("utf-8").strip()
        warn_if_others_read(path, keys.METRICS_TOKEN_FILE)
    except (OSError, UnicodeDecodeError) as error:
        why = error.strerror if isinstance(error, OSError) else "it is not UTF-8 text"
        raise StartError(f"{setting}: file {path} cannot be read: {why}; name a file with the token") from None
    if not token or not token.isascii() or not token.isprintable() or " " in token:
        raise StartError(
            f"{setting}: file {path} has no token: write one line of visible ASCII characters without spaces"
        )
    return token
