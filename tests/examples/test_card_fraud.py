"""Function of the example `card_fraud`, without Spark and without a broker."""

import random
from datetime import UTC, datetime, timedelta
from typing import Any

from examples.card_fraud import LARGE, SOON, TINY, pipeline
from tenure.testing import Rehearsal

BEGAN = datetime(2026, 1, 1, tzinfo=UTC)
Payment = dict[str, Any]


def payment(card: str, minute: float, amount: float) -> Payment:
    return {"card": card, "at": (BEGAN + timedelta(minutes=minute)).isoformat(), "amount": amount}


def alerts(payments: list[Payment]) -> list[tuple[str, float]]:
    return [(row["card"], row["amount"]) for row in Rehearsal(pipeline).run(payments).to_pylist()]


def test_card_fraud__small_payment_and_then_a_large_one__alert() -> None:
    assert alerts([payment("c", 0, 0.5), payment("c", 3, 20), payment("c", 9, 900)]) == [("c", 900)]


def test_card_fraud__large_payment_too_late_or_with_another_card_or_not_the_next_one__no_alert() -> None:
    assert alerts([payment("c", 0, 0.5), payment("c", 10.1, 900)]) == []
    assert alerts([payment("c", 0, 0.5), payment("d", 1, 900)]) == []
    assert alerts([payment("c", 0, 0.5), payment("c", 1, 900), payment("c", 2, 901)]) == [("c", 900)]


def test_card_fraud__small_payment_without_a_large_one__state_removed_at_the_next_payment() -> None:
    rehearsal = Rehearsal(pipeline)
    rehearsal.run([payment("c", 0, 0.5)])
    assert len(rehearsal.state) == 1
    rehearsal.run([payment("c", 60, 20)])
    assert len(rehearsal.state) == 0


def test_card_fraud__random_payments_in_any_batches__same_as_a_full_search() -> None:
    seed = random.randrange(2**32)
    print(f"seed {seed}")
    draw = random.Random(seed)
    minutes = sorted(draw.uniform(0, 600) for _ in range(300))
    payments = [payment(draw.choice("abc"), minute, draw.choice([TINY, 20, LARGE])) for minute in minutes]
    found = alerts(payments)
    assert found == searched(payments)
    assert len(found) > 10
    Rehearsal(pipeline).check_cuts(payments)


def searched(payments: list[Payment]) -> list[tuple[str, float]]:
    """Return the expected alerts: search back from each large payment to the card's latest small one."""
    suspicious: list[int] = []
    for number, large in enumerate(payments):
        before = [other for other in range(number) if payments[other]["card"] == large["card"]]
        trials = [other for other in before if payments[other]["amount"] <= TINY]
        if large["amount"] < LARGE or not trials:
            continue
        ended = any(other > trials[-1] for other in suspicious if other in before)
        passed = datetime.fromisoformat(large["at"]) - datetime.fromisoformat(payments[trials[-1]]["at"])
        if not ended and passed <= SOON:
            suspicious.append(number)
    return [(payments[number]["card"], payments[number]["amount"]) for number in suspicious]
