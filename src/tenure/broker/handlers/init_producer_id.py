"""InitProducerId (22). v1 throttle time first, v2 flexible, v3 the producer's present id and epoch, v4 and v5 errors.

An idempotent producer gets an id that nobody else has or had. A transactional id is refused: there are no transactions
yet, and a made-up epoch would promise a fence that is not there.
"""

from typing import TYPE_CHECKING, Final

from tenure.broker.request import Request
from tenure.broker.route import Route
from tenure.protocol.errors import ErrorCode
from tenure.protocol.messages import InitProducerIdRequest, InitProducerIdResponse
from tenure.protocol.types import ProducerId

if TYPE_CHECKING:
    from tenure.broker.broker import Broker

NO_PRODUCER: Final = ProducerId(-1)


def handle(broker: "Broker", request: Request, message: InitProducerIdRequest) -> None:
    if message.transactional_id is not None:
        request.answer(
            InitProducerIdResponse(error_code=ErrorCode.INVALID_REQUEST, producer_id=NO_PRODUCER, producer_epoch=-1)
        )
        return

    def respond(producer_id: ProducerId, error_code: ErrorCode) -> None:
        epoch = -1 if error_code else 0
        request.answer(InitProducerIdResponse(error_code=error_code, producer_id=producer_id, producer_epoch=epoch))

    broker.producer_ids.take(respond)


route = Route(InitProducerIdRequest, handle)
