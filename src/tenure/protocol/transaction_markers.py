"""Transaction markers: control batches that end a producer's transaction in a partition (rule 6.5.1)."""

import struct
from typing import Final

from tenure.protocol.batches import HEADER, Batch, CorruptBatch, PackedRecords, decode_records, encode_packed
from tenure.protocol.compression import Codec
from tenure.protocol.types import Marker

ABORT: Final = 0
COMMIT: Final = 1

_KEY: Final = struct.Struct(">hh")  # version, kind
_VALUE: Final = struct.Struct(">hi")  # version, coordinator epoch
_RECORD: Final = struct.Struct(">5shhchic")
"""Packer of the whole record of a marker, as Tenure and Kafka write it.

One call packs or unpacks it, because every partition of every transaction gets a marker.
"""
_BEFORE_KEY: Final = b"\x20\0\0\0\x08"
_BEFORE_VALUE: Final = b"\x0c"
_BEHIND_VALUE: Final = b"\0"
"""Bytes after the value: the number of headers.

`_BEFORE_KEY` and `_BEFORE_VALUE` are the constant bytes before key and value.
"""
MARKER_BYTES: Final = HEADER.size + _RECORD.size
"""Size of the control batch of a marker."""


def encode_marker(marker: Marker, wall_ms: int) -> bytes:
    kind = COMMIT if marker.is_commit else ABORT
    record = _RECORD.pack(_BEFORE_KEY, 0, kind, _BEFORE_VALUE, 0, marker.coordinator_epoch, _BEHIND_VALUE)
    return encode_packed(
        PackedRecords(record, Codec.NONE, 1, wall_ms, wall_ms),
        producer_id=marker.producer_id,
        producer_epoch=marker.producer_epoch,
        is_transactional=True,
        is_control=True,
    )


def marker_of(batch: Batch) -> Marker | None:
    """Return the marker in a control batch.

    Return None if the batch has another control record, or if compaction has removed its record.
    """
    if batch.size == MARKER_BYTES:
        before_key, _, kind, before_value, _, coordinator_epoch, behind_value = _RECORD.unpack_from(
            batch.buffer, batch.position + HEADER.size
        )
        if (before_key, before_value, behind_value) == (_BEFORE_KEY, _BEFORE_VALUE, _BEHIND_VALUE):
            return _marker(batch, kind, coordinator_epoch)
    records = decode_records(batch)
    if not records or records[0].key is None or records[0].value is None:
        return None
    try:
        _, kind = _KEY.unpack_from(records[0].key)
        if kind not in (ABORT, COMMIT):  # for example the end of a snapshot, whose value is shorter
            return None
        _, coordinator_epoch = _VALUE.unpack_from(records[0].value)
    except struct.error:
        raise CorruptBatch(f"{batch} is a control batch with a record that is too short") from None
    return _marker(batch, kind, coordinator_epoch)


def _marker(batch: Batch, kind: int, coordinator_epoch: int) -> Marker | None:
    if kind not in (ABORT, COMMIT):
        return None
    return Marker(batch.producer_id, batch.producer_epoch, kind == COMMIT, coordinator_epoch)
