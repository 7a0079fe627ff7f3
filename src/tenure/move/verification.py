"""Comparison of copies with their originals by digests, one per partition and cluster.

The digest covers timestamp, key, value and headers of all records, in order. In a compacted topic, source and target
may have removed different records, so the digest covers only the newest record of each key.
"""

import hashlib
from collections.abc import AsyncIterator
from typing import Final, NamedTuple

from tenure.client.net.cluster import Cluster
from tenure.client.values import TopicPartition
from tenure.move.log_reader import copied_records, earliest, visible_records
from tenure.move.offset_translation import OffsetTranslation
from tenure.move.progress import PartitionProgress
from tenure.protocol.records import Record, encode_record

DIGEST_BYTES: Final = 16


class Digest(NamedTuple):
    """Number of records, and a hash of their contents."""

    records: int
    content: bytes


class Compared(NamedTuple):
    """Digests of one partition at source and target."""

    partition: TopicPartition
    source: Digest
    target: Digest

    @property
    def is_equal(self) -> bool:
        """True if the digests are equal."""
        return self.source == self.target


async def compare(
    source: Cluster, target: Cluster, partition: TopicPartition, progress: PartitionProgress, *, is_compacted: bool
) -> Compared:
    """Compare the copied records that both source and target still have."""
    translation = OffsetTranslation(source, target, partition, progress)
    start = max(progress.source_start, await earliest(source, partition))
    target_start = await translation.translate(start)
    first_at_target = await earliest(target, partition)
    if first_at_target > target_start:  # the target has deleted copies, for example by its retention
        start, target_start = await translation.translate_back(first_at_target), first_at_target
    originals = visible_records(source, partition, start, progress.source_next)
    producer_id = progress.producer.producer_id
    copies = _records(copied_records(target, partition, target_start, progress.target_end, producer_id))
    if is_compacted:
        return Compared(partition, await _newest_digest(originals), await _newest_digest(copies))
    return Compared(partition, await _digest(originals), await _digest(copies))


async def _records(copied: AsyncIterator[tuple[int, Record]]) -> AsyncIterator[Record]:
    async for _, record in copied:
        yield record


async def _digest(records: AsyncIterator[Record]) -> Digest:
    digest, count = hashlib.blake2b(digest_size=DIGEST_BYTES), 0
    async for record in records:
        digest.update(encode_record(record, 0, 0))
        count += 1
    return Digest(count, digest.digest())


async def _newest_digest(records: AsyncIterator[Record]) -> Digest:
    """Return the digest of the newest record of each key. Keys whose newest record is a tombstone are left out."""
    newest: dict[bytes | None, bytes] = {}
    async for record in records:
        if record.value is None:
            newest.pop(record.key, None)
        else:
            newest[record.key] = hashlib.blake2b(encode_record(record, 0, 0), digest_size=DIGEST_BYTES).digest()
    whole = hashlib.blake2b(digest_size=DIGEST_BYTES)
    for content in sorted(newest.values()):
        whole.update(content)
    return Digest(len(newest), whole.digest())
