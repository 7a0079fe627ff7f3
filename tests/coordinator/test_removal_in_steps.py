"""Removal of thousands of offsets in steps. Other requests run in between, and new commits stay."""

from tenure.coordinator.answers import ACCEPTED, Refused
from tenure.coordinator.groups import commands
from tenure.coordinator.groups.answers import Committed
from tenure.coordinator.groups.settings import GroupSettings
from tenure.coordinator.shard import AskId, LogRecord
from tenure.limits.coordinator import (
    OFFSETS_CHECKED_PER_STEP_MAX,
    OFFSETS_REMOVED_PER_STEP_BYTES_MAX,
    OFFSETS_REMOVED_PER_STEP_MAX,
)
from tenure.protocol.errors import ErrorCode
from tenure.protocol.types import TopicId
from tests.coordinator.virtual_host import VirtualHost

TOPIC_ID = TopicId(bytes(range(16)))
COUNT = 2 * OFFSETS_REMOVED_PER_STEP_MAX + 1


def commit(host: VirtualHost, group_id: str, topic: str, *partitions: int) -> AskId:
    offsets = [commands.OffsetToCommit(topic, TOPIC_ID, partition, 7) for partition in partitions]
    return host.ask(commands.CommitOffsets(group_id, "", None, -1, offsets))


def answer(host: VirtualHost, ask: AskId) -> object:
    """Return the answer; None if there is none yet."""
    return next((reply for asked, reply in host.replies if asked == ask), None)


def turns_until_answered(host: VirtualHost, ask: AskId) -> int:
    turns = 0
    while answer(host, ask) is None:
        host.turn()
        turns += 1
        assert turns < 100
    return turns


def positions(host: VirtualHost) -> dict[str, set[tuple[str, int]]]:
    _, offsets = host.shard.digest()
    return {group_id: set(of_group) for group_id, of_group in offsets.items()}


def replayed(host: VirtualHost) -> dict[str, set[tuple[str, int]]]:
    again = VirtualHost(host.settings)
    again.log = list(host.log)
    again.fail_over()
    return positions(again)


def test_topic_deleted__thousands_of_committed_offsets__removed_in_steps_and_new_commits_stay() -> None:
    host = VirtualHost()
    commit(host, "g", "gone", *range(COUNT))
    commit(host, "h", "gone", 1)
    commit(host, "h", "kept", 1)
    asked = host.ask(commands.TopicsDeleted(["gone"]))
    assert answer(host, asked) is None
    assert answer(host, commit(host, "h", "gone", 1)) == Committed()  # a commit for the new topic of this name
    assert turns_until_answered(host, asked) >= 1
    assert answer(host, asked) == ACCEPTED
    assert positions(host) == {"h": {("kept", 1), ("gone", 1)}} == replayed(host)


def test_group_deleted__thousands_of_committed_offsets__requests_get_loading_errors_until_all_are_removed() -> None:
    host = VirtualHost()
    commit(host, "g", "t", *range(COUNT))
    asked = host.ask(commands.DeleteGroup("g"))
    assert answer(host, asked) is None
    loading = Refused(ErrorCode.COORDINATOR_LOAD_IN_PROGRESS)
    assert answer(host, commit(host, "g", "t", 0)) == loading
    assert answer(host, host.ask(commands.FetchOffsets("g", None))) == loading
    assert answer(host, commit(host, "h", "t", 0)) == Committed()
    turns_until_answered(host, asked)
    assert answer(host, asked) == ACCEPTED
    assert positions(host) == {"h": {("t", 0)}} == replayed(host)
    assert host.shard.classic_group("g") is None
    assert answer(host, commit(host, "g", "t", 5)) == Committed()
    assert replayed(host)["g"] == {("t", 5)}


def test_group_deleted__log_fails_meanwhile__deletion_refused_and_group_usable_again() -> None:
    host = VirtualHost()
    commit(host, "g", "t", *range(COUNT))
    asked = host.ask(commands.DeleteGroup("g"))
    host.next_append_fails = ErrorCode.NOT_ENOUGH_REPLICAS
    host.turn()
    assert isinstance(answer(host, asked), Refused)
    assert positions(host) == replayed(host)
    assert answer(host, commit(host, "g", "t", 0)) == Committed()
    again = host.ask(commands.DeleteGroup("g"))
    turns_until_answered(host, again)
    assert positions(host) == {} == replayed(host)


def test_topic_deleted__groups_with_long_names__no_step_is_too_large() -> None:
    host = VirtualHost()
    name = "g" * 30_000
    partitions = OFFSETS_REMOVED_PER_STEP_MAX + 1
    for first in range(0, partitions, 20):
        commit(host, name, "t", *range(first, min(first + 20, partitions)))
    host.take()
    asked = host.ask(commands.TopicsDeleted(["t"]))
    turns = turns_until_answered(host, asked)
    assert turns >= partitions * len(name) // OFFSETS_REMOVED_PER_STEP_BYTES_MAX
    assert positions(host) == {}
    assert sum(isinstance(record, LogRecord) for record in host.take()[0]) == partitions


def test_expiry_of_offsets__groups_with_long_names__no_step_is_too_large() -> None:
    host = VirtualHost(GroupSettings(offsets_retention_minutes=1))
    partitions = OFFSETS_CHECKED_PER_STEP_MAX + 1
    for first in range(0, partitions, 20):
        commit(host, "g" * 30_000, "t", *range(first, min(first + 20, partitions)))
    turns = 0
    while host.next_moment(600_000) or positions(host):
        host.turn()
        turns += 1
    assert turns >= partitions * 30_000 // OFFSETS_REMOVED_PER_STEP_BYTES_MAX // 2
    assert host.shard.digest() == ({}, {})


def test_two_topics_deleted__second_request_during_the_first__both_answered() -> None:
    host = VirtualHost()
    commit(host, "g", "a", *range(COUNT))
    commit(host, "g", "b", *range(COUNT))
    first, second = (host.ask(commands.TopicsDeleted([topic])) for topic in ("a", "b"))
    turns_until_answered(host, second)
    assert answer(host, first) == answer(host, second) == ACCEPTED
    assert positions(host) == {} == replayed(host)
