"""Transactions of lanes, over the client: begun and written in a task, ended by the member that planned it."""

import asyncio
from collections.abc import Collection, Mapping, Sequence
from typing import Any, Final

from tenure.client import values
from tenure.client.bootstrap import ClusterConfig
from tenure.client.errors import ClientError, TransactionAbortable, UnknownOutcome
from tenure.client.event_loop import run
from tenure.client.group_member import GroupMember
from tenure.client.producer import Producer
from tenure.client.shared import shared_cluster
from tenure.client.transaction_lender import TransactionLender
from tenure.client.transactional_id import TransactionalId
from tenure.client.transactions import Transactions
from tenure.limits import LANE_TRANSACTION_TIMEOUT_MS
from tenure.pipeline.lanes import TopicPartition, Writer
from tenure.pipeline.manifest import Transaction
from tenure.pipeline.seat import CommitAnswer, Committed, Outcome
from tenure.pipeline.transactions import Records
from tenure.protocol.errors import ErrorCode
from tenure.spark.seat import identity_of, in_the_engines_words, positions_of

CLIENT_ID: Final = "tenure"


def write_in_transaction(
    cluster: str | Mapping[str, Any], transactional_id: str, records: Sequence[Records]
) -> Transaction:
    """`pipeline.transactions.Write`, in a task. Returns once all of it is with the topics' leaders."""
    lender = TransactionLender(cluster, transactional_id, transaction_timeout_ms=LANE_TRANSACTION_TIMEOUT_MS)
    begun = lender.begin()
    try:
        with Producer(cluster, within=begun) as producer:
            for topic, rows in records:
                producer.send_arrow(topic, rows)
            producer.flush()
    except BaseException:
        lender.abort()
        raise
    return Transaction(
        begun.transactional_id,
        begun.producer_id,
        begun.producer_epoch,
        begun.transaction_version,
        sum(len(rows) for _, rows in records),
    )


class LaneTransactions:
    """`pipeline.transactions.Transactions` of one member."""

    def __init__(self, cluster: ClusterConfig, member: GroupMember, group_id: str) -> None:
        self.cluster = cluster
        self.member = member
        self.group_id = group_id

    def settle(self, transactional_ids: Collection[str]) -> None:
        with in_the_engines_words():
            run(self.initialized([self.transactional(Transactions(each)) for each in transactional_ids]))

    @staticmethod
    async def initialized(transactionals: Sequence[TransactionalId]) -> None:
        """It waits until what was being ended has ended."""
        await asyncio.gather(*(each.initialize() for each in transactionals))

    def commit(
        self, transaction: Transaction, offsets: Mapping[TopicPartition, Committed], writer: Writer
    ) -> CommitAnswer:
        identity = identity_of(writer)
        positions = positions_of(offsets)
        if not self.had(positions, identity):
            return CommitAnswer(Outcome.REFUSED, "the member had not these partitions throughout")
        try:
            run(self.committed(transaction, positions, values.GroupMetadata(self.group_id, identity)))
        except TransactionAbortable as error:
            fenced = error.error_code is ErrorCode.FENCED_INSTANCE_ID
            return CommitAnswer(Outcome.FENCED if fenced else Outcome.REFUSED, str(error))
        except UnknownOutcome as error:
            return CommitAnswer(Outcome.UNKNOWN, str(error))
        except ClientError as error:
            return CommitAnswer(Outcome.REFUSED, str(error))
        return CommitAnswer(Outcome.ACCEPTED)

    async def committed(
        self,
        transaction: Transaction,
        positions: Mapping[values.TopicPartition, values.OffsetAndMetadata],
        group: values.GroupMetadata,
    ) -> None:
        begun = Transactions(transaction.transactional_id)
        begun.initialized(open_transaction(transaction))
        begun.begin()
        begun.touched()
        transactional = self.transactional(begun)
        await transactional.send_offsets(positions, group)
        begun.become_committing()
        await transactional.end()

    def transactional(self, transactions: Transactions) -> TransactionalId:
        return TransactionalId(
            shared_cluster(self.cluster, CLIENT_ID), transactions, transaction_timeout_ms=LANE_TRANSACTION_TIMEOUT_MS
        )

    def had(self, partitions: Collection[values.TopicPartition], identity: values.Identity) -> bool:
        """What the member did not have in the epoch of its plan it does not ask for: not every fence would refuse it
        (rule 4.3, row 5)."""
        since = self.member.assignment_epochs if identity.member_id == self.member.identity.member_id else {}
        return all(since.get(each, identity.generation_id + 1) <= identity.generation_id for each in partitions)


def open_transaction(transaction: Transaction) -> values.OpenTransaction:
    return values.OpenTransaction(
        transaction.transactional_id, transaction.producer_id, transaction.producer_epoch, transaction.version
    )
