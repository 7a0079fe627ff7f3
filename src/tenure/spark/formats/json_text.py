"""Rows as JSON text: one object each, which `json(…)` with the same columns reads as the same row."""

from datetime import date, datetime
from decimal import Decimal
from json import JSONEncoder
from typing import Final

import pyarrow as pa


def json_text(rows: pa.Table) -> list[bytes]:
    """Return each row as JSON text.

    NaN and infinities, for which JSON has no form, are written as Python, Java's parsers and Arrow read them.
    """
    encode = ENCODER.encode
    return [encode(row).encode() for row in rows.to_pylist(maps_as_pydicts="strict")]


def encode_value(value: object) -> str:
    """Return a value for the JSON encoder. Raises UnicodeDecodeError for bytes that are not text."""
    match value:
        case datetime() | date():
            return value.isoformat()
        case Decimal():
            return str(value)
        case bytes():
            return value.decode()
        case _:
            raise TypeError(f"{type(value).__name__} cannot be written as JSON")


ENCODER: Final = JSONEncoder(ensure_ascii=False, separators=(",", ":"), default=encode_value)
