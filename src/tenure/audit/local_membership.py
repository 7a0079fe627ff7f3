"""Membership without a group: one process owns all partitions, and stores its positions itself.

An audit must not write to the cluster that it reads, so it joins no group there (decision 22).
"""

import time
from collections.abc import Collection, Mapping
from typing import Final

from tenure.audit.positions import AuditPositions
from tenure.client.queries.blocking import describe_topic
from tenure.limits.client import STARTUP_PATIENCE_MS
from tenure.pipeline.errors import Code, PipelineStopped
from tenure.pipeline.values.lanes import Writer
from tenure.pipeline.values.membership import CommitAnswer, CommitOutcome, MemberFenced
from tenure.run_options import RunOptions
from tenure.spark.application.memberships import PreparedOptions
from tenure.spark.declarations.pipeline_declaration import PipelineDeclaration
from tenure.values import Assigned, Event, Identity, OffsetAndMetadata, TopicPartition

MEMBER_ID: Final = "audit"


class LocalMemberships:
    """Factory of memberships for an application that stores its own positions."""

    internal_topics: Final[frozenset[str]] = frozenset()

    def __init__(self, positions: AuditPositions) -> None:
        self.positions: Final = positions

    def group_of(self, pipeline: PipelineDeclaration) -> str:
        """Return the name of the pipeline, which has no group on the cluster."""
        return pipeline.name

    def prepare(self, options: RunOptions) -> PreparedOptions:
        """Return the options unchanged, because there is no group protocol to choose."""
        return PreparedOptions(options, "")

    def create(
        self, pipeline: PipelineDeclaration, options: RunOptions, client_id: str, instance_id: str | None
    ) -> "LocalMembership":
        del client_id, instance_id
        partitions = [
            TopicPartition(topic.name, number)
            for topic in pipeline.topics
            for number in range(
                len(describe_topic(options.cluster, topic.name, patience_ms=STARTUP_PATIENCE_MS).partitions)
            )
        ]
        return LocalMembership(self.positions, partitions)


class LocalMembership:
    """Only member of an application without a group. It owns all partitions from its start to its end."""

    def __init__(self, positions: AuditPositions, partitions: Collection[TopicPartition]) -> None:
        self.positions: Final = positions
        self.partitions: Final = tuple(partitions)
        self.generation = 0
        self.joined = 0
        """Newest generation whose assignment was returned."""

    @property
    def name(self) -> str:
        """Name of the member in log lines."""
        return MEMBER_ID

    def start(self) -> None:
        """Begin the first generation. Raises PipelineStopped if another process writes the positions."""
        try:
            self.positions.acquire()
        except MemberFenced as fenced:
            raise PipelineStopped(Code.FENCED, str(fenced)) from None
        self.rejoin_as_new_member()

    def rejoin_as_new_member(self) -> None:
        """Begin a new generation with the same partitions."""
        self.generation += 1

    def poll(self, timeout_s: float) -> list[Event]:
        """Return the assignment of a new generation; without one, sleep for `timeout_s`.

        Raises:
            MemberFenced: Another process writes the positions.
        """
        if self.joined < self.generation and self._try_acquire():
            self.joined = self.generation
            identity = Identity(MEMBER_ID, None, self.generation)
            return [Assigned(identity, self.partitions, self.partitions)]
        time.sleep(timeout_s)
        return []

    def _try_acquire(self) -> bool:
        """Make this process the only writer of the positions, and return True.

        Return False if the disk or store cannot be used now. Raises MemberFenced if another process is the writer.
        """
        try:
            self.positions.acquire()
        except OSError:
            return False
        return True

    def acknowledge_revocation(self) -> None:
        """Do nothing: no partition is revoked."""

    def commit(self, offsets: Mapping[TopicPartition, OffsetAndMetadata], writer: Writer) -> CommitAnswer:
        """Store positions, all or nothing."""
        if writer.generation_id != self.generation:
            return CommitAnswer(CommitOutcome.REFUSED, "the commit is of an earlier generation")
        return self.positions.write(offsets)

    def committed(self, partitions: Collection[TopicPartition]) -> dict[TopicPartition, OffsetAndMetadata | None]:
        """Return the position of each partition; None where none was committed."""
        positions = self.positions.read()
        return {partition: positions.get(partition) for partition in partitions}

    def close(self, *, leave: bool | None = None) -> None:
        """Let another process write the positions. `leave` has no effect, because there is no group to leave."""
        del leave
        self.positions.release()
