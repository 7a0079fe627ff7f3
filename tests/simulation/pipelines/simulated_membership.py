"""Substitutes of group and log for an engine: a real membership, and the records of a topic.

Every call takes some time.
"""

from collections.abc import Callable, Collection, Iterator, Mapping
from typing import TYPE_CHECKING, Final

import pyarrow as pa

from tenure.client.group.memberships.error_reactions import CommitVerdict
from tenure.client.queries.group_changes import commit_request
from tenure.pipeline.values.lanes import Writer
from tenure.pipeline.values.manifest import parse_pointer
from tenure.pipeline.values.membership import Bounds, CommitAnswer, CommitOutcome, MemberFenced, Unreachable
from tenure.protocol.errors import ErrorCode
from tenure.protocol.messages import (
    OffsetCommitRequest,
    OffsetCommitResponse,
    OffsetFetchRequest,
    OffsetFetchRequestGroup,
    OffsetFetchRequestTopics,
    OffsetFetchResponse,
)
from tenure.protocol.types import GroupId, PartitionId
from tenure.values import Event, Identity, OffsetAndMetadata, TopicPartition
from tests.simulation.pipelines.cooperative_thread import Wake
from tests.simulation.pipelines.counting import Record
from tests.simulation.pipelines.model import TOPIC

if TYPE_CHECKING:
    from tests.simulation.pipelines.application import Application

ATTEMPTS: Final = 8
RETRY_MS: Final = 500
TOPIC_ID: Final = "a" * 22

OUTCOMES: Final = {
    CommitVerdict.FENCED: CommitOutcome.FENCED,
    CommitVerdict.UNKNOWN: CommitOutcome.UNKNOWN,
}
"""Outcomes of a commit by error; every other error means that the commit was certainly not applied."""


class Ended(Exception):
    """The membership has ended: the application ends, and its supervisor starts another one."""


