"""Record batches, version 2: the unit in which Kafka writes, stores, fetches and checks records.

    base_offset int64 | batch_length int32 | partition_leader_epoch int32 | magic int8 | crc uint32
    | attributes int16 | last_offset_delta int32 | base_timestamp int64 | max_timestamp int64
    | producer_id int64 | producer_epoch int16 | base_sequence int32 | count int32 | records

`batch_length` is the number of bytes after that field. The CRC-32C covers the bytes after the CRC. So the broker can
set base offset and leader epoch without computing the checksum again. The records are encoded one after the other.
Every codec except NONE compresses all of them together. The header is never compressed.

The module `records` has the encoding of a single record.

Message sets v0 and v1 (before Kafka 0.11) are refused, because they have neither producer ids nor leader epochs.
"""

import struct
from collections.abc import Iterator, Sequence
from enum import IntEnum
from typing import Any, Final, NamedTuple

import google_crc32c

from tenure.limits.protocol import BATCH_UNPACKED_BYTES_MAX
from tenure.protocol.compression import Codec, CompressionError, DecompressedTooLarge, compress, decompress
from tenure.protocol.message import Data
from tenure.protocol.records import (
    MalformedRecord,
    Record,
    RecordPosition,
    decode_record,
    encode_record,
    read_positions,
)

HEADER: Final = struct.Struct(">qiibIhiqqqhii")
"""Packer of the header of a record batch: all fields before the records."""
_UNCOVERED: Final = struct.Struct(">qiibI")
_COVERED: Final = struct.Struct(">hiqqqhii")
"""Packers of two parts of the header: the fields up to the checksum, and the fields that it covers."""
LENGTH_AT: Final = 8
LENGTH_END: Final = 12
"""Position after the field `batch_length`, which counts the bytes from there on."""
MAGIC_AT: Final = 16
CRC_AT: Final = 17
CRC_COVERS_FROM: Final = 21
ATTRIBUTES_LOW_AT: Final = 22
"""Position of the lower one of two bytes of attributes. It has all bits that are in use."""
MAX_TIMESTAMP_AT: Final = 35

MAGIC: Final = 2
NO_TIMESTAMP_MS: Final = -1
NO_PRODUCER_ID: Final = -1
NO_PRODUCER_EPOCH: Final = -1
NO_SEQUENCE: Final = -1
NO_LEADER_EPOCH: Final = -1

CODEC_BITS: Final = 0x07
LOG_APPEND_TIME_BIT: Final = 0x08
TRANSACTIONAL_BIT: Final = 0x10
CONTROL_BIT: Final = 0x20
_DELETE_HORIZON_BIT: Final = 0x40


class CorruptBatch(ValueError):
    """A batch is invalid. The message says what is wrong, and where."""


class BatchTooLarge(CorruptBatch):
    """The decompressed size of a batch exceeds the reader's limit."""


class UnsupportedMagic(ValueError):
    """Data in the format from before Kafka 0.11, or in an unknown format."""


class TimestampType(IntEnum):
    CREATE_TIME = 0
    LOG_APPEND_TIME = 1


_CODECS: Final = tuple(Codec)
_TIMESTAMP_TYPES: Final = tuple(TimestampType)
"""Enumeration members by their number in the attributes. Calling the enumeration would take ten times as long."""


