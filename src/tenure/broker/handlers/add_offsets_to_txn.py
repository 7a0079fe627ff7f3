"""AddOffsetsToTxn (API key 25): adds the partition of a group's offsets to the transaction (rule 8.3)."""

from functools import partial

from tenure.broker.handlers.end_txn import fenced_in
from tenure.broker.requests.context import Context
from tenure.broker.requests.permissions import is_allowed
from tenure.broker.requests.request import Request
from tenure.broker.requests.route import Route
from tenure.coordinator.answers import Refused
from tenure.coordinator.transactions.commands import Adding, AddPartitions
from tenure.protocol.acls import AclOperation, ResourceType
from tenure.protocol.errors import ErrorCode
from tenure.protocol.messages import AddOffsetsToTxnRequest, AddOffsetsToTxnResponse


def handle(context: Context, request: Request, message: AddOffsetsToTxnRequest) -> None:
    error_code = _refusal(context, request, message)
    if error_code is not None:
        request.answer(AddOffsetsToTxnResponse(error_code=error_code))
        return
    command = AddPartitions(
        message.transactional_id,
        message.producer_id,
        message.producer_epoch,
        [context.groups.offsets_partition(message.group_id)],
        Adding.EXPLICIT,
    )
    context.transactions.add(command, request.callback(partial(_respond, request)))


def _refusal(context: Context, request: Request, message: AddOffsetsToTxnRequest) -> ErrorCode | None:
    if context.authorization is None:
        return None
    if not is_allowed(context, request, AclOperation.WRITE, ResourceType.TRANSACTIONAL_ID, message.transactional_id):
        return ErrorCode.TRANSACTIONAL_ID_AUTHORIZATION_FAILED
    if not is_allowed(context, request, AclOperation.READ, ResourceType.GROUP, message.group_id):
        return ErrorCode.GROUP_AUTHORIZATION_FAILED
    return None


def _respond(request: Request, answer: object) -> None:
    error_code = answer.error_code if isinstance(answer, Refused) else ErrorCode.NONE
    request.answer(AddOffsetsToTxnResponse(error_code=fenced_in(request.version, error_code)))


route = Route(AddOffsetsToTxnRequest, handle)
