"""Identity of a client, as access control lists and logs name it."""

from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True)
class Principal:
    """Authenticated identity of a connection. `str` returns Kafka's notation, such as `User:alice`."""

    kind: str
    name: str

    def __str__(self) -> str:
        return f"{self.kind}:{self.name}"


ANONYMOUS: Final = Principal("User", "ANONYMOUS")
"""Principal of clients that the listener does not authenticate."""
