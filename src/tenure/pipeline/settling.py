"""What becomes of a bundle that is staged: commit, publish, sweep.

The commits of a member queue: it has one in flight, under the identity that its bundle was planned under. Once one is
accepted, the rest can be done by anyone, and is done beside the member's thread: `finish` and `roll_forward` are called
in it, and what they hand over to `publications` touches nothing that changes.
"""

from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import partial

from tenure.pipeline import commit, sweep
from tenure.pipeline.files import Files
from tenure.pipeline.holdings import Held, Holdings
from tenure.pipeline.lanes import Lane, Writer
from tenure.pipeline.layout import HEAD, Layout
from tenure.pipeline.manifest import Manifest, Pointer, Transaction
from tenure.pipeline.plan import Bundle, Position
from tenure.pipeline.progress import Step, staged_lane, standing
from tenure.pipeline.publications import Publications
from tenure.pipeline.publish import Publishers, publish
from tenure.pipeline.seat import CommitAnswer, Outcome, Seat
from tenure.pipeline.stager import DeadLetters, Staged
from tenure.pipeline.telling import Telling
from tenure.pipeline.transactions import Transactions, parts


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
    transactions: Transactions | None = None
    """Where rows go to topics."""

    def settle(self, lanes: Sequence[Lane]) -> None:
        """End what is left of their transactions, before anybody asks what is committed."""
        if self.transactions is not None:
            self.transactions.settle([self.layout.transactional_id(lane) for lane in lanes])

    def abort(self) -> None:
        """What is lent, without a word to whoever may have the lanes by now."""
        if self.transactions is not None:
            self.transactions.abort()

    def lend(self, bundle: Bundle) -> Bundle | None:
        """With a transaction for each of its lanes, where rows go to topics. None: lanes have to be recovered first."""
        if self.transactions is None:
            return bundle
        lent = [replace(at, transaction=self._lend(at.lane)) for at in bundle.lanes]
        for plan in lent:
            if plan.transaction is None:
                self.holdings.held.pop(plan.lane, None)
        return replace(bundle, lanes=tuple(lent)) if all(plan.transaction for plan in lent) else None

    def _lend(self, lane: Lane) -> Transaction | None:
        assert self.transactions is not None
        return self.transactions.lend(self.layout.transactional_id(lane))

    def commit(self, bundle: Bundle, staged: Sequence[Staged]) -> tuple[CommitAnswer, Sequence[Staged]]:
        """Each part all or nothing, tried once; the first that is not accepted is the last. Returns its answer, and the
        runs that were accepted."""
        started_s = self.clock_s()
        accepted: list[Staged] = []
        answer = CommitAnswer(Outcome.ACCEPTED)
        for part in parts(staged):
            answer = self._commit_part(part, bundle.writer)
            if answer.outcome is not Outcome.ACCEPTED:
                break
            accepted += part
        if accepted:
            lanes = [staged_lane(run) for run in accepted]
            self.tell(Step.COMMITTED, bundle.writer, lanes, run_id=bundle.run_id, started_s=started_s)
        return answer, accepted

    def _commit_part(self, part: Sequence[Staged], writer: Writer) -> CommitAnswer:
        offsets, transaction = commit.offsets_of(part), part[0].manifest.transaction
        if transaction is None:
            return self.seat.commit(offsets, writer)
        assert self.transactions is not None
        return self.transactions.commit(transaction, offsets, writer)

    def commit_again(self, positions: Sequence[Position], writer: Writer) -> CommitAnswer:
        """What is committed, or should be. Where it is not accepted, the lanes have to be recovered anew."""
        answer = self.seat.commit(commit.offsets_again(positions), writer)
        for position in positions:
            if answer.outcome is Outcome.ACCEPTED:
                self.holdings.held[position.lane].committed_at_s = self.clock_s()
                if position.pointer is None:
                    self._forget_witness(position.lane)
            else:
                self.holdings.held.pop(position.lane, None)
        return answer

    def _forget_witness(self, lane: Lane) -> None:
        """The lane begins anew by its offsets, as it was told to, once: what it kept is not to be asked again."""
        listing = self.holdings.held[lane].listing
        directory = self.layout.state_directory(lane)
        heads = [path for path in listing.paths if path.startswith(f"{directory}/{HEAD}")] if listing else []
        if sweep.remove(self.files, heads):
            self.files.sync_directory(directory)

    def finish(self, bundle: Bundle, staged: Sequence[Staged]) -> None:
        """Publish and sweep what was committed."""
        held = self.holdings.held
        superseded = {run.lane: held[run.lane] for run in staged}
        positions = [commit.position_after(run) for run in staged]
        for position in positions:
            listing = self._next_listing(superseded[position.lane], position, bundle.writer)
            held[position.lane] = Held(position, listing, self.clock_s())
        self.publications.add(frozenset(superseded), partial(self._publish_and_sweep, bundle, positions, superseded))

    def _next_listing(self, before: Held, position: Position, writer: Writer) -> sweep.Listing | None:
        """Of whom the lane was before, until a commit of this writer's has used it. Then one whenever a snapshot has
        come or is given up: whoever was writing it may have died over it, and an earlier one may have come too late."""
        if before.listing is not None and before.listing.writer != writer:
            return before.listing
        if before.position.state.awaits in ("", position.state.awaits):
            return None
        with suppress(OSError):
            return sweep.list_lane(self.files, self.layout, position.lane, writer)
        return None

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
