"""All that the comparison lets pass, in one place; each allowance names its entry in `docs/differences.md`.

What is merely drawn at random by a broker (member ids, topic ids) or read from its clock is renamed in `side.py`: that
is no difference. A test holds this file and the document together.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from tenure.protocol.apis import ApiKey

ENTRIES: Final[dict[str, str]] = {}
"""Name of the allowance -> title of its entry."""


def allowed(name: str, entry: str, what: Iterable[str]) -> frozenset[str]:
    ENTRIES[name] = entry
    return frozenset(what)


UNORDERED: Final = allowed(
    "UNORDERED",
    "The order of what Apache Kafka keeps in hash tables",
    (
        "members",
        "results",
        "groups",
        "topics",
        "responses",
        "OffsetFetchResponseTopic",
        "OffsetFetchResponseTopics",
        "DescribedConsumerGroupMember",
        "topic_partitions",
        "assigned_partitions",
        "partitions_pending_revocation",
        "active_tasks",
        "standby_tasks",
        "warmup_tasks",
        "active_tasks_pending_revocation",
        "standby_tasks_pending_revocation",
        "warmup_tasks_pending_revocation",
        "partitions_by_user_endpoint",
        "active_partitions",
        "standby_partitions",
        "client_tags",
        "DescribedStreamsMember",
        "replica_election_results",
        "partition_ids",
        "transaction_partitions",
        "transaction_states",
        "active_producers",
        "WritableTxnMarkerTopicResult",
    ),
)
"""Fields and structs whose lists are compared as sets."""

FREE_BESIDE_AN_ERROR: Final = allowed(
    "FREE_BESIDE_AN_ERROR",
    "What stands beside an error code",
    ("error_message", "batch_index_error_message", "aborted_transactions", "log_start_offset"),
)

OWN_AFFAIRS: Final = allowed(
    "OWN_AFFAIRS",
    "What a cluster is",
    ("brokers", "cluster_id", "configs", "log_dir", "node_endpoints", "port", "usable_bytes"),
)

APPEND_TIME: Final = allowed(
    "APPEND_TIME",
    "The append time of a batch that came twice",
    ("log_append_time_ms",),
)

OWN_HASHES: Final = allowed(
    "OWN_HASHES",
    "The hash of what a group subscribes to",
    ("metadata_hash",),
)

OWN_ANSWERS: Final = {
    ApiKey.API_VERSIONS,
    ApiKey.METADATA,
    ApiKey.INIT_PRODUCER_ID,
    ApiKey.DESCRIBE_CLUSTER,
    ApiKey.LIST_CONFIG_RESOURCES,
    ApiKey.LIST_TRANSACTIONS,
    ApiKey.DESCRIBE_TOPIC_PARTITIONS,
}
"""Answers that are nothing but what a cluster is and has: every version is answered, and compared elsewhere."""
ENTRIES["OWN_ANSWERS"] = "What a cluster is"

ENTRIES["ELECTIONS"] = "Who leads when the leader is gone"
"""`lived.py` ends a group's life, without blame, where the two brokers elect different members."""
