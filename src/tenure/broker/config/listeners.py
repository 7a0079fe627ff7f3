"""Listeners of the broker: name, security protocol, address, and the address that clients get in Metadata."""

import socket
from collections.abc import Iterator
from enum import StrEnum
from typing import Final, NamedTuple

from tenure.broker.config import keys
from tenure.broker.config.listener import Address, parse_address, parse_advertised_address
from tenure.broker.config.settings import Settings
from tenure.broker.config.start_error import StartError


class SecurityProtocol(StrEnum):
    PLAINTEXT = "PLAINTEXT"
    SSL = "SSL"
    SASL_PLAINTEXT = "SASL_PLAINTEXT"
    SASL_SSL = "SASL_SSL"

    @property
    def is_encrypted(self) -> bool:
        """True if connections use TLS."""
        return self in (SecurityProtocol.SSL, SecurityProtocol.SASL_SSL)

    @property
    def is_authenticated(self) -> bool:
        """True if connections authenticate with SASL."""
        return self in (SecurityProtocol.SASL_PLAINTEXT, SecurityProtocol.SASL_SSL)


class BrokerListener(NamedTuple):
    name: str
    protocol: SecurityProtocol
    address: Address
    """Address on which the broker listens. Port 0 stands for any free port, until the socket is bound."""

    advertised: Address | None = None
    """Configured address for clients; None if clients use the address on which the broker listens."""

    @property
    def client_address(self) -> Address:
        """Address that clients get in Metadata.

        If the broker listens on all addresses, clients get the host name of this machine.
        """
        if self.advertised is not None:
            return self.advertised
        return Address(socket.gethostname(), self.address.port) if self.address.is_wildcard else self.address

    def __str__(self) -> str:
        """Return the listener as in `listeners`."""
        return f"{self.name}://{self.address}"

    def bound_to(self, port: int) -> "BrokerListener":
        return self._replace(address=Address(self.address.host, port))


SHORT_FORMS: Final = {
    (False, False): SecurityProtocol.PLAINTEXT,
    (False, True): SecurityProtocol.SASL_PLAINTEXT,
    (True, False): SecurityProtocol.SSL,
    (True, True): SecurityProtocol.SASL_SSL,
}
"""Protocol of an address without a listener name, by (`--tls` is given, `--users` is given)."""

PROTOCOLS: Final = ", ".join(SecurityProtocol)


def configured_listeners(
    settings: Settings, listen: str | None = None, unnamed: SecurityProtocol = SecurityProtocol.PLAINTEXT
) -> list[BrokerListener]:
    """Return the listeners of the broker's configuration.

    Args:
        settings: Settings of the broker.
        listen: Value of `--listen`, which overrides `listeners`.
        unnamed: Protocol of an address without a listener name.

    Raises:
        StartError: A listener has an invalid address or protocol, or two listeners have the same name.
    """
    protocols = dict(_protocols(settings[keys.LISTENER_SECURITY_PROTOCOL_MAP]))
    text, setting = (listen, "--listen") if listen else (settings[keys.LISTENERS], keys.LISTENERS.name)
    if not listen and text == keys.LISTENERS.default:
        text = text.rpartition("://")[2]
    found: dict[str, BrokerListener] = {}
    for name, address in _entries(text, unnamed):
        if name in found:
            raise StartError(f"{setting} names the listener {name} twice: give each listener a different name")
        if name not in protocols:
            raise StartError(
                f"{setting} names the listener {name}, which has no security protocol: "
                f"use {PROTOCOLS}, or add {name}:PROTOCOL to {keys.LISTENER_SECURITY_PROTOCOL_MAP.name}"
            )
        found[name] = BrokerListener(name, protocols[name], parse_address(address, setting=setting))
    setting = keys.ADVERTISED_LISTENERS.name
    for name, address in _entries(settings[keys.ADVERTISED_LISTENERS], unnamed):
        if name not in found:
            raise StartError(f"{setting} names {name}, which is not a listener: name {' or '.join(found)}")
        found[name] = found[name]._replace(advertised=parse_advertised_address(address, setting=setting))
    return list(found.values())


def _entries(text: str, unnamed: SecurityProtocol) -> Iterator[tuple[str, str]]:
    """Yield (name, address) for each listener in a comma-separated list.

    An address without a name gets the name of the protocol `unnamed`.
    """
    for entry in text.split(",") if text else ():
        name, separator, address = entry.strip().rpartition("://")
        yield name.upper() if separator else unnamed.value, address


def _protocols(text: str) -> Iterator[tuple[str, SecurityProtocol]]:
    setting = keys.LISTENER_SECURITY_PROTOCOL_MAP.name
    for entry in text.split(","):
        name, colon, protocol = (part.strip().upper() for part in entry.partition(":"))
        if not name or not colon or protocol not in list(SecurityProtocol):
            raise StartError(f"{setting} {entry.strip()!r} is not NAME:PROTOCOL: a protocol is one of {PROTOCOLS}")
        yield name, SecurityProtocol(protocol)
