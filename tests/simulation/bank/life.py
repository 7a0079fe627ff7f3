"""One life of a bank: workers process transfers while faults happen, then without faults.

Visible records are checked after every step. After the faults have stopped, every transfer must be processed exactly
once within the time that the protocols promise, and no transaction may stay undecided. Then more transfers are
produced, which must be processed too.
"""

import logging
from collections.abc import Iterator, Mapping
from random import Random
from typing import Any, Final, cast

from tenure.coordinator.groups.settings import GroupSettings
from tenure.coordinator.groups.shard import GroupsShard
from tenure.coordinator.metadata.topic_names import CONSUMER_OFFSETS, TRANSACTION_STATE
from tenure.coordinator.shard import InvariantError
from tenure.protocol.special_values import CLASSIC, CONSUMER
from tenure.simulation.wire import Broker
from tests.simulation.bank.entries import ENTRIES, TRANSFERS
from tests.simulation.bank.faults import BankFaults
from tests.simulation.bank.machine import Machine
from tests.simulation.bank.model import BankModel
from tests.simulation.bank.transfer_process import TransferProcess
from tests.simulation.broken import Broken
from tests.simulation.cluster import Cluster, Seat
from tests.simulation.coordinator import Coordinator
from tests.simulation.life import LOOKS_EVERY_MS, MIXED, Life
from tests.simulation.process import Habits, Process

KINDS: Final = (CONSUMER, CLASSIC, CONSUMER, MIXED)
FIRST_EPOCH: Final = 32_750
"""First epoch of old producers, whose producer ids have only few epochs left."""
PATIENCE_MS: Final = 600_000
"""Time for all entries after the last fault: sessions, rebalances, transaction timeouts, a backlog."""


class Bugs(logging.Handler):
    """Log handler that ends a life if the broker logs a bug of its own. Other log lines are dropped."""

    def __init__(self) -> None:
        super().__init__()
        self.found: BaseException | None = None

    def emit(self, record: logging.LogRecord) -> None:
        if record.exc_info and self.found is None:
            self.found = record.exc_info[1]


class BankCluster(Cluster):
    def __init__(
        self, random: Random, settings: GroupSettings, shard_class: type[GroupsShard], drawn: Mapping[str, Any]
    ) -> None:
        self._drawn: Final = drawn
        self.bugs: Final = Bugs()
        self.transaction_version: Final[int] = drawn["transaction_version"]
        self.transaction_timeout_ms: Final[int] = drawn["transaction_timeout_ms"]
        self.has_id_per_member: Final[bool] = drawn["has_id_per_member"]
        """True if a process has the transactional id of the one before it, False if it has one of its own."""
        self.entries_partitions: Final[int] = drawn["entries_partitions"]
        self.transfers_at_once = 6
        """Transfers per partition and transaction."""
        super().__init__(random, settings, shard_class)
        self.model: Final = BankModel(drawn["groups"][0], self.machine, random, drawn["accounts"], self.trace)

    @property
    def machine(self) -> Machine:
        return cast("Machine", self.coordinator)

    def _new_coordinator(self, settings: GroupSettings, shard_class: type[GroupsShard]) -> Coordinator:
        self.put_topic(TRANSFERS, self._drawn["partitions"])
        self.put_topic(ENTRIES, self.entries_partitions)
        self.put_topic(CONSUMER_OFFSETS, 1)
        self.put_topic(TRANSACTION_STATE, self._drawn["transactions_partitions"])
        what = self.transaction_version, self._drawn["transactions_partitions"]
        return Machine(what, self.agenda, self.random, self.topics, settings, shard_class, self.trace)

    def _new_broker(self) -> Broker:
        return self.machine.broker

    def _new_process(self, name: str, seat: Seat) -> Process:
        return TransferProcess(self, name, seat.settings, seat.habits, self.network, self.topics, self._changed)

    def transfer_processes(self) -> Iterator[TransferProcess]:
        return cast("Iterator[TransferProcess]", self.processes())

    def check(self) -> None:
        super().check()
        broken = self.machine.broker.producers.broken or self.bugs.found
        if broken is not None:
            raise broken
        if self.machine.is_up:
            self.model.check_step()


