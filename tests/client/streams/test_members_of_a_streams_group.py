"""Memberships of streams groups against the real coordinator, in virtual time (section 5 of the rules)."""

from collections import Counter
from collections.abc import Callable
from typing import Any

import pytest

from tenure.client.group.memberships.epoch_membership import EpochState
from tenure.client.group.memberships.membership_settings import FAIL, WAIT
from tenure.client.streams.streams_membership import StreamsMembership
from tenure.client.tasks import (
    GroupStatus,
    StatusChanged,
    StatusCode,
    Task,
    Tasks,
    TasksAssigned,
    TasksLost,
    TasksRevoked,
)
from tenure.client.values import TopicPartition
from tenure.coordinator.groups import commands
from tenure.coordinator.groups.configs import group_configs
from tenure.coordinator.metadata.topics import Topic
from tenure.protocol.errors import ErrorCode
from tenure.protocol.special_values import STREAMS
from tenure.protocol.types import TopicName
from tests.client.group.group_of_members import CHANGELOG, GROUP, TOPIC, TOPIC_ID, GroupOfMembers, Member
from tests.client.streams.streams_life import MEMBERS, SHARDS, StreamsLife
from tests.coordinator.virtual_host import VirtualHost
from tests.simulation.broken import Broken

EVERYTHING = tuple(TopicPartition(TOPIC, partition) for partition in range(8))
EVERY_TASK = tuple(Task("0", partition) for partition in range(8))


SEEDS_OF_BROKEN_RULES = 36
"""Number of lives per broken rule. With some rules, only one life in six violates the expected invariant first."""


def new_group(seed: int = 1, *, standbys: int = 0, coordinator: VirtualHost | None = None) -> GroupOfMembers:
    group = GroupOfMembers(seed, protocol=STREAMS, coordinator=coordinator)
    configs = group_configs({"streams.num.standby.replicas": str(standbys)})
    group.coordinator.ask(commands.ConfigureGroup(GROUP, configs))
    group.coordinator.take()
    return group


def settled(seed: int = 1, *, standbys: int = 0, **instance_ids: str | None) -> GroupOfMembers:
    group = new_group(seed, standbys=standbys)
    for name, instance_id in instance_ids.items():
        group.join(name, instance_id)
    group.run(40_000)
    return group


def streams(member: Member) -> StreamsMembership:
    assert isinstance(member.membership, StreamsMembership)
    return member.membership


def tasks(member: Member) -> Tasks:
    return streams(member).tasks


def kinds(events: list[Any]) -> list[type]:
    return [type(event) for event in events if not isinstance(event, StatusChanged)]


def coordinator_group(group: GroupOfMembers) -> Any:
    return group.coordinator.shard._groups.by_id[GROUP]


def do(group: GroupOfMembers, member: Member, happened: Any, *arguments: Any) -> None:
    """Call a method of the member's membership as its user, and perform the resulting outputs."""
    happened(*arguments)
    group._do_outputs(member)


# --- tasks ------------------------------------------------------------------------------------------------------------


def test_group__three_members__share_the_tasks_and_create_the_changelog_topic_once() -> None:
    group = settled(a="i1", b=None, c=None)
    assert sorted(Counter(owner for (owner,) in group.owners().values()).values()) == [2, 3, 3]
    assert {streams(member).state for member in group.members} == {EpochState.STABLE}
    assert group.streams_heartbeats.created == [CHANGELOG]


def test_group__first_member__problems_reported_until_tasks_are_assigned() -> None:
    group = settled(a=None)
    (member,) = group.members
    statuses = [event.statuses for event in member.events if isinstance(event, StatusChanged)]
    assert [[of.code for of in found] for found in statuses] == [
        [StatusCode.ASSIGNMENT_DELAYED, StatusCode.MISSING_INTERNAL_TOPICS],
        [],
    ]
    assert (streams(member).statuses, tasks(member).active) == ((), EVERY_TASK)


