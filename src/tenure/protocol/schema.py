"""Notation of the message tables, in the terms of Kafka's own schemas.

A field describes all versions: `versions` are those that carry it (default: all of its struct), `nullable` those in
which it may be null, `tag` moves it into the tagged section. `default` is what a version without the field
means; an `ignorable` field is dropped when a version cannot carry it, any other makes the sender fail (rule 1.1.5).
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, TypeAlias

FOREVER: Final = 0x7FFF
"""The end of an open version range: versions are int16."""


@dataclass(frozen=True)
class Versions:
    """An inclusive range, written "3+", "0-9", "1" or "none"."""

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
    """A type of fixed width; `code` is its letter in the struct module."""

    code: str
    width: int
    python: str


@dataclass(frozen=True)
class Variable:
    """Text or bytes after a length: int16 for classic strings, int32 for classic bytes, a varint when compact."""

    python: str
    length_code: str
    nullable: bool = False


@dataclass(frozen=True, eq=False)
class Struct:
    """Fields in order. Its versions are those of the field that holds it."""

    name: str
    fields: Sequence["Field"]


@dataclass(frozen=True, eq=False)
class ArrayOf:
    """A count, then that number of elements, none of them null."""

    element: "Fixed | Variable | Struct"


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
"""A nullable string that may be longer than other strings of a request; the handler checks its length."""

RECORDS: Final = NULLABLE_BYTES
"""Record batches, opaque here; Kafka declares them nullable wherever they occur."""

RECORDS_IN_PLACE: Final = Variable("Data", "i", nullable=True)
"""Record batches as a view into the message that is read."""

RECORDS_IN_FILE: Final = Variable("Records", "i", nullable=True)
"""Read as a view, and written from the file of a log where the records are many."""

Type: TypeAlias = Fixed | Variable | Struct | ArrayOf
Default: TypeAlias = bool | int | float | str | bytes | None


@dataclass(frozen=True, eq=False)
class Unset:
    """Marker for a field without default: the zero of its type."""


UNSET: Final = Unset()


class Field:
    """One field of a struct. `as_` names the type of its value where that is more than a number or a string."""

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


class Message:
    """A request, a response or a record: a struct with a key, versions and a first flexible version."""

    def __init__(
        self, name: str, *, key: int = -1, versions: str, flexible: str = "none", fields: Sequence[Field]
    ) -> None:
        self.struct: Final = Struct(name, fields)
        self.name: Final = name
        self.key: Final = key
        self.versions: Final = Versions.parse(versions)
        self.flexible: Final = Versions.parse(flexible)

    @property
    def is_request(self) -> bool:
        return self.name.endswith("Request")
