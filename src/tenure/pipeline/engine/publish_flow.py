"""Publishing and sweep of committed lanes.

After an accepted commit, any process may publish and sweep, and may repeat both. The engine calls `start`,
`roll_forward` and `remove_heads_and_manifests` in its thread. `publish` and the sweep run in the background. They get
only immutable values, so they share no state with the engine.
"""

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import partial

from tenure.pipeline.engine import commit
from tenure.pipeline.engine.owned_lanes import OwnedLane
from tenure.pipeline.engine.progress_reporter import ProgressReporter
from tenure.pipeline.engine.publications import Publications
from tenure.pipeline.output import sweep
from tenure.pipeline.output.files import Files
from tenure.pipeline.output.layout import HEAD, MANIFEST, Layout
from tenure.pipeline.output.publish import Publishers, publish
from tenure.pipeline.values.lanes import Lane, Writer
from tenure.pipeline.values.manifest import Manifest, Pointer
from tenure.pipeline.values.plan import Bundle, Position
from tenure.pipeline.values.progress import ProgressStep, committed_lane
from tenure.pipeline.values.stager import DeadLetters, Staged


@dataclass(frozen=True, slots=True)
class PublishFlow:
    layout: Layout
    files: Files
    publishers: Publishers
    publications: Publications
    dead_letters: DeadLetters | None
    clock_s: Callable[[], float]
    report: ProgressReporter

    def start(self, bundle: Bundle, staged: Sequence[Staged], known: Mapping[Lane, OwnedLane]) -> Sequence[OwnedLane]:
        """Start to publish and sweep committed lanes in the background. Return the lanes with their new positions.

        `known` are the lanes with their positions before the commit.
        """
        superseded = {one.lane: known[one.lane] for one in staged}
        positions = [commit.position_after(one) for one in staged]
        lanes = [self._after_commit(superseded[position.lane], position, bundle.writer) for position in positions]
        self.publications.add(frozenset(superseded), partial(self._publish_and_sweep, bundle, positions, superseded))
        return lanes

    def _after_commit(self, before: OwnedLane, position: Position, writer: Writer) -> OwnedLane:
        return OwnedLane(position, self._next_listing(before, position, writer), self.clock_s())

    def _next_listing(self, before: OwnedLane, position: Position, writer: Writer) -> sweep.Listing | None:
        """Return the file listing that the lane keeps after this batch; None if it needs no further listing.

        - If the present listing was made under another identity than this batch, keep it. The sweep of this batch
          cannot use it, but the sweep of a later batch can.
        - If a snapshot has just ended or failed, list the files again: its task may have left some of them.
        - Otherwise return None: the sweep of this batch uses the present listing.
        """
        if before.listing is not None and before.listing.writer != writer:
            return before.listing
        if before.position.state.awaits in ("", position.state.awaits):
            return None
        with suppress(OSError):
            return sweep.list_lane(self.files, self.layout, position.lane, writer)
        return None

    def roll_forward(self, positions: Sequence[Position], writer: Writer) -> None:
        """Start to publish the last committed batches of these lanes: earlier owners may not have published them."""
        lanes = frozenset(position.lane for position in positions)
        self.publications.add(lanes, partial(self.publish, ProgressStep.ROLLED_FORWARD, positions, writer))

    def remove_heads_and_manifests(self, owned: OwnedLane, writer: Writer) -> None:
        """Remove the old HEAD files and manifests of a lane whose state was discarded (trust-offsets).

        Call this method after `writer` has committed the lane's offsets without a pointer. If `writer` also made the
        lane's listing, no later commit can name the listed files (`sweep.py`). Otherwise nothing is removed.
        """
        listing, directory = owned.listing, self.layout.state_directory(owned.lane)
        paths = sorted(listing.paths) if listing is not None and listing.writer == writer else []
        if sweep.remove(self.files, [path for path in paths if is_head_or_manifest(directory, path)]):
            self.files.sync_directory(directory)

    # --- in the background: raises errors of stores and sinks ---------------------------------------------------------

    def _publish_and_sweep(
        self, bundle: Bundle, positions: Sequence[Position], superseded: dict[Lane, OwnedLane]
    ) -> None:
        self.publish(ProgressStep.PUBLISHED, positions, bundle.writer, bundle.run_id)
        self._sweep(bundle, positions, superseded)

    def publish(self, step: ProgressStep, positions: Sequence[Position], writer: Writer, run_id: str = "") -> None:
        started_s = self.clock_s()
        visible: list[str] = []
        for position in positions:
            manifest, pointer = _committed(position)
            visible += publish(self.files, self.layout, manifest, pointer, self.dead_letters, self.publishers)
        lanes = [committed_lane(position) for position in positions]
        self.report(step, writer, lanes, run_id=run_id, files=visible, started_s=started_s)

    def _sweep(self, bundle: Bundle, positions: Sequence[Position], superseded: dict[Lane, OwnedLane]) -> None:
        started_s = self.clock_s()
        removed: list[str] = []
        for position in positions:
            before = superseded[position.lane]
            manifest, _ = _committed(position)
            paths = sweep.removable(self.layout, manifest, before.position.manifest, before.listing)
            removed += sweep.remove(self.files, paths)
        lanes = [committed_lane(position) for position in positions]
        self.report(ProgressStep.SWEPT, bundle.writer, lanes, run_id=bundle.run_id, files=removed, started_s=started_s)


def is_head_or_manifest(directory: str, path: str) -> bool:
    """Return whether the path is a HEAD file or a manifest in this state directory."""
    return path.startswith(f"{directory}/{HEAD}") or (path.startswith(f"{directory}/") and path.endswith(MANIFEST))


def _committed(position: Position) -> tuple[Manifest, Pointer]:
    """Return the manifest and the pointer of a lane's last committed batch."""
    assert position.manifest is not None
    assert position.pointer is not None
    return position.manifest, position.pointer
