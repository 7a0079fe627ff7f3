"""What may enter a log. The order of the checks decides which error a client sees, as in Kafka's LogValidator."""

from tenure.protocol.records import (
    NO_PRODUCER_ID,
    Batch,
    CorruptBatch,
    TimestampType,
    read_batches,
    record_places,
    unpacked_records,
    verify_crc,
)
from tenure.storage.errors import InvalidRecord, InvalidTimestamp, RecordTooLarge
from tenure.storage.settings import LogSettings


def checked_batches(data: bytes, settings: LogSettings, now_ms: int) -> list[Batch]:
    """The batches that `data` consists of, all of it. Headers and checksums are believed after this."""
    batches = list(read_batches(data))
    end = batches[-1].position + batches[-1].size if batches else 0
    if end != len(data) or not batches:
        raise CorruptBatch(f"the batch at byte {end} of {len(data)} is incomplete: the writer must send whole batches")
    for batch in batches:
        _check(batch, settings, now_ms)
    if len(batches) > 1 and any(batch.producer_id != NO_PRODUCER_ID for batch in batches):
        raise InvalidRecord(f"an idempotent producer sends one batch at a time, not {len(batches)}")
    if len(data) > settings.segment_bytes:
        raise RecordTooLarge(f"{len(data)} bytes do not fit into a segment of {settings.segment_bytes} (segment.bytes)")
    return batches


def _check(batch: Batch, settings: LogSettings, now_ms: int) -> None:
    if batch.size > settings.max_message_bytes:
        raise RecordTooLarge(
            f"{batch} has {batch.size} bytes, the topic takes {settings.max_message_bytes} (max.message.bytes)"
        )
    verify_crc(batch)
    if batch.count < 1 or batch.count != batch.last_offset_delta + 1:
        raise InvalidRecord(
            f"{batch} counts {batch.count} records but its last offset delta is {batch.last_offset_delta}"
        )
    if batch.producer_id != NO_PRODUCER_ID and (batch.producer_epoch < 0 or batch.base_sequence < 0):
        raise InvalidRecord(f"{batch} has producer id {batch.producer_id} but no epoch or sequence")
    if batch.attributes:
        _check_attributes(batch, settings)
    if settings.compacts and any(key is None for *_, key, _ in record_places(batch, unpacked_records(batch))):
        raise InvalidRecord(f"{batch} holds a record without a key, and the topic is compacted by key (cleanup.policy)")
    if batch.max_timestamp_ms - now_ms > settings.message_timestamp_after_max_ms and not _is_stamped(settings):
        raise InvalidTimestamp(
            f"{batch} has timestamp {batch.max_timestamp_ms}, more than {settings.message_timestamp_after_max_ms} ms "
            "ahead of the broker's clock (message.timestamp.after.max.ms)"
        )


def _check_attributes(batch: Batch, settings: LogSettings) -> None:
    if batch.is_control:
        raise InvalidRecord(f"{batch} is a control batch: those are the broker's to write")
    if batch.is_transactional and batch.producer_id == NO_PRODUCER_ID:
        raise InvalidRecord(f"{batch} belongs to a transaction of no producer")
    try:
        batch.codec  # noqa: B018
    except CorruptBatch as error:
        raise InvalidRecord(str(error)) from None
    if batch.timestamp_type is TimestampType.LOG_APPEND_TIME and not _is_stamped(settings):
        raise InvalidTimestamp(f"{batch} claims log append time: that is the broker's to write")


def _is_stamped(settings: LogSettings) -> bool:
    """The broker's time will stand in for the producer's, whatever that is."""
    return settings.message_timestamp_type is TimestampType.LOG_APPEND_TIME
