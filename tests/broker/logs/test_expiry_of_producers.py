"""Expiry of unused producers happens in steps, so that no request waits for it."""

import asyncio
from pathlib import Path

import pytest

from tenure.broker import broker as module
from tenure.broker.broker import Broker
from tenure.broker.config.configuration import load_settings
from tenure.broker.config.listener import Address
from tenure.broker.requests.context import Context
from tenure.storage.data_directory import DataDirectory
from tests.broker.handlers.test_records import batch

PRODUCERS = 25
AT_ONCE = 10


def test_expire_producers__many_unused_producers__some_removed_in_each_turn(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "PRODUCERS_CHECKED_PER_TURN_MAX", AT_ONCE)
    left: list[int] = []

    async def run() -> None:
        settings, _ = load_settings(file=None, environment={}, flags=("producer.id.expiration.ms=1",))
        directory = DataDirectory.open(str(tmp_path))
        broker = Broker(Context(settings, directory, Address("127.0.0.1", 0), asyncio.get_running_loop()))
        await broker.start()
        served = next(iter(broker.context.logs.open.values()))
        for number in range(PRODUCERS):
            served.partition.append(batch("v", producer=(number, 0, 0)), now_ms=broker.context.wall_ms())
        producers = served.partition.producers.by_id
        broker._expire_producers()
        while left[-1:] != [len(producers)]:
            left.append(len(producers))
            await asyncio.sleep(0)
        directory.close(clean=broker.close())

    asyncio.run(run())
    assert left == [PRODUCERS - AT_ONCE + 1, PRODUCERS - 2 * AT_ONCE + 1, 0]
