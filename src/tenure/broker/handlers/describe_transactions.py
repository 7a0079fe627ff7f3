"""DescribeTransactions (API key 65, KIP-664): states of transactional ids, and partitions of open transactions."""

from collections.abc import Callable, Iterator

from tenure.broker.requests.context import Context
from tenure.broker.requests.permissions import is_allowed, visible_names
from tenure.broker.requests.request import Request
from tenure.broker.requests.route import Gathering, Route
from tenure.coordinator.answers import Refused
from tenure.coordinator.transactions.answers import Described
from tenure.coordinator.transactions.commands import DescribeTransaction
from tenure.coordinator.transactions.states import NAMES, State
from tenure.protocol.acls import AclOperation, ResourceType
from tenure.protocol.errors import ErrorCode
from tenure.protocol.messages import (
    DescribedTransaction,
    DescribedTransactionTopic,
    DescribeTransactionsRequest,
    DescribeTransactionsResponse,
)


def handle(context: Context, request: Request, message: DescribeTransactionsRequest) -> Iterator[None]:
    requested = message.transactional_ids
    may_see = visible_names(context, request, AclOperation.DESCRIBE, ResourceType.TOPIC)

    def respond(answers: list[object]) -> None:
        states = [
            _state(transactional_id, answer, may_see)
            for transactional_id, answer in zip(requested, answers, strict=True)
        ]
        request.go_on(request.answer_in_steps(DescribeTransactionsResponse(transaction_states=states)))

    def ask(index: int, slot: Callable[[object], None]) -> None:
        if is_allowed(context, request, AclOperation.DESCRIBE, ResourceType.TRANSACTIONAL_ID, requested[index]):
            context.transactions.ask(requested[index], DescribeTransaction(requested[index]), request.callback(slot))
        else:
            slot(Refused(ErrorCode.TRANSACTIONAL_ID_AUTHORIZATION_FAILED))

    return Gathering(len(requested), respond).ask_each(ask)


def _state(transactional_id: str, answer: object, may_see: Callable[[str], bool] | None) -> DescribedTransaction:
    if isinstance(answer, Refused):
        return DescribedTransaction(answer.error_code, transactional_id)
    assert isinstance(answer, Described)
    value = answer.state
    return DescribedTransaction(
        transactional_id=transactional_id,
        transaction_state=NAMES[State(value.transaction_status)],
        transaction_timeout_ms=value.transaction_timeout_ms,
        transaction_start_time_ms=value.transaction_start_timestamp_ms,
        producer_id=value.producer_id,
        producer_epoch=value.producer_epoch,
        topics=[
            DescribedTransactionTopic(topic.topic, topic.partition_ids)
            for topic in value.transaction_partitions or ()
            if may_see is None or may_see(topic.topic)
        ],
    )


route = Route(DescribeTransactionsRequest, handle)
