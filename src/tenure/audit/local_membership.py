"""Membership without a group: one process owns all partitions, and stores its positions in a file.

An audit must not write to the cluster that it reads, so it joins no group there (decision 22). A lock on the file
replaces the group's fence: only the process that holds the lock can commit. The system releases the lock when the
process ends for any reason.
"""

import fcntl
import json
import time
from collections.abc import Collection, Mapping
from pathlib import Path
from typing import BinaryIO, Final

from tenure.client.queries.blocking import describe_topic
from tenure.limits.client import STARTUP_PATIENCE_MS
from tenure.pipeline.errors import Code, PipelineStopped
from tenure.pipeline.output.files import LocalFiles
from tenure.pipeline.values.lanes import Writer
from tenure.pipeline.values.membership import CommitAnswer, CommitOutcome
from tenure.run_options import RunOptions
from tenure.spark.application.memberships import PreparedOptions
from tenure.spark.declarations.pipeline_declaration import PipelineDeclaration
from tenure.values import Assigned, Event, Identity, OffsetAndMetadata, TopicPartition

POSITIONS: Final = "positions.json"
LOCK: Final = "lock"
MEMBER_ID: Final = "audit"


class LocalMemberships:
    """Factory of memberships for an application that stores its positions in `directory`."""

    internal_topics: Final[frozenset[str]] = frozenset()

    def __init__(self, directory: Path) -> None:
        self.directory: Final = directory

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
        return LocalMembership(self.directory, partitions)


class LocalMembership:
    """The only member, which owns all partitions from its start to its end (`GroupMembership`)."""

    def __init__(self, directory: Path, partitions: Collection[TopicPartition]) -> None:
        self.directory: Final = directory
        self.partitions: Final = tuple(partitions)
        self.events: list[Event] = []
        self.generation = 0
        self.lock: BinaryIO | None = None

    @property
    def name(self) -> str:
        """Name of the member in log lines."""
        return MEMBER_ID

    def start(self) -> None:
        """Acquire the lock. Raises PipelineStopped if another process holds it."""
        self.directory.mkdir(parents=True, exist_ok=True)
        self.lock = (self.directory / LOCK).open("wb")
        try:
            fcntl.flock(self.lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            self.close()
            raise PipelineStopped(
                Code.FENCED, f"another process writes to {self.directory.parent}: stop it, or use another directory"
            ) from None
        self.rejoin_as_new_member()

    def rejoin_as_new_member(self) -> None:
        """Begin a new generation with the same partitions."""
        self.generation += 1
        identity = Identity(MEMBER_ID, None, self.generation)
        self.events.append(Assigned(identity, self.partitions, self.partitions))

    def poll(self, timeout_s: float) -> list[Event]:
        """Return the events that `start` and `rejoin_as_new_member` have added.

        Without events, sleep for `timeout_s`.
        """
        if not self.events:
            time.sleep(timeout_s)
        events, self.events = self.events, []
        return events

    def acknowledge_revocation(self) -> None:
        """Do nothing: no partition is revoked."""

    def commit(self, offsets: Mapping[TopicPartition, OffsetAndMetadata], writer: Writer) -> CommitAnswer:
        """Write all positions to the file atomically, and sync it."""
        if writer.generation_id != self.generation or self.lock is None:
            return CommitAnswer(CommitOutcome.REFUSED, "the commit is of an earlier generation")
        positions = self._positions() | dict(offsets)
        lines = [[*partition, *at] for partition, at in sorted(positions.items())]
        files = LocalFiles()
        try:
            files.write(str(self.directory / POSITIONS), json.dumps(lines, indent=0).encode())
            files.sync_directory(str(self.directory))
        except OSError as error:
            return CommitAnswer(CommitOutcome.UNKNOWN, f"{self.directory / POSITIONS} cannot be written: {error}")
        return CommitAnswer(CommitOutcome.ACCEPTED)

    def committed(self, partitions: Collection[TopicPartition]) -> dict[TopicPartition, OffsetAndMetadata | None]:
        """Return the position of each partition; None where none was committed."""
        positions = self._positions()
        return {partition: positions.get(partition) for partition in partitions}

    def close(self, *, leave: bool | None = None) -> None:
        """Release the lock on the positions file."""
        del leave
        if self.lock is not None:
            self.lock.close()
            self.lock = None

    def _positions(self) -> dict[TopicPartition, OffsetAndMetadata]:
        try:
            rows = json.loads((self.directory / POSITIONS).read_bytes())
        except FileNotFoundError:
            return {}
        return {TopicPartition(topic, number): OffsetAndMetadata(*at) for topic, number, *at in rows}
