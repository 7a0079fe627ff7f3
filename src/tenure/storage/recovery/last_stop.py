"""State in which the last process left a data directory: how it stopped, and which files must exist."""

import re
from collections.abc import Iterator
from typing import Final, NamedTuple

from tenure.storage.files import DataFiles
from tenure.storage.log.partition_files import load_start_offset, load_topic_id
from tenure.storage.log.segment import segment_name
from tenure.storage.recovery import apache_kafka
from tenure.storage.recovery.apache_kafka import read_if_there
from tenure.storage.recovery.inventory import NAME as INVENTORY
from tenure.storage.recovery.inventory import Entry, Extent, Tail, decode, drop_unsynced
from tenure.storage.recovery.inventory_check import Finding, find_missing

PARTITION: Final = re.compile(r"(?P<topic>[a-zA-Z0-9._-]+)-(?P<partition>\d+)")
CLEAN_MARKER: Final = ".kafka_cleanshutdown"
CLEAN_MARK: Final = b'{"version":0,"brokerEpoch":-1,"inventory":0}'
_EARLIER_MARK: Final = b'{"version":0,"brokerEpoch":-1}'
"""Content of the clean-stop marker in releases without an inventory. CLEAN_MARK is its content in this release."""
BOOT: Final = ".boot"

_UNNOTICED: Final = "lost partitions and segments that it does not list are not noticed; the next start rebuilds it"

_BOOT_ID: Final = "/proc/sys/kernel/random/boot_id"
"""File of Linux with a random id, which changes whenever the machine starts."""


class LastStop(NamedTuple):
    path: str
    was_clean: bool
    """True if the last process has closed all logs. Otherwise they must be recovered."""
    boot_id: bytes | None
    """Id of the machine's present boot; None if the system has none."""
    is_same_boot: bool
    """True if the machine has not stopped since all logs were last recovered. So even unsynced bytes exist."""
    entries: dict[str, Entry]
    """Entries of the inventory; without an inventory, the existing partitions."""
    is_saved: bool
    """True if the inventory file has exactly these entries."""
    inventory_damage: str | None
    """Message for the operator about damage of the inventory; None if there is none. With damage, `entries` may be
    incomplete."""
    was_apache_kafka: bool
    """True if the last process was Apache Kafka, which does not update the inventory."""

    def find_missing(self, files: DataFiles) -> list[Finding]:
        return list(find_missing(files, self.path, self.entries, was_clean=self.was_clean))


def read_last_stop(files: DataFiles, path: str) -> LastStop:
    marker = read_if_there(files, f"{path}/{CLEAN_MARKER}")
    boot_id = read_if_there(files, _BOOT_ID)
    is_same_boot = boot_id is not None and read_if_there(files, f"{path}/{BOOT}") == boot_id
    was_apache_kafka = apache_kafka.has_run(files, path)
    has_no_inventory = was_apache_kafka or marker == _EARLIER_MARK
    entries, is_saved, damage = _inventory(files, path, was_clean=marker is not None, has_no_inventory=has_no_inventory)
    if not is_same_boot:
        is_saved = not drop_unsynced(entries) and is_saved
    return LastStop(path, marker is not None, boot_id, is_same_boot, entries, is_saved, damage, was_apache_kafka)


def _inventory(
    files: DataFiles, path: str, *, was_clean: bool, has_no_inventory: bool
) -> tuple[dict[str, Entry], bool, str | None]:
    """Read the inventory.

    Returns:
        Its entries; True if the file has exactly these entries; a description of the file's damage, or None.
    """
    damage = None
    if not has_no_inventory:
        try:
            entries, is_whole, damage, incomplete = decode(files.read(f"{path}/{INVENTORY}"))
        except FileNotFoundError:
            entries, incomplete, damage = {}, set(), "is missing"
        else:
            if damage is None:
                return entries, is_whole, None
            damage = f"is damaged, {damage}"
    found = dict(_found_entries(files, path, was_clean=was_clean))
    if damage is None or not (found or was_clean):  # the directory of another broker, or a new one
        return found, False, None
    _add_existing(entries, incomplete, found)
    return entries, False, f"{path}/{INVENTORY} {damage}: {_UNNOTICED}"


def _add_existing(entries: dict[str, Entry], incomplete: set[str], found: dict[str, Entry]) -> None:
    """Add the partitions and segments in the directory to the entries of a damaged inventory.

    The lines of the inventory for these partitions and segments may be lost.
    """
    for name, there in found.items():
        entry = entries.setdefault(name, there)
        if name in incomplete:
            entry.topic_id, entry.start_offset = there.topic_id, there.start_offset
        entry.segments = there.segments | entry.segments


def _found_entries(files: DataFiles, path: str, *, was_clean: bool) -> Iterator[tuple[str, Entry]]:
    """Yield an entry for each partition directory. After an unclean stop, the entries have no synced extents."""
    for name in files.listdir(path):
        if PARTITION.fullmatch(name):
            directory = f"{path}/{name}"
            entry = Entry(load_topic_id(files, directory), load_start_offset(files, directory).offset, Tail(None, 0))
            for base_offset in base_offsets(files, directory):
                size = files.size(f"{directory}/{segment_name(base_offset)}.log")
                entry.segments[base_offset] = Extent(size) if was_clean else None
            yield name, entry


def base_offsets(files: DataFiles, directory: str) -> list[int]:
    """Return the base offsets of a partition's segments, ascending."""
    return [int(name[:-4]) for name in files.listdir(directory) if name.endswith(".log") and name[:-4].isdigit()]
