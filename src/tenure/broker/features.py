"""Feature levels (KIP-584): those that the broker supports, and those of a new cluster."""

from typing import Final

GROUP_VERSION: Final = "group.version"
METADATA_VERSION: Final = "metadata.version"
STREAMS_VERSION: Final = "streams.version"
TRANSACTION_VERSION: Final = "transaction.version"

SUPPORTED: Final = {
    GROUP_VERSION: (0, 1),
    METADATA_VERSION: (7, 33),
    STREAMS_VERSION: (0, 1),
    TRANSACTION_VERSION: (0, 2),
}
"""(lowest level, highest level) by feature.

All group protocols except share groups are supported, and both versions of transactions.
"""

LEVELS: Final = {METADATA_VERSION: 30, GROUP_VERSION: 1, STREAMS_VERSION: 1, TRANSACTION_VERSION: 2}
"""Levels of a new cluster.

Consumer and streams groups are enabled (KIP-848, KIP-1071), every end of a transaction raises the producer's epoch
(KIP-890), and metadata records have the versions of Kafka 4.3.
"""

READABLE: Final = {
    **SUPPORTED,
    "eligible.leader.replicas.version": (0, 1),
    "kraft.version": (0, 1),
    "share.version": (0, 2),
}
"""(lowest level, highest level) by feature. Tenure serves a directory of Apache Kafka only if its levels are within."""