class SimulatedMembership:
    def __init__(self, application: "Application") -> None:
        self._application: Final = application
        self._events: Final[list[Event]] = []
        self._wake: Wake = lambda: None

    @property
    def name(self) -> str:
        return self._application.name

    def handle_event(self, event: Event) -> None:
        self._events.append(event)
        self._application.soon(self.wake)

    def wake(self) -> None:
        self._wake()

    def poll(self, timeout_s: float) -> list[Event]:
        if not self._events and timeout_s > 0 and self._application.ended is None:

            def arm(wake: Wake) -> None:
                self._wake = wake
                self._application.after(round(timeout_s * 1_000), wake)

            self._application.engine_worker.sleep(arm)
        if not self._events:
            self._check_membership()
        events = list(self._events)
        self._events.clear()
        self._application.tell(lambda _: None)  # Counts as a poll.
        return events

    def _check_membership(self) -> None:
        """Raise the error with which the client's membership has ended."""
        ended = self._application.ended
        if ended is ErrorCode.FENCED_INSTANCE_ID:
            raise MemberFenced("another process has this instance id")
        if ended is not None:
            raise Ended(ended.name)

    def acknowledge_revocation(self) -> None:
        self._application.tell(self._application.membership.acknowledge_revocation)

    def rejoin_as_new_member(self) -> None:
        self._application.did("rejoins as a new member")
        self._application.rejoin_as_new_member()

    def close(self, *, leave: bool | None = None) -> None:
        self._application.close(leave=leave)

    # --- offsets ------------------------------------------------------------------------------------------------------

    def commit(self, offsets: Mapping[TopicPartition, OffsetAndMetadata], writer: Writer) -> CommitAnswer:
        """Commit like `client.commits`, but without its check of epochs, so that the coordinator's fence decides."""
        request = commit_request(self._application.settings.group_id, offsets, writer.identity)
        manifests = [pointer.manifest_id for at in offsets.values() if (pointer := parse_pointer(at.metadata))]
        self._application.commit_sent(manifests)
        answer = self._commit(request, writer.identity)
        if answer.outcome is not CommitOutcome.UNKNOWN:
            self._application.commit_answered(manifests)
        self._application.did(f"commit {answer.outcome.value}")
        return answer

    def _commit(self, request: OffsetCommitRequest, identity: Identity) -> CommitAnswer:
        for _ in range(ATTEMPTS):
            if self._application.ended is ErrorCode.FENCED_INSTANCE_ID:
                return CommitAnswer(CommitOutcome.FENCED, "another process has this instance id")
            response = self._application.ask(request)
            if not isinstance(response, OffsetCommitResponse):
                return CommitAnswer(CommitOutcome.UNKNOWN, "no answer")
            codes = [ErrorCode(found.error_code) for topic in response.topics for found in topic.partitions]
            refused = [code for code in codes if code is not ErrorCode.NONE]
            if not refused:
                return CommitAnswer(CommitOutcome.ACCEPTED)
            verdict = self._verdict(refused[0], identity)
            if len(refused) < len(codes):
                return CommitAnswer(CommitOutcome.UNKNOWN, "refused in part")
            if verdict is not CommitVerdict.RETRY_AFTER_BACKOFF:
                return CommitAnswer(OUTCOMES.get(verdict, CommitOutcome.REFUSED), refused[0].name)
            self._application.sleep(RETRY_MS)
        return CommitAnswer(CommitOutcome.REFUSED, "the coordinator is loading")

    def _verdict(self, code: ErrorCode, identity: Identity) -> CommitVerdict:
        verdicts: list[CommitVerdict] = []
        membership = self._application.membership
        self._application.tell(lambda now_ms: verdicts.append(membership.commit_refused(code, identity, now_ms)))
        return verdicts[0] if verdicts else CommitVerdict.REFUSED

    def committed(self, partitions: Collection[TopicPartition]) -> dict[TopicPartition, OffsetAndMetadata | None]:
        indexes = [PartitionId(partition.partition) for partition in partitions]
        topics = [OffsetFetchRequestTopics(name=TOPIC, partition_indexes=indexes)]
        group = OffsetFetchRequestGroup(group_id=GroupId(self._application.settings.group_id), topics=topics)
        for _ in range(ATTEMPTS):
            self._check_membership()
            response = self._application.ask(OffsetFetchRequest(groups=[group], require_stable=True))
            if isinstance(response, OffsetFetchResponse) and not response.groups[0].error_code:
                (topic,) = response.groups[0].topics
                return {
                    TopicPartition(topic.name, found.partition_index): None
                    if found.committed_offset < 0
                    else OffsetAndMetadata(found.committed_offset, found.metadata or "", found.committed_leader_epoch)
                    for found in topic.partitions
                }
            self._application.sleep(RETRY_MS)
        raise Unreachable("the coordinator does not answer")


class SimulatedLog:
    """Records of a topic, which a process can read unless it is cut off."""

    def __init__(self, application: "Application", records: list[list[Record]]) -> None:
        self._application: Final = application
        self._records: Final = records

    def bounds(self, partitions: Collection[TopicPartition]) -> dict[TopicPartition, Bounds]:
        self._reach()
        return {at: Bounds(0, len(self._records[at.partition]), 3, TOPIC_ID) for at in partitions}

    def partition_count(self, topic: str) -> int:
        del topic
        self._reach()
        return len(self._records)

    def _reach(self) -> None:
        self._application.sleep(self._application.delay_ms())
        if self._application.is_cut_off:
            raise Unreachable("no broker answers")


def fetched(
    records: list[list[Record]], look: Callable[[], None]
) -> Callable[[str, int, int, int], Iterator[pa.RecordBatch]]:
    """Return the function with which a task fetches records; it calls `look` first, which may raise."""

    def fetch(_: str, partition: int, start: int, end: int) -> Iterator[pa.RecordBatch]:
        look()
        part = records[partition][start:end]
        columns = [
            pa.array(range(start, end), pa.int64()),
            pa.array([1_700_000_000_000] * len(part), pa.timestamp("ms", "UTC")),
            pa.array([key.encode() for key, _ in part], pa.binary_view()),
            pa.array([str(number).encode() for _, number in part], pa.binary_view()),
        ]
        yield pa.record_batch(columns, names=["offset", "timestamp", "key", "value"])

    return fetch
