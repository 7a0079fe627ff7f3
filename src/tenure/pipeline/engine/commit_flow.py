"""Commit, publish and sweep of staged bundles.

The commits of a member queue: it has one in flight, under the identity that its bundle was planned under. Once one is
accepted, the rest can be done by anyone, and is done beside the member's thread: `finish` and `roll_forward` are called
in it, and what they hand over to `publications` touches nothing that changes.
"""

from collections.abc import Callable, Collection, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import partial

from tenure.pipeline.engine import commit
from tenure.pipeline.engine.owned_lanes import OwnedLane
from tenure.pipeline.engine.progress_reporter import ProgressReporter
from tenure.pipeline.engine.publications import Publications
from tenure.pipeline.output import sweep
from tenure.pipeline.output.files import Files
from tenure.pipeline.output.layout import HEAD, MANIFEST, Layout
from tenure.pipeline.output.publish import Publishers, publish
from tenure.pipeline.output.transactions import OutputTransactions, parts
from tenure.pipeline.values.lanes import Lane, Writer
from tenure.pipeline.values.manifest import Manifest, Pointer
from tenure.pipeline.values.membership import CommitAnswer, CommitOutcome, GroupMembership
from tenure.pipeline.values.plan import Bundle, Position
from tenure.pipeline.values.progress import Step, committed_lane, staged_lane
from tenure.pipeline.values.stager import DeadLetters, Staged


@dataclass(frozen=True, slots=True)
class CommitFlow:
    layout: Layout
    membership: GroupMembership
    files: Files
    publishers: Publishers
    publications: Publications
    dead_letters: DeadLetters | None
    clock_s: Callable[[], float]
    tell: ProgressReporter
    transactions: OutputTransactions | None = None
    """Transactions for rows that go to topics; None if the pipeline has no such sink."""

    def abort(self) -> None:
        """Abort this member's open transactions. Later owners of the lanes are not affected."""
        if self.transactions is not None:
            self.transactions.abort()

    def lend(self, bundle: Bundle) -> tuple[Bundle, Collection[Lane]]:
        """Return the bundle with a transaction for each lane, and the lanes that have to be recovered first.

        With such lanes the bundle cannot be started.
        """
        if self.transactions is None:
            return bundle, ()
        lend, id_of = self.transactions.lend, self.layout.transactional_id
        lent = [replace(plan, transaction=lend(id_of(plan.lane))) for plan in bundle.lanes]
        return replace(bundle, lanes=tuple(lent)), [plan.lane for plan in lent if plan.transaction is None]

    def commit(self, bundle: Bundle, staged: Sequence[Staged]) -> tuple[CommitAnswer, Sequence[Staged]]:
        """Commit staged lanes in parts, each all or nothing and tried once, until a part is not accepted.

        Returns:
            The last answer, and the accepted lanes.
        """
        started_s = self.clock_s()
        accepted: list[Staged] = []
        answer = CommitAnswer(CommitOutcome.ACCEPTED)
        for part in parts(staged):
            answer = self._commit_part(part, bundle.writer)
            if answer.outcome is not CommitOutcome.ACCEPTED:
                break
            accepted += part
        if accepted:
            lanes = [staged_lane(one) for one in accepted]
            self.tell(Step.COMMITTED, bundle.writer, lanes, run_id=bundle.run_id, started_s=started_s)
        return answer, accepted

    def _commit_part(self, part: Sequence[Staged], writer: Writer) -> CommitAnswer:
        offsets, transaction = commit.offsets_of(part), part[0].manifest.transaction
        if transaction is None:
            return self.membership.commit(offsets, writer)
        assert self.transactions is not None
        return self.transactions.commit(transaction, offsets, writer)

    def commit_again(self, lanes: Sequence[OwnedLane], writer: Writer) -> CommitAnswer:
        """Commit the positions of these lanes again."""
        return self.membership.commit(commit.offsets_again([owned.position for owned in lanes]), writer)

    def remove_witnesses(self, owned: OwnedLane, writer: Writer) -> None:
        """Remove HEADs and manifests of a lane that was told, once, to start again at its offsets with empty state.

        `writer` has committed that: nobody can name any more what was listed under this identity (`sweep.py`).
        """
        listing, directory = owned.listing, self.layout.state_directory(owned.lane)
        paths = sorted(listing.paths) if listing is not None and listing.writer == writer else []
        if sweep.remove(self.files, [path for path in paths if is_witness(directory, path)]):
            self.files.sync_directory(directory)

    def finish(self, bundle: Bundle, staged: Sequence[Staged], known: Mapping[Lane, OwnedLane]) -> Sequence[OwnedLane]:
        """Start to publish and sweep committed lanes. Return these lanes at their new positions."""
        superseded = {one.lane: known[one.lane] for one in staged}
        positions = [commit.position_after(one) for one in staged]
        lanes = [self._after_commit(superseded[position.lane], position, bundle.writer) for position in positions]
        self.publications.add(frozenset(superseded), partial(self._publish_and_sweep, bundle, positions, superseded))
        return lanes

    def _after_commit(self, before: OwnedLane, position: Position, writer: Writer) -> OwnedLane:
        return OwnedLane(position, self._next_listing(before, position, writer), self.clock_s())

    def _next_listing(self, before: OwnedLane, position: Position, writer: Writer) -> sweep.Listing | None:
        """Return the file listing for the next sweep of the lane.

        It is the listing from the lane's recovery until a commit of this writer has used it. After a snapshot has
        arrived or was given up, it is a new listing, because the writer of the snapshot may have left files behind.
        """
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

    def _publish_and_sweep(
        self, bundle: Bundle, positions: Sequence[Position], superseded: dict[Lane, OwnedLane]
    ) -> None:
        self.publish(Step.PUBLISHED, positions, bundle.writer, bundle.run_id)
        self._sweep(bundle, positions, superseded)

    def publish(self, step: Step, positions: Sequence[Position], writer: Writer, run_id: str = "") -> None:
        started_s = self.clock_s()
        visible: list[str] = []
        for position in positions:
            manifest, pointer = _committed(position)
            visible += publish(self.files, self.layout, manifest, pointer, self.dead_letters, self.publishers)
        lanes = [committed_lane(position) for position in positions]
        self.tell(step, writer, lanes, run_id=run_id, files=visible, started_s=started_s)

    def _sweep(self, bundle: Bundle, positions: Sequence[Position], superseded: dict[Lane, OwnedLane]) -> None:
        started_s = self.clock_s()
        removed: list[str] = []
        for position in positions:
            before = superseded[position.lane]
            manifest, _ = _committed(position)
            paths = sweep.removable(self.layout, manifest, before.position.manifest, before.listing)
            removed += sweep.remove(self.files, paths)
        lanes = [committed_lane(position) for position in positions]
        self.tell(Step.SWEPT, bundle.writer, lanes, run_id=bundle.run_id, files=removed, started_s=started_s)


def is_witness(directory: str, path: str) -> bool:
    """Return whether the path is a HEAD or a manifest of this state directory."""
    return path.startswith(f"{directory}/{HEAD}") or (path.startswith(f"{directory}/") and path.endswith(MANIFEST))


def _committed(position: Position) -> tuple[Manifest, Pointer]:
    """Return manifest and pointer of a lane with at least one committed batch."""
    assert position.manifest is not None
    assert position.pointer is not None
    return position.manifest, position.pointer
