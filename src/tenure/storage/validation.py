"""What may enter a log. The order of the checks decides which error a client sees, as in Kafka's LogValidator.

A header is believed where its checksum holds: records are looked at, one by one, only where the topic's settings ask
for it (`_check_records`).
"""

from collections.abc import Iterator
from typing import Final

from tenure.limits import RECORD_ERRORS_TOLD_MAX
from tenure.protocol.records import (
    HEADER,
    LENGTH_END,
    MAGIC,
    MAGIC_AT,
    NO_PRODUCER_ID,
    NO_TIMESTAMP_MS,
    Batch,
    CorruptBatch,
    Place,
    TimestampType,
    UnsupportedMagic,
    record_places,
    unpacked_records,
    verify_crc,
)
from tenure.storage.errors import InvalidRecord, InvalidTimestamp, RecordBatchTooLarge, RecordError, RecordTooLarge
from tenure.storage.rewriting import rewritten
from tenure.storage.settings import LogSettings

TIMESTAMP_MS_MAX: Final = 2**63 - 1
"""What a header has room for: a record's delta could lead beyond."""
LENGTH_AT: Final = 8
AT_THE_START: Final = bytes(8)
"""The base offset of a batch that is nowhere yet."""
LENGTH_MIN: Final = 14
"""Of the least that any format of Kafka's has, a message v0: what says less is no batch."""


def only_batch(records: bytes) -> bytes:
    """The one batch that a Produce may bring for a partition, since v3 (KIP-98). What follows it, too little for
    another, is left out. Raises InvalidRecord, and CorruptBatch where one cannot even tell.
    """
    length = _length_at(records, 0)
    if length is None:
        raise InvalidRecord("there is no whole batch: a Produce brings one for each partition")
    if records[MAGIC_AT] != MAGIC:
        raise InvalidRecord(f"message sets v{records[MAGIC_AT]} are not taken: use Produce v3 or newer")
    end = length + LENGTH_END
    if end != len(records) and _length_at(records, end) is not None:
        raise InvalidRecord("there is more than one batch: a Produce brings one for each partition")
    if not records.startswith(AT_THE_START):
        raise InvalidRecord("the batch does not begin at offset 0: where it stands is the log's to say")
    return records if end == len(records) else records[:end]


def _length_at(records: bytes, position: int) -> int | None:
    """What the batch there says of itself; None, if not all of it is there."""
    left = len(records) - position
    if left < LENGTH_END:
        return None
    length = int.from_bytes(records[position + LENGTH_AT : position + LENGTH_END], "big", signed=True)
    if length < LENGTH_MIN:
        raise CorruptBatch(f"the batch at byte {position} says it is {length} bytes long, less than any batch is")
    if left > MAGIC_AT and records[position + MAGIC_AT] > MAGIC:
        raise CorruptBatch(f"the batch at byte {position} is of a format that does not exist")
    return length if length <= left - LENGTH_END else None


