"""Reactions of a transactional producer to error codes (rule 8.7).

Each table is for the responses of one API. Its name ends with the reaction to all other codes, such as `ELSE_FATAL`.

Two kinds of brokers check epochs. The coordinator of the transactional id stores the current producer, so its response
is final. The leader of a partition or the coordinator of a group only knows the last epoch that it received, which may
belong to an aborted transaction. If one of these brokers rejects the epoch, the producer aborts its transaction. The
transaction coordinator's response to the abort shows whether a newer producer exists.
"""

from collections.abc import Mapping
from enum import Enum, auto
from typing import Final

from tenure.protocol.errors import ErrorCode


class TransactionReaction(Enum):
    """Reaction of a transactional producer to an error code."""

    DONE = auto()
    RETRY = auto()
    REDISCOVER = auto()
    """Find the coordinator, and retry."""
    ABORT = auto()
    """The transaction has to be aborted."""
    NEW_PRODUCER_ID = auto()
    """The coordinator has lost the id and its transaction: request a new producer id."""
    NOTHING_TO_END = auto()
    FENCED = auto()
    FATAL = auto()


Reactions = Mapping[ErrorCode, TransactionReaction]

_PASSING: Final = {
    ErrorCode.NONE: TransactionReaction.DONE,
    **{code: TransactionReaction.RETRY for code in ErrorCode if code.retriable},
    ErrorCode.COORDINATOR_NOT_AVAILABLE: TransactionReaction.REDISCOVER,
    ErrorCode.NOT_COORDINATOR: TransactionReaction.REDISCOVER,
    ErrorCode.REQUEST_TIMED_OUT: TransactionReaction.REDISCOVER,
}
INIT_PRODUCER_ID_ELSE_FATAL: Final[Reactions] = {
    **_PASSING,
    ErrorCode.PRODUCER_FENCED: TransactionReaction.FENCED,
    ErrorCode.INVALID_PRODUCER_EPOCH: TransactionReaction.FENCED,
}
_OF_A_TRANSACTION: Final = {
    **INIT_PRODUCER_ID_ELSE_FATAL,
    ErrorCode.TRANSACTION_ABORTABLE: TransactionReaction.ABORT,
    ErrorCode.INVALID_PRODUCER_ID_MAPPING: TransactionReaction.ABORT,
    ErrorCode.UNKNOWN_PRODUCER_ID: TransactionReaction.ABORT,
}

ADD_PARTITIONS_ELSE_ABORT: Final[Reactions] = {
    **_OF_A_TRANSACTION,
    ErrorCode.TRANSACTIONAL_ID_AUTHORIZATION_FAILED: TransactionReaction.FATAL,
    ErrorCode.INVALID_TXN_STATE: TransactionReaction.FATAL,
}
ADD_OFFSETS_ELSE_FATAL: Final[Reactions] = {
    **_OF_A_TRANSACTION,
    ErrorCode.GROUP_AUTHORIZATION_FAILED: TransactionReaction.ABORT,
}
TXN_OFFSET_COMMIT_ELSE_ABORT: Final[Reactions] = {
    **_PASSING,
    ErrorCode.PRODUCER_FENCED: TransactionReaction.FENCED,
    ErrorCode.TRANSACTIONAL_ID_AUTHORIZATION_FAILED: TransactionReaction.FATAL,
}
_OF_AN_END: Final = {
    **_OF_A_TRANSACTION,
    ErrorCode.UNKNOWN_SERVER_ERROR: TransactionReaction.RETRY,  # it may have been applied; a retry does no harm
}
COMMIT_ELSE_FATAL: Final[Reactions] = {
    **_OF_AN_END,
    # The transaction was aborted already. The response to the abort shows whether a newer producer has fenced this one.
    ErrorCode.INVALID_TXN_STATE: TransactionReaction.ABORT,
}
ABORT_ELSE_FATAL: Final[Reactions] = {
    **_OF_AN_END,
    ErrorCode.INVALID_PRODUCER_ID_MAPPING: TransactionReaction.NEW_PRODUCER_ID,
    ErrorCode.UNKNOWN_PRODUCER_ID: TransactionReaction.NEW_PRODUCER_ID,
    ErrorCode.INVALID_TXN_STATE: TransactionReaction.NOTHING_TO_END,
    ErrorCode.TRANSACTION_ABORTABLE: TransactionReaction.FATAL,
}

MAYBE_DECIDED: Final = frozenset(
    {
        ErrorCode.UNKNOWN_SERVER_ERROR,
        ErrorCode.REQUEST_TIMED_OUT,
        ErrorCode.COORDINATOR_NOT_AVAILABLE,
        ErrorCode.NOT_COORDINATOR,
    }
)
"""Errors of EndTxn after which it is unknown whether the coordinator's log contains the decision."""

FATAL_FOR_BATCHES: Final = frozenset(
    {ErrorCode.TRANSACTIONAL_ID_AUTHORIZATION_FAILED, ErrorCode.CLUSTER_AUTHORIZATION_FAILED}
)
"""Fatal errors of Produce. All others concern the transaction only."""

REMEDIES: Final = {
    ErrorCode.INVALID_TRANSACTION_TIMEOUT: "'transaction.timeout.ms' ({timeout_ms}) exceeds the broker's "
    "'transaction.max.timeout.ms'. Lower the one, or raise the other",
    ErrorCode.INVALID_TXN_STATE: "the broker has no such transaction. It exceeded 'transaction.timeout.ms' "
    "({timeout_ms}) and was aborted, or nothing was written in it",
    ErrorCode.TRANSACTIONAL_ID_AUTHORIZATION_FAILED: "not authorized. Grant WRITE on the transactional id",
    ErrorCode.GROUP_AUTHORIZATION_FAILED: "not authorized. Grant READ on the group",
    ErrorCode.INVALID_REQUEST: "the request is invalid. A transactional id must not be empty",
}
"""Cause and remedy of errors for which the error code's own message does not name them."""
