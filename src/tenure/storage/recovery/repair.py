"""Repair of a data directory with missing files: the operator accepts the loss, and logs continue after it.

No file is deleted. Files that cannot be used any more are renamed, with `.damaged` in the new name. If the end of a log
is known, its lost offsets are not used for other records. A new leader epoch begins.
"""

import os
from typing import Final, NamedTuple

from tenure.storage.data_directory import DataDirectory, check_format
from tenure.storage.files import DataFiles, LocalDataFiles, ReadOnlyFiles
from tenure.storage.log import partition_files
from tenure.storage.log.leader_epochs import EpochStart, LeaderEpochs
from tenure.storage.log.segment import segment_name
from tenure.storage.recovery import metadata_repair
from tenure.storage.recovery.damage import find_log_damage
from tenure.storage.recovery.inventory import Entry, Extent, Tail
from tenure.storage.recovery.inventory_check import Finding, whole_batches
from tenure.storage.recovery.last_stop import BOOT, read_last_stop

_DAMAGED: Final = "damaged"


class CheckResult(NamedTuple):
    findings: list[Finding]
    """Missing and damaged objects."""
    inventory_damage: str | None
    """Message for the operator about damage of the inventory; None if there is none. With damage, `findings` may be
    incomplete."""


def check(path: str) -> CheckResult:
    """Return the missing and damaged objects of a data directory. Changes nothing.

    Raises `DirectoryInUse` and `DirectoryUnusable`.
    """
    files = ReadOnlyFiles()
    check_format(files, path)
    release = files.lock(path)
    try:
        last_stop = read_last_stop(files, path)
        missing = last_stop.find_missing(files)
        damaged = _damage_findings(files, path, missing, was_clean=last_stop.was_clean)
        return CheckResult([*missing, *damaged], last_stop.inventory_damage)
    finally:
        release()


def _damage_findings(files: DataFiles, path: str, missing: list[Finding], *, was_clean: bool) -> list[Finding]:
    """Return the damage of the metadata log, unless a file of it is missing.

    Damage of other logs does not prevent a start.
    """
    if any(finding.partition == metadata_repair.NAME for finding in missing):
        return []
    return [
        Finding(
            f"{metadata_repair.NAME}/{os.path.basename(damage.path)}:{damage.position}",
            metadata_repair.NAME,
            None,
            f"is damaged ({damage.size_bytes} bytes, {damage.reason})",
            damage.first_offset,
            damage.next_offset if damage.next_offset > damage.first_offset else None,
            is_damage=True,
        )
        for damage in find_log_damage(files, f"{path}/{metadata_repair.NAME}", was_clean=was_clean)
    ]


