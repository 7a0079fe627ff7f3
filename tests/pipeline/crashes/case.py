"""One crash: an application is killed or suspended at a crash point, another one continues, and the result is checked.

Every case has a topic, a group and a directory of its own, so many can run at the same time.
"""

import json
import signal
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from random import Random

from tenure.admin import Admin
from tenure.client.producer.producer import Producer
from tenure.pipeline.values.lanes import Lane
from tenure.pipeline.values.manifest import Manifest
from tenure.values import TopicPartition
from tests.fork_server import PATIENCE_S, Child, ForkServer
from tests.pipeline.crashes.application import (
    BATCH_RECORDS,
    PARTITIONS,
    ApplicationSettings,
    committed_in,
    layout_of,
    partitions_of,
    topic_of,
)
from tests.pipeline.crashes.forgetful_directory import ForgetfulDirectory
from tests.pipeline.crashes.memberships import cache_of, copies_in
from tests.simulation.pipelines.counting import Record, Row
from tests.simulation.pipelines.invariants import (
    direct,
    orphans,
    output_is_direct,
    output_is_not_early,
    pointer_resolves,
    state_equals_fold,
)
from tests.topic_records import records_of

RECORDS = 30
"""Records of each partition before the crash: three batches."""
MORE_RECORDS = 7
LOOK_EVERY_S = 0.05
DECIDED = ("PrepareCommit", "PrepareAbort")


class Worker:
    """Application and the content of its event log."""

    def __init__(self, child: Child, event_log: Path) -> None:
        self.child = child
        self.event_log = event_log
        self.read: list[dict[str, str]] = []
        self.read_bytes = 0

    @property
    def new_events(self) -> list[dict[str, str]]:
        """Return the new complete lines of the event log."""
        if self.event_log.exists():
            with self.event_log.open("rb") as file:
                file.seek(self.read_bytes)
                whole, end, _ = file.read().rpartition(b"\n")
            self.read_bytes += len(whole) + len(end)
            self.read += [json.loads(line) for line in whole.splitlines()]
        return self.read

    @property
    def crash_points(self) -> list[str]:
        return [line["crash_point"] for line in self.new_events if "crash_point" in line]

    @property
    def was_disturbed(self) -> bool:
        """Return whether some of its work was repeated, or done by another application."""
        return any(line.get("step") in ("dropped", "revoked") for line in self.new_events)

    @property
    def ended(self) -> str:
        """Return the reason why it ended by itself; "" if it has not. Its threads may report more events afterwards."""
        return next((line["ended"] for line in reversed(self.new_events) if "ended" in line), "")

    @property
    def is_idle(self) -> bool:
        new_events = self.new_events
        return bool(new_events) and new_events[-1].get("step") == "idle"

    @property
    def account(self) -> str:
        ends = [line for line in self.new_events[:-8] if "ended" in line]
        return "\n".join(json.dumps(line) for line in (*ends, *self.new_events[-8:]))