def test_group__source_topic_missing__status_names_it_and_tasks_assigned_once_it_exists() -> None:
    group = new_group()
    group.coordinator.topics.remove(TOPIC_ID)
    member = group.join("a")
    group.run(20_000)
    (status,) = streams(member).statuses
    assert status == GroupStatus(StatusCode.MISSING_SOURCE_TOPICS, f"Source topics {TOPIC} are missing.")
    assert tasks(member) == Tasks()
    group.coordinator.topics.put(Topic(TopicName(TOPIC), TOPIC_ID, 8))
    group.run(30_000)
    assert (streams(member).statuses, tasks(member).active) == ((), EVERY_TASK)


def test_group__second_member_joins__moved_tasks_are_revoked_first() -> None:
    group = settled(a=None)
    (a,) = group.members
    b = group.join("b")
    group.run(30_000)
    (revoked,) = [event.tasks.active for event in a.events if isinstance(event, TasksRevoked)]
    assert len(revoked) == 4
    assert tasks(a).active == tuple(sorted(set(EVERY_TASK) - set(revoked)))
    added = [event for event in b.events if isinstance(event, TasksAssigned)][-1]
    assert added.added.active == revoked
    assert added.added_partitions == tuple(TopicPartition(TOPIC, task.partition) for task in revoked)


def test_group__revocation_not_acknowledged__task_stays_unassigned_until_the_deadline() -> None:
    group = new_group()
    a = group.join("a", rebalance_timeout_ms=80_000)
    group.run(20_000)
    a.acknowledges = False
    b = group.join("b")
    group.run(12_000)
    assert a.membership.is_revoking
    assert (len(tasks(a).active), tasks(b).active) == (8, ())
    group.run(30_000)
    assert (len(tasks(a).active), len(tasks(b).active)) == (4, 4)


def test_group__standby_replicas_configured__standby_of_each_task_on_the_other_member() -> None:
    group = settled(standbys=1, a=None, b=None)
    a, b = map(tasks, group.members)
    assert (a.standby, b.standby) == (b.active, a.active)
    assert a.warmup == b.warmup == ()


def test_group__active_member_leaves__standby_tasks_become_active_without_a_revocation() -> None:
    group = settled(standbys=1, a=None, b=None)
    a, b = group.members
    copies, before = tasks(b).standby, len(b.events)
    group.leave(a)
    group.run(20_000)
    assert tasks(b) == Tasks(EVERY_TASK)
    (assigned,) = [event for event in b.events[before:] if isinstance(event, TasksAssigned) and event.added != Tasks()]
    assert assigned.added == Tasks(copies)
    assert not [event for event in b.events[before:] if isinstance(event, TasksRevoked)]


def test_group__static_member_restarts__same_tasks_and_no_rebalance() -> None:
    group = settled(standbys=1, a="i1", b="i2")
    a, b = group.members
    before, epoch, had = list(b.events), coordinator_group(group).group_epoch, tasks(a)
    group.leave(a)
    group.run(20_000)
    successor = group.join("a", "i1")
    group.run(10_000)
    assert tasks(successor) == had
    assert (b.events, coordinator_group(group).group_epoch) == (before, epoch)


def test_group__topic_grows__the_new_tasks_are_assigned() -> None:
    group = settled(a=None, b=None)
    group.partitions = 10
    for name, topic_id in ((TOPIC, TOPIC_ID), (CHANGELOG, of_topic(group, CHANGELOG).topic_id)):
        group.coordinator.topics.put(Topic(TopicName(name), topic_id, 10))
    group.run(40_000)
    assert sorted(Counter(owner for (owner,) in group.owners().values()).values()) == [5, 5]


def of_topic(group: GroupOfMembers, name: str) -> Topic:
    topic = group.coordinator.topics.named(TopicName(name))
    assert topic is not None
    return topic


def test_group__coordinator_fails_over__members_and_epochs_kept() -> None:
    group = settled(a="i1", b=None)
    before = [list(member.events) for member in group.members]
    group.fail_over()
    group.run(60_000)
    assert [member.events for member in group.members] == before


@pytest.mark.parametrize("instance_id", ["i1", None])
def test_group__member_does_not_poll__leaves_and_joins_with_its_next_poll(instance_id: str | None) -> None:
    group = new_group()
    member = group.join("a", instance_id, max_poll_interval_ms=60_000)
    group.run(20_000)
    member.polls = False
    group.run(65_000)
    assert kinds(member.events)[-2:] == [TasksAssigned, TasksLost]
    assert [one.member_epoch for one in coordinator_group(group).members.values()] == ([-2] if instance_id else [])
    do(group, member, member.membership.polled, group.now_ms)
    group.run(20_000)
    assert tasks(member).active == EVERY_TASK
    assert member.membership.identity.member_id == "a-2"


