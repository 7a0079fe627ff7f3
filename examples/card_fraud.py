"""Pattern over each card's payments: a tiny payment that tests the card, and soon after it a large one.

    tenure pipeline run examples/card_fraud.py:pipeline --bootstrap-servers localhost:9092

The function sees one payment at a time, and what is kept of its card. Two decisions: only the latest trial of a card
counts, and an alert ends it. So a card has one alert for each trial at most, and a trial that nothing follows is
forgotten with the next payment.
"""

from datetime import timedelta
from typing import Any, Final

from tenure.spark import Parquet, Pipeline, Topic, json, map_with_state

TINY: Final = 1.0
LARGE: Final = 500.0
SOON: Final = timedelta(minutes=10)


def alert(payment: dict[str, Any], card: dict[str, Any]) -> dict[str, Any] | None:
    """Return the payment with the trial that makes it suspicious; None for all others."""
    at, amount, tried_at = payment["at"], payment["amount"], card["tried_at"]
    if tried_at is not None and at - tried_at > SOON:
        tried_at = None
    card["tried_at"] = at if amount <= TINY else tried_at
    if amount < LARGE or tried_at is None:
        return None
    card["tried_at"] = None
    return {"card": payment["card"], "tried_at": tried_at, "at": at, "amount": amount}


pipeline = Pipeline(
    "card-fraud",
    source=Topic("payments", value=json("card string, at timestamp, amount double")).keyed_by("card"),
    process=map_with_state(
        alert, state="tried_at timestamp", output="card string, tried_at timestamp, at timestamp, amount double"
    ),
    sink=Parquet("out/card-fraud"),
)
