"""The heap whose order among equal entries is that of Java's PriorityQueue."""

from __future__ import annotations

from random import Random

from tenure.assignors.priority_queue import PriorityQueue


def polled(queue: PriorityQueue[str]) -> list[str]:
    return [queue.poll()[1] for _ in range(len(queue))]


def test_priority_queue__random_keys__polled_in_ascending_order() -> None:
    draw = Random(1)
    keys = [draw.randrange(50) for _ in range(200)]
    queue: PriorityQueue[str] = PriorityQueue()
    for key in keys:
        queue.add(key, str(key))
    assert polled(queue) == [str(key) for key in sorted(keys)]


def test_priority_queue__equal_keys__same_order_as_in_java() -> None:
    queue: PriorityQueue[str] = PriorityQueue()
    for name in "abcd":
        queue.add(0, name)
    assert polled(queue) == ["a", "d", "c", "b"]


def test_priority_queue__smallest_key_added_last__polled_first_and_others_in_order() -> None:
    queue: PriorityQueue[str] = PriorityQueue()
    queue.add(1, "a")
    queue.add(1, "b")
    queue.add(0, "c")
    assert polled(queue) == ["c", "a", "b"]
