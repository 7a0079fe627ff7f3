"""Bounds of `tenure.whatif`."""

from typing import Final

SETTLE_MAX_MS: Final = 900_000
"""Virtual time after which the simulation no longer waits for a group to become stable: three of Kafka's rebalance
timeouts."""

SETTLE_STEP_MS: Final = 250
"""Interval between two checks whether a simulated group is stable: a check takes as long as some heartbeats."""

SEATS_MAX: Final = 1_000
"""Members of a simulated group: more than groups have in practice, and all of them restart in turn."""

STEPS_MAX: Final = 10_000
"""Starts and ends of members that are replayed from a history, the latest ones: those of months of deployments."""

ADVISED_GROUPS_MAX: Final = 5
"""Groups of a report with advice, those with the highest costs: each is simulated several times."""

ADVISED_STEPS_MAX: Final = 200
"""Starts and ends of members that are replayed for advice: some deployments."""

ADVISED_WORK_MAX: Final = 800
"""Members times steps that are replayed for advice: each member takes part in each rebalance."""
