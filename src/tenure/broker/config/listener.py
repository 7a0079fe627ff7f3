"""Addresses on which the broker listens, and addresses that it advertises to clients."""

import re
from ipaddress import IPv4Address, IPv6Address, ip_address
from typing import Final, NamedTuple

from tenure.broker.config.start_error import StartError

PLAINTEXT: Final = "PLAINTEXT"
PORT_MAX: Final = 65_535
HOST_NAME: Final = (
    r"(?=.{1,253}$)([a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9_])?\.)*(?![0-9]+$)[a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9_])?"
)
"""Pattern of a host name as in RFC 1123. Underscores are also allowed, because names of containers have them. The last
part of a name must not be a number."""


class Address(NamedTuple):
    host: str
    """Name, IPv4 address, IPv6 address without brackets, or "" for all addresses of this machine."""

    port: int

    def __str__(self) -> str:
        return f"[{self.host}]:{self.port}" if ":" in self.host else f"{self.host}:{self.port}"

    @property
    def is_loopback(self) -> bool:
        """True if only this machine can reach the address.

        The only name that counts as loopback is `localhost`: DNS may resolve any other name to any address.
        """
        ip = _ip(self.host)
        return self.host.lower() == "localhost" if ip is None else ip.is_loopback

    @property
    def is_wildcard(self) -> bool:
        """True if the host stands for all addresses of this machine. Clients cannot connect to such an address."""
        ip = _ip(self.host)
        return not self.host if ip is None else ip.is_unspecified


def parse_listener(text: str, *, setting: str) -> Address:
    """Parse the address of the metrics pages: `HOST:PORT`, or `PLAINTEXT://HOST:PORT`.

    `setting` is the name of the setting or option that contains the address, for error messages.

    Raises:
        StartError: The text has another protocol, or no valid address.
    """
    protocol, separator, address = text.rpartition("://")
    if separator and protocol.upper() != PLAINTEXT:
        raise StartError(
            f"{setting} {text!r} asks for {protocol}, but only {PLAINTEXT} is supported here: write {PLAINTEXT}://HOST:PORT"
        )
    return parse_address(address, setting=setting)


def parse_address(text: str, *, setting: str) -> Address:
    """Parse `HOST:PORT`; an IPv6 host is in brackets. Raises StartError."""
    if "," in text:
        raise StartError(f"{setting} {text!r} names several addresses, but one is expected: remove the others")
    host, colon, port = text.rpartition(":")
    if not colon or not _is_port(port):
        raise StartError(f"{setting} {text!r} is not an address: write HOST:PORT, for example 127.0.0.1:9092")
    host = host[1:-1] if host[:1] == "[" and host[-1:] == "]" else host
    if host and not _is_host(host):
        raise StartError(
            f"{setting} {text!r} has no valid host: write a host name, an IPv4 address or [an IPv6 address]"
        )
    return Address(host, int(port))


def parse_advertised_address(text: str, *, setting: str) -> Address:
    """Parse the address that clients get in Metadata. Raises StartError if no client could connect to it."""
    address = parse_address(text, setting=setting)
    if address.is_wildcard or not address.port:
        raise StartError(
            f"{setting} {text!r} is not an address that clients can connect to: "
            "name the host and the port under which they reach this broker"
        )
    return address


def refuse_open_address(address: Address, *, insecure: bool) -> None:
    """Raise StartError if other machines can reach the address, unless `insecure` is true."""
    if not address.is_loopback and not insecure:
        host = address.host or "every address of this machine"
        raise StartError(
            f"{host} is not a loopback address, and any host that reaches it could read and write all data: "
            "listen at 127.0.0.1, or pass --insecure"
        )


def _is_port(text: str) -> bool:
    return text.isascii() and text.isdecimal() and int(text) <= PORT_MAX


def _is_host(text: str) -> bool:
    return text.isprintable() and (_ip(text) is not None or re.fullmatch(HOST_NAME, text.lower()) is not None)


def _ip(host: str) -> IPv4Address | IPv6Address | None:
    """Return the parsed IP address (IPv4 for an IPv4-mapped IPv6 address); None if the host is a name."""
    try:
        ip = ip_address(host)
    except ValueError:
        return None
    return (ip.ipv4_mapped or ip) if isinstance(ip, IPv6Address) else ip
