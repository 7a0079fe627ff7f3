"""Crashes of a groups shard: its log is compacted at times, and a crash loses what was not synced.

After each step of a history, the test checks these invariants of the state that a crash would leave:

AckedOffsetSurvives: an acknowledged offset is still committed, or a later one.
ReplayEqualsLive: the state loaded from the log, compacted or not, equals the state before the crash.
PrefixRecovery: the log ends at the end of a batch, and contains everything that was synced.
"""

import random
from collections.abc import Callable

import pytest

from tenure.coordinator.groups.answers import Committed
from tenure.coordinator.groups.commands import CommitOffsets, DeleteGroup, JoinGroup, OffsetToCommit
from tenure.coordinator.groups.settings import GroupSettings
from tenure.coordinator.groups.shard import GroupsShard
from tenure.coordinator.shard import AskId, Now
from tenure.protocol.batches import read_batches
from tenure.protocol.types import ZERO_TOPIC_ID
from tenure.runtime.codecs import GroupsCodec
from tenure.runtime.host import Host, HostState
from tenure.storage.compaction.compaction import compact
from tenure.storage.compaction.compaction_filter import CompactionFilter
from tenure.storage.data_directory import DataDirectory
from tenure.storage.log.partition import Partition
from tenure.storage.log.settings import Durability, LogSettings
from tests.forgetful import ForgetfulDisk
from tests.storage.test_compaction import ALIVE, Crash, FailingFiles

SETTINGS = LogSettings(segment_bytes=600, index_interval_bytes=200, compacts=True, deletes=False)
STEPS = 60
RANDOM_BYTES: Callable[[int], bytes] = lambda count: bytes(range(count))  # noqa: E731
WALL_MS = 1_700_000_000_000


