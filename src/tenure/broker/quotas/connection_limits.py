"""Limits on connections: how many may be open, and how many may be opened per second (KIP-402, KIP-612).

Nothing here reads the clock or a socket: callers pass the time, and close the connections that are refused.
"""

from collections import Counter
from collections.abc import Callable, Mapping
from functools import lru_cache
from ipaddress import IPv6Address, ip_address
from typing import Final, NamedTuple

from tenure.broker.config import keys
from tenure.broker.config.settings import Settings
from tenure.broker.quotas.rates import Rate, Windows
from tenure.config_keys import INT32_MAX
from tenure.coordinator.metadata.commands import Entity
from tenure.coordinator.metadata.quotas import IP
from tenure.limits.broker import QUOTA_CLIENTS_MAX
from tenure.plural import format_count

IP_RATE: Final = "ip_rate"
PER_IP: Final = "per_ip"
LIMIT: Final = "limit"
REFUSALS: Final = (IP_RATE, PER_IP, LIMIT)
"""Reasons for which connections are refused or closed."""
UNLIMITED: Final = INT32_MAX


class ConnectionBounds(NamedTuple):
    """Limits of the broker or of one listener."""

    connections: int = UNLIMITED
    per_second: int = UNLIMITED


def listener_bounds(settings: Settings) -> dict[str, ConnectionBounds]:
    """Return the limits of each listener with limits of its own, by listener name in upper case."""
    found: dict[str, ConnectionBounds] = {}
    for name in settings.listeners_with_settings:
        found[name.upper()] = _bounds(settings.own_of_listener(name))
    return found


def _bounds(settings: Settings) -> ConnectionBounds:
    return ConnectionBounds(settings[keys.MAX_CONNECTIONS], settings[keys.MAX_CONNECTION_CREATION_RATE])


class Refusal(NamedTuple):
    """Reason why a connection is refused."""

    kind: str
    why: str
    delay_ms: int
    """Delay before the refused socket is closed."""


