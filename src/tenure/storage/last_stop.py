"""What the last process left in a data directory: how it stopped, and which partitions and segments must be there."""

import re
from collections.abc import Iterator
from typing import Final, NamedTuple

from tenure.storage.files import Files
from tenure.storage.inventory import NAME as INVENTORY
from tenure.storage.inventory import DamagedInventory, Entry, Extent, Tail, decode, drop_unsynced
from tenure.storage.inventory_check import Finding, find_missing
from tenure.storage.partition_files import load_start_offset, load_topic_id
from tenure.storage.segment import segment_name

PARTITION: Final = re.compile(r"(?P<topic>[a-zA-Z0-9._-]+)-(?P<partition>\d+)")
CLEAN_MARKER: Final = ".kafka_cleanshutdown"
CLEAN_MARK: Final = b'{"version":0,"brokerEpoch":-1,"inventory":0}'
_EARLIER_MARK: Final = b'{"version":0,"brokerEpoch":-1}'
"""Content of the marker. Releases without an inventory write the second."""
BOOT: Final = ".boot"

_BOOT_ID: Final = "/proc/sys/kernel/random/boot_id"
"""Linux draws another one whenever the machine starts."""


class LastStop(NamedTuple):
    path: str
    was_clean: bool
    """The last process that had the directory closed every log; else partitions recover what they can prove."""
    boot_id: bytes | None
    """Of the machine as it runs now; None where the system has none."""
    is_same_boot: bool
    """The machine has not stopped since: whatever was written is there, synced or not."""
    entries: dict[str, Entry]
    """Without an inventory: what is there now."""
    is_saved: bool
    """The inventory holds these entries and nothing else."""
    inventory_damage: str | None

    def find_missing(self, files: Files) -> list[Finding]:
        return list(find_missing(files, self.path, self.entries, was_clean=self.was_clean))


def read_last_stop(files: Files, path: str) -> LastStop:
    marker = read_if_there(files, f"{path}/{CLEAN_MARKER}")
    boot_id = read_if_there(files, _BOOT_ID)
    is_same_boot = boot_id is not None and read_if_there(files, f"{path}/{BOOT}") == boot_id
    entries, is_saved, damage = _inventory(
        files, path, was_clean=marker is not None, is_of_earlier_release=marker == _EARLIER_MARK
    )
    if not is_same_boot:
        is_saved = not drop_unsynced(entries) and is_saved
    return LastStop(path, marker is not None, boot_id, is_same_boot, entries, is_saved, damage)


def _inventory(
    files: Files, path: str, *, was_clean: bool, is_of_earlier_release: bool
) -> tuple[dict[str, Entry], bool, str | None]:
    """Return the entries, whether the file holds nothing else, and why the file could not be used."""
    damage = None
    if not is_of_earlier_release:
        try:
            return *decode(files.read(f"{path}/{INVENTORY}")), None
        except FileNotFoundError:
            pass
        except DamagedInventory as error:
            damage = f"{path}/{INVENTORY} could not be used ({error}) and is made anew"
    return dict(_found_entries(files, path, was_clean=was_clean)), False, damage


def _found_entries(files: Files, path: str, *, was_clean: bool) -> Iterator[tuple[str, Entry]]:
    """Yield what is in the directory. Without a clean stop, recovery has yet to decide what of it is valid."""
    for name in files.listdir(path):
        if PARTITION.fullmatch(name):
            directory = f"{path}/{name}"
            entry = Entry(load_topic_id(files, directory), load_start_offset(files, directory), Tail(None, 0))
            for base_offset in base_offsets(files, directory):
                size = files.size(f"{directory}/{segment_name(base_offset)}.log")
                entry.segments[base_offset] = Extent(size) if was_clean else None
            yield name, entry


def base_offsets(files: Files, directory: str) -> list[int]:
    """Return those of a partition's segments, in order."""
    return [int(name[:-4]) for name in files.listdir(directory) if name.endswith(".log") and name[:-4].isdigit()]


def read_if_there(files: Files, path: str) -> bytes | None:
    try:
        return files.read(path)
    except OSError:
        return None
