"""Work on threads of a broker for groups: regular expressions, assignors of users, and assignment of large groups."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import pytest

from tenure.broker.config.server_assignors import server_assignors
from tenure.broker.config.start_error import StartError
from tenure.limits.coordinator import ASSIGNED_AT_ONCE_MAX
from tenure.protocol.errors import ErrorCode
from tenure.protocol.messages import ConsumerGroupHeartbeatRequest
from tenure.protocol.types import GroupId, MemberId
from tenure.testing import Broker
from tests.wire import Wire

OWN = "tests.broker.coordinators.own_assignors"
HEARTBEATS_MAX = 6_000
POLL_S = 0.01


@contextmanager
def served(settings: dict[str, Any] | None = None) -> Iterator[tuple[Broker, Wire]]:
    with Broker(settings) as broker:
        host, _, port = broker.address.rpartition(":")
        with Wire(host, int(port)) as wire:
            yield broker, wire


class Member:
    def __init__(self, wire: Wire, member_id: str, **says: Any) -> None:
        self._wire = wire
        self._who = {"group_id": GroupId("g"), "member_id": MemberId(member_id)}
        self._joins = {"rebalance_timeout_ms": 60_000, "topic_partitions": [], "subscribed_topic_names": None} | says
        self.epoch = 0
        self.partitions = 0

    def beat(self) -> Any:
        says = self._joins if self.epoch == 0 else {}
        answer = self._wire.ask(ConsumerGroupHeartbeatRequest(**self._who, member_epoch=self.epoch, **says))
        if answer.error_code == ErrorCode.NONE:
            self.epoch = answer.member_epoch
            if answer.assignment is not None:
                self.partitions = sum(len(topic.partitions) for topic in answer.assignment.topic_partitions)
        return answer

    def beat_until(self, holds: Callable[[Any], bool]) -> Any:
        """Send heartbeats until an answer meets a condition, because results of threads arrive at any time."""
        for _ in range(HEARTBEATS_MAX):
            answer = self.beat()
            if holds(answer):
                return answer
            self._wire.has_response(within_s=POLL_S)
        raise AssertionError(f"still {answer}, {self.partitions} partitions")


def test_regular_expression__matching_topics_exist_or_are_created_later__assigned() -> None:
    with served({"group.consumer.assignment.interval.ms": 0}) as (broker, wire):
        broker.create_topic("orders-eu", partitions=2)
        broker.create_topic("other")
        broker.stop_time()
        member = Member(wire, "A", subscribed_topic_regex="orders-.*")
        member.beat()
        assert member.partitions == 0
        member.beat_until(lambda _: member.partitions == 2)
        broker.create_topic("orders-us", partitions=3)
        broker.advance(10.001)
        member.beat_until(lambda _: member.partitions == 5)
        broker.restart_coordinator()
        member.beat()
        assert (member.epoch, member.partitions) == (4, 5)


def test_regular_expression__invalid__error_names_the_cause() -> None:
    with served() as (_, wire):
        refused = Member(wire, "A", subscribed_topic_regex="(a").beat()
        assert refused.error_code == ErrorCode.INVALID_REGULAR_EXPRESSION
        why = "SubscribedTopicRegex `(a` is not a valid regular expression: missing closing )."
        assert refused.error_message == why


def test_regular_expression__exponential_with_backtracking__resolved() -> None:
    """Resolve an expression that makes backtracking libraries try every division of 200 letters."""
    with served() as (broker, wire):
        broker.create_topic("a" * 200)
        broker.create_topic("a" * 200 + "b")
        member = Member(wire, "A", subscribed_topic_regex="(a+)+b")
        member.beat_until(lambda _: member.partitions == 1)


def test_large_group__assignment_computed_on_a_thread__members_get_their_partitions() -> None:
    """Assign a large group while the broker answers others; it stops cleanly during an assignment."""
    with served() as (broker, wire):
        for number in range(3):
            broker.create_topic(f"t{number}", partitions=ASSIGNED_AT_ONCE_MAX // 2)
        topics = [f"t{number}" for number in range(3)]
        one = Member(wire, "A", subscribed_topic_names=topics)
        assert one.beat().member_epoch == 1
        one.beat_until(lambda _: one.partitions == 3 * (ASSIGNED_AT_ONCE_MAX // 2))
        assert one.epoch == 2
        Member(wire, "B", subscribed_topic_names=topics).beat()


def test_custom_assignors__configured_at_the_broker__members_vote_for_one() -> None:
    listed = f"uniform,{OWN}:Broken,{OWN}:FirstTakesAll"
    with served({"group.consumer.assignors": listed, "group.consumer.assignment.interval.ms": 0}) as (broker, wire):
        broker.create_topic("t", partitions=4)
        first = Member(wire, "A", subscribed_topic_names=["t"], server_assignor="first-takes-all")
        second = Member(wire, "B", subscribed_topic_names=["t"])
        first.beat()
        second.beat()
        assert (first.partitions, second.partitions) == (4, 0)
        refused = Member(wire, "C", subscribed_topic_names=["t"], server_assignor="broken").beat()
        assert (
            refused.error_code == ErrorCode.UNKNOWN_SERVER_ERROR
        )  # each assignor has one vote, so the first configured one assigns
        assert refused.error_message.endswith("for epoch 4: RuntimeError: cannot share t")
        assert first.beat().error_code == ErrorCode.NONE
        stranger = Member(wire, "D", subscribed_topic_names=["t"], server_assignor="sticky").beat()
        assert stranger.error_code == ErrorCode.UNSUPPORTED_ASSIGNOR


@pytest.mark.parametrize(
    ("listed", "why"),
    [
        ("sticky", "names sticky, which is not one of uniform, range: write package.module:Name for your own"),
        ("uniform,uniform", "names two assignors uniform: give each a different name"),
        (",", "is empty: write uniform,range"),
        (
            f"{OWN}:NAMELESS",
            f"names {OWN}:NAMELESS, which is not an assignor: give it a string `name` and a method `assign`",
        ),
        (f"{OWN}:Missing", f"names {OWN}:Missing, which cannot be imported (AttributeError: "),
        ("tests.nowhere:Own", "names tests.nowhere:Own, which cannot be imported (ModuleNotFoundError: "),
    ],
)
def test_start__invalid_assignor_in_the_settings__refused(listed: str, why: str) -> None:
    with pytest.raises(StartError) as refused:
        server_assignors(listed)
    assert str(refused.value).startswith(f"group.consumer.assignors {why}")
