"""Fields of a batch that the log sets: base offset, leader epoch, timestamp and compression."""

import struct
from typing import Final

from tenure.protocol.batches import (
    ATTRIBUTES_LOW_AT,
    CODEC_BITS,
    CRC_AT,
    HEADER,
    LENGTH_AT,
    LENGTH_END,
    LOG_APPEND_TIME_BIT,
    MAX_TIMESTAMP_AT,
    Batch,
    crc_of,
    unpacked_records,
    with_checksum,
)
from tenure.protocol.compression import Codec, compress

_OFFSET_LENGTH_EPOCH: Final = struct.Struct(">qii")
"""Packer of the fields at the start of a batch: base offset, length, leader epoch. Its checksum does not cover them."""


def assign_offsets(data: bytes, batches: list[Batch], offset: int, leader_epoch: int) -> tuple[bytearray, int]:
    """Return a copy of `data`, and the offset after its last record.

    In the copy, the offsets of the batches begin at `offset`, and each batch has this leader epoch. The base offsets
    of `batches` are set, too.
    """
    stored = bytearray(data)
    for batch in batches:
        batch.base_offset = offset
        _OFFSET_LENGTH_EPOCH.pack_into(stored, batch.position, offset, batch.length, leader_epoch)
        offset += batch.last_offset_delta + 1
    return stored, offset


def assign_timestamps(stored: bytearray, batches: list[Batch], now_ms: int) -> None:
    """Write the broker's time into each batch, and update the checksums."""
    for batch in batches:
        batch.max_timestamp_ms = now_ms
        stored[batch.position + ATTRIBUTES_LOW_AT] |= LOG_APPEND_TIME_BIT
        struct.pack_into(">q", stored, batch.position + MAX_TIMESTAMP_AT, now_ms)
        batch.buffer = bytes(stored)
        struct.pack_into(">I", stored, batch.position + CRC_AT, crc_of(batch))


def recompressed(batch: Batch, codec: Codec, level: int | None, max_timestamp_ms: int) -> bytes:
    """Return the batch, compressed with `codec` at `level`; all other fields keep their values.

    `max_timestamp_ms` is the newest timestamp of its records. Raises CorruptBatch.
    """
    packed = batch.raw[HEADER.size :]
    body = packed if codec is batch.codec else compress(codec, unpacked_records(batch), level)
    whole = bytearray(batch.raw[: HEADER.size]) + body
    struct.pack_into(">i", whole, LENGTH_AT, len(whole) - LENGTH_END)
    attributes = batch.attributes & ~CODEC_BITS & ~LOG_APPEND_TIME_BIT | codec
    struct.pack_into(">h", whole, ATTRIBUTES_LOW_AT - 1, attributes)
    struct.pack_into(">q", whole, MAX_TIMESTAMP_AT, max_timestamp_ms)
    return with_checksum(whole)
