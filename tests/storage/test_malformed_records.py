"""Batches with a valid checksum and invalid records are refused, and nothing is stored.

See docs/differences.md, "Checks of record batches".
"""

import struct
from collections.abc import Callable, Generator
from typing import TypeVar

import pytest

from tenure.protocol.batches import HEADER, LENGTH_END, decode_records, encode_batch, read_batches, with_checksum
from tenure.protocol.compression import Codec, compress
from tenure.protocol.records import Record
from tenure.storage.errors import AppendRefused, InvalidRecord, InvalidTimestamp, UnreadableBatch
from tenure.storage.log.settings import LogSettings
from tenure.storage.log.validation import check_in_steps
from tests.protocol.batches import NOW_MS
from tests.steps import returned
from tests.storage.logs import in_memory

T = TypeVar("T")

CODECS = list(Codec)
COUNTS = (1, 3, 40, 41, 300, 301)
"""Numbers of records that are checked one by one, by runs of one shape, and by numpy; odd ones have headers."""
SETTINGS = LogSettings()


def batch(count: int) -> bytes:
    headers = [("h", None)] * (count % 2)
    return encode_batch([Record(0, NOW_MS + n % 7, b"k", b"v%4d" % n, headers) for n in range(count)])


def holding(sent: bytes, body: bytes, codec: Codec = Codec.NONE, *, is_packed: bool = False) -> bytes:
    """Return the batch with other records."""
    whole = bytearray(sent[: HEADER.size] + (body if is_packed else compress(codec, body)))
    struct.pack_into(">i", whole, 8, len(whole) - LENGTH_END)
    struct.pack_into(">h", whole, 21, codec)
    return with_checksum(whole)


def refused(sent: bytes, settings: LogSettings = SETTINGS) -> type[AppendRefused]:
    partition = in_memory(settings)
    with pytest.raises(AppendRefused) as error:
        partition.append(sent, now_ms=NOW_MS)
    assert partition.log_end_offset == 0
    assert partition.read(0, 1 << 20) == b""
    with pytest.raises(error.type):
        returned(check_in_steps(sent, settings, NOW_MS, at_once))
    return error.type


def at_once(work: Callable[[], T]) -> Generator[None, None, T]:
    """Run the work at once, instead of on a thread of the broker."""
    yield
    return work()


@pytest.mark.parametrize("count", COUNTS)
@pytest.mark.parametrize("codec", CODECS)
def test_append__wrong_record_count_in_the_header__refused(codec: Codec, count: int) -> None:
    sent = batch(count)
    body, more = sent[HEADER.size :], batch(count + 1)[HEADER.size :]
    for broken in (b"", body[:-1], body[: len(body) // 2], more, body + b"\0", b"\0" + body, body[1:]):
        assert refused(holding(sent, broken, codec)) is InvalidRecord
    in_memory(SETTINGS).append(holding(sent, body, codec), now_ms=NOW_MS)


@pytest.mark.parametrize("count", COUNTS)
@pytest.mark.parametrize("codec", CODECS[1:])
def test_append__records_not_compressed_with_the_codec_of_the_header__unreadable_batch(
    codec: Codec, count: int
) -> None:
    sent = batch(count)
    packed = compress(codec, sent[HEADER.size :])
    for broken in (b"no such thing", b"\0" * 40, packed[1:]):
        assert refused(holding(sent, broken, codec, is_packed=True)) is UnreadableBatch


@pytest.mark.parametrize("count", COUNTS[1:])
@pytest.mark.parametrize("codec", CODECS)
def test_append__offset_deltas_not_consecutive__refused_only_if_compressed(codec: Codec, count: int) -> None:
    body = batch(1)[HEADER.size :] * count  # all of them 0
    sent = holding(batch(count), body, codec)
    if codec:
        assert refused(sent) is UnreadableBatch
    else:
        in_memory(SETTINGS).append(sent, now_ms=NOW_MS)
        assert refused(sent, SETTINGS._replace(compression=Codec.LZ4)) is UnreadableBatch


@pytest.mark.parametrize("count", COUNTS[1:])
@pytest.mark.parametrize("codec", CODECS)
def test_append__compressed_record_with_a_wrong_length__refused(codec: Codec, count: int) -> None:
    body = bytearray(batch(count)[HEADER.size :])
    body[0] += 2
    assert refused(holding(batch(count), bytes(body), codec)) is InvalidRecord


@pytest.mark.parametrize("count", COUNTS)
@pytest.mark.parametrize("codec", CODECS)
def test_append__wrong_maximum_timestamp_in_the_header__corrected(codec: Codec, count: int) -> None:
    sent = bytearray(holding(batch(count), batch(count)[HEADER.size :], codec))
    struct.pack_into(">q", sent, 35, NOW_MS - 1)
    partition = in_memory(SETTINGS)
    partition.append(with_checksum(sent), now_ms=NOW_MS)
    (stored,) = read_batches(partition.read(0, 1 << 20))
    assert stored.max_timestamp_ms == max(record.timestamp_ms for record in decode_records(stored))


@pytest.mark.parametrize("count", COUNTS[1:])
@pytest.mark.parametrize("codec", CODECS)
def test_append__timestamp_of_a_record_too_new_but_header_valid__refused(codec: Codec, count: int) -> None:
    late = NOW_MS + SETTINGS.message_timestamp_after_max_ms + 1
    rows = [Record(0, late if n == count - 1 else NOW_MS, b"k", b"v") for n in range(count)]
    sent = bytearray(encode_batch(rows, codec=codec))
    struct.pack_into(">q", sent, 35, NOW_MS)
    assert refused(with_checksum(sent)) is InvalidTimestamp
