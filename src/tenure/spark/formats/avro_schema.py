"""Avro schemas, and their conversion to columns."""

import json
from collections.abc import Iterator, Mapping
from typing import Any, Final, TypeAlias

import pyarrow as pa

from tenure.pipeline.errors import BadSchema

Schema: TypeAlias = Any
"""A parsed Avro schema."""

PRIMITIVE: Final = {
    "null": pa.null(),
    "boolean": pa.bool_(),
    "int": pa.int32(),
    "long": pa.int64(),
    "float": pa.float32(),
    "double": pa.float64(),
    "bytes": pa.binary(),
    "string": pa.string(),
}

LOGICAL: Final = {
    "date": pa.date32(),
    "timestamp-millis": pa.timestamp("us", "UTC"),
    "timestamp-micros": pa.timestamp("us", "UTC"),
    "local-timestamp-millis": pa.timestamp("us"),
    "local-timestamp-micros": pa.timestamp("us"),
    "time-millis": pa.time64("us"),
    "time-micros": pa.time64("us"),
    "uuid": pa.string(),
}


def canonical_schema(schema: str) -> str:
    """Return the canonical form of a schema. Equal forms mean that both schemas read and write the same data."""
    import fastavro

    return str(fastavro.schema.to_parsing_canonical_form(json.loads(schema)))


def schema_text(schema: str | Mapping[str, Any]) -> str:
    """Return the schema as JSON text."""
    return schema if isinstance(schema, str) else json.dumps(schema)


def schema_columns(schema: Schema) -> pa.Schema:
    """Return the columns for the fields of a record schema."""
    if not isinstance(schema, dict) or schema.get("type") != "record":
        raise BadSchema("The Avro schema of a topic's values must be a record: its fields become columns.")
    return pa.schema(list(record_fields(schema, {})))


def record_fields(record: dict[str, Any], named: dict[str, pa.DataType]) -> Iterator[pa.Field]:
    """Yield the columns for the fields of a record."""
    for field in record["fields"]:
        yield pa.field(field["name"], arrow_type(field["type"], field["name"], named))


def arrow_type(schema: Schema, field: str, named: dict[str, pa.DataType]) -> pa.DataType:
    """Return the type of the column for a field. Raises BadSchema if there is none.

    Args:
        schema: Schema of the field.
        field: Name of the field.
        named: Types of the named schemas before this field. Named schemas in `schema` are added.
    """
    if isinstance(schema, list):
        some = [one for one in schema if one != "null"]
        if len(some) != 1:
            raise BadSchema(f"The Avro field {field} is a union of several types: use a union of one type and null.")
        return arrow_type(some[0], field, named)
    if isinstance(schema, str):
        if schema not in PRIMITIVE and schema not in named:
            raise BadSchema(
                f"The Avro field {field} has the type {schema}, which is recursive or not declared before it."
            )
        return PRIMITIVE.get(schema) or named[schema]
    kind, logical = schema["type"], schema.get("logicalType")
    if logical == "decimal":
        return pa.decimal128(schema["precision"], schema.get("scale", 0))
    if logical in LOGICAL:
        return LOGICAL[logical]
    found = nested_type(kind, schema, field, named)
    if "name" in schema:
        named[schema["name"]] = found
        named[f"{schema.get('namespace', '')}.{schema['name']}".lstrip(".")] = found
    return found


def nested_type(kind: Schema, schema: dict[str, Any], field: str, named: dict[str, pa.DataType]) -> pa.DataType:
    """Return the type for a schema that is a JSON object of the type `kind`, such as a record or an array."""
    match kind:
        case "record":
            return pa.struct(list(record_fields(schema, named)))
        case "enum":
            return pa.string()
        case "fixed":
            return pa.binary()
        case "array":
            return pa.list_(arrow_type(schema["items"], field, named))
        case "map":
            return pa.map_(pa.string(), arrow_type(schema["values"], field, named))
        case _:
            return arrow_type(kind, field, named)


def without_uuid_types(schema: Schema) -> Schema:
    """Return the schema with uuids as strings, which is their form in columns."""
    if isinstance(schema, list):
        return [without_uuid_types(one) for one in schema]
    if not isinstance(schema, dict):
        return schema
    kept = {name: value for name, value in schema.items() if (name, value) != ("logicalType", "uuid")}
    return {
        name: without_uuid_types(value) if name in ("type", "items", "values", "fields") else value
        for name, value in kept.items()
    }
