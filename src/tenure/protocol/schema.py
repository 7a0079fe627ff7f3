"""Notation of the message tables, in the terms of Kafka's schemas.

A `Field` describes one field in all versions of its struct:

- `versions`: versions that have the field; by default, all versions of the struct;
- `nullable`: versions in which the field may be null;
- `tag`: tag of a tagged field;
- `default`: value of the attribute after decoding a version without the field;
- `ignorable`: in a version without the field, encoding leaves out a value that is not the default. If the field is not
  ignorable, encoding fails (rule 1.1.5).
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, TypeAlias

FOREVER: Final = 0x7FFF
"""End of an open range of versions, which are int16 numbers."""


@dataclass(frozen=True)
class Versions:
    """Inclusive range of versions, written as "3+", "0-9", "1" or "none"."""

    first: int
    last: int

    @classmethod
    def parse(cls, text: str) -> "Versions":
        if text == "none":
            return cls(FOREVER, -1)
        if text.endswith("+"):
            return cls(int(text[:-1]), FOREVER)
        first, _, last = text.partition("-")
        return cls(int(first), int(last or first))

    def __contains__(self, version: int) -> bool:
        return self.first <= version <= self.last

    def __bool__(self) -> bool:
        return self.first <= self.last

    def __str__(self) -> str:
        if self.last == FOREVER:
            return f"{self.first}+"
        return str(self.first) if self.first == self.last else f"{self.first}-{self.last}"


@dataclass(frozen=True)
class Fixed:
    """Type of fixed width. `code` is its letter in the module `struct`."""

    code: str
    width: int
    python: str


@dataclass(frozen=True)
class Variable:
    """Text or bytes after their length, which is an int16 (classic string), int32 (classic bytes) or varint."""

    python: str
    length_code: str
    nullable: bool = False


@dataclass(frozen=True, eq=False)
class StructSchema:
    """Schema of a struct: its fields in order. It has the same versions as the field that contains it."""

    name: str
    fields: Sequence["Field"]


@dataclass(frozen=True, eq=False)
class ArrayOf:
    """Array: a count, then that number of elements, none of which is null."""

    element: "Fixed | Variable | StructSchema"


BOOL: Final = Fixed("?", 1, "bool")
INT8: Final = Fixed("b", 1, "int")
INT16: Final = Fixed("h", 2, "int")
UINT16: Final = Fixed("H", 2, "int")
INT32: Final = Fixed("i", 4, "int")
INT64: Final = Fixed("q", 8, "int")
FLOAT64: Final = Fixed("d", 8, "float")
UUID: Final = Fixed("16s", 16, "bytes")

STRING: Final = Variable("str", "h")
BYTES: Final = Variable("bytes", "i")
NULLABLE_STRING: Final = Variable("str", "h", nullable=True)
NULLABLE_BYTES: Final = Variable("bytes", "i", nullable=True)
CONFIG_VALUE: Final = Variable("str", "h", nullable=True)
"""Nullable string that may be longer than other strings in a request; its handler checks the length."""

RECORDS: Final = NULLABLE_BYTES
"""Record batches as bytes, nullable as in all of Kafka's schemas."""

RECORDS_IN_PLACE: Final = Variable("Data", "i", nullable=True)
"""Record batches, read as a view of the message."""

RECORDS_IN_FILE: Final = Variable("Records", "i", nullable=True)
"""Record batches, read as a view of the message; large ones are sent from a file without reading them."""

Type: TypeAlias = Fixed | Variable | StructSchema | ArrayOf
Default: TypeAlias = bool | int | float | str | bytes | None


@dataclass(frozen=True, eq=False)
class Unset:
    """Marker of a field without a stated default, whose default is the zero of its type."""


UNSET: Final = Unset()


class Field:
    """One field of a struct. `as_` is the type of its value if that is more specific than a number or a string."""

    def __init__(
        self,
        name: str,
        type_: Type,
        *,
        versions: str = "0+",
        nullable: str = "none",
        default: Default | Unset = UNSET,
        ignorable: bool = False,
        tag: int | None = None,
        as_: object = None,
    ) -> None:
        self.name: Final = name
        self.type: Final = type_
        self.versions: Final = Versions.parse(versions)
        always = isinstance(type_, Variable) and type_.nullable
        self.nullable: Final = self.versions if always else Versions.parse(nullable)
        self.default: Final = default
        self.ignorable: Final = ignorable
        self.tag: Final = tag
        self.as_: Final = getattr(as_, "__name__", None)


class MessageSchema:
    """Schema of a request, response or record: a struct with a key, versions and a first flexible version."""

    def __init__(
        self, name: str, *, key: int = -1, versions: str, flexible: str = "none", fields: Sequence[Field]
    ) -> None:
        self.struct: Final = StructSchema(name, fields)
        self.name: Final = name
        self.key: Final = key
        self.versions: Final = Versions.parse(versions)
        self.flexible: Final = Versions.parse(flexible)

    @property
    def is_request(self) -> bool:
        return self.name.endswith("Request")
