"""Parser of Spark's DDL for columns, which returns an Arrow schema and needs no Java.

Spark users write a schema as `"tailnum string, dest string, arr_delay double"`. Since a pipeline's functions also run
in unit tests without Spark, this module parses it: all types that Arrow and Spark share, including nested ones. Columns
are nullable.
"""

import re
from typing import Final, NoReturn

import pyarrow as pa

from tenure.pipeline.errors import BadSchema

TYPES: Final[dict[str, pa.DataType]] = {
    "boolean": pa.bool_(),
    "byte": pa.int8(),
    "tinyint": pa.int8(),
    "short": pa.int16(),
    "smallint": pa.int16(),
    "int": pa.int32(),
    "integer": pa.int32(),
    "long": pa.int64(),
    "bigint": pa.int64(),
    "float": pa.float32(),
    "real": pa.float32(),
    "double": pa.float64(),
    "string": pa.string(),
    "binary": pa.binary(),
    "date": pa.date32(),
    "timestamp": pa.timestamp("us", "UTC"),
    "timestamp_ntz": pa.timestamp("us"),
}

TOKEN: Final = re.compile(r"\s*(`[^`]+`|\w+|[<>(),:])")


def schema(ddl: str) -> pa.Schema:
    """Return the Arrow schema of a Spark DDL string such as "tailnum string, delay double".

    Raises:
        BadSchema: The string is invalid; the message names the part that cannot be read.
    """
    reader = DdlParser(ddl)
    fields = reader.fields(end=None)
    names = [field.name for field in fields]
    if twice := sorted({name for name in names if names.count(name) > 1}):
        raise BadSchema(f"The schema '{ddl}' has the column {twice[0]} twice: rename one of them.")
    return pa.schema(fields)


class DdlParser:
    """Recursive-descent parser of one DDL string."""

    def __init__(self, ddl: str) -> None:
        self.ddl = ddl
        self.tokens: list[str] = []
        at = 0
        while at < len(ddl.rstrip()):
            if not (match := TOKEN.match(ddl, at)):
                self.fail(ddl[at:].strip())
            self.tokens.append(match.group(1))
            at = match.end()

    def fields(self, end: str | None) -> list[pa.Field]:
        """Parse `name type, name: type, …` up to the token `end`, or to the end of the string."""
        fields = [self.field()]
        while (token := self.next()) == ",":
            fields.append(self.field())
        if token != end:
            self.fail(token)
        return fields

    def field(self) -> pa.Field:
        name = self.name()
        if self.peek() == ":":
            self.next()
        field = pa.field(name, self.type())
        if self.peek_words(2) == ["not", "null"]:
            self.fail("not null", "all columns are nullable, remove it")
        return field

    def name(self) -> str:
        token = self.next()
        if token is None or not re.fullmatch(r"`[^`]+`|\w+", token):
            self.fail(token)
        return token.strip("`")

    def type(self) -> pa.DataType:
        word = self.name().lower()
        if word in ("decimal", "dec", "numeric"):
            return self.decimal()
        if word in ("array", "map", "struct"):
            return self.nested(word)
        if word not in TYPES:
            self.fail(word, f"known types are {', '.join(TYPES)}, decimal(p, s), array<…>, map<…>, struct<…>")
        return TYPES[word]

    def decimal(self) -> pa.DataType:
        if self.peek() != "(":
            return pa.decimal128(10, 0)
        self.expect("(")
        precision, scale = self.number(), 0
        if self.peek() == ",":
            self.next()
            scale = self.number()
        self.expect(")")
        if not 0 <= scale <= precision <= 38 or not precision:
            self.fail(
                f"decimal({precision}, {scale})", "use a precision of 1 to 38 and a scale of at most the precision"
            )
        return pa.decimal128(precision, scale)

    def nested(self, word: str) -> pa.DataType:
        self.expect("<")
        if word == "struct":
            return pa.struct(self.fields(end=">"))
        first = self.type()
        if word == "array":
            self.expect(">")
            return pa.list_(first)
        self.expect(",")
        values = self.type()
        self.expect(">")
        return pa.map_(first, values)

    def number(self) -> int:
        token = self.next()
        if token is None or not token.isdigit():
            self.fail(token)
        return int(token)

    def expect(self, wanted: str) -> None:
        if (token := self.next()) != wanted:
            self.fail(token, f"expected '{wanted}'")

    def peek(self) -> str | None:
        return self.tokens[0] if self.tokens else None

    def peek_words(self, count: int) -> list[str]:
        return [token.lower() for token in self.tokens[:count]]

    def next(self) -> str | None:
        return self.tokens.pop(0) if self.tokens else None

    def fail(self, token: str | None, reason: str = "write it like 'name type, name type'") -> NoReturn:
        position = f"at '{token}'" if token else "at its end"
        raise BadSchema(f"The schema '{self.ddl}' cannot be read {position}: {reason}.")
