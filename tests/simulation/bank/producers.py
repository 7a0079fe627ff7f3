"""Newest epoch of each producer.

After a client has received an epoch, no older one may begin a transaction (EpochFence).
"""

from tenure.protocol.errors import ErrorCode
from tenure.protocol.message import Message
from tenure.protocol.messages import EndTxnRequest, EndTxnResponse, InitProducerIdRequest, InitProducerIdResponse
from tests.simulation.broken import Broken


class NewestEpochs:
    def __init__(self) -> None:
        self._living: dict[str, tuple[int, int]] = {}
        """Newest producer id and epoch that a client has received, by transactional id."""
        self._name_of: dict[int, str] = {}
        """Transactional id by producer id."""
        self.broken: Broken | None = None
        """Violation that is raised later, because the broker would handle it as a bug of its own."""

    def record_response(self, request: Message, response: Message) -> None:
        """Store the epoch in a response to a client."""
        if not isinstance(response, InitProducerIdResponse | EndTxnResponse) or response.error_code != ErrorCode.NONE:
            return
        if isinstance(request, InitProducerIdRequest | EndTxnRequest) and response.producer_id >= 0:
            assert request.transactional_id is not None
            self._note(request.transactional_id, response.producer_id, response.producer_epoch)

    def _note(self, name: str, producer_id: int, epoch: int) -> None:
        self._name_of[producer_id] = name
        self._living[name] = max(self._living.get(name, (-1, -1)), (producer_id, epoch))

    def wrote(self, partition: str, producer_id: int, epoch: int, *, is_open: bool) -> None:
        """Check and store a batch of a transaction. A late batch in an open transaction belongs to this transaction."""
        living = self._living.get(self._name_of.get(producer_id, ""))
        if living is not None and (producer_id, epoch) < living and not is_open:
            what = f"{(producer_id, epoch)} begins something in {partition}, and {living} lives"
            self.broken = Broken("EpochFence", what)
