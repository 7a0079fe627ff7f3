"""Attacks generated from the protocol tables: for every array and every length, the worst request that fits.

A request is minimal except for one field on the path from its top. An array gets as many elements as the bounds of
elements and of bytes allow: the same element each time, or different ones; their own arrays are empty, or have one
element each. A string or bytes field is as long as it may be. Names are those of an existing topic and group, except
in arrays of different elements.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import Enum
from itertools import islice, product
from string import ascii_letters, digits
from typing import Final

from tenure.limits.broker import REQUEST_WITHOUT_RECORDS_BYTES_MAX
from tenure.limits.protocol import REQUEST_BYTES_MAX, REQUEST_ELEMENTS_MAX, TEXT_BYTES_MAX
from tenure.protocol.apis import APIS, ApiKey
from tenure.protocol.generate import tables
from tenure.protocol.messages import (
    MetadataRequest,
    MetadataRequestTopic,
    OffsetCommitRequest,
    OffsetCommitRequestTopic,
)
from tenure.protocol.messages import OffsetCommitRequestPartition as CommittedPartition
from tenure.protocol.schema import UUID, ArrayOf, Field, Fixed, MessageSchema, StructSchema, Type, Variable
from tenure.protocol.types import GroupId, PartitionId, TopicName
from tenure.protocol.wire import uvarint
from tests.adversary.client import Client
from tests.adversary.trial import Attack, Stages
from tests.broker.wire import Wire
from tests.serving import Serving

KNOWN: Final = "t"
"""Name of the existing topic and group."""
MARK: Final = b"@@@"
"""Three bytes of an element that are different in each copy."""
SIGNS: Final = (ascii_letters + digits + "-_").encode()
ENVELOPE_BYTES: Final = 64
"""Upper bound for the bytes of the header and of the lengths around the filled field."""

NUMBERS: Final = {
    "acks": 1,
    "config_type": 2,
    "match_type": 0,
    "max_bytes": 100_000_000,
    "num_partitions": 1,
    "operation": 3,
    "partition_max_bytes": 100_000_000,
    "pattern_type_filter": 3,
    "permission_type": 3,
    "rebalance_timeout_ms": 1_000,
    "replica_id": -1,
    "replication_factor": 1,
    "resource_pattern_type": 3,
    "resource_type": 2,
    "resource_type_filter": 2,
    "session_epoch": -1,
    "session_timeout_ms": 6_000,
    "timeout_ms": 1_000,
    "timestamp": 1,
    "transaction_timeout_ms": 60_000,
}
"""Values of fields in which 0 would be refused, or would make the request cheaper."""


class Kind(Enum):
    """Kind of elements in an array, or of characters in a string."""

    SAME = "same"
    DIFFERENT = "different"
    NESTED_SAME = "nested-same"
    NESTED_DIFFERENT = "nested-different"
    LONG = "long"

    @property
    def is_nested(self) -> bool:
        return self in (Kind.NESTED_SAME, Kind.NESTED_DIFFERENT)

    @property
    def differs(self) -> bool:
        return self in (Kind.DIFFERENT, Kind.NESTED_DIFFERENT)


@dataclass(frozen=True)
class Target:
    """Array or length of a request, in the newest version that has it."""

    message: MessageSchema
    version: int
    path: tuple[Field, ...]
    """Fields from the top of the request to the filled one."""
    kind: Kind

    @property
    def name(self) -> str:
        field = ".".join(field.name for field in self.path)
        return f"{self.message.name.removesuffix('Request')}.{field}-{self.kind.value}"


def targets() -> Iterator[Target]:
    for message in sorted((m for ms in tables().values() for m in ms if m.is_request), key=lambda m: m.key):
        if message.key in APIS:
            newest = APIS[ApiKey(message.key)].max_version
            for path in paths(message.struct):
                version = min([newest, *(field.versions.last for field in path)])
                if (
                    all(version in field.versions for field in path)
                    and version >= APIS[ApiKey(message.key)].min_version
                ):
                    for kind in kinds(path[-1].type):
                        yield Target(message, version, path, kind)


def paths(holder: StructSchema) -> Iterator[tuple[Field, ...]]:
    """Yield the path to every array and every length of a struct, tagged fields excepted."""
    for field in holder.fields:
        if field.tag is None:
            if isinstance(field.type, ArrayOf | Variable):
                yield (field,)
            inner = field.type.element if isinstance(field.type, ArrayOf) else field.type
            if isinstance(inner, StructSchema):
                yield from ((field, *rest) for rest in paths(inner))


def kinds(of: Type) -> Sequence[Kind]:
    if isinstance(of, Variable):
        return [Kind.LONG]
    assert isinstance(of, ArrayOf)
    flat = [Kind.SAME, Kind.DIFFERENT]
    has_arrays = isinstance(of.element, StructSchema) and any(isinstance(f.type, ArrayOf) for f in of.element.fields)
    return [*flat, Kind.NESTED_SAME, Kind.NESTED_DIFFERENT] if has_arrays else flat


class Encoder:
    """Encoder of the request for one target.

    `content` is the value of bytes fields. With it, nullable fields are not null, and arrays without elements have one.
    """

    def __init__(self, target: Target, topic_id: bytes, content: bytes | None = None) -> None:
        self._target = target
        self._topic_id = topic_id
        self._content = content
        self._is_flexible = target.version in target.message.flexible
        of_api = REQUEST_BYTES_MAX if target.message.key == ApiKey.PRODUCE else REQUEST_WITHOUT_RECORDS_BYTES_MAX
        self._bytes_max = of_api - ENVELOPE_BYTES * len(target.path)
        self._is_marked = False
        """True if elements contain MARK, so that copies can be made different."""

    def frame(self) -> bytes:
        key = self._target.message.key
        header = struct.pack(">hhih", key, self._target.version, 7, -1) + (b"\0" if self._is_flexible else b"")
        body = header + self._struct(self._target.message.struct, self._target.path, int(self._content is not None))
        return struct.pack(">i", len(body)) + body

    def _struct(self, of: StructSchema, path: tuple[Field, ...], nested: int = 0) -> bytes:
        parts = [
            self._field(field, path[1:] if path and path[0] is field else None, nested)
            for field in of.fields
            if self._target.version in field.versions and field.tag is None
        ]
        return b"".join(parts) + (b"\0" if self._is_flexible else b"")

    def _field(self, field: Field, rest: tuple[Field, ...] | None, nested: int) -> bytes:
        """Encode a field. `rest` is the part of the path after it, None if the path does not contain this field."""
        if isinstance(field.type, ArrayOf):
            if rest:
                assert isinstance(field.type.element, StructSchema)
                return self._count(1) + self._struct(field.type.element, rest)
            if rest is not None:
                return self._filled(field)
            return self._count(nested) + self._value(field, field.type.element, nested) * nested
        is_nullable = self._target.version in field.nullable
        if isinstance(field.type, StructSchema):
            if is_nullable and rest is None and self._content is None:
                return b"\xff"
            return (b"\x01" if is_nullable else b"") + self._struct(field.type, rest or (), nested)
        if isinstance(field.type, Variable) and rest is not None:
            return self._long(field.type)
        if isinstance(field.type, Variable) and is_nullable and not self._is_marked and self._content is None:
            return b"\0" if self._is_flexible else struct.pack(f">{field.type.length_code}", -1)
        return self._value(field, field.type)

    def _filled(self, field: Field) -> bytes:
        """Return the array with as many elements as fit."""
        assert isinstance(field.type, ArrayOf)
        kind, of = self._target.kind, field.type.element
        self._is_marked = kind.differs
        element = self._struct(of, (), int(kind.is_nested)) if isinstance(of, StructSchema) else self._value(field, of)
        self._is_marked = False
        per_element = 1 + (kind.is_nested and arrays_in(of))
        elements_max = (REQUEST_ELEMENTS_MAX - len(self._target.path) + 1) // per_element
        count = min(elements_max, self._bytes_max // len(element))
        if not kind.differs:
            return self._count(count) + element * count
        marks = map(bytes, islice(product(SIGNS, repeat=len(MARK)), count))
        return self._count(count) + b"".join([element.replace(MARK, mark) for mark in marks])

    def _count(self, count: int) -> bytes:
        return uvarint(count + 1) if self._is_flexible else struct.pack(">i", count)

    def _value(self, field: Field, of: Type, nested: int = 0) -> bytes:
        if isinstance(of, StructSchema):
            return self._struct(of, (), nested)
        if isinstance(of, Fixed):
            return self._number(field, of)
        assert isinstance(of, Variable)
        text = MARK if self._is_marked else KNOWN.encode()
        return self._with_length(of, text if of.length_code == "h" else self._content or b"")

    def _number(self, field: Field, of: Fixed) -> bytes:
        if of is UUID:
            return MARK + bytes(13) if self._is_marked else self._topic_id
        if self._is_marked and field.name not in NUMBERS and of.width >= 4 and of.code in "iq":
            return bytes(of.width - len(MARK)) + MARK
        is_more_work = of.code == "?" and field.name.startswith("include_")
        return struct.pack(f">{of.code}", is_more_work or NUMBERS.get(field.name, 0))

    def _long(self, of: Variable) -> bytes:
        return self._with_length(of, b"x" * (TEXT_BYTES_MAX if of.length_code == "h" else self._bytes_max))

    def _with_length(self, of: Variable, data: bytes) -> bytes:
        return (uvarint(len(data) + 1) if self._is_flexible else struct.pack(f">{of.length_code}", len(data))) + data


def arrays_in(of: Type) -> int:
    """Return the number of arrays in an element whose arrays have one element each."""
    if not isinstance(of, StructSchema):
        return 0
    return sum(1 + arrays_in(field.type.element) for field in of.fields if isinstance(field.type, ArrayOf))


# --- as attacks -------------------------------------------------------------------------------------------------------


def generated_attacks() -> list[Attack]:
    """Return the attacks. They share one broker, which keeps the state that earlier attacks have left."""
    return [
        Attack(target.name, "generated", lambda broker, t=target: run(broker, t), settle_s=0.1, shares_broker=True)
        for target in targets()
    ]


def run(broker: Serving, target: Target) -> Stages:
    """Send a request twice, because the first one may change the broker's state for the second."""
    request = Encoder(target, topic_id(broker)).frame()
    yield
    with Client(broker) as client:
        first = client.exchange([request])
    with Client(broker) as client:
        client.exchange([request])
    return first


def topic_id(broker: Serving) -> bytes:
    """Return the id of the topic KNOWN; create the topic, and a group of this name, if they are missing."""
    name = TopicName(KNOWN)
    with Wire(broker) as wire:
        (topic,) = wire.ask(MetadataRequest([MetadataRequestTopic(name=name)])).topics
        partitions = [CommittedPartition(PartitionId(0), 0)]
        wire.ask(OffsetCommitRequest(GroupId(KNOWN), topics=[OffsetCommitRequestTopic(name, partitions=partitions)]), 9)
    return bytes(topic.topic_id)