def test_shut_down_application__one_member_asks__all_members_get_the_status() -> None:
    group = settled(a=None, b=None)
    a, b = group.members
    do(group, a, streams(a).shut_down_application, group.now_ms)
    group.run(15_000)
    for member in (a, b):
        assert [status.code for status in streams(member).statuses] == [StatusCode.SHUTDOWN_APPLICATION]


# --- static members ---------------------------------------------------------------------------------------------------


def test_takeover__static_member_killed__successor_gets_its_tasks_without_a_rebalance() -> None:
    group = settled(a="i1", b="i2")
    a, b = group.members
    before, epoch, had = list(b.events), coordinator_group(group).group_epoch, tasks(a)
    group.crash(a)
    successor = group.join("a", "i1")
    group.run(400)
    assert tasks(successor) == had
    group.run(60_000)
    assert (b.events, coordinator_group(group).group_epoch) == (before, epoch)


def test_takeover__holder_is_alive__holder_fenced_and_does_not_take_over_again() -> None:
    group = settled(a="i1")
    (first,) = group.members
    second = group.join("b", "i1")
    group.run(60_000)
    assert first.ended is ErrorCode.FENCED_INSTANCE_ID
    assert kinds(first.events)[-1] is TasksLost
    assert tasks(second).active == EVERY_TASK


def test_on_unreleased_wait__static_member_killed__successor_joins_after_the_session_timeout() -> None:
    group = settled(a="i1")
    group.crash(group.members[0])
    successor = group.join("a2", "i1", on_unreleased=WAIT)
    group.run(30_000)
    assert (tasks(successor), successor.ended) == (Tasks(), None)
    group.run(40_000)
    assert tasks(successor).active == EVERY_TASK


def test_on_unreleased_fail__instance_id_in_use__new_member_ends_and_the_holder_continues() -> None:
    group = settled(a="i1")
    second = group.join("b", "i1", on_unreleased=FAIL)
    group.run(20_000)
    assert second.ended is ErrorCode.UNRELEASED_INSTANCE_ID
    assert tasks(group.members[0]).active == EVERY_TASK


# --- random faults ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(12))
def test_group__random_faults__invariants_hold(seed: int) -> None:
    life = StreamsLife(new_group(seed, standbys=seed % 3))
    life.run()
    group = life.group
    assert coordinator_group(group).group_epoch > 3, life
    assert life.happened["commit accepted"] > 100, life
    assert group.streams_heartbeats.created == [CHANGELOG]
    assert {member.ended for member in group.members} <= {None, ErrorCode.FENCED_INSTANCE_ID}


@pytest.mark.parametrize("broken_rule", SHARDS, ids=lambda broken_rule: broken_rule.__name__)
def test_broken_rule__of_the_coordinator__violated_invariant_is_named(broken_rule: Any) -> None:
    host = type("BrokenHost", (VirtualHost,), {"shard_class": broken_rule})
    assert broken_rule.BREAKS in broken_by(
        lambda seed: new_group(seed, standbys=1, coordinator=host()), broken_rule.BREAKS
    )


@pytest.mark.parametrize("broken_rule", MEMBERS, ids=lambda broken_rule: broken_rule.__name__)
def test_broken_rule__of_the_member__violated_invariant_is_named(broken_rule: Any) -> None:
    def group(seed: int) -> GroupOfMembers:
        found = new_group(seed, standbys=1)
        found.streams_membership = broken_rule
        return found

    assert broken_rule.BREAKS in broken_by(group, broken_rule.BREAKS)


def broken_by(group: Callable[[int], GroupOfMembers], wanted: str) -> set[str]:
    """Run lives until one violates the wanted invariant; return all violated invariants."""
    found: set[str] = set()
    for seed in range(SEEDS_OF_BROKEN_RULES):
        try:
            StreamsLife(group(seed)).run()
        except Broken as broken:
            found.add(broken.invariant)
        if wanted in found:
            break
    return found
