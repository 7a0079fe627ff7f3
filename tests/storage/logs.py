"""Partitions for tests: on a simulated disk, in memory, or on the real disk."""

from tenure.protocol.batches import decode_records, encode_batch, read_batches
from tenure.protocol.records import Record
from tenure.storage.data_directory import DataDirectory
from tenure.storage.log.partition import Partition
from tenure.storage.log.settings import Durability, LogSettings
from tests.forgetful import ForgetfulDisk, ForgetfulFiles
from tests.protocol.batches import rows

NAME = "flights-0"
SMALL = LogSettings(segment_bytes=1_000, index_interval_bytes=150)
"""Settings with few batches per segment and an index entry for every second batch, so that all code paths run."""

BATCH_BYTES = len(encode_batch(rows(1)))
"""Size of each batch that `fill` writes when it writes single records."""


def on(disk: ForgetfulDisk) -> DataDirectory:
    return DataDirectory.open("/data", files=ForgetfulFiles(disk))


def after_kill(disk: ForgetfulDisk) -> ForgetfulDisk:
    """Return the disk as a killed broker leaves it, with all bytes, because only the process ends."""
    killed = disk.crash(lambda tail: tail, names_survive=True)
    files = ForgetfulFiles(killed)
    files.mkdir("/proc/sys/kernel/random")
    files.write("/proc/sys/kernel/random/boot_id", b"this life of the machine", sync=True)
    files.write("/data/.boot", b"this life of the machine", sync=True)
    return killed


def opened(
    directory: DataDirectory, durability: Durability = Durability.FSYNC, settings: LogSettings = SMALL
) -> Partition:
    return Partition.open(directory, NAME, settings, durability=durability)


def in_memory(settings: LogSettings = SMALL) -> Partition:
    return opened(DataDirectory.in_memory(), Durability.MEMORY, settings)


def fill(partition: Partition, records: int, per_batch: int = 1) -> None:
    """Append records whose values are their offsets."""
    end = partition.log_end_offset + records
    while partition.log_end_offset < end:
        made = rows(per_batch, first=partition.log_end_offset)
        partition.append(encode_batch(made), now_ms=made[0].timestamp_ms)


def records_of(partition: Partition, max_bytes: int = 400) -> list[Record]:
    """Return all records from the start of the log."""
    found: list[Record] = []
    offset = partition.log_start_offset
    while data := partition.read(offset, max_bytes):
        found += [record for batch in read_batches(data) for record in decode_records(batch)]
        offset = found[-1].offset + 1
    return found


def offsets_of(partition: Partition) -> list[int]:
    return [record.offset for record in records_of(partition)]
