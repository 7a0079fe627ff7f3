"""Byte equality with kio and kafka-python: they decode Tenure's messages to the same values, and encode the same bytes.

Rule 1.7.

They differ from Apache Kafka's schema in one case: kafka-python
reads an ApiVersions response that carries an error as v0, whatever the requested version, so that case is left out.
"""

import dataclasses
import datetime
import re
import uuid
import warnings
from enum import Enum
from importlib import import_module
from io import BytesIO
from pathlib import Path
from typing import Any

import kio.schema
from kio.serial import entity_reader, entity_writer

from tenure.protocol.codec import decode, encode
from tenure.protocol.schema import UUID, Field, StructSchema
from tests.protocol.samples import REQUESTS_AND_RESPONSES, TABLES, each_version, plain, rng, sample, versions

EPOCH = datetime.datetime(1970, 1, 1, tzinfo=datetime.UTC)
MILLISECOND = datetime.timedelta(milliseconds=1)


def kio_module(name: str, version: int) -> tuple[str, str, str]:
    """Return the path of kio's module below `kio.schema`."""
    api, kind = re.fullmatch(r"(\w+?)(Request|Response)", name).groups()  # type: ignore[union-attr]
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", api).lower(), f"v{version}", kind.lower()


def is_in_kio(name: str, version: int) -> bool:
    """Return whether kio has the module's file; importing several hundred modules would take a second."""
    return Path(kio.schema.__path__[0], *kio_module(name, version)).with_suffix(".py").exists()


def kio_class(name: str, version: int) -> Any:
    return getattr(import_module(".".join(("kio.schema", *kio_module(name, version)))), name)


def kafka_python_class(name: str) -> Any:
    """Return kafka-python's class; None if it has none."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # kafka-python reads its schemas in an outdated way
        modules = [import_module(f"kafka.protocol.{part}") for part in ("metadata", "consumer", "producer", "admin")]
    return next((getattr(module, name) for module in modules if hasattr(module, name)), None)


def is_in_kafka_python(name: str, version: int) -> bool:
    kind = kafka_python_class(name)
    return kind is not None and version <= kind.max_version


def normal(value: Any) -> Any:
    """Convert a value of a library to numbers, texts, bytes, and lists of them."""
    match value:
        case Enum():
            return value.value
        case bool() | str() | float() | int() | None:
            return value
        case bytes() | bytearray() | memoryview():
            return bytes(value)
        case uuid.UUID():
            return value.bytes if value.int else None
        case datetime.timedelta():
            return round(value / MILLISECOND)
        case datetime.datetime():
            return round((value - EPOCH) / MILLISECOND)
        case set():  # kafka-python on authorized operations: the numbers of the bits
            bits = sum(1 << bit for bit in value)
            return bits - 2**32 if bits >= 2**31 else bits
        case list() | tuple():
            return [normal(one) for one in value]
        case _ if dataclasses.is_dataclass(value):
            return [normal(getattr(value, f.name)) for f in dataclasses.fields(value)]
    fields = [f.name for f in value._struct._fields if f.for_version_q(value._version)]
    return [normal(getattr(value, name)) for name in fields]


def blank_to_kio(field: Field, value: Any) -> bool:
    return field.type is UUID and not any(value)


def left_out_by_kafka_python(field: Field, value: Any) -> bool:
    """Return whether a tagged struct was left out, for which kafka-python has None."""
    left_out = field.tag is not None and isinstance(field.type, StructSchema) and value == type(value)()
    return blank_to_kio(field, value) or left_out


def blank_to_kafka_python(field: Field, value: Any) -> bool:
    """Return whether authorized operations are unknown, for which kafka-python has None."""
    unknown = field.name.endswith("authorized_operations") and value == -(2**31)
    return left_out_by_kafka_python(field, value) or unknown


OPERATIONS_AS_A_NUMBER = "DescribeTopicPartitionsResponse"
"""Messages in which kafka-python does not decode authorized operations as a set of bits."""


CASES = [(name, version) for name in REQUESTS_AND_RESPONSES for version in versions(TABLES[name][1])]
KIO_CASES = [case for case in CASES if is_in_kio(*case)]
KAFKA_PYTHON_CASES = [case for case in CASES if is_in_kafka_python(*case)]


def test_other_libraries__messages_and_versions_compared__more_than_250_with_each() -> None:
    assert len(KIO_CASES) > 250
    assert len(KAFKA_PYTHON_CASES) > 250


@each_version(KIO_CASES)
def test_message_of_kio__random_values__same_values_and_bytes(name: str, version: int) -> None:
    kind = kio_class(name, version)
    draw = rng("kio", name, version)
    for _ in range(10):
        ours = sample(name, version, draw)
        data = encode(ours, version)
        theirs, read = entity_reader(kind)(data, 0)
        assert read == len(data)
        assert normal(theirs) == plain(ours, TABLES[name][1].struct, version, blank_to_kio)
        out = BytesIO()
        entity_writer(kind)(out, theirs)
        assert out.getvalue() == data
        assert decode(type(ours), version, out.getvalue()) == ours


@each_version(KAFKA_PYTHON_CASES)
def test_message_of_kafka_python__random_values__same_values_and_bytes(name: str, version: int) -> None:
    kind = kafka_python_class(name)
    blank = left_out_by_kafka_python if name == OPERATIONS_AS_A_NUMBER else blank_to_kafka_python
    draw = rng("kafka-python", name, version)
    for _ in range(10):
        ours = sample(name, version, draw)
        if name == "ApiVersionsResponse":
            ours = type(ours)(0, *[getattr(ours, slot) for slot in ours.__slots__[1:]])
        data = encode(ours, version)
        theirs = kind.decode(data, version=version)
        assert normal(theirs) == plain(ours, TABLES[name][1].struct, version, blank)
        theirs._header = None  # a message that it has decoded lacks what its own encoder looks for
        written = bytes(theirs.encode(version=version))
        assert written == data
        assert decode(type(ours), version, written) == ours
