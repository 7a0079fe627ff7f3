"""A groups shard whose disk fails: its state is dropped, the failure is logged, and the log is loaded again."""

import asyncio
import threading
from collections.abc import Callable
from typing import Any

import pytest

from tenure.broker.coordinators.served_shard import ServedShard
from tenure.broker.logs.served_log import ServedLog
from tenure.broker.loop.clock import LoopClock
from tenure.broker.loop.turn import Turn
from tenure.coordinator.answers import Refused
from tenure.coordinator.groups.answers import Committed, Fetched
from tenure.coordinator.groups.commands import CommitOffsets, FetchOffsets, OffsetToCommit
from tenure.coordinator.groups.settings import GroupSettings
from tenure.coordinator.groups.shard import GroupsShard
from tenure.coordinator.shard import InvariantError
from tenure.protocol.batches import encode_batch
from tenure.protocol.coordinator_logs.consumer_offsets import (
    OffsetCommitKey,
    OffsetCommitValue,
    encode_key,
    encode_value,
)
from tenure.protocol.errors import ErrorCode
from tenure.protocol.records import Record
from tenure.protocol.types import ZERO_TOPIC_ID
from tenure.runtime.codecs import GroupsCodec
from tenure.runtime.host import Host, HostState
from tenure.storage.data_directory import DataDirectory
from tenure.storage.log.partition import Partition
from tenure.storage.log.settings import Durability, LogSettings
from tenure.storage.sync_pool import SyncPool
from tests.forgetful import ForgetfulDisk, ForgetfulFiles, Inode

NAME = "__consumer_offsets-0"
SETTINGS = LogSettings(segment_bytes=220, deletes=False, compacts=True)
RANDOM_BYTES: Callable[[int], bytes] = lambda count: bytes(range(count))  # noqa: E731


class FaultyShard(GroupsShard):
    """Shard with a bug: one record of its log raises an error."""

    __slots__ = ()

    def apply(self, record: object) -> None:
        if getattr(getattr(record, "key", None), "group", "") == "trap":
            raise InvariantError("the trap went off")
        super().apply(record)


class Coordinator:
    def __init__(self, disk: ForgetfulDisk, new_shard: type[GroupsShard] = GroupsShard) -> None:
        loop = asyncio.get_running_loop()
        directory = DataDirectory.open("/data", files=ForgetfulFiles(disk))
        self.partition = Partition.open(directory, NAME, SETTINGS, durability=Durability.FSYNC)
        self.pool = SyncPool(2)
        self.log = ServedLog(self.partition, loop, self.pool)
        host = Host(lambda: new_shard(GroupSettings(), RANDOM_BYTES), GroupsCodec())
        self.shard = ServedShard(
            "groups", host, self.log, Turn(loop, LoopClock(loop)), lambda work: loop.run_in_executor(None, work)
        )
        self.shard.load()

    async def ask(self, command: object) -> Any:
        answered: asyncio.Future[Any] = asyncio.get_running_loop().create_future()
        self.shard.ask(command, answered.set_result)
        return await answered

    async def commit(self, offset: int, group_id: str = "g") -> Any:
        offsets = [OffsetToCommit("t", ZERO_TOPIC_ID, 0, offset, -1, "")]
        return await self.ask(CommitOffsets(group_id, "", None, -1, offsets))

    async def committed(self) -> int:
        answer = await self.ask(FetchOffsets("g", None))
        assert isinstance(answer, Fetched)
        return answer.topics[0].partitions[0].offset

    async def until_active(self) -> None:
        while self.shard.host.state is HostState.LOADING:
            loaded = asyncio.Event()
            self.shard.when_loaded(loaded.set)
            await loaded.wait()
        assert self.shard.host.state is HostState.ACTIVE


def refused(error_code: ErrorCode) -> Refused:
    return Refused(error_code)


