"""Two minutes of the bank, half on each broker; more of it: `make soak-bank`."""

from pathlib import Path
from random import Random

import pytest

from tests.bank.__main__ import Running
from tests.bank.bank import Bank

pytestmark = [pytest.mark.long, pytest.mark.timeout(600)]

SECONDS = 30.0
SEED = 3

OURS = pytest.param("ours", id="ours")
KAFKA = pytest.param("kafka", id="kafka", marks=pytest.mark.oracle)


@pytest.mark.parametrize("broker", [OURS, KAFKA], indirect=True)
@pytest.mark.parametrize(("group_protocol", "is_static"), [("consumer", True), ("classic", False)])
def test_bank__workers_die_stand_still_and_are_cut_off__every_transfer_entered_once_at_every_snapshot(
    broker: Running, tmp_path: Path, group_protocol: str, is_static: bool
) -> None:
    print(f"seed {SEED}")
    bank = Bank(
        broker.address,
        tmp_path,
        Random(SEED),
        group_protocol=group_protocol,
        is_static=is_static,
        break_broker=broker.break_,
    )
    bank.run(SECONDS)
    print(bank.auditor.snapshots, dict(bank.did))
    assert bank.did["transaction committed"]
    assert bank.did["kill"] + bank.did["stand still"] + bank.did["cut off"]
