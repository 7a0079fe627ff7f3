"""Target assignments: computed at once or on a thread, by our assignors or by a user's, on arrays that are kept."""

from random import Random
from typing import Any

import numpy as np
import pytest

from tenure.assignors.group import NOBODY
from tenure.assignors.server import ServerGroup
from tenure.assignors.sticky import reassign
from tenure.coordinator.answers import Refused
from tenure.coordinator.groups import commands
from tenure.coordinator.groups.answers import HeartbeatAnswered
from tenure.coordinator.groups.commands import ConsumerHeartbeat
from tenure.coordinator.groups.configs import GroupConfigs
from tenure.coordinator.groups.consumer import logged
from tenure.coordinator.groups.consumer.assignment_arrays import CurrentGroup, GroupArrays, build_arrays, update_arrays
from tenure.coordinator.groups.consumer.group import ConsumerGroup
from tenure.coordinator.groups.effects import Assign, perform
from tenure.coordinator.groups.records import ResolutionAwaited
from tenure.coordinator.groups.settings import GroupSettings
from tenure.coordinator.metadata.topics import Topic
from tenure.coordinator.shard import NO_ASK
from tenure.limits.coordinator import ASSIGNED_AT_ONCE_MAX
from tenure.protocol.coordinator_logs.consumer_offsets import ConsumerGroupRegularExpressionValue
from tenure.protocol.errors import ErrorCode
from tests.coordinator.trace_consumers import topic_id_of
from tests.coordinator.virtual_host import VirtualHost
from tests.quick import quick_first
from tests.simulation.consumer_invariants import at_rest

G: Any = "g"
LARGE = ASSIGNED_AT_ONCE_MAX + 1
INTERVAL_MS = 1_000


def new_host(topics: dict[str, int], **settings: Any) -> VirtualHost:
    found = VirtualHost(GroupSettings(**settings))
    found.performs_at_once = False
    for name, partitions in topics.items():
        grow(found, name, partitions)
    return found


def grow(host: VirtualHost, name: str, partitions: int) -> None:
    host.topics.put(Topic(name, topic_id_of(name), partitions))  # type: ignore[arg-type]


def beat(
    host: VirtualHost, member_id: str, epoch: int = 0, topics: tuple[str, ...] | None = ("t",), **fields: Any
) -> Any:
    """Send a complete heartbeat; return the answer."""
    owned = [] if epoch == 0 else None
    host.ask(ConsumerHeartbeat(G, member_id, epoch, None, None, 60_000, topics, owned=owned, **fields))  # type: ignore[arg-type]
    return host.take()[1][-1][1]


def group_of(host: VirtualHost) -> ConsumerGroup:
    found = host.shard.consumer_group(G)
    assert found is not None
    return found


def finish(host: VirtualHost, effect: object) -> None:
    host.host.submit(NO_ASK, perform(effect))
    host.turn()


def targets(host: VirtualHost) -> dict[str, int]:
    """Return the number of partitions in each member's target."""
    found = group_of(host).targets
    return {member_id: sum(map(len, target.values())) for member_id, target in found.items()}


def test_large_group__first_member__no_partitions_until_the_assignment_arrives() -> None:
    large = new_host({"t": LARGE})
    assert beat(large, "A").member_epoch == 1
    assert beat(large, "A", 1).assignment is None
    (effect,) = large.effects
    finish(large, effect)
    answer = beat(large, "A", 1)
    assert (answer.member_epoch, len(answer.assignment[topic_id_of("t")])) == (2, LARGE)
    large.fail_over()
    assert targets(large) == {"A": LARGE}


def test_large_group__offload_is_disabled__assigned_at_once() -> None:
    stage = new_host({"t": LARGE})
    stage.ask(commands.ConfigureGroup(G, GroupConfigs(consumer_assignor_offload_enable=False)))
    beat(stage, "A")
    assert targets(stage) == {"A": LARGE}


def test_large_group__assignment_in_progress__members_heartbeat_sooner() -> None:
    large = new_host({"t": LARGE}, group_consumer_min_heartbeat_interval_ms=100)
    assert beat(large, "A").heartbeat_interval_ms == 100
    assert beat(large, "A", 1).heartbeat_interval_ms == 100