def test_sync_of_the_log__fails_during_a_commit__commit_refused_and_log_loaded_again_in_a_new_epoch() -> None:
    async def run() -> None:
        disk = ForgetfulDisk()
        coordinator = Coordinator(disk)
        assert await coordinator.commit(1) == Committed()
        disk.fails_to_sync = True
        assert await coordinator.commit(2) == refused(ErrorCode.NOT_COORDINATOR)
        assert await coordinator.commit(3) == refused(ErrorCode.COORDINATOR_LOAD_IN_PROGRESS)
        disk.fails_to_sync = False
        await coordinator.until_active()
        assert await coordinator.committed() == 1
        assert await coordinator.commit(4) == Committed()
        assert coordinator.partition.leader_epoch == 1
        coordinator.pool.close()
        again = Coordinator(disk.crash())
        assert await again.committed() == 4
        again.pool.close()

    asyncio.run(run())


class ExhaustedDisk(ForgetfulDisk):
    """Disk in a process without memory: a write raises MemoryError."""

    is_exhausted = False

    def reserve_bytes(self, size: int) -> int:
        if self.is_exhausted:
            raise MemoryError
        return super().reserve_bytes(size)


def test_append__out_of_memory__commit_refused_and_next_one_accepted_after_a_reload() -> None:
    async def run() -> None:
        disk = ExhaustedDisk()
        coordinator = Coordinator(disk)
        assert await coordinator.commit(1) == Committed()
        disk.is_exhausted = True
        assert await coordinator.commit(2) == refused(ErrorCode.NOT_COORDINATOR)
        disk.is_exhausted = False
        await coordinator.until_active()
        assert await coordinator.committed() == 1
        assert await coordinator.commit(3) == Committed()
        coordinator.pool.close()

    asyncio.run(run())


class ExhaustedLock:
    """Lock in a process without memory: the first attempt to lock it raises MemoryError."""

    def __init__(self) -> None:
        self.attempts = 0
        self._lock = threading.Lock()

    def __enter__(self) -> None:
        self.attempts += 1
        if self.attempts == 1:
            raise MemoryError
        self._lock.acquire()

    def __exit__(self, *_: object) -> None:
        self._lock.release()


def test_sync_of_the_log__out_of_memory_before_it_begins__repeated_and_commit_accepted() -> None:
    async def run() -> None:
        disk = ForgetfulDisk()
        coordinator = Coordinator(disk)
        lock = ExhaustedLock()
        coordinator.partition._sync_lock = lock  # type: ignore[assignment]
        assert await asyncio.wait_for(coordinator.commit(1), 60) == Committed()
        assert lock.attempts > 1
        coordinator.pool.close()
        again = Coordinator(disk.crash())
        assert await again.committed() == 1
        again.pool.close()

    asyncio.run(run())


def test_append__disk_full__commit_refused_and_accepted_once_the_disk_has_space() -> None:
    async def run() -> None:
        disk = ForgetfulDisk()
        coordinator = Coordinator(disk)
        assert await coordinator.commit(1) == Committed()
        disk.free_bytes = 10
        assert await coordinator.commit(2) == refused(ErrorCode.NOT_COORDINATOR)
        await coordinator.until_active()
        assert await coordinator.committed() == 1
        disk.free_bytes = None
        assert await coordinator.commit(3) == Committed()
        coordinator.pool.close()

    asyncio.run(run())


def test_append__disk_full_for_several_commits__each_problem_logged_once_and_its_end_once(caplog: Any) -> None:
    async def run() -> None:
        disk = ForgetfulDisk()
        coordinator = Coordinator(disk)
        disk.free_bytes = 10
        for offset in range(5):
            await coordinator.until_active()
            assert await coordinator.commit(offset) == refused(ErrorCode.NOT_COORDINATOR)
        await coordinator.until_active()
        disk.free_bytes = None
        assert await coordinator.commit(5) == Committed()
        coordinator.pool.close()

    asyncio.run(run())
    assert caplog.text.count("writes are refused until the disk has space") == 1
    assert caplog.text.count("requests are refused until its log is read again") == 1
    assert caplog.text.count(f"partition {NAME}: the disk has space again, writes are accepted") == 1


