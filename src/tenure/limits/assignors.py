"""Bounds of `tenure.assignors`."""

from typing import Final

ASSIGNOR_LEVEL_ROUNDS_MAX: Final = 16
"""Maximum number of rounds in which the loads of members are levelled, kind by kind, before the assignor searches for
exchanges between members. A few rounds usually suffice."""

ASSIGNOR_EXCHANGE_CELLS_MAX: Final = 500_000_000
"""Limit on the search for exchanges: number of kinds times number of members, summed over all rounds of the search. It
then takes a few seconds at most, far less than a session timeout."""
