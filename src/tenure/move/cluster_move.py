"""Steps of a move: plan, begin, then passes. A pass copies the records that the source has when the pass starts."""

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

from tenure.client.errors import UnknownTopic
from tenure.client.net.bootstrap import ClusterConfig, bootstrap
from tenure.client.net.cluster import Cluster
from tenure.client.producer.delivery import ProducerIdentity
from tenure.client.queries.partition_queries import list_offsets
from tenure.client.values import TopicPartition
from tenure.limits.client import REQUEST_TIMEOUT_MS, STARTUP_PATIENCE_MS
from tenure.limits.move import MOVE_PATIENCE_MS
from tenure.move.acl_move import acls_at, acls_of, move_acls
from tenure.move.copier import Copier
from tenure.move.errors import MoveStopped
from tenure.move.group_move import (
    PROGRESS_PREFIX,
    Committed,
    MovedGroup,
    check_groups,
    groups_at,
    move_group,
    watch_commits,
)
from tenure.move.offset_translation import OffsetTranslation
from tenure.move.options import MoveOptions
from tenure.move.partition_copy import PartitionCopy
from tenure.move.progress import CopyProducer, PartitionProgress, ProgressGroup
from tenure.move.progress_report import ProgressReport
from tenure.move.rate_limit import RateLimit
from tenure.move.topic_plan import TopicToMove, create_missing, first_offsets, plan_topics, topic_ids
from tenure.move.verification import Compared, compare
from tenure.protocol.acls import Acl
from tenure.protocol.special_values import LATEST, READ_COMMITTED

CLIENT_ID: Final = "tenure-move"


class MovePlan(NamedTuple):
    """Topics, committed offsets of groups, and ACLs to move."""

    topics: list[TopicToMove]
    groups: dict[str, Committed]
    acls: list[Acl] | None
    """ACLs to move. None if the source has no authorizer, or the user has left ACLs out."""

    @property
    def has_compacted(self) -> bool:
        return any(topic.is_compacted for topic in self.topics)


class PassResult(NamedTuple):
    """Groups that were moved in a pass, with their offsets."""

    groups: list[MovedGroup]
    committed: dict[str, Committed]
    """Committed offsets at the source, by group. The offsets at the target were computed from them."""


@dataclass(frozen=True, slots=True)
class Totals:
    """Numbers of copied bytes and records of this run, over all partitions."""

    records: int
    size_bytes: int
    skipped_offsets: int
    seconds: float


