"""Topic, group, files and pipelines in one process, with checks of the invariants."""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import lru_cache, partial
from random import Random
from typing import Any

import pyarrow as pa
import pyarrow.parquet

from tenure.pipeline.engine.background_tasks import FOREGROUND_TASKS
from tenure.pipeline.engine.engine import Engine
from tenure.pipeline.engine.recover import OnDisagreement
from tenure.pipeline.engine.settings import EngineSettings
from tenure.pipeline.output.files import Files
from tenure.pipeline.output.layout import Layout
from tenure.pipeline.output.publish import DIRECTORY, Publishers
from tenure.pipeline.state.keyed_state import KeyedState, state_schema
from tenure.pipeline.state.stored_layers import load
from tenure.pipeline.task.job import Job, OnBadRecord
from tenure.pipeline.task.task import run_bundle
from tenure.pipeline.values.decoded_records import BadRecord, Decoded
from tenure.pipeline.values.lanes import Lane
from tenure.pipeline.values.manifest import Manifest, decode, parse_pointer
from tenure.pipeline.values.plan import Bundle
from tenure.pipeline.values.progress import Progress, ProgressStep
from tenure.pipeline.values.stager import Result
from tenure.protocol.types import PartitionId
from tenure.values import OffsetAndMetadata, TopicPartition
from tests.pipeline.coordinator import GROUP, TOPIC, Coordinator, Member, TopicLog, part
from tests.simulation.pipelines.files import ForgetfulFiles

STATE = state_schema("key", "count long, total long")
UNDECODABLE = -1
"""Number of a record that cannot be decoded."""
FAILING = -2
"""Number of a record on which the function fails."""

decode_once = lru_cache(maxsize=4_096)(decode)
"""Decoder that keeps its results, because the invariants read all manifests at every commit and removal."""


class Killed(BaseException):
    """Simulated `kill -9` of a process. It is a BaseException, so that no handler of the pipeline catches it."""


