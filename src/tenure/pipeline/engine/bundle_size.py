"""Measured cost of a lane's records, from which the planner chooses the size of the next bundle.

The cost of a record is its size in bytes and its processing time in seconds. Both are averages over the batches of a
lane: the sum of the bytes, or of the seconds, divided by the number of records. Each new batch first halves the earlier
sums, so recent batches count more. A large batch counts more than a small one, because it has more records. The time to
load the state is not included, because it does not depend on the number of records.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from tenure.limits.pipeline import FIRST_RECORD_BYTES, FIRST_RECORD_S
from tenure.pipeline.values.lanes import Lane
from tenure.pipeline.values.stager import Staged

DECAY: Final = 0.5
"""Factor by which the earlier sums are multiplied before a new batch is added."""

LOAD: Final = "load"


@dataclass(frozen=True, slots=True)
class LaneCost:
    """Records, bytes and seconds of a lane, each summed over its batches; the older a batch, the less it counts.

    A new lane begins with the estimated values of one record.
    """

    records: float = 1.0
    bytes: float = FIRST_RECORD_BYTES
    seconds: float = FIRST_RECORD_S

    @property
    def record_bytes(self) -> float:
        return self.bytes / self.records

    @property
    def record_s(self) -> float:
        return self.seconds / self.records

    def after(self, records: int, record_bytes: int | None, seconds: float) -> "LaneCost":
        """Return the sums after another batch of `records` records.

        Args:
            records: Number of records.
            record_bytes: Bytes of all records; None if unknown.
            seconds: Processing time of the batch.
        """
        counted = self.record_bytes * records if record_bytes is None else record_bytes
        return LaneCost(self.records * DECAY + records, self.bytes * DECAY + counted, self.seconds * DECAY + seconds)


class LaneCosts:
    def __init__(self, max_records: int, max_bytes: int, task_s: float) -> None:
        """Set the limits for all running bundles of a member.

        Args:
            max_records: Maximum number of records.
            max_bytes: Maximum bytes of these records.
            task_s: Intended duration of a task in seconds.
        """
        self._records_per_byte = max_records / max_bytes
        self._records_per_s = max_records / task_s
        self._of: dict[Lane, LaneCost] = {}

    def weight(self, lane: Lane) -> float:
        """Return the weight of a record of this lane. A record of weight 2 counts as two in the limit `max_records`.

        Small records that are processed quickly have weight 1. The weight is higher if `max_records` such records
        together would have more than `max_bytes` bytes, or would take longer than `task_s` seconds.
        """
        cost = self._of.get(lane, LaneCost())
        return max(1.0, cost.record_bytes * self._records_per_byte, cost.record_s * self._records_per_s)

    def weights(self, lanes: Sequence[Lane]) -> Mapping[Lane, float]:
        return {lane: self.weight(lane) for lane in lanes}

    def add_batch(self, staged: Sequence[Staged], elapsed_s: float) -> None:
        """Update the costs of the lanes of a bundle.

        Lanes without measured times share `elapsed_s`, the bundle's duration, in proportion to their records.
        """
        total = sum(one.manifest.records for one in staged)
        for one in staged:
            records = one.manifest.records
            if records:
                seconds = sum(one.seconds[step] for step in one.seconds if step != LOAD)
                cost = self._of.get(one.lane, LaneCost())
                self._of[one.lane] = cost.after(records, one.record_bytes, seconds or elapsed_s * records / total)
