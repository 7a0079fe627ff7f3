"""Bounds of `tenure.assignors`."""

from typing import Final

ASSIGNOR_LEVEL_SWEEPS_MAX: Final = 16
"""Sweeps over all kinds of partitions before the assignor searches for single exchanges. A few usually suffice."""

ASSIGNOR_EXCHANGE_CELLS_MAX: Final = 500_000_000
"""Kinds times members, summed over all sweeps of the search for better shares: a few seconds, far less than a session
timeout."""
