"""Thousands of offsets are removed in steps. Other requests run in between, and new commits stay."""

from tenure.coordinator.answers import ACCEPTED, Refused
from tenure.coordinator.groups import commands
from tenure.coordinator.groups.answers import Committed
from tenure.coordinator.groups.settings import GroupSettings
from tenure.coordinator.shard import AskId, LogRecord
from tenure.limits.coordinator import OFFSETS_FORGOTTEN_BYTES_MAX, OFFSETS_FORGOTTEN_MAX, OFFSETS_LOOKED_AT_MAX
from tenure.protocol.errors import ErrorCode
from tenure.protocol.types import TopicId
from tests.coordinator.virtual_host import VirtualHost

TOPIC_ID = TopicId(bytes(range(16)))
COUNT = 2 * OFFSETS_FORGOTTEN_MAX + 1


def commit(world: VirtualHost, group_id: str, topic: str, *partitions: int) -> AskId:
    offsets = [commands.OffsetToCommit(topic, TOPIC_ID, partition, 7) for partition in partitions]
    return world.ask(commands.CommitOffsets(group_id, "", None, -1, offsets))


def answer(world: VirtualHost, ask: AskId) -> object:
    """Return the answer; None if there is none yet."""
    return next((reply for asked, reply in world.replies if asked == ask), None)


def turns_until_answered(world: VirtualHost, ask: AskId) -> int:
    turns = 0
    while answer(world, ask) is None:
        world.turn()
        turns += 1
        assert turns < 100
    return turns


def positions(world: VirtualHost) -> dict[str, set[tuple[str, int]]]:
    _, offsets = world.shard.digest()
    return {group_id: set(of_group) for group_id, of_group in offsets.items()}


def replayed(world: VirtualHost) -> dict[str, set[tuple[str, int]]]:
    again = VirtualHost(world.settings)
    again.log = list(world.log)
    again.fail_over()
    return positions(again)


def test_topic_deleted__thousands_of_committed_offsets__removed_in_steps_and_new_commits_stay() -> None:
    world = VirtualHost()
    commit(world, "g", "gone", *range(COUNT))
    commit(world, "h", "gone", 1)
    commit(world, "h", "kept", 1)
    asked = world.ask(commands.TopicsDeleted(["gone"]))
    assert answer(world, asked) is None
    assert answer(world, commit(world, "h", "gone", 1)) == Committed()  # of the topic that has its name now
    assert turns_until_answered(world, asked) >= 1
    assert answer(world, asked) == ACCEPTED
    assert positions(world) == {"h": {("kept", 1), ("gone", 1)}} == replayed(world)


def test_group_deleted__thousands_of_committed_offsets__requests_get_loading_errors_until_all_are_removed() -> None:
    world = VirtualHost()
    commit(world, "g", "t", *range(COUNT))
    asked = world.ask(commands.DeleteGroup("g"))
    assert answer(world, asked) is None
    loading = Refused(ErrorCode.COORDINATOR_LOAD_IN_PROGRESS)
    assert answer(world, commit(world, "g", "t", 0)) == loading
    assert answer(world, world.ask(commands.FetchOffsets("g", None))) == loading
    assert answer(world, commit(world, "h", "t", 0)) == Committed()
    turns_until_answered(world, asked)
    assert answer(world, asked) == ACCEPTED
    assert positions(world) == {"h": {("t", 0)}} == replayed(world)
    assert world.shard.classic_group("g") is None
    assert answer(world, commit(world, "g", "t", 5)) == Committed()
    assert replayed(world)["g"] == {("t", 5)}


def test_group_deleted__log_fails_meanwhile__deletion_refused_and_group_usable_again() -> None:
    world = VirtualHost()
    commit(world, "g", "t", *range(COUNT))
    asked = world.ask(commands.DeleteGroup("g"))
    world.next_append_fails = ErrorCode.NOT_ENOUGH_REPLICAS
    world.turn()
    assert isinstance(answer(world, asked), Refused)
    assert positions(world) == replayed(world)
    assert answer(world, commit(world, "g", "t", 0)) == Committed()
    again = world.ask(commands.DeleteGroup("g"))
    turns_until_answered(world, again)
    assert positions(world) == {} == replayed(world)


def test_topic_deleted__groups_with_long_names__no_step_is_too_large() -> None:
    world = VirtualHost()
    name = "g" * 30_000
    partitions = OFFSETS_FORGOTTEN_MAX + 1
    for first in range(0, partitions, 20):
        commit(world, name, "t", *range(first, min(first + 20, partitions)))
    world.take()
    asked = world.ask(commands.TopicsDeleted(["t"]))
    turns = turns_until_answered(world, asked)
    assert turns >= partitions * len(name) // OFFSETS_FORGOTTEN_BYTES_MAX
    assert positions(world) == {}
    assert sum(isinstance(record, LogRecord) for record in world.take()[0]) == partitions


def test_expiry_of_offsets__groups_with_long_names__no_step_is_too_large() -> None:
    world = VirtualHost(GroupSettings(offsets_retention_minutes=1))
    partitions = OFFSETS_LOOKED_AT_MAX + 1
    for first in range(0, partitions, 20):
        commit(world, "g" * 30_000, "t", *range(first, min(first + 20, partitions)))
    turns = 0
    while world.next_moment(600_000) or positions(world):
        world.turn()
        turns += 1
    assert turns >= partitions * 30_000 // OFFSETS_FORGOTTEN_BYTES_MAX // 2
    assert world.shard.digest() == ({}, {})


def test_two_topics_deleted__second_request_during_the_first__both_answered() -> None:
    world = VirtualHost()
    commit(world, "g", "a", *range(COUNT))
    commit(world, "g", "b", *range(COUNT))
    first, second = (world.ask(commands.TopicsDeleted([topic])) for topic in ("a", "b"))
    turns_until_answered(world, second)
    assert answer(world, first) == answer(world, second) == ACCEPTED
    assert positions(world) == {} == replayed(world)
