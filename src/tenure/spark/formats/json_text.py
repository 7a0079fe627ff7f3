"""Rows as JSON text, one object each, that `json(…)` of the same columns reads as these rows."""

from datetime import date, datetime
from decimal import Decimal
from json import JSONEncoder
from typing import Final

import pyarrow as pa


def json_text(rows: pa.Table) -> list[bytes]:
    """Numbers that JSON has no word for (NaN, infinities) are written as Python, Java's parsers and Arrow read them."""
    encode = ENCODER.encode
    return [encode(row).encode() for row in rows.to_pylist(maps_as_pydicts="strict")]


def encode_value(value: object) -> str:
    """Of what is none of JSON's own types. Raises UnicodeDecodeError for bytes that are no text."""
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
