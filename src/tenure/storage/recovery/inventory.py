"""Inventory of a data directory: the partitions and segments that must exist at the next start.

Without an inventory, a missing directory looks like a new partition, a missing first segment like retention, and an
emptied file like a new one. The file `inventory` is beside Kafka's checkpoint files. Each line begins with its CRC-32:

    8f1b3a52 version 1
    1c60e7d4 partition flights-0 xcSaLDzXQ2a3oDMMZhCWQA 0 4711 2 ?  topic id, log start, log end (or ?), leader epoch,
                                                                    CRC-32 of the leader epoch checkpoint (or ?)
    50a9e1f7 segment flights-0 0 16384 2774862331 ? ?               base offset, synced bytes (or ?), then three
                                                                    CRC-32s, each may be ?: of the first header, of
                                                                    both indexes, of the transaction index
    a58a83a6 end
    77bd02c9 removed flights-0 0                                    a segment; without base offset: the partition

The part up to `end` is written as a whole: at a start, at a clean stop, and when too many lines were appended. All
other changes append lines after `end`. A file without `end` is therefore damaged. (Version 0 has no `end`.)

The valid lines of a damaged file are used. The order of the writes prevents false alarms:

- A line that adds something is written after the change. After a crash the line may be missing, and less is checked.
- A line that removes something is written and synced before the change. After a crash the object may still exist.
- The size of a segment is a lower bound, written after a sync. The size `?` marks a segment whose file name may not be
  synced. After a restart of the machine, such a file may be missing.
"""

from binascii import crc32
from collections.abc import Iterable, Mapping
from contextlib import suppress
from threading import Lock
from typing import Final, NamedTuple

from tenure.limits.storage import INVENTORY_APPENDED_BYTES_MAX
from tenure.protocol.types import TopicId, topic_id_from_text, topic_id_text
from tenure.storage.files import DataFiles, File
from tenure.storage.recovery import apache_kafka

NAME: Final = "inventory"

_VERSION: Final = "version 1"
_VERSION_WITHOUT_END: Final = "version 0"
_END: Final = "end"
_UNKNOWN: Final = "?"


class Tail(NamedTuple):
    """End offset and leader epoch of a log."""

    end_offset: int | None
    """End offset after a clean stop, otherwise a lower bound; None if it is unknown."""
    leader_epoch: int


class Extent(NamedTuple):
    """Size and checksums of the synced part of a segment."""

    size: int
    """Size of the synced part in bytes; the file may be larger."""
    head: int | None = None
    """CRC-32 of the first batch's header, which identifies the segment; None for an empty segment."""
    indexes_checksum: int | None = None
    """Checksum of the index files; see `Segment.indexes_checksum`."""
    aborted_checksum: int | None = None
    """Checksum of the transaction index; see `Segment.aborted_checksum`."""


class Entry:
    """One partition in the inventory, with its segments."""

    __slots__ = ("epochs_checksum", "segments", "start_offset", "tail", "topic_id")

    def __init__(
        self, topic_id: TopicId | None, start_offset: int, tail: Tail, epochs_checksum: int | None = None
    ) -> None:
        self.topic_id = topic_id
        self.start_offset = start_offset
        """Log start offset. DeleteRecords has deleted the records below it, or was about to do so before a crash."""
        self.tail = tail
        self.epochs_checksum = epochs_checksum
        """CRC-32 of the leader epoch checkpoint; known only after a clean stop."""
        self.segments: dict[int, Extent | None] = {}
        """Synced extent by base offset; None if no part of the segment is known to be synced."""