class ClusterMove:
    """Move from one cluster to another. Its methods run on the client's event loop."""

    def __init__(self, options: MoveOptions, *, quiet: bool = False) -> None:
        self.options: Final = options
        self._quiet: Final = quiet
        self._source: Final = _cluster(options.source)
        self._target: Final = _cluster(options.target)
        self._began_at_s = time.monotonic()
        self._progress_group: ProgressGroup | None = None
        self._copier: Copier | None = None
        self._report: ProgressReport | None = None

    def close(self) -> None:
        """Close the connections to both clusters."""
        if self._report is not None:
            self._report.end_line()
        self._source.close()
        self._target.close()

    @property
    def progress_group(self) -> str:
        """Name of the group at the target whose committed offsets are the progress of the move."""
        assert self._progress_group is not None
        return self._progress_group.name

    # --- plan ---------------------------------------------------------------------------------------------------------

    async def plan(self) -> MovePlan:
        """Connect to both clusters and return the plan. Nothing is changed."""
        source_id, target_id = await _cluster_id(self._source), await _cluster_id(self._target)
        if source_id == target_id:
            raise MoveStopped(f"Source and target are the same cluster ({source_id}): name two different ones.")
        self._progress_group = ProgressGroup(self._target, f"{PROGRESS_PREFIX}{source_id}")
        topics = await plan_topics(self._source, self._target, self.options)
        names = frozenset(plan.topic for plan in topics)
        await check_groups(self._source, self.options.groups)
        groups = await groups_at(self._source, self.options.groups, names)
        acls = await acls_at(self._source) if self.options.moves_acls else None
        if acls is not None and not self.options.selects_all:
            acls = acls_of(acls, names, groups)
        return MovePlan(topics, groups, acls)

    # --- copies -------------------------------------------------------------------------------------------------------

    async def begin(self, plan: MovePlan) -> str:
        """Create topics and ACLs at the target, and find the position of each partition.

        Return a reason why ACLs could not be created, or "".
        """
        assert self._progress_group is not None
        self._began_at_s = time.monotonic()
        committed = await self._progress_group.open()
        await create_missing(self._target, plan.topics, self.options)
        note = await move_acls(self._target, plan.acls) if plan.acls else ""
        copies = await self._copies(plan.topics, committed)
        self._report = ProgressReport(copies.values(), quiet=self._quiet)
        self._copier = Copier(
            self._source,
            self._target,
            self._progress_group,
            copies,
            RateLimit(self.options.bytes_per_second),
            self._report.update,
        )
        await self._copier.find_positions()
        return note

    async def _copies(
        self, topics: Sequence[TopicToMove], committed: Mapping[TopicPartition, PartitionProgress]
    ) -> dict[TopicPartition, PartitionCopy]:
        ids = await topic_ids(self._source, self._target, [plan.topic for plan in topics])
        partitions = [TopicPartition(plan.topic, number) for plan in topics for number in range(plan.partitions)]
        for partition in partitions:
            if partition in committed and committed[partition].topic_ids != ids[partition.topic]:
                raise MoveStopped(
                    f"Topic '{partition.topic}' was deleted and created again since the move began. To copy it from "
                    "its start, delete it at the target; to go on without it, use --exclude."
                )
        initial = await self._initial_progress([at for at in partitions if at not in committed], ids, committed)
        copies = {at: PartitionCopy(at, initial[at] if at in initial else committed[at]) for at in partitions}
        for partition in initial:
            copies[partition].is_dirty = True
        return copies

    async def _initial_progress(
        self,
        partitions: Sequence[TopicPartition],
        ids: Mapping[str, str],
        committed: Mapping[TopicPartition, PartitionProgress],
    ) -> dict[TopicPartition, PartitionProgress]:
        """Return the initial progress of partitions that are copied for the first time."""
        if not partitions:
            return {}
        starts = await first_offsets(self._source, partitions, self.options.last_ms)
        ends = await list_offsets(self._target, dict.fromkeys(partitions, LATEST))
        filled = next((at for at in partitions if ends[at].offset), None)
        if filled is not None and not self.options.appends:
            raise MoveStopped(
                f"Topic '{filled.topic}' has records at the target ({filled} ends at offset {ends[filled].offset}) "
                "that this move has not written. Delete the topic at the target, leave it out with --exclude, or add "
                "to it with --append."
            )
        producer = next((at.producer for at in committed.values()), None) or await self._new_producer()
        return {
            at: PartitionProgress(producer, ids[at.topic], starts[at], ends[at].offset, starts[at]) for at in partitions
        }

    async def _new_producer(self) -> CopyProducer:
        writer = await ProducerIdentity(self._target, is_idempotent=True).writer()
        return CopyProducer(writer.producer_id, writer.producer_epoch)

    # --- passes -------------------------------------------------------------------------------------------------------

    async def run_pass(self, plan: MovePlan) -> PassResult:
        """Copy all records that the source has now, then write the translated offsets of the moved groups.

        The groups' offsets are read before the ends of the partitions. So no committed offset is greater than the
        copied end, unless a transaction is open in the partition.
        """
        try:
            return await self._pass(frozenset(topic.topic for topic in plan.topics))
        except UnknownTopic as error:
            raise MoveStopped(
                f"A topic was deleted during the move: {error} To go on without it, use --exclude."
            ) from error

    async def _pass(self, topics: frozenset[str]) -> PassResult:
        assert self._copier is not None
        committed = await groups_at(self._source, self.options.groups, topics)
        ends = await list_offsets(
            self._source, dict.fromkeys(self._copier.copies, LATEST), isolation_level=READ_COMMITTED
        )
        await self._copier.copy_to({at: found.offset for at, found in ends.items()})
        translations = {
            at: OffsetTranslation(self._source, self._target, at, copy.progress)
            for at, copy in self._copier.copies.items()
        }
        moved = [await move_group(self._target, group, committed[group], translations) for group in sorted(committed)]
        return PassResult(moved, committed)

    async def verify(self, plan: MovePlan) -> list[Compared]:
        """Compare the copied records of all partitions with those of the source."""
        assert self._copier is not None
        compacted = {topic.topic for topic in plan.topics if topic.is_compacted}
        return [
            await compare(self._source, self._target, at, copy.progress, is_compacted=at.topic in compacted)
            for at, copy in sorted(self._copier.copies.items())
        ]

    async def watch(self, committed: Mapping[str, Committed]) -> dict[str, str]:
        """Watch the source for new commits of its groups.

        Return a message for each group that still commits at the source, by group id.
        """
        return await watch_commits(self._source, committed, self.options.watch_s or 0.0)

    @property
    def totals(self) -> Totals:
        """Numbers of copied bytes and records of this run so far."""
        assert self._copier is not None
        copies = self._copier.copies.values()
        return Totals(
            sum(copy.written_records for copy in copies),
            sum(copy.written_bytes for copy in copies),
            sum(copy.skipped_offsets for copy in copies),
            time.monotonic() - self._began_at_s,
        )


def _cluster(config: ClusterConfig) -> Cluster:
    at = bootstrap(config)
    return Cluster(
        at.servers,
        client_id=CLIENT_ID,
        request_timeout_ms=REQUEST_TIMEOUT_MS,
        patience_ms=MOVE_PATIENCE_MS,
        security=at.security,
    )


async def _cluster_id(cluster: Cluster) -> str:
    answer = await cluster.retry(lambda: cluster.metadata([]), STARTUP_PATIENCE_MS)
    return answer.cluster_id or "unknown"
