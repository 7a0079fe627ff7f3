"""Reading a shard's log: the newest record of every key, in the order of the log (rules 6.4, 6.5).

A log of commits holds each partition's position a thousand times over; only the last one counts. So the records are
first sifted by their raw keys, and only what remains is decoded and applied. Transactional offsets count once their
commit marker has come; what is still pending at the end of the log stays out.
"""

from collections.abc import Iterable, Iterator
from typing import Final

from tenure.coordinator.shard import LogRecord
from tenure.protocol.compression import CompressionError
from tenure.protocol.message import MalformedMessage
from tenure.protocol.records import (
    Batch,
    CorruptBatch,
    Record,
    UnsupportedMagic,
    decode_records,
    read_batches,
    verify_crc,
)
from tenure.runtime.codecs import Codec

COMMIT_MARKER: Final = b"\x00\x00\x00\x01"

UNREADABLE: Final = (MalformedMessage, CorruptBatch, UnsupportedMagic, CompressionError)
"""What reading a log raises when the log cannot be trusted."""


def newest_records(chunks: Iterable[bytes], codec: Codec) -> Iterator[LogRecord]:
    """Raises one of `UNREADABLE`."""
    newest: dict[object, Record] = {}
    pending: dict[int, list[Record]] = {}
    for batch in _batches(chunks):
        if batch.is_control:
            marker = decode_records(batch)[0]
            held = pending.pop(batch.producer_id, [])
            _keep(newest, held if marker.key == COMMIT_MARKER else [], codec)
        elif batch.is_transactional:
            pending.setdefault(batch.producer_id, []).extend(decode_records(batch))
        else:
            _keep(newest, decode_records(batch), codec)
    for record in sorted(newest.values(), key=lambda record: record.offset):
        decoded = codec.decode(record.key, record.value)
        if decoded is not None:
            yield decoded


def _batches(chunks: Iterable[bytes]) -> Iterator[Batch]:
    for chunk in chunks:
        for batch in read_batches(chunk):
            verify_crc(batch)
            yield batch


def _keep(newest: dict[object, Record], records: Iterable[Record], codec: Codec) -> None:
    """A plain commit that was written after a transactional one wins, though the marker comes later (rule 6.5.1)."""
    for record in records:
        identity = codec.identity(record.key)
        slot: object = record.offset if identity is None else identity
        before = newest.get(slot)
        if before is None or before.offset < record.offset:
            newest[slot] = record
