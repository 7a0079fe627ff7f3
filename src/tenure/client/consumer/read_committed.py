"""Filter of `isolation.level=read_committed` (rule 8.6).

The broker sends nothing beyond the last stable offset, and lists the aborted transactions of the response. For each
aborted transaction, the filter drops the producer's transactional batches from the first offset of the transaction to
the abort marker.
"""

import struct
from collections.abc import Iterable, Iterator
from typing import Final

from tenure.protocol.batches import Batch, CorruptBatch, decode_records, read_batches
from tenure.protocol.message import Data
from tenure.protocol.messages import AbortedTransaction

_CONTROL_KEY: Final = struct.Struct(">hh")
"""Packer of the key of a control record: version and type, both int16."""
_ABORT: Final = 0


def committed_only(data: Data, aborted: Iterable[AbortedTransaction]) -> Data:
    """Return the record batches in `data` without those of aborted transactions.

    Args:
        data: Record batches of a Fetch response, which has no open transactions.
        aborted: Aborted transactions of the response. If there are any, control batches are removed, too. If there are
            none, `data` is returned unchanged.

    Raises:
        CorruptBatch: A control batch is malformed.
    """
    to_come = sorted(aborted, key=lambda transaction: transaction.first_offset, reverse=True)
    if not to_come:
        return data
    return b"".join(batch.raw for batch in _visible(data, to_come))


def _visible(data: Data, to_come: list[AbortedTransaction]) -> Iterator[Batch]:
    void: set[int] = set()
    for batch in read_batches(data):
        while to_come and to_come[-1].first_offset <= batch.last_offset:
            void.add(to_come.pop().producer_id)
        if batch.is_control:
            if batch.producer_id in void and _is_abort(batch):
                void.remove(batch.producer_id)
        elif not (batch.is_transactional and batch.producer_id in void):
            yield batch


def _is_abort(batch: Batch) -> bool:
    """Return whether a control batch is an abort marker.

    If compaction has removed the record in the control batch, the result is irrelevant, because compaction has then
    also removed all records of the transaction.
    """
    markers = decode_records(batch)
    if not markers:
        return False
    marker = markers[0]
    if marker.key is None or len(marker.key) < _CONTROL_KEY.size:
        raise CorruptBatch(f"{batch} is a control batch without type")
    kind: int = _CONTROL_KEY.unpack_from(marker.key)[1]
    return kind == _ABORT
