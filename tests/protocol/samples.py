"""Random messages in every version, made from the message tables."""

import os
import random
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from importlib import import_module
from typing import Any, TypeVar

import pytest

from tenure.protocol.generate import tables
from tenure.protocol.message import Message, Struct
from tenure.protocol.schema import ArrayOf, Field, Fixed, MessageSchema, StructSchema, Variable

SEED = int(os.environ.get("TENURE_TEST_SEED", random.SystemRandom().randrange(2**32)))
"""Seed of all random tests here. A failure prints it, and the environment variable of this name repeats it."""

TABLES = {table.name: (home, table) for home, messages in tables().items() for table in messages}
REQUESTS_AND_RESPONSES = sorted(name for name in TABLES if name.endswith(("Request", "Response")))

T = TypeVar("T")

WIDTHS = {"b": 8, "h": 16, "i": 32, "q": 64}
ALPHABET = "abcdefghijklmnopqrstuvwxyz-._0123456789äß→𝄞"
WORDS = ("", "flights", "host-a-thread-1", "x" * 126, "y" * 127, "z" * 128, "w" * 300)
# The other libraries convert some numbers: they accept neither unknown error codes nor all dates.
NARROW = {
    "error_code": (-1, 100),
    "partition_error_code": (-1, 100),
    "topic_config_error_code": (-1, 100),
    "timestamp": (0, 2**41),
}


def versions(table: MessageSchema) -> range:
    return range(table.versions.first, table.versions.last + 1)


def every_message_and_version() -> Iterator[tuple[str, int]]:
    for name, (_, table) in sorted(TABLES.items()):
        for version in versions(table):
            yield name, version


def message_class(name: str) -> type[Message]:
    found: type[Message] = getattr(import_module(f"tenure.protocol.generated.{TABLES[name][0]}"), name)
    return found


def rng(*parts: object) -> random.Random:
    return random.Random(f"{SEED} {parts}")


def each_version(cases: Iterable[tuple[T, int]]) -> Callable[[Callable[[T, int], None]], Callable[[T], None]]:
    """Decorate a check of a message (or API) in one version: it becomes a test per message, of all versions.

    With a test per version, pytest would need more time than the checks. A failure names the version and the seed.
    """
    versions_of: dict[T, list[int]] = defaultdict(list)
    for subject, version in cases:
        versions_of[subject].append(version)

    def decorate(check: Callable[[T, int], None]) -> Callable[[T], None]:
        @pytest.mark.parametrize("subject", versions_of)
        def test(subject: T) -> None:
            for version in versions_of[subject]:
                try:
                    check(subject, version)
                except BaseException as failure:
                    failure.add_note(f"in version {version}; to repeat it: TENURE_TEST_SEED={SEED}")
                    raise

        return test

    return decorate


class Sampler:
    """Source of random values for the fields of one version; all other fields keep their defaults."""

    def __init__(self, name: str, version: int, draw: random.Random) -> None:
        self.home, self.table = TABLES[name]
        self.module = import_module(f"tenure.protocol.generated.{self.home}")
        self.version = version
        self.draw = draw

    def message(self) -> Any:
        return self.struct(self.table.struct)

    def struct(self, struct: StructSchema) -> Struct:
        kind = getattr(self.module, struct.name)
        present = [f for f in struct.fields if self.version in f.versions]
        if self.draw.random() < 0.1:
            present = [f for f in present if f.tag is None]
        found: Struct = kind(**{f.name: self.field(f) for f in present})
        return found

    def field(self, field: Field) -> Any:
        if self.version in field.nullable and self.draw.random() < 0.2:
            return None
        match field.type:
            case ArrayOf(element=element):
                many = 200 if isinstance(element, Fixed) and self.draw.random() < 0.05 else 3
                return [self.value(field, element) for _ in range(self.draw.randint(0, many))]
            case other:
                return self.value(field, other)

    def value(self, field: Field, type_: Any) -> Any:
        draw = self.draw
        match type_:
            case StructSchema():
                return self.struct(type_)
            case Variable(python="str"):
                return (
                    draw.choice(WORDS) if draw.random() < 0.3 else "".join(draw.choices(ALPHABET, k=draw.randint(0, 9)))
                )
            case Variable():
                return draw.randbytes(draw.choice((0, 1, 7, 127, 128, 400)))
            case Fixed(code="?"):
                return draw.random() < 0.5
            case Fixed(code="16s"):
                return bytes(16) if draw.random() < 0.1 else draw.randbytes(16)
            case Fixed(code="H"):
                return draw.randrange(2**16)
            case Fixed(code="d"):
                return draw.choice((0.0, 0.5, -1024.0, draw.uniform(-1e9, 1e9)))
            case Fixed(code=code):
                return self.number(field.name, WIDTHS[code])
        raise AssertionError(type_)

    def number(self, name: str, bits: int) -> int:
        if name in NARROW:
            return self.draw.randint(*NARROW[name])
        low, high = -(2 ** (bits - 1)), 2 ** (bits - 1) - 1
        small = name.endswith("_ms") and bits == 64  # dates elsewhere
        return (
            self.draw.randrange(2**41)
            if small
            else self.draw.choice((0, -1, 1, low, high, self.draw.randint(low, high)))
        )


def sample(name: str, version: int, draw: random.Random) -> Any:
    return Sampler(name, version, draw).message()


def plain(value: Any, struct: StructSchema, version: int, blank: Callable[[Field, Any], bool]) -> list[Any]:
    """Return the fields of a struct in `version`, as nested lists in schema order.

    None for fields that `blank` selects.
    """
    present = [f for f in struct.fields if version in f.versions]
    return [_plain(getattr(value, f.name), f, version, blank) for f in present]


def _plain(value: Any, field: Field, version: int, blank: Callable[[Field, Any], bool]) -> Any:
    match field.type:
        case _ if value is None or blank(field, value):
            return None
        case ArrayOf(element=StructSchema() as inner):
            return [plain(one, inner, version, blank) for one in value]
        case StructSchema() as inner:
            return plain(value, inner, version, blank)
    return value