class Repair:
    """Repair of a data directory in progress. Create it with `Repair.begin`, end it with `close`."""

    def __init__(self, directory: DataDirectory) -> None:
        self._directory = directory
        self._files: Final[DataFiles] = directory.files
        damaged = _damage_findings(self._files, directory.path, directory.missing, was_clean=directory.was_clean)
        self.findings: Final = [*directory.missing, *damaged]
        self.inventory_damage: Final = directory.inventory_damage
        """Message for the operator about damage of the inventory; None if there is none. With damage, findings may
        be incomplete."""
        self._is_metadata_repaired = False
        self._is_end_known = True

    @classmethod
    def begin(cls, path: str) -> "Repair":
        """Open and lock a directory. Raises `DirectoryInUse` and `DirectoryUnusable`."""
        check_format(LocalDataFiles(), path)
        return cls(DataDirectory.open(path, create=False, must_be_complete=False))

    def accept(self, finding: Finding) -> str:
        """Accept the loss of one object, repair the directory, and return a sentence that says what was done.

        Raises OSError.
        """
        if finding.is_damage:
            return self._repair_metadata()
        done = self._accept_missing(finding)
        if finding.partition == metadata_repair.NAME:
            done = f"{done}; {self._repair_metadata()}"
        return done

    def _accept_missing(self, finding: Finding) -> str:
        entry = self._directory.inventory.entries[finding.partition]
        if finding.object == finding.partition:
            return self._create_again(finding, entry)
        if finding.object.endswith(partition_files.START_OFFSET):
            return self._restore_start_offset(finding, entry)
        return self._continue_without_segment(finding, entry)

    def close(self) -> None:
        """Close the directory. If the end of a repaired log was unknown, the next start recovers all logs."""
        if not self._is_end_known and self._files.exists(boot := f"{self._directory.path}/{BOOT}"):
            self._files.remove(boot)  # then the next start begins the log after all committed offsets
        self._directory.close(clean=self._directory.was_clean and self._is_end_known)

    def _path(self, finding: Finding) -> str:
        return f"{self._directory.path}/{finding.partition}"

    def _repair_metadata(self) -> str:
        """Repair the metadata log, and return a sentence that says what was done.

        The first call repairs all damage, so there is nothing to do for further findings.
        """
        if self._is_metadata_repaired:
            return "repaired together with the previous damage"
        self._is_metadata_repaired = True
        return metadata_repair.repair_metadata(self._directory)

    def _create_again(self, finding: Finding, entry: Entry) -> str:
        path = self._path(finding)
        self._files.mkdir(path)
        if entry.topic_id is not None:
            partition_files.save_topic_id(self._files, path, entry.topic_id)
        end_offset = self._end_offset(finding, entry)
        made = Entry(entry.topic_id, entry.start_offset, self._continue_at(path, entry, end_offset))
        made.segments[end_offset] = Extent(0)
        self._directory.inventory.add_partition(finding.partition, made)
        return f"created again, without records; {self._continuation(finding, end_offset)}"

    def _continue_without_segment(self, finding: Finding, entry: Entry) -> str:
        name, path, log = finding.partition, self._path(finding), finding.object.rpartition("/")[2]
        inventory, base_offset, done = self._directory.inventory, int(log.partition(".")[0]), []
        if base_offset == max(entry.segments):
            end_offset = self._end_offset(finding, entry, at_least=finding.first_offset)
            inventory.set_tail(name, self._continue_at(path, entry, end_offset))
            inventory.set_segment(name, end_offset, Extent(0))
            done.append(self._continuation(finding, end_offset))
        if finding.is_foreign:
            aside = self._free_name(path, f"{log}.{_DAMAGED}")
            inventory.remove_segments(name, [base_offset])
            self._files.rename(f"{path}/{log}", f"{path}/{aside}")
            self._files.sync_directory(path)
            done.append(f"renamed to {name}/{aside}")
        elif self._files.exists(f"{path}/{log}"):
            torn = self._set_torn_end_aside(path, log, base_offset)
            done += [f"the bytes after its last whole batch are in {name}/{torn}"] if torn else []
            inventory.set_segment(name, base_offset, Extent(self._files.size(f"{path}/{log}")))
        else:
            inventory.remove_segments(name, [base_offset])
        return "; ".join(done) or f"{name} continues without it"

    def _set_torn_end_aside(self, path: str, log: str, base_offset: int) -> str | None:
        _, size = whole_batches(self._files, path, base_offset)
        file = self._files.open(f"{path}/{log}")
        try:
            if size == file.size:
                return None
            name = self._free_name(path, f"{log}.{_DAMAGED}-{size}")
            self._files.write(f"{path}/{name}", file.pread(file.size - size, size), sync=True)
            file.truncate(size)
            file.sync()
        finally:
            file.close()
        return name

    def _restore_start_offset(self, finding: Finding, entry: Entry) -> str:
        path = self._path(finding)
        name = self._free_name(path, f"{partition_files.START_OFFSET}.{_DAMAGED}")
        self._files.rename(f"{path}/{partition_files.START_OFFSET}", f"{path}/{name}")
        partition_files.save_start_offset(self._files, path, entry.start_offset, sync=True)
        return f"set aside as {finding.partition}/{name}; records from offset {entry.start_offset} on are served"

    def _end_offset(self, finding: Finding, entry: Entry, at_least: int = 0) -> int:
        """Return the offset at which a log continues: its end or, if that is unknown, its highest known offset.

        The result is at least `at_least`.
        """
        if finding.end_offset is not None:
            return max(finding.end_offset, at_least)
        self._is_end_known = False
        return max(entry.tail.end_offset or 0, at_least, *entry.segments)

    def _continuation(self, finding: Finding, end_offset: int) -> str:
        at = f"at offset {end_offset}" if finding.end_offset is not None else "after the highest committed offset"
        return f"{finding.partition} continues {at}"

    def _continue_at(self, path: str, entry: Entry, end_offset: int) -> Tail:
        """Begin a new segment and a new leader epoch at `end_offset`.

        Return end offset and leader epoch of the log, with which the caller must update the inventory.
        """
        epochs = partition_files.load_epochs(self._files, path) or LeaderEpochs()
        epochs.truncate_end(end_offset)
        leader_epoch = max(epochs.latest, entry.tail.leader_epoch) + 1
        epochs.entries.append(EpochStart(leader_epoch, end_offset))
        partition_files.save_epochs(self._files, path, epochs, sync=True)
        segment = self._files.open(f"{path}/{segment_name(end_offset)}.log")
        segment.sync()
        segment.close()
        self._files.sync_directory(path)
        self._directory.sync()
        return Tail(end_offset, leader_epoch)

    def _free_name(self, path: str, name: str) -> str:
        return f"{name}.{os.urandom(4).hex()}" if self._files.exists(f"{path}/{name}") else name
