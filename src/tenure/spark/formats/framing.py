"""Headers of values, which identify the writer's schema."""

from typing import Final, Literal, TypeAlias

Framing: TypeAlias = Literal["none", "confluent", "single-object"]

CONFLUENT: Final = b"\x00"
CONFLUENT_BYTES: Final = 5
"""Size of the header of Confluent's serialisers: a zero byte, and the id of the schema in four bytes."""


class UndecodableValue(ValueError):
    """A value does not have the declared schema. The message is a clause, such as "the header is missing"."""


def confluent_header(schema_id: int) -> bytes:
    """Return the header for a schema with this id."""
    return CONFLUENT + schema_id.to_bytes(CONFLUENT_BYTES - len(CONFLUENT), "big")


def split_confluent(value: bytes) -> tuple[int, bytes]:
    """Return the schema id in the header, and the bytes after it. Raises UndecodableValue if there is no header."""
    if not value.startswith(CONFLUENT) or len(value) < CONFLUENT_BYTES:
        raise UndecodableValue("the header of framing='confluent' is missing")
    return int.from_bytes(value[len(CONFLUENT) : CONFLUENT_BYTES], "big"), value[CONFLUENT_BYTES:]
