"""Batches that no client should send, and batches that brokers change, get Apache Kafka's errors and stored bytes."""

from __future__ import annotations

import struct
import time
from collections.abc import Callable, Iterator
from typing import Final

import pytest

from tenure.protocol.batches import MAGIC_AT, decode_records, encode_batch, read_batches, verify_crc, with_checksum
from tenure.protocol.compression import Codec, compress
from tenure.protocol.message import Message
from tenure.protocol.records import Record, varint
from tests.oracle.side import Side
from tests.oracle.test_topics_and_records import ask_and_settle, create, fetched, new, produced

pytestmark = pytest.mark.oracle

NOW_MS: Final = int(time.time() * 1000) - 60_000
HOUR_MS: Final = 3_600_000

LENGTH_AT, ATTRIBUTES_AT, DELTA_AT, BASE_TIMESTAMP_AT, MAX_TIMESTAMP_AT = 8, 21, 23, 27, 35
PRODUCER_AT, EPOCH_AT, SEQUENCE_AT, COUNT_AT, RECORDS_AT = 43, 51, 53, 57, 61

NAMES = {code: "uncompressed" if code is Codec.NONE else code.name.lower() for code in Codec}
CODECS = (Codec.NONE, Codec.GZIP, Codec.SNAPPY, Codec.LZ4, Codec.ZSTD)


def batch(*timestamps: int, codec: Codec = Codec.NONE, key: bytes | None = b"k", value: bytes = b"value") -> bytes:
    records = [Record(0, timestamp, key, value) for timestamp in timestamps or (NOW_MS, NOW_MS + 1, NOW_MS + 2)]
    return encode_batch(records, codec=codec)


def patched(data: bytes, at: int, form: str, value: int, *, sealed: bool = True) -> bytes:
    changed = bytearray(data)
    struct.pack_into(f">{form}", changed, at, value)
    return with_checksum(changed) if sealed else bytes(changed)


def with_body(body: bytes, codec: Codec = Codec.NONE, count: int = 3) -> bytes:
    """Return a batch with this record count and these bytes as its records."""
    whole = bytearray(batch()[:RECORDS_AT] + body)
    struct.pack_into(">i", whole, DELTA_AT, count - 1)
    struct.pack_into(">i", whole, COUNT_AT, count)
    struct.pack_into(">i", whole, LENGTH_AT, len(whole) - 12)
    struct.pack_into(">h", whole, ATTRIBUTES_AT, codec)
    return with_checksum(whole)


def headers() -> Iterator[bytes]:
    whole = batch()
    yield whole[:-1] + bytes([whole[-1] ^ 1])
    yield whole[:40]
    yield whole[:-1]
    yield whole + b"\0"
    yield whole + whole
    yield b""
    for length in (-1, 0, 10, 13, 14, 48, 49, len(whole)):
        yield patched(whole, LENGTH_AT, "i", length, sealed=False)
    for magic in (0, 1, 3, -1):
        yield patched(whole, MAGIC_AT, "b", magic, sealed=False)
    for base_offset in (5, -1):
        yield patched(whole, 0, "q", base_offset, sealed=False)
    yield patched(whole, 12, "i", 77, sealed=False)
    for delta in (-1, 0, 1, 3, 2**31 - 1):
        yield patched(whole, DELTA_AT, "i", delta)
    for count in (-1, 0, 2, 4):
        yield patched(whole, COUNT_AT, "i", count)
    for count in (-1, 0):
        yield patched(patched(whole, COUNT_AT, "i", count), DELTA_AT, "i", count - 1)
    for attributes in (0x08, 0x10, 0x20, 0x30, 0x40, 0x80, 0x4000):
        yield patched(whole, ATTRIBUTES_AT, "h", attributes)
    yield patched(whole, MAX_TIMESTAMP_AT, "q", NOW_MS + 100 * HOUR_MS)