class ConnectionLimits:
    def __init__(self, settings: Settings) -> None:
        """Create limits for a broker without connections."""
        self._windows: Final = Windows(settings[keys.QUOTA_WINDOW_NUM], settings[keys.QUOTA_WINDOW_SIZE_SECONDS] * 1000)
        self._protected: Final = settings[keys.INTER_BROKER_LISTENER_NAME].upper()
        """Listener whose connections may exceed `max.connections`; "" for none."""
        self.when_configured: Callable[[], None] = lambda: None
        """Function that is called after the limits were replaced."""
        self.configure(settings)
        self._rates: Final[dict[str, Rate]] = {}
        """Rates of new connections by listener; "" stands for the whole broker."""
        self._ip_bounds: Mapping[str | None, float] = {}
        """Quotas `connection_creation_rate` by address; None is the default of all addresses."""
        self._ip_rates: Final[dict[str, Rate]] = {}
        self.open: Final[Counter[str]] = Counter()
        """Open connections by listener."""
        self.open_by_ip: Final[Counter[str]] = Counter()
        """Open connections by address. Invariant: no entry is 0, as in `open`."""

    def configure(self, settings: Settings) -> None:
        """Replace the limits, because settings were changed at run time."""
        self._broker = _bounds(settings)
        self._listeners = listener_bounds(settings)
        self._per_ip = settings[keys.MAX_CONNECTIONS_PER_IP]
        self._overrides = {
            canonical_address(one.address): one.limit for one in settings[keys.MAX_CONNECTIONS_PER_IP_OVERRIDES]
        }
        self.when_configured()

    def reload(self, stored: Mapping[Entity, Mapping[str, float]]) -> None:
        """Replace the quotas of addresses after a change."""
        self._ip_bounds = {
            None if (name := dict(entity)[IP]) is None else canonical_address(name): quotas["connection_creation_rate"]
            for entity, quotas in stored.items()
            if IP in dict(entity) and "connection_creation_rate" in quotas
        }

    # --- decisions ----------------------------------------------------------------------------------------------------

    def throttle_ms(self, listener: str, now_ms: int) -> int:
        """Record a new connection, and return how long the listener must delay it, in ms.

        As in Kafka, connections of the listener `inter.broker.listener.name` do not count for the rate of the broker.
        """
        waits_ms = [self._recorded("", self._broker.per_second, now_ms)] if listener != self._protected else [0]
        waits_ms.append(self._recorded(listener, self._of(listener).per_second, now_ms))
        return max(waits_ms)

    def has_room(self, listener: str) -> bool:
        """Return whether the listener may open one more connection."""
        if self.open[listener] >= self._of(listener).connections:
            return False
        return listener == self._protected or self.open.total() < self._broker.connections

    @property
    def is_exceeded(self) -> bool:
        """True if more connections than `max.connections` are open.

        The limit can be exceeded, because the listener `inter.broker.listener.name` accepts connections beyond it.
        """
        return self.open.total() > self._broker.connections

    def may_be_closed(self, listener: str) -> bool:
        return listener != self._protected

    def refusal(self, host: str, now_ms: int) -> Refusal | None:
        """Return the reason why a connection from this address is refused; None if it is accepted."""
        address = canonical_address(host)
        throttle_ms = self._ip_throttle_ms(address, now_ms)
        if throttle_ms:
            return Refusal(IP_RATE, "this address connects too often (quota connection_creation_rate)", throttle_ms)
        most = self._overrides.get(address, self._per_ip)
        if self.open_by_ip[address] >= most:
            count = format_count(most, "connection")
            return Refusal(PER_IP, f"this address has {count} already (max.connections.per.ip)", 0)
        return None

    # --- changes ------------------------------------------------------------------------------------------------------

    def opened(self, listener: str, host: str) -> None:
        self.open[listener] += 1
        self.open_by_ip[canonical_address(host)] += 1

    def closed(self, listener: str, host: str) -> None:
        for counter, name in ((self.open, listener), (self.open_by_ip, canonical_address(host))):
            counter[name] -= 1
            if not counter[name]:
                del counter[name]

    # --- rates --------------------------------------------------------------------------------------------------------

    def _of(self, listener: str) -> ConnectionBounds:
        return self._listeners.get(listener, ConnectionBounds())

    def _recorded(self, name: str, bound: int, now_ms: int) -> int:
        if bound == UNLIMITED:
            return 0
        rate = self._rates.get(name)
        if rate is None:
            rate = self._rates[name] = Rate(self._windows)
        rate.record(1, now_ms)
        return self._bounded(rate.throttle_ms(bound, now_ms))

    def _ip_throttle_ms(self, address: str, now_ms: int) -> int:
        """Record a connection from an address, and return for how long it is throttled, in ms; 0 if it is accepted.

        A throttled connection is refused, so it does not count for the rate.
        """
        bound = self._ip_bounds.get(address, self._ip_bounds.get(None))
        if bound is None:
            return 0
        rate = self._ip_rates.get(address)
        if rate is None:
            if len(self._ip_rates) >= QUOTA_CLIENTS_MAX:
                del self._ip_rates[next(iter(self._ip_rates))]
            rate = self._ip_rates[address] = Rate(self._windows)
        rate.record(1, now_ms)
        throttle_ms = self._bounded(rate.throttle_ms(bound, now_ms))
        if throttle_ms:
            rate.record(-1, now_ms)
        return throttle_ms

    def _bounded(self, throttle_ms: int) -> int:
        """Return the delay, but at most the length of one window of the rate, as in Kafka."""
        return min(throttle_ms, self._windows.size_ms)


@lru_cache(maxsize=1024)
def canonical_address(host: str) -> str:
    """Return an IP address in its usual form. An IPv4-mapped IPv6 address becomes an IPv4 address."""
    address = ip_address(host.partition("%")[0])
    mapped = address.ipv4_mapped if isinstance(address, IPv6Address) else None
    return str(mapped or address)