class CrashingHost:
    def __init__(self, seed: int) -> None:
        self.rng = random.Random(seed)
        self.disk = ForgetfulDisk()
        self.history: dict[int, bytes] = {}
        """Every batch of the log, by the offset after it."""
        self.acked: dict[tuple[str, int], int] = {}
        """Highest acknowledged position of each group and partition since the group was deleted."""
        self.asked: dict[int, tuple[str, int, int]] = {}
        self.crashes = self.compactions = self.commits = 0
        self.first_dirty = 0
        self.now = Now(WALL_MS, 1_000)
        self.open()

    def open(self) -> None:
        self.files = FailingFiles(self.disk)
        directory = DataDirectory.open("/data", files=self.files)
        self.partition = Partition.open(directory, "__consumer_offsets-0", SETTINGS, durability=Durability.FSYNC)
        self.host = Host(lambda: GroupsShard(GroupSettings(), RANDOM_BYTES), GroupsCodec())
        self.host.load(self.log(), self.now)
        assert self.host.state is HostState.ACTIVE

    def log(self) -> list[bytes]:
        chunks, offset = [], self.partition.log_start_offset
        while data := self.partition.read(offset, 500):
            chunks.append(data)
            offset = list(read_batches(data))[-1].last_offset + 1
        return chunks

    def step(self, number: int) -> None:
        self.now = Now(self.now.wall_ms + 100, self.now.tick_ms + 100)
        for _ in range(self.rng.randint(1, 3)):
            self.ask(number)
        ready = self.host.turn(self.now)
        if ready is not None and ready.batch is not None:
            appended = self.partition.append(ready.batch, now_ms=self.now.wall_ms, is_own=True)
            batch = bytearray(ready.batch)
            batch[:8] = appended.base_offset.to_bytes(8, "big")
            self.history[appended.last_offset + 1] = bytes(batch)
            self.host.appended(appended.last_offset)
        if self.rng.random() < 0.6:
            self.host.durable(self.partition.sync())
        for ask, answer in self.host.take_replies():
            self.receive(ask, answer)

    def ask(self, number: int) -> None:
        group, partition, offset = f"g{self.rng.randrange(3)}", self.rng.randrange(3), number
        ask = AskId(len(self.asked) + 1)
        kind = self.rng.random()
        self.asked[ask] = (group, partition if kind < 0.8 else -1, offset)
        if kind < 0.8:
            commit = [OffsetToCommit("t", ZERO_TOPIC_ID, partition, offset, -1, "")]
            self.host.submit(ask, CommitOffsets(group, "", None, -1, commit))
        elif kind < 0.9:
            self.acked = {key: acked for key, acked in self.acked.items() if key[0] != group}
            self.host.submit(ask, DeleteGroup(group))
        else:
            seat = f"web-{self.rng.randrange(2)}"
            self.host.submit(
                ask, JoinGroup("joined", "", seat, "c", "/h", 30_000, 60_000, "consumer", [("range", b"")])
            )

    def receive(self, ask: int, answer: object) -> None:
        group, partition, offset = self.asked[ask]
        if isinstance(answer, Committed) and partition >= 0:
            self.commits += 1
            deleted_since = any(
                later > ask and where[0] == group and where[1] == -1 for later, where in self.asked.items()
            )
            if not deleted_since:
                self.acked[group, partition] = offset

    def compact(self) -> None:
        self.files.left = self.rng.choice((None, self.rng.randrange(20)))
        memory_bytes = self.rng.choice((1 << 20, 800))
        try:
            done = compact(
                self.partition, self.first_dirty, self.now.wall_ms, memory_bytes=memory_bytes, throttle=ALIVE
            )
            self.first_dirty = done.first_dirty_offset
            self.compactions += 1
        except Crash:
            self.disk = self.crashed()
            self.recover()
        self.files.left = None

    def crashed(self) -> ForgetfulDisk:
        kept = self.rng.choice((0.0, self.rng.random(), 1.0))
        return self.disk.crash(lambda tail: int(tail * kept), names_survive=self.rng.random() < 0.5)

    def recover(self) -> None:
        """Start the process again on the disk that the crash left, and continue."""
        durable = self.partition.durable_offset
        self.crashes += 1
        self.open()
        end = self.partition.log_end_offset
        assert end >= durable
        assert end in self.history or end == 0
        self.history = {until: batch for until, batch in self.history.items() if until <= end}
        self.first_dirty = min(self.first_dirty, self.partition.segments.active.base_offset)
        assert self.host.shard.digest() == self.replayed().digest()
        positions = self.host.shard.digest()[1]
        for (group, partition), offset in self.acked.items():
            assert positions[group]["t", partition].offset >= offset, "an acknowledged position is gone"
        self.partition.begin_leader_epoch()

    def replayed(self) -> GroupsShard:
        host = Host(lambda: GroupsShard(GroupSettings(), RANDOM_BYTES), GroupsCodec())
        host.load([batch for _, batch in sorted(self.history.items())], self.now)
        return host.shard

    def check_boundary(self) -> None:
        """Check the state that a crash would leave now, without crashing."""
        kept = self.disk, self.partition, self.host, self.files, dict(self.history), self.first_dirty
        self.disk = self.crashed()
        self.recover()
        self.disk, self.partition, self.host, self.files, self.history, self.first_dirty = kept


@pytest.mark.long
@pytest.mark.parametrize("seed", range(8))
def test_crash__at_every_step_of_a_history_with_compactions__no_acknowledged_commit_lost(seed: int) -> None:
    print("seed", seed, "steps", STEPS)
    crashing = CrashingHost(seed)
    for number in range(1, STEPS + 1):
        crashing.step(number)
        if crashing.rng.random() < 0.15:
            crashing.compact()
        crashing.check_boundary()
        if crashing.partition.durable_offset == crashing.partition.log_end_offset:
            assert crashing.host.shard.digest()[1] == crashing.replayed().digest()[1], (
                "what lived is not what was written"
            )
    assert crashing.crashes > STEPS - 1
    assert crashing.compactions >= 1
    assert crashing.commits > STEPS // 3


def test_broken_rule__compaction_removes_the_newest_records__lost_commits_are_detected(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(CompactionFilter, "_stays", lambda *_: False)
    with pytest.raises((AssertionError, KeyError)):
        test_crash__at_every_step_of_a_history_with_compactions__no_acknowledged_commit_lost(1)
