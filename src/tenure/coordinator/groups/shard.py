"""The groups shard: one partition of `__consumer_offsets` and the groups that live in it."""

from collections.abc import Callable, Sequence

from tenure.coordinator.groups.settings import GroupSettings
from tenure.coordinator.shard import AskId, Now, Step
from tenure.protocol.errors import ErrorCode


class GroupsShard:
    """`random_bytes(n)` feeds member ids: `os.urandom`, or `random.Random(seed).randbytes` for a trace to repeat."""

    def __init__(self, settings: GroupSettings, random_bytes: Callable[[int], bytes]) -> None:
        raise NotImplementedError

    def handle(self, ask: AskId, command: object, now: Now) -> Step:
        raise NotImplementedError

    def apply(self, record: object) -> None:
        raise NotImplementedError

    def loaded(self, now: Now) -> Step:
        raise NotImplementedError

    def due(self, now: Now) -> Sequence[object]:
        raise NotImplementedError

    def next_deadline_ms(self) -> int | None:
        raise NotImplementedError

    def scope(self, command: object) -> str | None:
        raise NotImplementedError

    def unavailable(self, command: object, error_code: ErrorCode) -> object:
        raise NotImplementedError

    def digest(self) -> object:
        raise NotImplementedError