class Batch:
    """Header of one batch, and the position of the batch in the buffer from which it was read."""

    __slots__ = (
        "attributes",
        "base_offset",
        "base_sequence",
        "base_timestamp_ms",
        "buffer",
        "count",
        "crc",
        "last_offset_delta",
        "length",
        "magic",
        "max_timestamp_ms",
        "partition_leader_epoch",
        "position",
        "producer_epoch",
        "producer_id",
        "size",
    )

    base_offset: int
    length: int
    partition_leader_epoch: int
    magic: int
    crc: int
    attributes: int
    last_offset_delta: int
    base_timestamp_ms: int
    max_timestamp_ms: int
    producer_id: int
    producer_epoch: int
    base_sequence: int
    count: int

    def __init__(self, buffer: Data, position: int) -> None:
        self.buffer: Data = buffer
        self.position = position
        (
            self.base_offset,
            self.length,
            self.partition_leader_epoch,
            self.magic,
            self.crc,
            self.attributes,
            self.last_offset_delta,
            self.base_timestamp_ms,
            self.max_timestamp_ms,
            self.producer_id,
            self.producer_epoch,
            self.base_sequence,
            self.count,
        ) = HEADER.unpack_from(buffer, position)
        self.size = self.length + LENGTH_END
        """Size of the whole batch in bytes."""

    @property
    def raw(self) -> bytes:
        return bytes(self.buffer[self.position : self.position + self.length + LENGTH_END])

    @property
    def last_offset(self) -> int:
        return self.base_offset + self.last_offset_delta

    @property
    def last_sequence(self) -> int:
        """Sequence number of the last record. Sequence numbers continue with 0 after 2**31 - 1."""
        if self.base_sequence == NO_SEQUENCE:
            return NO_SEQUENCE
        return (self.base_sequence + self.last_offset_delta) & 0x7FFF_FFFF

    @property
    def codec(self) -> Codec:
        number = self.attributes & CODEC_BITS
        if number >= len(_CODECS):
            raise CorruptBatch(f"{self} has the unknown compression codec {number}")
        return _CODECS[number]

    @property
    def timestamp_type(self) -> TimestampType:
        return _TIMESTAMP_TYPES[self.attributes >> 3 & 1]

    @property
    def has_append_time(self) -> bool:
        """True if the broker has set the maximum timestamp (LogAppendTime). Then all records have this timestamp."""
        return self.attributes & LOG_APPEND_TIME_BIT != 0

    @property
    def has_producer(self) -> bool:
        """True if the batch has a producer id, so that duplicates are refused. A negative id means none."""
        return self.producer_id > NO_PRODUCER_ID

    @property
    def is_transactional(self) -> bool:
        return bool(self.attributes & TRANSACTIONAL_BIT)

    @property
    def is_control(self) -> bool:
        return bool(self.attributes & CONTROL_BIT)

    @property
    def delete_horizon_ms(self) -> int | None:
        """Time from which on a compaction may remove the batch's tombstones (KIP-534).

        None before the first compaction.
        """
        return self.base_timestamp_ms if self.attributes & _DELETE_HORIZON_BIT else None

    def __str__(self) -> str:
        return f"the batch with base offset {self.base_offset} at byte {self.position}"


def read_batches(data: Data, position: int = 0) -> Iterator[Batch]:
    """Yield the complete batches of a response or a file, from byte `position` on.

    An incomplete batch at the end, which is normal in a Fetch response, is ignored. The headers are checked as far as
    necessary for reading, but not the checksums (see `verify_crc`). Raises CorruptBatch and UnsupportedMagic.
    """
    end = len(data)
    while end - position >= HEADER.size:
        batch = Batch(data, position)
        if batch.magic != MAGIC:
            raise UnsupportedMagic(_unsupported_magic(batch.magic, position))
        behind = position + LENGTH_END + batch.length
        if behind < position + HEADER.size:
            raise CorruptBatch(f"{batch} announces {batch.length} bytes, less than its own header")
        if behind > end:
            return
        if batch.count < 0 or batch.last_offset_delta < 0 or batch.base_offset < 0:
            raise CorruptBatch(
                f"{batch} counts {batch.count} records up to offset delta {batch.last_offset_delta}: "
                "base offset, count and delta must not be negative"
            )
        yield batch
        position = behind
    if end - position > MAGIC_AT and data[position + MAGIC_AT] != MAGIC:
        raise UnsupportedMagic(_unsupported_magic(data[position + MAGIC_AT], position))


def offset_behind(data: bytes) -> int:
    """Return the offset after the last batch in `data`. All batches must be complete."""
    last, position = 0, 0
    while position < len(data):
        last = position
        position += LENGTH_END + int.from_bytes(data[position + 8 : position + LENGTH_END], "big")
    return Batch(data, last).last_offset + 1


