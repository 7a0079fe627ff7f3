"""Markers: the control batches with which a transaction ends in a partition (rule 6.5.1)."""

import struct
from typing import Final

from tenure.protocol.records import Batch, CorruptBatch, Record, decode_records, encode_batch
from tenure.protocol.types import Marker

ABORT: Final = 0
COMMIT: Final = 1

_KEY: Final = struct.Struct(">hh")  # version, kind
_VALUE: Final = struct.Struct(">hi")  # version, coordinator epoch
MARKER_BYTES: Final = 78
"""A whole control batch."""


def encode_marker(marker: Marker, wall_ms: int) -> bytes:
    key = _KEY.pack(0, COMMIT if marker.is_commit else ABORT)
    value = _VALUE.pack(0, marker.coordinator_epoch)
    return encode_batch(
        [Record(0, wall_ms, key, value)],
        producer_id=marker.producer_id,
        producer_epoch=marker.producer_epoch,
        is_transactional=True,
        is_control=True,
    )


def marker_of(batch: Batch) -> Marker | None:
    """None: a control batch of another kind, or one that a compaction left without its record."""
    records = decode_records(batch)
    if not records or records[0].key is None or records[0].value is None:
        return None
    try:
        _, kind = _KEY.unpack_from(records[0].key)
        _, coordinator_epoch = _VALUE.unpack_from(records[0].value)
    except struct.error:
        raise CorruptBatch(f"{batch} is a control batch that says nothing") from None
    if kind not in (ABORT, COMMIT):
        return None
    return Marker(batch.producer_id, batch.producer_epoch, kind == COMMIT, coordinator_epoch)
