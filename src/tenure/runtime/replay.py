"""Replay of a shard's log: yields the newest record of every key, in the order of the log (rules 6.4, 6.5).

A log of committed offsets may have thousands of records for each partition, of which only the last one counts. So
records are first filtered by their raw keys, and only the remaining ones are decoded and applied: large chunks of plain
records as columns (`columnar_replay`, `newest_by_key`, `commits`), all others one by one. Transactional offsets take
effect at their commit marker; those without a marker at the end of the log stay pending.
"""

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Final, NamedTuple

from tenure.coordinator.groups.records import OffsetsRead
from tenure.coordinator.shard import LogRecord, TransactionalRecord
from tenure.limits.runtime import LOAD_AS_COLUMNS_FROM_BYTES, LOAD_HELD_BYTES_MAX
from tenure.protocol.batches import Batch, CorruptBatch, UnsupportedMagic, decode_records, read_batches, verify_crc
from tenure.protocol.compression import CompressionError
from tenure.protocol.message import MalformedMessage
from tenure.protocol.records import Record
from tenure.protocol.transaction_markers import marker_of
from tenure.runtime.codecs import Codec, Content

if TYPE_CHECKING:
    from tenure.runtime.columnar_replay import ChunkColumns

DAMAGED: Final = (CorruptBatch, UnsupportedMagic, CompressionError)
"""Exceptions that mean that bytes of the log have changed since they were written."""


class UnreadableRecord(ValueError):
    """An undamaged record that this version cannot decode."""


def newest_records(
    chunks: Iterable[bytes], codec: Codec
) -> Iterator[tuple[int, LogRecord | TransactionalRecord | OffsetsRead]]:
    """Yield (offset, record), or (offset, several commits of one group), in the order of the log.

    With several commits, the offset is at least that of the last one, and less than that of the next record. Raises
    `UnreadableRecord`, or one of the exceptions in `DAMAGED`.
    """
    log = _Log(codec)
    for chunk in chunks:
        log.take(chunk)
    for offset, found in log.newest():
        if isinstance(found, OffsetsRead):
            yield offset, found
            continue
        content = (found.record.key, found.record.value) if isinstance(found, Pending) else found
        try:
            decoded = codec.decode(*content)
        except MalformedMessage as error:
            raise UnreadableRecord(f"the record at offset {offset} cannot be read: {error}") from error
        if decoded is None:
            continue
        if isinstance(found, Pending):
            yield offset, TransactionalRecord(found.producer_id, found.producer_epoch, decoded.key, decoded.value)
        else:
            yield offset, decoded


class Pending(NamedTuple):
    """Record of a transaction, as long as the marker of the transaction was not read."""

    producer_id: int
    producer_epoch: int
    record: Record


class _Log:
    """Newest record of each key, among the records that were read so far."""

    def __init__(self, codec: Codec) -> None:
        self._compaction_key = codec.compaction_key
        self._alias_prefix = codec.ALIAS_PREFIX
        self._newest: dict[object, int] = {}
        """Offset of the newest row of each key, by key. A row without a key is stored under its own offset."""
        self._rows: dict[int, Content] = {}
        """Newest record of each key in the chunks that were read as rows, by the record's offset."""
        self._columns: list[ChunkColumns] = []
        """Chunks that were read as columns, ascending."""
        self._pending: dict[int, list[Pending]] = {}
        """Records of open transactions, by producer id."""

    def take(self, chunk: bytes) -> None:
        uses_columns = self._columns or len(chunk) >= LOAD_AS_COLUMNS_FROM_BYTES
        if uses_columns and self._alias_prefix is not None:
            from tenure.runtime.columnar_replay import read_columns  # imports numpy: too slow for small logs

            columns = read_columns(chunk, self._alias_prefix)
            if columns is not None:
                self._columns.append(columns)
                if sum([len(each.buffer) for each in self._columns]) > LOAD_HELD_BYTES_MAX:
                    self._forget_outdated()
                    self._columns = [each.compact() for each in self._columns]
                return
        for batch in read_batches(chunk):
            verify_crc(batch)
            self._take_batch(batch)

    def _take_batch(self, batch: Batch) -> None:
        if batch.is_control:
            marker = marker_of(batch)
            held = self._pending.pop(batch.producer_id, [])
            self._keep([pending.record for pending in held] if marker is not None and marker.is_commit else [])
        elif batch.is_transactional:
            held = self._pending.setdefault(batch.producer_id, [])
            held += [Pending(batch.producer_id, batch.producer_epoch, record) for record in decode_records(batch)]
        else:
            self._keep(decode_records(batch))

    def _keep(self, records: Iterable[Record]) -> None:
        """Add records, and drop the ones that they replace.

        A plain commit written after a transactional one wins, even if the transaction's marker comes later (rule
        6.5.1).
        """
        newest, rows = self._newest, self._rows
        for record in records:
            compaction_key = self._compaction_key(record.key)
            slot: object = record.offset if compaction_key is None else compaction_key
            before = newest.get(slot, -1)
            if before < record.offset:
                rows.pop(before, None)
                newest[slot] = record.offset
                rows[record.offset] = record.key, record.value

    def newest(self) -> Iterator[tuple[int, Content | Pending | OffsetsRead]]:
        """Yield the newest record of each key, and the pending records, in ascending order of offsets.

        A chunk was read either as rows or as columns. So the offsets of all rows are before or after those of a
        columnar chunk, never between them.
        """
        if self._columns:
            from tenure.runtime.commits import records_and_commits

            self._forget_outdated()
        rows: dict[int, Content | Pending] = {
            **self._rows,
            **{pending.record.offset: pending for held in self._pending.values() for pending in held},
        }
        left = sorted(rows, reverse=True)
        for columns in self._columns:
            while left and left[-1] < columns.offset[0]:
                offset = left.pop()
                yield offset, rows[offset]
            yield from records_and_commits(columns)
        for offset in reversed(left):
            yield offset, rows[offset]

    def _forget_outdated(self) -> None:
        """Drop all records that a later record replaces, both in columns and in rows."""
        from tenure.runtime.newest_by_key import newest_of_each_key

        self._columns = newest_of_each_key(self._columns)
        if not self._newest:
            return
        left = [columns.select_rows(self._newer_than_rows(columns)) for columns in self._columns]
        self._columns = [columns for columns in left if len(columns.offset)]

    def _newer_than_rows(self, columns: "ChunkColumns") -> list[bool]:
        """Return, for each record of a chunk, whether it is newer than all rows with its key.

        Drop the rows that are older.
        """
        is_newer = []
        for key, offset in zip(columns.key_bytes(), columns.offset.tolist(), strict=True):
            before = self._newest.get(key)
            is_newer.append(before is None or before < offset)
            if before is not None and before < offset:
                del self._rows[before], self._newest[key]
        return is_newer
