"""Events of one life: their counts, a digest of all of them, and the last steps as text."""

from collections import Counter, deque
from hashlib import blake2b
from typing import Any, Final

from tenure.simulation.agenda import Agenda

STEPS_KEPT: Final = 400


class Trace:
    def __init__(self, agenda: Agenda) -> None:
        self.did: Counter[str] = Counter()
        self._agenda: Final = agenda
        self._notes: deque[tuple[int, str, tuple[Any, ...]]] = deque(maxlen=STEPS_KEPT)
        self._digest: Final = blake2b(digest_size=16)

    def note(self, who: str, *what: object) -> None:
        """Note a step. It is formatted only if the trace is printed, so `what` must not change afterwards."""
        self._notes.append((self._agenda.now_ms, who, what))

    def hash(self, data: bytes) -> None:
        self._digest.update(b"%d " % self._agenda.now_ms)
        self._digest.update(data)

    def digest(self) -> str:
        """Return the digest, which is equal for equal lives."""
        self.hash(repr(sorted(self.did.items())).encode())
        self.hash(b"%d" % self._agenda.steps)
        return self._digest.hexdigest()

    def last(self, count: int) -> list[str]:
        return [
            f"{at_ms / 1000:12.3f} s  {who}: {' '.join(map(str, what))}" for at_ms, who, what in [*self._notes][-count:]
        ]
