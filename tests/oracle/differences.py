"""Differences from Apache Kafka that the comparison accepts, each with the title of its entry in docs/differences.md.

Values that a broker draws at random (member ids, topic ids) or reads from its clock are renamed in `side.py`, so they
are not listed here. A test compares this file with the document.
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
    "Order of lists",
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

SETS: Final = allowed(
    "SETS",
    "Order of lists",
    ("partitions", "subscribed_topic_names"),
)
"""The same in descriptions after a restart: partitions of an assignment or a transaction, topics of a member."""

FREE_WITH_AN_ERROR: Final = allowed(
    "FREE_WITH_AN_ERROR",
    "Fields beside an error code",
    ("error_message", "batch_index_error_message", "aborted_transactions", "log_start_offset"),
)

CLUSTER_FIELDS: Final = allowed(
    "CLUSTER_FIELDS",
    "Identity and settings of a cluster",
    ("brokers", "cluster_id", "configs", "log_dir", "node_endpoints", "port", "usable_bytes"),
)

APPEND_TIME: Final = allowed(
    "APPEND_TIME",
    "Append time of a repeated batch",
    ("log_append_time_ms",),
)

HASHES_OF_TOPIC_IDS: Final = allowed(
    "HASHES_OF_TOPIC_IDS",
    "Hash of subscribed topics",
    ("metadata_hash",),
)

CLUSTER_ANSWERS: Final = {
    ApiKey.API_VERSIONS,
    ApiKey.METADATA,
    ApiKey.INIT_PRODUCER_ID,
    ApiKey.DESCRIBE_CLUSTER,
    ApiKey.LIST_CONFIG_RESOURCES,
    ApiKey.LIST_TRANSACTIONS,
    ApiKey.DESCRIBE_TOPIC_PARTITIONS,
}
"""Answers that contain only identity and settings of the cluster: compared in tests of their own."""
ENTRIES["CLUSTER_ANSWERS"] = "Identity and settings of a cluster"

ENTRIES["ELECTIONS"] = "Election of a new leader"
"""`classic_comparison.py` ends the comparison of a group without an error when the brokers elect different members."""
ENTRIES["TIES"] = "Choice between two equal processes for a task"
"""`streams_comparison.py` ends the comparison of a group of two members without an error when its processes are in
another order in Apache Kafka's table, and the brokers choose different ones."""
ENTRIES["SIMPLE_GROUPS_WITHOUT_OFFSETS"] = "Empty groups without offsets after a restart"
"""`descriptions.py` leaves out such groups."""
