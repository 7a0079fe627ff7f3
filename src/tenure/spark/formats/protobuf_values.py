"""Protobuf values as columns. The library ptars converts all messages of a batch to Arrow and back at once.

Values are plain, or begin with the header of Confluent's serialisers: the common header, then the message indexes.
These are the indexes of the message and of the messages that contain it, outermost first.

Each message is parsed as the declared message type, by field numbers. A field that the writer's type does not have gets
its default.
"""

from base64 import b64encode
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Any, Final, Literal

import pyarrow as pa
import pyarrow.compute as pc

from tenure.pipeline.errors import BadSchema, PipelineConfigError
from tenure.pipeline.values.decoded_records import BadRecord, Decoded
from tenure.spark.formats.framing import UndecodableValue, confluent_header, split_confluent
from tenure.spark.formats.protobuf_schema import (
    check_not_recursive,
    check_values,
    file_descriptors,
    message_descriptor,
    message_name,
    message_path,
    visible_columns,
    visible_type,
)
from tenure.spark.formats.record_values import ORIGIN, add_origin_columns, check_columns, to_binary
from tenure.spark.formats.schema_registry import Reference, SchemaRegistry, WriterSchema, registry_of

if TYPE_CHECKING:
    from google.protobuf.descriptor import FileDescriptor

FIRST_MESSAGE: Final = (0,)
VARINT_BYTES_MAX: Final = 5

KNOWN_FILES: Final = ("google/protobuf/", "confluent/")
"""Directories of Protobuf files that every schema registry knows already, so that they are not registered."""


