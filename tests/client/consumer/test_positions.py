"""Positions of a consumer: seeks, pauses, and chunks that arrive late."""

from tenure.client.consumer.positions import Positions
from tenure.client.values import TopicPartition

A, B = TopicPartition("t", 0), TopicPartition("t", 1)


def placed(budget_bytes: int = 1_000) -> Positions:
    positions = Positions(budget_bytes, 100)
    positions.add([A, B])
    positions.set_position(A, 0)
    positions.set_position(B, 0)
    return positions


def test_next_fetch__partition_without_a_position__not_in_the_fetch() -> None:
    positions = Positions(1_000, 100)
    positions.add([A])
    assert positions.wanted() == {}
    assert positions.without_position() == [A]


def test_next_fetch__after_fetched_records__begins_after_the_last_one() -> None:
    positions = placed()
    positions.add_fetched(A, 0, b"x" * 10, 5, 2)
    assert positions.wanted()[A].offset == 5
    chunk = positions.take()
    assert chunk is not None
    assert (chunk.reading.partition, chunk.start, chunk.next_offset, chunk.leader_epoch) == (A, 0, 5, 2)


def test_next_fetch__prefetch_budget_used__none_until_fetched_records_are_taken() -> None:
    positions = placed(budget_bytes=10)
    positions.add_fetched(A, 0, b"x" * 10, 5, 0)
    assert positions.wanted() == {}
    positions.take()
    assert positions.wanted().keys() == {A, B}


def test_next_fetch__records_of_a_paused_partition_fill_the_budget__records_discarded() -> None:
    positions = placed(budget_bytes=10)
    positions.add_fetched(A, 0, b"x" * 10, 5, 0)
    reading = positions.reading(A)
    assert reading is not None
    reading.is_paused = True
    assert positions.wanted().keys() == {B}
    reading.is_paused = False
    assert positions.take() is None
    assert positions.wanted()[A].offset == 0


def test_fetched_records__seek_during_the_fetch__discarded() -> None:
    positions = placed()
    positions.set_position(A, 50)
    positions.add_fetched(A, 0, b"x", 5, 0)
    assert positions.take() is None
    assert positions.wanted()[A].offset == 50


def test_fetched_records__same_answer_twice__taken_once() -> None:
    positions = placed()
    positions.add_fetched(A, 0, b"x", 5, 0)
    positions.add_fetched(A, 0, b"x", 5, 0)
    assert positions.take() is not None
    assert positions.take() is None


def test_seek__fetched_records_not_returned_yet__discarded() -> None:
    positions = placed()
    positions.add_fetched(A, 0, b"x", 5, 0)
    positions.add_fetched(A, 5, b"x", 9, 0)
    taken = positions.take()
    positions.set_position(A, 0)
    assert taken is not None
    assert not taken.is_current
    assert positions.take() is None


def test_take_of_fetched_records__one_partition_paused__its_records_returned_after_resume() -> None:
    positions = placed()
    positions.add_fetched(A, 0, b"a", 5, 0)
    positions.add_fetched(B, 0, b"b", 5, 0)
    reading = positions.reading(A)
    assert reading is not None
    reading.is_paused = True
    assert positions.wanted().keys() == {B}
    chunk = positions.take()
    assert chunk is not None
    assert chunk.data == b"b"
    assert not positions.has_chunk()
    reading.is_paused = False
    chunk = positions.take()
    assert chunk is not None
    assert chunk.data == b"a"


def test_removed_partition__added_again__position_and_fetched_records_discarded() -> None:
    positions = placed()
    positions.add_fetched(A, 0, b"x", 5, 0)
    taken = positions.take()
    positions.remove([A])
    positions.add([A])
    assert taken is not None
    assert not taken.is_current
    assert positions.without_position() == [A]


def test_offset_out_of_range__earlier_records_fetched_already__reset_after_the_earlier_records_are_returned() -> None:
    positions = placed()
    positions.add_fetched(A, 0, b"x", 5, 0)
    positions.mark_out_of_range(A, 5)
    assert positions.stuck() == {}
    assert A not in positions.wanted()
    chunk = positions.take()
    assert chunk is not None
    chunk.reading.position = chunk.next_offset
    assert positions.stuck() == {A: 5}
    positions.set_position(A, 8)
    assert positions.stuck() == {}
    assert positions.wanted()[A].offset == 8


def test_unreadable_batch__earlier_records_fetched_already__earlier_records_returned_and_then_the_error() -> None:
    positions = placed()
    positions.add_fetched(A, 0, b"x" * 10, 5, 2)
    positions.mark_unreadable(A, 5, ValueError("damaged"))
    assert positions.wanted().keys() == {B}
    assert positions.stuck() == {}
    first = positions.take()
    assert first is not None
    assert first.error is None
    first.reading.position = 5
    second = positions.take()
    assert second is not None
    assert (second.start, str(second.error)) == (5, "damaged")
    positions.set_position(A, 5)
    assert positions.wanted()[A].offset == 5
