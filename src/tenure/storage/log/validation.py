"""Validation of batches before they are appended.

As in Kafka's LogValidator, the order of the checks decides which error a client gets.

A checksum proves that a batch was received as it was sent, but not that its sender has encoded it correctly. So the
records are checked, even those in compressed batches. The newest timestamp of a record becomes the timestamp of the
batch.
"""

from collections.abc import Callable, Generator, Iterator
from functools import partial
from typing import Any, Final, TypeAlias

from tenure.limits.protocol import BATCH_RECORDS_MAX, BATCH_UNPACKED_BYTES_MAX
from tenure.limits.storage import BATCH_CHECKED_AT_ONCE_BYTES, RECORD_ERRORS_MAX, UNPACKED_AT_ONCE_BYTES
from tenure.plural import format_count
from tenure.protocol.batches import (
    ATTRIBUTES_LOW_AT,
    CODEC_BITS,
    HEADER,
    LENGTH_AT,
    LENGTH_END,
    MAGIC,
    MAGIC_AT,
    NO_PRODUCER_ID,
    NO_TIMESTAMP_MS,
    Batch,
    BatchTooLarge,
    CorruptBatch,
    TimestampType,
    UnsupportedMagic,
    record_positions,
    unpacked_records,
    verify_crc,
)
from tenure.protocol.message import Data
from tenure.protocol.record_runs import walk, walk_in_steps
from tenure.protocol.record_walk import CheckedRecords
from tenure.protocol.records import MalformedRecord, TooManyHeaders
from tenure.storage.errors import (
    AppendRefused,
    InvalidRecord,
    InvalidTimestamp,
    RecordBatchTooLarge,
    RecordError,
    RecordTooLarge,
    UnreadableBatch,
)
from tenure.storage.log.assigned_fields import recompressed
from tenure.storage.log.settings import LogSettings

TIMESTAMP_MS_MAX: Final = 2**63 - 1
"""Greatest timestamp that a batch header can have. A header's timestamp plus a record's delta may be greater."""
ANY_TIME: Final = -(2**64), 2**64
AT_THE_START: Final = bytes(8)
"""Encoded base offset 0, with which every batch from a producer begins."""
LENGTH_MIN: Final = 14
"""Length field of the smallest batch in any format of Kafka, which is a message v0. A smaller length is invalid."""
RECORDS_PER_STEP: Final = 1_024
"""Records that are checked one by one in one step; that takes about a millisecond."""


OnThread: TypeAlias = Callable[[Callable[[], Any]], Generator[Any, None, Any]]
"""Generator function that runs work on a thread, yields futures while it waits, and returns the result."""


def only_batch(records: bytes) -> bytes:
    """Return the only batch that a Produce request of v3 or later may contain for a partition (KIP-98).

    Further bytes that are too few for another batch are ignored. Raises InvalidRecord, and CorruptBatch if the bytes
    are no batch.
    """
    length = _length_at(records, 0)
    if length is None:
        raise InvalidRecord("there is no complete batch: a Produce request has one for each partition")
    if records[MAGIC_AT] != MAGIC:
        raise InvalidRecord(f"message sets v{records[MAGIC_AT]} are not supported: use Produce v3 or newer")
    end = length + LENGTH_END
    if end != len(records) and _length_at(records, end) is not None:
        raise InvalidRecord("there is more than one batch: a Produce request has one for each partition")
    if not records.startswith(AT_THE_START):
        raise InvalidRecord(
            "the batch does not begin at offset 0: a producer sends base offset 0, and the broker assigns offsets"
        )
    return records if end == len(records) else records[:end]


def _length_at(records: bytes, position: int) -> int | None:
    """Return the length in the header of the batch at `position`; None if the header is incomplete."""
    left = len(records) - position
    if left < LENGTH_END:
        return None
    length = int.from_bytes(records[position + LENGTH_AT : position + LENGTH_END], "big", signed=True)
    if length < LENGTH_MIN:
        raise CorruptBatch(f"the batch at byte {position} announces {length} bytes, less than a batch header")
    if left > MAGIC_AT and records[position + MAGIC_AT] > MAGIC:
        raise CorruptBatch(f"the batch at byte {position} has an unknown format")
    return length if length <= left - LENGTH_END else None


def checked_batches(data: bytes, settings: LogSettings, now_ms: int) -> tuple[bytes, list[Batch]]:
    """Check the batches in `data`, and return them in the form in which they are stored, with valid headers."""
    batches = _whole_batches(data)
    if len(batches) > 1 and any(batch.has_producer for batch in batches):
        raise InvalidRecord(f"an idempotent producer sends one batch at a time, not {len(batches)}")
    return _as_stored(data, batches, [_checked(batch, settings, now_ms) for batch in batches], settings)


def is_large(records: Data) -> bool:
    """Return whether the check of a batch may take long; True for a compressed one, whose real size is unknown."""
    if len(records) > BATCH_CHECKED_AT_ONCE_BYTES:
        return True
    return len(records) > ATTRIBUTES_LOW_AT and records[ATTRIBUTES_LOW_AT] & CODEC_BITS != 0


