"""Transactions of lanes. The member begins and ends a transaction with the client; a task writes records in it."""

import sys
from collections.abc import Collection, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import Any, Final

from tenure.client import values
from tenure.client.errors import ClientError, TransactionAbortable, UnknownOutcome
from tenure.client.group.blocking_member import BlockingMember
from tenure.client.net.bootstrap import ClusterConfig
from tenure.client.producer.producer import Producer
from tenure.client.producer.transaction_lender import TransactionLender
from tenure.limits.spark import LANE_TRANSACTION_TIMEOUT_MS
from tenure.pipeline.output.transactions import Records
from tenure.pipeline.values.lanes import Writer
from tenure.pipeline.values.manifest import TransactionHandle
from tenure.pipeline.values.membership import CommitAnswer, CommitOutcome
from tenure.protocol.errors import ErrorCode
from tenure.spark.kafka.client_membership import translate_client_errors
from tenure.values import OffsetAndMetadata, TopicPartition

CLIENT_ID: Final = "tenure"


def write_in_transaction(
    cluster: str | Mapping[str, Any], transaction: TransactionHandle, records: Sequence[Records]
) -> int:
    """Write records from a task (`Write` of `tenure.pipeline`); return their number.

    When this function returns, the leaders have stored all records, and no request is in flight. So no write arrives
    after the commit. Kafka would accept such a write: after the answer to a commit, the epoch of the transaction stays
    valid until the transaction's markers are written (`docs/decisions/0016`).
    """
    check_first_attempt()
    if not records:
        return 0
    with Producer(cluster, within=open_transaction(transaction)) as producer:
        for topic, rows in records:
            producer.send_arrow(topic, rows)
    return sum(len(rows) for _, rows in records)


def check_first_attempt() -> None:
    """Raise TransactionAbortable in a second attempt of a task, because it is unknown what the first attempt wrote."""
    pyspark = sys.modules.get("pyspark")
    context = pyspark and pyspark.TaskContext.get()
    if context and context.attemptNumber() > 0:
        raise TransactionAbortable("Spark runs the task again, and the rows that its first attempt wrote are unknown")


class LaneTransactions:
    """Transactions in which the tasks of one member write rows to topics. Each lane has its transactional ids."""

    def __init__(self, cluster: ClusterConfig, member: BlockingMember[Any], group_id: str) -> None:
        self.cluster = cluster
        self.member = member
        self.group_id = group_id
        self.lenders: dict[str, TransactionLender] = {}
        """Object that begins and ends the transactions of each transactional id. `fence_producers` adds it. It is
        removed when a transaction cannot be begun or is aborted, because another producer may have fenced it."""
        self.lent: dict[str, TransactionHandle] = {}
        """Open transactions by transactional id, until they are committed, fenced or aborted."""

    def fence_producers(self, transactional_ids: Collection[str]) -> None:
        """Abort open transactions of earlier owners, and fence these owners with new producer epochs."""
        for each in transactional_ids:
            self.forget(each)
        lenders = {each: self.new_lender(each) for each in transactional_ids}
        failures = dict(zip(lenders, self.init(list(lenders.values())), strict=True))
        self.lenders |= {each: lender for each, lender in lenders.items() if failures[each] is None}
        for failure in filter(None, failures.values()):
            with translate_client_errors():
                raise failure

    def init(self, lenders: Sequence[TransactionLender]) -> Sequence[BaseException | None]:
        """Get a new producer epoch for each lender. Return for each lender its error, or None for success."""
        return TransactionLender.init_all(lenders)

    def new_lender(self, transactional_id: str) -> TransactionLender:
        """Return a new client object that begins and ends the transactions of a transactional id."""
        return TransactionLender(
            self.cluster, transactional_id, transaction_timeout_ms=LANE_TRANSACTION_TIMEOUT_MS, client_id=CLIENT_ID
        )

    def forget(self, transactional_id: str) -> None:
        """Forget the lender and the open transaction of an id. The next transaction needs `fence_producers` first."""
        self.lenders.pop(transactional_id, None)
        self.lent.pop(transactional_id, None)

    def begin(self, transactional_id: str) -> TransactionHandle | None:
        """Return the open transaction of an id, or begin one; None if `fence_producers` has to be called first."""
        if transactional_id in self.lenders and transactional_id not in self.lent:
            try:
                with translate_client_errors():
                    self.lent[transactional_id] = transaction_of(self.lenders[transactional_id].begin())
            except ClientError:  # Another producer may have fenced this one: call `fence_producers` again.
                self.forget(transactional_id)
        return self.lent.get(transactional_id)

    def commit(
        self, transaction: TransactionHandle, offsets: Mapping[TopicPartition, OffsetAndMetadata], writer: Writer
    ) -> CommitAnswer:
        """Commit the transaction together with the offsets. `writer` is the member's identity at plan time."""
        if self.lent.get(transaction.transactional_id) != replace(transaction, rows=0):
            return CommitAnswer(
                CommitOutcome.REFUSED, f"the transaction of '{transaction.transactional_id}' has ended already"
            )
        if not self.has_owned(offsets, writer.identity):
            return CommitAnswer(CommitOutcome.REFUSED, "the member did not own these partitions without interruption")
        lender = self.lenders[transaction.transactional_id]
        try:
            self.end(lender, offsets, values.GroupMetadata(self.group_id, writer.identity))
        except TransactionAbortable as error:
            fenced = error.error_code is ErrorCode.FENCED_INSTANCE_ID
            return CommitAnswer(CommitOutcome.FENCED if fenced else CommitOutcome.REFUSED, str(error))
        except UnknownOutcome as error:
            return CommitAnswer(CommitOutcome.UNKNOWN, str(error))
        except ClientError as error:
            return CommitAnswer(CommitOutcome.REFUSED, str(error))
        del self.lent[transaction.transactional_id]
        return CommitAnswer(CommitOutcome.ACCEPTED)

    def end(
        self,
        lender: TransactionLender,
        positions: Mapping[TopicPartition, OffsetAndMetadata],
        group: values.GroupMetadata,
    ) -> None:
        """Add the offsets to the transaction, and commit it."""
        lender.send_offsets(positions, group)
        lender.commit()

    def has_owned(self, partitions: Collection[TopicPartition], identity: values.Identity) -> bool:
        """Return whether the member has owned the partitions since it had `identity`, which is that of a plan.

        Without this check, the coordinator would accept some commits of lost partitions (rule 4.3, row 5).
        """
        since = self.member.assignment_epochs if identity.member_id == self.member.identity.member_id else {}
        return all(since.get(each, identity.generation_id + 1) <= identity.generation_id for each in partitions)

    def abort(self) -> None:
        """Abort all open transactions. Errors are ignored: the broker aborts a transaction after its timeout."""
        for each in list(self.lent):
            with suppress(ClientError):
                self.lenders[each].abort()
            self.forget(each)


def open_transaction(transaction: TransactionHandle) -> values.OpenTransaction:
    """Convert a transaction of `tenure.pipeline` to one of the client."""
    return values.OpenTransaction(
        transaction.transactional_id, transaction.producer_id, transaction.producer_epoch, transaction.version
    )


def transaction_of(begun: values.OpenTransaction) -> TransactionHandle:
    """Convert a transaction of the client to one of `tenure.pipeline`."""
    return TransactionHandle(begun.transactional_id, begun.producer_id, begun.producer_epoch, begun.transaction_version)
