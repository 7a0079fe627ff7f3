"""What becomes of a bundle that is staged: commit, publish, sweep.

The commits of a member queue: it has one in flight, under the identity that its bundle was planned under. Once one is
accepted, the rest can be done by anyone, and is done beside the member's thread: `finish` and `roll_forward` are called
in it, and what they hand over to `publications` touches nothing that changes.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial

from tenure.pipeline import commit, sweep
from tenure.pipeline.files import Files
from tenure.pipeline.holdings import Held, Holdings
from tenure.pipeline.lanes import Lane, Writer
from tenure.pipeline.layout import Layout
from tenure.pipeline.manifest import Manifest, Pointer
from tenure.pipeline.plan import Bundle, Position
from tenure.pipeline.progress import Step, staged_lane, standing
from tenure.pipeline.publications import Publications
from tenure.pipeline.publish import Publishers, publish
from tenure.pipeline.seat import CommitAnswer, Outcome, Seat
from tenure.pipeline.stager import DeadLetters, Staged
from tenure.pipeline.telling import Telling


@dataclass(frozen=True, slots=True)
class Settling:
    layout: Layout
    seat: Seat
    files: Files
    holdings: Holdings
    publishers: Publishers
    publications: Publications
    dead_letters: DeadLetters | None
    clock_s: Callable[[], float]
    tell: Telling

    def commit(self, bundle: Bundle, staged: Sequence[Staged]) -> CommitAnswer:
        """All of it or nothing, tried once."""
        started_s = self.clock_s()
        answer = self.seat.commit(commit.offsets_of(staged), bundle.writer)
        if answer.outcome is Outcome.ACCEPTED:
            lanes = [staged_lane(run) for run in staged]
            self.tell(Step.COMMITTED, bundle.writer, lanes, run_id=bundle.run_id, started_s=started_s)
        return answer

    def commit_again(self, positions: Sequence[Position], writer: Writer) -> CommitAnswer:
        """What is committed, or should be. Where it is not accepted, the lanes have to be recovered anew."""
        answer = self.seat.commit(commit.offsets_again(positions), writer)
        for position in positions:
            if answer.outcome is Outcome.ACCEPTED:
                self.holdings.held[position.lane].committed_at_s = self.clock_s()
            else:
                self.holdings.held.pop(position.lane, None)
        return answer

    def finish(self, bundle: Bundle, staged: Sequence[Staged]) -> None:
        """Publish and sweep what was committed."""
        held = self.holdings.held
        superseded = {run.lane: held[run.lane] for run in staged}
        positions = [commit.position_after(run) for run in staged]
        for position in positions:
            listing = superseded[position.lane].listing
            was_of_another = listing is not None and listing.writer != bundle.writer
            held[position.lane] = Held(position, listing if was_of_another else None, self.clock_s())
        self.publications.add(frozenset(superseded), partial(self._publish_and_sweep, bundle, positions, superseded))

    def roll_forward(self, positions: Sequence[Position], writer: Writer) -> None:
        """Publish what an earlier owner committed."""
        lanes = frozenset(position.lane for position in positions)
        self.publications.add(lanes, partial(self.publish, Step.ROLLED_FORWARD, positions, writer))

    # --- beside the member's thread: raises what a store or a sink raises ---------------------------------------------

    def _publish_and_sweep(self, bundle: Bundle, positions: Sequence[Position], superseded: dict[Lane, Held]) -> None:
        self.publish(Step.PUBLISHED, positions, bundle.writer, bundle.run_id)
        self._sweep(bundle, positions, superseded)

    def publish(self, step: Step, positions: Sequence[Position], writer: Writer, run_id: str = "") -> None:
        started_s = self.clock_s()
        visible: list[str] = []
        for position in positions:
            manifest, pointer = _committed(position)
            visible += publish(self.files, self.layout, manifest, pointer, self.dead_letters, self.publishers)
        lanes = [standing(position) for position in positions]
        self.tell(step, writer, lanes, run_id=run_id, files=visible, started_s=started_s)

    def _sweep(self, bundle: Bundle, positions: Sequence[Position], superseded: dict[Lane, Held]) -> None:
        started_s = self.clock_s()
        removed: list[str] = []
        for position in positions:
            before = superseded[position.lane]
            manifest, _ = _committed(position)
            paths = sweep.removable(self.layout, manifest, before.position.manifest, before.listing)
            removed += sweep.remove(self.files, paths)
        lanes = [standing(position) for position in positions]
        self.tell(Step.SWEPT, bundle.writer, lanes, run_id=bundle.run_id, files=removed, started_s=started_s)


def _committed(position: Position) -> tuple[Manifest, Pointer]:
    """Of a lane that has run at least once."""
    assert position.manifest is not None
    assert position.pointer is not None
    return position.manifest, position.pointer