def _unsupported_magic(magic: int, position: int) -> str:
    if magic < MAGIC:
        return (
            f"message set v{magic} at byte {position}: formats older than Kafka 0.11's record batch v2 are not "
            "supported; the client must use Produce v3 or newer"
        )
    return f"unknown record format {magic} at byte {position}: record batch v2 is the only one that is supported"


def crc_of(batch: Batch) -> int:
    checksum: int = google_crc32c.value(
        bytes(batch.buffer[batch.position + CRC_COVERS_FROM : batch.position + batch.length + LENGTH_END])
    )
    return checksum


def verify_crc(batch: Batch) -> None:
    computed = crc_of(batch)
    if computed != batch.crc:
        raise CorruptBatch(f"{batch} fails its checksum: {batch.crc:08x} is stored, {computed:08x} computed")


# --- encoding ---------------------------------------------------------------------------------------------------------


class PackedRecords(NamedTuple):
    """Compressed records of a batch, with the fields of the header that depend on them."""

    body: Any
    """Bytes, or a buffer of Arrow, which is not copied. `google_crc32c` refuses a memoryview."""
    codec: Codec
    record_count: int
    base_timestamp_ms: int
    max_timestamp_ms: int


def encode_batch(
    records: Sequence[Record],
    *,
    base_offset: int = 0,
    codec: Codec = Codec.NONE,
    partition_leader_epoch: int = NO_LEADER_EPOCH,
    producer_id: int = NO_PRODUCER_ID,
    producer_epoch: int = NO_PRODUCER_EPOCH,
    base_sequence: int = NO_SEQUENCE,
    is_transactional: bool = False,
    is_control: bool = False,
) -> bytes:
    """Return a batch with these records. Record i gets the offset `base_offset + i`; `Record.offset` is ignored."""
    return encode_packed(
        pack_records(records, codec),
        base_offset=base_offset,
        partition_leader_epoch=partition_leader_epoch,
        producer_id=producer_id,
        producer_epoch=producer_epoch,
        base_sequence=base_sequence,
        is_transactional=is_transactional,
        is_control=is_control,
    )


def pack_records(records: Sequence[Record], codec: Codec) -> PackedRecords:
    if not records:
        raise ValueError("a batch must have at least one record")
    base_timestamp_ms = records[0].timestamp_ms
    encoded = [encode_record(r, i, base_timestamp_ms) for i, r in enumerate(records)]
    return pack_encoded(encoded, codec, base_timestamp_ms, max([record.timestamp_ms for record in records]))


def pack_encoded(
    records: Sequence[bytes], codec: Codec, base_timestamp_ms: int, max_timestamp_ms: int
) -> PackedRecords:
    """Join and compress records that are encoded already."""
    body = b"".join(records)
    return PackedRecords(
        compress(codec, body) if codec else body, codec, len(records), base_timestamp_ms, max_timestamp_ms
    )


def encode_packed(
    records: PackedRecords,
    *,
    base_offset: int = 0,
    partition_leader_epoch: int = NO_LEADER_EPOCH,
    producer_id: int = NO_PRODUCER_ID,
    producer_epoch: int = NO_PRODUCER_EPOCH,
    base_sequence: int = NO_SEQUENCE,
    is_transactional: bool = False,
    is_control: bool = False,
) -> bytes:
    """Return a batch with records that are already encoded and compressed."""
    header = _COVERED.pack(
        records.codec | (is_transactional and TRANSACTIONAL_BIT) | (is_control and CONTROL_BIT),
        records.record_count - 1,
        records.base_timestamp_ms,
        records.max_timestamp_ms,
        producer_id,
        producer_epoch,
        base_sequence,
        records.record_count,
    )
    length = CRC_COVERS_FROM - LENGTH_END + len(header) + len(records.body)
    crc = google_crc32c.extend(google_crc32c.value(header), records.body)
    uncovered = _UNCOVERED.pack(base_offset, length, partition_leader_epoch, MAGIC, crc)
    return b"".join((uncovered, header, records.body))


