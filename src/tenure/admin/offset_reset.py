"""Where a reset puts a group's position in each partition: arithmetic over what is known, nothing asked or written.

A target is one of the ways in which `kafka-consumer-groups --reset-offsets` says where. Whatever it names, the result
lies within what the partition holds: below its first record there is nothing to read, and behind its end a consumer
would fall back on `auto.offset.reset`. A result that is not what was asked for carries a note that says why.
"""

from collections.abc import Mapping
from typing import Final, NamedTuple, TypeAlias

from tenure.client.errors import ClientError
from tenure.client.values import OffsetAndMetadata, TopicPartition


class ToEarliest(NamedTuple):
    pass


class ToLatest(NamedTuple):
    pass


class ToCurrent(NamedTuple):
    """What is committed; the end where nothing is."""


class ToOffset(NamedTuple):
    offset: int


class ShiftBy(NamedTuple):
    offsets: int
    """From what is committed; backwards if negative."""


class ToTimestamp(NamedTuple):
    timestamp_ms: int
    """The first record that is as young; the end where none is."""


class ToListed(NamedTuple):
    """What a file says, partition by partition."""

    offsets: Mapping[TopicPartition, OffsetAndMetadata]


Target: TypeAlias = ToEarliest | ToLatest | ToCurrent | ToOffset | ShiftBy | ToTimestamp | ToListed


class Known(NamedTuple):
    """What a partition holds, and how far the group has come in it."""

    earliest: int
    latest: int
    committed: OffsetAndMetadata | None
    at_timestamp: int | None = None
    """The first offset at or after the target's timestamp; None where no record is as young."""


class Move(NamedTuple):
    partition: TopicPartition
    committed: int | None
    target: OffsetAndMetadata
    note: str
    """Why the target is not what was asked for, or what else is lost on the way; mostly empty."""

    @property
    def distance(self) -> int | None:
        return None if self.committed is None else self.target.offset - self.committed


class NothingToShiftFrom(ClientError):
    """A shift was asked for where nothing is committed."""


NO_COMMIT: Final = "nothing committed, so the end"
NONE_AS_YOUNG: Final = "no record as young, so the end"
METADATA_LOST: Final = "its metadata belongs to the old position and is dropped"


def plan(target: Target, known: Mapping[TopicPartition, Known]) -> list[Move]:
    """Raises `NothingToShiftFrom`."""
    if isinstance(target, ShiftBy):
        _check_all_committed(known)
    return [_move(target, partition, known[partition]) for partition in sorted(known)]


def _check_all_committed(known: Mapping[TopicPartition, Known]) -> None:
    without = [str(partition) for partition in sorted(known) if known[partition].committed is None]
    if without:
        raise NothingToShiftFrom(
            f"Nothing is committed for {', '.join(without)}, so there is nothing to shift from: leave "
            f"{'it' if len(without) == 1 else 'them'} out, or say where to with another option."
        )


def _move(target: Target, partition: TopicPartition, known: Known) -> Move:
    asked, note = _asked(target, partition, known)
    offset = min(max(asked.offset, known.earliest), known.latest)
    if offset != asked.offset:
        bound = "begins at" if offset == known.earliest else "ends at"
        asked, note = OffsetAndMetadata(offset), f"{asked.offset} was asked for, the partition {bound} {offset}"
    committed = known.committed
    if committed is not None and asked == OffsetAndMetadata(committed.offset):
        asked = committed  # nothing moves: neither does what was committed beside the offset
    elif committed is not None and committed.metadata and not asked.metadata:
        note = f"{note}; {METADATA_LOST}" if note else METADATA_LOST
    return Move(partition, None if committed is None else committed.offset, asked, note)


def _asked(target: Target, partition: TopicPartition, known: Known) -> tuple[OffsetAndMetadata, str]:
    """Before it is held to what the partition holds."""
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
                return OffsetAndMetadata(known.latest), NONE_AS_YOUNG
            return OffsetAndMetadata(known.at_timestamp), ""
        case ShiftBy(offsets):
            return OffsetAndMetadata((known.committed or OffsetAndMetadata(0)).offset + offsets), ""
        case ToCurrent():
            if known.committed is None:
                return OffsetAndMetadata(known.latest), NO_COMMIT
            return known.committed, ""