class CrashCase:
    """Topic, group, directory and applications of one crash."""

    def __init__(
        self,
        address: str,
        group_protocol: str,
        name: str,
        directory: Path,
        fork_server: ForkServer,
        *,
        partitions: int = PARTITIONS,
        batch_records: int = BATCH_RECORDS,
        has_threads: bool = False,
        has_steps: bool = False,
    ) -> None:
        self.has_threads = has_threads
        self.has_steps = has_steps
        self.batch_records = batch_records
        self.address = address
        self.group_protocol = group_protocol
        self.name = name
        self.root = directory / name
        self.fork_server = fork_server
        self.files = ForgetfulDirectory(self.root)
        self.partitions: list[list[Record]] = [[] for _ in range(partitions)]
        self.workers: list[Worker] = []
        self.layout = layout_of(self.settings("nobody"))
        self.random = Random(1)  # All cases have the same records, and so the same crash points.

    def settings(
        self, instance_id: str, crash_point: str | None = None, number: int | None = None
    ) -> ApplicationSettings:
        event_log = self.root / f"event_log-{len(self.workers)}"
        return ApplicationSettings(
            self.address,
            self.name,
            self.group_protocol,
            instance_id,
            str(self.root),
            str(event_log),
            crash_point,
            number,
            partitions=len(self.partitions),
            batch_records=self.batch_records,
            has_threads=self.has_threads,
            has_steps=self.has_steps,
        )

    def produce(self, producer: Producer, count: int) -> None:
        for number, records in enumerate(self.partitions):
            for _ in range(count):
                self.send(producer, number, Record(f"k{number}-{self.random.randrange(7)}", len(records)))
        producer.flush()

    def send(self, producer: Producer, partition: int, record: Record) -> None:
        self.partitions[partition].append(record)
        producer.send(self.name, record.key.encode(), str(record.number).encode(), partition)

    def start(self, instance_id: str, crash_point: str | None = None, number: int | None = None) -> Worker:
        settings = self.settings(instance_id, crash_point, number)
        worker = Worker(self.fork_server.start(asdict(settings)), Path(settings.event_log))
        self.workers.append(worker)
        return worker

    # --- waiting ------------------------------------------------------------------------------------------------------

    def await_(self, what: str, is_so: Callable[[], bool], patience_s: float = PATIENCE_S) -> None:
        deadline_s = time.monotonic() + patience_s
        while not is_so():
            assert time.monotonic() < deadline_s, f"{what}: not within {patience_s:.0f} s\n{self.accounts}"
            for worker in self.workers:
                assert worker.ended in ("", "FENCED"), self.accounts
            time.sleep(LOOK_EVERY_S)

    def await_end(self, patience_s: float = PATIENCE_S) -> None:
        """Wait until everything is committed and the running applications are idle."""

        def is_over() -> bool:
            living = [worker for worker in self.workers if worker.child.is_alive]
            assert living, self.accounts
            return all(worker.is_idle for worker in living) and self.ends() == [len(each) for each in self.partitions]

        self.await_("the end", is_over, patience_s)

    def kill_all(self) -> None:
        for worker in self.workers:
            worker.child.send(signal.SIGKILL)
        for worker in self.workers:
            worker.child.wait()

    @property
    def accounts(self) -> str:
        return "\n".join(f"--- {worker.event_log.name}\n{worker.account}" for worker in self.workers)

    # --- checks -------------------------------------------------------------------------------------------------------

    def ends(self) -> list[int]:
        committed = committed_in(self.address, self.name, partitions_of(self.settings("nobody")))
        return [0 if at is None else at.offset for _, at in sorted(committed.items())]

    def copies(self, instance_id: str) -> set[str]:
        """Return the digests of the state files of which a host has copies."""
        return copies_in(cache_of(str(self.root), self.group_protocol, instance_id))

    def state_digests(self, instance_id: str) -> set[str]:
        """Return the digests of the state files of the lanes whose last batch this host has written."""
        of_host = [manifest for manifest in self.check() if manifest.writer.group_instance_id == instance_id]
        return {file.digest for manifest in of_host for file in manifest.state.files}

    def writers(self) -> set[str | None]:
        """Return the hosts that have written the last batches of the lanes."""
        return {manifest.writer.group_instance_id for manifest in self.check()}

    def check(self) -> list[Manifest]:
        """Check PointerResolves and StateEqualsFold, and that no uncommitted row is visible."""
        partitions = partitions_of(self.settings("nobody"))
        self.await_markers()
        committed = committed_in(self.address, self.name, partitions)
        manifests = [pointer_resolves(self.files, self.layout, lane_of(each), committed) for each in partitions]
        for manifest in manifests:
            if manifest is not None:
                state_equals_fold(self.files, self.layout, manifest, self.partitions[manifest.lane.partition])
        ends = [0 if manifest is None else next(iter(manifest.end.values())) for manifest in manifests]
        done = [records[:end] for records, end in zip(self.partitions, ends, strict=True)]
        output_is_not_early(self.files, self.layout, done)
        return [manifest for manifest in manifests if manifest is not None]

    def await_markers(self) -> None:
        """Wait for the markers of decided transactions.

        Their offsets come with the markers, possibly a moment after the member that ended the transaction has begun to
        publish (KIP-98).
        """
        with Admin(self.address) as admin:

            def are_there() -> bool:
                decided = admin.list_transactions(states=DECIDED)
                return not any(each.transactional_id.startswith(f"{self.name}-") for each in decided)

            self.await_("the markers of all that is decided", are_there)

    def rows_of_topic(self) -> Counter[Row]:
        """Return the records that a read_committed consumer gets."""
        records = records_of(self.address, topic_of(self.name))
        return Counter(Row(*json.loads(value)) for _, value in records if value is not None)

    def check_end(self) -> None:
        manifests = self.check()
        output_is_direct(self.files, self.layout, self.partitions)
        odd = Counter({row: times for row, times in direct(self.partitions).items() if row.partition % 2})
        assert self.rows_of_topic() == odd
        assert orphans(self.files, self.layout, manifests) == []


