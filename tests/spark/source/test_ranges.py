"""Division of ranges into Spark tasks."""

from tenure.client.values import TopicPartition
from tenure.limits.spark import SOURCE_TASK_RECORDS
from tenure.spark.source.task_ranges import TaskRange, divide_into_tasks, ranges

SMALL = [TaskRange("t", partition, 0, 100) for partition in range(4)]
LARGE = [TaskRange("t", partition, 0, SOURCE_TASK_RECORDS) for partition in range(2)]


def test_offset_ranges__partition_added_or_removed__no_range_in_this_batch() -> None:
    zero, one, two, three = (TopicPartition("t", number) for number in range(4))
    assert ranges({zero: 5, one: 5, two: 5}, {zero: 9, one: 5, three: 70}) == [TaskRange("t", 0, 5, 9)]


def test_divide_into_tasks__small_ranges__one_task() -> None:
    assert divide_into_tasks(SMALL, None, None) == [tuple(SMALL)]


def test_divide_into_tasks__large_ranges__one_task_each() -> None:
    assert divide_into_tasks(LARGE, None, None) == [(LARGE[0],), (LARGE[1],)]


def test_divide_into_tasks__no_ranges__no_task() -> None:
    assert divide_into_tasks([], 4, 10) == []


def test_divide_into_tasks__min_tasks_set__ranges_split_and_each_offset_in_one_task() -> None:
    tasks = divide_into_tasks(SMALL, 7, None)
    assert len(tasks) >= 7
    assert sorted(offsets(tasks)) == sorted(offsets([tuple(SMALL)]))


def test_divide_into_tasks__max_records_set__no_task_has_more_records() -> None:
    tasks = divide_into_tasks(SMALL, None, 30)
    assert max(sum(piece.size for piece in task) for task in tasks) <= 30
    assert sorted(offsets(tasks)) == sorted(offsets([tuple(SMALL)]))


def offsets(tasks: list[tuple[TaskRange, ...]]) -> list[tuple[int, int]]:
    return [(piece.partition, at) for task in tasks for piece in task for at in range(piece.start, piece.end)]
