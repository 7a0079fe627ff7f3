"""Broker addresses in the form `host:port,host:port`, with IPv6 hosts in brackets."""

from collections.abc import Sequence
from typing import Final, NamedTuple

DEFAULT_PORT: Final = 9092


class BrokerAddress(NamedTuple):
    """Host and port of a broker."""

    host: str
    port: int

    def __str__(self) -> str:
        return f"[{self.host}]:{self.port}" if ":" in self.host else f"{self.host}:{self.port}"


def parse_bootstrap_servers(servers: str | Sequence[str]) -> tuple[BrokerAddress, ...]:
    """Parse bootstrap servers; the default port is 9092. Raises ValueError for an invalid address."""
    names = servers.split(",") if isinstance(servers, str) else list(servers)
    addresses = tuple(_parse(name.strip()) for name in names if name.strip())
    if not addresses:
        raise ValueError("No bootstrap server is given: name at least one as host:port, several with commas.")
    return addresses


def _parse(name: str) -> BrokerAddress:
    host, colon, port = name.rpartition(":")
    if not colon or (name.startswith("[") and name.endswith("]")):
        host, port = name, str(DEFAULT_PORT)
    host = host.removeprefix("[").removesuffix("]")
    if not host or not port.isascii() or not port.isdigit() or not 0 < int(port) < 65_536:
        raise ValueError(f"Invalid broker address {name!r}: write it as host:port.")
    return BrokerAddress(host, int(port))
