"""ListTransactions (API key 66, KIP-664).

Changes: v1 filter by duration (KIP-994), v2 filter by a pattern of ids (KIP-1152).
"""

from collections.abc import Callable, Iterator, Sequence

from tenure.broker.requests.context import Context
from tenure.broker.requests.permissions import visible_names
from tenure.broker.requests.request import Request
from tenure.broker.requests.route import OneByOne, Route
from tenure.broker.requests.steps import in_steps
from tenure.coordinator.answers import Refused
from tenure.coordinator.groups.topic_regex import matching, why_invalid
from tenure.coordinator.transactions.answers import Listed
from tenure.coordinator.transactions.commands import ListTransactions
from tenure.coordinator.transactions.states import BY_NAME, NAMES, State
from tenure.protocol.acls import AclOperation, ResourceType
from tenure.protocol.errors import ErrorCode
from tenure.protocol.generated.transaction_state import TransactionLogValue
from tenure.protocol.messages import ListedTransaction, ListTransactionsRequest, ListTransactionsResponse

Entry = tuple[str, TransactionLogValue]


def handle(context: Context, request: Request, message: ListTransactionsRequest) -> None:
    unknown = [name for name in dict.fromkeys(message.state_filters) if name not in BY_NAME]
    if message.transactional_id_pattern and why_invalid(message.transactional_id_pattern) is not None:
        request.answer(ListTransactionsResponse(error_code=ErrorCode.INVALID_REGULAR_EXPRESSION))
        return
    shards = context.transactions.active

    def ask(index: int, slot: Callable[[object], None]) -> None:
        if not request.connection.closed:
            shards[index].ask(ListTransactions(), request.callback(slot))

    def respond(answers: list[object]) -> None:
        refused = [answer.error_code for answer in answers if isinstance(answer, Refused)]
        if refused:
            request.answer(ListTransactionsResponse(error_code=refused[0]))
            return
        listed = [entry for answer in answers if isinstance(answer, Listed) for entry in answer.transactions]
        may_see = visible_names(context, request, AclOperation.DESCRIBE, ResourceType.TRANSACTIONAL_ID)
        if may_see is not None:
            listed = [entry for entry in listed if may_see(entry[0])]
        request.go_on(_answer(request, unknown, _wanted(message, listed, context.wall_ms())))

    OneByOne(context.loop, request, len(shards), ask, respond)


def _answer(request: Request, unknown: list[str], wanted: Iterator[Entry]) -> Iterator[None]:
    states = yield from in_steps(
        ListedTransaction(transactional_id, value.producer_id, NAMES[State(value.transaction_status)])
        for transactional_id, value in wanted
    )
    response = ListTransactionsResponse(unknown_state_filters=unknown, transaction_states=states)
    yield from request.answer_in_steps(response, len(states))


def _wanted(message: ListTransactionsRequest, listed: Sequence[Entry], wall_ms: int) -> Iterator[Entry]:
    """Yield the entries that match the filters of the request. A filter for an unknown state matches no entry."""
    states = {BY_NAME.get(name) for name in message.state_filters}
    producer_ids = set(message.producer_id_filters)
    matching_ids = None
    if message.transactional_id_pattern:
        matching_ids = set(matching(message.transactional_id_pattern, [name for name, _ in listed]))
    for transactional_id, value in listed:
        is_wanted = not states or value.transaction_status in states
        is_wanted &= not producer_ids or value.producer_id in producer_ids
        is_wanted &= matching_ids is None or transactional_id in matching_ids
        if message.duration_filter >= 0:
            is_wanted &= wall_ms - value.transaction_start_timestamp_ms > message.duration_filter
        if is_wanted:
            yield transactional_id, value


route = Route(ListTransactionsRequest, handle)
