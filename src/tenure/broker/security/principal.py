"""Principals: the authenticated users behind clients, as ACLs and logs name them."""

from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True)
class Principal:
    """Type and name of an authenticated client. `str` returns Kafka's notation, for example `User:alice`."""

    kind: str
    name: str

    def __str__(self) -> str:
        return f"{self.kind}:{self.name}"


ANONYMOUS: Final = Principal("User", "ANONYMOUS")
"""Principal of clients that the listener does not authenticate."""


def java_host(host: str) -> str:
    """Return an IP address in the notation of Java and of ACLs.

    An IPv6 address has no `::`, and an IPv4-mapped IPv6 address becomes an IPv4 address.
    """
    if ":" not in host:
        return host
    from ipaddress import IPv6Address

    address = IPv6Address(host)
    if address.ipv4_mapped is not None:
        return str(address.ipv4_mapped)
    digits = f"{int(address):032x}"
    groups = ":".join(f"{int(digits[at : at + 4], 16):x}" for at in range(0, 32, 4))
    return f"{groups}%{address.scope_id}" if address.scope_id else groups