class Harness:
    """Group and store with `partition_count` partitions of (key, number) records; each key is in one partition only."""

    def __init__(self, partition_count: int = 2, seed: int = 0, files: Files | None = None) -> None:
        self.random = Random(seed)
        self.coordinator = Coordinator(seed)
        self.coordinator.after_commit = self._committed
        self.log = TopicLog(partition_count)
        self.files: Any = files or ForgetfulFiles()
        self.layout = Layout.of(GROUP, "/out")
        self.publishers: Publishers = DIRECTORY
        self.accepted: list[Manifest] = []
        """Every manifest that was committed, in order."""
        self.under_way: dict[str, Bundle] = {}
        """Bundles that running processes have planned and may still commit, by run id."""
        self.removed: list[str] = []
        self.cache: Any = None
        if isinstance(self.files, ForgetfulFiles):
            self.files.before_removal = self._check_removal

    # --- input --------------------------------------------------------------------------------------------------------

    def produce(self, count: int, keys: int = 5) -> None:
        for partition, records in enumerate(self.log.partitions):
            for _ in range(count):
                records.append((f"k{partition}-{self.random.randrange(keys)}", self.random.randrange(1000)))

    def fetch(self, topic: str, partition: int, start: int, end: int) -> Iterator[pa.RecordBatch]:
        records = self.log.partitions[partition][start:end]
        assert len(records) == end - start, f"{topic}-{partition} has no records [{start}, {end})"
        columns = [
            pa.array(range(start, end), pa.int64()),
            pa.array([1_700_000_000_000] * len(records), pa.timestamp("ms", "UTC")),
            pa.array([key.encode() for key, _ in records], pa.binary_view()),
            pa.array([str(number).encode() for _, number in records], pa.binary_view()),
        ]
        batch = pa.record_batch(columns, names=["offset", "timestamp", "key", "value"])
        half = len(records) // 2
        yield from (batch[:half], batch[half:])

    # --- processes ----------------------------------------------------------------------------------------------------

    def job(self, function: Callable[[pa.Table, KeyedState], pa.Table] | None = None, **changes: Any) -> Job:
        defaults = {"state": STATE, "cache": self.cache}
        return Job(self.layout, Words(), function or counted, self.fetch, **(defaults | changes))

    def start(
        self,
        instance_id: str | None = "a",
        *,
        observer: Callable[[Progress], None] = lambda _: None,
        job: Job | None = None,
        **settings: Any,
    ) -> "Process":
        return Process(self, instance_id, observer, job or self.job(), settings)

    # --- invariants ---------------------------------------------------------------------------------------------------

    def lanes(self) -> list[Lane]:
        return [Lane((TOPIC,), PartitionId(number)) for number in range(len(self.log.partitions))]

    def committed_manifests(self) -> dict[Lane, Manifest]:
        """Return the committed manifest of each lane, and check PointerResolves.

        Lanes that restart from 0 are left out.
        """
        found = {}
        committed = self.coordinator.committed([part(number) for number in range(len(self.log.partitions))])
        for lane in self.lanes():
            at = committed[lane.partitions[0]]
            if at is not None and at.metadata:
                pointer = parse_pointer(at.metadata)
                assert pointer is not None
                manifest = decode_once(self.files.read(self.layout.manifest(lane, pointer.manifest_id)), pointer)
                assert manifest.end == {lane.partitions[0]: at.offset}
                found[lane] = manifest
        return found

    def check(self) -> None:
        """Check StateEqualsFold and VisibleOnce, after the owner of each lane has caught up."""
        manifests = self.committed_manifests()
        for lane in self.lanes():
            records = self.log.partitions[lane.partition]
            assert lane in manifests or not records, f"{lane} was never committed"
            if lane in manifests:
                assert manifests[lane].end == {lane.partitions[0]: len(records)}
                assert self.state(manifests[lane]) == expected_state(records)
        assert sorted(self.visible_names()) == sorted(out.final for man in self.accepted for out in man.outputs)
        assert self.visible_rows() == self.expected_rows()

    def state(self, manifest: Manifest) -> dict[str, tuple[int, int]]:
        table = load(self.files, self.layout.state_directory(manifest.lane), manifest.lane, manifest.state, STATE)
        rows = table.to_pylist()
        return {row["key"]: (row["count"], row["total"]) for row in rows}

    def visible_names(self) -> list[str]:
        return [name for name in self.files.names("/out") if not name.startswith("_")]

    def visible_rows(self) -> Counter[tuple[int, int, str, int]]:
        """Return (partition, offset, key, count of the key so far) of the visible rows."""
        rows: Counter[tuple[int, int, str, int]] = Counter()
        for name in self.visible_names():
            table = pyarrow.parquet.read_table(pa.BufferReader(self.files.read(f"/out/{name}")))
            rows.update(tuple(row.values()) for row in table.to_pylist())
        return rows

    def expected_rows(self) -> Counter[tuple[int, int, str, int]]:
        rows: Counter[tuple[int, int, str, int]] = Counter()
        for partition, records in enumerate(self.log.partitions):
            counts: Counter[str] = Counter()
            for offset, (key, _) in enumerate(records):
                counts[key] += 1
                rows[partition, offset, key, counts[key]] += 1
        return rows

    def orphans(self) -> list[str]:
        """Return the files of the lanes that no committed manifest uses."""
        found = []
        for lane, manifest in self.committed_manifests().items():
            state, staged = self.layout.state_directory(lane), self.layout.staged_directory(lane)
            head = self.layout.head(lane, manifest.sequence)
            wanted = {head, *(f"{state}/{name}" for name in manifest.state_names)}
            found += [path for path in self._paths(state, staged) if path not in wanted]
        return found

    def _paths(self, *directories: str) -> list[str]:
        return [f"{directory}/{name}" for directory in directories for name in self.files.names(directory)]

    def _committed(self, offsets: Mapping[TopicPartition, OffsetAndMetadata]) -> None:
        """Check at each accepted commit that all files that it names are complete, even after a power failure."""
        for at in offsets.values():
            pointer = parse_pointer(at.metadata)
            if pointer is None:
                continue
            manifest = next(man for man in self._manifests() if man.id == pointer.manifest_id)
            load(self.files, self.layout.state_directory(manifest.lane), manifest.lane, manifest.state, STATE)
            safe = self.files.safe if isinstance(self.files, ForgetfulFiles) else None
            for path in self._named_by(manifest, set(self.visible_names())):
                assert safe is None or path in safe, f"{path} is committed and not durable"
            if manifest not in self.accepted:
                self.accepted.append(manifest)

    def _manifests(self) -> list[Manifest]:
        directories = [self.layout.state_directory(lane) for lane in self.lanes()]
        return [decode_once(self.files.read(path)) for path in self._paths(*directories) if path.endswith(".json")]

    def _named_by(self, manifest: Manifest, published: set[str]) -> set[str]:
        state = self.layout.state_directory(manifest.lane)
        staged = self.layout.staged_directory(manifest.lane)
        outputs = {f"{staged}/{out.staged}" for out in manifest.outputs if out.final not in published}
        return {f"{state}/{name}" for name in manifest.state_names} | outputs

    def _check_removal(self, path: str) -> None:
        """Check SweepSafe: neither a committed manifest nor a commit that may still be accepted names the file."""
        self.removed.append(path)
        committed, published = set(self.committed_manifests().values()), set(self.visible_names())
        for manifest in self._manifests():
            bundle = self.under_way.get(manifest.run_id)
            committable = bundle is not None and self.coordinator.identity_passes(bundle.writer)
            if committable or manifest in committed:
                assert path not in self._named_by(manifest, published), f"{path} was removed and {manifest.id} names it"