def check_in_steps(
    data: bytes, settings: LogSettings, now_ms: int, on_thread: OnThread
) -> Generator[Any, None, tuple[bytes, list[Batch]]]:
    """Check one batch of any size as `checked_batches` does, and return the same result.

    The generator yields every few milliseconds, so that the event loop can serve other requests. `on_thread` runs work
    on a thread: the decompression of a large batch, and a compression with another codec.
    """
    batches = _whole_batches(data)
    (batch,) = batches
    _check_header(batch, settings)
    records, start, end = data, HEADER.size, batch.size
    if batch.codec:
        unpacked = _unpacked_at_once(batch)
        records = unpacked if unpacked is not None else (yield from on_thread(partial(_unpacked, batch)))
        start, end = 0, len(records)
    try:
        walked = yield from walk_in_steps(records, start, end, batch.count)
    except (MalformedRecord, TooManyHeaders) as error:
        raise _invalid(batch, error) from None
    times = _valid_times(settings, now_ms)
    if _is_suspect(batch, walked, settings, times):
        yield from _check_each(batch, records[start:end], settings, times)
    stored = partial(_stored, batch, walked, settings)
    if settings.compression in (None, batch.codec):
        checked = stored()
    else:
        checked = yield from on_thread(stored)
    return _as_stored(data, batches, [checked], settings)


def _as_stored(
    data: bytes, batches: list[Batch], checked: list[Batch], settings: LogSettings
) -> tuple[bytes, list[Batch]]:
    if checked != batches:
        data = b"".join(one.raw for one in checked)
        batches = _whole_batches(data)
    if len(data) > settings.segment_bytes:
        raise RecordBatchTooLarge(
            f"{len(data)} bytes do not fit into a segment of {settings.segment_bytes} bytes (segment.bytes)"
        )
    return data, batches


def _whole_batches(data: bytes) -> list[Batch]:
    batches: list[Batch] = []
    position = 0
    while len(data) - position >= HEADER.size:
        batch = Batch(data, position)
        if batch.magic != MAGIC:
            raise UnsupportedMagic(f"the batch at byte {position} is of format {batch.magic}: use Produce v3 or newer")
        if not HEADER.size <= batch.size <= len(data) - position:
            break
        batches.append(batch)
        position += batch.size
    if position != len(data) or not batches:
        raise CorruptBatch(
            f"the batch at byte {position} of {len(data)} is incomplete: the writer must send whole batches"
        )
    return batches


def _checked(batch: Batch, settings: LogSettings, now_ms: int) -> Batch:
    """Return the batch as it is stored: re-encoded if its compression or timestamp changes. Raise if it is invalid."""
    _check_header(batch, settings)
    walked, times = _walked(batch), _valid_times(settings, now_ms)
    if _is_suspect(batch, walked, settings, times):
        for _ in _check_each(batch, unpacked_records(batch), settings, times):
            pass
    return _stored(batch, walked, settings)


def _stored(batch: Batch, walked: CheckedRecords, settings: LogSettings) -> Batch:
    newest_ms = _newest_ms(batch, walked, settings)
    sent_codec = batch.codec
    codec = sent_codec if settings.compression is None else settings.compression
    if codec is sent_codec and newest_ms == batch.max_timestamp_ms and not batch.has_append_time:
        return batch
    stored = Batch(recompressed(batch, codec, settings.compression_level, newest_ms), 0)
    if stored.size > settings.max_message_bytes:
        raise RecordTooLarge(
            f"{batch} has {stored.size} bytes after compression with {codec.name.lower()} (compression.type), the "
            "topic "
            f"takes at most {settings.max_message_bytes} (max.message.bytes)"
        )
    return stored


def _check_header(batch: Batch, settings: LogSettings) -> None:
    if batch.size > settings.max_message_bytes:
        raise RecordTooLarge(
            f"{batch} has {batch.size} bytes, the topic takes at most {settings.max_message_bytes} (max.message.bytes):"
            " send smaller batches, or raise the limit"
        )
    verify_crc(batch)
    if batch.count < 1 or batch.count != batch.last_offset_delta + 1:
        raise InvalidRecord(
            f"{batch} counts {format_count(batch.count, 'record')}, but its last offset delta is "
            f"{batch.last_offset_delta}"
        )
    if batch.has_producer and batch.base_sequence < 0:
        raise InvalidRecord(f"{batch} has producer id {batch.producer_id} but no sequence")
    if batch.count > BATCH_RECORDS_MAX:
        raise RecordTooLarge(f"{batch} has {batch.count} records, at most {BATCH_RECORDS_MAX} are allowed")
    if batch.attributes:
        _check_attributes(batch, settings)


def _check_attributes(batch: Batch, settings: LogSettings) -> None:
    if batch.is_control:
        raise InvalidRecord(f"{batch} is a control batch, which only the broker may write")
    if batch.is_transactional and batch.producer_id == NO_PRODUCER_ID:
        raise InvalidRecord(f"{batch} is transactional, but has no producer id")
    try:
        batch.codec  # noqa: B018
    except CorruptBatch as error:
        raise UnreadableBatch(str(error)) from None
    if batch.has_append_time and _is_stamped(settings):
        all_of_them = range(min(batch.count, RECORD_ERRORS_MAX))
        raise InvalidTimestamp(
            f"{batch} has the timestamp type LogAppendTime, which only the broker may set",
            [RecordError(index, "its batch has the timestamp type LogAppendTime") for index in all_of_them],
        )


