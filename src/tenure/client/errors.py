"""How the client fails: one class per thing that a caller can do about it.

Every message is one sentence that names the cause, and the remedy where there is one. `ErrorCode`s of the wire appear
in `error_code` where the broker gave one.
"""

from tenure.protocol.errors import ErrorCode


class ClientError(Exception):
    """Anything that the client raises on purpose."""


class BrokerUnreachable(ClientError):
    """No connection to an address could be made, or none lasted long enough to be of use."""


class AuthenticationFailed(ClientError):
    """The broker does not believe us, or we do not believe the broker. It does not pass by itself."""


class UnsupportedByBroker(ClientError):
    """The broker has no version of an API in common with this client."""


class RequestTimedOut(ClientError):
    """A request got no answer in time and could not be repeated within its deadline."""


class Closed(ClientError):
    """Used after `close()`."""


class RequestRefused(ClientError):
    """The broker answered with an error that does not pass by itself."""

    def __init__(self, message: str, error_code: ErrorCode) -> None:
        super().__init__(message)
        self.error_code = error_code


class UnknownTopic(RequestRefused):
    """A topic or a partition does not exist."""


class OffsetOutOfRange(RequestRefused):
    """Records were asked for that a partition does not have: deleted by retention, or not written yet."""


class NoOffset(RequestRefused):
    """Nothing says where to begin, and the configuration does not want it decided (`auto.offset.reset` is none)."""


class NotAssigned(ClientError):
    """A partition that this consumer does not read (any more)."""


class MembershipRefused(RequestRefused):
    """The group does not take this member as it is configured (rule 7.2: fatal errors)."""


class Fenced(RequestRefused):
    """The seat of this `group.instance.id` was taken by somebody else. Fatal: nobody seizes a seat back.

    `holder` says who has the seat now (process and host), as far as the coordinator could tell.
    """

    def __init__(self, message: str, group_instance_id: str | None, holder: str) -> None:
        super().__init__(message, ErrorCode.FENCED_INSTANCE_ID)
        self.group_instance_id = group_instance_id
        self.holder = holder


class CommitRefused(RequestRefused):
    """The coordinator refused a commit: it has certainly not happened. The seat may still be good."""


class StaleIdentity(CommitRefused):
    """The commit's identity is over: another generation began, or the member was removed. Drop the work, plan anew."""


class RebalanceInProgress(CommitRefused):
    """The group is between two generations. Drop the work or commit it after rejoining only if the lane was kept."""


class UnknownOutcome(ClientError):
    """A commit was sent and its answer never came: it may have happened, or may yet happen.

    A member's commit is never retried here. `GroupMember.rejoin_anew()` fences the stray; then `committed()` tells the
    truth. The end of a transaction is asked for again by the same call, and only by that one.
    """


class RecordTooLarge(ClientError):
    """A record that no request of this producer can hold."""


class DeliveryFailed(ClientError):
    """Records given to a producer were not, or not certainly, written."""


class InvalidTxnState(ClientError):
    """A transactional call at a time when it makes no sense. Nothing was done."""


class TransactionAbortable(ClientError):
    """The transaction can only be aborted; after that the producer is as good as new.

    `error_code` is what a broker refused a part of it with. Those that fence a member of the group (rule 4.5) say that
    its partitions may be somebody else's by now.
    """

    def __init__(self, message: str, error_code: ErrorCode | None = None) -> None:
        super().__init__(message)
        self.error_code = error_code


class ProducerFenced(RequestRefused):
    """Another producer lives under this transactional id, or the transaction took too long. Fatal: close this one."""