def lane_of(partition: TopicPartition) -> Lane:
    return Lane((partition.topic,), partition.partition)


# --- aftermaths of a crash --------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Aftermath:
    name: str
    number: int
    """Signal that the victim gets at its crash point."""
    happens: Callable[[CrashCase, Worker, Producer], None]


def restart(case: CrashCase, _: Worker, producer: Producer) -> None:
    """Start the same application again."""
    case.produce(producer, MORE_RECORDS)
    case.start("a")
    case.await_end()


def replace_after_power_failure(case: CrashCase, _: Worker, producer: Producer) -> None:
    """Cut the machine's power, which loses unsynced data, and let an application on another machine take over.

    It takes over once the session has ended.
    """
    case.files.lose_power()
    case.check()
    case.produce(producer, MORE_RECORDS)
    case.start("b")
    case.await_end()


def resume_fenced(case: CrashCase, zombie: Worker, producer: Producer) -> None:
    """Suspend the application, start it again, and let the suspended process continue as a zombie.

    The zombie is fenced. If the successor was too slow and lost the seat, the zombie fences the successor instead. The
    remaining process finishes the work.
    """
    case.start("a")
    resume_zombie(case, zombie, producer)
    case.await_("one of the two is fenced", lambda: any(worker.ended == "FENCED" for worker in case.workers))
    continue_and_check(case, producer)


def resume_replaced(case: CrashCase, zombie: Worker, producer: Producer) -> None:
    """Suspend the application until its session has ended and another one has taken over; then it joins again."""
    case.start("b")
    resume_zombie(case, zombie, producer)
    continue_and_check(case, producer)


def resume_zombie(case: CrashCase, zombie: Worker, producer: Producer) -> None:
    successor = case.workers[-1]
    case.produce(producer, MORE_RECORDS)
    whole = [len(records) for records in case.partitions]
    case.await_("the successor has done it all", lambda: successor.is_idle and case.ends() == whole)
    case.check()
    zombie.child.send(signal.SIGCONT)


def continue_and_check(case: CrashCase, producer: Producer) -> None:
    """Let the remaining members process more records; then kill all, and check what one last application finds."""
    case.produce(producer, MORE_RECORDS)
    case.await_end()
    case.kill_all()
    case.check()
    case.produce(producer, MORE_RECORDS)
    case.start("a")
    case.await_end()


AFTERMATHS = (
    Aftermath("restarted", signal.SIGKILL, restart),
    Aftermath("replaced after a power failure", signal.SIGKILL, replace_after_power_failure),
    Aftermath("resumed after its instance id was taken over", signal.SIGSTOP, resume_fenced),
    Aftermath("resumed after another took over", signal.SIGSTOP, resume_replaced),
)


def play(case: CrashCase, crash_point: str, aftermath: Aftermath, producer: Producer) -> None:
    case.produce(producer, RECORDS)
    victim = case.start("a", crash_point, aftermath.number)
    if aftermath.number == signal.SIGKILL:
        case.await_(f"death at '{crash_point}'", lambda: not victim.child.is_alive)
    else:
        case.await_(f"a stop at '{crash_point}'", lambda: victim.child.is_stopped)
    assert victim.crash_points[-1] == crash_point, f"it came to '{victim.crash_points[-1]}'\n{case.accounts}"
    case.check()
    aftermath.happens(case, victim, producer)
    case.kill_all()
    case.check_end()


def crash_points_of(case: CrashCase, producer: Producer) -> list[str]:
    """Return the crash points of one application in order; none if it was disturbed and may have repeated some."""
    case.produce(producer, RECORDS)
    worker = case.start("a")
    case.await_end()
    case.kill_all()
    case.check_end()
    return [] if worker.was_disturbed else worker.crash_points


def batch(crash_points: Sequence[str], number: int) -> Iterator[str]:
    """Return the crash points from the plan of batch `number` to its sweep."""
    first, last = crash_points.index(f"planned ({number})"), crash_points.index(f"swept ({number})")
    yield from crash_points[first : last + 1]
