"""Size of a batch: as many records of a range as its bytes allow, and at least one."""

from collections.abc import Iterator
from itertools import pairwise

import numpy
import pyarrow as pa
import pytest

from tenure.limits.protocol import ARROW_BUFFER_BYTES_MAX
from tenure.pipeline.task.range_records import lengths, pieces
from tenure.pipeline.values.lanes import Range
from tenure.pipeline.values.progress import Progress, ProgressStep
from tenure.protocol.types import PartitionId, TopicName
from tests.pipeline.harness import Harness

SIZES = [10, 20, 30, 40, 50]


def fetch(_topic: str, _partition: int, start: int, end: int) -> Iterator[pa.RecordBatch]:
    """Yield batches of two records; key and value of a record have together the size in SIZES."""
    for first in range(start, end, 2):
        sizes = SIZES[first : min(first + 2, end)]
        yield pa.record_batch({
            "offset": pa.array(range(first, first + len(sizes)), pa.int64()),
            "key": pa.array([b"k" * (size // 2) for size in sizes], pa.binary_view()),
            "value": pa.array([b"v" * (size - size // 2) for size in sizes], pa.binary_view()),
        })  # fmt: skip


@pytest.mark.parametrize(
    ("max_bytes", "end"),
    [(None, 5), (150, 5), (149, 4), (100, 4), (99, 3), (30, 2), (29, 1), (10, 1), (9, 1), (0, 1)],
)
def test_range_records__records_of_any_size__range_ends_before_the_byte_limit(max_bytes: int | None, end: int) -> None:
    whole = Range(TopicName("t"), PartitionId(0), 0, 5)
    ((batches, part),) = pieces(fetch, whole, max_bytes)
    assert [offset for batch in batches for offset in batch["offset"].to_pylist()] == list(range(end))
    assert (part.start_offset, part.end_offset) == (0, end)


@pytest.mark.parametrize(
    ("piece_bytes", "max_bytes", "cuts"),
    [(1, None, [0, 2, 4, 5]), (30, None, [0, 2, 4, 5]), (31, None, [0, 4, 5]), (1, 99, [0, 2, 3]), (101, 149, [0, 4])],
)
def test_pieces__record_batches_of_a_range__adjacent_pieces_up_to_the_byte_limit(
    piece_bytes: int, max_bytes: int | None, cuts: list[int]
) -> None:
    found = list(pieces(fetch, Range(TopicName("t"), PartitionId(0), 0, 5), max_bytes, piece_bytes))
    assert [(piece.range.start_offset, piece.range.end_offset) for piece in found] == list(pairwise(cuts))
    assert [piece.table["offset"].to_pylist() for piece in found] == [list(range(*pair)) for pair in pairwise(cuts)]


def test_pieces__range_without_records__one_empty_piece_for_the_whole_range() -> None:
    whole = Range(TopicName("t"), PartitionId(0), 5, 5)
    (piece,) = pieces(fetch, whole, None, 1)
    assert piece.range == whole
    assert len(piece.table) == 0


@pytest.mark.parametrize("kind", [pa.binary(), pa.binary_view()])
def test_lengths__slice_with_nulls_and_long_values__byte_lengths_of_the_slice(kind: pa.DataType) -> None:
    values = [b"before", b"", None, b"x" * 12, b"x" * 13, b"y" * 1_000, b"after"]
    assert lengths(pa.array(values, kind)[1:6]).tolist() == [0, 0, 12, 13, 1_000]


def test_fetched_batch__buffer_of_the_answer_used_again__batch_is_unchanged() -> None:
    """Copy the records: the next answer overwrites the buffer while the batch still uses them."""
    fetched = bytearray(1_000)

    def fetch(_topic: str, _partition: int, _start: int, _end: int) -> Iterator[pa.RecordBatch]:
        views = numpy.array([[500, 0, 0, 0], [400, 0, 0, 500]], numpy.int32)
        column = pa.Array.from_buffers(
            pa.binary_view(), len(views), [None, pa.py_buffer(views), pa.py_buffer(memoryview(fetched))]
        )
        yield pa.record_batch({"offset": pa.array([0, 1], pa.int64()), "key": column, "value": column})

    ((batches, _),) = pieces(fetch, Range(TopicName("t"), PartitionId(0), 0, 2), None)
    fetched.clear()  # BufferError if there is still a view of it.
    assert batches[0]["value"].to_pylist() == [bytes(500), bytes(400)]


def test_pipeline__records_larger_than_estimated__more_batches_than_planned() -> None:
    harness = Harness(1)
    harness.produce(20)
    process = harness.start("a", max_bytes=30).run()
    harness.check()
    assert len(process.progress_at(ProgressStep.COMMITTED)) > 2
    assert all(0 < step.records < 20 for step in process.progress_at(ProgressStep.COMMITTED))


def test_pipeline__max_bytes_above_the_limit_of_an_arrow_column__limit_of_the_column_applies() -> None:
    harness, bounds = Harness(1), set[int | None]()
    harness.produce(20)

    def observe(_: Progress) -> None:
        bounds.update(plan.max_bytes for bundle in harness.under_way.values() for plan in bundle.lanes)

    harness.start("a", observer=observe, max_bytes=1 << 40).run()
    assert bounds == {ARROW_BUFFER_BYTES_MAX}
