"""State of a partition as read from its files: segments, producers, leader epochs.

Small files beside the segments contain this state, so that the whole log need not be read. If a file lacks a part of
the state, this part is computed from the batches.
"""

from contextlib import suppress
from typing import Final, NamedTuple

from tenure.protocol.batches import CorruptBatch
from tenure.protocol.transaction_markers import marker_of
from tenure.protocol.types import TopicId, topic_id_text
from tenure.storage.errors import PartitionUnusable
from tenure.storage.files import DataFiles
from tenure.storage.log import partition_files
from tenure.storage.log.leader_epochs import LeaderEpochs
from tenure.storage.log.producers import Producers
from tenure.storage.log.segment import Segment
from tenure.storage.recovery.damage import Damage
from tenure.storage.recovery.recovery import BeforeShrinking, Evidence, Truncation, open_segments

_EVERY_SEGMENT: Final = range(1 << 63)
"""Range that contains the base offset of every segment."""


class OpenedLog(NamedTuple):
    segments: list[Segment]
    truncation: Truncation | None
    damages: list[Damage]
    producers: Producers
    epochs: LeaderEpochs


def open_log(
    files: DataFiles,
    path: str,
    index_interval_bytes: int,
    evidence: Evidence,
    before_shrinking: BeforeShrinking = lambda _, __: None,
) -> OpenedLog:
    """Open the log of a partition, after recovering it if necessary.

    Raises OSError, CorruptBatch and `LogDamaged`. For `before_shrinking` see `open_segments`.
    """
    stored_epochs = partition_files.load_epochs(files, path, evidence.epochs_checksum if evidence.was_clean else None)
    evidence = _with_small_files(evidence, files, path, stored_epochs)
    recovered = open_segments(files, path, index_interval_bytes, evidence, before_shrinking)
    segments = recovered.segments
    log_end_offset = segments[-1].next_offset
    aborted_from = log_end_offset if recovered.unproven_from is None else recovered.unproven_from
    producers, producers_until = partition_files.load_producers(files, path, aborted_from)
    epochs = stored_epochs or LeaderEpochs()
    epochs_from = log_end_offset if stored_epochs else 0
    for segment in segments:
        segment.aborted[:] = [aborted for aborted in segment.aborted if aborted.last_offset < aborted_from]
    try:
        _add_uncovered_batches(segments, producers, producers_until, aborted_from, epochs, epochs_from)
    except CorruptBatch:  # damage below an indexed position; it was read only because a small file is missing
        if evidence.distrusted is _EVERY_SEGMENT:
            raise
        distrusting = evidence._replace(distrusted=_EVERY_SEGMENT, may_lack_segments=True)
        again = open_log(files, path, index_interval_bytes, distrusting, before_shrinking)
        truncation = recovered.truncation or again.truncation
        return again._replace(truncation=truncation, damages=[*recovered.damages, *again.damages])
    if evidence.was_clean and recovered.unproven_from is not None:
        _write_indexes(segments[:-1], recovered.unproven_from)
    _end_epochs_at(epochs, log_end_offset, max(epochs.latest, evidence.leader_epoch))
    if stored_epochs is None:
        with suppress(OSError):  # if the disk is full, the next start creates the file
            partition_files.save_epochs(files, path, epochs, sync=False)
    return OpenedLog(segments, recovered.truncation, recovered.damages, producers, epochs)


def _with_small_files(evidence: Evidence, files: DataFiles, path: str, epochs: LeaderEpochs | None) -> Evidence:
    """Add facts from the small files of a partition to the evidence, and return it.

    A gap before the start offset of a leader epoch is no damage, so these offsets are added. After a clean stop, the
    log ended at the offset of the newest producer snapshot or later. So `closed_at_offset` is at least that offset.
    """
    closed_at_offset = evidence.closed_at_offset
    if evidence.was_clean:
        closed_at_offset = max(closed_at_offset, partition_files.newest_snapshot_offset(files, path))
    return evidence._replace(
        epoch_starts={entry.start_offset for entry in epochs.entries} if epochs else (),
        closed_at_offset=closed_at_offset,
    )


def _add_uncovered_batches(
    segments: list[Segment],
    producers: Producers,
    producers_from: int,
    aborted_from: int,
    epochs: LeaderEpochs,
    epochs_from: int,
) -> None:
    """Read the batches that the small files do not cover, and add their producers, aborted transactions and epochs.

    `producers_from`, `aborted_from` and `epochs_from` are the first offsets that the respective files do not cover.
    """
    start = min(producers_from, epochs_from)
    for segment in segments:
        if segment.next_offset <= start:
            continue
        for position, batch in segment.headers(segment.position_of(start) if start > segment.base_offset else 0):
            if batch.base_offset >= epochs_from:
                epochs.begin(batch.partition_leader_epoch, batch.base_offset)
            if batch.base_offset < producers_from or not batch.has_producer:
                continue
            if not batch.is_control:
                producers.add_batch(batch, batch.base_offset)
            elif marker := marker_of(segment.whole(position, batch)):
                aborted = producers.end_transaction(marker, batch.base_offset, batch.max_timestamp_ms)
                if aborted is not None and batch.base_offset >= aborted_from:
                    segment.aborted.append(aborted)


def _write_indexes(segments: list[Segment], from_offset: int) -> None:
    for segment in segments:
        if segment.base_offset >= from_offset:
            with suppress(OSError):  # if the disk is full, the next start replays these segments again
                segment.write_indexes()


def _end_epochs_at(epochs: LeaderEpochs, log_end_offset: int, latest_epoch: int) -> None:
    """Remove epochs after the end of the log, but keep the latest epoch, so that its number is not used again."""
    epochs.truncate_end(log_end_offset + 1)
    epochs.begin(latest_epoch, log_end_offset)
    if not epochs.entries:
        epochs.begin(0, log_end_offset)


def ensure_topic_id(files: DataFiles, path: str, topic_id: TopicId | None) -> TopicId | None:
    """Return the topic id of a partition's directory.

    If the directory has none, write `topic_id` and return it; None writes nothing. Raises `PartitionUnusable` if the
    directory has another topic id.
    """
    stored = partition_files.load_topic_id(files, path)
    if stored is None and topic_id is not None:
        partition_files.save_topic_id(files, path, topic_id)
    if stored and topic_id and stored != topic_id:
        raise PartitionUnusable(
            f"{path}/{partition_files.METADATA} has topic id {topic_id_text(stored)}, but the topic has "
            f"{topic_id_text(topic_id)}: if the directory belongs to an earlier topic of this name, move it away; if "
            "the file is damaged, remove the file; then start again"
        )
    return stored or topic_id


def truncate_log(files: DataFiles, path: str, base_offset: int, size: int, index_interval_bytes: int) -> None:
    """Truncate the segment at `base_offset` to `size` bytes, after removing all later segments from the disk."""
    names = files.listdir(path)
    bases = sorted(int(name[:-4]) for name in names if name.endswith(".log") and name[:-4].isdigit())
    for later in reversed([base for base in bases if base > base_offset]):
        Segment(files, path, later, index_interval_bytes).remove()
    last = Segment(files, path, base_offset, index_interval_bytes)
    last.unseal()
    last.truncate(size)
    last.sync()
    last.close()
    files.sync_directory(path)
