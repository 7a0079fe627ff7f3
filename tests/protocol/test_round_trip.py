"""Every message in every version is unchanged after encoding and decoding, and other bytes are refused."""

import random
from functools import cache
from typing import Any

import pytest

from tenure.protocol.codec import MalformedMessage, UnsupportedVersion, decode, encode
from tenure.protocol.message import Data, Message
from tenure.protocol.messages import FetchResponse
from tests.protocol.samples import SEED, TABLES, each_version, every_message_and_version, message_class, rng, sample

EVERY = list(every_message_and_version())
INTERESTING_BYTES = (0x00, 0x01, 0x7F, 0x80, 0xFF)


def test_sampled_messages__all_apis_and_versions__more_than_250() -> None:
    assert len(EVERY) > 250


@each_version(EVERY)
def test_round_trip__random_message_encoded_and_decoded__unchanged(name: str, version: int) -> None:
    draw = rng("round trip", name, version)
    for _ in range(10):
        message = sample(name, version, draw)
        assert decode(type(message), version, encode(message, version)) == message


@each_version(EVERY)
def test_decode__truncated_anywhere__malformed(name: str, version: int) -> None:
    message = sample(name, version, rng("truncated", name, version))
    data = encode(message, version)
    for end in range(0, len(data), 1 + len(data) // 60):
        with pytest.raises(MalformedMessage):
            decode(type(message), version, data[:end])


@each_version(EVERY)
def test_decode__one_byte_too_many__malformed(name: str, version: int) -> None:
    message = sample(name, version, rng("too long", name, version))
    with pytest.raises(MalformedMessage):
        decode(type(message), version, encode(message, version) + b"\0")


@each_version(EVERY)
def test_decode__randomly_changed_bytes__malformed_error_or_a_message(name: str, version: int) -> None:
    draw = rng("mutated", name, version)
    kind = message_class(name)
    data = encode(sample(name, version, draw), version)
    for _ in range(60):
        mutated = mutate(data, draw)
        try:
            message = decode(kind, version, mutated)
        except MalformedMessage:
            continue
        assert decode(kind, version, encode(message, version)) == message


@pytest.mark.parametrize("version", FetchResponse.VERSIONS)
def test_decode__memoryview_instead_of_bytes__same_result_without_copies(version: int) -> None:
    draw = rng("view", version)
    for _ in range(100):
        data = encode(sample("FetchResponse", version, draw), version)
        for given in (data, mutate(data, draw)):
            found = outcome(version, memoryview(given))
            assert found == outcome(version, given), f"TENURE_TEST_SEED={SEED} {given.hex()}"
            if isinstance(found, FetchResponse):
                kept = [part.records for topic in found.responses for part in topic.partitions if part.records]
                assert all(isinstance(records, memoryview) and records.obj is given for records in kept)


def outcome(version: int, data: Data) -> Message | type[Exception]:
    try:
        return decode(FetchResponse, version, data)
    except MalformedMessage as refused:
        return type(refused)


def mutate(data: bytes, draw: random.Random) -> bytes:
    out = bytearray(data)
    for _ in range(draw.randint(1, 4)):
        at = draw.randrange(len(out) + 1)
        match draw.randrange(3):
            case 0 if at < len(out):
                out[at] = draw.choice((*INTERESTING_BYTES, draw.randrange(256)))
            case 1:
                out[at : at + draw.randint(0, 5)] = b""
            case _:
                out[at:at] = draw.randbytes(draw.randint(1, 5))
    return bytes(out)


@pytest.mark.parametrize("name", sorted(TABLES))
def test_encode__field_not_in_this_version_has_a_value__refused_unless_ignorable(name: str) -> None:
    _, table = TABLES[name]
    for field in table.struct.fields:
        value = other_than_default(name, field.name, field.versions.first)
        for version in range(table.versions.first, table.versions.last + 1):
            if version in field.versions or value is None:
                continue
            message = message_class(name)(**{field.name: value})
            if field.ignorable:
                assert encode(message, version) == encode(message_class(name)(), version)
            else:
                with pytest.raises(UnsupportedVersion, match=field.name):
                    encode(message, version)


@cache
def other_than_default(name: str, field: str, version: int) -> Any:
    """Return a value that differs from the default; None if 100 draws do not find one."""
    nothing = message_class(name)()
    draw = rng("default", name, field)
    _, table = TABLES[name]
    version = max(version, table.versions.first)
    for _ in range(100):
        value = getattr(sample(name, version, draw), field)
        if value is not None and value != getattr(nothing, field):
            return value
    return None
