"""Every state that a consumer group and its clients can reach: no invariant breaks.

A deliberately broken rule is found by the name of its invariant, with the shortest path to the failure.
"""

from typing import Any

import pytest

from tests.simulation.broken import Broken
from tests.simulation.consumer_broken_rules import BROKEN_RULES
from tests.simulation.exhaustive import Search
from tests.simulation.group_moves import real_shard
from tests.simulation.soak import main, scope


@pytest.mark.parametrize(
    ("members", "partitions", "depth", "states"),
    [pytest.param(2, 2, 10, 19_000, id="2x2", marks=pytest.mark.long), pytest.param(3, 3, 5, 4_000, id="3x3")],
)
def test_exhaustive_search__several_members_to_a_given_depth__invariants_hold_in_every_state(
    members: int, partitions: int, depth: int, states: int
) -> None:
    search = Search(scope(members, partitions))
    while search.depth < depth and search.deepen():
        pass
    assert search.depth == depth
    assert search.states >= states, "this search did too little"
    assert search.moves.commits > search.states


def test_exhaustive_search__one_member_and_one_partition__all_states_found() -> None:
    search = Search(scope(1, 1))
    while search.deepen():
        pass
    assert not search.frontier
    assert search.states == 19  # all empty groups are one state, because each has a target of its present epoch


def test_exhaustive_search__path_of_a_found_state_repeated__same_state() -> None:
    """Epochs are renumbered in a search, which must change nothing else."""
    search = Search(scope(2, 2))
    while search.depth < 6:
        search.deepen()
    exact = Search(scope(2, 2), renumbers=False)
    for state in search.frontier[::50]:
        at = exact.frontier[0]
        for action in search.path_to(state):
            assert action in set(exact.actions(at))
            at = exact.after(at, action)
        assert [(b.life, b.owned, b.told, b.stands) for b in at[1]] == [
            (b.life, b.owned, b.told, b.stands) for b in state[1]
        ]


def test_search_command__one_member_and_one_partition__prints_states_and_depth(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert main(["search", "--members", "1", "--partitions", "1"]) == 0
    told = capsys.readouterr().out
    assert "closed: nothing is further away than depth" in told
    assert "states" in told


# --- broken rules -----------------------------------------------------------------------------------------------------


def found(shard_class: Any = None, fencing: str = "assignment-epoch") -> Broken:
    new_shard = (lambda settings, topics: shard_class(settings, bytes, None, topics)) if shard_class else real_shard
    search = Search(scope(2, 2), new_shard, fencing=fencing)
    while search.depth < 9:
        try:
            search.deepen()
        except Broken as broken:
            return broken
    pytest.fail(f"{shard_class} breaks nothing in {search.states} states")


@pytest.mark.parametrize("broken_rule", BROKEN_RULES)
def test_broken_rule__of_consumer_groups__found_by_the_exhaustive_search(broken_rule: Any) -> None:
    broken = found(broken_rule)
    assert broken.invariant == broken_rule.BREAKS, broken
    assert "  1. " in str(broken), "the way there is told"


def test_broken_rule__commit_fencing_of_kafka_since_4_3__accepted_commit_of_a_revoked_partition_is_found() -> None:
    assert found(fencing="kafka").invariant == "CommitFence"
