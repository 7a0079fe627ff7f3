"""Facts with which a life of a pipeline is checked: its records, its store, and every committed manifest.

The facts come from the coordinator, not from the engines: a commit counts if the coordinator has acknowledged it, or
has it in its log after a crash.
"""

from collections.abc import Mapping
from random import Random
from typing import Final

from tenure.coordinator.answers import Refused
from tenure.coordinator.groups.answers import Committed, Fetched
from tenure.coordinator.groups.commands import CommitOffsets, FetchOffsets, OffsetsWanted, OffsetToCommit
from tenure.coordinator.groups.shard import GroupsShard
from tenure.coordinator.shard import NO_ASK
from tenure.pipeline.output.layout import Layout
from tenure.pipeline.values.lanes import Lane, Writer
from tenure.pipeline.values.manifest import Manifest
from tenure.pipeline.values.plan import Bundle
from tenure.protocol.types import ZERO_TOPIC_ID, GroupId, PartitionId, TopicName
from tenure.values import OffsetAndMetadata, TopicPartition
from tests.simulation.coordinator import Coordinator
from tests.simulation.pipelines.counting import Record
from tests.simulation.pipelines.files import ForgetfulFiles
from tests.simulation.pipelines.invariants import (
    manifests_of,
    only_committed_is_visible,
    output_is_direct,
    pointer_resolves,
    state_equals_fold,
    sweep_safe,
    visible_once,
)
from tests.simulation.pipelines.written_rows import WrittenRows
from tests.simulation.trace import Trace

TOPIC: Final = TopicName("flights")
STATE_CHECKS_EVERY: Final = 4
"""The state of one manifest in so many is computed again. This suffices, because later states keep an error."""

IN_TRANSIT_MS_MAX: Final = 30_000
"""Age of a request after which it has arrived or never will."""