def test_append__disk_full_for_several_commits__log_loaded_again_once_and_reads_continue() -> None:
    async def run() -> None:
        disk = ForgetfulDisk()
        coordinator = Coordinator(disk)
        assert await coordinator.commit(1) == Committed()
        loads: list[None] = []
        coordinator.shard.on_loaded = lambda: loads.append(None)
        for offset in range(5):
            disk.free_bytes = 10
            assert await coordinator.commit(offset) == refused(ErrorCode.NOT_COORDINATOR)
            await coordinator.until_active()
            assert await coordinator.committed() == 1
        disk.free_bytes = None
        assert await coordinator.commit(5) == Committed()
        assert len(loads) == 1
        assert await coordinator.committed() == 5
        coordinator.pool.close()
        again = Coordinator(disk.crash())
        assert await again.committed() == 5
        assert again.partition.truncation is None
        again.pool.close()

    asyncio.run(run())


def test_append__disk_has_space_again_but_no_requests_come__log_accepts_writes() -> None:
    async def run() -> None:
        disk = ForgetfulDisk()
        coordinator = Coordinator(disk)
        disk.free_bytes = 10
        assert await coordinator.commit(1) == refused(ErrorCode.NOT_COORDINATOR)
        await coordinator.until_active()
        assert coordinator.log.is_full
        disk.free_bytes = None
        async with asyncio.timeout(60):
            while coordinator.shard.host.log_refuses is not None:
                await asyncio.sleep(0.01)
        assert not coordinator.log.is_full
        coordinator.pool.close()

    asyncio.run(run())


class SlowDisk(ForgetfulDisk):
    """Disk whose syncs end when the test releases them."""

    def __init__(self) -> None:
        super().__init__()
        self.began = threading.Event()
        self.may_end = threading.Event()
        self.may_end.set()

    def sync_file(self, inode: Inode) -> None:
        self.began.set()
        self.may_end.wait()
        super().sync_file(inode)


def test_append__fails_while_an_earlier_record_is_not_synced__waiting_commits_refused() -> None:
    async def run() -> None:
        disk = SlowDisk()
        coordinator = Coordinator(disk)
        assert await coordinator.commit(1) == Committed()
        disk.began.clear()
        disk.may_end.clear()
        commits = [asyncio.create_task(coordinator.commit(2))]
        await asyncio.to_thread(disk.began.wait)
        commits.append(asyncio.create_task(coordinator.commit(3)))  # appended, but not part of the sync in progress
        while coordinator.partition.log_end_offset < 3:
            await asyncio.sleep(0)
        disk.free_bytes, disk.fails_to_truncate = 10, True
        commits.append(asyncio.create_task(coordinator.commit(4)))
        while not coordinator.partition.has_failed:
            await asyncio.sleep(0)
        disk.free_bytes, disk.fails_to_truncate = None, False
        disk.may_end.set()
        assert await asyncio.gather(*commits) == [refused(ErrorCode.NOT_COORDINATOR)] * 3
        await coordinator.until_active()
        assert await coordinator.committed() == 2
        assert await coordinator.commit(5) == Committed()
        coordinator.pool.close()

    asyncio.run(run())


def on_disk(*batches: bytes) -> ForgetfulDisk:
    """Return a disk with a log as a clean stop leaves it: the next start checks none of its batches."""
    disk = ForgetfulDisk()
    directory = DataDirectory.open("/data", files=ForgetfulFiles(disk))
    partition = Partition.open(directory, NAME, SETTINGS, durability=Durability.FSYNC)
    for batch in batches:
        partition.append(batch, now_ms=0, is_own=True)
    partition.close()
    directory.close()
    return disk


def commit_record(offset: int, group: str = "g") -> bytes:
    key, value = encode_key(OffsetCommitKey(group, "t", 0)), encode_value(OffsetCommitValue(offset), 4)
    return encode_batch([Record(0, 0, key, value)])


def test_load_of_a_log__damaged_in_the_middle__intact_records_loaded_and_loss_logged(caplog: Any) -> None:
    async def run() -> None:
        disk = on_disk(commit_record(1), commit_record(2), commit_record(3))
        size = len(commit_record(1))
        disk.file(f"/data/{NAME}/{0:020}.log").content[size + 70] ^= 0xFF
        coordinator = Coordinator(disk)
        await coordinator.until_active()
        assert await coordinator.committed() == 3
        assert await coordinator.commit(4) == Committed()
        coordinator.pool.close()

    asyncio.run(run())
    assert "the batch at byte 104 fails its checksum; 104 bytes, offset 1 is missing" in caplog.text


