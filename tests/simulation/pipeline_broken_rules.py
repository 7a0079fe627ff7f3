"""Pipelines with one deliberately broken rule, and the invariant that finds it."""

from collections.abc import Callable, Collection, Sequence
from dataclasses import replace
from typing import Any

import pytest

from tenure.client.errors import ClientError
from tenure.pipeline.engine import publish_flow
from tenure.pipeline.engine.bundles_in_flight import BundleInFlight
from tenure.pipeline.engine.engine import Engine
from tenure.pipeline.engine.publish_flow import PublishFlow
from tenure.pipeline.output import staging, sweep
from tenure.pipeline.output.files import Files
from tenure.pipeline.output.layout import Layout
from tenure.pipeline.task import task
from tenure.pipeline.values.manifest import Manifest, StateVersion
from tenure.pipeline.values.membership import CommitAnswer, CommitOutcome
from tenure.pipeline.values.stager import Result, Staged
from tests.simulation.pipelines.transactions import SimulatedTransactions


def commits_what_is_not_synced(patch: pytest.MonkeyPatch) -> None:
    """Broken rule: the manifest's name is not durable when it is committed."""
    seal = staging.seal

    def hasty(files: Files, layout: Layout, manifest: Manifest) -> Staged:
        return seal(NeverSynced(files), layout, manifest)  # type: ignore[arg-type]

    patch.setattr(staging, "seal", hasty)


class NeverSynced:
    def __init__(self, files: Files) -> None:
        self.files = files

    def __getattr__(self, name: str) -> Any:
        return getattr(self.files, name)

    def sync_directory(self, directory: str) -> None:
        pass


def forgets_a_delta(patch: pytest.MonkeyPatch) -> None:
    """Broken rule: a state is loaded without its newest delta."""
    load_state = task.LaneAttempt.load_state

    def forgetful(run: task.LaneAttempt) -> Any:
        state = run.plan.state
        run.plan = replace(run.plan, state=StateVersion(state.base, state.deltas[:-1]))
        return load_state(run)

    patch.setattr(task.LaneAttempt, "load_state", forgetful)


def publishes_before_it_commits(patch: pytest.MonkeyPatch) -> None:
    """Broken rule: output is visible as soon as it is staged, also if the commit is refused."""
    commit = Engine._commit

    def eager(self: Engine, one: BundleInFlight, results: Sequence[Result]) -> None:
        files = self._publish_flow.files
        for run in results:
            for output in run.manifest.outputs if isinstance(run, Staged) else ():
                source = f"{self.layout.staged_directory(run.lane)}/{output.staged}"
                files.write(f"{self.layout.sink}/{output.final}", files.read(source))
        commit(self, one, results)

    patch.setattr(Engine, "_commit", eager)


def never_rolls_forward(patch: pytest.MonkeyPatch) -> None:
    """Broken rule: output that an earlier owner committed and did not publish stays invisible."""
    publish = PublishFlow.publish

    def lazy(self: PublishFlow, step: Any, positions: Any, writer: Any, run_id: str = "") -> None:
        if run_id:
            publish(self, step, positions, writer, run_id)

    patch.setattr(PublishFlow, "publish", lazy)


def sweeps_before_it_commits(patch: pytest.MonkeyPatch) -> None:
    """Broken rule: a recovered lane removes all files that no committed manifest names."""
    list_lane = sweep.list_lane

    def tidy(files: Files, layout: Layout, lane: Any, writer: Any) -> Any:
        listing = list_lane(files, layout, lane, writer)
        for path in sorted(listing.paths):
            if path.endswith(".json"):
                files.remove(path)
        return listing

    patch.setattr(sweep, "list_lane", tidy)


def sweeps_what_it_has_just_committed(patch: pytest.MonkeyPatch) -> None:
    removable = sweep.removable

    def thorough(layout: Layout, committed: Manifest, *rest: Any) -> list[str]:
        state = layout.state_directory(committed.lane)
        return [*removable(layout, committed, *rest), *(f"{state}/{file.name}" for file in committed.state.deltas)]

    patch.setattr(publish_flow.sweep, "removable", thorough)


def commits_rows_before_their_offset(patch: pytest.MonkeyPatch) -> None:
    """Broken rule: rows are committed before their offset, which the group may refuse."""

    def apart(self: SimulatedTransactions, transaction: Any, offsets: Any, writer: Any) -> CommitAnswer:
        try:
            self.lenders[transaction.transactional_id].commit()
        except ClientError as error:
            return CommitAnswer(CommitOutcome.REFUSED, str(error))
        del self.lent[transaction.transactional_id]
        return self.application.engine_work.membership.commit(offsets, writer)

    patch.setattr(SimulatedTransactions, "commit", apart)


BreakRule = Callable[[pytest.MonkeyPatch], None]

BROKEN_RULES: dict[BreakRule, str] = {
    commits_what_is_not_synced: "PointerResolves",
    sweeps_what_it_has_just_committed: "SweepSafe",
    forgets_a_delta: "StateEqualsFold",
    publishes_before_it_commits: "VisibleOnce",
    never_rolls_forward: "VisibleOnce",
    sweeps_before_it_commits: "SweepSafe",
    commits_rows_before_their_offset: "RowsWithOffset",
}
TO_TOPICS: Collection[BreakRule] = {commits_rows_before_their_offset}