class PipelineModel:
    """Records of a life, with the commits, files and rows that must follow from them."""

    def __init__(
        self, group_id: GroupId, partitions: int, coordinator: Coordinator, random: Random, trace: Trace
    ) -> None:
        self.group_id: Final = group_id
        self.keys = 5
        """Keys of each partition."""
        self.layout: Final = Layout.of(group_id, "/out")
        self.store: Final = ForgetfulFiles()
        self.store.before_removal = self._about_to_remove
        self.records: Final[list[list[Record]]] = [[] for _ in range(partitions)]
        self.lanes: Final = [Lane((TOPIC,), PartitionId(number)) for number in range(partitions)]
        self.committed: Final[dict[TopicPartition, OffsetAndMetadata | None]] = {}
        """Committed offsets as far as the coordinator has reported them."""
        self.ever_committed: Final[dict[str, Manifest]] = {}
        """Manifests by id."""
        self.under_way: Final[dict[str, Bundle]] = {}
        """Bundles, by run id, that a running process has planned and not dropped: they may be committed."""
        self.sent: Final[dict[str, tuple[Bundle, int]]] = {}
        """Bundles by run whose commit was sent, with the time until which it may be in transit."""
        self.written: WrittenRows | None = None
        """Rows in a topic, if rows of every second lane are also written to one."""
        self._coordinator: Final = coordinator
        self._random: Final = random
        self._trace: Final = trace
        coordinator.on_answer = self._answered
        coordinator.on_load = self.read_committed_offsets

    # --- records ------------------------------------------------------------------------------------------------------

    def produce(self) -> None:
        for number, records in enumerate(self.records):
            for _ in range(self._random.randrange(6)):
                records.append(Record(f"k{number}-{self._random.randrange(self.keys)}", self._random.randrange(1_000)))

    # --- commits ------------------------------------------------------------------------------------------------------

    def _answered(self, command: object, answer: object) -> None:
        if isinstance(command, CommitOffsets) and isinstance(answer, Committed) and not any(answer.error_codes):
            self._take({
                TopicPartition(at.topic, at.partition): OffsetAndMetadata(at.offset, at.metadata or "", at.leader_epoch)
                for at in command.offsets
            })  # fmt: skip
        if isinstance(command, FetchOffsets) and isinstance(answer, Fetched):
            self._take({
                TopicPartition(topic.topic, at.partition): OffsetAndMetadata(at.offset, at.metadata, at.leader_epoch)
                for topic in answer.topics
                for at in topic.partitions
                if at.offset >= 0
            })  # fmt: skip

    def read_committed_offsets(self) -> None:
        """Read the committed offsets from the coordinator.

        After a crash, the log may have commits without an answer.
        """
        wanted = [OffsetsWanted(TOPIC, ZERO_TOPIC_ID, [lane.partition for lane in self.lanes])]
        self._coordinator.ask(FetchOffsets(self.group_id, wanted, require_stable=True), lambda _: None)

    def decided(self, offsets: Mapping[TopicPartition, OffsetAndMetadata]) -> None:
        """Note the offsets of a decided transaction, whose marker the group may not have yet."""
        self._take(dict(offsets))

    def note_transactions(self) -> None:
        """Note commits of transactions as soon as the group has their markers."""
        assert self.written is not None
        offsets = self._coordinator.shard._groups.offsets.get(self.group_id, {})
        for lane in self.lanes:
            (at,) = lane.partitions
            value = offsets.get((TOPIC, lane.partition))
            if value is None or value.metadata.split(":")[1] in self.ever_committed:
                continue
            manifest = pointer_resolves(
                self.store, self.layout, lane, {at: OffsetAndMetadata(value.offset, value.metadata)}
            )
            if manifest is not None and manifest.transaction is not None:
                self._take({at: OffsetAndMetadata(value.offset, value.metadata, value.leader_epoch)})
        self.written.check_step()

    def _take(self, committed: dict[TopicPartition, OffsetAndMetadata]) -> None:
        changed = {at: now for at, now in committed.items() if self.committed.get(at) != now}
        self.committed.update(changed)
        for partition in changed:
            lane = self.lanes[partition.partition]
            manifest = pointer_resolves(self.store, self.layout, lane, self.committed)
            assert manifest is not None
            if manifest.id not in self.ever_committed:
                self.ever_committed[manifest.id] = manifest
                self._trace.did["bundle lane committed"] += 1
                self._trace.did["file grown"] += sum(output.earlier_rows > 0 for output in manifest.outputs)
                self._trace.did["snapshot used"] += ".snapshot." in getattr(manifest.state.base, "name", "")
                if len(self.ever_committed) % STATE_CHECKS_EVERY == 0:
                    state_equals_fold(self.store, self.layout, manifest, self.records[lane.partition])
        finals = [output.final for manifest in self.ever_committed.values() for output in manifest.outputs]
        only_committed_is_visible(self.store, self.layout, finals)

    def power_failed(self) -> None:
        """Check PointerResolves for what the store still has."""
        for lane in self.lanes:
            pointer_resolves(self.store, self.layout, lane, self.committed)

    # --- removals -----------------------------------------------------------------------------------------------------

    def _about_to_remove(self, path: str) -> None:
        self._trace.did["file swept"] += 1
        committed = [self.ever_committed[id_] for id_ in self._pointers()]
        sweep_safe(self.layout, path, committed)
        committable = {run_id for run_id, bundle in self._may_come().items() if self._would_pass(bundle)}
        if committable:
            there = [manifest for lane in self.lanes for manifest in manifests_of(self.store, self.layout, lane)]
            sweep_safe(self.layout, path, [manifest for manifest in there if manifest.run_id in committable])

    def _pointers(self) -> list[str]:
        return [at.metadata.split(":")[1] for at in self.committed.values() if at is not None]

    def _may_come(self) -> dict[str, Bundle]:
        now_ms = self._coordinator.now.tick_ms
        for run_id in [run_id for run_id, (_, until_ms) in self.sent.items() if until_ms < now_ms]:
            del self.sent[run_id]
        return {**{run_id: bundle for run_id, (bundle, _) in self.sent.items()}, **self.under_way}

    def _would_pass(self, bundle: Bundle) -> bool:
        """Return whether the shard would accept the commit of a bundle now; nothing changes."""
        if not self._coordinator.is_serving:
            return False  # The shard comes back with the same state, in which the caller's commit is accepted.
        result = GroupsShard.handle(self._coordinator.shard, NO_ASK, self._commit(bundle), self._coordinator.now)
        return not any(isinstance(answer, Refused) for _, answer in result.replies)

    def _commit(self, bundle: Bundle) -> CommitOffsets:
        writer: Writer = bundle.writer
        positions = [
            OffsetToCommit(part.topic, ZERO_TOPIC_ID, part.partition, part.end_offset)
            for plan in bundle.lanes
            for part in plan.ranges
        ]
        who = writer.member_id, writer.group_instance_id, writer.generation_id
        return CommitOffsets(self.group_id, *who, positions)

    def commit_sent(self, run_id: str) -> None:
        if run_id in self.under_way:
            self.sent[run_id] = self.under_way[run_id], self._coordinator.now.tick_ms + IN_TRANSIT_MS_MAX

    # --- checks at the end --------------------------------------------------------------------------------------------

    @property
    def is_done(self) -> bool:
        """True if all records are committed."""
        ends = [self.committed.get(lane.partitions[0]) for lane in self.lanes]
        return [0 if at is None else at.offset for at in ends] == [len(records) for records in self.records]

    def check_end(self) -> None:
        if self.written is not None:
            records = {number: records for number, records in enumerate(self.records) if number % 2 == 0}
            self.written.check_end(self.ever_committed.values(), records)
        visible_once(self.store, self.layout, self.ever_committed.values())
        output_is_direct(self.store, self.layout, self.records)
        for lane in self.lanes:
            manifest = pointer_resolves(self.store, self.layout, lane, self.committed)
            if manifest is not None:
                state_equals_fold(self.store, self.layout, manifest, self.records[lane.partition])
