"""Reading a shard's log: the newest record of every key, in the order of the log (rules 6.4, 6.5).

A log of commits holds each partition's position a thousand times over; only the last one counts. So the records are
first sifted by their raw keys, and only what remains is decoded and applied: large chunks of plain records by the
column (`sift`), everything else record by record. Transactional offsets count once their commit marker has come; what
is still pending at the end of the log stays out.
"""

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any, Final

from tenure.coordinator.shard import LogRecord
from tenure.limits import LOAD_HELD_BYTES_MAX, LOAD_SIFTED_FROM_BYTES
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

if TYPE_CHECKING:
    from tenure.runtime.sift import Sifted

COMMIT_MARKER: Final = b"\x00\x00\x00\x01"

DAMAGED: Final = (CorruptBatch, UnsupportedMagic, CompressionError)
"""What reading a log raises when its bytes are not those that were written."""

Content = tuple[bytes | None, bytes | None]
"""Key and value."""


class UnreadableRecord(ValueError):
    """A whole record that says nothing which this version understands."""


def newest_records(chunks: Iterable[bytes], codec: Codec) -> Iterator[tuple[int, LogRecord]]:
    """Offset and record. Raises `UnreadableRecord` or one of `DAMAGED`."""
    log = _Log(codec)
    for chunk in chunks:
        log.take(chunk)
    for offset, (key, content) in log.newest():
        try:
            decoded = codec.decode(key, content)
        except MalformedMessage as error:
            raise UnreadableRecord(f"the record at offset {offset} cannot be read: {error}") from error
        if decoded is not None:
            yield offset, decoded


class _Log:
    """What was read so far."""

    def __init__(self, codec: Codec) -> None:
        self._identity = codec.identity
        self._other_names = codec.OTHER_NAMES
        self._newest: dict[object, int] = {}
        """Of each key the offset of its newest record; a record without a key stands here under its own offset."""
        self._rows: dict[int, Content] = {}
        """By offset. Invariant: a record that counts is here or in a sifted chunk."""
        self._sifted: list[Sifted] = []
        self._pending: dict[int, list[Record]] = {}
        """Of producers whose transactions are open."""

    def take(self, chunk: bytes) -> None:
        if len(chunk) >= LOAD_SIFTED_FROM_BYTES and self._other_names is not None:
            from tenure.runtime.sift import sift  # numpy costs more than a small log

            sifted = sift(chunk, self._other_names)
            if sifted is not None:
                self._newest.update(zip(sifted.keys, sifted.offsets, strict=True))
                sifted.forget_keys()
                self._sifted.append(sifted)
                if sum([len(each.buffer) for each in self._sifted]) > LOAD_HELD_BYTES_MAX:
                    self._settle()
                return
        for batch in read_batches(chunk):
            verify_crc(batch)
            self._take_batch(batch)

    def _take_batch(self, batch: Batch) -> None:
        if batch.is_control:
            marker = decode_records(batch)  # none where a compaction left only the batch's header
            held = self._pending.pop(batch.producer_id, [])
            self._keep(held if marker and marker[0].key == COMMIT_MARKER else [])
        elif batch.is_transactional:
            self._pending.setdefault(batch.producer_id, []).extend(decode_records(batch))
        else:
            self._keep(decode_records(batch))

    def _keep(self, records: Iterable[Record]) -> None:
        """A plain commit written after a transactional one wins, though the marker comes later still (rule 6.5.1)."""
        newest, rows = self._newest, self._rows
        for record in records:
            identity = self._identity(record.key)
            slot: object = record.offset if identity is None else identity
            before = newest.get(slot, -1)
            if before < record.offset:
                rows.pop(before, None)
                newest[slot] = record.offset
                rows[record.offset] = record.key, record.value

    def _settle(self) -> None:
        """Takes what counts out of the sifted chunks, and lets them go."""
        if self._sifted:
            from tenure.runtime.sift import in_order

            keys: dict[int, Any] = {offset: key for key, offset in self._newest.items()}
            newest = in_order(keys)
            for sifted in self._sifted:
                offsets, values = sifted.values_at(newest)
                contents = zip([keys[offset] for offset in offsets], values, strict=True)
                self._rows.update(zip(offsets, contents, strict=True))
            self._sifted = []

    def newest(self) -> list[tuple[int, Content]]:
        self._settle()
        rows = self._rows
        return [(offset, rows[offset]) for offset in sorted(self._newest.values())]
