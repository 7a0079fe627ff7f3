"""Requests with one element in each array, for every API and version, for the first checks of each handler."""

from __future__ import annotations

from enum import Enum
from functools import cache
from typing import Any, Final

from tenure.protocol import messages
from tenure.protocol.apis import Api
from tenure.protocol.generate import tables
from tenure.protocol.message import Message
from tenure.protocol.schema import UUID, ArrayOf, Field, Fixed, MessageSchema, StructSchema, Variable

TOPIC: Final = "filled-topic"
GROUP: Final = "filled-group"
NUMBERS: Final = {"timeout_ms": 10_000, "replica_id": -1}
"""Values of all kinds. Apache Kafka's controller refuses a timeout of 0, and a replica must be one of the cluster."""


class Kind(Enum):
    """Value of the fields."""

    EMPTY = "empty"
    """Empty texts, zero."""
    NULL = "null"
    """Null where it is allowed."""
    NEGATIVE = "negative"
    """Empty texts, -1."""
    KNOWN = "known"
    """An existing topic, one group, 1."""


@cache
def schemas() -> dict[str, MessageSchema]:
    return {message.name: message for found in tables().values() for message in found}


def filled(api: Api, version: int, kind: Kind) -> Message:
    request: Message = _struct(schemas()[f"{api.name}Request"].struct, version, kind)
    return request


def _struct(schema: StructSchema, version: int, kind: Kind) -> Any:
    fields = {field.name: _value(field, version, kind) for field in schema.fields if version in field.versions}
    return getattr(messages, schema.name)(**fields)


def _value(field: Field, version: int, kind: Kind) -> object:
    if field.name in NUMBERS:
        return NUMBERS[field.name]
    if kind is Kind.NULL and version in field.nullable:
        return None
    if isinstance(field.type, StructSchema):
        return _struct(field.type, version, kind)
    if not isinstance(field.type, ArrayOf):
        return _primitive(field, field.type, kind)
    element = field.type.element
    if isinstance(element, StructSchema):
        return [_struct(element, version, kind)]
    return [_primitive(field, element, kind)]


def _primitive(field: Field, primitive: Fixed | Variable, kind: Kind) -> object:
    is_known = kind is Kind.KNOWN
    match primitive.python:
        case "str":
            return "" if not is_known else TOPIC if "topic" in field.name or field.name == "name" else GROUP
        case "bool":
            return is_known
        case "float":
            return float(is_known)
        case "int":
            is_signed = isinstance(primitive, Fixed) and primitive.code.islower()
            return -1 if kind is Kind.NEGATIVE and is_signed else int(is_known)
        case _:
            return bytes([is_known] * 16) if primitive == UUID else b""
