"""One request, many asks: all are answered in their order, and others have their turns meanwhile."""

import asyncio
from collections.abc import Callable

from tenure.broker.requests.route import Gathering, OneByOne
from tenure.protocol.messages import DescribeGroupsRequest
from tests.broker.wire import Wire

COUNT = 1_001


def test_gathering__many_asks__one_in_each_step() -> None:
    told: list[list[object]] = []
    asked: list[int] = []

    def ask(index: int, slot: Callable[[object], None]) -> None:
        asked.append(index)
        slot(-index)

    for step, _ in enumerate(Gathering(COUNT, told.append).ask_each(ask)):
        assert asked == list(range(step + 1))
    assert told == [[-index for index in range(COUNT)]]


def test_one_by_one__many_asks__each_begins_when_the_last_is_answered() -> None:
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

        OneByOne(loop, COUNT, ask, told.set_result)
        assert await told == [-index for index in range(COUNT)]

    asyncio.run(run())


def test_describe_groups__a_thousand_groups__each_told_in_its_place(wire: Wire) -> None:
    names = [f"nobody-{number}" for number in range(COUNT)]
    answer = wire.ask(DescribeGroupsRequest(groups=names))
    assert [group.group_id for group in answer.groups] == names
