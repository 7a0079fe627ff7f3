"""Between a shard's durable records and the bytes of its log."""

from typing import Protocol

from tenure.coordinator.shard import LogRecord


class Codec(Protocol):
    """One per kind of shard."""

    def encode(self, record: LogRecord) -> tuple[bytes | None, bytes | None]:
        """Key and value of the record in the log."""

    def decode(self, key: bytes | None, value: bytes | None) -> LogRecord | None:
        """None: a kind of record that this version does not know and may skip. Raises MalformedMessage."""
