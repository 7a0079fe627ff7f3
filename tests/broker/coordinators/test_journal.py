"""Failures of the journal's topic, which do not affect groups."""

import asyncio
import json
from pathlib import Path

from tenure.broker.broker import Broker
from tenure.broker.config import keys
from tenure.broker.config.listener import Address
from tenure.broker.config.settings import Settings
from tenure.broker.requests.context import Context
from tenure.coordinator.answers import Refused
from tenure.coordinator.groups.answers import Joined, Synced
from tenure.coordinator.groups.commands import JoinGroup, SyncGroup
from tenure.protocol.batches import decode_records, read_batches
from tenure.protocol.coordinator_logs.partition import partition_of
from tenure.protocol.errors import ErrorCode
from tenure.protocol.messages import DeleteTopicsRequest, DeleteTopicState, FetchPartition, FetchRequest, FetchTopic
from tenure.protocol.types import PartitionId, TopicName
from tenure.storage.data_directory import DataDirectory
from tests.broker.handlers.test_groups import join_and_sync
from tests.broker.monitoring.test_metrics import join_request
from tests.broker.wire import Wire
from tests.forgetful import ForgetfulDisk, ForgetfulFiles
from tests.serving import serving

JOURNAL = TopicName("__tenure_journal")
JOIN = JoinGroup("g", "", "web-1", "client", "/h", 10_000, 60_000, "consumer", [("range", b"")])
PATIENCE_S = 30.0


def entries(wire: Wire) -> list[dict[str, object]]:
    """Return the entries of the topic; wait a little for the first one."""
    partition = FetchPartition(partition=PartitionId(0), fetch_offset=0, partition_max_bytes=1 << 20)
    request = FetchRequest(
        max_wait_ms=100, min_bytes=1, max_bytes=1 << 20, topics=[FetchTopic(JOURNAL, b"", [partition])]
    )
    answer = wire.ask(request, 12).responses[0].partitions[0]
    if answer.error_code == ErrorCode.UNKNOWN_TOPIC_OR_PARTITION:
        return []
    assert answer.error_code == ErrorCode.NONE
    records = [record for batch in read_batches(answer.records or b"") for record in decode_records(batch)]
    return [json.loads(record.value or b"") for record in records]


def wait_for(wire: Wire, group: str, outcome: str) -> None:
    while not any(entry["group_id"] == group and entry.get("outcome") == outcome for entry in entries(wire)):
        pass


def test_journal_topic__deleted_by_an_operator__created_again_by_the_next_entry(tmp_path: Path) -> None:
    with serving(tmp_path) as broker, Wire(broker) as wire:
        join_and_sync(wire, "before")
        wait_for(wire, "before", "stable")
        deleted = wire.ask(DeleteTopicsRequest(topics=[DeleteTopicState(JOURNAL)]))
        assert deleted.responses[0].error_code == ErrorCode.NONE
        assert entries(wire) == []
        join_and_sync(wire, "after")
        wait_for(wire, "after", "stable")
        assert {entry["group_id"] for entry in entries(wire)} == {"after"}


def test_journal_topic__not_writable__logged_once_and_groups_continue(tmp_path: Path) -> None:
    with serving(tmp_path) as broker, Wire(broker) as wire:
        (tmp_path / "broker" / f"{JOURNAL}-0").write_text("in the way")
        for number in range(3):
            join_and_sync(wire, f"unharmed-{number}")
        broker.terminate()
        assert (
            broker.log.count(
                "rebalance journal: new entries are lost as long as the topic __tenure_journal cannot be written"
            )
            == 1
        )
        assert "a bug in the broker" not in broker.log


def test_journal__broker_stopped_during_a_rebalance__entry_written_before_the_broker_ends(tmp_path: Path) -> None:
    with serving(tmp_path) as broker:
        with Wire(broker) as wire:
            member_id = join_and_sync(wire, "stopped")
            wire.ask(join_request("stopped", member_id))  # the leader joins again, and then sends no SyncGroup
        broker.restart()
        with Wire(broker) as wire:
            wait_for(wire, "stopped", "resigned")


def test_disk__fails_while_a_member_restarts__rebalance_that_was_not_stored_is_not_in_the_journal() -> None:
    async def run() -> None:
        disk = ForgetfulDisk()
        directory = DataDirectory.open("/data", files=ForgetfulFiles(disk))
        settings = Settings({keys.GROUP_INITIAL_REBALANCE_DELAY_MS.name: 0})
        broker = Broker(Context(settings, directory, Address("127.0.0.1", 9), asyncio.get_running_loop()))
        await broker.start()
        journal = broker.context.journal
        seat = await ask(broker, JOIN)
        assert isinstance(seat, Joined)
        sync = SyncGroup("g", seat.member_id, "web-1", 1, "consumer", "range", {seat.member_id: b""})
        assert isinstance(await ask(broker, sync), Synced)
        await journal.wait_until_written(PATIENCE_S)
        assert (journal.entries_written, journal.entries_lost) == (2, 0)

        disk.fails_to_sync = True
        assert await ask(broker, JOIN) == Refused(ErrorCode.NOT_COORDINATOR)
        await journal.wait_until_written(PATIENCE_S)
        assert (journal.entries_written, journal.entries_lost) == (2, 1)

        disk.fails_to_sync = False
        loaded = asyncio.Event()
        broker.context.groups.shard(partition_of("g", 50)).when_loaded(loaded.set)
        await loaded.wait()
        assert isinstance(await ask(broker, JOIN), Joined)
        await journal.wait_until_written(PATIENCE_S)
        assert (journal.entries_written, journal.entries_lost) == (3, 1)
        await broker.answer_parked()
        directory.close(clean=broker.close())

    asyncio.run(run())


async def ask(broker: Broker, command: JoinGroup | SyncGroup) -> object:
    answered: asyncio.Future[object] = asyncio.get_running_loop().create_future()
    broker.context.groups.ask(command.group_id, command, answered.set_result)
    return await answered
