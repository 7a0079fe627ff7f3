"""What the records of a lane cost, learned from its runs, so that the next bundle is as large as it should be.

A lane's runs are summed up with the older ones fading, record by record: after many small batches, one large one says
at once what records really cost. Loading state is left out, as it does not grow with the records.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from tenure.limits import FIRST_RECORD_BYTES, FIRST_RECORD_S
from tenure.pipeline.lanes import Lane
from tenure.pipeline.stager import Staged

FADING: Final = 0.5
"""What is left of a sum after another run."""

LOAD: Final = "load"


@dataclass(frozen=True, slots=True)
class Pace:
    """Sums. Before its first run a lane is believed to have seen one record, of usual size and cost."""

    records: float = 1.0
    bytes: float = FIRST_RECORD_BYTES
    seconds: float = FIRST_RECORD_S

    @property
    def record_bytes(self) -> float:
        return self.bytes / self.records

    @property
    def record_s(self) -> float:
        return self.seconds / self.records

    def after(self, records: int, record_bytes: int | None, seconds: float) -> "Pace":
        """`record_bytes` are those of all records; None where nobody has counted them."""
        counted = self.record_bytes * records if record_bytes is None else record_bytes
        return Pace(self.records * FADING + records, self.bytes * FADING + counted, self.seconds * FADING + seconds)


class Paces:
    def __init__(self, max_records: int, max_bytes: int, task_s: float) -> None:
        """What a member may have under way at once: records, their bytes, and seconds of its tasks' time."""
        self._records_per_byte = max_records / max_bytes
        self._records_per_s = max_records / task_s
        self._of: dict[Lane, Pace] = {}

    def weight(self, lane: Lane) -> float:
        """Of one of its records: 1 where the number of records is what bounds a bundle, more where bytes or time do."""
        pace = self._of.get(lane, Pace())
        return max(1.0, pace.record_bytes * self._records_per_byte, pace.record_s * self._records_per_s)

    def weights(self, lanes: Sequence[Lane]) -> Mapping[Lane, float]:
        return {lane: self.weight(lane) for lane in lanes}

    def learn(self, staged: Sequence[Staged], elapsed_s: float) -> None:
        """From the runs of a bundle, which took so long together; runs that tell no times of their own share it."""
        total = sum(run.manifest.records for run in staged)
        for run in staged:
            records = run.manifest.records
            if records:
                seconds = sum(run.seconds[step] for step in run.seconds if step != LOAD)
                pace = self._of.get(run.lane, Pace())
                self._of[run.lane] = pace.after(records, run.record_bytes, seconds or elapsed_s * records / total)
