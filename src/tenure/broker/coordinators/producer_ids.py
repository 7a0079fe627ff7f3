"""Producer ids, taken from blocks that the metadata shard reserves, so that no id is used twice."""

from collections.abc import Callable
from typing import TYPE_CHECKING

from tenure.broker.coordinators.guarded_callback import answering_failure
from tenure.coordinator.answers import Refused
from tenure.coordinator.metadata.answers import ProducerIdBlock
from tenure.coordinator.metadata.commands import AllocateProducerIds
from tenure.protocol.errors import ErrorCode
from tenure.protocol.types import ProducerId

if TYPE_CHECKING:
    from tenure.broker.coordinators.served_shard import ServedShard
    from tenure.coordinator.metadata.shard import MetadataShard

IdCallback = Callable[[ProducerId, ErrorCode], None]

NO_PRODUCER_ID = ProducerId(-1)


class ProducerIds:
    def __init__(self, metadata: "ServedShard[MetadataShard]") -> None:
        self._metadata = metadata
        self._next = 0
        self._end = 0
        """Ids from `_next` to `_end` - 1 are available."""
        self._waiting: list[IdCallback] = []
        """Callbacks that wait for the next block. Invariant: empty if and only if no block is requested."""

    def take(self, callback: IdCallback) -> None:
        """Take an unused id, and call `callback(producer_id, error_code)`; the error code is NONE on success.

        If no id is available, the callback is called later, when a new block is reserved or cannot be reserved.
        `callback` raises no error.
        """
        if self._next < self._end:
            self._next += 1
            callback(ProducerId(self._next - 1), ErrorCode.NONE)
            return
        self._waiting.append(callback)
        if len(self._waiting) == 1:
            self._metadata.ask(AllocateProducerIds(), answering_failure(self._allotted, self._refuse))

    def _allotted(self, answer: ProducerIdBlock | Refused) -> None:
        if isinstance(answer, Refused):
            self._refuse(answer)
            return
        self._next, self._end = answer.first_producer_id, answer.first_producer_id + answer.count
        waiting, self._waiting = self._waiting, []
        for callback in waiting:
            self.take(callback)

    def _refuse(self, answer: Refused) -> None:
        waiting, self._waiting = self._waiting, []
        for callback in waiting:
            callback(NO_PRODUCER_ID, answer.error_code)
