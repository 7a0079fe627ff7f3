"""States of a transaction (rule 8.1), with Kafka's numbers and names."""

from enum import IntEnum
from typing import Final


class State(IntEnum):
    EMPTY = 0
    ONGOING = 1
    PREPARE_COMMIT = 2
    PREPARE_ABORT = 3
    COMPLETE_COMMIT = 4
    COMPLETE_ABORT = 5
    DEAD = 6
    PREPARE_EPOCH_FENCE = 7


NAMES: Final = {state: "".join(part.capitalize() for part in state.name.split("_")) for state in State}
BY_NAME: Final = {name: state for state, name in NAMES.items()}

PREPARED: Final = frozenset({State.PREPARE_COMMIT, State.PREPARE_ABORT})
"""States in which the end is decided, and markers are being written."""
AT_REST: Final = frozenset({State.EMPTY, State.COMPLETE_COMMIT, State.COMPLETE_ABORT})
