"""Features of the cluster (KIP-584) that the broker supports, and the levels that a new cluster starts with."""

from typing import Final

SUPPORTED: Final = (
    ("group.version", 0, 1),
    ("metadata.version", 7, 30),
    ("streams.version", 0, 1),
    ("transaction.version", 0, 2),
)
"""(name, lowest, highest level): all group protocols but that of share groups, transactions of both versions."""

LEVELS: Final = {"metadata.version": 30, "group.version": 1, "streams.version": 1, "transaction.version": 2}
"""Consumer and streams groups are on (KIP-848, KIP-1071), and every end of a transaction raises its epoch (KIP-890).
The records are those of Kafka 4.3."""

READABLE: Final = {
    "metadata.version": (7, 33),
    "group.version": (0, 1),
    "transaction.version": (0, 2),
    "kraft.version": (0, 1),
    "eligible.leader.replicas.version": (0, 1),
    "share.version": (0, 2),
    "streams.version": (0, 1),
}
"""Lowest and highest level of each feature on whose records, written by Apache Kafka 4.4 or older, Tenure starts."""
