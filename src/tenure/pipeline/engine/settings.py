"""Settings of the engine of one member."""

from dataclasses import dataclass
from typing import Literal

from tenure.limits.pipeline import RUNNING_BYTES, RUNNING_RECORDS, SUSPENSION_SHARE, TARGET_BATCH_TIME_S
from tenure.pipeline.engine.recover import OnDisagreement
from tenure.protocol.types import TopicName

Until = Literal["stopped", "caught-up"]


@dataclass(frozen=True, slots=True)
class EngineSettings:
    topics: tuple[TopicName, ...]
    """Input topics. A lane is partition n of all these topics."""
    stateful: bool = False
    max_records: int = RUNNING_RECORDS
    """Maximum records in the running bundles of the member."""
    max_bytes: int = RUNNING_BYTES
    """Maximum bytes of these records in memory. The planner estimates the size of records from earlier batches. A batch
    ends early if its records are larger than estimated."""
    target_batch_time_s: float = TARGET_BATCH_TIME_S
    """Time in seconds that a bundle should take, estimated from earlier batches."""
    tasks: int = 1
    """Maximum concurrent bundles of the member, each a Spark task."""
    on_disagreement: OnDisagreement = OnDisagreement.REFUSE
    rebalance_timeout_s: float = 300.0
    batch_timeout_s: float = 300.0
    """Time in seconds after which a batch counts as hung (`max.poll.interval.ms`)."""

    @property
    def standstill_s(self) -> float:
        """Seconds without a check of the running bundles, after which the process counts as suspended."""
        return self.batch_timeout_s * SUSPENSION_SHARE
