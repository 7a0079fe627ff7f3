"""What the log writes into a batch that it takes: where it stands, under which leader, and at what time."""

import struct
from typing import Final

from tenure.protocol.records import CRC_AT, MAX_TIMESTAMP_AT, Batch, crc_of

_PLACE: Final = struct.Struct(">qii")
"""The start of a batch: base offset, length, leader epoch. The checksum does not reach there."""
_TIMESTAMP_TYPE_AT: Final = 22
_LOG_APPEND_TIME_BIT: Final = 0x08


def place(data: bytes, batches: list[Batch], offset: int, leader_epoch: int) -> tuple[bytearray, int]:
    """The batches as they stand at `offset`, and the offset behind them."""
    placed = bytearray(data)
    for batch in batches:
        batch.base_offset = offset
        _PLACE.pack_into(placed, batch.position, offset, batch.length, leader_epoch)
        offset += batch.last_offset_delta + 1
    return placed, offset


def stamp(placed: bytearray, batches: list[Batch], now_ms: int) -> None:
    """Writes the broker's time into each batch: a change that its checksum must follow."""
    for batch in batches:
        batch.max_timestamp_ms = now_ms
        placed[batch.position + _TIMESTAMP_TYPE_AT] |= _LOG_APPEND_TIME_BIT
        struct.pack_into(">q", placed, batch.position + MAX_TIMESTAMP_AT, now_ms)
        batch.buffer = bytes(placed)
        struct.pack_into(">I", placed, batch.position + CRC_AT, crc_of(batch))
