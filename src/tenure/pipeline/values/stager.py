"""What the engine asks of whoever runs a plan: Spark in the field, the same process in tests."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Protocol

from tenure.pipeline.errors import Code
from tenure.pipeline.values.lanes import Lane
from tenure.pipeline.values.manifest import Manifest, Pointer
from tenure.pipeline.values.plan import Bundle


@dataclass(frozen=True, slots=True)
class Staged:
    """A lane's batch is staged: everything that the manifest names is durable, and so is the manifest."""

    manifest: Manifest
    pointer: Pointer
    seconds: dict[str, float] = field(default_factory=dict)
    """fetch, decode, load, process, write."""
    record_bytes: int | None = None
    """Of the records that were read, as they lie in memory; None where nobody has counted them."""

    @property
    def lane(self) -> Lane:
        return self.manifest.lane


@dataclass(frozen=True, slots=True)
class Failed:
    """A lane's batch has failed and left nothing that anybody will name. Picklable, as an exception need not be."""

    lane: Lane
    code: Code
    reason: str
    """One sentence; for LANE_FAILED the exception's own words."""
    topic: str | None = None
    offset: int | None = None
    undecodable: bool = False
    """Of a BAD_RECORD: its value could not be decoded, and the function never saw it."""
    trace: str = ""


Result = Staged | Failed


class StagingTask(Protocol):
    """A bundle under way."""

    def wait(self, timeout_s: float) -> Sequence[Result] | None:
        """One result for each lane of the bundle, in any order; None when there is none after `timeout_s`.

        A task that is lost as a whole is `Failed` for each of its lanes.
        """

    def cancel(self) -> None:
        """Stop as soon as may be; what was staged stays an orphan. Returns without waiting for the tasks to end."""


class Stager(Protocol):
    def start(self, bundle: Bundle) -> StagingTask:
        """Returns at once. Bundles of one member run beside each other, `Settings.tasks` of them at most."""


class DeadLetters(Protocol):
    """Where bad records go once their batch is committed. At least once: a record may come twice after a crash, and
    each carries topic, partition and offset as headers, by which its reader can tell."""

    def send(self, manifest: Manifest, letters: bytes) -> None:
        """`letters` is an Arrow IPC file with the columns offset, timestamp, key, value and reason. Returns when they
        are safe."""
