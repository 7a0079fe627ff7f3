"""A classic group whose members commit in transactions, as applications with exactly-once processing do."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from tenure.protocol.errors import ErrorCode
from tenure.protocol.message import Message
from tenure.protocol.messages import (
    AddOffsetsToTxnRequest,
    EndTxnRequest,
    FindCoordinatorRequest,
    InitProducerIdRequest,
    OffsetFetchRequest,
    OffsetFetchRequestGroup,
    TxnOffsetCommitRequest,
    TxnOffsetCommitRequestPartition,
    TxnOffsetCommitRequestTopic,
)
from tests.audit.scripted_groups import ClassicScript, ScriptedMember

FIND, INIT, ADD, COMMIT, END, FETCH = 3, 4, 3, 3, 3, 8
"""Versions of requests: those of clients that add offsets to a transaction by a separate request."""

TRANSACTION: Final = 1
"""Type of the key of a transaction's coordinator."""

ABORTED_EVERY: Final = 3
"""Each third transaction is aborted, and its offsets are committed by the next one."""

TEMPORARY_ERRORS: Final = {
    ErrorCode.COORDINATOR_LOAD_IN_PROGRESS,
    ErrorCode.COORDINATOR_NOT_AVAILABLE,
    ErrorCode.NOT_COORDINATOR,
    ErrorCode.CONCURRENT_TRANSACTIONS,
}
"""Errors while the coordinator loads, or writes the markers of the previous transaction."""


class TransactionalScript(ClassicScript):
    """A classic group. Each of its members has a transactional id."""

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self.producers: dict[str, tuple[str, int, int]] = {}
        """Transactional id, producer id and epoch of each member."""
        self.transactions = 0

    def send_commit(self, member: ScriptedMember, offsets: Mapping[int, int]) -> bool:
        """Commit offsets in a transaction, or abort it. Return whether they are committed."""
        self.transactions += 1
        is_committed = self.transactions % ABORTED_EVERY != 0
        producer = self.producers.get(member.member_id) or self._producer(member)
        self._ask(member, AddOffsetsToTxnRequest(*producer, self.group), ADD)
        partitions = [TxnOffsetCommitRequestPartition(at, offset, -1, "") for at, offset in offsets.items()]
        topics = [TxnOffsetCommitRequestTopic(self.script.topic, partitions=partitions)]
        commit = TxnOffsetCommitRequest(
            producer[0], self.group, *producer[1:], member.epoch, member.member_id, None, topics
        )
        answer = member.wire.ask(commit, COMMIT)
        codes = {partition.error_code for topic in answer.topics for partition in topic.partitions}
        assert codes == {0}, f"{member.name} cannot commit: {codes}"
        self._ask(member, EndTxnRequest(*producer, is_committed), END)
        self._wait_for_end(member)
        self.script.record.missing += 1 if is_committed else 1 + len(offsets)
        return is_committed

    def _producer(self, member: ScriptedMember) -> tuple[str, int, int]:
        transactional_id = f"{self.group}-{member.name}"
        self._ask(member, FindCoordinatorRequest(transactional_id, TRANSACTION), FIND)
        answer = self._ask(member, InitProducerIdRequest(transactional_id, 60_000), INIT)
        self.producers[member.member_id] = transactional_id, answer.producer_id, answer.producer_epoch
        return self.producers[member.member_id]

    def _wait_for_end(self, member: ScriptedMember) -> None:
        """Wait until the markers are written: until then the group's offsets are not stable."""
        request = OffsetFetchRequest(groups=[OffsetFetchRequestGroup(self.group, topics=None)], require_stable=True)
        while any(
            partition.error_code == ErrorCode.UNSTABLE_OFFSET_COMMIT
            for topic in member.wire.ask(request, FETCH).groups[0].topics
            for partition in topic.partitions
        ):
            pass

    def _ask(self, member: ScriptedMember, request: Message, version: int) -> Any:
        while (answer := member.wire.ask(request, version)).error_code in TEMPORARY_ERRORS:
            pass
        assert answer.error_code == 0, f"{member.name}: {request} is refused with {answer.error_code}"
        return answer
