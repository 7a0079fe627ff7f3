"""What a member does about each error code: the tables of rules 7.2 and 3.13.3, as tables.

A code that is not listed is fatal: the coordinator means something that this client does not know.

Some cells differ from the Java client, on purpose:
- SyncGroup answered COORDINATOR_LOAD_IN_PROGRESS: a fail-over has forgotten the join phase, so the member joins again;
  Java gives the error to its user, who could only do the same.
- Heartbeat answered COORDINATOR_LOAD_IN_PROGRESS: no news; brokers answer NONE instead.
- A stale commit never costs the seat. Commits carry the identity of plan time here, so to be stale is ordinary; Java
  commits as whoever it is now, and takes the same answer for a sign that it was removed.
"""

from enum import Enum, auto
from typing import Final

from tenure.protocol.errors import ErrorCode


class Reaction(Enum):
    IGNORE = auto()
    RETRY_AT_ONCE = auto()
    RETRY_AFTER_BACKOFF = auto()
    REDISCOVER = auto()
    """The coordinator is elsewhere, or nowhere: find it, then go on with the same ids."""
    TAKE_MEMBER_ID = auto()
    """KIP-394: the id comes back with the refusal, and the member joins again under it."""
    REJOIN = auto()
    RESET_GENERATION = auto()
    """The member id is still good, the generation is not."""
    RESET_IDENTITY = auto()
    REJOIN_ANEW = auto()
    """The seat may still be there, and this member is not on it any more: it leaves first."""
    FIND_HOLDER = auto()
    COMPLAIN = auto()
    """The user is told once, and the member goes on."""
    FENCED = auto()
    FATAL = auto()


JOIN_GROUP: Final = {
    ErrorCode.COORDINATOR_LOAD_IN_PROGRESS: Reaction.RETRY_AFTER_BACKOFF,
    ErrorCode.COORDINATOR_NOT_AVAILABLE: Reaction.REDISCOVER,
    ErrorCode.NOT_COORDINATOR: Reaction.REDISCOVER,
    ErrorCode.UNKNOWN_MEMBER_ID: Reaction.RESET_IDENTITY,
    ErrorCode.REBALANCE_IN_PROGRESS: Reaction.RETRY_AT_ONCE,
    ErrorCode.MEMBER_ID_REQUIRED: Reaction.TAKE_MEMBER_ID,
    ErrorCode.FENCED_INSTANCE_ID: Reaction.FENCED,
}

SYNC_GROUP: Final = {
    ErrorCode.COORDINATOR_LOAD_IN_PROGRESS: Reaction.REJOIN,
    ErrorCode.COORDINATOR_NOT_AVAILABLE: Reaction.REDISCOVER,
    ErrorCode.NOT_COORDINATOR: Reaction.REDISCOVER,
    ErrorCode.ILLEGAL_GENERATION: Reaction.RESET_GENERATION,
    ErrorCode.UNKNOWN_MEMBER_ID: Reaction.RESET_IDENTITY,
    ErrorCode.REBALANCE_IN_PROGRESS: Reaction.REJOIN,
    ErrorCode.FENCED_INSTANCE_ID: Reaction.FENCED,
}

HEARTBEAT: Final = {
    ErrorCode.COORDINATOR_LOAD_IN_PROGRESS: Reaction.IGNORE,
    ErrorCode.COORDINATOR_NOT_AVAILABLE: Reaction.REDISCOVER,
    ErrorCode.NOT_COORDINATOR: Reaction.REDISCOVER,
    ErrorCode.ILLEGAL_GENERATION: Reaction.RESET_GENERATION,
    ErrorCode.UNKNOWN_MEMBER_ID: Reaction.RESET_IDENTITY,
    ErrorCode.REBALANCE_IN_PROGRESS: Reaction.REJOIN,
    ErrorCode.FENCED_INSTANCE_ID: Reaction.FENCED,
}

CONSUMER_HEARTBEAT: Final = {
    ErrorCode.COORDINATOR_LOAD_IN_PROGRESS: Reaction.RETRY_AFTER_BACKOFF,
    ErrorCode.COORDINATOR_NOT_AVAILABLE: Reaction.REDISCOVER,
    ErrorCode.NOT_COORDINATOR: Reaction.REDISCOVER,
    ErrorCode.UNKNOWN_MEMBER_ID: Reaction.RESET_IDENTITY,
    ErrorCode.GROUP_ID_NOT_FOUND: Reaction.RESET_IDENTITY,
    ErrorCode.FENCED_MEMBER_EPOCH: Reaction.REJOIN_ANEW,
    ErrorCode.UNRELEASED_INSTANCE_ID: Reaction.FIND_HOLDER,
    ErrorCode.TOPIC_AUTHORIZATION_FAILED: Reaction.COMPLAIN,
    ErrorCode.FENCED_INSTANCE_ID: Reaction.FENCED,
}


class CommitVerdict(Enum):
    """What an error code says about a commit, and about the seat of whoever sent it."""

    RETRY_AFTER_BACKOFF = auto()
    """Refused before it was looked at."""
    UNKNOWN = auto()
    """These also stand for a failed or abandoned write (rule 2.3, last table): it may be in the log."""
    REBALANCING = auto()
    RESET_GENERATION = auto()
    RESET_IDENTITY = auto()
    STALE_EPOCH = auto()
    """The epoch is not the one that the fence wants; the seat is good."""
    FENCED = auto()
    REFUSED = auto()
    """This commit only; the seat is good."""


OFFSET_COMMIT: Final = {
    ErrorCode.COORDINATOR_LOAD_IN_PROGRESS: CommitVerdict.RETRY_AFTER_BACKOFF,
    ErrorCode.UNKNOWN_TOPIC_ID: CommitVerdict.RETRY_AFTER_BACKOFF,
    ErrorCode.COORDINATOR_NOT_AVAILABLE: CommitVerdict.UNKNOWN,
    ErrorCode.NOT_COORDINATOR: CommitVerdict.UNKNOWN,
    ErrorCode.REQUEST_TIMED_OUT: CommitVerdict.UNKNOWN,
    ErrorCode.UNKNOWN_SERVER_ERROR: CommitVerdict.UNKNOWN,
    ErrorCode.REBALANCE_IN_PROGRESS: CommitVerdict.REBALANCING,
    ErrorCode.ILLEGAL_GENERATION: CommitVerdict.RESET_GENERATION,
    ErrorCode.UNKNOWN_MEMBER_ID: CommitVerdict.RESET_IDENTITY,
    ErrorCode.GROUP_ID_NOT_FOUND: CommitVerdict.RESET_IDENTITY,
    ErrorCode.STALE_MEMBER_EPOCH: CommitVerdict.STALE_EPOCH,
    ErrorCode.FENCED_INSTANCE_ID: CommitVerdict.FENCED,
}