class Inventory:
    """Inventory of a data directory. Any thread may use it."""

    def __init__(self, files: DataFiles, directory: str, entries: dict[str, Entry], *, is_saved: bool) -> None:
        """Create an inventory. Write its file, unless the file has exactly these entries already (`is_saved`)."""
        self._files = files
        self._directory = directory
        self._path = f"{directory}/{NAME}"
        self._entries = entries
        self._lock = Lock()
        self._file: File | None = None
        """File for appends; None if the next change has to write the whole file."""
        self._saved_bytes = 0
        if is_saved:
            self._open()
        else:
            with suppress(OSError):
                self._save()

    @property
    def entries(self) -> Mapping[str, Entry]:
        return self._entries

    def add_partition(self, name: str, entry: Entry) -> None:
        """Add a partition whose directory exists already; replace an earlier one of this name."""
        with self._lock:
            before = [f"removed {name}"] if name in self._entries else []
            self._entries[name] = entry
            self._try_to_append([*before, _partition_line(name, entry), *_segment_lines(name, entry)])

    def remove_partitions(self, names: Iterable[str]) -> None:
        """Remove partitions. Call this before their directories are deleted or renamed. Raises OSError."""
        with self._lock:
            lines = [f"removed {name}" for name in names if self._entries.pop(name, None) is not None]
            self._append_and_sync(lines)

    def set_segment(self, name: str, base_offset: int, extent: Extent | None) -> None:
        """Set the synced `extent` of a segment; do nothing if its partition is not in the inventory."""
        with self._lock:
            entry = self._entries.get(name)
            if entry is not None and (base_offset not in entry.segments or entry.segments[base_offset] != extent):
                entry.segments[base_offset] = extent
                self._try_to_append([_segment_line(name, base_offset, extent)])

    def remove_segments(self, name: str, base_offsets: Iterable[int], *, changed: int | None = None) -> None:
        """Remove segments. Call this before their files are removed.

        `changed` is the base offset of a segment whose file will be rewritten; its extent becomes unknown. Raises
        OSError.
        """
        with self._lock:
            entry = self._entries.get(name)
            if entry is None:
                return
            lines = [f"removed {name} {base}" for base in base_offsets if entry.segments.pop(base, ()) != ()]
            if changed is not None and entry.segments.get(changed) is not None:
                entry.segments[changed] = None
                lines.append(_segment_line(name, changed, None))
            self._append_and_sync(lines)

    def set_start_offset(self, name: str, start_offset: int) -> None:
        """Set the start offset of a log. Call this before DeleteRecords hides records. Raises OSError."""
        with self._lock:
            entry = self._entries.get(name)
            if entry is not None and entry.start_offset < start_offset:
                entry.start_offset = start_offset
                self._append_and_sync([_partition_line(name, entry)])
                deleted = {each: known.start_offset for each, known in self._entries.items() if known.start_offset}
                apache_kafka.save_start_offsets(self._files, self._directory, deleted)

    def set_tail(self, name: str, tail: Tail) -> None:
        """Store the leader epoch of a log, and a lower bound of its end offset."""
        with self._lock:
            entry = self._entries.get(name)
            if entry is not None:
                entry.tail, entry.epochs_checksum = tail, None
                self._try_to_append([_partition_line(name, entry)])

    def of(self, name: str, topic_id: TopicId | None) -> Entry:
        """Return the entry of a partition with this topic id; an empty entry if there is none."""
        entry = self._entries.get(name)
        return entry if entry is not None and entry.topic_id == topic_id else Entry(topic_id, 0, Tail(None, 0))

    def update_recovered(
        self, name: str, topic_id: TopicId | None, start_offset: int, sizes: Mapping[int, int]
    ) -> None:
        """Update the entry of a log after its recovery. `sizes` are the sizes of its segments by base offset."""
        entry = self._entries.get(name)
        if entry is None or (topic_id is not None and entry.topic_id != topic_id):
            entry = Entry(topic_id, start_offset, Tail(None, 0))
            entry.segments = dict.fromkeys(sizes)
            self.add_partition(name, entry)
            return
        self.set_start_offset(name, start_offset)
        for base_offset, size in sizes.items():
            known = entry.segments.get(base_offset)
            if known is None or known.size > size:
                self.set_segment(name, base_offset, None)
        self.remove_segments(name, entry.segments.keys() - sizes.keys())

    def update_closed(
        self, name: str, start_offset: int, tail: Tail, epochs_checksum: int | None, extents: Mapping[int, Extent]
    ) -> None:
        """Update, only in memory, the entry of a log that was synced and closed. Call `save` after the last log."""
        with self._lock:
            entry = self._entries.get(name)
            if entry is not None:
                entry.start_offset, entry.tail, entry.segments = start_offset, tail, dict(extents)
                entry.epochs_checksum = epochs_checksum

    def save(self) -> None:
        """Write the whole inventory file, in place of the lines appended so far. Raises OSError."""
        with self._lock:
            self._save()

    def close(self) -> None:
        with self._lock:
            if self._file is not None:
                self._file.close()
                self._file = None

    def _save(self) -> None:
        lines = [_VERSION]
        for name, entry in self._entries.items():
            lines += [_partition_line(name, entry), *_segment_lines(name, entry)]
        lines.append(_END)
        self._file = None
        self._files.write(self._path, _encoded(lines), sync=True)
        self._open()

    def _open(self) -> None:
        self._file = self._files.open(self._path)
        self._saved_bytes = self._file.size

    def _try_to_append(self, lines: list[str]) -> None:
        """Append lines. An error is ignored, because without these lines the next start only checks less."""
        with suppress(OSError):
            self._append(lines, sync=False)

    def _append_and_sync(self, lines: list[str]) -> None:
        if lines:
            self._append(lines, sync=True)

    def _append(self, lines: list[str], *, sync: bool) -> None:
        """Append lines to the file.

        If that fails, for example on a full disk, remove the file, so that retention can still free space. The next
        change writes the whole file again.
        """
        file, data = self._file, _encoded(lines)
        try:
            if file is None or file.size - self._saved_bytes > max(self._saved_bytes, INVENTORY_APPENDED_BYTES_MAX):
                self._save()
            else:
                file.append(data)
                if sync:
                    file.sync()
        except OSError:
            self._file = None
            if self._files.exists(self._path):
                self._files.remove(self._path)
            if sync:
                self._files.sync_directory(self._directory)


