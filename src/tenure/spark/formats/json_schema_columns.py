"""Conversion of the properties of a JSON Schema to columns."""

from collections.abc import Iterator, Mapping
from typing import Any, Final, TypeAlias

import pyarrow as pa

from tenure.pipeline.errors import BadSchema

Schema: TypeAlias = Any
"""A parsed JSON Schema: an object or a boolean."""

SIMPLE: Final = {"integer": pa.int64(), "number": pa.float64(), "boolean": pa.bool_(), "string": pa.string()}

TEXTS: Final = {"date-time": pa.timestamp("us", "UTC"), "date": pa.date32()}
"""Column types of strings, by the `format` of the property."""

LOCAL: Final = "#/"


def schema_columns(schema: Schema) -> pa.Schema:
    """Return a column for each property of an object.

    Raises BadSchema if there are no properties, or a property has no type.
    """
    columns = list(properties_of(schema, schema, ()))
    if not columns:
        raise BadSchema("The JSON Schema of a topic's values must be an object with properties, which become columns.")
    return pa.schema(columns)


def properties_of(schema: Schema, root: Schema, within: tuple[str, ...]) -> Iterator[pa.Field]:
    """Yield a column for each property of an object.

    `within` are the references that were followed from the root to this object.
    """
    schema, within = resolve_schema(schema, root, within)
    for name, value in schema.get("properties", {}).items():
        yield pa.field(name, arrow_type(value, name, root, within))


def arrow_type(schema: Schema, name: str, root: Schema, within: tuple[str, ...]) -> pa.DataType:
    """Return the type of the column for a property."""
    schema, within = resolve_schema(schema, root, within)
    kinds = types_of(schema)
    if len(kinds) != 1:
        raise no_column(name)
    match kinds[0]:
        case "object" if fields := list(properties_of(schema, root, within)):
            return pa.struct(fields)
        case "array" if isinstance(schema.get("items"), Mapping):
            return pa.list_(arrow_type(schema["items"], name, root, within))
        case "string":
            return TEXTS.get(schema.get("format", ""), pa.string())
        case kind if kind in SIMPLE:
            return SIMPLE[kind]
    raise no_column(name)


def types_of(schema: Schema) -> list[str]:
    """Return the types that a schema allows, without null."""
    declared = schema.get("type", [])
    if not declared and (values := [value for value in schema.get("enum", ()) if value is not None]):
        declared = "string" if all(isinstance(value, str) for value in values) else []
    return [kind for kind in ([declared] if isinstance(declared, str) else declared) if kind != "null"]


def resolve_schema(
    schema: Schema, root: Schema, within: tuple[str, ...] = ()
) -> tuple[Mapping[str, Any], tuple[str, ...]]:
    """Resolve references and nullable types.

    A reference is replaced by its target. An `anyOf` or `oneOf` with only one schema besides null is replaced by that
    schema. Returns the resulting schema, and the references in `within` followed by those that were resolved.
    """
    while isinstance(schema, Mapping):
        reference = schema.get("$ref")
        some = [one for one in schema.get("anyOf", schema.get("oneOf", ())) if one != {"type": "null"}]
        if reference is not None:
            if reference in within:
                raise BadSchema(
                    f"The JSON Schema {reference} contains itself, so it cannot be converted to columns: set columns=."
                )
            schema, within = find_reference(reference, root), (*within, reference)
        elif len(some) == 1:
            schema = some[0]
        else:
            return schema, within
    return {}, within


def find_reference(reference: str, root: Schema) -> Schema:
    """Return the part of the schema that a reference names. Raises BadSchema if it is not in this schema."""
    found = root
    if reference == "#":
        return found
    for step in reference.removeprefix(LOCAL).split("/") if reference.startswith(LOCAL) else [reference]:
        found = found.get(step.replace("~1", "/").replace("~0", "~")) if isinstance(found, Mapping) else None
        if found is None:
            raise BadSchema(
                f"The reference {reference} of the JSON Schema has no target: refer to a part of the schema."
            )
    return found


def no_column(name: str) -> BadSchema:
    """Return the error for a property without a column type."""
    return BadSchema(
        f"The property {name} of the JSON Schema cannot be converted to a column: give it one type besides null, or"
        " set columns=."
    )


def without_optional_nulls(value: Any, schema: Schema, root: Schema) -> Any:
    """Remove properties that are null and not required. So a null in a column becomes an absent property."""
    schema, _ = resolve_schema(schema, root)
    if isinstance(value, dict):
        parts, required = schema.get("properties", {}), schema.get("required", ())
        return {
            name: without_optional_nulls(part, parts.get(name, {}), root)
            for name, part in value.items()
            if part is not None or name in required
        }
    if isinstance(value, list):
        return [without_optional_nulls(part, schema.get("items", {}), root) for part in value]
    return value
