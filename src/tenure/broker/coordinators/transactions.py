"""Transaction coordinator: the shards of `__transaction_state`, one per partition, and the partition of each id.

The topic is created for the first transaction, because most brokers never run a transaction.
"""

import logging
from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Any

from tenure.broker.config import keys
from tenure.broker.coordinators.context import CoordinatorContext
from tenure.broker.coordinators.guarded_callback import answering_failure
from tenure.broker.coordinators.marker_waiters import MarkerWaiters
from tenure.broker.coordinators.producer_ids import ProducerIds
from tenure.broker.coordinators.served_shard import ServedShard
from tenure.coordinator.answers import Refused
from tenure.coordinator.metadata.commands import CreateTopics, NewTopic
from tenure.coordinator.metadata.topic_names import TRANSACTION_STATE
from tenure.protocol.coordinator_logs.partition import partition_of
from tenure.protocol.errors import ErrorCode
from tenure.protocol.types import ProducerId
from tenure.storage.errors import PartitionUnusable, StorageError

if TYPE_CHECKING:
    from tenure.broker.coordinators.markers import GroupShards
    from tenure.coordinator.groups.commands import CommitInTransaction
    from tenure.coordinator.transactions.commands import AddPartitions
    from tenure.coordinator.transactions.shard import TransactionsShard

    TransactionsServed = ServedShard[TransactionsShard]

log = logging.getLogger("tenure.broker")

Then = Callable[[Any], None]


