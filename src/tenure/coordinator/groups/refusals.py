"""Errors of a shard that cannot answer, because it is loading, its log has failed, or it is down (rule 2.3)."""

from typing import Final

from tenure.coordinator.answers import ACCEPTED, Refused
from tenure.coordinator.groups.answers import Fetched
from tenure.coordinator.groups.commands import FetchOffsets, Heartbeat, SyncGroup
from tenure.protocol.errors import ErrorCode

STORAGE_ERRORS: Final = {
    ErrorCode.UNKNOWN_TOPIC_OR_PARTITION: ErrorCode.COORDINATOR_NOT_AVAILABLE,
    ErrorCode.NOT_ENOUGH_REPLICAS: ErrorCode.COORDINATOR_NOT_AVAILABLE,
    ErrorCode.REQUEST_TIMED_OUT: ErrorCode.COORDINATOR_NOT_AVAILABLE,
    ErrorCode.NOT_LEADER_OR_FOLLOWER: ErrorCode.NOT_COORDINATOR,
    ErrorCode.KAFKA_STORAGE_ERROR: ErrorCode.NOT_COORDINATOR,
    ErrorCode.MESSAGE_TOO_LARGE: ErrorCode.UNKNOWN_SERVER_ERROR,
    ErrorCode.RECORD_LIST_TOO_LARGE: ErrorCode.UNKNOWN_SERVER_ERROR,
    ErrorCode.INVALID_FETCH_SIZE: ErrorCode.UNKNOWN_SERVER_ERROR,
    ErrorCode.NETWORK_EXCEPTION: ErrorCode.COORDINATOR_LOAD_IN_PROGRESS,
}
"""Error for clients by error of the log; other errors are passed on unchanged."""


def unavailable(command: object, error_code: ErrorCode) -> object:
    """Return the answer to a command while the shard cannot handle any. `error_code` says why it cannot.

    While the shard is loading, classic heartbeats are accepted, and SyncGroup gets REBALANCE_IN_PROGRESS. Java's client
    does not expect COORDINATOR_LOAD_IN_PROGRESS in these two responses (note to rule 2.3).
    """
    if error_code is ErrorCode.COORDINATOR_LOAD_IN_PROGRESS:
        if isinstance(command, Heartbeat):
            return ACCEPTED
        if isinstance(command, SyncGroup):
            return Refused(ErrorCode.REBALANCE_IN_PROGRESS)
    if isinstance(command, FetchOffsets) and error_code is ErrorCode.COORDINATOR_NOT_AVAILABLE:
        return Refused(ErrorCode.NOT_COORDINATOR)
    return Refused(error_code)


def not_logged(answer: object, storage_error: ErrorCode) -> object:
    """Return the error for a command whose records, or earlier records of its group, could not be written.

    OffsetFetch gets NOT_COORDINATOR in place of COORDINATOR_NOT_AVAILABLE, which old consumers do not expect.
    """
    error_code = STORAGE_ERRORS.get(storage_error, storage_error)
    if isinstance(answer, Fetched) and error_code is ErrorCode.COORDINATOR_NOT_AVAILABLE:
        return Refused(ErrorCode.NOT_COORDINATOR)
    return Refused(error_code)
