"""Commits of staged bundles, with their transactions.

A member has one commit in flight. The commit carries the identity under which its bundle was planned.
"""

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, replace

from tenure.pipeline.engine import commit
from tenure.pipeline.engine.owned_lanes import OwnedLane
from tenure.pipeline.engine.progress_reporter import ProgressReporter
from tenure.pipeline.output.layout import Layout
from tenure.pipeline.output.transactions import OutputTransactions, parts
from tenure.pipeline.values.lanes import Lane, Writer
from tenure.pipeline.values.membership import CommitAnswer, CommitOutcome, GroupMembership
from tenure.pipeline.values.plan import Bundle
from tenure.pipeline.values.progress import ProgressStep, staged_lane
from tenure.pipeline.values.stager import Staged


@dataclass(frozen=True, slots=True)
class CommitFlow:
    layout: Layout
    membership: GroupMembership
    clock_s: Callable[[], float]
    report: ProgressReporter
    transactions: OutputTransactions | None = None
    """Transactions for rows that go to topics; None if the pipeline has no such sink."""

    def abort(self) -> None:
        """Abort this member's open transactions. Transactions of later owners of the lanes are not affected."""
        if self.transactions is not None:
            self.transactions.abort()

    def begin_transactions(self, bundle: Bundle) -> tuple[Bundle, Collection[Lane]]:
        """Return the bundle with a new transaction for each lane, and the lanes for which no transaction could begin.

        If there are such lanes, the bundle cannot be started, and these lanes have to be recovered first.
        """
        if self.transactions is None:
            return bundle, ()
        begin, id_of = self.transactions.begin, self.layout.transactional_id
        plans = [replace(plan, transaction=begin(id_of(plan.lane))) for plan in bundle.lanes]
        return replace(bundle, lanes=tuple(plans)), [plan.lane for plan in plans if plan.transaction is None]

    def commit(self, bundle: Bundle, staged: Sequence[Staged]) -> tuple[CommitAnswer, Sequence[Staged]]:
        """Commit staged lanes in parts, until a part is not accepted.

        Each part is one commit: the broker applies it completely or not at all. Each part is sent only once.

        Returns:
            The answer to the last part that was sent, and the lanes of all accepted parts.
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
            self.report(ProgressStep.COMMITTED, bundle.writer, lanes, run_id=bundle.run_id, started_s=started_s)
        return answer, accepted

    def _commit_part(self, part: Sequence[Staged], writer: Writer) -> CommitAnswer:
        offsets, transaction = commit.offsets_of(part), part[0].manifest.transaction
        if transaction is None:
            return self.membership.commit(offsets, writer)
        assert self.transactions is not None
        return self.transactions.commit(transaction, offsets, writer)

    def commit_again(self, lanes: Sequence[OwnedLane], writer: Writer) -> CommitAnswer:
        """Commit the present positions of these lanes once more, without new records. Return the group's answer."""
        return self.membership.commit(commit.offsets_again([owned.position for owned in lanes]), writer)
