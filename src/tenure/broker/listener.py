"""Where the broker listens and what it tells clients.

Nothing here authenticates yet, so only loopback is bound unless the user says `--insecure`: an open port by accident is
how a test broker becomes somebody else's.
"""

from typing import NamedTuple

from tenure.broker.start_error import StartError

LOOPBACK_NAMES = ("localhost", "::1")


class Address(NamedTuple):
    host: str
    port: int

    def __str__(self) -> str:
        return f"[{self.host}]:{self.port}" if ":" in self.host else f"{self.host}:{self.port}"

    @property
    def is_loopback(self) -> bool:
        return self.host in LOOPBACK_NAMES or self.host.startswith("127.")


def parse_listener(text: str, *, of: str) -> Address:
    """`PLAINTEXT://HOST:PORT` or `HOST:PORT`; an IPv6 host stands in brackets. `of` names the origin in errors."""
    protocol, separator, rest = text.rpartition("://")
    if separator and protocol != "PLAINTEXT":
        raise StartError(f"{of} {text} wants {protocol}, but Tenure speaks PLAINTEXT only, so far")
    if "," in rest:
        raise StartError(f"{of} {text} names several addresses: Tenure listens at one, so far")
    host, colon, port_text = rest.rpartition(":")
    if not colon or not port_text.isdecimal() or int(port_text) > 65535:
        raise StartError(f"{of} {text} is no address: write HOST:PORT, for example 127.0.0.1:9092")
    return Address(host.removeprefix("[").removesuffix("]"), int(port_text))


def refuse_open_address(address: Address, *, insecure: bool) -> None:
    if not address.is_loopback and not insecure:
        where = address.host or "every address of this host"
        raise StartError(
            f"{where} is no loopback address, and whoever reaches it could read and write everything: "
            "listen at 127.0.0.1, or say --insecure"
        )
