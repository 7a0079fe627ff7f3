"""Values of records as columns: Avro. The reader's schema is declared; writers may have used another.

Values are plain, or begin with a header: that of Confluent's serialisers (a zero byte, then the id of the writer's
schema in four bytes), or that of Avro's single-object encoding. Writers' schemas are given by id, or fetched from a
schema registry, once for each id and worker. fastavro decodes value by value.
"""

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from io import BytesIO
from typing import Any, Final, Literal, TypeAlias, cast

import pyarrow as pa

from tenure.limits.spark import SCHEMA_REGISTRY_TIMEOUT_S
from tenure.pipeline.errors import BadSchema, PipelineConfigError
from tenure.pipeline.values.bad_records import BadRecord, Decoded
from tenure.spark.formats.avro_schema import Schema, canonical_schema, schema_columns, schema_text, without_uuid_types
from tenure.spark.formats.record_values import ORIGIN, add_origin_columns, check_columns

Framing: TypeAlias = Literal["none", "confluent", "single-object"]

CONFLUENT: Final = b"\x00"
SINGLE_OBJECT: Final = b"\xc3\x01"
CONFLUENT_BYTES, SINGLE_OBJECT_BYTES = 5, 10

_writer_schemas: dict[tuple[str, int], Schema] = {}
"""Writers' schemas that this process has fetched, by registry and id."""


class UndecodableValue(ValueError):
    """A value does not have the declared schema. The message is a clause."""


@dataclass(frozen=True, slots=True)
class Avro:
    """Avro records. Fields that are not declared are ignored, by the rules of schema resolution."""

    declared: str
    """The reader's schema, as JSON."""
    columns: pa.Schema
    framing: Framing
    writers: Mapping[int, str] | str | None

    @property
    def schema(self) -> pa.Schema:
        """Columns of a row: those of the value, then its origin."""
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
        columns = [pa.array([row and row[field.name] for row in rows], field.type) for field in self.columns]
        return add_origin_columns(pa.table(columns, schema=self.columns), bad, records, partition)

    def encode(self, rows: pa.Table) -> pa.Array:
        """Return the values for these rows, which have exactly `columns`.

        Raises ValueError for a row of another schema.
        """
        import fastavro

        own, head = fastavro.parse_schema(without_uuid_types(json.loads(self.declared))), self.value_header()
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

    def value_header(self) -> bytes:
        """Return the header of written values. Raises PipelineConfigError if the id of the schema is not known."""
        if self.framing == "none":
            return b""
        import fastavro

        own = canonical_schema(self.declared)
        if self.framing == "single-object":
            return SINGLE_OBJECT + bytes.fromhex(fastavro.schema.fingerprint(own, "CRC-64-AVRO"))
        given = {} if self.writers is None or isinstance(self.writers, str) else self.writers
        number = next((number for number, schema in given.items() if canonical_schema(schema) == own), None)
        if number is None:
            raise PipelineConfigError(
                "Writing with framing='confluent' needs the id of the schema: register the schema and set"
                " writers={id: schema}."
            )
        return CONFLUENT + number.to_bytes(CONFLUENT_BYTES - len(CONFLUENT), "big")

    def value_decoder(self) -> Callable[[bytes], dict[str, Any]]:
        """Return a function that decodes a value. It parses each schema once."""
        import fastavro

        own = fastavro.parse_schema(without_uuid_types(json.loads(self.declared)))
        known: dict[bytes, Schema] = {}

        def read(value: bytes) -> dict[str, Any]:
            header, start = self.split_header(value)
            if header not in known:
                known[header] = self.writer_schema(header, own)
            datum = BytesIO(value)
            datum.seek(start)
            try:
                row: Any = fastavro.schemaless_reader(datum, known[header], own)
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

    def split_header(self, value: bytes) -> tuple[bytes, int]:
        """Return the header that names the writer's schema, and the position of the data."""
        if self.framing == "none":
            return b"", 0
        magic, size = (
            (CONFLUENT, CONFLUENT_BYTES) if self.framing == "confluent" else (SINGLE_OBJECT, SINGLE_OBJECT_BYTES)
        )
        if not value.startswith(magic) or len(value) < size:
            raise UndecodableValue(f"the header of framing='{self.framing}' is missing")
        return value[len(magic) : size], size

    def writer_schema(self, header: bytes, own: Schema) -> Schema:
        """Return the writer's schema for a header."""
        import fastavro

        if not header or self.writers is None:
            return own
        number = int.from_bytes(header, "big" if self.framing == "confluent" else "little")
        if isinstance(self.writers, str):
            return writer_schema_from(self.writers, number)
        if number not in self.writers:
            raise UndecodableValue(f"writers has no schema with the id {number}")
        return fastavro.parse_schema(without_uuid_types(json.loads(self.writers[number])))


def writer_schema_from(registry: str, number: int) -> Schema:
    """Return the schema with this id from a schema registry.

    Raises:
        OSError: The registry does not answer; the batch is tried again.
    """
    from urllib.error import HTTPError
    from urllib.request import Request, urlopen

    import fastavro

    if (registry, number) not in _writer_schemas:
        url = Request(f"{registry}/schemas/ids/{number}", headers={"Accept": "application/vnd.schemaregistry.v1+json"})
        try:
            with urlopen(url, timeout=SCHEMA_REGISTRY_TIMEOUT_S) as response:
                answer = json.load(response)
        except HTTPError as error:
            if error.code == 404:
                raise UndecodableValue(f"the schema registry {registry} has no schema {number}") from error
            raise
        _writer_schemas[registry, number] = fastavro.parse_schema(without_uuid_types(json.loads(answer["schema"])))
    return _writer_schemas[registry, number]


def avro(
    schema: str | Mapping[str, Any],
    *,
    framing: Framing = "none",
    writers: Mapping[int, str | Mapping[str, Any]] | str | None = None,
) -> Avro:
    """Declare values that are Avro records. The fields of the schema become columns.

    Args:
        schema: The reader's schema, as JSON text or parsed.
        framing: "none", "confluent" (each value begins with the id of its writer's schema), or "single-object" (with
            the fingerprint, CRC-64-AVRO).
        writers: Writers' schemas by id or fingerprint, or the URL of a schema registry. Other values were written with
            `schema` itself.

    Raises:
        BadSchema: The schema is invalid, or has no form as columns.
        PipelineConfigError: Another argument is invalid, or fastavro is missing.
    """
    try:
        import fastavro
    except ImportError:
        raise PipelineConfigError("avro(…) needs the package fastavro: pip install 'tenure[avro]'.") from None
    text = schema_text(schema)
    try:
        fastavro.parse_schema(without_uuid_types(json.loads(text)))
    except (ValueError, fastavro.schema.SchemaParseException, fastavro.schema.UnknownType) as error:
        raise BadSchema(f"Invalid Avro schema ({error}): {text[:200]}") from error
    if framing not in ("none", "confluent", "single-object"):
        raise PipelineConfigError(f"Unknown framing='{framing}': use none, confluent or single-object.")
    if framing == "confluent" and writers is None:
        raise PipelineConfigError(
            "framing='confluent' needs writers=: set the writers' schemas by id, or the URL of a schema registry."
        )
    columns = schema_columns(json.loads(text))
    check_columns(columns, "the Avro schema")
    if isinstance(writers, Mapping):
        return Avro(text, columns, framing, {number: schema_text(writer) for number, writer in writers.items()})
    return Avro(text, columns, framing, writers and writers.rstrip("/"))
