"""Loads of the files beside a segment by several threads at once."""

from threading import Event, Thread

from tenure.storage.log.segment import Segment
from tenure.storage.log.transactions import Aborted
from tenure.storage.memory import MemoryFiles


class SlowFiles(MemoryFiles):
    """Files whose first read starts another thread, and waits until it has begun."""

    def __init__(self, other: Thread, begun: Event) -> None:
        super().__init__()
        self._other = other
        self._begun = begun

    def read(self, path: str) -> bytes:
        if self._other.ident is None:
            self._other.start()
            self._begun.wait()
        return super().read(path)


def test_aborted_transactions_of_a_segment__loaded_by_two_threads_at_once__same_list() -> None:
    begun, found = Event(), list[list[Aborted]]()

    def need() -> None:
        begun.set()
        found.append(segment.aborted)

    other = Thread(target=need)
    segment = Segment(SlowFiles(other, begun), "/data", 0, 4096)
    mine = segment.aborted
    other.join()
    assert found[0] is mine
