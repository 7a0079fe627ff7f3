"""JSON values with a JSON Schema, as columns.

Each value is validated when it is read and when it is written. Values are plain, or begin with the header of
Confluent's serialisers. Values are validated against the declared schema, and not against the writer's schema.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from textwrap import shorten
from typing import Any, Literal

import pyarrow as pa
import pyarrow.compute as pc

from tenure.limits.pipeline import REASON_CHARACTERS_MAX
from tenure.pipeline.errors import BadSchema, PipelineConfigError
from tenure.pipeline.values import ddl
from tenure.pipeline.values.decoded_records import BadRecord, Decoded
from tenure.spark.formats.framing import UndecodableValue, confluent_header, split_confluent
from tenure.spark.formats.json_schema_columns import schema_columns, without_optional_nulls
from tenure.spark.formats.record_values import (
    ENCODER,
    ORIGIN,
    Json,
    add_origin_columns,
    check_columns,
    json_text,
)
from tenure.spark.formats.schema_registry import SchemaRegistry, WriterSchema, registry_of


@dataclass(frozen=True, slots=True)
class JsonSchema:
    """Format of JSON objects that are valid under a JSON Schema. Properties without a column are ignored."""

    declared: str
    """The schema, as JSON."""
    columns: pa.Schema
    is_framed: bool = False
    """True if values begin with the header of Confluent's serialisers."""
    registry: SchemaRegistry | None = None

    @property
    def schema(self) -> pa.Schema:
        """Columns of a row: the columns of the value, then key, partition, offset and timestamp of the record."""
        return pa.schema([*self.columns, *ORIGIN])

    @property
    def writer_schema(self) -> WriterSchema:
        """Schema with which values are written, in the form for a schema registry."""
        return WriterSchema("JSON", self.declared)

    def decode(self, records: pa.Table, partition: int) -> Decoded:
        """Return the records as rows, and the bad records."""
        texts, bad = list[bytes | None](), list[BadRecord]()
        for number, value in enumerate(records["value"].to_pylist()):
            try:
                texts.append(None if value is None else self.valid_text(value))
            except UndecodableValue as error:
                texts.append(None)
                bad.append(
                    BadRecord(records["offset"][number].as_py(), f"its value does not match the JSON Schema ({error})")
                )
        given = pa.table({"offset": records["offset"], "value": pa.array(texts, pa.binary())})
        if bad:
            given = given.filter(pc.invert(pc.is_in(given["offset"], value_set=pa.array([one.offset for one in bad]))))
        rows, more = Json(self.columns, ddl_of(self.columns)).parse_all(given)
        return add_origin_columns(rows, [*bad, *more], records, partition)

    def valid_text(self, value: bytes) -> bytes:
        """Return the JSON text of a value. Raises UndecodableValue if it is not valid."""
        text = split_confluent(value)[1] if self.is_framed else value
        try:
            self.validate(json.loads(text))
        except (ValueError, RecursionError) as error:
            raise UndecodableValue(str(error)) from error
        return text

    def validate(self, value: Any) -> None:
        """Raise ValueError if a JSON value is invalid. The message contains the invalid part and the reason."""
        error = next(validator(self.declared).iter_errors(value), None)
        if error is not None:
            path = "/".join(map(str, error.instance_path))
            reason = shorten(error.message, REASON_CHARACTERS_MAX, placeholder=" …")
            raise ValueError(f"{path}: {reason}" if path else reason)

    def encode(self, rows: pa.Table, topic: str) -> pa.Array:
        """Return the record values for these rows. The rows have exactly the columns `self.columns`.

        Raises ValueError for a row that is not valid.
        """
        head, schema, values = self.value_header(topic), json.loads(self.declared), list[bytes]()
        for text in json_text(rows):
            value = without_optional_nulls(json.loads(text), schema, schema)
            # A row with only nulls is not validated: a topic gets a null value (a tombstone) for it.
            if any(column is not None for column in value.values()):
                self.validate(value)
            values.append(head + ENCODER.encode(value).encode())
        return pa.array(values, pa.binary())

    def check_writable(self) -> None:
        """Raise PipelineConfigError if values have a header, but no registry is set that provides the schema's id."""
        if self.is_framed and self.registry is None:
            raise PipelineConfigError(
                "Writing JSON with framing='confluent' needs a schema registry for the id of the schema: set registry=."
            )

    def value_header(self, topic: str) -> bytes:
        """Return the header of the values that are written to a topic."""
        if self.registry is None:
            return b""
        return confluent_header(self.registry.schema_id(topic, self.writer_schema))


@cache
def validator(schema: str) -> Any:
    """Return the validator of a schema. It does not read other documents to which the schema refers."""
    import jsonschema_rs

    def refuse(uri: str) -> Any:
        raise ValueError(f"reference {uri} is in another document, which is not loaded")

    return jsonschema_rs.validator_for(json.loads(schema), retriever=refuse)


def ddl_of(columns: pa.Schema) -> str:
    """Return the columns as Spark DDL, for an error message."""
    return ", ".join(f"{column.name} {column.type}" for column in columns)


def json_schema(
    schema: str | Mapping[str, Any],
    *,
    columns: str | None = None,
    framing: Literal["none", "confluent"] = "none",
    registry: SchemaRegistry | str | None = None,
) -> JsonSchema:
    """Declare values that are JSON objects with a JSON Schema. Its properties become columns.

    A value that is not valid is a bad record. When rows are written, a null column is left out, unless the schema
    requires it.

    Args:
        schema: The schema, as JSON text or parsed. References to other documents are not read.
        columns: Columns as Spark DDL. Set them if the properties cannot be converted to columns, or to read only some.
        framing: "none", or "confluent": each value begins with the id of its writer's schema.
        registry: Schema registry for the schema of written values, or its URL. Implies framing="confluent".

    Raises:
        BadSchema: The schema is invalid, or cannot be converted to columns.
        PipelineConfigError: Another argument is invalid, or jsonschema-rs is missing.
    """
    try:
        import jsonschema_rs
    except ImportError:
        raise PipelineConfigError(
            "json_schema(…) needs the package jsonschema-rs: pip install 'tenure[json-schema]'."
        ) from None
    if framing not in ("none", "confluent"):
        raise PipelineConfigError(f"Unknown framing='{framing}': use none or confluent.")
    text = schema if isinstance(schema, str) else json.dumps(schema)
    try:
        validator(text)
    except (ValueError, jsonschema_rs.ReferencingError) as error:
        raise BadSchema(f"Invalid JSON Schema ({' '.join(str(error).split())}): {text[:200]}") from error
    found = schema_columns(json.loads(text)) if columns is None else ddl.schema(columns)
    check_columns(found, "the JSON Schema")
    given = registry_of(registry)
    return JsonSchema(text, found, framing == "confluent" or given is not None, given)
