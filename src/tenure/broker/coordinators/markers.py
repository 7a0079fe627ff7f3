"""Writer of the markers that end a transaction, one in each of its partitions (rule 8.4).

Markers are written as soon as the decision is durable. A write is retried while the disk is full or a shard is loading.
Two kinds of partitions need no marker: deleted partitions, and those in which the producer has a newer epoch.

If the transaction log is not synced, a power failure may remove the record of the newest coordinator epoch, while the
log of a partition still has a marker with that epoch. The partition would then refuse new markers, whose epoch is
lower. Both epochs belong to this broker, which is the only coordinator. So a marker gets the higher of the two epochs.
"""

import logging
from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Any, Final, Protocol

from tenure.broker.coordinators.context import CoordinatorContext
from tenure.broker.logs.storage_codes import LOG_ERRORS, error_code_of
from tenure.coordinator.answers import Accepted
from tenure.coordinator.groups.commands import EndOfTransaction
from tenure.coordinator.metadata.topic_names import CONSUMER_OFFSETS
from tenure.coordinator.transactions.commands import MarkersWritten
from tenure.coordinator.transactions.effects import WriteMarkers
from tenure.coordinator.transactions.transaction import TopicPartition
from tenure.limits.broker import MARKER_RETRY_PAUSE_S
from tenure.protocol.errors import ErrorCode
from tenure.protocol.types import Marker

if TYPE_CHECKING:
    from tenure.broker.coordinators.marker_waiters import MarkerWaiters
    from tenure.broker.logs.served_log import ServedLog
    from tenure.storage.log.producers import Producers

log = logging.getLogger("tenure.broker")

NOT_NEEDED: Final = frozenset(
    {
        ErrorCode.UNKNOWN_TOPIC_OR_PARTITION,
        ErrorCode.INVALID_PRODUCER_EPOCH,
    }
)
"""Errors after which no marker is written: the partition was deleted, or the producer has a newer epoch in it."""


class AskedShard(Protocol):
    def ask(self, command: object, then: Callable[[Any], None]) -> None: ...


class GroupShards(Protocol):
    """Interface to the groups that get the offsets committed in transactions, and the markers of these transactions."""

    def ask(self, group_id: str, command: object, then: Callable[[Any], None]) -> None: ...

    def maybe_shard(self, partition: int) -> AskedShard | None: ...


class Markers:
    """Writer of the markers for the transactions of one shard. `decisions` is the log of this shard."""

    def __init__(
        self,
        context: CoordinatorContext,
        groups: GroupShards,
        marker_waiters: "MarkerWaiters",
        decisions: "ServedLog",
    ) -> None:
        self._context = context
        self._groups = groups
        self._marker_waiters = marker_waiters
        self._decisions = decisions
        self._under_way: dict[str, _Writing] = {}
        """Markers in progress, by transactional id."""

    def perform(self, effect: object, then: Callable[[object], None]) -> None:
        assert isinstance(effect, WriteMarkers)
        decided = self._decisions.partition.log_end_offset
        self._decisions.when_durable(decided, lambda error_code: self._write(error_code, effect, then))

    def _write(self, error_code: ErrorCode, effect: WriteMarkers, then: Callable[[object], None]) -> None:
        """Write the markers of a transaction, unless `error_code` says that its decision could not be made durable.

        If the shard was loaded again, an earlier write of the same markers may still be in progress. It is stopped:
        otherwise it might repeat a marker later, and so end the producer's next transaction.
        """
        if error_code is not ErrorCode.NONE:  # the shard is loaded again, and repeats this effect from its log
            return
        before = self._under_way.pop(effect.transactional_id, None)
        if before is not None:
            before.end()
        writing = _Writing(self._context, self._groups, effect, self._decisions.partition.leader_epoch)
        self._under_way[effect.transactional_id] = writing
        self._marker_waiters.begin(effect.transactional_id)
        writing.begin(partial(self._written, effect, then))

    def _written(self, effect: WriteMarkers, then: Callable[[object], None]) -> None:
        del self._under_way[effect.transactional_id]
        then(MarkersWritten(effect.transactional_id, effect.producer_id, effect.producer_epoch))
        self._marker_waiters.end(effect.transactional_id)


