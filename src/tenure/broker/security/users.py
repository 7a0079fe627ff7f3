"""Users that may log in: those in the users file, and those with SCRAM credentials in the metadata log."""

import os
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Final, TypeAlias

from tenure.broker.config import keys
from tenure.broker.config.start_error import StartError
from tenure.broker.security.start_warnings import warn_if_others_read
from tenure.coordinator.metadata.commands import ScramCredential, ScramUser
from tenure.coordinator.metadata.scram import ITERATIONS_MIN, MECHANISMS
from tenure.limits.broker import USERS_FILE_BYTES_MAX

Verifier: TypeAlias = Callable[[str, str], bool]
"""Function of (user, password) that returns whether the password is right. It may block, so it runs on a thread."""

NUMBERS: Final = {name: number for number, name in MECHANISMS.items()}
SALT_BYTES: Final = 24


class Users:
    """Passwords from the users file, and SCRAM credentials. `repr` shows none of them."""

    def __init__(self, passwords: Mapping[str, str], stored: Callable[[], Mapping[ScramUser, ScramCredential]]) -> None:
        """Create the users.

        `passwords` come from the users file; `stored()` returns the credentials in the metadata log.
        """
        self._passwords: Final = passwords
        self._stored: Final = stored
        self._derived: dict[ScramUser, ScramCredential] = {}
        self._secret: Final = os.urandom(32)

    def has_password(self, name: str, password: str) -> bool:
        """Return whether a user in the users file has this password. An unknown user takes as long as a known one."""
        import hmac  # imported late, so that the start is faster

        return (
            hmac.compare_digest(self._passwords.get(name, "").encode(), password.encode()) and name in self._passwords
        )

    def credential(self, name: str, mechanism: str) -> ScramCredential | None:
        """Return the SCRAM credential of a user. None means that `derive` must be called first.

        For an unknown user, a false credential is returned, so that a login does not reveal which users exist.
        """
        user = name, NUMBERS[mechanism]
        if name in self._passwords:
            return self._derived.get(user)
        return self._stored().get(user) or self._imitated(name, mechanism)

    def derive(self, name: str, mechanism: str) -> None:
        """Derive and store the SCRAM credential of a user in the users file.

        The derivation takes milliseconds: call this method on a thread.
        """
        from scramp import ScramMechanism

        salt, stored_key, server_key, iterations = ScramMechanism(mechanism).make_auth_info(
            self._passwords[name], ITERATIONS_MIN, os.urandom(SALT_BYTES)
        )
        self._derived[name, NUMBERS[mechanism]] = ScramCredential(salt, stored_key, server_key, iterations)

    def _imitated(self, name: str, mechanism: str) -> ScramCredential:
        """Return a false credential for an unknown user. Its salt is always the same, and no password fits its keys."""
        import hashlib
        import hmac

        salt = hmac.digest(self._secret, f"{mechanism}:{name}".encode(), hashlib.sha256)[:SALT_BYTES]
        size = hashlib.new(mechanism.removeprefix("SCRAM-").replace("-", "")).digest_size
        return ScramCredential(salt, os.urandom(size), os.urandom(size), ITERATIONS_MIN)


def read_users(path: str) -> dict[str, str]:
    """Return the passwords in a users file, by user. A line is `NAME=PASSWORD`, or a comment that begins with `#`.

    Raises:
        StartError: The file cannot be read, or a line is invalid. The message contains no password.
    """
    setting = keys.USERS_FILE.name
    try:
        if os.stat(path).st_size > USERS_FILE_BYTES_MAX:
            raise StartError(
                f"{setting} {path} has more than {USERS_FILE_BYTES_MAX} bytes: create users with `tenure users`"
            )
        lines = Path(path).read_text("utf-8").splitlines()
    except OSError as error:
        raise StartError(
            f"{setting} {path} cannot be read: {error.strerror}; name a file with NAME=PASSWORD lines"
        ) from None
    except UnicodeDecodeError:
        raise StartError(f"{setting} {path} is not UTF-8: write NAME=PASSWORD lines") from None
    found: dict[str, str] = {}
    for number, line in enumerate(lines, 1):
        name, equals, password = line.strip().partition("=")
        if not line.strip() or line.lstrip().startswith("#"):
            continue
        if not (name and equals and password):
            raise StartError(f"{setting} {path}, line {number}, is not a user: write NAME=PASSWORD")
        if name in found:
            raise StartError(f"{setting} {path}, line {number}, names a user again: remove one of the lines")
        found[name] = password
    warn_if_others_read(path, keys.USERS_FILE)
    if not found:
        raise StartError(f"{setting} {path} contains no user: write NAME=PASSWORD lines")
    return found
