"""InitProducerId (API key 22).

Changes: v1 throttles after the response, v2 flexible encoding, v3 the producer's present id and epoch, v4
PRODUCER_FENCED, v5 TRANSACTION_ABORTABLE.

An idempotent producer gets a new id. A transactional producer gets the producer id that belongs to its transactional
id, with a new epoch that fences all earlier producers (rule 8.2).
"""

from functools import partial
from typing import Final

from tenure.broker.requests.context import Context
from tenure.broker.requests.permissions import is_allowed
from tenure.broker.requests.request import Request
from tenure.broker.requests.route import Route
from tenure.coordinator.answers import Refused
from tenure.coordinator.transactions.answers import Producer
from tenure.coordinator.transactions.commands import InitProducer
from tenure.protocol.acls import CLUSTER_NAME, AclOperation, ResourceType
from tenure.protocol.errors import ErrorCode
from tenure.protocol.messages import InitProducerIdRequest, InitProducerIdResponse
from tenure.protocol.types import ProducerId

NO_PRODUCER: Final = ProducerId(-1)
NO_EPOCH: Final = -1
PRODUCER_FENCED_SINCE: Final = 4


def handle(context: Context, request: Request, message: InitProducerIdRequest) -> None:
    if message.transactional_id is not None:
        _init_transactional(context, request, message, message.transactional_id)
        return

    def respond(producer_id: ProducerId, error_code: ErrorCode) -> None:
        epoch = -1 if error_code else 0
        request.answer(InitProducerIdResponse(error_code=error_code, producer_id=producer_id, producer_epoch=epoch))

    if _may_be_idempotent(context, request):
        context.producer_ids.take(request.callback(respond))
    else:
        respond(NO_PRODUCER, ErrorCode.CLUSTER_AUTHORIZATION_FAILED)


def _may_be_idempotent(context: Context, request: Request) -> bool:
    """Return whether the client may get an id for an idempotent producer (KIP-679).

    The client needs IDEMPOTENT_WRITE on the cluster, or WRITE on at least one topic.
    """
    authorization = context.authorization
    return (
        authorization is None
        or authorization.would_allow(request, AclOperation.IDEMPOTENT_WRITE, ResourceType.CLUSTER, CLUSTER_NAME)
        or authorization.allows_any(request, AclOperation.WRITE, ResourceType.TOPIC)
    )


def _init_transactional(
    context: Context, request: Request, message: InitProducerIdRequest, transactional_id: str
) -> None:
    def respond(answer: object) -> None:
        if isinstance(answer, Producer):
            request.answer(InitProducerIdResponse(0, 0, answer.producer_id, answer.producer_epoch))
        elif isinstance(answer, Refused):
            request.answer(
                InitProducerIdResponse(0, _error_in_version(answer.error_code, request.version), NO_PRODUCER, -1)
            )

    if not is_allowed(context, request, AclOperation.WRITE, ResourceType.TRANSACTIONAL_ID, transactional_id):
        respond(Refused(ErrorCode.TRANSACTIONAL_ID_AUTHORIZATION_FAILED))
        return
    if (message.producer_id == NO_PRODUCER) != (message.producer_epoch == NO_EPOCH):
        respond(Refused(ErrorCode.INVALID_REQUEST))
        return
    command = partial(
        InitProducer,
        transactional_id,
        message.transaction_timeout_ms,
        message.producer_id,
        message.producer_epoch,
    )
    context.transactions.ask_with_id(transactional_id, command, request.callback(respond))


def _error_in_version(error_code: ErrorCode, version: int) -> ErrorCode:
    if error_code is ErrorCode.PRODUCER_FENCED and version < PRODUCER_FENCED_SINCE:
        return ErrorCode.INVALID_PRODUCER_EPOCH
    return error_code


route = Route(InitProducerIdRequest, handle)
