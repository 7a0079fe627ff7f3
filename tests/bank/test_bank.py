"""The bank for two minutes, half of them on each broker, and a short time with librdkafka; see `make soak-bank`."""

from pathlib import Path
from random import Random

import pytest

from tests.bank.__main__ import Running
from tests.bank.bank import Bank

pytestmark = [pytest.mark.long, pytest.mark.timeout(600)]

SECONDS = 30.0
SECONDS_OF_LIBRDKAFKA = 15.0
SEED = 3

OURS = pytest.param("ours", id="ours")
KAFKA = pytest.param("kafka", id="kafka", marks=pytest.mark.oracle)


@pytest.mark.parametrize("broker", [OURS, KAFKA], indirect=True)
@pytest.mark.parametrize(("group_protocol", "is_static"), [("consumer", True), ("classic", False)])
def test_bank__workers_killed_suspended_and_disconnected__each_transfer_once_in_every_snapshot(
    broker: Running, tmp_path: Path, group_protocol: str, is_static: bool
) -> None:
    bank = Bank(
        broker.address,
        tmp_path,
        Random(SEED),
        group_protocol=group_protocol,
        is_static=is_static,
        break_broker=broker.break_,
    )
    play(bank, SECONDS)


@pytest.mark.interop
def test_bank__one_of_three_workers_uses_librdkafka__each_transfer_once(ours: Running, tmp_path: Path) -> None:
    bank = Bank(
        ours.address,
        tmp_path,
        Random(SEED),
        group_protocol="classic",
        is_static=True,
        break_broker=ours.break_,
        librdkafka_seat="b",
    )
    play(bank, SECONDS_OF_LIBRDKAFKA)


def play(bank: Bank, seconds: float) -> None:
    print(f"seed {SEED}")
    bank.run(seconds)
    print(bank.auditor.snapshots, dict(bank.did))
    assert bank.did["transaction committed"]
    assert bank.did["kill"] + bank.did["suspend"] + bank.did["disconnect"]
