"""Bounds of `tenure.assignors`."""

from typing import Final

ASSIGNOR_LEVEL_SWEEPS_MAX: Final = 16
"""Sweeps over all kinds of partitions before the assignor looks for single exchanges; a few nearly always suffice."""

ASSIGNOR_EXCHANGE_CELLS_MAX: Final = 500_000_000
"""Kinds times members over all sweeps of the search for better shares: some seconds, well below a session timeout."""