class DecodedInventory(NamedTuple):
    entries: dict[str, Entry]
    """Entries of the valid lines, by partition."""
    is_whole: bool
    """True if the file has exactly these entries."""
    damage: str | None
    """Damage of the file; None if there is none. A torn last line is no damage, because a crash can cause it."""
    incomplete: set[str]
    """Partitions that have lines for segments, but no line of their own."""


def decode(data: bytes) -> DecodedInventory:
    """Parse an inventory file, and return the entries of its valid lines."""
    lines = data.split(b"\n")
    torn = lines.pop()
    texts = [_checked(line) for line in lines]
    entries: dict[str, Entry] = {}
    incomplete: set[str] = set()
    for text in texts:
        if text is not None and text not in (_VERSION, _VERSION_WITHOUT_END, _END):
            _read_line(entries, incomplete, *text.split(" "))
    return DecodedInventory(
        entries, not torn and None not in texts, _describe_damage(texts, torn), incomplete & entries.keys()
    )


def _describe_damage(texts: list[str | None], torn: bytes) -> str | None:
    """Return a description of the damage of an inventory file: invalid lines, or no line `end`; None without damage.

    Invalid lines at the end of the file are no damage, because a crash can cause them.
    """
    has_end = _END in texts
    last_valid = max((number for number, text in enumerate(texts, 1) if text is not None), default=0)
    if has_end or texts[:1] == [_VERSION_WITHOUT_END]:
        invalid = [number for number, text in enumerate(texts[:last_valid], 1) if text is None]
        problems = []
    else:
        invalid = [number for number, text in enumerate([*texts, None] if torn else texts, 1) if text is None]
        problems = ["its end is missing"]
    if invalid:
        problems.insert(0, _describe_invalid(invalid, texts))
    return ", ".join(problems) or None


def _describe_invalid(numbers: list[int], texts: list[str | None]) -> str:
    first, last = numbers[0], numbers[-1]
    before = next((text.split(" ")[1] for text in reversed(texts[1 : first - 1]) if text and " " in text), None)
    location = "" if before is None else f" (after a line of {before})"
    if first == last:
        return f"line {first} is damaged{location}"
    return f"{len(numbers)} of the lines {first} to {last} are damaged{location}"


def drop_unsynced(entries: dict[str, Entry]) -> bool:
    """Remove segments that may not be synced, and partitions without other segments. Return whether there were any.

    After a power failure, the files of these segments may be missing.
    """
    has_changed = False
    for name, entry in list(entries.items()):
        for base_offset in [base for base, extent in entry.segments.items() if extent is None]:
            del entry.segments[base_offset]
            has_changed = True
        if not entry.segments:
            del entries[name]
            has_changed = True
    return has_changed


def _read_line(entries: dict[str, Entry], incomplete: set[str], kind: str, name: str, *values: str) -> None:
    if kind == "partition":  # a repeated line has new offsets; the segments are kept
        topic_id, start_offset, end_offset, leader_epoch, *epochs_checksum = values
        before = entries.get(name)
        entries[name] = entry = Entry(
            None if topic_id == _UNKNOWN else topic_id_from_text(topic_id),
            int(start_offset),
            Tail(_number(end_offset), int(leader_epoch)),
            *map(_number, epochs_checksum),
        )
        incomplete.discard(name)
        if before is not None:
            entry.segments = before.segments
    elif kind == "segment":
        if name not in entries:
            entries[name] = Entry(None, 0, Tail(None, 0))
            incomplete.add(name)
        base_offset, size, *head = map(_number, values)
        entries[name].segments[base_offset or 0] = None if size is None else Extent(size, *head)
    elif not values:
        entries.pop(name, None)
    elif name in entries:
        entries[name].segments.pop(int(values[0]), None)


def _partition_line(name: str, entry: Entry) -> str:
    topic_id = _UNKNOWN if entry.topic_id is None else topic_id_text(entry.topic_id)
    values = (entry.tail.end_offset, entry.tail.leader_epoch, entry.epochs_checksum)
    return f"partition {name} {topic_id} {entry.start_offset} {' '.join(map(_text, values))}"


def _segment_lines(name: str, entry: Entry) -> list[str]:
    return [_segment_line(name, base_offset, extent) for base_offset, extent in entry.segments.items()]


def _segment_line(name: str, base_offset: int, extent: Extent | None) -> str:
    values = (None,) if extent is None else extent
    return f"segment {name} {base_offset} {' '.join(map(_text, values))}"


def _text(number: int | None) -> str:
    return _UNKNOWN if number is None else str(number)


def _number(text: str) -> int | None:
    return None if text == _UNKNOWN else int(text)


def _encoded(lines: list[str]) -> bytes:
    return b"".join([b"%08x %s\n" % (crc32(line.encode()), line.encode()) for line in lines])


def _checked(line: bytes) -> str | None:
    """Return the text of a line; None if its checksum is wrong."""
    digest, _, text = line.partition(b" ")
    return text.decode() if digest == b"%08x" % crc32(text) else None