def test_regular_expression__resolution_in_progress__members_heartbeat_sooner() -> None:
    small = new_host({"t": 1}, group_consumer_min_heartbeat_interval_ms=100)
    assert beat(small, "A", topics=(), subscribed_topic_regex="nothing-matches").heartbeat_interval_ms == 100
    assert beat(small, "A", 2, None).heartbeat_interval_ms == 100
    finish(small, small.effects.pop())
    small.tick_ms += 5_000
    assert beat(small, "A", 2, None).heartbeat_interval_ms == 5_000


def test_regular_expression__without_new_topics__resolved_again_after_ten_minutes() -> None:
    small = new_host({"t": 1})
    beat(small, "A", topics=(), subscribed_topic_regex="t")
    finish(small, small.effects.pop())
    beat(small, "A", 2, None)
    for wait_ms, epoch, is_due in ((10_001, 2, False), (589_999, 3, False), (1, 3, True)):
        small.tick_ms += wait_ms
        beat(small, "A", epoch, None)
        assert bool(small.effects) == is_due
    before = group_of(small).group_epoch
    finish(small, small.effects.pop())
    assert group_of(small).group_epoch == before


def test_regular_expression__was_resolved_by_another_broker__resolved_again() -> None:
    """Resolve an expression again, because the topic versions of another broker mean nothing here."""
    small = new_host({"t": 1})
    beat(small, "A", topics=(), subscribed_topic_regex="t")
    small.effects.clear()
    theirs = ConsumerGroupRegularExpressionValue(["t", "gone"], 1_000_000, small.now.wall_ms)
    small.shard.apply(logged.regex_resolved(G, "t", theirs))
    small.shard.apply(ResolutionAwaited(G))
    small.tick_ms += 10_001
    beat(small, "A", 2, None)
    finish(small, small.effects.pop())
    assert list(group_of(small).regexes["t"].topics) == ["t"]


