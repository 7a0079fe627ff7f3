"""Exceptions of the client, one class per reaction of the caller.

Each message names the cause and, if there is one, the remedy. `error_code` holds Kafka's error code if the broker sent
one.
"""

from tenure.protocol.errors import ErrorCode


class ClientError(Exception):
    """Base class of all errors that the client raises deliberately."""


class BrokerUnreachable(ClientError):
    """No broker or identity provider could be reached, or the connection broke before the response was complete."""


class AuthenticationFailed(ClientError):
    """TLS or SASL authentication failed. Retries do not help."""


class UnsupportedByBroker(ClientError):
    """The broker does not support an API, or has no version of the API in common with this client."""


class RequestTimedOut(ClientError):
    """A request was not answered, or did not succeed, before its deadline."""


class Closed(ClientError):
    """The object was used after `close()`."""


class RequestRefused(ClientError):
    """The broker answered with an error. Retries do not help."""

    def __init__(self, message: str, error_code: ErrorCode) -> None:
        super().__init__(message)
        self.error_code = error_code


class UnknownTopic(RequestRefused):
    """The topic or partition does not exist."""


class OffsetOutOfRange(RequestRefused):
    """The requested offset does not exist: retention has deleted it, or it is not written yet."""


class NoOffset(RequestRefused):
    """A partition has no committed offset, and `auto.offset.reset` is `none`."""


class NotAssigned(ClientError):
    """The partition is not, or no longer, assigned to this consumer."""


class MembershipRefused(RequestRefused):
    """The group rejects this member, or one of its requests.

    The message says what to change, or that the client retries the request.
    """


class Fenced(RequestRefused):
    """Another member took over this `group.instance.id`. Fatal; do not rejoin automatically.

    `holder` describes the client and host of the other process, if the coordinator reports them.
    """

    def __init__(self, message: str, group_instance_id: str | None, holder: str) -> None:
        super().__init__(message, ErrorCode.FENCED_INSTANCE_ID)
        self.group_instance_id = group_instance_id
        self.holder = holder


class CommitRefused(RequestRefused):
    """The coordinator rejected a commit; nothing was committed. The membership may still be valid."""


class StaleIdentity(CommitRefused):
    """The commit carries an old generation or epoch, or the member was removed. Discard the work."""


class RebalanceInProgress(CommitRefused):
    """The group rebalances. Discard the work, or commit it after the rebalance for partitions that are still owned."""


class UnknownOutcome(ClientError):
    """A commit was sent, and no response arrived: the coordinator may have applied it, or may still apply it.

    After this error from `GroupMember.commit`, call `GroupMember.rejoin_as_new_member()`, which fences the pending
    commit, and then `committed()`. After this error from `Producer.commit_transaction` or `abort_transaction`, call the
    same method again.
    """


class RecordTooLarge(ClientError):
    """The record exceeds `max.request.size`."""


class DeliveryFailed(ClientError):
    """Records were not written, or it is unknown whether they were written."""


class InvalidTxnState(ClientError):
    """A transactional method was called in the wrong state. The call changed nothing."""


class TransactionAbortable(ClientError):
    """The transaction can only be aborted. After the abort the producer is usable again.

    `error_code` is the broker's error. If the code fences a group member (rule 4.5), the partitions of this member may
    now belong to another member.
    """

    def __init__(self, message: str, error_code: ErrorCode | None = None) -> None:
        super().__init__(message)
        self.error_code = error_code


class ProducerFenced(RequestRefused):
    """A newer producer uses this transactional id, or the transaction timed out. Fatal: close this producer."""
