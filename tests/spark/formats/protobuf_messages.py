"""Protobuf messages for tests, generated in memory like those that `protoc` generates from files."""

from typing import Any

from google.protobuf import duration_pb2, timestamp_pb2, wrappers_pb2
from google.protobuf.descriptor_pb2 import FieldDescriptorProto as Field
from google.protobuf.descriptor_pb2 import FileDescriptorProto
from google.protobuf.descriptor_pool import DescriptorPool
from google.protobuf.message_factory import GetMessageClass

KINDS = {
    "double": Field.TYPE_DOUBLE, "float": Field.TYPE_FLOAT, "int64": Field.TYPE_INT64, "uint64": Field.TYPE_UINT64,
    "int32": Field.TYPE_INT32, "uint32": Field.TYPE_UINT32, "bool": Field.TYPE_BOOL, "string": Field.TYPE_STRING,
    "bytes": Field.TYPE_BYTES, "sint64": Field.TYPE_SINT64,
}  # fmt: skip

_NESTED: dict[str, Any] = {
    "Kind": ["UNKNOWN", "LATE"],
    "Gate": {"number": "int32", "name": "optional string"},
}
FLIGHT: dict[str, Any] = {
    "tailnum": "string",
    "delay": "optional int64",
    "fare": "double",
    "is_late": "bool",
    "raw": "bytes",
    "at": ".google.protobuf.Timestamp",
    "kind": "enum .acme.Flight.Kind",
    "stops": "repeated int32",
    "gate": ".acme.Flight.Gate",
    "gates": "repeated .acme.Flight.Gate",
    "seats": "uint32",
    "big": "uint64",
    "signed": "sint64",
    "note": ".google.protobuf.StringValue",
    "place": ".acme.Place",
}


def add_message(file: Any, name: str, fields: dict[str, str], nested: dict[str, Any] | None = None) -> None:
    message = file.message_type.add(name=name)
    for inner, content in (nested or {}).items():
        if isinstance(content, list):
            kinds = message.enum_type.add(name=inner)
            for number, value in enumerate(content):
                kinds.value.add(name=value, number=number)
        else:
            add_fields(message.nested_type.add(name=inner), content)
    add_fields(message, fields)


def add_fields(message: Any, fields: dict[str, str]) -> None:
    for number, (name, declared) in enumerate(fields.items(), 1):
        *words, kind = declared.split()
        label = Field.LABEL_REPEATED if "repeated" in words else Field.LABEL_OPTIONAL
        field = message.field.add(name=name, number=number, label=label, json_name=name)
        if kind.startswith("."):
            field.type, field.type_name = Field.TYPE_ENUM if "enum" in words else Field.TYPE_MESSAGE, kind
        else:
            field.type = KINDS[kind]
        if "optional" in words:
            message.oneof_decl.add(name=f"_{name}")
            field.oneof_index, field.proto3_optional = len(message.oneof_decl) - 1, True


def proto_file(name: str, *imports: str, package: str = "acme") -> FileDescriptorProto:
    return FileDescriptorProto(name=name, package=package, syntax="proto3", dependency=imports)


def pool_of(*files: FileDescriptorProto) -> DescriptorPool:
    pool = DescriptorPool()
    for known in (timestamp_pb2, duration_pb2, wrappers_pb2):
        pool.AddSerializedFile(known.DESCRIPTOR.serialized_pb)
    for file in files:
        pool.AddSerializedFile(file.SerializeToString())
    return pool


def flight_files() -> list[FileDescriptorProto]:
    """Return acme/place.proto, and acme/flight.proto, which imports it and has Other before Flight."""
    place = proto_file("acme/place.proto")
    add_message(place, "Place", {"city": "string"})
    flight = proto_file(
        "acme/flight.proto", "google/protobuf/timestamp.proto", "google/protobuf/wrappers.proto", "acme/place.proto"
    )
    add_message(flight, "Other", {"x": "int32"})
    add_message(flight, "Flight", FLIGHT, _NESTED)
    return [place, flight]


POOL = pool_of(*flight_files())
Flight: Any = GetMessageClass(POOL.FindMessageTypeByName("acme.Flight"))
Other: Any = GetMessageClass(POOL.FindMessageTypeByName("acme.Other"))


def simple(package: str = "acme", **fields: str) -> Any:
    """Return the class of a message Row, the first one of its file."""
    file = proto_file("row.proto", package=package)
    add_message(file, "Row", fields)
    return GetMessageClass(pool_of(file).FindMessageTypeByName(f"{package}.Row"))
