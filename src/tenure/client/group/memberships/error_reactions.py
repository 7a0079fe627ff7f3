"""Reactions of a member to error codes: the tables of rules 7.2 and 3.13.3.

Codes that are not in a table are fatal, because their meaning is unknown to this client.

Intended differences from the Java client:
- SyncGroup answered with COORDINATOR_LOAD_IN_PROGRESS: the member joins again, because the new coordinator does not
  know the joins of the rebalance. The Java client raises the error to its user, who then has to join again.
- Heartbeat answered with COORDINATOR_LOAD_IN_PROGRESS: ignored. Brokers usually answer NONE instead.
- A commit that is rejected because of an outdated identity never ends the membership. In this client, a commit carries
  the identity that the member had when the work was planned, so an outdated identity is normal. The Java client always
  sends its current identity. There, the rejection means that the member was removed from the group.
"""

from enum import Enum, auto
from typing import Final

from tenure.protocol.errors import ErrorCode


class MemberReaction(Enum):
    """Reaction of a member to an error code of a join, sync or heartbeat."""

    IGNORE = auto()
    RETRY_AT_ONCE = auto()
    RETRY_AFTER_BACKOFF = auto()
    REDISCOVER = auto()
    """Find the coordinator, and continue with the same member id and generation."""
    TAKE_MEMBER_ID = auto()
    """Join again with the member id of the response (KIP-394)."""
    REJOIN = auto()
    RESET_GENERATION = auto()
    """Keep the member id, discard the generation."""
    RESET_IDENTITY = auto()
    REJOIN_ANEW = auto()
    """Leave with the old member id, then join with a new one."""
    FIND_HOLDER = auto()
    REPORT_ONCE = auto()
    """Raise the error to the user once; the membership continues."""
    FENCED = auto()
    FATAL = auto()


JOIN_GROUP: Final = {
    ErrorCode.COORDINATOR_LOAD_IN_PROGRESS: MemberReaction.RETRY_AFTER_BACKOFF,
    ErrorCode.COORDINATOR_NOT_AVAILABLE: MemberReaction.REDISCOVER,
    ErrorCode.NOT_COORDINATOR: MemberReaction.REDISCOVER,
    ErrorCode.UNKNOWN_MEMBER_ID: MemberReaction.RESET_IDENTITY,
    ErrorCode.REBALANCE_IN_PROGRESS: MemberReaction.RETRY_AT_ONCE,
    ErrorCode.MEMBER_ID_REQUIRED: MemberReaction.TAKE_MEMBER_ID,
    ErrorCode.FENCED_INSTANCE_ID: MemberReaction.FENCED,
}

SYNC_GROUP: Final = {
    ErrorCode.COORDINATOR_LOAD_IN_PROGRESS: MemberReaction.REJOIN,
    ErrorCode.COORDINATOR_NOT_AVAILABLE: MemberReaction.REDISCOVER,
    ErrorCode.NOT_COORDINATOR: MemberReaction.REDISCOVER,
    ErrorCode.ILLEGAL_GENERATION: MemberReaction.RESET_GENERATION,
    ErrorCode.UNKNOWN_MEMBER_ID: MemberReaction.RESET_IDENTITY,
    ErrorCode.REBALANCE_IN_PROGRESS: MemberReaction.REJOIN,
    ErrorCode.FENCED_INSTANCE_ID: MemberReaction.FENCED,
}

HEARTBEAT: Final = {
    ErrorCode.COORDINATOR_LOAD_IN_PROGRESS: MemberReaction.IGNORE,
    ErrorCode.COORDINATOR_NOT_AVAILABLE: MemberReaction.REDISCOVER,
    ErrorCode.NOT_COORDINATOR: MemberReaction.REDISCOVER,
    ErrorCode.ILLEGAL_GENERATION: MemberReaction.RESET_GENERATION,
    ErrorCode.UNKNOWN_MEMBER_ID: MemberReaction.RESET_IDENTITY,
    ErrorCode.REBALANCE_IN_PROGRESS: MemberReaction.REJOIN,
    ErrorCode.FENCED_INSTANCE_ID: MemberReaction.FENCED,
}

CONSUMER_HEARTBEAT: Final = {
    ErrorCode.COORDINATOR_LOAD_IN_PROGRESS: MemberReaction.RETRY_AFTER_BACKOFF,
    ErrorCode.COORDINATOR_NOT_AVAILABLE: MemberReaction.REDISCOVER,
    ErrorCode.NOT_COORDINATOR: MemberReaction.REDISCOVER,
    ErrorCode.UNKNOWN_MEMBER_ID: MemberReaction.RESET_IDENTITY,
    ErrorCode.GROUP_ID_NOT_FOUND: MemberReaction.RESET_IDENTITY,
    ErrorCode.FENCED_MEMBER_EPOCH: MemberReaction.REJOIN_ANEW,
    ErrorCode.UNRELEASED_INSTANCE_ID: MemberReaction.FIND_HOLDER,
    ErrorCode.TOPIC_AUTHORIZATION_FAILED: MemberReaction.REPORT_ONCE,
    ErrorCode.FENCED_INSTANCE_ID: MemberReaction.FENCED,
}


class CommitVerdict(Enum):
    """Meaning of an error code for a commit and for the membership that sent it."""

    RETRY_AFTER_BACKOFF = auto()
    """The commit was rejected before it was processed, so a retry is safe."""
    UNKNOWN = auto()
    """The commit may have been applied: coordinators also answer with this code after a write that failed or was
    given up (end of rule 2.3)."""
    REBALANCING = auto()
    RESET_GENERATION = auto()
    RESET_IDENTITY = auto()
    STALE_EPOCH = auto()
    """The fencing policy rejects the epoch of the commit; the membership is valid."""
    FENCED = auto()
    REFUSED = auto()
    """This commit is rejected; the membership is valid."""


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