@pytest.mark.parametrize(
    ("damaged_at", "names"),
    [
        (-1, "group b (t-0), group c (t-0)"),  # in a value
        (30, "group b (t-0), group c (t-0)"),  # in the batch's timestamp
        (22, "keys that cannot be read any more"),  # in the number of the codec
    ],
)
def test_load_of_a_log__batch_damaged__groups_with_missing_commits_are_logged(
    caplog: Any, damaged_at: int, names: str
) -> None:
    async def run() -> None:
        two = [
            Record(0, 0, encode_key(OffsetCommitKey(g, "t", 0)), encode_value(OffsetCommitValue(1), 4)) for g in "bc"
        ]
        disk = on_disk(commit_record(1), encode_batch(two), commit_record(2))
        disk.file(f"/data/{NAME}/{1:020}.log").content[damaged_at] ^= 7
        coordinator = Coordinator(disk)
        await coordinator.until_active()
        assert await coordinator.committed() == 2
        coordinator.pool.close()

    asyncio.run(run())
    told = f"shard (groups): offsets 1 to 2 are missing; records of {names} are lost, the broker continues"
    assert caplog.text.count(told) == 1


def test_load_of_a_log__unreadable_record__shard_is_down_and_log_not_truncated(caplog: Any) -> None:
    async def run() -> None:
        unreadable = encode_batch([Record(0, 0, encode_key(OffsetCommitKey("g", "t", 0)), b"\x00\x63")])
        disk = on_disk(commit_record(1), unreadable, commit_record(3))
        coordinator = Coordinator(disk)
        assert await coordinator.commit(4) == Committed(), "a newer record of its key makes it irrelevant"
        coordinator.pool.close()
        disk = on_disk(commit_record(1, "h"), unreadable)
        coordinator = Coordinator(disk)
        assert await coordinator.commit(2) == refused(ErrorCode.NOT_COORDINATOR)
        assert coordinator.partition.log_end_offset == 2
        coordinator.pool.close()

    asyncio.run(run())
    assert "the record at offset 1 cannot be read" in caplog.text


def test_load_of_a_log__record_breaks_an_invariant__shard_is_down_and_offset_is_logged(caplog: Any) -> None:
    async def run() -> None:
        coordinator = Coordinator(on_disk(commit_record(1), commit_record(2, "trap")), FaultyShard)
        assert await coordinator.commit(3) == refused(ErrorCode.COORDINATOR_NOT_AVAILABLE)
        coordinator.pool.close()

    asyncio.run(run())
    assert "the record at offset 1 does not fit" in caplog.text


def test_exception_in_a_rule__twice_while_a_record_is_applied__shard_reloaded_once_and_then_down() -> None:
    async def run() -> None:
        coordinator = Coordinator(ForgetfulDisk(), FaultyShard)
        assert await coordinator.commit(1, "trap") == refused(ErrorCode.COORDINATOR_NOT_AVAILABLE)
        await coordinator.until_active()
        assert await coordinator.commit(1) == Committed()
        assert await coordinator.commit(1, "trap") == refused(ErrorCode.COORDINATOR_NOT_AVAILABLE)
        assert coordinator.shard.host.state is HostState.DOWN
        assert await coordinator.commit(2) == refused(ErrorCode.COORDINATOR_NOT_AVAILABLE)
        coordinator.pool.close()

    asyncio.run(run())


def test_load_of_a_log__long_log__runs_on_a_thread_and_requests_get_loading_errors() -> None:
    async def run() -> None:
        record = Record(
            0, 0, encode_key(OffsetCommitKey("g", "t", 0)), encode_value(OffsetCommitValue(7, -1, "m" * 4000), 4)
        )
        coordinator = Coordinator(on_disk(*[encode_batch([record] * 100) for _ in range(10)]))
        assert coordinator.partition.size_bytes > 1 << 20
        assert coordinator.shard.host.state is HostState.LOADING
        assert await coordinator.commit(8) == refused(ErrorCode.COORDINATOR_LOAD_IN_PROGRESS)
        await coordinator.until_active()
        assert await coordinator.committed() == 7
        coordinator.pool.close()

    asyncio.run(run())