def test_large_group__member_joins_during_an_assignment__gets_partitions_with_the_next_one() -> None:
    large = new_host({"t": LARGE})
    beat(large, "A")
    beat(large, "B")
    finish(large, large.effects.pop())
    assert (targets(large), group_of(large).group_epoch, group_of(large).target_epoch) == ({"A": LARGE}, 3, 2)
    large.tick_ms += INTERVAL_MS
    beat(large, "B", 1)
    finish(large, large.effects.pop())
    assert sorted(targets(large).values()) == [LARGE // 2, LARGE - LARGE // 2]
    assert group_of(large).target_epoch == 3


@pytest.mark.parametrize("what", ["leaves", "leaves and returns", "subscribes to another topic", "fail-over"])
def test_large_group__member_change_or_fail_over_during_an_assignment__result_discarded(what: str) -> None:
    large = new_host({"t": LARGE, "u": 1})
    beat(large, "A")
    beat(large, "B")
    effect = large.effects.pop()
    if what.startswith("leaves"):
        beat(large, "A", -1)
        if what.endswith("returns"):
            beat(large, "A")
    elif what.startswith("subscribes"):
        beat(large, "A", 1, ("u",))
    else:
        large.fail_over()
    finish(large, effect)
    assert targets(large) == {}
    assert group_of(large).target_epoch == 1
    beat(large, "B", 1)
    finish(large, large.effects.pop())
    assert group_of(large).target_epoch == group_of(large).group_epoch


def test_large_group__group_deleted_during_an_assignment__result_ignored() -> None:
    large = new_host({"t": LARGE})
    beat(large, "A")
    beat(large, "A", -1)
    large.ask(commands.DeleteGroup(G))
    large.take()
    finish(large, large.effects.pop())
    assert large.take() == ([], [])


def test_large_group__becomes_small_during_an_assignment__next_assignment_waits_for_the_result() -> None:
    large = new_host({"t": LARGE, "u": 2})
    beat(large, "A")
    beat(large, "A", 1, ("u",))
    assert group_of(large).target_epoch == 1
    finish(large, large.effects.pop())  # computed for a member A with another subscription
    beat(large, "A", 1, ("u",))
    assert targets(large) == {"A": 2}


# --- arrays kept between assignments ----------------------------------------------------------------------------------


def ordered_targets(found: Any) -> list[Any]:
    """Return the targets, with the order of topics in each."""
    return sorted((member_id, list(target.items())) for member_id, target in found.targets.items())


def are_equal(ours: GroupArrays, rebuilt: GroupArrays) -> bool:
    subscribed = [[tuple(g.server_group.group.subscriptions[m]) for m in range(len(g.order))] for g in (ours, rebuilt)]
    return (
        list(ours.order) == list(rebuilt.order)
        and list(ours.topics) == list(rebuilt.topics)
        and list(ours.server_group.members) == list(rebuilt.server_group.members)
        and subscribed[0] == subscribed[1]
        and ours.server_group.owners.tolist() == rebuilt.server_group.owners.tolist()
    )


@pytest.mark.parametrize("seed", quick_first(range(3)))
def test_assignment_arrays__updated_by_random_changes_of_a_group__same_as_built_from_scratch(seed: int) -> None:
    random = Random(seed)
    wishes = [("t",), ("t", "u"), ("u", "v"), ("nobody-has-it", "t")]
    large = new_host({"t": LARGE, "u": 7})
    kept = assigned = 0
    for step in range(150):
        group = large.shard.consumer_group(G)
        member_id = f"m{random.randrange(40)}"
        act = random.random()
        if act < 0.35 or group is None or member_id not in group.members:
            beat(large, member_id, 0, random.choice(wishes))
        elif act < 0.45:
            beat(large, member_id, -1)
        elif act < 0.5:
            beat(large, member_id, group.members[member_id].member_epoch, random.choice(wishes))
        elif act < 0.52:
            grow(large, random.choice("uvw"), random.randrange(1, 9) + step)
        else:
            large.tick_ms += INTERVAL_MS
            beat(large, member_id, group.members[member_id].member_epoch, None)
        while large.effects and random.random() < 0.8:
            effect = large.effects.pop(0)
            assert isinstance(effect, Assign)
            if isinstance(effect.arrays, GroupArrays):
                now = CurrentGroup(effect.members, effect.regexes, effect.targets, effect.topics)
                ours, whom = update_arrays(effect.arrays, effect.changed_members, now)
                assert are_equal(ours, build_arrays(now)), (
                    f"seed {seed}, step {step}, changed members {effect.changed_members}"
                )
                kept += whom is not None
                without = Assign(*(getattr(effect, name) for name in Assign.__match_args__[:-2]))
                assert ordered_targets(perform(effect)) == ordered_targets(perform(without))
            finish(large, effect)
            assigned += 1
            found = large.shard.consumer_group(G)
            if found is not None:
                at_rest(found, large.topics)
    print(f"seed {seed}: {assigned} assignments, {kept} on arrays that were there")
    assert assigned > 15
    assert kept > 5


# --- custom assignors -------------------------------------------------------------------------------------------------


class CustomAssignor:
    """Assignor that returns or raises the `answer` of the test."""

    name = "own"

    def __init__(self) -> None:
        self.answer: Any = None
        self.server_group: ServerGroup | None = None

    def assign(self, asked: ServerGroup) -> Any:
        self.server_group = asked
        if isinstance(self.answer, BaseException):
            raise self.answer
        return self.answer(asked)


def host_with(own: CustomAssignor, partitions: int) -> VirtualHost:
    return new_host({"t": partitions}, group_consumer_assignors=("own", "uniform"), own_assignors={"own": own})


def test_custom_assignor__small_or_large_group__its_result_is_the_target_assignment() -> None:
    own = CustomAssignor()
    own.answer = lambda asked: np.full(asked.group.partition_count, asked.group.member_count - 1)
    small = host_with(own, 3)
    beat(small, "A")
    small.tick_ms += INTERVAL_MS
    beat(small, "B")
    assert own.server_group is not None
    assert [ordered_targets.member_id for ordered_targets in own.server_group.members] == ["A", "B"]
    assert (own.server_group.topic_names, own.server_group.owners.tolist()) == (("t",), [0, 0, 0])
    assert targets(small) == {"A": 0, "B": 3}
    with pytest.raises(ValueError, match="read-only"):
        own.server_group.owners[0] = 1


@pytest.mark.parametrize(
    ("answer", "why"),
    [
        (RuntimeError("out of paper"), "RuntimeError: out of paper"),
        (SystemExit(1), "SystemExit: 1"),
        (lambda _: None, "WrongAnswer: the assignor returned an array of object"),
        (lambda _: [0], "WrongAnswer: the assignor returned an array of int64 with shape (1,)"),
        (lambda _: [0.0, 0.0, 0.0], "WrongAnswer: the assignor returned an array of float64"),
        (
            lambda _: [0, 7, -2],
            "WrongAnswer: the assignor returned owners from -2 to 7; return -1 for no owner",
        ),
    ],
)
def test_custom_assignor__raises_an_exception__unknown_server_error_and_group_unchanged(answer: Any, why: str) -> None:
    """Answer UNKNOWN_SERVER_ERROR (scenario 117)."""
    own = CustomAssignor()
    own.answer = answer
    small = host_with(own, 3)
    refused = beat(small, "A")
    assert isinstance(refused, Refused)
    assert refused.error_code is ErrorCode.UNKNOWN_SERVER_ERROR
    assert refused.message.startswith(f"Failed to compute a new target assignment for epoch 2: {why}")
    assert small.shard.consumer_group(G) is None
    assert small.log == []
    own.answer = lambda asked: reassign(asked.group, asked.owners)
    assert isinstance(beat(small, "A"), HeartbeatAnswered)


def test_custom_assignor__assigns_to_a_member_without_the_subscription__unknown_server_error() -> None:
    own = CustomAssignor()
    own.answer = lambda asked: np.zeros(asked.group.partition_count)
    small = host_with(own, 3)
    beat(small, "A", topics=())
    own.answer = lambda asked: np.zeros(asked.group.partition_count, np.int64)
    small.tick_ms += INTERVAL_MS
    refused = beat(small, "B")
    assert refused.message.endswith(
        "the assignor gave partitions of topic t to member A, which does not subscribe to it"
    )
    own.answer = lambda asked: np.full(asked.group.partition_count, NOBODY)
    assert beat(small, "B").assignment == {}


def test_custom_assignor__fails_for_a_large_group__error_for_all_members_until_it_succeeds() -> None:
    own = CustomAssignor()
    own.answer = RuntimeError("out of paper")
    large = host_with(own, LARGE)
    assert beat(large, "A").member_epoch == 1
    finish(large, large.effects.pop())
    logged = len(large.log)
    for _ in range(2):
        refused = beat(large, "A", 1)
        assert refused == Refused(
            ErrorCode.UNKNOWN_SERVER_ERROR,
            "",  # type: ignore[arg-type]
            "Failed to compute a new target assignment for epoch 2: RuntimeError: out of paper",
        )
        assert beat(large, "A", 1) == refused  # until another attempt succeeds
        finish(large, large.effects.pop())
    assert len(large.log) == logged
    own.answer = lambda asked: reassign(asked.group, asked.owners)
    assert beat(large, "A", 1) == refused
    finish(large, large.effects.pop())
    assert beat(large, "A", 1).member_epoch == 2


def test_vote_for_an_assignor__assignor_not_configured_any_more__vote_ignored() -> None:
    small = new_host({"t": 4})
    beat(small, "A", server_assignor="range")
    assert beat(small, "B", server_assignor="own").error_code is ErrorCode.UNSUPPORTED_ASSIGNOR
    small.settings = GroupSettings(group_consumer_assignors=("uniform",))
    small.fail_over()
    small.tick_ms += INTERVAL_MS
    beat(small, "B")
    small.ask(commands.DescribeConsumerGroup(G))
    assert small.take()[1][-1][1].assignor == "uniform"
    assert targets(small) == {"A": 2, "B": 2}
