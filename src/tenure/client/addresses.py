"""Where brokers are, as people write it: `host:port,host:port`, IPv6 hosts in brackets."""

from collections.abc import Sequence
from typing import Final, NamedTuple

DEFAULT_PORT: Final = 9092


class Address(NamedTuple):
    host: str
    port: int

    def __str__(self) -> str:
        return f"[{self.host}]:{self.port}" if ":" in self.host else f"{self.host}:{self.port}"


def parse_bootstrap_servers(servers: str | Sequence[str]) -> tuple[Address, ...]:
    """Raises ValueError with one sentence when an address cannot be read."""
    names = servers.split(",") if isinstance(servers, str) else list(servers)
    addresses = tuple(_parse(name.strip()) for name in names if name.strip())
    if not addresses:
        raise ValueError("no bootstrap server is named: give host:port, or several with commas between them")
    return addresses


def _parse(name: str) -> Address:
    host, colon, port = name.rpartition(":")
    if not colon or (name.startswith("[") and name.endswith("]")):
        host, port = name, str(DEFAULT_PORT)
    host = host.removeprefix("[").removesuffix("]")
    if not host or not port.isascii() or not port.isdigit() or not 0 < int(port) < 65_536:
        raise ValueError(f"{name!r} is no address of a broker: write it as host:port")
    return Address(host, int(port))
