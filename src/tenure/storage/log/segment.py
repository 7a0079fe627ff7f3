"""Segment: one file of batches, with its sparse indexes.

A segment is named after its base offset, with 20 digits. Only the last segment of a partition grows. The others are
sealed: synced, with their indexes on disk. Batches are opaque: only their headers are read, except for a search by
timestamp.
"""

from binascii import crc32
from collections.abc import Iterator
from contextlib import suppress
from operator import itemgetter
from threading import Lock
from typing import Final, NamedTuple

from tenure.protocol.batches import HEADER, MAGIC, Batch, CorruptBatch, decode_records, verify_crc
from tenure.protocol.message import MessagePart
from tenure.storage.errors import DamagedBatch
from tenure.storage.files import DataFiles, File
from tenure.storage.log.index import OFFSET_ENTRY_BYTES, TIME_ENTRY_BYTES, ImplausibleIndex, OffsetIndex, TimeIndex
from tenure.storage.log.transactions import Aborted, ImplausibleTransactions, decode_aborted, encode_aborted
from tenure.storage.log.verified_ranges import VerifiedRanges

SCAN_BYTES: Final = 1 << 20
"""Bytes that are read at once in a search for headers.

With fewer bytes, the search would spend its time in system calls. With more, searches of 50 partitions at the same time
would take too much memory.
"""

RELATIVE_OFFSET_MAX: Final = 2**31 - 1
"""Greatest offset relative to the segment's base offset: indexes store it in 32 bits."""

_NO_TIMESTAMP_MS: Final = -1


class Slice(NamedTuple):
    """Whole batches of a log, the result of `Segment.slice` and `ReadableLog.slice`."""

    records: MessagePart
    """Record batches; large ones are not read into memory."""
    end_offset: int
    """Offset after the last record or, if a gap follows, the offset of the next batch."""


INDEXES: Final = (".txnindex", ".index", ".timeindex")
"""Suffixes of a segment's index files. Only a segment with aborted transactions has the first one."""


def segment_name(base_offset: int) -> str:
    return f"{base_offset:020d}"


