"""Producer ids, taken from blocks that the metadata shard reserves, so that no id is used twice."""

from collections.abc import Callable
from typing import TYPE_CHECKING

from tenure.coordinator.answers import Refused
from tenure.coordinator.metadata.answers import ProducerIdBlock
from tenure.coordinator.metadata.commands import AllocateProducerIds
from tenure.protocol.errors import ErrorCode
from tenure.protocol.types import ProducerId

if TYPE_CHECKING:
    from tenure.broker.coordinators.served_shard import ServedShard
    from tenure.coordinator.metadata.shard import MetadataShard

Taker = Callable[[ProducerId, ErrorCode], None]

NO_PRODUCER_ID = ProducerId(-1)


class ProducerIds:
    def __init__(self, metadata: "ServedShard[MetadataShard]") -> None:
        self._metadata = metadata
        self._next = 0
        self._end = 0
        """Ids from `_next` to `_end` - 1 are available."""
        self._takers: list[Taker] = []
        """Callbacks that wait for the next block. Invariant: empty if and only if no block is requested."""

    def take(self, taker: Taker) -> None:
        """Call `taker(producer_id, error_code)`, at once if the block has ids left, else when a new one is reserved."""
        if self._next < self._end:
            self._next += 1
            taker(ProducerId(self._next - 1), ErrorCode.NONE)
            return
        self._takers.append(taker)
        if len(self._takers) == 1:
            self._metadata.ask(AllocateProducerIds(), self._allotted)

    def _allotted(self, answer: ProducerIdBlock | Refused) -> None:
        takers, self._takers = self._takers, []
        if isinstance(answer, Refused):
            for taker in takers:
                taker(NO_PRODUCER_ID, answer.error_code)
            return
        self._next, self._end = answer.first_producer_id, answer.first_producer_id + answer.count
        for taker in takers:
            self.take(taker)