class BankLife(Life):
    @property
    def bank(self) -> BankCluster:
        return cast("BankCluster", self.cluster)

    def _more_parameters(self, random: Random) -> Mapping[str, Any]:
        return {
            "hours": random.choice((0.05, 0.1, 0.2)),
            "groups": (KINDS[random.randrange(len(KINDS))],),
            "seats": random.randint(1, 4),
            "partitions": random.randint(1, 4),
            "entries_partitions": random.randint(1, 3),
            "accounts": random.choice((2, 10)),
            "transactions_partitions": random.randint(1, 2),
            "transaction_version": random.choice((1, 2, 2)),
            "transaction_timeout_ms": random.choice((5_000, 20_000, 60_000)),
            "has_id_per_member": random.random() < 0.5,
            "is_old": random.random() < 0.3,
            "order_every_ms": random.choice((1_000, 3_000, 10_000)),
            "fault_every_ms": random.choice((3_000, 10_000, 30_000)),
            "longest_ms": random.choice((10_000, 60_000)),
        }

    def _new_cluster(self, settings: GroupSettings, shard_class: type[GroupsShard]) -> Cluster:
        return BankCluster(self.random, settings, shard_class, self.drawn)

    def _put_topics(self) -> None:
        """Do nothing: the topics exist."""

    def _new_faults(self) -> BankFaults:
        return BankFaults(self.bank, self.drawn["longest_ms"])

    def _subscription(self, kind: str) -> tuple[tuple[str, ...], str | None]:  # noqa: ARG002
        return (TRANSFERS,), None

    def _seat(self, kind: str, number: int) -> Seat:
        seat = super()._seat(kind, number)
        random = self.random
        seat.habits = Habits(
            clock_rate=seat.habits.clock_rate,
            clock_ahead_ms=seat.habits.clock_ahead_ms,
            work_every_ms=random.choice((100, 1_000, 5_000)),
            work_takes_ms=random.choice((10, 500, 5_000)),
            release_delay_ms=seat.habits.release_delay_ms,
        )
        return seat

    # --- run ----------------------------------------------------------------------------------------------------------

    def run(self) -> None:
        broker_log = logging.getLogger("tenure.broker")
        broker_log.addHandler(self.bank.bugs)
        try:
            if self.drawn["is_old"]:
                ids = [seat.settings.group_instance_id or seat.name for seat in self.bank.seats]
                self.bank.machine.start_old_producers(ids, FIRST_EPOCH)
            self._order()
            for seat in self.bank.seats:
                self.bank.start(seat)
            self._run_with_faults()
            self.faults.stop()
            self._await_end()
            self.bank.model.order(self.drawn["partitions"])
            self._await_end()
        except InvariantError as broken:
            raise Broken("Structure", broken) from broken
        finally:
            broker_log.removeHandler(self.bank.bugs)

    def _order(self) -> None:
        """Order transfers repeatedly until the faults stop."""
        if not self.faults.have_stopped:
            self.bank.model.order(self.drawn["partitions"])
            self.bank.agenda.after(1 + self.random.randrange(2 * self.drawn["order_every_ms"]), self._order)

    def _await_end(self) -> None:
        agenda, until_ms = self.bank.agenda, self.bank.agenda.now_ms + PATIENCE_MS
        partitions = self.drawn["partitions"]
        while (why := self.bank.model.why_not_done(partitions)) is not None:
            if agenda.now_ms >= until_ms:
                raise Broken("EventuallyStable", f"nothing went wrong for {PATIENCE_MS} ms, and {why}")
            self.faults.supervise_at_once()
            self._run_until(agenda.now_ms + LOOKS_EVERY_MS)
        self.bank.trace.did["transfer entered"] = self.bank.model.visible_entries.transfers
        self.bank.model.check_end(partitions, self.bank.entries_partitions)
