"""Broker of a bank: the shards of transactions, the logs of both topics, and the handlers for them.

Shards, hosts, markers, verification, logs and syncs are the broker's own code. Each start of the machine creates a new
broker, without the memory of the earlier one.
"""

from collections.abc import Callable, Mapping
from concurrent.futures import Future
from itertools import count
from typing import Any, Final

from tenure.broker.config.settings import Settings
from tenure.broker.coordinators.transactions import Transactions
from tenure.broker.handlers import (
    add_offsets_to_txn,
    add_partitions_to_txn,
    end_txn,
    init_producer_id,
    produce,
    txn_offset_commit,
)
from tenure.broker.logs.served_log import ServedLog
from tenure.broker.loop.turn import Turn
from tenure.coordinator.metadata.topic_names import CONSUMER_OFFSETS, COORDINATOR_TOPICS
from tenure.coordinator.metadata.topics import Topic, Topics
from tenure.protocol.batches import Batch
from tenure.protocol.errors import ErrorCode
from tenure.protocol.message import Message
from tenure.protocol.types import PartitionId, ProducerId, TopicName
from tenure.simulation.wire import ROUTES, Broker
from tenure.storage.data_directory import DataDirectory
from tenure.storage.log.partition import Appended, Partition
from tenure.storage.log.settings import Durability, LogSettings
from tests.simulation.bank.loop import Clock, Loop, Syncs
from tests.simulation.bank.producers import NewestEpochs
from tests.simulation.coordinator import SEGMENT_BYTES, Coordinator

HANDLERS: Final = (
    init_producer_id, add_partitions_to_txn, add_offsets_to_txn, produce, txn_offset_commit, end_txn
)  # fmt: skip
VERSIONS: Final[Mapping[int, tuple[int, ...]]] = {1: (5, 3, 3, 11, 4, 4), 2: (5, 5, 4, 12, 5, 5)}
"""Request versions of clients of transaction versions 1 and 2 (KIP-890)."""
LOG_SETTINGS: Final = LogSettings(segment_bytes=SEGMENT_BYTES, index_interval_bytes=1_024, deletes=False)
COORDINATOR_LOG_SETTINGS: Final = LOG_SETTINGS._replace(compacts=True, delete_retention_ms=0)


class WatchedLog(ServedLog):
    """Log that reports every batch of a producer's epoch."""

    __slots__ = ("_producers",)

    def __init__(self, partition: Partition, broker: "BankBroker") -> None:
        super().__init__(partition, broker.loop, broker.syncs)  # type: ignore[arg-type]  # they have the methods that it calls
        self._producers: Final = broker.producers

    def append(
        self, batches: bytes, wall_ms: int, *, is_own: bool = False, checked: list[Batch] | None = None
    ) -> Appended:
        batch = Batch(batches, 0)
        is_open = batch.producer_id in self.partition.producers.open
        appended = super().append(batches, wall_ms, is_own=is_own, checked=checked)
        if batch.is_transactional and not is_own:
            self._producers.wrote(self.partition.name, batch.producer_id, batch.producer_epoch, is_open=is_open)
        return appended


class Logs:
    """All logs of the broker, from one start of its machine to the next."""

    def __init__(self, broker: "BankBroker", directory: DataDirectory) -> None:
        self._broker: Final = broker
        self._directory: Final = directory
        self._open: dict[tuple[str, int], ServedLog] = {}

    def of(self, topic: Topic, partition: int) -> ServedLog:
        """Return a log. Each start of the machine begins a new leader epoch, as after an unclean stop."""
        served = self._open.get((topic.name, partition))
        if served is None:
            settings = COORDINATOR_LOG_SETTINGS if topic.name in COORDINATOR_TOPICS else LOG_SETTINGS
            log = Partition.open(
                self._directory, f"{topic.name}-{partition}", settings, durability=Durability.FSYNC
            )  # fmt: skip
            log.begin_leader_epoch()
            served = self._open[topic.name, partition] = WatchedLog(log, self._broker)
        return served

    def on_loader(self, work: Callable[[], Any]) -> "Future[Any]":
        done: Future[Any] = Future()
        done.set_result(work())
        return done


class ProducerIds:
    """Source of producer ids; no id is used twice."""

    def __init__(self) -> None:
        self._next: Final = count(1_000)

    def take(self, taker: Callable[[ProducerId, ErrorCode], None]) -> None:
        taker(ProducerId(next(self._next)), ErrorCode.NONE)


class BankBroker(Broker):
    """Substitute of the broker for handlers, shards and markers.

    `loop`, `logs` and `transactions` are replaced at each start of the machine.
    """

    def __init__(
        self, coordinator: Coordinator, topics: Topics, transaction_version: int, transactions_partitions: int
    ) -> None:
        own = zip(HANDLERS, VERSIONS[transaction_version], strict=True)
        more = {handler.route.kind: (handler.route, version) for handler, version in own}
        super().__init__(coordinator, topics, {**ROUTES, **more})
        self._groups_host: Final = coordinator
        self.producers: Final = NewestEpochs()
        self.producer_ids: Final = ProducerIds()
        self.settings: Final = Settings()
        self.transactions_partitions: Final = transactions_partitions

    def start_broker(self, loop: Loop, sync_ms: Callable[[], int], directory: DataDirectory) -> None:
        """Start the broker, and complete the transactions that were decided before."""
        self.loop = loop
        self.turn = Turn(loop, Clock(loop, lambda: self._groups_host.now))  # type: ignore[arg-type]  # as above
        self.syncs = Syncs(loop, sync_ms)
        self.logs = Logs(self, directory)
        self.transactions = Transactions(self, self, self.producer_ids)  # type: ignore[arg-type]
        for topic in self.topics:
            if topic.name not in COORDINATOR_TOPICS:
                self._open(topic)
        for partition in range(self.transactions_partitions):
            self.transactions.shard(partition)

    def _open(self, topic: Topic) -> None:
        for partition in range(topic.partitions):
            self.logs.of(topic, partition)

    def wall_ms(self) -> int:
        return self._groups_host.now.wall_ms

    def handle(self, request: Message, client_id: str, answer: Callable[[Message], None]) -> None:
        def leave(response: Message) -> None:
            self.producers.record_response(request, response)
            answer(response)

        super().handle(request, client_id, leave)

    # --- as its groups ------------------------------------------------------------------------------------------------

    def offsets_partition(self, _: str) -> tuple[TopicName, PartitionId]:
        return CONSUMER_OFFSETS, PartitionId(0)

    def maybe_shard(self, _: int) -> Coordinator:
        return self._groups_host
