"""Protobuf messages, their conversion to columns, and their file descriptors."""

from base64 import b64decode
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, Final

import pyarrow as pa
import pyarrow.compute as pc

from tenure.pipeline.errors import BadSchema

if TYPE_CHECKING:
    from google.protobuf.descriptor import Descriptor, FileDescriptor

SPARK_TYPES: Final = {pa.uint32(): pa.int64(), pa.uint64(): pa.decimal128(20, 0)}
"""Replacements for the Arrow types that Spark does not have."""


def file_descriptors(file: "FileDescriptor") -> Iterator["FileDescriptor"]:
    """Yield a file and all files that it imports. Each file comes after the files that it imports."""
    found: dict[str, FileDescriptor] = {}

    def add(one: "FileDescriptor") -> None:
        for dependency in one.dependencies:
            if dependency.name not in found:
                add(dependency)
        found[one.name] = one

    add(file)
    yield from found.values()


def message_descriptor(files: tuple[bytes, ...], name: str) -> "Descriptor":
    """Return the descriptor of a message. Raises BadSchema if the files do not contain it."""
    from google.protobuf.descriptor_pool import DescriptorPool

    pool = DescriptorPool()
    try:
        for file in files:
            pool.AddSerializedFile(file)
        return pool.FindMessageTypeByName(name)
    except (KeyError, TypeError) as error:
        raise BadSchema(f"The descriptors have no message {name}: set its full name, with the package.") from error


def check_not_recursive(message: "Descriptor", within: tuple[str, ...] = ()) -> None:
    """Raise BadSchema for a message that contains itself, because it cannot be converted to columns."""
    if message.full_name in within:
        raise BadSchema(
            f"The Protobuf message {message.full_name} contains itself, so it cannot be converted to columns."
        )
    for field in message.fields:
        if field.message_type is not None:
            check_not_recursive(field.message_type, (*within, message.full_name))


def message_path(message: "Descriptor") -> tuple[int, ...]:
    """Return the message indexes of a message: the index of the outermost message, then of each nested message."""
    outer = message.containing_type
    if outer is None:
        return (list(message.file.message_types_by_name).index(message.name),)
    return (*message_path(outer), [each.name for each in outer.nested_types].index(message.name))


def message_name(serialized_file: str, path: tuple[int, ...]) -> str | None:
    """Return the full name of the message with the message indexes `path`; None if the file has no such message.

    `serialized_file` is the descriptor of the file in base64. Return None for any other text, too.
    """
    from google.protobuf.descriptor_pb2 import FileDescriptorProto
    from google.protobuf.message import DecodeError

    try:
        file = FileDescriptorProto.FromString(b64decode(serialized_file, validate=True))
    except (DecodeError, ValueError):
        return None
    names, messages = [file.package] if file.package else [], file.message_type
    for index in path:
        if index >= len(messages):
            return None
        names.append(messages[index].name)
        messages = messages[index].nested_type
    return ".".join(names)


def visible_type(kind: pa.DataType, replacements: dict[pa.DataType, pa.DataType] = SPARK_TYPES) -> pa.DataType:
    """Return the type that users see for a column: nullable at all levels, without unsigned integers."""

    def visible(field: pa.Field) -> pa.Field:
        return pa.field(field.name, visible_type(field.type, replacements))

    if pa.types.is_struct(kind):
        return pa.struct([visible(field) for field in kind])
    if pa.types.is_map(kind):
        return pa.map_(kind.key_type, visible(kind.item_field))
    if pa.types.is_list(kind):
        return pa.list_(visible(kind.value_field))
    return replacements.get(kind, kind)


def visible_columns(columns: pa.Schema) -> pa.Schema:
    """Return the columns that users see: nullable at all levels, without unsigned integers."""
    return pa.schema([pa.field(column.name, visible_type(column.type)) for column in columns])


def check_values(message: "Descriptor", columns: Any) -> None:
    """Raise ValueError for values that Protobuf cannot store: unknown enum names, and nulls in lists and maps.

    Args:
        message: The message.
        columns: Function that returns the column of a field by its name.
    """
    for field in message.fields:
        values = columns(field.name)
        if pa.types.is_map(values.type):
            values, field = values.items, field.message_type.fields_by_name["value"]
            check_no_nulls(field.full_name, values)
        elif pa.types.is_list(values.type):
            values = values.flatten()
            check_no_nulls(field.full_name, values)
        if field.enum_type is not None:
            known = pa.array([value.name for value in field.enum_type.values])
            unknown = values.filter(pc.and_(values.is_valid(), pc.invert(pc.is_in(values, value_set=known))))
            if len(unknown):
                raise ValueError(f"the enum {field.enum_type.full_name} has no value {unknown[0].as_py()!r}")
        elif field.message_type is not None and pa.types.is_struct(values.type):
            check_values(field.message_type, values.field)


def check_no_nulls(field: str, values: pa.Array) -> None:
    """Raise ValueError if an element of a list or map is null."""
    if values.null_count:
        raise ValueError(f"an element of {field} is null, which Protobuf cannot store")
