"""Errors of a single topic in CreateTopics, CreatePartitions and DeleteTopics, each as (error code, message)."""

from typing import Final

from tenure.protocol.errors import ErrorCode

NAMED_TWICE: Final = (ErrorCode.INVALID_REQUEST, "the request names this topic more than once: name it once")

MUTATION_QUOTA_EXCEEDED: Final = (
    ErrorCode.THROTTLING_QUOTA_EXCEEDED,
    "the quota controller_mutation_rate of this client is exceeded: try again later",
)
"""Error of a client that exceeds its quota for creating and deleting partitions (KIP-599)."""
