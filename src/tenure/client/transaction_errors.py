"""What a transactional producer does about each error code (rule 8.7), as tables. A code that is not listed is what the
table's name says at its end.

Epochs are looked at in two places. The coordinator of the transactional id knows whether another producer lives under
it, so its word is final. A partition or a group only knows that an epoch is not the one that it has seen, which may
also be an aborted transaction's: whoever is told so aborts, and learns from the coordinator which of the two it was.
"""

from collections.abc import Mapping
from enum import Enum, auto
from typing import Final

from tenure.protocol.errors import ErrorCode


class Reaction(Enum):
    DONE = auto()
    RETRY = auto()
    REDISCOVER = auto()
    """The coordinator is elsewhere, or nowhere: find it, and ask again."""
    ABORT = auto()
    """It costs this transaction."""
    BEGIN_ANEW = auto()
    """The coordinator has forgotten the id, and with it the transaction: another producer id is to be had."""
    NOTHING_TO_END = auto()
    FENCED = auto()
    FATAL = auto()


Reactions = Mapping[ErrorCode, Reaction]

_PASSING: Final = {
    ErrorCode.NONE: Reaction.DONE,
    **{code: Reaction.RETRY for code in ErrorCode if code.retriable},
    ErrorCode.COORDINATOR_NOT_AVAILABLE: Reaction.REDISCOVER,
    ErrorCode.NOT_COORDINATOR: Reaction.REDISCOVER,
    ErrorCode.REQUEST_TIMED_OUT: Reaction.REDISCOVER,
}
INIT_PRODUCER_ID_ELSE_FATAL: Final[Reactions] = {
    **_PASSING,
    ErrorCode.PRODUCER_FENCED: Reaction.FENCED,
    ErrorCode.INVALID_PRODUCER_EPOCH: Reaction.FENCED,
}
_OF_A_TRANSACTION: Final = {
    **INIT_PRODUCER_ID_ELSE_FATAL,
    ErrorCode.TRANSACTION_ABORTABLE: Reaction.ABORT,
    ErrorCode.INVALID_PRODUCER_ID_MAPPING: Reaction.ABORT,
    ErrorCode.UNKNOWN_PRODUCER_ID: Reaction.ABORT,
}

ADD_PARTITIONS_ELSE_ABORT: Final[Reactions] = {
    **_OF_A_TRANSACTION,
    ErrorCode.TRANSACTIONAL_ID_AUTHORIZATION_FAILED: Reaction.FATAL,
    ErrorCode.INVALID_TXN_STATE: Reaction.FATAL,
}
ADD_OFFSETS_ELSE_FATAL: Final[Reactions] = {
    **_OF_A_TRANSACTION,
    ErrorCode.GROUP_AUTHORIZATION_FAILED: Reaction.ABORT,
}
TXN_OFFSET_COMMIT_ELSE_ABORT: Final[Reactions] = {
    **_PASSING,
    ErrorCode.PRODUCER_FENCED: Reaction.FENCED,
    ErrorCode.TRANSACTIONAL_ID_AUTHORIZATION_FAILED: Reaction.FATAL,
}
_OF_AN_END: Final = {
    **_OF_A_TRANSACTION,
    ErrorCode.UNKNOWN_SERVER_ERROR: Reaction.RETRY,  # it may have happened, and the same again does no harm
}
COMMIT_ELSE_FATAL: Final[Reactions] = {
    **_OF_AN_END,
    ErrorCode.INVALID_TXN_STATE: Reaction.ABORT,  # it has been aborted already: the abort says whether we are fenced
}
ABORT_ELSE_FATAL: Final[Reactions] = {
    **_OF_AN_END,
    ErrorCode.INVALID_PRODUCER_ID_MAPPING: Reaction.BEGIN_ANEW,
    ErrorCode.UNKNOWN_PRODUCER_ID: Reaction.BEGIN_ANEW,
    ErrorCode.INVALID_TXN_STATE: Reaction.NOTHING_TO_END,
    ErrorCode.TRANSACTION_ABORTABLE: Reaction.FATAL,
}

MAYBE_DECIDED: Final = frozenset(
    {
        ErrorCode.UNKNOWN_SERVER_ERROR,
        ErrorCode.REQUEST_TIMED_OUT,
        ErrorCode.COORDINATOR_NOT_AVAILABLE,
        ErrorCode.NOT_COORDINATOR,
    }
)
"""Of EndTxn: the coordinator has not seen its log take the decision, which may be there all the same."""

FATAL_FOR_BATCHES: Final = frozenset(
    {ErrorCode.TRANSACTIONAL_ID_AUTHORIZATION_FAILED, ErrorCode.CLUSTER_AUTHORIZATION_FAILED}
)
"""Of Produce. Anything else costs the transaction."""

REMEDIES: Final = {
    ErrorCode.INVALID_TRANSACTION_TIMEOUT: "'transaction.timeout.ms' is {timeout_ms}, which is more than the broker's "
    "'transaction.max.timeout.ms': lower the one, or raise the other",
    ErrorCode.INVALID_TXN_STATE: "the broker has nothing to commit: the transaction lasted longer than "
    "'transaction.timeout.ms' ({timeout_ms}) and was aborted, or nothing was written in it",
    ErrorCode.TRANSACTIONAL_ID_AUTHORIZATION_FAILED: "the broker does not allow it; ask for WRITE on the "
    "transactional id",
    ErrorCode.GROUP_AUTHORIZATION_FAILED: "the broker does not allow it; ask for READ on the group",
    ErrorCode.INVALID_REQUEST: "a transactional id has at least one character, and the broker takes no other one",
}
"""In place of what the code says by itself."""
