"""Many lives of banks, and their totals. A life that did too little fails, even without a broken invariant."""

from collections.abc import Iterator
from typing import ClassVar, Final

from tests.simulation.bank.faults import BANK_WEIGHTS
from tests.simulation.bank.life import BankLife
from tests.simulation.life import Life
from tests.simulation.run import Run

MUST_HAPPEN: Final = (
    *BANK_WEIGHTS,
    *("transaction committed", "transaction aborted", "transactional commit accepted", "unstable offset"),
    *("load", "became a classic group", "became a consumer group"),
)
LIVES_MIN: Final = 8
TRANSFERS_MIN: Final = 400


class BankRun(Run):
    command: ClassVar[str] = "python -m tests.simulation.bank"
    kind: ClassVar[type[Life]] = BankLife
    must_happen: ClassVar[tuple[str, ...]] = MUST_HAPPEN

    def too_few(self) -> Iterator[str]:
        if self.lives < LIVES_MIN:
            yield f"{self.lives} lives"
        if self.did["transfer entered"] < TRANSFERS_MIN:
            yield f"{self.did['transfer entered']} transfers were entered"
