"""Conditions for a new segment (`segment.bytes`, `segment.ms`), and for removing the oldest one (`retention.*`)."""

from tenure.protocol.batches import Batch
from tenure.storage.log.segment import RELATIVE_OFFSET_MAX, Segment
from tenure.storage.log.segments import Segments
from tenure.storage.log.settings import LogSettings


def must_roll(
    segment: Segment, settings: LogSettings, added_bytes: int, batches: list[Batch], next_offset: int, now_ms: int
) -> bool:
    if segment.size + added_bytes > settings.segment_bytes:
        return True
    if next_offset - segment.base_offset > RELATIVE_OFFSET_MAX:
        return True
    first_timestamp_ms = segment.first_timestamp_ms
    if first_timestamp_ms is None or first_timestamp_ms < 0:
        return False
    newest_ms = batches[-1].max_timestamp_ms
    return (newest_ms if newest_ms >= 0 else now_ms) - first_timestamp_ms > settings.segment_ms


def oldest_is_due(
    segments: Segments, settings: LogSettings, log_start_offset: int, durable_offset: int, now_ms: int
) -> bool:
    oldest = segments.all[0]
    if oldest.size and oldest.next_offset <= log_start_offset:  # deleted by DeleteRecords
        return True
    if not settings.deletes or not oldest.size or oldest.next_offset > durable_offset:
        return False
    if 0 <= settings.retention_bytes <= segments.size_bytes - oldest.size:
        return True
    newest_ms = oldest.max_timestamp_ms
    if newest_ms < 0:  # its records have no timestamps, so its age is unknown
        return False
    return settings.retention_ms >= 0 and now_ms - newest_ms > settings.retention_ms
