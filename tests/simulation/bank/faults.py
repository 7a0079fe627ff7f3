"""Faults of the bank: those of its group (`simulation.faults`), and faults of transactions."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, ClassVar, Final

from tests.simulation.faults import WEIGHTS, Faults

if TYPE_CHECKING:
    from tests.simulation.bank.life import BankCluster
    from tests.simulation.bank.transfer_process import TransferProcess

LEFT_OUT: Final = ("resubscribe", "grow topic", "replace topic")
"""Faults of a group that a bank leaves out, because its topics do not change."""
WORKS_EVERY_MS: Final = 500
WORK_TAKES_MS: Final = 20
TRANSFERS_AT_ONCE: Final = 100
"""Transfers per transaction after the last fault; many, to process the backlog."""
BANK_WEIGHTS: Final = {
    **{kind: weight for kind, weight in WEIGHTS.items() if kind not in LEFT_OUT},
    "die in a transaction": 12,
    "make zombie": 16,
}


class BankFaults(Faults):
    weights: ClassVar[Mapping[str, int]] = BANK_WEIGHTS

    def __init__(self, bank: "BankCluster", longest_ms: int) -> None:
        super().__init__(bank, longest_ms)
        self._bank: Final = bank

    def stop(self) -> None:
        """End all faults and delays. Otherwise a transaction that exceeds its timeout would never be repeated."""
        super().stop()
        self._bank.transfers_at_once = TRANSFERS_AT_ONCE
        for seat in self._bank.seats:
            seat.habits.work_every_ms, seat.habits.work_takes_ms = WORKS_EVERY_MS, WORK_TAKES_MS

    def _worsen_network(self) -> None:
        """Worsen the network.

        Under version 1 of transactions no request is repeated, because nothing distinguishes it from a new one
        (KIP-890).
        """
        super()._worsen_network()
        if self._bank.transaction_version == 1:
            self._bank.network.quality.twice = 0.0

    def _die_in_a_transaction(self) -> None:
        if process := self._process_in_transaction():
            process.kill()

    def _make_zombie(self) -> None:
        """Suspend a worker in a transaction until it has lost its seat, its session or its transaction.

        Its next request may be the end of the transaction.
        """
        if process := self._process_in_transaction():
            seat = next(seat for seat in self._bank.seats if process in seat.processes)
            process.pause()
            self._maybe_start(seat, beside=seat.is_static)
            longest_ms = max(seat.settings.session_timeout_ms, self._bank.transaction_timeout_ms)
            self._after(self._random.randrange(2 * longest_ms), process.resume)

    def _process_in_transaction(self) -> "TransferProcess | None":
        busy = [process for process in self._bank.transfer_processes() if process.is_in_transaction]
        return self._random.choice(busy) if busy else None