class Segment:
    """One file of batches, with its indexes.

    The file names end in `suffix` while the segment is not yet part of the log.
    """

    def __init__(
        self, files: DataFiles, directory: str, base_offset: int, index_interval_bytes: int, suffix: str = ""
    ) -> None:
        self.base_offset = base_offset
        self.stem = f"{directory}/{segment_name(base_offset)}"
        self._suffix = suffix
        self.next_offset = base_offset
        """Offset after the last record. Invariant: in a sealed segment, at most the base offset of the next segment."""
        self._files = files
        self._file: File = files.open(f"{self.stem}.log{suffix}")
        self.size = self._file.size
        """Size of the whole batches. Invariant: equals the file's size, except during an append."""
        self._index_interval_bytes = index_interval_bytes
        self._unindexed_bytes = 0
        self._max_timestamp_offset = base_offset
        self._max_timestamp_ms = _NO_TIMESTAMP_MS
        self._verified = VerifiedRanges()
        """Ranges of the file that this process has written or verified.

        All others are verified before they are read.
        """
        self._is_index_proven = True
        """True if this process has created the index from batches, or the index files have the expected checksum.

        Otherwise each entry is checked before it is used.
        """
        self._was_there = self.size > 0
        self._lacks_index = False
        """True if there are batches, but no valid index; the first read creates one."""
        self.has_new_indexes = False
        """True if the indexes were rebuilt, and are not written to their files yet."""
        self.indexes_checksum: int | None = None
        """CRC-32 of the files of offset index and time index together; None if it is unknown."""
        self.aborted_checksum: int | None = None
        """CRC-32 of the transaction index; 0 if there is no such file, None if it is unknown."""
        self._lacks_aborted = False
        """True if the file of the transaction index is invalid, or its checksum is not `aborted_checksum`."""
        self.is_damaged = False
        """True if a read has found an invalid batch."""
        self._loading = Lock()
        """Lock for the first read of the index files. Without it, two threads could read them into two separate
        lists."""
        self._loaded_indexes: tuple[OffsetIndex, TimeIndex] | None = None
        self._loaded_aborted: list[Aborted] | None = None
        self._first_timestamp_ms: int | None = None
        self._hint = (base_offset, 0)
        """(offset, position) after the last read, from which a consumer usually continues."""

    @property
    def _indexes(self) -> tuple[OffsetIndex, TimeIndex]:
        """Indexes, read from disk at their first use."""
        loaded = self._loaded_indexes
        return self._load_indexes() if loaded is None else loaded

    def _load_indexes(self) -> tuple[OffsetIndex, TimeIndex]:
        with self._loading:
            if self._loaded_indexes is None:
                self._loaded_indexes = self._read_indexes()
            return self._loaded_indexes

    def _read_indexes(self) -> tuple[OffsetIndex, TimeIndex]:
        """Return the indexes on disk; empty ones if the files are missing or invalid."""
        self._lacks_index = self._was_there
        try:
            offsets_data = self._index_data("index", OFFSET_ENTRY_BYTES)
            times_data = self._index_data("timeindex", TIME_ENTRY_BYTES)
            offsets, times = OffsetIndex.decode(offsets_data), TimeIndex.decode(times_data)
        except (FileNotFoundError, ImplausibleIndex):
            return OffsetIndex(), TimeIndex()
        checksum = crc32(times_data, crc32(offsets_data))
        if self.indexes_checksum not in (None, checksum) or (offsets.positions and offsets.positions[-1] >= self.size):
            return OffsetIndex(), TimeIndex()
        self._lacks_index = False
        self._is_index_proven = self.indexes_checksum is not None
        return offsets, times

    def _index_data(self, kind: str, entry_bytes: int) -> bytes:
        """Return the bytes of an index file.

        Raises ImplausibleIndex if it has more entries than the segment has batches. Apache Kafka leaves 10 MB of zeros
        when it is killed.
        """
        path, entries_max = f"{self.stem}.{kind}{self._suffix}", self.size // HEADER.size + 1
        if self._files.size(path) > entries_max * entry_bytes:
            raise ImplausibleIndex(f"index {path} has more entries than its segment has batches")
        return self._files.read(path)

    @property
    def aborted(self) -> list[Aborted]:
        """Aborted transactions whose markers are in this segment, in log order.

        The segment uses this same list: a caller may append a transaction to it.
        """
        loaded = self._loaded_aborted
        return self._load_aborted() if loaded is None else loaded

    def _load_aborted(self) -> list[Aborted]:
        with self._loading:
            if self._loaded_aborted is None:
                self._loaded_aborted = self._read_aborted()
            return self._loaded_aborted

    def _read_aborted(self) -> list[Aborted]:
        try:
            data = self._files.read(f"{self.stem}.txnindex{self._suffix}")
        except FileNotFoundError:
            data = b""
        try:
            self._lacks_aborted = self.aborted_checksum not in (None, crc32(data))
            return [] if self._lacks_aborted else decode_aborted(data)
        except ImplausibleTransactions:
            self._lacks_aborted = True
            return []

    @property
    def has_complete_aborted(self) -> bool:
        """True if `aborted` has all aborted transactions. False if the file of the transaction index is invalid."""
        _ = self.aborted
        return not self._lacks_aborted

    @property
    def max_timestamp_ms(self) -> int:
        times = self._trusted_indexes()[1].timestamps
        return max(self._max_timestamp_ms, times[-1] if times else _NO_TIMESTAMP_MS)

    def max_timestamp_ms_from(self, offset: int) -> int:
        """Return the newest timestamp of the batch that contains `offset` and of all later batches in this segment."""
        if offset <= self.base_offset:
            return self.max_timestamp_ms
        behind = [batch.max_timestamp_ms for _, batch in self.headers(self.position_of(offset))]
        return max(behind, default=_NO_TIMESTAMP_MS)

    @property
    def first_timestamp_ms(self) -> int | None:
        """Timestamp of the first batch, from which the segment's age is computed; None if the segment is empty."""
        if self._first_timestamp_ms is None:
            first = next(self.headers(0, HEADER.size), None)
            self._first_timestamp_ms = None if first is None else first[1].max_timestamp_ms
        return self._first_timestamp_ms

    # --- writing

    def append(self, data: bytes | bytearray, batches: list[Batch]) -> None:
        """Append `data`, whose batches are `batches`. After OSError the file is unchanged.

        There is one exception: if the removal of a partly written append has failed as well, the error has a
        `__cause__`, and the file may have additional bytes.
        """
        try:
            self._file.append(data)
        except OSError as error:
            self._cut_back(error)
            raise
        position = self.size
        for batch in batches:
            self.add_to_indexes(batch, position)
            position += batch.size
        self.size = position

    def check_space(self, size: int) -> None:
        """Check that the disk has space for `size` bytes, by appending and removing them. Raises OSError."""
        try:
            self._file.append(bytes(size))
            self._file.truncate(self.size)
        except OSError as error:
            self._cut_back(error)
            raise

    def _cut_back(self, error: OSError) -> None:
        try:
            self._file.truncate(self.size)
        except OSError as second:
            error.__cause__ = second  # mypyc would drop it from `raise ... from`
            raise error  # noqa: B904

    def add_to_indexes(self, batch: Batch, position: int) -> None:
        """Add the batch at `position` to the indexes."""
        last_offset = batch.last_offset
        if batch.max_timestamp_ms > self._max_timestamp_ms:
            self._max_timestamp_ms = batch.max_timestamp_ms
            self._max_timestamp_offset = last_offset
        if self._unindexed_bytes > self._index_interval_bytes:
            offsets, times = self._indexes
            offsets.append(last_offset - self.base_offset, position)
            times.maybe_append(self._max_timestamp_ms, self._max_timestamp_offset - self.base_offset)
            self._unindexed_bytes = 0
        self._unindexed_bytes += batch.size
        self.next_offset = last_offset + 1
        self._verified.add(position, position + batch.size, self.next_offset)

    def sync(self) -> None:
        self._file.sync()

    def write_indexes(self) -> None:
        """Write the index files. Call this only after a sync of the log (see `index`)."""
        offsets, times = self._trusted_indexes()
        if self._max_timestamp_ms != _NO_TIMESTAMP_MS:
            times.maybe_append(self._max_timestamp_ms, self._max_timestamp_offset - self.base_offset)
        transactions = f"{self.stem}.txnindex{self._suffix}"
        aborted_data, offsets_data, times_data = encode_aborted(self.aborted), offsets.encode(), times.encode()
        self.aborted_checksum = crc32(aborted_data)  # first: if a write fails, the next start rebuilds the files
        self.indexes_checksum = crc32(times_data, crc32(offsets_data))
        if aborted_data:
            self._files.write(transactions, aborted_data, sync=True)
        elif self._files.exists(transactions):
            self._files.remove(transactions)
        self._files.write(f"{self.stem}.index{self._suffix}", offsets_data, sync=False)
        self._files.write(f"{self.stem}.timeindex{self._suffix}", times_data, sync=False)
        self.has_new_indexes = False

    def load_indexes(self) -> tuple[OffsetIndex, TimeIndex]:
        """Return the indexes, and keep them in memory, because their files may be replaced afterwards."""
        _ = self.aborted
        return self._indexes

    def rename_files(self, suffix: str) -> None:
        """Rename the segment's files so that their names end in `suffix`, the log file last (see `swap`).

        Existing files with these names are replaced.
        """
        for kind in (*INDEXES, ".log"):
            if kind != ".txnindex" or self.aborted:
                self._files.rename(f"{self.stem}{kind}{self._suffix}", f"{self.stem}{kind}{suffix}")
            elif self._files.exists(f"{self.stem}{kind}{suffix}"):  # the index of the replaced segment
                self._files.remove(f"{self.stem}{kind}{suffix}")
        self._suffix = suffix

    def truncate(self, size: int) -> None:
        """Truncate the log file to `size` bytes. The indexes must have no entry for a later position."""
        self._file.truncate(size)
        self.size = size

    def close(self) -> None:
        self._file.close()

    def remove(self) -> None:
        self._file.close()
        self.unlink()

    def unlink(self) -> None:
        """Remove the segment's files, the log file first. Readers that have them open may continue.

        If a crash interrupts the removal, the next start removes an index without a log file. In the other order, it
        would find a log file without indexes, and scan it.
        """
        self._files.remove(f"{self.stem}.log{self._suffix}")
        self._remove_indexes()

    def unseal(self) -> None:
        """Remove the index files before appending: after a crash, they would prove a wrong end of the log."""
        self.load_indexes()
        self.indexes_checksum = self.aborted_checksum = None
        self._remove_indexes()

    def _remove_indexes(self) -> None:
        for suffix in INDEXES:
            if self._files.exists(self.stem + suffix + self._suffix):
                self._files.remove(self.stem + suffix + self._suffix)

    # --- reading

    def slice(self, offset: int, max_bytes: int, below: int, at_least_one: bool = True) -> Slice | None:
        """Return whole batches, beginning with the first one that ends at or after `offset`, up to offset `below`.

        None if this segment has no such batch; the next segment may have it. Raises `DamagedBatch`.
        """
        size = self._verified_until(offset, max_bytes)
        position = self.position_of(offset)
        if position == self.size:
            return None
        end, end_offset = self._end_of_slice(position, max_bytes, below, size)
        if end > position:
            self._hint = (end_offset, end)
            return Slice(self._file.part(end - position, position), end_offset)
        if at_least_one and end_offset < below:
            return self._one_batch(position)
        return Slice(b"", offset)

    def _end_of_slice(self, position: int, max_bytes: int, below: int, size: int) -> tuple[int, int]:
        """Return the position after the last batch of a slice, and the offset of the next batch.

        The slice starts at `position` and has at most `max_bytes`. It ends before offset `below`, and at the latest at
        `size`, the end of the verified batches.
        """
        last = min(size, position + max_bytes)
        if below >= self.next_offset and last == self.size:
            return self.size, self.next_offset
        offsets = self._indexes[0]
        known = min(offsets.boundary(last - 1), offsets.floor(below - self.base_offset))
        end, end_offset = known if known > position and self._is_indexed(known) else position, below
        try:
            for at, batch in self.headers(end, self._index_interval_bytes, size):
                if batch.base_offset >= below or at + batch.size > last:
                    return at, batch.base_offset
                end, end_offset = at + batch.size, batch.last_offset + 1
        except CorruptBatch:  # the end may have been truncated during the read, after a failed sync
            if end == position:
                raise
        return end, self.next_offset if end == self.size else end_offset

    def _one_batch(self, position: int) -> Slice:
        header = Batch(self._file.pread(HEADER.size, position), 0)
        if header.size > self.size - position:  # changed after it was checked
            raise self._no_batch_at(position)
        return Slice(self._file.part(header.size, position), header.last_offset + 1)

    def is_cached(self, offset: int, max_bytes: int) -> bool:
        """Return whether all bytes that `slice` needs are in memory.

        `slice` reads the log from the index entry before its offset on. The indexes are in memory only after the first
        read of the segment.
        """
        hint_offset, position = self._hint
        if offset != hint_offset:
            if self._loaded_indexes is None or self._lacks_index:
                return False
            position = self._indexes[0].floor(offset - self.base_offset)
            # The index has to be rebuilt, which reads the whole segment.
            if position and not self._is_indexed(position):
                return False
            max_bytes += self._index_interval_bytes
        return self._file.is_cached(min(max_bytes, self.size - position), position)

    def position_of(self, offset: int) -> int:
        """Return the position of the first batch that ends at or after `offset`; the segment's size if none does."""
        hint_offset, hint_position = self._hint
        if offset == hint_offset:
            return hint_position
        for position, batch in self.headers(self._floor(offset), self._index_interval_bytes):
            if batch.last_offset >= offset:
                return position
        return self.size

    def _floor(self, offset: int) -> int:
        """Return the position of an indexed batch at or before the one that contains `offset`."""
        position = self._trusted_indexes()[0].floor(offset - self.base_offset)
        if position and not self._is_indexed(position):
            self._rebuild_indexes()
            position = self._indexes[0].floor(offset - self.base_offset)
        return position

    def _trusted_indexes(self) -> tuple[OffsetIndex, TimeIndex]:
        """Return the indexes, rebuilt if they are missing or damaged."""
        indexes = self._indexes
        if self._lacks_index:
            self._rebuild_indexes()
            indexes = self._indexes
        return indexes

    def _is_indexed(self, position: int) -> bool:
        """Return whether the index entry of a position agrees with the batch at that position.

        Indexes have no checksums.
        """
        if self._is_index_proven:
            return True
        header = self.header_at(position)
        return header is not None and header.last_offset - self.base_offset == self._indexes[0].offset_at(position)

    def _rebuild_indexes(self) -> None:
        offsets, times = OffsetIndex(), TimeIndex()
        unindexed_bytes, newest = 0, (_NO_TIMESTAMP_MS, 0)
        with suppress(CorruptBatch):
            for position, batch in self._valid_headers(0):
                relative_offset = batch.last_offset - self.base_offset
                newest = max(newest, (batch.max_timestamp_ms, relative_offset), key=itemgetter(0))
                if unindexed_bytes > self._index_interval_bytes:
                    offsets.append(relative_offset, position)
                    times.maybe_append(*newest)
                    unindexed_bytes = 0
                unindexed_bytes += batch.size
        times.maybe_append(*newest)
        self._loaded_indexes = offsets, times
        self._is_index_proven = True
        self._lacks_index = False
        self.has_new_indexes = True

    # --- verification

    def _verified_until(self, offset: int, max_bytes: int) -> int:
        """Verify all batches that a read at `offset` needs. Return the position after the last valid one.

        Raises `DamagedBatch` if the batch that contains `offset`, or one before it, is damaged.
        """
        if self._verified.end_of(0) >= self.size:
            return self.size
        hint_offset, hint_position = self._hint
        end = self._verified.end_of(hint_position if offset == hint_offset else self._floor(offset))
        while end < self.size:
            try:
                position = self.position_of(offset)
            except CorruptBatch:
                position = end
            if position < end and position + max_bytes <= end:
                break
            verified = self._verify(end, max(position, end) + max_bytes)
            if verified == end:
                if position >= end:
                    raise self._damaged_at(end)
                break
            end = verified
        return end

    def _verify(self, position: int, until: int) -> int:
        """Verify batches from `position` to `until`, at least one. Return the end of the valid ones."""
        next_offset = self._verified.next_offset_at(position) if position else self.base_offset
        end = position
        with suppress(CorruptBatch):
            for at, header in self.headers(position, min(until - position, SCAN_BYTES)):
                if end > position and at >= until:
                    break
                if not self._is_valid(at, header, next_offset):
                    break
                end, next_offset = at + header.size, header.last_offset + 1
        if next_offset is not None and end > position:
            self._verified.add(position, end, next_offset)
        return end

    def _is_valid(self, position: int, header: Batch, next_offset: int | None) -> bool:
        """Return whether a batch is complete, and has the right checksum and plausible offsets.

        `next_offset` is the offset after the previous batch; None if that is unknown.
        """
        if header.magic != MAGIC or position + header.size > self.size or header.last_offset_delta < 0:
            return False
        if header.last_offset >= self.next_offset or header.base_offset < (next_offset or 0):
            return False
        if header.base_offset != next_offset:  # no checksum covers it
            following = self.header_at(position + header.size)
            if following is not None and following.magic == MAGIC and following.base_offset <= header.last_offset:
                return False
        verify_crc(self.whole(position, header))
        return True

    def _valid_headers(self, position: int) -> Iterator[tuple[int, Batch]]:
        """Yield the same as `headers`; verify each batch before it is yielded.

        Raises `DamagedBatch` at the first damaged batch.
        """
        end = self._verified.end_of(position)
        for at, header in self.headers(position):
            if at >= end:
                end = self._verified.end_of(self._verify(at, at + SCAN_BYTES))
                if end == at:
                    raise self._damaged_at(at)
            yield at, header

    def _damaged_at(self, position: int) -> DamagedBatch:
        self.is_damaged = True
        return DamagedBatch(f"{self.stem}.log is damaged at byte {position}: no valid batch begins there")

    # --- iteration

    def headers(
        self, position: int, read_bytes: int = SCAN_BYTES, end: int | None = None
    ) -> Iterator[tuple[int, Batch]]:
        """Yield (position, batch) for each batch from `position` to `end`. A batch may lack the bytes after its header.

        Raises CorruptBatch at the first position where no batch can begin: the length there is too small, or the batch
        would extend past `end`.
        """
        end = self.size if end is None else end
        while position + HEADER.size <= end:
            chunk = self._file.pread(max(read_bytes, HEADER.size), position)
            if len(chunk) < HEADER.size:
                raise self._no_batch_at(position)
            at = 0
            while at + HEADER.size <= len(chunk) and position + at < end:
                batch = Batch(chunk, at)
                if batch.size < HEADER.size:
                    raise self._no_batch_at(position + at)
                yield position + at, batch
                at += batch.size
            if position + at > end:
                raise self._no_batch_at(position)
            position += at

    def bytes_at(self, position: int, size: int) -> bytes:
        """Return the bytes at a position; fewer than `size` at the end of the file."""
        return self._file.pread(size, position)

    def header_at(self, position: int) -> Batch | None:
        """Return the unverified header of the batch at `position`; None at the end of the file."""
        data = self._file.pread(HEADER.size, position)
        return Batch(data, 0) if len(data) == HEADER.size else None

    def _no_batch_at(self, position: int) -> CorruptBatch:
        return CorruptBatch(
            f"{self.stem}.log has no valid batch at byte {position}, because the disk has changed it: "
            "restore the file, or read on from a later offset"
        )

    def whole(self, position: int, header: Batch) -> Batch:
        """Return the batch with all of its bytes, read from the file."""
        start, end = header.position, header.position + header.size
        if end <= len(header.buffer):
            return header
        data = self._file.pread(end - start, position)
        return Batch(data, 0)

    @property
    def proven_position(self) -> int:
        """Position of the batch in the last index entry. Everything before it was synced."""
        positions = self._indexes[0].positions
        return positions[-1] if positions else 0

    @property
    def proven_offset(self) -> int:
        """Last offset of the batch at `proven_position`; the base offset if there is no index entry."""
        offsets = self._indexes[0].offsets
        return self.base_offset + (offsets[-1] if offsets else 0)

    def drop_indexes(self) -> None:
        self._loaded_indexes = OffsetIndex(), TimeIndex()
        self._is_index_proven = True
        self._lacks_index = False
        self._unindexed_bytes = 0

    def first_at_or_after(self, timestamp_ms: int, from_offset: int) -> tuple[int, int] | None:
        """Return (offset, timestamp) of the first record that is as new as `timestamp_ms` or newer.

        The search begins at `from_offset`. Return None if there is no such record.
        """
        times = self._trusted_indexes()[1]
        for position, header in self._valid_headers(self._floor(self.base_offset + times.floor(timestamp_ms))):
            if header.max_timestamp_ms < timestamp_ms:
                continue
            for record in decode_records(self.whole(position, header)):
                if record.timestamp_ms >= timestamp_ms and record.offset >= from_offset:
                    return record.offset, record.timestamp_ms
        return None