class _Writing:
    """Markers of one transaction, while they are written."""

    def __init__(
        self, context: CoordinatorContext, groups: GroupShards, effect: WriteMarkers, coordinator_epoch: int
    ) -> None:
        self._context = context
        self._groups = groups
        self._marker = Marker(
            effect.producer_id, effect.producer_epoch, effect.is_commit, coordinator_epoch, effect.transaction_version
        )
        self._then: Callable[[], None] | None = None
        self._left = set(effect.partitions)

    def begin(self, then: Callable[[], None]) -> None:
        """Write all markers, and call `then` when each partition has its marker."""
        self._then = then
        if not self._left:
            then()
        for partition in sorted(self._left):
            self._write(partition)

    def end(self) -> None:
        """Stop: write no further marker, and do not call the callback."""
        self._then = None

    def _write(self, partition: TopicPartition) -> None:
        if self._then is not None:
            then = partial(self._acknowledged, partition)
            write_marker(self._context, self._groups, self._marker, partition, then, is_own=True)

    def _acknowledged(self, partition: TopicPartition, error_code: ErrorCode) -> None:
        if error_code in NOT_NEEDED:
            log.warning(
                "partition %s-%d gets no marker of the ended transaction, because the partition was deleted or the"
                " producer has a newer epoch in it: %s",
                *partition,
                error_code.name,
            )
        if error_code is ErrorCode.NONE or error_code in NOT_NEEDED:
            self._written(partition)
        else:
            self._again(partition)

    def _again(self, partition: TopicPartition) -> None:
        self._context.loop.call_later(MARKER_RETRY_PAUSE_S, self._write, partition)

    def _written(self, partition: TopicPartition) -> None:
        self._left.discard(partition)
        if not self._left and self._then is not None:
            self._then()


def write_marker(
    context: CoordinatorContext,
    groups: GroupShards,
    marker: Marker,
    partition: TopicPartition,
    then: Callable[[ErrorCode], None],
    *,
    is_own: bool = False,
) -> None:
    """Try once to write a marker; call `then(error_code)`, with NONE when the marker is durable in the partition.

    `is_own` is true for a marker of this broker's coordinator, and false for one that a client requests.
    """
    topic = context.topics.named(partition[0])
    if topic is None or not 0 <= partition[1] < topic.partitions:
        then(ErrorCode.UNKNOWN_TOPIC_OR_PARTITION)
        return
    try:
        served = context.logs.of(topic, partition[1])
        if is_own:
            marker = _in_latest_epoch(marker, served.partition.producers)
        if topic.name == CONSUMER_OFFSETS:
            served.partition.producers.check_marker(marker)
            _end_in_groups(groups, marker, partition[1], then)
            return
        appended = served.append_marker(marker, context.wall_ms())
    except LOG_ERRORS as error:  # `ServedLog` has logged the error
        then(error_code_of(error))
        return
    served.when_durable(appended.last_offset + 1, then)


def _in_latest_epoch(marker: Marker, producers: "Producers") -> Marker:
    """Return the marker with the higher of two coordinator epochs: its own, and that of the producer's last marker."""
    producer = producers.by_id.get(marker.producer_id)
    if producer is None or producer.coordinator_epoch <= marker.coordinator_epoch:
        return marker
    return marker._replace(coordinator_epoch=producer.coordinator_epoch)


def _end_in_groups(groups: GroupShards, marker: Marker, partition: int, then: Callable[[ErrorCode], None]) -> None:
    shard = groups.maybe_shard(partition)
    if shard is None:  # its log could not be opened; the error was logged then
        then(ErrorCode.NOT_LEADER_OR_FOLLOWER)
        return
    shard.ask(
        EndOfTransaction(marker),
        lambda answer: then(ErrorCode.NONE if isinstance(answer, Accepted) else ErrorCode.NOT_LEADER_OR_FOLLOWER),
    )