class Process:
    """Application with one member. A test calls `turn` or `run`, and may end it at any time with `die`."""

    def __init__(
        self,
        harness: Harness,
        instance_id: str | None,
        observer: Callable[[Progress], None],
        job: Job,
        settings: dict[str, Any],
    ) -> None:
        self.harness = harness
        self.observer = observer
        self.steps: list[Progress] = []
        self.letters: list[tuple[Manifest, bytes]] = []
        self.runs: list[str] = []
        self.pause_s = 0.0
        self.membership = Member(harness.coordinator, len(harness.log.partitions), instance_id)
        defaults = {"topics": (TOPIC,), "stateful": True, "max_records": 20, "rebalance_timeout_s": 60.0}
        dead_letters = settings.pop("dead_letters", self)
        background_tasks = settings.pop("background_tasks", FOREGROUND_TASKS)
        self.stager = InProcess(harness, job)
        self.engine = Engine(
            EngineSettings(**(defaults | settings)),
            harness.layout,
            self.membership,
            harness.log,
            self.stager,
            harness.files,
            new_id=lambda: new_id(harness.random),
            clock_s=lambda: harness.coordinator.tick_ms / 1000,
            observer=self.observe,
            dead_letters=dead_letters,
            publishers=harness.publishers,
            background_tasks=background_tasks,
            lane_state=None if job.state is None else partial(job.lane_state, harness.files),
        )

    def send(self, manifest: Manifest, letters: bytes) -> None:
        self.letters.append((manifest, letters))

    def observe(self, progress: Progress) -> None:
        self.steps.append(progress)
        if progress.step is ProgressStep.PLANNED:
            self.runs.append(progress.bundle)
        if progress.step in (ProgressStep.COMMITTED, ProgressStep.DROPPED):
            self.harness.under_way.pop(progress.bundle, None)
        self.observer(progress)

    def run(self, until: Any = "caught-up") -> "Process":
        try:
            self.engine.run(until)
        except BaseException:
            self.die()
            raise
        return self

    def turn(self) -> None:
        try:
            self.pause_s = self.engine.run_once(self.pause_s)
        except BaseException:
            self.die()
            raise

    def die(self) -> None:
        for run_id in self.runs:
            self.harness.under_way.pop(run_id, None)

    def progress_at(self, step: ProgressStep) -> list[Progress]:
        return [progress for progress in self.steps if progress.step is step]