@dataclass(frozen=True, slots=True)
class Protobuf:
    """Format of Protobuf messages of one type."""

    message: str
    """Full name of the message."""
    files: tuple[bytes, ...]
    """Serialised file descriptors: first the imported files, last the file with the message."""
    columns: pa.Schema
    is_framed: bool = False
    """True if values begin with the header of Confluent's serialisers."""
    registry: SchemaRegistry | None = None

    @property
    def schema(self) -> pa.Schema:
        """Columns of a row: the columns of the value, then key, partition, offset and timestamp of the record."""
        return pa.schema([*self.columns, *ORIGIN])

    def decode(self, records: pa.Table, partition: int) -> Decoded:
        """Return the records as rows, and the bad records."""
        values, bad = self.without_headers(records) if self.is_framed else (records["value"], list[BadRecord]())
        if bad:
            good = pc.invert(pc.is_in(records["offset"], value_set=pa.array([record.offset for record in bad])))
            values, offsets = values.filter(good), records["offset"].filter(good)
        else:
            offsets = records["offset"]
        rows, more = self.parse_all(to_binary(values).combine_chunks(), offsets.to_pylist())
        return add_origin_columns(rows, [*bad, *more], records, partition)

    def without_headers(self, records: pa.Table) -> tuple[pa.ChunkedArray, list[BadRecord]]:
        """Return the messages without their headers, and the bad records. The message of a bad record is null."""
        messages, bad = list[bytes | None](), list[BadRecord]()
        for number, value in enumerate(records["value"].to_pylist()):
            try:
                messages.append(None if value is None else self.split_header(value))
            except UndecodableValue as error:
                messages.append(None)
                bad.append(BadRecord(records["offset"][number].as_py(), self.describe_misfit(error)))
        return pa.chunked_array([messages], pa.binary()), bad

    def parse_all(self, values: pa.Array, offsets: Sequence[int]) -> tuple[pa.Table, list[BadRecord]]:
        """Return one row for each valid message, and the bad records.

        The batch is halved until each bad record is isolated.
        """
        try:
            return self.parse(values), []
        except (ValueError, OverflowError) as error:
            if len(values) == 1:
                return self.columns.empty_table(), [BadRecord(offsets[0], self.describe_misfit(error))]
        half = len(values) // 2
        (first, bad_first), (second, bad_second) = (
            self.parse_all(values[:half], offsets[:half]),
            self.parse_all(values[half:], offsets[half:]),
        )
        return pa.concat_tables([first, second]), bad_first + bad_second

    def parse(self, values: pa.Array) -> pa.Table:
        """Return one row for each message. A null value gives a row of nulls.

        Raises ValueError if any message is invalid.
        """
        batch = converter_of(self.files, self.message).array_to_record_batch(values)
        rows = pa.Table.from_batches([batch]).cast(self.columns)
        if not values.null_count:
            return rows
        is_there = values.is_valid()
        masked = [pc.if_else(is_there, column, pa.scalar(None, column.type)) for column in rows.columns]
        return pa.table(masked, schema=self.columns)

    def describe_misfit(self, error: Exception) -> str:
        """Return the reason why a value is bad, from the error of ptars."""
        words = str(error).removeprefix("failed to decode Protobuf message: ")
        return f"its value is not a Protobuf message {self.message} ({words})"

    def encode(self, rows: pa.Table, topic: str) -> pa.Array:
        """Return the record values for these rows. The rows have exactly the columns `self.columns`.

        Raises ValueError for a value that Protobuf cannot store.
        """
        written = converter_of(self.files, self.message)
        types = [pa.field(field.name, visible_type(field.type, {})) for field in written.schema()]
        batch = rows.cast(pa.schema(types)).combine_chunks()
        check_values(message_descriptor(self.files, self.message), lambda name: batch[name].combine_chunks())
        batches = batch.to_batches() or [pa.RecordBatch.from_pylist([], schema=batch.schema)]
        values = written.record_batch_to_array(batches[0])
        if not self.is_framed:
            return values
        header = pa.scalar(self.value_header(topic), pa.binary())
        return pc.binary_join_element_wise(header, values, pa.scalar(b"", pa.binary()))

    def check_writable(self) -> None:
        """Raise PipelineConfigError if values have a header, but no registry is set that provides the schema's id."""
        if self.is_framed and self.registry is None:
            raise PipelineConfigError(
                "Writing Protobuf with framing='confluent' needs a schema registry for the id of the schema: set"
                " registry=."
            )

    def value_header(self, topic: str) -> bytes:
        """Return the header of the values that are written to a topic."""
        assert self.registry is not None
        path = message_path(message_descriptor(self.files, self.message))
        return confluent_header(self.registry.schema_id(topic, self.writer_schema)) + encode_path(path)

    @property
    def writer_schema(self) -> WriterSchema:
        """Schema with which values are written, in the form for a schema registry.

        Reading this property registers the files that the schema imports.
        """
        return self.schema_of_file(message_descriptor(self.files, self.message).file)

    def schema_of_file(self, file: "FileDescriptor") -> WriterSchema:
        """Return a file as a schema to register. The files that it imports are registered first, under their names."""
        assert self.registry is not None
        references = list[Reference]()
        for imported in file.dependencies:
            if not imported.name.startswith(KNOWN_FILES):
                found = self.registry.find_schema(
                    imported.name, self.schema_of_file(imported), register=self.registry.register, with_version=True
                )
                references.append(Reference(imported.name, imported.name, found.version))
        return WriterSchema("PROTOBUF", b64encode(file.serialized_pb).decode(), tuple(references))

    def split_header(self, value: bytes) -> bytes:
        """Return the message without its header. Raises UndecodableValue if the message has another type."""
        schema_id, rest = split_confluent(value)
        path, message = split_path(rest)
        if not self.has_declared_type(schema_id, path):
            raise UndecodableValue(f"in schema {schema_id}, the message indexes {path} belong to another message")
        return message

    def has_declared_type(self, schema_id: int, path: tuple[int, ...]) -> bool:
        """Return whether the message with the message indexes `path` in a writer's file has the declared type.

        Some registries have only the text of the writer's file, and not its descriptor. Then the message indexes must
        be those of the declared message in the declared file.
        """
        name = None if self.registry is None else writer_message(self.registry, schema_id, path)
        return path == declared_path(self.files, self.message) if name is None else name == self.message


@cache
def converter_of(files: tuple[bytes, ...], message: str) -> Any:
    """Return ptars' converter for a message."""
    from ptars import HandlerPool, PtarsConfig

    found = message_descriptor(files, message)
    config = PtarsConfig(
        timestamp_unit="us", time_unit="us", duration_unit="us", enum_repr="string", list_value_name="element"
    )
    return HandlerPool([found.file], config=config).get_for_message(found)


@cache
def declared_path(files: tuple[bytes, ...], message: str) -> tuple[int, ...]:
    """Return the message indexes of the declared message in its file."""
    return message_path(message_descriptor(files, message))


@cache
def writer_message(registry: SchemaRegistry, schema_id: int, path: tuple[int, ...]) -> str | None:
    """Return the full name of the message with the message indexes `path` in a writer's file.

    Return None if the registry does not have the descriptor of the file.
    """
    return message_name(registry.schema(schema_id, "serialized"), path)


