"""Bounds of `tenure.assignors`."""

from typing import Final

ASSIGNOR_LEVEL_SWEEPS_MAX: Final = 16
"""Maximum number of sweeps over all kinds of partitions, before the assignor searches for single exchanges. A few
usually suffice."""

ASSIGNOR_EXCHANGE_CELLS_MAX: Final = 500_000_000
"""Limit on the search for better shares: number of kinds times number of members, summed over all sweeps. The search
then takes a few seconds, far less than a session timeout."""
