"""Sockets of the broker's process: for each listener, and for the monitoring pages."""

import errno
import socket
from collections.abc import Sequence
from typing import NamedTuple

from tenure.broker.config import keys
from tenure.broker.config.listener import Address, parse_listener, refuse_open_address
from tenure.broker.config.listeners import BrokerListener
from tenure.broker.config.settings import Settings
from tenure.broker.config.start_error import StartError
from tenure.broker.security.monitoring_security import refuse_unused


class BrokerSockets(NamedTuple):
    """Sockets that are bound to their addresses, but do not listen yet."""

    listening: Sequence[tuple[socket.socket, BrokerListener]]
    """Socket of each listener, and the listener with the port of this socket."""
    monitoring: socket.socket | None
    """Socket for metrics, health and readiness; None if no address is configured."""

    @property
    def descriptors(self) -> list[int]:
        """File descriptors: first those of the listeners."""
        listening = [each.fileno() for each, _ in self.listening]
        return listening if self.monitoring is None else [*listening, self.monitoring.fileno()]


def inherit_sockets(descriptors: Sequence[int], listeners: Sequence[BrokerListener]) -> BrokerSockets:
    """Return the sockets with these descriptors, in the order of `BrokerSockets.descriptors`."""
    inherited = [socket.socket(fileno=descriptor) for descriptor in descriptors]
    first, rest = inherited[: len(listeners)], inherited[len(listeners) :]
    return BrokerSockets(_with_ports(first, listeners), rest[0] if rest else None)


def bind_sockets(
    listeners: Sequence[BrokerListener], metrics: str | None, settings: Settings, *, insecure: bool
) -> BrokerSockets:
    """Return new sockets, bound to the addresses of the listeners and of the monitoring pages. Raises StartError.

    `metrics` is the value of the option `--metrics`. With `insecure`, other machines may reach the monitoring pages.
    """
    listening = [_bound_socket(listener.address, "--listen") for listener in listeners]
    monitoring = _monitoring_socket(metrics, settings, insecure=insecure)
    return BrokerSockets(_with_ports(listening, listeners), monitoring)


def _with_ports(
    sockets: Sequence[socket.socket], listeners: Sequence[BrokerListener]
) -> list[tuple[socket.socket, BrokerListener]]:
    return [(at, listener.bound_to(at.getsockname()[1])) for at, listener in zip(sockets, listeners, strict=True)]


def _monitoring_socket(metrics: str | None, settings: Settings, *, insecure: bool) -> socket.socket | None:
    text, setting = (metrics, "--metrics") if metrics else (settings[keys.METRICS_LISTENER], keys.METRICS_LISTENER.name)
    if not text:
        refuse_unused(settings)
        return None
    address = parse_listener(text, setting=setting)
    refuse_open_address(address, insecure=insecure)
    return _bound_socket(address, "--metrics")


def _bound_socket(address: Address, flag: str) -> socket.socket:
    """Return a bound socket that does not listen yet: until the broker is ready, clients are refused and try again."""
    # A `str` would load the tables of the IDNA codec.
    host = address.host.encode() if address.host.isascii() else address.host
    try:
        family, kind, protocol, _, where = socket.getaddrinfo(
            host or None, address.port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
        )[0]
        bound = socket.socket(family, kind, protocol)
    except OSError as error:
        raise StartError(f"cannot listen at {address}: {error.strerror}; name another address with {flag}") from None
    try:
        bound.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        bound.bind(where)
    except OSError as error:
        bound.close()
        if error.errno == errno.EADDRINUSE:
            why = (
                f"port {address.port} of {address.host} is in use: "
                f"stop the process that uses it, or name another port with {flag}"
            )
        else:
            why = f"cannot listen at {address}: {error.strerror}; name another address with {flag}"
        raise StartError(why) from None
    return bound
