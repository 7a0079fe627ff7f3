"""Interface of the engine to the component that runs tasks: Spark in production, the same process in tests."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Protocol

from tenure.pipeline.errors import Code
from tenure.pipeline.values.lanes import Lane
from tenure.pipeline.values.manifest import Manifest, Pointer
from tenure.pipeline.values.plan import Bundle


@dataclass(frozen=True, slots=True)
class Staged:
    """Result of a staged lane: its manifest and all files that the manifest lists are durable."""

    manifest: Manifest
    pointer: Pointer
    seconds: dict[str, float] = field(default_factory=dict)
    """Duration of each phase: fetch, decode, load, process, write."""
    record_bytes: int | None = None
    """Size of the records in memory; None if it was not measured."""

    @property
    def lane(self) -> Lane:
        return self.manifest.lane


@dataclass(frozen=True, slots=True)
class Failed:
    """Result of a failed lane. No commit will name its files.

    The result is always picklable, unlike some of the exceptions that cause it.
    """

    lane: Lane
    code: Code
    reason: str
    """One sentence; for LANE_FAILED the message of the exception."""
    topic: str | None = None
    offset: int | None = None
    undecodable: bool = False
    """True for a BAD_RECORD whose value could not be decoded, so that the function never saw it."""
    trace: str = ""


Result = Staged | Failed


class StagingTask(Protocol):
    """Running task of a bundle."""

    def wait(self, timeout_s: float) -> Sequence[Result] | None:
        """Return one result for each lane of the bundle, in any order; None if the task has not ended in time.

        If the whole task is lost, each of its lanes has a `Failed` result.
        """

    def cancel(self) -> None:
        """Cancel the task, without waiting for its end. Its staged files remain until a sweep."""


class Stager(Protocol):
    def start(self, bundle: Bundle) -> StagingTask:
        """Start a bundle, without waiting for it. A member runs at most `EngineSettings.tasks` bundles at once."""


class DeadLetters(Protocol):
    """Destination of bad records, after their batch is committed.

    Delivery is at least once: a crash may cause a repetition. The headers contain topic, partition and offset, so that
    readers can recognise a repetition.
    """

    def send(self, manifest: Manifest, letters: bytes) -> None:
        """Send bad records, and return when they are durable.

        `letters` is an Arrow IPC file with the columns offset, timestamp, key, value and reason.
        """