def encode_path(path: tuple[int, ...]) -> bytes:
    """Encode message indexes as zigzag varints: first their number, then each index.

    The message indexes of the first message of a file are encoded as a single 0.
    """
    return b"\x00" if path == FIRST_MESSAGE else b"".join(map(encode_varint, (len(path), *path)))


def encode_varint(number: int) -> bytes:
    """Encode a non-negative number as a zigzag varint."""
    number, out = number << 1, bytearray()
    while number > 0x7F:
        out.append(number & 0x7F | 0x80)
        number >>= 7
    return bytes([*out, number])


def split_path(data: bytes) -> tuple[tuple[int, ...], bytes]:
    """Return the message indexes, and the bytes of the message. Raises UndecodableValue."""
    count, start = decode_varint(data, 0)
    if count > len(data):
        raise UndecodableValue("the message indexes after the schema id are invalid")
    path = list[int]()
    for _ in range(count):
        index, start = decode_varint(data, start)
        path.append(index)
    return tuple(path) or FIRST_MESSAGE, data[start:]


def decode_varint(data: bytes, start: int) -> tuple[int, int]:
    """Return the number at `start` and the position after it. Raises UndecodableValue."""
    number = 0
    for index, byte in enumerate(data[start : start + VARINT_BYTES_MAX]):
        number |= (byte & 0x7F) << 7 * index
        if byte < 0x80:
            if number & 1:
                break
            return number >> 1, start + index + 1
    raise UndecodableValue("the message indexes after the schema id are invalid")


def protobuf(
    message: Any,
    *,
    descriptors: str | None = None,
    framing: Literal["none", "confluent"] = "none",
    registry: SchemaRegistry | str | None = None,
) -> Protobuf:
    """Declare values that are Protobuf messages of one type. The fields of the message become columns.

    Enums become strings, uint32 a long, and uint64 a decimal(20). A field without presence has its default instead of
    null; other absent fields are null.

    Args:
        message: Generated class of the message, such as `flights_pb2.Flight`, or its full name with `descriptors`.
        descriptors: Path of a descriptor set, which `protoc --include_imports --descriptor_set_out=…` writes. It is
            read once, when the topic is declared.
        framing: "none", or "confluent": each value begins with the id of its writer's schema.
        registry: Schema registry with the writers' schemas, or its URL. Implies framing="confluent".

    Raises:
        BadSchema: The message is unknown, or cannot be converted to columns.
        PipelineConfigError: Another argument is invalid, or ptars is missing.
    """
    try:
        import ptars  # noqa: F401
    except ImportError:
        raise PipelineConfigError("protobuf(…) needs the package ptars: pip install 'tenure[protobuf]'.") from None
    if framing not in ("none", "confluent"):
        raise PipelineConfigError(f"Unknown framing='{framing}': use none or confluent.")
    if isinstance(message, str):
        name, files = message, read_descriptors(message, descriptors)
    elif hasattr(message, "DESCRIPTOR") and descriptors is None:
        name = message.DESCRIPTOR.full_name
        files = tuple(file.serialized_pb for file in file_descriptors(message.DESCRIPTOR.file))
    else:
        raise PipelineConfigError(
            "protobuf(…) needs a generated class, such as flights_pb2.Flight, or the full name of a message and"
            f" descriptors=, not {message!r}."
        )
    check_not_recursive(message_descriptor(files, name))
    columns = visible_columns(converter_of(files, name).schema())
    check_columns(columns, f"the Protobuf message {name}")
    found = registry_of(registry)
    return Protobuf(name, files, columns, framing == "confluent" or found is not None, found)


def read_descriptors(message: str, path: str | None) -> tuple[bytes, ...]:
    """Return the file descriptors that a message needs, from a descriptor set."""
    from google.protobuf.descriptor_pb2 import FileDescriptorSet
    from google.protobuf.message import DecodeError

    if path is None:
        raise PipelineConfigError(f"protobuf('{message}') needs descriptors=, the path of a file that protoc wrote.")
    try:
        with open(path, "rb") as file:
            found = FileDescriptorSet.FromString(file.read())
    except (OSError, DecodeError) as error:
        raise BadSchema(
            f"File {path} cannot be read as Protobuf descriptors ({error}): write it with protoc."
        ) from error
    own = message_descriptor(tuple(each.SerializeToString() for each in found.file), message)
    return tuple(file.serialized_pb for file in file_descriptors(own.file))