def contents() -> Iterator[bytes]:
    """Yield batches whose errors are only in their records."""
    body = batch()[RECORDS_AT:]
    for codec in CODECS:
        for broken in (b"", body[:-1], body[: len(body) // 3], body + body):
            yield with_body(compress(codec, broken), codec)
    for at, byte in ((0, 0x01), (0, 0x7E), (1, 0x05), (2, 0x01), (3, 0x08), (4, 0x03), (4, 0x7E), (6, 0x7E)):
        yield with_body(body[:at] + bytes([byte]) + body[at + 1 :])


def record(*fields: bytes, longer: int = 0) -> bytes:
    """Return a record of its attributes, time, offset delta, key, value and headers, valid or not."""
    body = b"".join(fields)
    return varint(len(body) + longer) + body


def field(content: bytes | None, longer: int = 0) -> bytes:
    return varint(-1) if content is None else varint(len(content) + longer) + content


def nth(number: int, *, time: bytes = b"\0", key: bytes = field(b"k"), value: bytes = field(b"value")) -> bytes:
    return record(b"\0", time, varint(number), key, value, b"\0")


def records() -> Iterator[tuple[bytes, ...]]:
    """Yield the bodies of three records each, or bytes that only look like three records."""
    good = nth(0), nth(1), nth(2)
    yield good
    yield nth(0, key=varint(-1)), nth(1, value=varint(-1)), nth(2, key=varint(-1), value=varint(-1))
    yield ()
    yield good[:2]
    yield *good, nth(3)
    yield *good, b"\0"
    yield *good[:2], nth(2)[:-1]
    yield *good[:2], b"\xff\xff\xff"
    for delta_ms in (-5, 7, 2**62, 2**63 - 1, -(2**63), -1 - NOW_MS):
        yield nth(0, time=varint(delta_ms)), *good[1:]
    for padded in (b"\x80\0", b"\x80\x80\x80\x80\0"):
        yield record(b"\0\0", padded, field(b"k"), field(b"value"), b"\0"), *good[1:]
        yield nth(0, time=padded), *good[1:]
    yield record(b"\0\0", b"\x80" * 5 + b"\0", field(b"k"), field(b"value"), b"\0"), *good[1:]
    yield nth(0, time=b"\x80" * 10 + b"\0"), *good[1:]
    for attributes in (b"\x01", b"\xff"):
        yield attributes.join((nth(0)[:1], nth(0)[2:])), *good[1:]
    for longer in (-1, 1, 9, 2**30):
        yield nth(0, key=field(b"k", longer)), *good[1:]
        yield nth(0, value=field(b"value", longer)), *good[1:]
        yield *good[:2], nth(2, value=field(b"value", longer))
    for headers in strange_headers():
        yield record(b"\0\0\0", field(b"k"), field(b"value"), headers), *good[1:]
        yield *good[:2], record(b"\0\0\x04", field(b"k"), field(b"value"), headers)


def strange_headers() -> Iterator[bytes]:
    yield b""
    yield b"\0\0"
    for count in (-1, 1, 100, 2**31 - 1):
        yield varint(count)
    one = varint(1)
    yield one + field(b"name") + field(b"content")
    yield one + field(b"") + field(None)
    yield one + field(None) + field(b"content")
    yield one + field(b"name", 50) + field(b"content")
    yield one + field(b"name") + field(b"content", 50)
    yield one + field(b"name") + field(b"content") + field(b"name") + field(b"content")


def malformed() -> Iterator[bytes]:
    """Yield invalid batches with few and with many records, because Tenure reads many records by another path."""
    for codec in CODECS:
        for three in records():
            yield with_body(compress(codec, b"".join(three)), codec)
            many = b"".join((*three, *map(nth, range(3, 200))))
            yield with_body(compress(codec, many), codec, 200)
    for codec in CODECS[1:]:
        packed = compress(codec, b"".join(map(nth, range(3))))
        for broken in (b"no such thing", bytes(40), packed[1:], packed[: len(packed) // 4]):
            if codec is not Codec.ZSTD or packed[:4] != broken[:4]:
                yield with_body(broken, codec)
        for odd in ((1, 1, 1), (0, 1, 3), (2, 1, 0), (-1, 0, 1)):
            yield with_body(compress(codec, b"".join(map(nth, odd))), codec)
    for odd in ((1, 1, 1), (2, 1, 0)):
        yield with_body(b"".join(map(nth, odd)))
    for attributes in (5, 6, 7):
        yield patched(batch(), ATTRIBUTES_AT, "h", attributes)
    for newest in (NOW_MS - 5, NOW_MS + 5, -1):
        yield patched(batch(), MAX_TIMESTAMP_AT, "q", newest)


def producers() -> Iterator[bytes]:
    for producer_id, epoch, sequence in (
        (4_000, -1, 0),
        (4_000, 0, -1),
        (4_000, -1, -1),
        (4_000, 0, -2),
        (-2, 0, 0),
        (-1, 0, 0),
        (-1, -1, 5),
        (-5, -1, -1),
        (4_000, 0, 5),
        (4_000, 0, 5),
        (4_000, 0, 8),
        (4_000, 0, 11),
        (4_000, 0, 14),
        (4_000, 0, 17),
        (4_000, 0, 20),
        (4_000, 0, 20),
        (4_000, 0, 8),
        (4_000, 0, 5),
        (4_000, 0, 9),
        (4_000, 0, 26),
        (4_000, 2, 1),
        (4_000, 2, 0),
        (4_000, 1, 3),
        (4_000, 2, 3),
        (4_001, 0, 2**31 - 3),
        (4_001, 0, 0),
        (4_001, 0, 2**31 - 3),
        (4_002, 0, 2**31 - 2),
        (4_002, 0, 1),
    ):
        whole = patched(batch(), PRODUCER_AT, "q", producer_id)
        yield patched(patched(whole, EPOCH_AT, "h", epoch), SEQUENCE_AT, "i", sequence)


def times() -> Iterator[bytes]:
    yield batch(NOW_MS + 2 * HOUR_MS)
    yield batch(NOW_MS, NOW_MS + 2 * HOUR_MS, NOW_MS, NOW_MS + 3 * HOUR_MS)
    yield batch(-1)
    yield batch(-1, NOW_MS)
    yield batch(0)
    yield batch(NOW_MS - 3 * HOUR_MS, NOW_MS)
    yield batch(NOW_MS + 2 * HOUR_MS, codec=Codec.GZIP)


def refused(topic: str, batches: Iterator[bytes], version: int = 12) -> Iterator[tuple[Message, int]]:
    for data in batches:
        yield produced(topic, 0, data), version
    yield fetched(topic, 0, 0), 12


def bad_headers() -> Iterator[tuple[Message, int]]:
    yield create(new("bad-headers")), 7
    yield from refused("bad-headers", headers())


def bad_producers() -> Iterator[tuple[Message, int]]:
    yield create(new("bad-producers")), 7
    yield from refused("bad-producers", producers())


def bad_records() -> Iterator[tuple[Message, int]]:
    yield create(new("bad-records")), 7
    yield from refused("bad-records", malformed())
    yield create(new("bad-stamped", message_timestamp_type="LogAppendTime")), 7
    for data in malformed():
        yield produced("bad-stamped", 0, data), 12


def bad_times() -> Iterator[tuple[Message, int]]:
    yield create(new("any-time")), 7
    yield from refused("any-time", times())
    limits = {"message_timestamp_before_max_ms": str(HOUR_MS), "message_timestamp_after_max_ms": str(10 * HOUR_MS)}
    yield create(new("some-time", **limits)), 7
    yield from refused("some-time", times())
    yield from refused("some-time", times(), 7)
    yield create(new("own-time", message_timestamp_type="LogAppendTime", **limits)), 7
    for data in (*times(), patched(batch(), ATTRIBUTES_AT, "h", 0x08)):
        yield produced("own-time", 0, data), 12


def bad_keys() -> Iterator[tuple[Message, int]]:
    yield create(new("keyed", cleanup_policy="compact")), 7
    for codec in CODECS:
        yield produced("keyed", 0, batch(codec=codec, key=None)), 12
        yield produced("keyed", 0, batch(codec=codec, key=b"")), 12
    mixed = [Record(0, NOW_MS, key, b"v") for key in (b"a", None, b"b", None)]
    for version in (3, 7, 8, 12):
        yield produced("keyed", 0, encode_batch(mixed)), version
    yield from refused("keyed", contents())


def bad_sizes() -> Iterator[tuple[Message, int]]:
    yield (
        create(
            new("narrow", max_message_bytes="1000"), new("short", segment_bytes="1048576", max_message_bytes="9999999")
        ),
        7,
    )
    for size in (800, 2_000):
        for codec in CODECS:
            yield produced("narrow", 0, batch(codec=codec, value=bytes(size))), 12
    yield produced("short", 0, batch(value=bytes(400_000))), 12
    yield fetched("narrow", 0, 0), 12
    yield fetched("short", 0, 0), 12


@pytest.mark.parametrize("ask", [bad_headers, bad_records, bad_producers, bad_times, bad_keys, bad_sizes])
def test_malformed_batches__sent_to_both_brokers__same_errors_or_stored_bytes(
    ask: Callable[[], Iterator[tuple[Message, int]]], kafka: Side, tenure: Side
) -> None:
    differences = []
    expected, ours = kafka.session(), tenure.session()
    for number, (request, version) in enumerate(ask()):
        answers = [ask_and_settle(session, request, version) for session in (expected, ours)]
        if answers[0] != answers[1]:
            differences.append(
                f"{number} {request} v{version}\n  Apache Kafka: {answers[0]}\n  Tenure:       {answers[1]}"
            )
    assert not differences, "\n".join(differences)


def recompressed_batches(side: Side) -> list[tuple[object, ...]]:
    """Return headers and records of recompressed batches; the compressed bytes depend on a library."""
    told: list[tuple[object, ...]] = []
    session = side.session()
    for kind in (*NAMES.values(), "producer"):
        for stamp in ("CreateTime", "LogAppendTime"):
            name = f"packed-{kind}-{stamp}"
            ask_and_settle(session, create(new(name, compression_type=kind, message_timestamp_type=stamp)), 7)
            for codec in CODECS:
                ask_and_settle(session, produced(name, 0, batch(NOW_MS + 5, NOW_MS, codec=codec)), 12)
                if kind not in ("producer", NAMES[codec]):
                    answer = session.ask("A", produced(name, 0, with_body(compress(codec, b"\0"), codec)), 12)
                    told.append((kind, stamp, codec, answer.responses[0].partition_responses[0].error_code))
            answer = session.ask("A", fetched(name, 0, 0), 12)
            for found in read_batches(answer.responses[0].partitions[0].records):
                verify_crc(found)
                append_time = NOW_MS if stamp == "LogAppendTime" else found.max_timestamp_ms
                told.append((kind, found.base_offset, found.attributes, found.count, append_time))
                told += [
                    (one.key, one.value, stamp == "CreateTime" and one.timestamp_ms) for one in decode_records(found)
                ]
    return told


def test_compression_type_of_a_topic__batches_with_any_codec__stored_alike_by_both_brokers(
    kafka: Side, tenure: Side
) -> None:
    theirs, ours = recompressed_batches(kafka), recompressed_batches(tenure)
    assert len(theirs) > 200
    assert ours == theirs
