"""One file of batches, with its sparse indexes.

A segment's name is its base offset in 20 digits. Only the last segment of a partition grows; the others are sealed:
synced, with their indexes on disk. Batches are opaque: only headers are looked at, except to find a timestamp.
"""

from collections.abc import Iterator
from functools import cached_property
from typing import Final

from tenure.protocol.records import HEADER, Batch, CorruptBatch, decode_records
from tenure.storage.files import File, Files
from tenure.storage.index import ImplausibleIndex, OffsetIndex, TimeIndex
from tenure.storage.transactions import Aborted, ImplausibleTransactions, decode_aborted, encode_aborted

SCAN_BYTES: Final = 1 << 20
"""Read at once while headers are walked: large enough that the calls do not count, small enough for 50 partitions."""

RELATIVE_OFFSET_MAX: Final = 2**31 - 1
"""Indexes store offsets relative to the segment's base in 32 bits."""

_NO_TIMESTAMP_MS: Final = -1


INDEXES: Final = (".txnindex", ".index", ".timeindex")
"""Of a segment's files all but the log. Only a segment with aborted transactions has the first."""


def segment_name(base_offset: int) -> str:
    return f"{base_offset:020d}"


class Segment:
    """`suffix` stands behind its files' names while it is not part of a log yet, or takes the place of others."""

    def __init__(
        self, files: Files, directory: str, base_offset: int, index_interval_bytes: int, suffix: str = ""
    ) -> None:
        self.base_offset = base_offset
        self.stem = f"{directory}/{segment_name(base_offset)}"
        self._suffix = suffix
        self.next_offset = base_offset
        """The offset after the last record. Invariant: of a sealed segment, at most its successor's base offset."""
        self._files = files
        self._file: File = files.open(f"{self.stem}.log{suffix}")
        self.size = self._file.size
        """Bytes of whole batches. Invariant: equals the file's size, except during an append."""
        self._index_interval_bytes = index_interval_bytes
        self._unindexed_bytes = 0
        self._max_timestamp_offset = base_offset
        self._max_timestamp_ms = _NO_TIMESTAMP_MS
        self._hint = (base_offset, 0)
        """Where the last read ended, (offset, position): a consumer goes on from there."""

    @cached_property
    def _indexes(self) -> tuple[OffsetIndex, TimeIndex]:
        """As they are on disk, empty ones where there are none that can be believed."""
        try:
            offsets = OffsetIndex.decode(self._files.read(f"{self.stem}.index{self._suffix}"))
            times = TimeIndex.decode(self._files.read(f"{self.stem}.timeindex{self._suffix}"))
        except (FileNotFoundError, ImplausibleIndex):
            return OffsetIndex(), TimeIndex()
        if offsets.positions and offsets.positions[-1] >= self.size:
            return OffsetIndex(), TimeIndex()
        return offsets, times

    @cached_property
    def aborted(self) -> list[Aborted]:
        """Transactions whose abort markers stand here, in their order; may be added to."""
        try:
            return decode_aborted(self._files.read(f"{self.stem}.txnindex{self._suffix}"))
        except (FileNotFoundError, ImplausibleTransactions):
            return []

    @property
    def max_timestamp_ms(self) -> int:
        times = self._indexes[1].timestamps
        return max(self._max_timestamp_ms, times[-1] if times else _NO_TIMESTAMP_MS)

    def max_timestamp_ms_from(self, offset: int) -> int:
        """Of the batches from the one that holds `offset` on."""
        if offset <= self.base_offset:
            return self.max_timestamp_ms
        behind = [batch.max_timestamp_ms for _, batch in self.headers(self.position_of(offset))]
        return max(behind, default=_NO_TIMESTAMP_MS)

    @cached_property
    def first_timestamp_ms(self) -> int | None:
        """Of the first batch: a segment's age is counted from there. None while it is empty."""
        return next((batch.max_timestamp_ms for _, batch in self.headers(0)), None)

    # --- writing

    def append(self, data: bytes | bytearray, batches: list[Batch]) -> None:
        """`batches` are the headers of `data`, as they are written. Raises OSError and leaves the file as it was.

        When not even that succeeds, the error's `__cause__` says why.
        """
        try:
            self._file.append(data)
        except OSError as error:
            self._cut_back(error)
            raise
        position = self.size
        for batch in batches:
            self.took(batch, position)
            position += batch.size
        self.size = position

    def try_room(self, size: int) -> None:
        """Appends so many bytes and takes them back; raises as `append` does."""
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
            raise error from second

    def took(self, batch: Batch, position: int) -> None:
        """Keeps the indexes: the batch lies at `position`."""
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

    def sync(self) -> None:
        self._file.sync()

    def write_indexes(self) -> None:
        """After a sync of the log, never before: see `index`."""
        offsets, times = self.load_indexes()
        if self._max_timestamp_ms != _NO_TIMESTAMP_MS:
            times.maybe_append(self._max_timestamp_ms, self._max_timestamp_offset - self.base_offset)
        if self.aborted:
            self._files.write(f"{self.stem}.txnindex{self._suffix}", encode_aborted(self.aborted), sync=True)
        self._files.write(f"{self.stem}.index{self._suffix}", offsets.encode(), sync=False)
        self._files.write(f"{self.stem}.timeindex{self._suffix}", times.encode(), sync=False)

    def load_indexes(self) -> tuple[OffsetIndex, TimeIndex]:
        """They are in memory from now on, whatever becomes of their files."""
        _ = self.aborted
        return self._indexes

    def take_name(self, suffix: str) -> None:
        """Renames its files, over those that have the names, and the log last: see `swap`."""
        for kind in (*INDEXES, ".log"):
            if kind != ".txnindex" or self.aborted:
                self._files.rename(f"{self.stem}{kind}{self._suffix}", f"{self.stem}{kind}{suffix}")
        self._suffix = suffix

    def cut(self, size: int) -> None:
        """Gives up everything behind `size`, which no index entry points to."""
        self._file.truncate(size)
        self.size = size

    def close(self) -> None:
        self._file.close()

    def remove(self) -> None:
        self._file.close()
        self.unlink()

    def unlink(self) -> None:
        """Takes its files' names away; who reads it may go on. The log goes first: an index without a log is swept at
        the next start, a log without indexes is scanned.
        """
        self._files.remove(f"{self.stem}.log{self._suffix}")
        self._remove_indexes()

    def unseal(self) -> None:
        """It will be appended to. An index that stayed on disk would vouch for an end that it has never seen."""
        self.load_indexes()
        self._remove_indexes()

    def _remove_indexes(self) -> None:
        for suffix in INDEXES:
            if self._files.exists(self.stem + suffix + self._suffix):
                self._files.remove(self.stem + suffix + self._suffix)

    # --- reading

    def read(self, offset: int, max_bytes: int, below: int) -> bytes:
        """Whole batches from the one that holds `offset` (or follows it), at least one, all below offset `below`."""
        position = self.position_of(offset)
        end = self._whole_until(position, max_bytes) if below >= self.next_offset else 0
        if end > position:
            self._hint = (self._base_offset_at(end), end)
            return self._file.pread(end - position, position)
        chunk = self._file.pread(min(max(max_bytes, HEADER.size), self.size - position), position)
        return self._whole_batches(chunk, position, below)

    def is_cached(self, offset: int, max_bytes: int) -> bool:
        """Whether `read` would find all it needs in memory; the batch of an offset is looked for from its index entry
        on. Of a segment that has not been read yet not even the indexes are there.
        """
        hint_offset, position = self._hint
        if offset != hint_offset:
            if "_indexes" not in self.__dict__:
                return False
            position = self._indexes[0].floor(offset - self.base_offset)
            max_bytes += self._index_interval_bytes
        return self._file.is_cached(min(max_bytes, self.size - position), position)

    def _base_offset_at(self, position: int) -> int:
        if position == self.size:
            return self.next_offset
        return int.from_bytes(self._file.pread(8, position), "big")

    def _whole_until(self, position: int, max_bytes: int) -> int:
        """A known end of a batch within `max_bytes` behind `position`; so much can be handed out unseen."""
        if self.size - position <= max_bytes:
            return self.size
        return self._indexes[0].boundary(position + max_bytes)

    def _whole_batches(self, chunk: bytes, position: int, below: int) -> bytes:
        """`chunk`, read at `position`, up to its last batch that is whole and lies below offset `below`."""
        end = 0
        while end + HEADER.size <= len(chunk):
            batch = Batch(chunk, end)
            if batch.base_offset >= below:
                break
            if batch.size < HEADER.size or end + batch.size > len(chunk):
                if end == 0:
                    return self._larger_than_asked(batch, position)
                break
            end += batch.size
            self._hint = (batch.last_offset + 1, position + end)
        return chunk[:end]

    def _larger_than_asked(self, batch: Batch, position: int) -> bytes:
        if not HEADER.size <= batch.size <= self.size - position:
            raise self._no_batch_at(position)
        return self._file.pread(batch.size, position)

    def position_of(self, offset: int) -> int:
        """Where the first batch begins that ends at or behind `offset`; the segment's end when there is none."""
        hint_offset, hint_position = self._hint
        if offset == hint_offset:
            return hint_position
        for position, batch in self.headers(
            self._indexes[0].floor(offset - self.base_offset), self._index_interval_bytes
        ):
            if batch.last_offset >= offset:
                return position
        return self.size

    def headers(self, position: int, read_bytes: int = SCAN_BYTES) -> Iterator[tuple[int, Batch]]:
        """Each batch from `position` on, with its position in the file. Of its bytes only the header may be there.

        Raises CorruptBatch behind the last one whose length can be believed: what follows cannot be found.
        """
        while position + HEADER.size <= self.size:
            chunk = self._file.pread(max(read_bytes, HEADER.size), position)
            at = 0
            while at + HEADER.size <= len(chunk) and position + at < self.size:
                batch = Batch(chunk, at)
                if batch.size < HEADER.size:
                    raise self._no_batch_at(position + at)
                yield position + at, batch
                at += batch.size
            if position + at > self.size:
                raise self._no_batch_at(position)
            position += at

    def _no_batch_at(self, position: int) -> CorruptBatch:
        return CorruptBatch(
            f"{self.stem}.log has no batch at byte {position}, the disk has changed it: "
            "restore the file, or read on from a later offset"
        )

    def whole(self, position: int, header: Batch) -> Batch:
        """The batch with all of its bytes that the file has."""
        start, end = header.position, header.position + header.size
        if end <= len(header.buffer):
            return header
        data = self._file.pread(end - start, position)
        return Batch(data, 0)

    @property
    def proven_position(self) -> int:
        """Where the batch of the last index entry begins: everything before it was synced."""
        positions = self._indexes[0].positions
        return positions[-1] if positions else 0

    @property
    def proven_offset(self) -> int:
        """The last offset of the batch at `proven_position`, if that is not 0."""
        offsets = self._indexes[0].offsets
        return self.base_offset + (offsets[-1] if offsets else 0)

    def forget_indexes(self) -> None:
        self.__dict__["_indexes"] = (OffsetIndex(), TimeIndex())
        self._unindexed_bytes = 0

    def first_at_or_after(self, timestamp_ms: int, from_offset: int) -> tuple[int, int] | None:
        """(offset, timestamp) of the first record from `from_offset` on that is not older than `timestamp_ms`."""
        offsets, times = self._indexes
        for position, header in self.headers(offsets.floor(times.floor(timestamp_ms))):
            if header.max_timestamp_ms < timestamp_ms:
                continue
            for record in decode_records(self.whole(position, header)):
                if record.timestamp_ms >= timestamp_ms and record.offset >= from_offset:
                    return record.offset, record.timestamp_ms
        return None
