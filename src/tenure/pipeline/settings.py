"""How one member of a pipeline's group works."""

from dataclasses import dataclass
from typing import Literal

from tenure.limits import RUN_BYTES, RUN_RECORDS, STANDSTILL_SHARE, TARGET_BATCH_TIME_S
from tenure.pipeline.recover import OnDisagreement
from tenure.protocol.types import TopicName

Until = Literal["stopped", "caught-up"]


@dataclass(frozen=True, slots=True)
class Settings:
    topics: tuple[TopicName, ...]
    """With several, a lane is partition n of all of them."""
    stateful: bool = False
    max_records: int = RUN_RECORDS
    """Of all that this member has under way at once."""
    max_bytes: int = RUN_BYTES
    """The same in bytes. Earlier runs tell how large records are; a run that finds larger ones ends before."""
    target_batch_time_s: float = TARGET_BATCH_TIME_S
    """That a bundle should take, as far as earlier runs tell: back-pressure."""
    tasks: int = 1
    """Bundles that this member keeps under way at once: Spark tasks."""
    on_disagreement: OnDisagreement = OnDisagreement.REFUSE
    rebalance_timeout_s: float = 300.0
    run_timeout_s: float = 300.0
    """As `max.poll.interval.ms`: a run that takes longer is taken to hang."""

    @property
    def standstill_s(self) -> float:
        """Between two looks at what is under way: a member that has taken longer has stood still."""
        return self.run_timeout_s * STANDSTILL_SHARE
