"""The metadata shard: topics with their ids and partitions, and blocks of producer ids, in KRaft's record formats."""

from collections.abc import Callable, Sequence

from tenure.coordinator.metadata.settings import MetadataSettings
from tenure.coordinator.metadata.topics import Topics
from tenure.coordinator.shard import AskId, Now, Step
from tenure.protocol.errors import ErrorCode


class MetadataShard:
    """`topics` is the live view: handlers may read it at any time."""

    topics: Topics

    def __init__(self, settings: MetadataSettings, random_bytes: Callable[[int], bytes]) -> None:
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
