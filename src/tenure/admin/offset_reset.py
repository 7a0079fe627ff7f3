"""Targets of an offset reset, and the new offset of each partition. No I/O.

The targets are those of `kafka-consumer-groups --reset-offsets`. A new offset always lies between the first offset and
the end of the partition, because consumers apply `auto.offset.reset` to any other offset. A note explains each result
that differs from the request.
"""

from collections.abc import Mapping
from typing import Final, NamedTuple, TypeAlias

from tenure.client.errors import ClientError
from tenure.client.values import OffsetAndMetadata, TopicPartition


class ToEarliest(NamedTuple):
    """Reset to the first offset of each partition."""


class ToLatest(NamedTuple):
    """Reset to the end of each partition."""


class ToCurrent(NamedTuple):
    """Keep the committed offset of each partition; use the end if there is none."""


class ToOffset(NamedTuple):
    """Reset all partitions to the same offset."""

    offset: int


class ShiftBy(NamedTuple):
    """Shift the committed offset of each partition."""

    offsets: int
    """Number of offsets to shift by; negative moves back."""


class ToTimestamp(NamedTuple):
    """Reset to the first offset at or after a timestamp; to the end if all records are earlier."""

    timestamp_ms: int


class ToListed(NamedTuple):
    """Reset each partition to the offset that a file lists for it."""

    offsets: Mapping[TopicPartition, OffsetAndMetadata]


Target: TypeAlias = ToEarliest | ToLatest | ToCurrent | ToOffset | ShiftBy | ToTimestamp | ToListed


class KnownOffsets(NamedTuple):
    """First offset and end of a partition, and the group's committed offset in it."""

    earliest: int
    latest: int
    committed: OffsetAndMetadata | None
    at_timestamp: int | None = None
    """First offset at or after the target's timestamp; None if there is none."""


class OffsetChange(NamedTuple):
    """Old and new committed offset of a partition."""

    partition: TopicPartition
    committed: int | None
    target: OffsetAndMetadata
    note: str
    """Reason why the new offset differs from the request, or a warning that metadata is dropped; usually empty."""

    @property
    def distance(self) -> int | None:
        """New offset minus old offset; None if no offset was committed."""
        return None if self.committed is None else self.target.offset - self.committed


class NothingToShiftFrom(ClientError):
    """A shift was requested for a partition without committed offset."""


NO_COMMIT: Final = "to the end, because there is no committed offset"
ALL_EARLIER: Final = "to the end, because all records are earlier than that time"
METADATA_LOST: Final = "the metadata of the old offset is dropped"


def plan(target: Target, known: Mapping[TopicPartition, KnownOffsets]) -> list[OffsetChange]:
    """Return the old and the new offset of each partition.

    Raises `NothingToShiftFrom` if the target is `ShiftBy` and a partition has no committed offset.
    """
    if isinstance(target, ShiftBy):
        _check_all_committed(known)
    return [_change(target, partition, known[partition]) for partition in sorted(known)]


def _check_all_committed(known: Mapping[TopicPartition, KnownOffsets]) -> None:
    without = [str(partition) for partition in sorted(known) if known[partition].committed is None]
    if without:
        raise NothingToShiftFrom(
            f"No committed offset to shift for {', '.join(without)}: leave "
            f"{'it' if len(without) == 1 else 'them'} out, or use another target."
        )


def _change(target: Target, partition: TopicPartition, known: KnownOffsets) -> OffsetChange:
    requested, note = _requested_offset(target, partition, known)
    offset = min(max(requested.offset, known.earliest), known.latest)
    if offset != requested.offset:
        bound = "begins at" if offset == known.earliest else "ends at"
        requested, note = OffsetAndMetadata(offset), f"{requested.offset} was requested, the partition {bound} {offset}"
    committed = known.committed
    if committed is not None and requested == OffsetAndMetadata(committed.offset):
        requested = committed  # the offset does not change, so metadata and leader epoch are kept
    elif committed is not None and committed.metadata and not requested.metadata:
        note = f"{note}; {METADATA_LOST}" if note else METADATA_LOST
    return OffsetChange(partition, None if committed is None else committed.offset, requested, note)


def _requested_offset(target: Target, partition: TopicPartition, known: KnownOffsets) -> tuple[OffsetAndMetadata, str]:
    """Return the offset that the target requests, which may be outside of the partition, and a note.

    The note is "" except in two cases: the offset is the end of the partition, because there is no committed offset, or
    because all records are earlier than the target's time.
    """
    match target:
        case ToEarliest():
            return OffsetAndMetadata(known.earliest), ""
        case ToLatest():
            return OffsetAndMetadata(known.latest), ""
        case ToOffset(offset):
            return OffsetAndMetadata(offset), ""
        case ToListed(offsets):
            return offsets[partition], ""
        case ToTimestamp():
            if known.at_timestamp is None:
                return OffsetAndMetadata(known.latest), ALL_EARLIER
            return OffsetAndMetadata(known.at_timestamp), ""
        case ShiftBy(offsets):
            return OffsetAndMetadata((known.committed or OffsetAndMetadata(0)).offset + offsets), ""
        case ToCurrent():
            if known.committed is None:
                return OffsetAndMetadata(known.latest), NO_COMMIT
            return known.committed, ""
