"""Machine of the broker. A crash affects groups, transactions and the logs of both topics."""

from collections.abc import Sequence
from typing import Any, Final

from tenure.broker.logs.storage_codes import LOG_ERRORS
from tenure.coordinator.metadata.topic_names import TRANSACTION_STATE
from tenure.coordinator.transactions.states import AT_REST, NAMES, State
from tenure.protocol.batches import encode_batch
from tenure.protocol.coordinator_logs.partition import partition_of
from tenure.protocol.coordinator_logs.transaction_state import (
    TransactionLogKey,
    TransactionLogValue,
    encode_key,
    encode_value,
)
from tenure.protocol.records import Record
from tenure.protocol.types import ProducerId, TopicName
from tenure.storage.compaction.compaction import compact
from tenure.storage.log.partition import Partition
from tests.simulation.bank.broker import BankBroker
from tests.simulation.bank.entries import ENTRIES
from tests.simulation.bank.loop import Loop
from tests.simulation.coordinator import COMPACTION_ROOM_BYTES, Coordinator


class Machine(Coordinator):
    def __init__(self, broker_settings: tuple[int, int], agenda: Any, random: Any, topics: Any, *others: Any) -> None:
        """Create a machine; `broker_settings` are the transaction version and the partitions of its topic."""
        self.topics: Final = topics
        self.broker: Final = BankBroker(self, topics, *broker_settings)
        super().__init__(agenda, random, topics, *others)

    def start(self) -> None:
        super().start()
        loop = Loop(self._agenda, lambda: max(self.turn_ms, self.busy_until_ms - self._agenda.now_ms))
        self.broker.start_broker(loop, lambda: self.sync_ms, self.directory)

    def start_old_producers(self, transactional_ids: Sequence[str], epoch: int) -> None:
        """Start these producers with few epochs left, as after years of work."""
        for number, transactional_id in enumerate(transactional_ids):
            value = TransactionLogValue(ProducerId(1 + number), producer_epoch=epoch, transaction_timeout_ms=60_000)
            record = Record(0, self.now.wall_ms, encode_key(TransactionLogKey(transactional_id)), encode_value(value))
            log = self.log(TRANSACTION_STATE, partition_of(transactional_id, self.broker.transactions_partitions))
            log.append(encode_batch([record]), now_ms=self.now.wall_ms, is_own=True)
            log.sync()
        self.crash()
        self.start()

    def crash(self) -> None:
        self.broker.loop.end()
        super().crash()

    def compact(self) -> None:
        super().compact()
        for partition in range(self.broker.transactions_partitions):
            log = self.log(TRANSACTION_STATE, partition)
            try:
                compact(log, 0, self.now.wall_ms, memory_bytes=COMPACTION_ROOM_BYTES, throttle=lambda _: None)
            except OSError as error:
                self._trace.note("transactions", "cannot be compacted:", error)

    def log(self, topic: str, partition: int) -> Partition:
        found = self.topics.named(TopicName(topic))
        return self.broker.logs.of(found, partition).partition

    def entries_logs(self) -> list[Partition]:
        return [self.log(ENTRIES, partition) for partition in range(self.topics.named(TopicName(ENTRIES)).partitions)]

    def maybe_append(self, topic: str, partition: int, batch: bytes) -> None:
        """Append a batch. If the log refuses it, the transfer does not count."""
        try:
            self.broker.logs.of(self.topics.named(TopicName(topic)), partition).append(batch, self.now.wall_ms)
        except LOG_ERRORS:
            self._trace.did["transfer refused"] += 1

    def undecided(self) -> str | None:
        """Return a description of an undecided transaction; None if coordinator, entries and group have none."""
        for shard in self.broker.transactions.active:
            for name, (value, _) in shard.host.shard.digest().items():  # type: ignore[attr-defined]
                state = State(value.transaction_status)
                if state not in AT_REST:
                    return f"the transaction of {name} is {NAMES[state]}"
        for log in self.entries_logs():
            if log.last_stable_offset != log.log_end_offset:
                return f"{log.name} is stable up to {log.last_stable_offset} of {log.log_end_offset}"
        pending = self.shard._groups.pending.by_group
        return f"offsets are pending: {pending}" if pending else None
