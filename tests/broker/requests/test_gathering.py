"""Requests to several shards: all answers come in order, and other requests run in between."""

import asyncio
from collections.abc import Callable
from typing import Any, cast

import pytest

from tenure.broker.loop import schedule
from tenure.broker.requests.route import Gathering, OneByOne
from tenure.protocol.messages import (
    ConsumerGroupDescribeRequest,
    DeleteGroupsRequest,
    DescribeGroupsRequest,
    DescribeTransactionsRequest,
    OffsetFetchRequest,
)
from tenure.testing import Broker
from tests.broker.wire import Wire
from tests.wire import Wire as PlainWire

COUNT = 1_001


class Unguarded:
    """Substitute of a request, whose callbacks may fail."""

    @staticmethod
    def callback(then: Callable[..., None]) -> Callable[..., None]:
        return then


def test_gathering__many_requests_to_shards__one_sent_in_each_step_and_answers_in_order() -> None:
    told: list[list[object]] = []
    asked: list[int] = []

    def ask(index: int, slot: Callable[[object], None]) -> None:
        asked.append(index)
        slot(-index)

    for step, _ in enumerate(Gathering(COUNT, told.append).ask_each(ask)):
        assert asked == list(range(step + 1))
    assert told == [[-index for index in range(COUNT)]]


def test_gathering__no_requests_to_shards__empty_list_of_answers() -> None:
    told: list[list[object]] = []
    steps = Gathering(0, told.append).ask_each(lambda _index, _slot: None)
    assert told == []
    assert [*steps, *told] == [[]]


def test_one_by_one__many_requests_to_shards__each_sent_after_the_answer_to_the_one_before() -> None:
    async def run() -> None:
        loop = asyncio.get_running_loop()
        told: asyncio.Future[list[object]] = loop.create_future()
        under_way = 0

        def ask(index: int, slot: Callable[[object], None]) -> None:
            nonlocal under_way
            under_way += 1
            assert under_way == 1
            loop.call_soon(answer, index, slot)

        def answer(index: int, slot: Callable[[object], None]) -> None:
            nonlocal under_way
            under_way -= 1
            slot(-index)

        OneByOne(loop, cast("Any", Unguarded), COUNT, ask, told.set_result)
        assert await told == [-index for index in range(COUNT)]

    asyncio.run(run())


def test_describe_groups__a_thousand_groups__answers_in_order(wire: Wire) -> None:
    names = [f"nobody-{number}" for number in range(COUNT)]
    answer = wire.ask(DescribeGroupsRequest(groups=names))
    assert [group.group_id for group in answer.groups] == names


def test_requests_with_an_empty_list__time_budget_of_the_turn_is_spent__answered(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(schedule, "SCHEDULE_BUDGET_S", 0.0)
    with Broker() as broker:
        host, port = broker.address.split(":")
        with PlainWire(host, int(port)) as wire:
            assert wire.ask(ConsumerGroupDescribeRequest(), 1).groups == []
            assert wire.ask(DeleteGroupsRequest(), 2).results == []
            assert wire.ask(DescribeGroupsRequest(), 5).groups == []
            assert wire.ask(DescribeTransactionsRequest(), 0).transaction_states == []
            assert wire.ask(OffsetFetchRequest(), 9).groups == []
