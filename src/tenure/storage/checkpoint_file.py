"""Kafka's text files with one offset per partition, beside the partitions' directories.

0                    version
2                    number of entries
clicks 0 1500        topic, partition, offset
__consumer_offsets 7 42
"""

from collections.abc import Mapping
from contextlib import suppress

from tenure.storage.files import DataFiles


def load_checkpoint(files: DataFiles, path: str) -> dict[str, int]:
    """Return the offset for each partition directory, such as "clicks-0"; empty if the file is missing or invalid."""
    with suppress(FileNotFoundError, ValueError):
        version, count, *lines = files.read(path).decode().splitlines()
        entries = [line.split() for line in lines]
        if int(version) == 0 and int(count) == len(entries):
            return {f"{topic}-{int(partition)}": int(offset) for topic, partition, offset in entries}
    return {}


def save_checkpoint(files: DataFiles, path: str, offsets: Mapping[str, int], *, sync: bool) -> None:
    lines = ["0", str(len(offsets))]
    for name, offset in sorted(offsets.items()):
        topic, _, partition = name.rpartition("-")
        lines.append(f"{topic} {partition} {offset}")
    files.write(path, ("\n".join(lines) + "\n").encode(), sync=sync)
