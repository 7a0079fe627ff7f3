"""Generated from `tenure/protocol/tables/list_transactions.py` by `python -m tenure.protocol.generate`."""

from typing import Final

from tenure.protocol.message import (
    EMPTY,
    Message,
    Struct,
)
from tenure.protocol.types import (
    ProducerId,
)


class ListTransactionsRequest(Message):
    __slots__ = ("state_filters", "producer_id_filters", "duration_filter", "transactional_id_pattern")
    TABLE = "list_transactions"
    KEY = 66
    VERSIONS = range(0, 3)

    def __init__(
        self,
        state_filters: list[str] = EMPTY,
        producer_id_filters: list[ProducerId] = EMPTY,
        duration_filter: int = -1,
        transactional_id_pattern: str | None = None,
    ) -> None:
        self.state_filters: Final = [] if state_filters is EMPTY else state_filters
        self.producer_id_filters: Final = [] if producer_id_filters is EMPTY else producer_id_filters
        self.duration_filter: Final = duration_filter
        self.transactional_id_pattern: Final = transactional_id_pattern


class ListedTransaction(Struct):
    __slots__ = ("transactional_id", "producer_id", "transaction_state")

    def __init__(
        self,
        transactional_id: str = "",
        producer_id: ProducerId = ProducerId(0),
        transaction_state: str = "",
    ) -> None:
        self.transactional_id: Final = transactional_id
        self.producer_id: Final = producer_id
        self.transaction_state: Final = transaction_state


class ListTransactionsResponse(Message):
    __slots__ = ("throttle_time_ms", "error_code", "unknown_state_filters", "transaction_states")
    TABLE = "list_transactions"
    KEY = 66
    VERSIONS = range(0, 3)

    def __init__(
        self,
        throttle_time_ms: int = 0,
        error_code: int = 0,
        unknown_state_filters: list[str] = EMPTY,
        transaction_states: list[ListedTransaction] = EMPTY,
    ) -> None:
        self.throttle_time_ms: Final = throttle_time_ms
        self.error_code: Final = error_code
        self.unknown_state_filters: Final = [] if unknown_state_filters is EMPTY else unknown_state_filters
        self.transaction_states: Final = [] if transaction_states is EMPTY else transaction_states