class InProcess:
    """Stager whose tasks run in the test's thread when their result is requested."""

    def __init__(self, harness: Harness, job: Job) -> None:
        self.harness = harness
        self.job = job
        self.slow_s = 0
        """Duration of each batch from now on, by the clock of the tests."""
        self.slow_lanes_s: dict[int, int] = {}
        """Minimum duration of batches with this partition's lane."""
        self.cancelled = 0

    def start(self, bundle: Bundle) -> "RunInProcess":
        self.harness.under_way[bundle.run_id] = bundle
        return RunInProcess(self, bundle)


class RunInProcess:
    def __init__(self, stager: InProcess, bundle: Bundle) -> None:
        self.stager = stager
        self.bundle = bundle
        self.left_s = max(stager.slow_s, *(stager.slow_lanes_s.get(plan.lane.partition, 0) for plan in bundle.lanes))

    def wait(self, timeout_s: float) -> list[Result] | None:
        del timeout_s
        harness = self.stager.harness
        if self.left_s > 0:
            self.left_s -= 1
            harness.coordinator.advance(1000)
            return None
        return run_bundle(self.stager.job, self.bundle, harness.files, lambda: new_id(harness.random))

    def cancel(self) -> None:
        self.stager.cancelled += 1


class Words:
    """Decoder of values, which are decimal numbers."""

    def decode(self, records: pa.Table, partition: int) -> Decoded:
        numbers = [int(value) for value in records["value"].to_pylist()]
        good = [index for index, number in enumerate(numbers) if number != UNDECODABLE]
        bad = [index for index, number in enumerate(numbers) if number == UNDECODABLE]
        offsets = records["offset"].to_pylist()
        rows = pa.table(
            {
                "partition": pa.array([partition] * len(good), pa.int32()),
                "offset": pa.array([offsets[index] for index in good], pa.int64()),
                "key": pa.array([records["key"][index].as_py().decode() for index in good], pa.string()),
                "number": pa.array([numbers[index] for index in good], pa.int64()),
            }
        )
        return Decoded(rows, [BadRecord(offsets[index], "its value is no number") for index in bad])


def counted(rows: pa.Table, state: KeyedState) -> pa.Table:
    """Return each record with the count of its key so far."""
    if FAILING in rows["number"].to_pylist():
        raise ValueError("indigestible")
    before = state.get(rows["key"]).to_pylist()
    standing: dict[str, tuple[int, int]] = {}
    counts = []
    for row, was in zip(rows.to_pylist(), before, strict=True):
        count, total = standing.get(row["key"], (was["count"] or 0, was["total"] or 0))
        standing[row["key"]] = (count + 1, total + row["number"])
        counts.append(count + 1)
    values = pa.table(
        {"count": [count for count, _ in standing.values()], "total": [total for _, total in standing.values()]}
    )
    state.put(pa.array(list(standing), pa.string()), values)
    return rows.select(["partition", "offset", "key"]).append_column("count", pa.array(counts, pa.int64()))


def expected_state(records: Sequence[tuple[str, int]]) -> dict[str, tuple[int, int]]:
    state: dict[str, tuple[int, int]] = {}
    for key, number in records:
        count, total = state.get(key, (0, 0))
        state[key] = (count + 1, total + number)
    return state


def new_id(random: Random) -> str:
    return f"{random.getrandbits(128):032x}"[:22]


def killed_at(step: ProgressStep, nth: int = 1) -> Callable[[Progress], None]:
    """Return an observer that kills its process when it reaches `step` for the `nth` time."""
    seen: list[Progress] = []

    def observer(progress: Progress) -> None:
        if progress.step is step:
            seen.append(progress)
            if len(seen) == nth:
                raise Killed(step.value)

    return observer


__all__ = ["Harness", "Job", "Killed", "OnBadRecord", "OnDisagreement", "Process", "killed_at"]
