"""Up to where each log is clean: `cleaner-offset-checkpoint`, in Kafka's text format.

0                    version
2                    number of entries
clicks 0 1500        topic, partition, first dirty offset
__consumer_offsets 7 42
"""

from collections.abc import Mapping
from contextlib import suppress
from typing import Final

from tenure.storage.data_directory import DataDirectory, partition_directory, topic_and_partition

NAME: Final = "cleaner-offset-checkpoint"


def load_checkpoint(directory: DataDirectory) -> dict[str, int]:
    """Return the first dirty offsets by name of the partition's directory; empty without a valid file."""
    with suppress(FileNotFoundError, ValueError):
        version, count, *lines = directory.files.read(f"{directory.path}/{NAME}").decode().splitlines()
        entries = [line.split() for line in lines]
        if int(version) == 0 and int(count) == len(entries):
            return {partition_directory(topic, int(partition)): int(offset) for topic, partition, offset in entries}
    return {}


def save_checkpoint(directory: DataDirectory, first_dirty: Mapping[str, int]) -> None:
    entries = [(*topic_and_partition(name), offset) for name, offset in sorted(first_dirty.items())]
    lines = ["0", str(len(entries)), *(f"{topic} {partition} {offset}" for topic, partition, offset in entries)]
    directory.files.write(f"{directory.path}/{NAME}", ("\n".join(lines) + "\n").encode(), sync=False)
