"""Bounds of `tenure.whatif`."""

from typing import Final

SETTLE_MAX_MS: Final = 900_000
"""Virtual time after which a group that does not become stable is left so: three of Kafka's rebalance timeouts."""

SETTLE_STEP_MS: Final = 250
"""Interval at which a simulated group is asked whether it is stable: a check costs as much as some heartbeats."""

SEATS_MAX: Final = 1_000
"""Members of a simulated group: a rolling restart of as many takes minutes."""
