"""Exchange of partition 0 of `__consumer_offsets` between two stopped brokers.

All other logs stay where they are, so topic ids in the exchanged records are replaced by those of the other broker.
"""

from __future__ import annotations

import struct
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final

import google_crc32c

from tenure.protocol.batches import encode_batch, read_batches
from tenure.protocol.records import Record

PARTITION: Final = "__consumer_offsets-0"
CLEAN: Final = ".kafka_cleanshutdown"
INVENTORY: Final = "inventory"
"""Name of Tenure's inventory; without it Tenure accepts a log that it did not write."""
CHECKPOINTS: Final = ("recovery-point-offset-checkpoint", "replication-offset-checkpoint")
CRC_AT, CHECKED_FROM = 17, 21


def exchange(one: Path, other: Path, topics: Mapping[bytes, bytes]) -> None:
    """Exchange the logs of two data directories; `topics` maps an id in the first one to that in the second one."""
    logs = [log_of(one), log_of(other)]
    replace_log(one, with_topic_ids(logs[1], {there: here for here, there in topics.items()}))
    replace_log(other, with_topic_ids(logs[0], topics))


def log_of(directory: Path) -> bytes:
    return b"".join(segment.read_bytes() for segment in sorted((directory / PARTITION).glob("*.log")))


def replace_log(directory: Path, log: bytes) -> None:
    """Replace the log and leave no files beside it, as after an unclean stop, so that the broker reads the records."""
    for file in (directory / PARTITION).iterdir():
        if file.suffix in (".log", ".index", ".timeindex", ".snapshot"):
            file.unlink()
    (directory / PARTITION / f"{0:020}.log").write_bytes(log)
    (directory / PARTITION / "leader-epoch-checkpoint").write_text("0\n1\n0 0\n")
    for name in (CLEAN, INVENTORY, *CHECKPOINTS):
        (directory / name).unlink(missing_ok=True)


def append(directory: Path, records: Sequence[Record]) -> None:
    """Append one batch, as if the coordinator had written it."""
    log = log_of(directory)
    *_, last = read_batches(log)
    replace_log(directory, log + encode_batch(records, base_offset=last.last_offset + 1, partition_leader_epoch=0))


def with_topic_ids(log: bytes, topics: Mapping[bytes, bytes]) -> bytes:
    """Return the log with other topic ids and new checksums. `topics` has the new id by the old one."""
    written, at = bytearray(), 0
    while at < len(log):
        end = at + 12 + int(struct.unpack_from(">i", log, at + 8)[0])
        batch = bytearray(log[at:end])
        for here, there in topics.items():
            batch = batch.replace(here, there)
        struct.pack_into(">I", batch, CRC_AT, google_crc32c.value(bytes(batch[CHECKED_FROM:])))
        written += batch
        at = end
    return bytes(written)
