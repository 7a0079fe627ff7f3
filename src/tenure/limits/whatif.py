"""Bounds of `tenure.whatif`."""

from typing import Final

SETTLE_MAX_MS: Final = 900_000
"""Virtual time after which the simulation no longer waits for a group to become stable: three of Kafka's rebalance
timeouts."""

SETTLE_STEP_MS: Final = 250
"""Interval between two checks whether a simulated group is stable: a check takes as long as some heartbeats."""

SEATS_MAX: Final = 1_000
"""Maximum number of members of a simulated group: more than groups have in practice. The time to simulate a rolling
restart grows with the square of this number, because all members take part in the restart of each."""

STEPS_MAX: Final = 10_000
"""Maximum number of starts and ends of members that are replayed from a history. The latest ones are replayed: enough
for months of deployments."""

ADVISED_GROUPS_MAX: Final = 5
"""Maximum number of groups of a report with advice, those with the highest costs: each is simulated several times."""

ADVISED_STEPS_MAX: Final = 200
"""Maximum number of starts and ends of members that are replayed for advice: some deployments."""

ADVISED_WORK_MAX: Final = 800
"""Maximum product of the number of members and the number of starts and ends that are replayed for advice. The time of
a simulation grows with both, because each member takes part in each rebalance."""
