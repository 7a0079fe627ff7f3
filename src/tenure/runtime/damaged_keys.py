"""Keys of the records in damaged batches, as far as they can be read.

The keys may be wrong, so they are only for reports to an operator.
"""

from collections.abc import Iterator
from contextlib import suppress
from typing import Any

from tenure.protocol.batches import HEADER, Batch, CorruptBatch, record_positions, unpacked_records
from tenure.protocol.message import MalformedMessage
from tenure.runtime.codecs import Codec


def damaged_keys(data: bytes, codec: Codec) -> list[str]:
    """Return the groups or transactional ids of the records in damaged batches, each once, in the order of the log.

    No checksum is verified, so a name may itself be damaged.
    """
    found: dict[str, None] = {}
    for batch in _batches(data):
        with suppress(CorruptBatch, IndexError, ValueError):
            for _, _, _, _, key, _ in record_positions(batch, unpacked_records(batch)):
                with suppress(MalformedMessage):
                    decoded = codec.decode(key, None)
                    if decoded is not None:
                        found[_describe(decoded.key)] = None
    return list(found)


def _batches(data: bytes) -> Iterator[Batch]:
    """Yield the batches in `data`. A batch with an impossible length extends to the end of the data."""
    position = 0
    while position + HEADER.size <= len(data):
        batch = Batch(data, position)
        if not HEADER.size <= batch.size <= len(data) - position:
            batch.size = len(data) - position
        yield batch
        position += batch.size


def _describe(key: Any) -> str:
    transactional_id = getattr(key, "transactional_id", None)
    if transactional_id is not None:
        return f"transactional id {transactional_id}"
    group = f"group {getattr(key, 'group', None) or getattr(key, 'group_id', '')}"
    return f"{group} ({key.topic}-{key.partition})" if hasattr(key, "topic") else group
