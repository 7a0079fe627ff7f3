"""Start and end of the dashboard's server."""

import os
import socket
import ssl
import sys
import threading
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from signal import SIGTERM
from types import FrameType
from typing import Final

import uvicorn

from tenure.admin import Admin
from tenure.client.net.bootstrap import BOOTSTRAP_SERVERS
from tenure.web.access import LoginSessions, is_loopback, password_of
from tenure.web.application import Dashboard
from tenure.web.observation.cluster_watch import ClusterWatch
from tenure.web.observation.journal_watch import JournalWatch
from tenure.web.pages.group_page import GroupPage
from tenure.web.pages.groups_page import GroupsPage
from tenure.web.pages.pipelines_page import PipelinesPage
from tenure.web.pages.topics_page import TopicsPage
from tenure.web.pages.transactions_page import TransactionsPage
from tenure.web.pages.what_if_page import WhatIfPage

CLIENT_ID: Final = "tenure-web"
STOP_S: Final = 2
"""Seconds that requests in progress get to end when the server stops."""


@dataclass(frozen=True, slots=True)
class WebOptions:
    """Options of the dashboard: the cluster to show, and the address to serve."""

    cluster: Mapping[str, str]
    """Kafka's configuration keys, with `bootstrap.servers`."""
    host: str = "127.0.0.1"
    port: int = 8420
    pipelines: Sequence[str] = ()
    """Addresses of the metrics of pipelines."""
    changes_allowed: bool = False
    tls: tuple[Path, Path] | None = None
    """PEM files of certificate chain and private key."""
    password_file: Path | None = None
    stop_with_stdin: bool = False
    """True to stop when standard input ends, which shows that the process that started this one has ended."""


def check(options: WebOptions) -> None:
    """Raise ValueError for options with which other hosts could reach the dashboard without TLS or a password."""
    if is_loopback(options.host):
        return
    if options.tls is None or options.password_file is None:
        raise ValueError(
            f"Other machines can reach {options.host}: the dashboard needs --tls CERTIFICATE,KEY and --password-file"
            " FILE there. Without them, listen at 127.0.0.1."
        )


def serve(options: WebOptions) -> None:
    """Serve the dashboard until Ctrl-C or SIGTERM. Prints its address. Raises ValueError."""
    check(options)
    password = None if options.password_file is None else password_of(options.password_file)
    if options.tls is not None:
        _check_tls(*options.tls)
    listener = _listen(options.host, options.port)
    admin = Admin(options.cluster, client_id=CLIENT_ID)
    watch = ClusterWatch(admin)
    allowed = options.changes_allowed
    transactions = TransactionsPage(admin, changes_allowed=allowed)
    pages = (
        GroupsPage(watch),
        GroupPage(watch, JournalWatch(options.cluster), changes_allowed=allowed),
        TopicsPage(admin, watch),
        transactions,
        PipelinesPage(options.pipelines),
        WhatIfPage(admin),
    )
    dashboard = Dashboard(
        admin,
        watch,
        options.cluster[BOOTSTRAP_SERVERS],
        pages,
        LoginSessions(password),
        changes_allowed=allowed,
        after_change=transactions.discard_results,
    )
    address = f"http{'s' if options.tls else ''}://{_named(options.host)}:{listener.getsockname()[1]}/"
    watch.start()
    if options.stop_with_stdin:
        threading.Thread(target=_stop_at_end_of_stdin, name="tenure-web-stdin", daemon=True).start()
    try:
        _Server(_configuration(dashboard, options), dashboard, address).run([listener])
    finally:
        watch.close()
        admin.close()
    print("tenure: dashboard stopped", flush=True)


class _Server(uvicorn.Server):
    """HTTP server that prints its address when it is ready, and ends the event streams when it stops."""

    def __init__(self, config: uvicorn.Config, dashboard: Dashboard, address: str) -> None:
        super().__init__(config)
        self._dashboard: Final = dashboard
        self._address: Final = address

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        print(f"tenure: dashboard at {self._address}", flush=True)

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        """Stop the server. A second signal stops it without waiting for open requests.

        The base class would raise the signal again at the end.
        """
        del sig, frame
        self._dashboard.streams.stop()
        self.force_exit = self.should_exit
        self.should_exit = True


def _configuration(dashboard: Dashboard, options: WebOptions) -> uvicorn.Config:
    certificate, key = options.tls or (None, None)
    return uvicorn.Config(
        dashboard.application,
        log_level="warning",
        access_log=False,
        server_header=False,
        lifespan="off",
        timeout_graceful_shutdown=STOP_S,
        ssl_certfile=certificate,
        ssl_keyfile=key,
    )


def _stop_at_end_of_stdin() -> None:
    while os.read(sys.stdin.fileno(), 4096):
        pass
    os.kill(os.getpid(), SIGTERM)


def _check_tls(certificate: Path, key: Path) -> None:
    try:
        ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER).load_cert_chain(certificate, key, password="")
    except ssl.SSLError as error:
        raise ValueError(
            f"Files {certificate} and {key} are not a certificate and its unencrypted key: {error.reason}."
        ) from None
    except OSError as error:
        raise ValueError(
            f"File {certificate} or {key} cannot be read: {(error.strerror or str(error)).lower()}."
        ) from None


def _listen(host: str, port: int) -> socket.socket:
    try:
        return socket.create_server(
            (host, port), family=socket.AF_INET6 if ":" in host else socket.AF_INET, backlog=socket.SOMAXCONN
        )
    except (OSError, OverflowError) as error:
        reason = (getattr(error, "strerror", None) or str(error)).lower()
        raise ValueError(f"The dashboard cannot listen at {_named(host)}:{port}: {reason}.") from None


def _named(host: str) -> str:
    return f"[{host}]" if ":" in host else host
