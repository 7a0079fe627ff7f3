"""Certificates, keys and trusted authorities of the listeners. Clients can change them at run time (rule 1.9).

New connections use the new certificates; open connections keep theirs. A thread reads the files.
"""

import asyncio
import logging
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Final

from tenure.broker.config.dynamic_keys import CERTIFICATE_KEYS
from tenure.broker.config.listener_keys import LISTENER_PREFIX
from tenure.broker.config.listeners import BrokerListener
from tenure.broker.config.settings import Settings
from tenure.broker.config.start_error import StartError
from tenure.broker.loop.threads import Threads

if TYPE_CHECKING:
    from tenure.broker.security.tls import Tls

log = logging.getLogger("tenure.broker")


class ListenerCertificates:
    """TLS of all encrypted listeners. Certificates are loaded again when a file or setting changes."""

    def __init__(self, settings: Settings, loop: asyncio.AbstractEventLoop) -> None:
        self._settings: Final = settings
        self._loop: Final = loop
        self._threads: Final = Threads(loop, 1, "certificates")
        self._tls: Final[dict[str, Tls]] = {}
        """TLS by name of the listener, in lower case as in the keys of settings."""
        self._unencrypted: Final[set[str]] = set()
        """Names of the listeners without TLS, in lower case."""
        self._is_watched = False

    def add(self, listener: BrokerListener, tls: "Tls | None") -> None:
        """Add a listener. `tls` has the settings of the start, and is None if the listener is not encrypted.

        Settings that clients have changed apply at once. If the broker cannot use them any more, the settings of the
        start apply, as in Kafka.
        """
        name = listener.name.lower()
        if tls is None:
            self._unencrypted.add(name)
            return
        wanted = self._settings.of_listener(name)
        if _certificates_of(wanted) != _certificates_of(tls.settings):
            tls = _load({name: wanted}, set()).get(name, tls)
        self._tls[name] = tls
        if not self._is_watched:
            from tenure.broker.security.tls import watch_files

            self._is_watched = True
            watch_files(self._loop, self._threads, lambda: set(self._tls.values()))

    def __getitem__(self, listener_name: str) -> "Tls":
        return self._tls[listener_name.lower()]

    def check(self, changed: Settings, then: Callable[[str | None], None]) -> None:
        """Check on a thread that all listeners could use these settings; call `then` with the first error, or None."""
        for name in changed.listeners_with_settings:
            if name not in self._tls and name not in self._unencrypted:
                known = ", ".join(sorted({*self._tls, *self._unencrypted}))
                then(f"{LISTENER_PREFIX}{name}.* names no listener: name one of {known}")
                return
            if name in self._unencrypted and any(_certificates_of(changed.own_of_listener(name)).values()):
                then(f"{LISTENER_PREFIX}{name}.* sets a certificate, but the listener does not use TLS: leave it out")
                return

        def checked(done: "asyncio.Future[str | None]") -> None:
            if not done.cancelled():
                failure = done.exception()
                then(done.result() if failure is None else f"the certificates cannot be loaded: {failure}")

        self._threads.run(_first_error, self._different_from(changed)).add_done_callback(checked)

    def reload(self, then: Callable[[object], None]) -> None:
        """Use the present settings, and the present content of all files, for new connections; then call `then`."""
        if not self._tls:
            then(None)
            return
        wanted = self._different_from(self._settings)
        unchanged = {tls for name, tls in self._tls.items() if name not in wanted}

        def loaded(done: "asyncio.Future[dict[str, Tls]]") -> None:
            if done.cancelled():
                return
            if failure := done.exception():
                log.error(
                    "new certificates cannot be loaded, so all listeners keep their present ones: a bug in the broker,"
                    " please report it",
                    exc_info=failure,
                )
            else:
                self._tls.update(done.result())
            then(None)

        self._threads.run(_load, wanted, unchanged).add_done_callback(loaded)

    def close(self) -> None:
        self._threads.close()

    def _different_from(self, settings: Settings) -> dict[str, Settings]:
        """Return the encrypted listeners whose certificates change with `settings`, each with its new settings."""
        wanted = {name: settings.of_listener(name) for name in self._tls}
        return {
            name: of_listener
            for name, of_listener in wanted.items()
            if _certificates_of(of_listener) != _certificates_of(self._tls[name].settings)
        }


def _certificates_of(settings: Settings) -> dict[str, object]:
    return {key.name: settings[key] for key in CERTIFICATE_KEYS if settings[key] != key.default}


def _first_error(changed: Mapping[str, Settings]) -> str | None:
    from tenure.broker.security.tls import check_changed

    for name, settings in changed.items():
        try:
            check_changed(settings)
        except StartError as error:
            return f"listener {name}: {error}"
    return None


def _load(wanted: Mapping[str, Settings], unchanged: "set[Tls]") -> "dict[str, Tls]":
    """Return new TLS objects for the listeners in `wanted`, whose settings have changed.

    A listener whose new settings cannot be used is left out, and keeps its certificate. The TLS objects in `unchanged`
    read their files again if these have changed.
    """
    from tenure.broker.security.tls import Tls

    for tls in unchanged:
        tls.maybe_reload()
    found: dict[str, Tls] = {}
    for name, settings in wanted.items():
        try:
            found[name] = Tls(settings)
            log.info("listener %s: new connections use the certificates that were set at run time", name)
        except StartError as error:
            log.error(
                "listener %s cannot use the certificates that were set at run time, and keeps its present ones: %s",
                name,
                error,
            )
    return found
