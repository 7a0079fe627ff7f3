"""Transactions in one partition: where they end, and which were aborted.

A *marker* is a control batch that ends a producer's transaction here. Readers of committed data stop at the *last
stable offset*, before the first transaction that is open, and are told which transactions below were aborted, to skip
their records (rule 8.6.5). The aborted ones of a segment stand beside it in `.txnindex`, in Kafka's format: it is
written when the segment is sealed, before the other indexes, which so prove that it is there.
"""

import struct
from typing import Final, NamedTuple

from tenure.protocol.records import Batch, CorruptBatch, Record, decode_records, encode_batch

ABORT: Final = 0
COMMIT: Final = 1

_KEY: Final = struct.Struct(">hh")  # version, kind
_VALUE: Final = struct.Struct(">hi")  # version, coordinator epoch
_ENTRY: Final = struct.Struct(">hqqqq")
_INDEX_VERSION: Final = 0


class Marker(NamedTuple):
    """What ends the transaction of a producer in a partition; `producer_epoch` may be one that the end has raised."""

    producer_id: int
    producer_epoch: int
    is_commit: bool
    coordinator_epoch: int


class Aborted(NamedTuple):
    producer_id: int
    first_offset: int
    last_offset: int
    """Of the marker."""
    last_stable_offset: int
    """When the marker was written: every transaction that begins before and is not listed is decided elsewhere."""


class ImplausibleTransactions(ValueError):
    """Not an index that was written whole."""


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


def encode_aborted(aborted: list[Aborted]) -> bytes:
    return b"".join([_ENTRY.pack(_INDEX_VERSION, *entry) for entry in aborted])


def decode_aborted(data: bytes) -> list[Aborted]:
    if len(data) % _ENTRY.size:
        raise ImplausibleTransactions(f"{len(data)} bytes are no whole number of aborted transactions")
    entries = list(_ENTRY.iter_unpack(data))
    if any(version != _INDEX_VERSION for version, *_ in entries):
        raise ImplausibleTransactions("the transaction index is of another version")
    return [Aborted(*entry) for _, *entry in entries]
