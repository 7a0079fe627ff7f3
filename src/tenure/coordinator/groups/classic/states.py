"""States of a classic group (rule 2.2).

    Empty --> PreparingRebalance <--> CompletingRebalance --> Stable
      ^------------'     ^-----------------------------------'
    every state --> Dead

A group that is loaded from the log is Stable or Empty, whatever its state was before (rule 6.5.2).
"""

from enum import Enum
from typing import Final


class State(Enum):
    """State of a classic group. The values are Kafka's names on the wire."""

    EMPTY = "Empty"
    PREPARING_REBALANCE = "PreparingRebalance"
    COMPLETING_REBALANCE = "CompletingRebalance"
    STABLE = "Stable"
    DEAD = "Dead"


ALLOWED_FROM: Final[dict[State, frozenset[State]]] = {
    State.EMPTY: frozenset({State.PREPARING_REBALANCE}),
    State.PREPARING_REBALANCE: frozenset({State.STABLE, State.COMPLETING_REBALANCE, State.EMPTY}),
    State.COMPLETING_REBALANCE: frozenset({State.PREPARING_REBALANCE}),
    State.STABLE: frozenset({State.COMPLETING_REBALANCE}),
    State.DEAD: frozenset(State),
}
"""States from which a group may change to each state."""

MAY_REBALANCE: Final = ALLOWED_FROM[State.PREPARING_REBALANCE]
HAS_MEMBERS: Final = frozenset({State.PREPARING_REBALANCE, State.COMPLETING_REBALANCE, State.STABLE})