def _is_suspect(batch: Batch, walked: CheckedRecords, settings: LogSettings, times: tuple[int, int]) -> bool:
    """Return whether a record of the batch is invalid. `_check_each` then finds out which one."""
    if settings.compacts and walked.has_keyless:
        return True
    earliest_ms, latest_ms = times
    if batch.has_append_time:
        return not earliest_ms <= batch.max_timestamp_ms <= latest_ms
    base_ms = batch.base_timestamp_ms
    return base_ms + walked.oldest_delta_ms < earliest_ms or base_ms + walked.newest_delta_ms > latest_ms


def _newest_ms(batch: Batch, walked: CheckedRecords, settings: LogSettings) -> int:
    """Return the newest timestamp of all records. If the broker sets timestamps, return the one in the header."""
    if not walked.counts_up and (batch.codec or settings.compression):
        raise UnreadableBatch(f"{batch} has offset deltas that do not count up from 0, as compression requires")
    if _is_stamped(settings):
        return batch.max_timestamp_ms
    newest_ms = batch.max_timestamp_ms if batch.has_append_time else batch.base_timestamp_ms + walked.newest_delta_ms
    return max(newest_ms, NO_TIMESTAMP_MS)


def _walked(batch: Batch) -> CheckedRecords:
    data, start, end = bytes(batch.buffer), batch.position + HEADER.size, batch.position + batch.size
    if batch.codec:
        data = _unpacked(batch)
        start, end = 0, len(data)
    try:
        return walk(data, start, end, batch.count)
    except MalformedRecord as error:
        raise _invalid(batch, error) from None


def _unpacked(batch: Batch, max_bytes: int = BATCH_UNPACKED_BYTES_MAX) -> bytes:
    try:
        return unpacked_records(batch, max_bytes)
    except BatchTooLarge as too_large:
        raise RecordTooLarge(str(too_large)) from None
    except CorruptBatch as error:
        raise UnreadableBatch(str(error)) from None


def _unpacked_at_once(batch: Batch) -> bytes | None:
    """Return the decompressed records; None if decompression would take long."""
    try:
        return _unpacked(batch, UNPACKED_AT_ONCE_BYTES)
    except RecordTooLarge:
        return None


def _invalid(batch: Batch, error: MalformedRecord | TooManyHeaders) -> AppendRefused:
    if isinstance(error, TooManyHeaders):
        return RecordTooLarge(f"{batch} is too large: {error}")
    # The checksum is valid, so the sender has already encoded the batch like this.
    return InvalidRecord(f"{batch} contradicts its header: {error}")


def _valid_times(settings: LogSettings, now_ms: int) -> tuple[int, int]:
    """Return the earliest and the latest valid timestamp in ms. If the broker sets timestamps, all are valid."""
    if _is_stamped(settings):
        return ANY_TIME
    latest_ms = min(now_ms + settings.message_timestamp_after_max_ms, TIMESTAMP_MS_MAX)
    return now_ms - settings.message_timestamp_before_max_ms, latest_ms


def _check_each(batch: Batch, records: bytes, settings: LogSettings, times: tuple[int, int]) -> Iterator[None]:
    """Check the records one by one, and yield after each step. Raises an error that lists the invalid records."""
    keyless: list[RecordError] = []
    out_of_time: list[RecordError] = []
    has_append_time = batch.has_append_time
    earliest_ms, latest_ms = times
    for index, (_, _, delta_ms, _, key, _) in enumerate(record_positions(batch, records)):
        timestamp_ms = batch.max_timestamp_ms if has_append_time else batch.base_timestamp_ms + delta_ms
        if settings.compacts and key is None:
            keyless.append(RecordError(index, "it has no key"))
        elif timestamp_ms != NO_TIMESTAMP_MS and not earliest_ms <= timestamp_ms <= latest_ms:
            out_of_time.append(RecordError(index, f"its timestamp is {timestamp_ms}"))
        if index % RECORDS_PER_STEP == 0:
            yield
    errors = sorted(keyless + out_of_time)[:RECORD_ERRORS_MAX]
    if out_of_time:
        raise InvalidTimestamp(
            f"{batch} has {format_count(len(out_of_time), 'record')} with timestamps before {earliest_ms} or after "
            f"{latest_ms} (message.timestamp.before.max.ms, message.timestamp.after.max.ms)",
            errors,
        )
    if keyless:
        count = format_count(len(keyless), "record")
        why = f"{batch} has {count} without a key, but the topic is compacted by key (cleanup.policy)"
        raise InvalidRecord(why, errors)


def _is_stamped(settings: LogSettings) -> bool:
    """Return whether the broker's time replaces that of the producer (LogAppendTime)."""
    return settings.message_timestamp_type is TimestampType.LOG_APPEND_TIME
