"""Groups of a move: committed offsets at the target point to the same records."""

from __future__ import annotations

from tenure.client import Consumer, TopicPartition
from tenure.testing import Broker
from tests.move.moving import move, moving, offsets_by_value, write, write_transactions


def test_move_of_groups__topic_copied_with_the_same_offsets__commits_are_equal(
    source: Broker, target: Broker, topic: str
) -> None:
    write(source.address, topic, range(100))
    source.commit("equal", {(topic, 0): 3, (topic, 1): 0})
    passed = move(source.address, target.address, topic, groups=["equal"])
    assert [(group.group_id, len(group.written)) for group in passed.groups] == [("equal", 2)]
    assert target.committed("equal") == {(topic, 0): 3, (topic, 1): 0}


def test_move_of_groups__transactions_at_the_source__commits_point_to_the_same_record(
    source: Broker, target: Broker, topic: str
) -> None:
    """Markers and aborted records have no copies. If there are too many runs for one commit, runs are joined."""
    write_transactions(source.address, topic, [("commit", 3), ("abort", 2), ("commit", 1)] * 30)
    originals = {offset: value for (_, value), offset in offsets_by_value(source.address, topic).items()}
    source.commit("in-a-transaction", {(topic, 0): 4})
    with moving(source.address, target.address, topic, groups=["in-a-transaction"]) as moved:
        found = {place: moved.translate(TopicPartition(topic, 0), place) for place in range(max(originals) + 2)}
    copies = {value: offset for (_, value), offset in offsets_by_value(target.address, topic).items()}
    committed = {at: value for at, value in originals.items() if value.startswith(b"commit")}
    for place, translated in found.items():
        following = min((at for at in committed if at >= place), default=None)
        assert translated == (len(copies) if following is None else copies[committed[following]]), place
    assert target.committed("in-a-transaction") == {(topic, 0): found[4]}


def test_move_of_groups__target_topic_had_other_records__commits_are_shifted(
    source: Broker, target: Broker, topic: str
) -> None:
    write(source.address, topic, range(50))
    source.commit("shifted", {(topic, 0): 4})
    target.create_topic(topic, 3)
    target.produce(topic, [b"theirs"] * 10, partition=0)
    move(source.address, target.address, topic, appends=True, groups=["shifted"])
    assert target.committed("shifted") == {(topic, 0): 14}


def test_move_of_groups__group_has_members_at_the_target__its_commits_unchanged(
    source: Broker, target: Broker, topic: str
) -> None:
    source.commit("in-use", {(topic, 0): 0})
    target.create_topic(topic, 3)
    settings = {"bootstrap.servers": target.address, "group.id": "in-use"}
    with Consumer(settings) as member:
        member.subscribe([topic])
        member.poll(0.1)
        target.wait_until_stable("in-use", 1)
        passed = move(source.address, target.address, topic, groups=["in-use"])
    assert [group.written for group in passed.groups] == [{}]
    assert "Group 'in-use' is in use at the target (Stable)" in passed.groups[0].trouble


def test_move_of_groups__group_has_committed_further_at_the_target__its_offset_never_decreases(
    source: Broker, target: Broker, topic: str
) -> None:
    write(source.address, topic, range(50))
    source.commit("moved-on", {(topic, 0): 4, (topic, 1): 1})
    with moving(source.address, target.address, topic, groups=["moved-on"]) as moved:
        target.commit("moved-on", {(topic, 0): 9})
        source.commit("moved-on", {(topic, 0): 5, (topic, 1): 2})
        passed = moved.pass_again()
    assert passed.groups[0].ahead == (TopicPartition(topic, 0),)
    assert target.committed("moved-on") == {(topic, 0): 9, (topic, 1): 2}


def test_move_of_groups__group_of_topics_that_are_not_moved__not_moved(
    source: Broker, target: Broker, topic: str
) -> None:
    source.create_topic(f"{topic}-other")
    source.commit("elsewhere", {(f"{topic}-other", 0): 0})
    passed = move(source.address, target.address, topic, groups=["elsewhere"])
    assert passed.groups == []
