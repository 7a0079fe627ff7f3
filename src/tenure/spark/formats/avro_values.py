"""Avro values as columns. The reader's schema is declared; writers may have used other schemas.

Values are plain, or begin with a header: that of Confluent's serialisers (a zero byte, then the id of the writer's
schema in four bytes), or that of Avro's single-object encoding. Writers' schemas are declared by id, or read from a
schema registry. fastavro decodes the values one by one.
"""

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from io import BytesIO
from typing import Any, Final, cast, get_args

import pyarrow as pa

from tenure.limits.spark import WRITER_SCHEMAS_MAX
from tenure.pipeline.errors import BadSchema, PipelineConfigError
from tenure.pipeline.values.decoded_records import BadRecord, Decoded
from tenure.spark.formats.avro_schema import Schema, canonical_schema, schema_columns, schema_text, without_uuid_types
from tenure.spark.formats.framing import (
    CONFLUENT_BYTES,
    Framing,
    UndecodableValue,
    confluent_header,
    split_confluent,
)
from tenure.spark.formats.record_values import ORIGIN, add_origin_columns, check_columns
from tenure.spark.formats.schema_registry import SchemaRegistry, WriterSchema, registry_of

SINGLE_OBJECT: Final = b"\xc3\x01"
SINGLE_OBJECT_BYTES = 10


@dataclass(frozen=True, slots=True)
class Avro:
    """Format of Avro records. By the rules of schema resolution, fields that are not declared are ignored."""

    declared: str
    """The reader's schema, as JSON."""
    columns: pa.Schema
    framing: Framing
    writers: Mapping[int, str] | None = None
    """Writers' schemas by id or fingerprint."""
    registry: SchemaRegistry | None = None

    @property
    def writer_schema(self) -> WriterSchema:
        """Schema with which values are written, in the form for a schema registry."""
        return WriterSchema("AVRO", self.declared)

    @property
    def schema(self) -> pa.Schema:
        """Columns of a row: the columns of the value, then key, partition, offset and timestamp of the record."""
        return pa.schema([*self.columns, *ORIGIN])

    def decode(self, records: pa.Table, partition: int) -> Decoded:
        """Return the records as rows, and the bad records."""
        rows, bad = list[dict[str, Any] | None](), list[BadRecord]()
        read = self.value_decoder()
        for number, value in enumerate(records["value"].to_pylist()):
            try:
                rows.append(None if value is None else read(value))
            except UndecodableValue as error:
                bad.append(
                    BadRecord(
                        records["offset"][number].as_py(),
                        f"its value does not match the declared Avro schema ({error})",
                    )
                )
        columns = pa.array(rows, pa.struct(list(self.columns))).flatten()
        return add_origin_columns(pa.table(columns, schema=self.columns), bad, records, partition)

    def encode(self, rows: pa.Table, topic: str) -> pa.Array:
        """Return the record values for these rows. The rows have exactly the columns `self.columns`.

        Raises ValueError for a row that does not fit the schema.
        """
        import fastavro

        own, head = parse_schema(self.declared), self.value_header(topic)
        values = list[bytes]()
        for row in rows.to_pylist(maps_as_pydicts="strict"):
            value = BytesIO(head)
            value.seek(len(head))
            try:
                fastavro.schemaless_writer(value, own, row, strict_allow_default=True)
            except (AttributeError, IndexError, KeyError, OverflowError, TypeError, ValueError) as error:
                raise ValueError(f"the row does not match the Avro schema: {error}") from error
            values.append(value.getvalue())
        return pa.array(values, pa.binary())

    def check_writable(self) -> None:
        """Raise PipelineConfigError if values need a schema id, and neither `writers` nor a registry provides it."""
        if self.registry is None:
            self.value_header("")

    def value_header(self, topic: str) -> bytes:
        """Return the header of the values that are written to a topic."""
        if self.framing == "none":
            return b""
        if self.registry is not None:
            return confluent_header(self.registry.schema_id(topic, self.writer_schema))
        import fastavro

        own = canonical_schema(self.declared)
        if self.framing == "single-object":
            return SINGLE_OBJECT + bytes.fromhex(fastavro.schema.fingerprint(own, "CRC-64-AVRO"))
        given = self.writers or {}
        number = next((number for number, schema in given.items() if canonical_schema(schema) == own), None)
        if number is None:
            raise PipelineConfigError(
                "Writing with framing='confluent' needs the id of the schema: set registry=, or register the schema and"
                " set writers={id: schema}."
            )
        return confluent_header(number)

    def value_decoder(self) -> Callable[[bytes], dict[str, Any]]:
        """Return a function that decodes a value. It parses each schema once."""
        import fastavro

        own = parse_schema(self.declared)

        def read(value: bytes) -> dict[str, Any]:
            schema_id, start = self.split_header(value)
            writers = own if schema_id is None else self.parsed_writer(schema_id)
            datum = BytesIO(value)
            datum.seek(start)
            try:
                row: Any = fastavro.schemaless_reader(datum, writers, own)
            except (EOFError, IndexError, KeyError, TypeError, ValueError, OverflowError) as error:
                raise UndecodableValue(
                    f"{type(error).__name__}: {error}" if str(error) else "the value is truncated"
                ) from error
            except fastavro.read.SchemaResolutionError as error:
                raise UndecodableValue(f"the writer's schema is incompatible: {error}") from error
            if datum.tell() != len(value):
                raise UndecodableValue(f"{len(value) - datum.tell()} bytes follow the last field")
            return cast("dict[str, Any]", row)

        return read

    def split_header(self, value: bytes) -> tuple[int | None, int]:
        """Return the id or fingerprint of the writer's schema, and the position of the data after the header.

        The id is None for values without a header.
        """
        if self.framing == "none":
            return None, 0
        if self.framing == "confluent":
            return split_confluent(value[:CONFLUENT_BYTES])[0], CONFLUENT_BYTES
        if not value.startswith(SINGLE_OBJECT) or len(value) < SINGLE_OBJECT_BYTES:
            raise UndecodableValue("the header of framing='single-object' is missing")
        return int.from_bytes(value[len(SINGLE_OBJECT) : SINGLE_OBJECT_BYTES], "little"), SINGLE_OBJECT_BYTES

    def parsed_writer(self, schema_id: int) -> Schema:
        """Return the writer's schema with this id or fingerprint."""
        if self.registry is not None:
            return parse_schema(self.registry.schema(schema_id))
        if self.writers is None:
            return parse_schema(self.declared)
        if schema_id not in self.writers:
            raise UndecodableValue(f"writers= has no schema with the id {schema_id}")
        return parse_schema(self.writers[schema_id])