def checked_batches(data: bytes, settings: LogSettings, now_ms: int) -> tuple[bytes, list[Batch]]:
    """The batches that `data` consists of, all of it, as they may be stored. Their headers are believed after this."""
    batches = _whole_batches(data)
    if len(batches) > 1 and any(batch.has_producer for batch in batches):
        raise InvalidRecord(f"an idempotent producer sends one batch at a time, not {len(batches)}")
    checked = [_checked(batch, settings, now_ms) for batch in batches]
    if checked != batches:
        data = b"".join(one.raw for one in checked)
        batches = _whole_batches(data)
    if len(data) > settings.segment_bytes:
        raise RecordBatchTooLarge(
            f"{len(data)} bytes do not fit into a segment of {settings.segment_bytes} (segment.bytes)"
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
    """The batch itself, or what is to be stored in its place."""
    _check_header(batch, settings)
    if batch.attributes:
        _check_attributes(batch, settings)
    must_be_read = _has_to_be_read(batch, settings, now_ms)
    if not (must_be_read or batch.attributes or settings.compression):
        return batch
    return _as_the_topic_wants(batch, settings, now_ms, must_be_read=must_be_read)


def _as_the_topic_wants(batch: Batch, settings: LogSettings, now_ms: int, *, must_be_read: bool) -> Batch:
    codec = batch.codec if settings.compression is None else settings.compression
    newest_ms = batch.max_timestamp_ms
    if must_be_read or codec is not batch.codec:
        newest_ms = _check_records(batch, settings, now_ms)
    claims_append_time = batch.timestamp_type is TimestampType.LOG_APPEND_TIME
    if codec is batch.codec and newest_ms == batch.max_timestamp_ms and not claims_append_time:
        return batch
    found = Batch(rewritten(batch, codec, settings.compression_level, newest_ms), 0)
    if found.size > settings.max_message_bytes:
        raise RecordTooLarge(
            f"{batch} has {found.size} bytes once it is packed by {codec.name.lower()} (compression.type), the topic "
            f"takes {settings.max_message_bytes} (max.message.bytes)"
        )
    return found


def _check_header(batch: Batch, settings: LogSettings) -> None:
    if batch.size > settings.max_message_bytes:
        raise RecordTooLarge(
            f"{batch} has {batch.size} bytes, the topic takes {settings.max_message_bytes} (max.message.bytes)"
        )
    verify_crc(batch)
    if batch.count < 1 or batch.count != batch.last_offset_delta + 1:
        raise InvalidRecord(
            f"{batch} counts {batch.count} records but its last offset delta is {batch.last_offset_delta}"
        )
    if batch.has_producer and batch.base_sequence < 0:
        raise InvalidRecord(f"{batch} has producer id {batch.producer_id} but no sequence")


def _check_attributes(batch: Batch, settings: LogSettings) -> None:
    if batch.is_control:
        raise InvalidRecord(f"{batch} is a control batch: those are the broker's to write")
    if batch.is_transactional and batch.producer_id == NO_PRODUCER_ID:
        raise InvalidRecord(f"{batch} belongs to a transaction of no producer")
    try:
        batch.codec  # noqa: B018
    except CorruptBatch as error:
        raise InvalidRecord(str(error)) from None
    if batch.timestamp_type is TimestampType.LOG_APPEND_TIME and _is_stamped(settings):
        all_of_them = range(min(batch.count, RECORD_ERRORS_TOLD_MAX))
        raise InvalidTimestamp(
            f"{batch} claims log append time: that is the broker's to write",
            [RecordError(index, "it claims log append time") for index in all_of_them],
        )


def _has_to_be_read(batch: Batch, settings: LogSettings, now_ms: int) -> bool:
    """The header tells the newest time, so only what seems too new is looked at, or what may be too old."""
    if settings.compacts:
        return True
    if _is_stamped(settings):
        return False
    return (
        settings.message_timestamp_before_max_ms < now_ms
        or batch.max_timestamp_ms - now_ms > settings.message_timestamp_after_max_ms
    )


def _places(batch: Batch) -> Iterator[Place]:
    """Of as many records as the header counts, and nothing after them."""
    data, end = unpacked_records(batch), 0
    for place in record_places(batch, data):
        end = place[1]
        yield place
    if end != len(data):
        raise CorruptBatch(f"{batch} goes on for {len(data) - end} bytes after its {batch.count} records")


def _check_records(batch: Batch, settings: LogSettings, now_ms: int) -> int:
    """Returns the newest time of them all, or the header's where the broker's own will take its place."""
    try:
        return _newest_ms(batch, settings, now_ms)
    except CorruptBatch as error:  # the checksum holds: it was written so
        raise InvalidRecord(str(error)) from None


def _newest_ms(batch: Batch, settings: LogSettings, now_ms: int) -> int:
    keyless: list[RecordError] = []
    out_of_time: list[RecordError] = []
    newest_ms = NO_TIMESTAMP_MS
    is_stamped = _is_stamped(settings)
    earliest_ms = now_ms - settings.message_timestamp_before_max_ms
    latest_ms = min(now_ms + settings.message_timestamp_after_max_ms, TIMESTAMP_MS_MAX)
    claims_append_time = batch.timestamp_type is TimestampType.LOG_APPEND_TIME
    for index, (_, _, delta_ms, _, key, _) in enumerate(_places(batch)):
        timestamp_ms = batch.max_timestamp_ms if claims_append_time else batch.base_timestamp_ms + delta_ms
        newest_ms = max(newest_ms, timestamp_ms)
        if settings.compacts and key is None:
            keyless.append(RecordError(index, "it has no key"))
        elif not is_stamped and timestamp_ms != NO_TIMESTAMP_MS and not earliest_ms <= timestamp_ms <= latest_ms:
            out_of_time.append(RecordError(index, f"its timestamp is {timestamp_ms}"))
    errors = sorted(keyless + out_of_time)[:RECORD_ERRORS_TOLD_MAX]
    if out_of_time:
        raise InvalidTimestamp(
            f"{batch} holds {len(out_of_time)} records whose timestamps lie before {earliest_ms} or after {latest_ms} "
            "(message.timestamp.before.max.ms, message.timestamp.after.max.ms)",
            errors,
        )
    if keyless:
        why = f"{batch} holds {len(keyless)} records without a key, and the topic is compacted by key (cleanup.policy)"
        raise InvalidRecord(why, errors)
    return batch.max_timestamp_ms if is_stamped else newest_ms


def _is_stamped(settings: LogSettings) -> bool:
    """The broker's time will stand in for the producer's, whatever that is."""
    return settings.message_timestamp_type is TimestampType.LOG_APPEND_TIME
