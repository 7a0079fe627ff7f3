"""Layouts of structs. All versions with the same layout share a reader and a writer, named after the first version."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final

from tenure.protocol.schema import (
    RECORDS_IN_FILE,
    RECORDS_IN_PLACE,
    UNSET,
    ArrayOf,
    Field,
    Fixed,
    MessageSchema,
    StructSchema,
    Unset,
    Variable,
)


def snake_case(name: str) -> str:
    """Convert a name in camel case to snake case, such as PartitionData to partition_data."""
    return "".join(f"_{c.lower()}" if c.isupper() else c for c in name).lstrip("_")


def nested(field: Field) -> StructSchema | None:
    """Return the struct that a field contains, directly or in an array; None if it contains none."""
    inner = field.type.element if isinstance(field.type, ArrayOf) else field.type
    return inner if isinstance(inner, StructSchema) else None


def within(struct: StructSchema) -> Iterator[StructSchema]:
    """Yield the struct itself, and all structs nested in it."""
    yield struct
    for field in struct.fields:
        if inner := nested(field):
            yield from within(inner)


def fingerprint(struct: StructSchema, version: int, flexible: bool) -> tuple[Any, ...]:
    """Return a value that is equal for two versions if and only if they have the same layout."""
    fields = []
    for field in struct.fields:
        if version in field.versions:
            inner = nested(field)
            deeper = fingerprint(inner, version, flexible) if inner else ()
            fields.append((field.name, version in field.nullable, deeper))
    return (id(struct), flexible, *fields)


@dataclass(frozen=True)
class StructLayout:
    """Layout of one struct. `version` is the first version that has it."""

    struct: StructSchema
    version: int
    flexible: bool

    @property
    def suffix(self) -> str:
        return f"{snake_case(self.struct.name)}_v{self.version}"

    @property
    def body(self) -> list[Field]:
        return [f for f in self.struct.fields if self.version in f.versions and f.tag is None]

    @property
    def tagged(self) -> list[Field]:
        found = [f for f in self.struct.fields if self.version in f.versions and f.tag is not None]
        return sorted(found, key=lambda f: f.tag or 0)

    @property
    def absent(self) -> list[Field]:
        return [f for f in self.struct.fields if self.version not in f.versions]

    def nullable(self, field: Field) -> bool:
        return self.version in field.nullable

    def bytes_min(self) -> int:
        """Return the smallest size of an encoded struct, against which counts are checked."""
        return sum(self._field_bytes_min(f) for f in self.body) + (1 if self.flexible else 0)

    def _field_bytes_min(self, field: Field) -> int:
        match field.type:
            case Fixed(width=width):
                return width
            case StructSchema() if self.nullable(field):
                return 1
            case StructSchema():
                return StructLayout(field.type, self.version, self.flexible).bytes_min()
            case _ if self.flexible:
                return 1
            case Variable(length_code="h"):
                return 2
        return 4


class Module:
    """Structs of one table file with their layouts, innermost structs first."""

    def __init__(self, table: str, messages: Sequence[MessageSchema]) -> None:
        self.table: Final = table
        self.messages: Final = messages
        self.message_names: Final = {message.name for message in messages}
        self.structs: Final[list[StructSchema]] = []
        self.singles: Final[set[str]] = set()
        """Names of structs that occur outside of arrays."""
        self.listed: Final[set[str]] = set()
        self.in_place: Final[set[str]] = set()
        """Names of structs in messages whose records are read as views."""
        self.counted: Final[set[str]] = set()
        """Names of structs in requests, where the number of elements is limited."""
        self.uncounted: Final[set[str]] = set()
        """Names of structs in responses and log records. A struct may be in both sets."""
        self._layouts: Final[dict[tuple[Any, ...], StructLayout]] = {}
        for message in messages:
            self._collect(message.struct)
            held = list(within(message.struct))
            (self.counted if message.is_request else self.uncounted).update(struct.name for struct in held)
            if any(field.type in (RECORDS_IN_FILE, RECORDS_IN_PLACE) for struct in held for field in struct.fields):
                self.in_place.update(struct.name for struct in held)
            for version in versions(message):
                self.layout(message.struct, version, version in message.flexible)

    def layout(self, struct: StructSchema, version: int, flexible: bool) -> StructLayout:
        key = fingerprint(struct, version, flexible)
        if key not in self._layouts:
            for field in struct.fields:
                inner = nested(field)
                if inner and version in field.versions:
                    self.layout(inner, version, flexible)
            self._layouts[key] = StructLayout(struct, version, flexible)
        return self._layouts[key]

    def inner(self, outer: StructLayout, field: Field) -> StructLayout:
        struct = nested(field)
        assert struct is not None
        return self.layout(struct, outer.version, outer.flexible)

    def layouts(self) -> Iterator[StructLayout]:
        """Yield the layouts of all structs. An inner struct comes before the structs that contain it."""
        yield from self._layouts.values()

    def default_names(self) -> list[str]:
        """Return the names of structs that occur outside of arrays; each has one shared default object."""
        return [snake_case(name).upper() for name in sorted(self.singles)]

    def _collect(self, struct: StructSchema) -> None:
        for field in struct.fields:
            inner = nested(field)
            if inner:
                (self.listed if isinstance(field.type, ArrayOf) else self.singles).add(inner.name)
                self._collect(inner)
        if struct not in self.structs:
            self.structs.append(struct)


def versions(message: MessageSchema) -> range:
    return range(message.versions.first, message.versions.last + 1)


def python_type(field: Field) -> str:
    """Return the type annotation of a field's attribute."""
    match field.type:
        case ArrayOf(element=StructSchema(name=name)):
            text = f"list[{name}]"
        case ArrayOf(element=Fixed(python=name) | Variable(python=name)):
            text = f"list[{field.as_ or name}]"
        case StructSchema(name=name):
            text = name
        case Fixed(python=name) | Variable(python=name):
            text = field.as_ or name
    return f"{text} | None" if field.nullable else text


def default(field: Field) -> str:
    """Return the Python expression of a field's default value."""
    match field.type:
        case _ if field.default is None:
            return "None"
        case ArrayOf():
            return "[]"
        case StructSchema(name=name):
            return f"DEFAULT_{snake_case(name).upper()}"
    value = zero(field) if isinstance(field.default, Unset) else repr(field.default)
    if field.as_ == "TopicId":
        return "ZERO_TOPIC_ID"
    return f"{field.as_}({value})" if field.as_ else value


def zero(field: Field) -> str:
    match field.type:
        case Fixed(code="16s"):
            return "bytes(16)"
        case Fixed(python=name) | Variable(python=name):
            return {
                "bool": "False",
                "int": "0",
                "float": "0.0",
                "str": '""',
                "bytes": 'b""',
                "Data": 'b""',
                "Records": 'b""',
            }[name]
    raise TypeError(f"{field.name}: no default value is known for its type")


def differs(field: Field, value: str) -> str:
    """Return a Python condition that is true if `value` is not the field's default."""
    may_be_null = bool(field.nullable)
    match field.type:
        case _ if field.default is None:
            return f"{value} is not None"
        case StructSchema():
            return f"{value} is not {default(field)} and {value} != {default(field)}"
        case ArrayOf() | Variable() if field.default is UNSET or field.default == "":
            return f"({value} is None or {value})" if may_be_null else value
        case Fixed(python="bool"):
            return f"not {value}" if field.default is True else value
        case Fixed(code="16s"):
            return f"{value} != ZERO_TOPIC_ID" if field.as_ == "TopicId" else f"any({value})"
    bare = zero(field) if isinstance(field.default, Unset) else repr(field.default)
    return f"{value} != {bare}"