@lru_cache(WRITER_SCHEMAS_MAX)
def parse_schema(schema: str) -> Schema:
    """Parse a schema into fastavro's form."""
    import fastavro

    return fastavro.parse_schema(without_uuid_types(json.loads(schema)))


def avro(
    schema: str | Mapping[str, Any],
    *,
    framing: Framing = "none",
    writers: Mapping[int, str | Mapping[str, Any]] | str | None = None,
    registry: SchemaRegistry | str | None = None,
) -> Avro:
    """Declare values that are Avro records. The fields of the schema become columns.

    Args:
        schema: The reader's schema, as JSON text or parsed. It is also the schema of written values.
        framing: "none", "confluent" (each value begins with the id of its writer's schema), or "single-object" (with
            the fingerprint, CRC-64-AVRO).
        writers: Writers' schemas by id or fingerprint. All other values were written with `schema`.
        registry: Schema registry with the writers' schemas, or its URL. Implies framing="confluent".

    Raises:
        BadSchema: The schema is invalid, or cannot be converted to columns.
        PipelineConfigError: Another argument is invalid, or fastavro is missing.
    """
    try:
        import fastavro
    except ImportError:
        raise PipelineConfigError("avro(…) needs the package fastavro: pip install 'tenure[avro]'.") from None
    text = schema_text(schema)
    try:
        parse_schema(text)
    except (ValueError, fastavro.schema.SchemaParseException, fastavro.schema.UnknownType) as error:
        raise BadSchema(f"Invalid Avro schema ({error}): {text[:200]}") from error
    if isinstance(writers, str):  # In earlier versions, `writers` could be the URL of the registry.
        writers, registry = None, writers
    framing = check_framing(framing, writers, registry_of(registry))
    columns = schema_columns(json.loads(text))
    check_columns(columns, "the Avro schema")
    by_id = None if writers is None else {number: schema_text(writer) for number, writer in writers.items()}
    return Avro(text, columns, framing, by_id, registry_of(registry))


def check_framing(framing: Framing, writers: object, registry: SchemaRegistry | None) -> Framing:
    """Return the framing of values. Raises PipelineConfigError if it does not fit the other arguments."""
    if framing not in get_args(Framing):
        raise PipelineConfigError(f"Unknown framing='{framing}': use none, confluent or single-object.")
    if registry is not None and framing == "single-object":
        raise PipelineConfigError("registry= needs framing='confluent', not 'single-object': leave framing= out.")
    if registry is not None and writers is not None:
        raise PipelineConfigError("writers= has no effect with registry=: set one of them.")
    if framing == "confluent" and writers is None and registry is None:
        raise PipelineConfigError(
            "framing='confluent' needs writers= or registry=: set the writers' schemas by id, or a schema registry."
        )
    return framing if registry is None else "confluent"
