"""EndTxn (API key 26).

Changes: v2 PRODUCER_FENCED, v3 flexible encoding, v5 producer id and epoch of the next transaction (KIP-890).

The request is answered when the decision is durable. The markers are written afterwards (rule 8.4).
"""

from functools import partial
from typing import Final

from tenure.broker.requests.context import Context
from tenure.broker.requests.permissions import is_allowed
from tenure.broker.requests.request import Request
from tenure.broker.requests.route import Route
from tenure.coordinator.answers import Refused
from tenure.coordinator.transactions.answers import Producer
from tenure.coordinator.transactions.commands import EndTransaction
from tenure.protocol.acls import AclOperation, ResourceType
from tenure.protocol.errors import ErrorCode
from tenure.protocol.messages import EndTxnRequest, EndTxnResponse
from tenure.protocol.types import EPOCH_BUMPS

PRODUCER_FENCED_SINCE: Final = 2
EPOCH_BUMPS_SINCE: Final = 5


def handle(context: Context, request: Request, message: EndTxnRequest) -> None:
    if not is_allowed(context, request, AclOperation.WRITE, ResourceType.TRANSACTIONAL_ID, message.transactional_id):
        request.answer(EndTxnResponse(error_code=ErrorCode.TRANSACTIONAL_ID_AUTHORIZATION_FAILED))
        return
    command = partial(
        EndTransaction,
        message.transactional_id,
        message.producer_id,
        message.producer_epoch,
        message.committed,
        EPOCH_BUMPS if request.version >= EPOCH_BUMPS_SINCE else 0,
    )
    context.transactions.ask_with_id(message.transactional_id, command, request.callback(partial(_respond, request)))


def _respond(request: Request, answer: object) -> None:
    if isinstance(answer, Producer):
        request.answer(EndTxnResponse(producer_id=answer.producer_id, producer_epoch=answer.producer_epoch))
    elif isinstance(answer, Refused):
        request.answer(EndTxnResponse(error_code=fenced_in(request.version, answer.error_code)))


def fenced_in(version: int, error_code: ErrorCode) -> ErrorCode:
    """Return the error code for a version of the API (rule 8.1).

    Before version PRODUCER_FENCED_SINCE, PRODUCER_FENCED is replaced by INVALID_PRODUCER_EPOCH.
    """
    if error_code is ErrorCode.PRODUCER_FENCED and version < PRODUCER_FENCED_SINCE:
        return ErrorCode.INVALID_PRODUCER_EPOCH
    return error_code


route = Route(EndTxnRequest, handle)