class Transactions:
    def __init__(self, context: CoordinatorContext, groups: "GroupShards", producer_ids: ProducerIds) -> None:
        self._context = context
        self._groups = groups
        self._producer_ids = producer_ids
        self.marker_waiters = MarkerWaiters(context.loop)
        self._shards: dict[int, TransactionsServed] = {}

    @property
    def active(self) -> "list[TransactionsServed]":
        return list(self._shards.values())

    @property
    def topic_exists(self) -> bool:
        return self._context.topics.named(TRANSACTION_STATE) is not None

    def ask(self, transactional_id: str, command: object, then: Then) -> None:
        """Send a command to the shard of a transactional id, and call `then` with the answer.

        Until the topic of the transaction log exists, the answer is `Refused` with NOT_COORDINATOR.
        """
        if not transactional_id:
            then(Refused(ErrorCode.INVALID_REQUEST))
            return
        topic = self._context.topics.named(TRANSACTION_STATE)
        if topic is None:
            then(Refused(ErrorCode.NOT_COORDINATOR))
            return
        try:
            shard = self.shard(partition_of(transactional_id, topic.partitions))
        except StorageError as error:
            if not isinstance(error, PartitionUnusable):  # already logged when the log was opened
                log.error(
                    "requests of transactional id %s are refused, because its log cannot be used: %s",
                    transactional_id,
                    error,
                )
            then(Refused(ErrorCode.COORDINATOR_NOT_AVAILABLE))
            return
        shard.ask(command, then)

    def add(self, command: "AddPartitions", then: Then) -> None:
        """Send a command that begins or extends a transaction, as soon as the previous transaction has its markers.

        Then call `then` with the answer; `then` raises no error (`Request.callback`).
        """
        transactional_id = command.transactional_id
        if command.is_check:
            self.ask(transactional_id, command, then)
        elif self.marker_waiters.is_under_way(transactional_id):  # the shard would answer CONCURRENT_TRANSACTIONS
            self._add_when_written(command, then)
        else:
            self.ask(transactional_id, command, answering_failure(partial(self._added, command, then), then))

    def _added(self, command: "AddPartitions", then: Then, answer: object) -> None:
        if isinstance(answer, Refused) and answer.error_code is ErrorCode.CONCURRENT_TRANSACTIONS:
            self._add_when_written(command, then)
        else:
            then(answer)

    def _add_when_written(self, command: "AddPartitions", then: Then) -> None:
        add = partial(self.ask, command.transactional_id, command, then)
        self.marker_waiters.when_written(command.transactional_id, answering_failure(add, then))

    def commit_offsets(self, command: "AddPartitions", commit: "CommitInTransaction", then: Then) -> None:
        """Add the group's partition of `__consumer_offsets` to the transaction, or verify it; then commit (rule 8.5).

        Call `then` with the answer of the group, or with the error of the transaction; `then` raises no error.
        """
        if not commit.group_id:  # before the transaction is looked up, as in Kafka
            then(Refused(ErrorCode.INVALID_GROUP_ID))
            return
        self.add(command, answering_failure(partial(self._commit_verified, commit, then), then))

    def _commit_verified(self, commit: "CommitInTransaction", then: Then, answer: object) -> None:
        if not isinstance(answer, Refused):
            self._groups.ask(commit.group_id, commit, then)
        elif answer.error_code is ErrorCode.PRODUCER_FENCED:
            then(Refused(ErrorCode.INVALID_PRODUCER_EPOCH))  # no version has PRODUCER_FENCED (rule 8.5.6)
        else:
            then(answer)

    def ask_with_id(self, transactional_id: str, command: Callable[..., object], then: Then) -> None:
        """Send a command that may need a new producer id, and call `then` with the answer; `then` raises no error.

        The command is first sent without an id. If the shard answers that it needs one, an id is taken, and the command
        is sent again with it. `command()` and `command(fresh_id=...)` create the command without and with an id.
        """
        with_id = partial(self._with_id_if_needed, transactional_id, command, then)
        self.ask(transactional_id, command(), answering_failure(with_id, then))

    def _with_id_if_needed(
        self, transactional_id: str, command: Callable[..., object], then: Then, answer: object
    ) -> None:
        from tenure.coordinator.transactions.answers import FreshIdWanted

        if isinstance(answer, FreshIdWanted):
            again = partial(self._ask_again, transactional_id, command, then)
            self._producer_ids.take(answering_failure(again, then))
        else:
            then(answer)

    def _ask_again(
        self,
        transactional_id: str,
        command: Callable[..., object],
        then: Then,
        producer_id: ProducerId,
        error_code: ErrorCode,
    ) -> None:
        if error_code is ErrorCode.NONE:
            self.ask(transactional_id, command(fresh_id=producer_id), then)
        else:
            then(Refused(ErrorCode.COORDINATOR_LOAD_IN_PROGRESS))

    def ensure_topic(self, then: Callable[[], None]) -> None:
        """Create the topic of the transaction log if it does not exist.

        Call `then` when the topic exists, or when it could not be created.
        """
        if self.topic_exists:
            then()
            return
        settings = self._context.settings
        configs: dict[str, str | None] = {
            "cleanup.policy": "compact",
            "compression.type": "uncompressed",
            "segment.bytes": str(settings[keys.TRANSACTION_STATE_LOG_SEGMENT_BYTES]),
        }
        topic = NewTopic(TRANSACTION_STATE, settings[keys.TRANSACTION_STATE_LOG_NUM_PARTITIONS], 1, {}, configs)
        self._context.metadata.ask(CreateTopics([topic]), lambda _: then())

    def maybe_shard(self, partition: int) -> "TransactionsServed | None":
        """Return the shard of a partition; None if its log cannot be used.

        The error was logged when the log was opened.
        """
        try:
            return self.shard(partition)
        except PartitionUnusable:
            return None

    def shard(self, partition: int) -> "TransactionsServed":
        """Return the shard of a partition; start it if necessary."""
        shard = self._shards.get(partition)
        if shard is None:
            from tenure.broker.coordinators.transactions_shard import (
                open_shard,
            )  # most brokers never have a transaction

            shard = open_shard(self._context, self._groups, self.marker_waiters, partition)
            shard.load()
            self._shards[partition] = shard
        return shard
