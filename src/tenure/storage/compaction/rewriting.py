"""Re-encoding of a batch with the compression of the log, if its producer used another one."""

import struct
from typing import Final

from tenure.protocol.batches import HEADER, LENGTH_END, MAX_TIMESTAMP_AT, Batch, seal, unpacked_records
from tenure.protocol.compression import Codec, compress

_LENGTH_AT: Final = 8
_ATTRIBUTES_AT: Final = 21
_CODEC_BITS: Final = 0x07
_LOG_APPEND_TIME_BIT: Final = 0x08


def rewritten(batch: Batch, codec: Codec, level: int | None, max_timestamp_ms: int) -> bytes:
    """Return the batch, compressed with `codec` at `level`; all other fields keep their values.

    `max_timestamp_ms` is the newest timestamp of its records. Raises CorruptBatch.
    """
    packed = batch.raw[HEADER.size :]
    body = packed if codec is batch.codec else compress(codec, unpacked_records(batch), level)
    whole = bytearray(batch.raw[: HEADER.size]) + body
    struct.pack_into(">i", whole, _LENGTH_AT, len(whole) - LENGTH_END)
    attributes = batch.attributes & ~_CODEC_BITS & ~_LOG_APPEND_TIME_BIT | codec
    struct.pack_into(">h", whole, _ATTRIBUTES_AT, attributes)
    struct.pack_into(">q", whole, MAX_TIMESTAMP_AT, max_timestamp_ms)
    return seal(whole)
