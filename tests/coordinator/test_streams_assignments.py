"""Target assignments of large streams groups, which a thread computes (rule 5.2, point 8)."""

from __future__ import annotations

from typing import Any

from tenure.coordinator.groups.configs import GroupConfigs
from tenure.coordinator.groups.effects import perform
from tenure.coordinator.groups.settings import GroupSettings
from tenure.coordinator.groups.streams.group import StreamsGroup
from tenure.coordinator.metadata.topics import Topic
from tenure.coordinator.shard import NO_ASK
from tenure.limits.coordinator import ASSIGNED_AT_ONCE_MAX
from tests.coordinator.streams_commands import streams_heartbeat
from tests.coordinator.trace_consumers import topic_id_of
from tests.coordinator.virtual_host import VirtualHost

LARGE = ASSIGNED_AT_ONCE_MAX + 1
NO_DELAYS: dict[str, Any] = {"streams_initial_rebalance_delay_ms": 0, "streams_assignment_interval_ms": 0}


def new_host(partitions: int = LARGE, **configs: Any) -> VirtualHost:
    found = VirtualHost(GroupSettings(configs=GroupConfigs(**(NO_DELAYS | configs))))
    found.performs_at_once = False
    grow(found, partitions)
    return found


def grow(host: VirtualHost, partitions: int) -> None:
    host.topics.put(Topic("t", topic_id_of("t"), partitions))  # type: ignore[arg-type]


def beat(host: VirtualHost, member_id: str, **options: str) -> Any:
    """Send a heartbeat, which is a join without an epoch; return the answer."""
    names = ["g"] if "epoch" in options else ["g", "0:t"]
    host.ask(streams_heartbeat(member_id, names, options))
    return host.take()[1][-1][1]


def group_of(host: VirtualHost) -> StreamsGroup:
    (found,) = host.shard.groups
    return found


def finish(host: VirtualHost, effect: object) -> None:
    host.host.submit(NO_ASK, perform(effect))
    host.turn()
    group_of(host).check_invariants()


def sizes(host: VirtualHost) -> dict[str, int]:
    return {str(member_id): len(target.active) for member_id, target in group_of(host).targets.items()}


def test_large_streams_group__first_member__no_tasks_until_the_assignment_arrives() -> None:
    large = new_host()
    assert beat(large, "A").member_epoch == 1
    (effect,) = large.effects
    assert beat(large, "A", epoch="1").assignment is None
    assert large.effects == [effect]
    finish(large, effect)
    answer = beat(large, "A", epoch="1")
    assert (answer.member_epoch, len(answer.assignment.active)) == (2, LARGE)


def test_large_streams_group__offload_disabled__assigned_with_the_heartbeat() -> None:
    large = new_host(streams_assignor_offload_enable=False)
    assert len(beat(large, "A").assignment.active) == LARGE
    assert not large.effects


def test_small_streams_group__first_member__assigned_with_the_heartbeat() -> None:
    small = new_host(partitions=4)
    assert len(beat(small, "A").assignment.active) == 4
    assert not small.effects


def test_large_streams_group__member_joins_during_an_assignment__gets_tasks_with_the_next_one() -> None:
    large = new_host()
    beat(large, "A")
    (first,) = large.effects
    beat(large, "B")
    finish(large, first)
    assert sizes(large) == {"A": LARGE}
    beat(large, "A", epoch="1")
    finish(large, large.effects[-1])
    assert sorted(sizes(large).values()) == [LARGE // 2, LARGE - LARGE // 2]


def test_large_streams_group__member_leaves_during_an_assignment__computed_again() -> None:
    large = new_host()
    beat(large, "A")
    beat(large, "B")
    finish(large, large.effects[-1])
    beat(large, "A", epoch="1")
    (_, second) = large.effects
    beat(large, "B", epoch="-1")
    finish(large, second)
    assert "B" not in sizes(large)
    beat(large, "A", epoch=str(group_of(large).members["A"].member_epoch))  # type: ignore[index]
    finish(large, large.effects[-1])
    assert sizes(large) == {"A": LARGE}


def test_large_streams_group__member_leaves_and_returns_during_an_assignment__computed_again() -> None:
    large = new_host()
    beat(large, "A")
    beat(large, "B")
    finish(large, large.effects[-1])
    beat(large, "A", epoch="1")
    finish(large, large.effects[-1])
    expected = sizes(large)
    beat(large, "C")
    beat(large, "B", epoch="-1")
    beat(large, "B")
    finish(large, large.effects[-1])
    assert sizes(large) == {"A": expected["A"]}
    beat(large, "C", epoch=str(group_of(large).members["C"].member_epoch))  # type: ignore[index]
    finish(large, large.effects[-1])
    assert sorted(sizes(large)) == ["A", "B", "C"]


def test_large_streams_group__topic_grows_during_an_assignment__computed_again() -> None:
    large = new_host()
    beat(large, "A")
    (first,) = large.effects
    grow(large, LARGE + 1)
    beat(large, "A", epoch="1")
    finish(large, first)
    assert sizes(large) == {}
    beat(large, "A", epoch="1")
    finish(large, large.effects[-1])
    assert sizes(large) == {"A": LARGE + 1}


def test_large_streams_group__coordinator_moves_during_an_assignment__late_result_ignored() -> None:
    large = new_host()
    beat(large, "A")
    (first,) = large.effects
    large.fail_over()
    finish(large, first)
    assert sizes(large) == {}


def test_large_streams_group__initial_delay_ends__assigned_on_a_thread() -> None:
    large = new_host(streams_initial_rebalance_delay_ms=1_000)
    beat(large, "A")
    assert not large.effects
    beat(large, "A", epoch="1")
    assert large.next_moment(1_000)
    large.turn()
    (effect,) = large.effects
    finish(large, effect)
    assert sizes(large) == {"A": LARGE}
