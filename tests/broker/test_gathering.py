"""One request, many asks: all are answered in their order, and others have their turns meanwhile."""

import asyncio
from collections.abc import Callable

from tenure.broker.route import Gathering
from tenure.limits import ASKS_PER_TURN_MAX
from tenure.protocol.messages import DescribeGroupsRequest
from tests.broker.wire import Wire

COUNT = 2 * ASKS_PER_TURN_MAX + 1


def test_gathering__more_asks_than_a_turn_may_have__others_are_served_between() -> None:
    async def run() -> None:
        loop = asyncio.get_running_loop()
        told: asyncio.Future[list[object]] = loop.create_future()
        asked: list[int] = []
        asked_when_others_were_served: list[int] = []

        def ask(index: int, slot: Callable[[object], None]) -> None:
            asked.append(index)
            slot(-index)

        Gathering(COUNT, told.set_result).ask_each(loop, ask)
        while not told.done():
            asked_when_others_were_served.append(len(asked))
            await asyncio.sleep(0)
        assert asked == list(range(COUNT))
        assert told.result() == [-index for index in range(COUNT)]
        assert asked_when_others_were_served[:2] == [ASKS_PER_TURN_MAX, 2 * ASKS_PER_TURN_MAX]

    asyncio.run(run())


def test_describe_groups__a_thousand_groups__each_told_in_its_place(wire: Wire) -> None:
    names = [f"nobody-{number}" for number in range(COUNT)]
    answer = wire.ask(DescribeGroupsRequest(groups=names))
    assert [group.group_id for group in answer.groups] == names
