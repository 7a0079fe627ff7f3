"""Binary heap that treats equal entries as Java's PriorityQueue does.

Apache Kafka's assignors take the least loaded process or member from such a heap. Java's heap returns entries with
equal loads neither in the order of insertion nor in the order of `heapq`. To make the same assignments as Kafka, this
heap uses Java's algorithm.
"""

from collections.abc import Iterable
from typing import Final, Generic, TypeVar

T = TypeVar("T")


class PriorityQueue(Generic[T]):
    """Binary heap of items with keys. The item with the smallest key is the first."""

    def __init__(self, entries: Iterable[tuple[float, T]] = ()) -> None:
        """Add (key, item) of all entries, one after the other."""
        self._keys: Final[list[float]] = []
        self._items: Final[list[T]] = []
        keys, items = self._keys, self._items
        for key, item in entries:
            if keys and key < keys[(len(keys) - 1) >> 1]:
                self.add(key, item)
            else:  # the entry is already in its place; nearly all are, because most keys are equal
                keys.append(key)
                items.append(item)

    def __len__(self) -> int:
        return len(self._keys)

    def add(self, key: float, item: T) -> None:
        keys, items = self._keys, self._items
        at = len(keys)
        keys.append(key)
        items.append(item)
        while at > 0:
            parent = (at - 1) >> 1
            if key >= keys[parent]:
                break
            keys[at], items[at] = keys[parent], items[parent]
            at = parent
        keys[at], items[at] = key, item

    def poll(self) -> tuple[float, T]:
        """Remove the first item, and return it with its key. The queue must not be empty."""
        keys, items = self._keys, self._items
        found = keys[0], items[0]
        key, item = keys.pop(), items.pop()
        size = len(keys)
        if size:
            at, half = 0, size >> 1
            while at < half:
                child = 2 * at + 1
                if child + 1 < size and keys[child] > keys[child + 1]:
                    child += 1
                if key <= keys[child]:
                    break
                keys[at], items[at] = keys[child], items[child]
                at = child
            keys[at], items[at] = key, item
        return found
