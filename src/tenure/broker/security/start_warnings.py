"""Warnings at the start about readable files with secrets, and about expiring certificates."""

import logging
import os
import stat
from pathlib import Path
from typing import Any, Final

from tenure.broker.security.certificate import expiry_of
from tenure.config_keys import ConfigKey
from tenure.limits.broker import CERTIFICATE_EXPIRES_SOON_DAYS

log: Final = logging.getLogger("tenure.broker")


def warn_if_others_read(path: str | Path, key: ConfigKey[Any]) -> None:
    """Log a warning if all users of this machine can read a file with secrets."""
    if os.stat(path).st_mode & stat.S_IROTH:
        log.warning(
            "file of setting %s: every user of this machine can read %s, which has secrets: run chmod o-r on it",
            key.name,
            path,
        )


def warn_if_expiring(certificate: bytes, where: str) -> None:
    """Log a warning if a certificate (DER) has expired or will expire soon."""
    from datetime import UTC, datetime  # imported late, so that the start is faster

    expiry = expiry_of(certificate)
    days = (expiry - datetime.now(UTC)).days
    if days < 0:
        log.warning("the certificate of %s expired at %s, so clients refuse it: renew it", where, expiry.isoformat())
    elif days < CERTIFICATE_EXPIRES_SOON_DAYS:
        log.warning("the certificate of %s expires at %s: renew it before that time", where, expiry.isoformat())