def with_remaining_records(
    batch: Batch, body: bytes, count: int, max_timestamp_ms: int, delete_horizon_ms: int | None
) -> bytes:
    """Return the batch with a part of its records. The batch's offsets and sequence numbers do not change.

    Args:
        batch: The batch.
        body: The remaining records, uncompressed.
        count: Number of remaining records.
        max_timestamp_ms: Greatest timestamp, for the header.
        delete_horizon_ms: Delete horizon to set. It replaces the base timestamp, so the timestamp deltas in `body` must
            be relative to it. None leaves both unchanged.
    """
    attributes, base_timestamp_ms = batch.attributes, batch.base_timestamp_ms
    if not count:  # an empty batch has neither a codec nor a base timestamp
        attributes, base_timestamp_ms = attributes & ~CODEC_BITS & ~_DELETE_HORIZON_BIT, NO_TIMESTAMP_MS
    elif delete_horizon_ms is not None:
        attributes, base_timestamp_ms = attributes | _DELETE_HORIZON_BIT, delete_horizon_ms
    covered = _COVERED.pack(
        attributes,
        batch.last_offset_delta,
        base_timestamp_ms,
        max_timestamp_ms,
        batch.producer_id,
        batch.producer_epoch,
        batch.base_sequence,
        count,
    )
    covered += compress(batch.codec, body) if count and batch.codec else body
    length = CRC_COVERS_FROM - LENGTH_END + len(covered)
    crc = google_crc32c.value(covered)
    return _UNCOVERED.pack(batch.base_offset, length, batch.partition_leader_epoch, MAGIC, crc) + covered


def with_checksum(batch: bytearray) -> bytes:
    """Compute the checksum of a batch whose header or records were changed, and return the batch with it."""
    struct.pack_into(">I", batch, CRC_AT, google_crc32c.value(bytes(batch[CRC_COVERS_FROM:])))
    return bytes(batch)


# --- decoding ---------------------------------------------------------------------------------------------------------


def unpacked_records(batch: Batch, max_bytes: int = BATCH_UNPACKED_BYTES_MAX) -> bytes:
    """Return the decompressed records as bytes. Raises CorruptBatch, and BatchTooLarge beyond `max_bytes`."""
    packed = bytes(batch.buffer[batch.position + HEADER.size : batch.position + batch.size])
    try:
        return decompress(batch.codec, packed, max_bytes)
    except DecompressedTooLarge as error:
        raise BatchTooLarge(f"{batch} cannot be unpacked: {error}") from error
    except CompressionError as error:
        raise CorruptBatch(f"{batch} cannot be unpacked: {error}") from error


def decode_records(batch: Batch) -> list[Record]:
    """Return all records as Python objects. Raises `CorruptBatch` if their number differs from the header's."""
    data = unpacked_records(batch)
    base_offset, last_offset_delta, base_timestamp_ms = (
        batch.base_offset,
        batch.last_offset_delta,
        batch.base_timestamp_ms,
    )
    append_time_ms = batch.max_timestamp_ms if batch.has_append_time else None
    records: list[Record] = []
    position = 0
    try:
        for _ in range(batch.count):
            record, position = decode_record(
                data, position, base_offset, last_offset_delta, base_timestamp_ms, append_time_ms
            )
            records.append(record)
    except MalformedRecord as error:
        raise CorruptBatch(f"record {len(records)} of {batch}, at byte {position} of the records: {error}") from None
    if position != len(data):
        raise CorruptBatch(f"{batch} has {len(data) - position} bytes too many after its {batch.count} records")
    return records


def record_positions(batch: Batch, data: bytes) -> Iterator[RecordPosition]:
    """Yield the position of each record in `data`, which must be `unpacked_records(batch)`. Raises CorruptBatch."""
    try:
        yield from read_positions(data, batch.count)
    except MalformedRecord as error:
        raise CorruptBatch(f"{batch} has a malformed record: {error}") from None
