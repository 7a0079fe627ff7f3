"""Filter for read_committed: batches of a fetch that the consumer drops."""

from itertools import count

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tenure.client.consumer.read_committed import committed_only
from tenure.protocol.batches import CorruptBatch, decode_records, encode_batch, read_batches, with_remaining_records
from tenure.protocol.messages import AbortedTransaction
from tenure.protocol.records import Record
from tenure.protocol.types import ProducerId

ABORT, COMMIT = b"\x00\x00\x00\x00", b"\x00\x00\x00\x01"


class Log:
    """Batches of transactions in the order in which they were written."""

    def __init__(self) -> None:
        self.data = b""
        self.end = 0
        self.values = count()
        self.aborted: list[AbortedTransaction] = []
        self.begun: dict[int, int] = {}

    def write(self, producer_id: int, records: int = 1, *, in_transaction: bool = True) -> list[bytes]:
        values = [b"%d" % next(self.values) for _ in range(records)]
        if in_transaction:
            self.begun.setdefault(producer_id, self.end)
        self._append([Record(0, 0, None, value) for value in values], producer_id, in_transaction, False)
        return values

    def end_transaction(self, producer_id: int, marker: bytes) -> None:
        first_offset = self.begun.pop(producer_id, self.end)
        if marker == ABORT:
            self.aborted.append(AbortedTransaction(ProducerId(producer_id), first_offset))
        self._append([Record(0, 0, marker, b"\x00\x00\x00\x00\x00\x00")], producer_id, True, True)

    def _append(self, records: list[Record], producer_id: int, transactional: bool, control: bool) -> None:
        self.data += encode_batch(
            records,
            base_offset=self.end,
            producer_id=producer_id,
            producer_epoch=0,
            base_sequence=0,
            is_transactional=transactional,
            is_control=control,
        )
        self.end += len(records)


def values(data: bytes) -> list[bytes | None]:
    return [row.value for batch in read_batches(data) if not batch.is_control for row in decode_records(batch)]


def test_committed_only__no_aborted_transaction__fetched_bytes_unchanged() -> None:
    log = Log()
    log.write(1)
    log.end_transaction(1, COMMIT)
    assert committed_only(log.data, []) is log.data


def test_committed_only__aborted_batch_between_committed_ones__only_the_aborted_batch_removed() -> None:
    log = Log()
    log.write(1)
    kept = log.write(2)
    kept += log.write(3, in_transaction=False)
    log.write(1, 3)
    log.end_transaction(1, ABORT)
    kept += log.write(1)
    log.end_transaction(1, COMMIT)
    log.end_transaction(2, COMMIT)
    assert values(committed_only(log.data, log.aborted)) == kept


def test_committed_only__transaction_marker_without_a_type__corrupt_batch() -> None:
    log = Log()
    log.write(1)
    log._append([Record(0, 0, b"", b"")], 1, True, True)
    with pytest.raises(CorruptBatch, match="without type"):
        committed_only(log.data, [AbortedTransaction(ProducerId(1), 0)])


def test_committed_only__marker_without_records_after_compaction__ends_no_transaction() -> None:
    log = Log()
    log.write(1)
    (full,) = read_batches(encode_batch([Record(0, 0, b"", b"")], producer_id=1, producer_epoch=0, is_control=True))
    emptied = with_remaining_records(full, b"", 0, full.max_timestamp_ms, None)
    assert values(committed_only(log.data + emptied + log.data, [AbortedTransaction(ProducerId(1), 0)])) == []


@given(st.lists(st.tuples(st.integers(1, 3), st.sampled_from(["write", "plain", "commit", "abort"])), max_size=30))
def test_committed_only__random_interleaved_transactions__committed_and_non_transactional_records(
    steps: list[tuple[int, str]],
) -> None:
    log = Log()
    outcome: dict[bytes, bool] = {}
    open_values: dict[int, list[bytes]] = {}
    for producer_id, step in steps:
        if step == "write":
            open_values.setdefault(producer_id, []).extend(log.write(producer_id, 2))
        elif step == "plain":
            outcome |= dict.fromkeys(log.write(producer_id + 10, in_transaction=False), True)
        elif producer_id in open_values:
            outcome |= dict.fromkeys(open_values.pop(producer_id), step == "commit")
            log.end_transaction(producer_id, COMMIT if step == "commit" else ABORT)
    # Open transactions lie beyond the last stable offset: a broker would not send them.
    for producer_id in list(open_values):
        outcome |= dict.fromkeys(open_values.pop(producer_id), True)
        log.end_transaction(producer_id, COMMIT)
    found = values(committed_only(log.data, log.aborted))
    assert sorted(found, key=lambda value: int(value or b"0")) == sorted(
        (value for value, visible in outcome.items() if visible), key=int
    )
