"""APIs, versions, configuration keys and fields that Apache Kafka 4.4 added to those of 4.3.

With `TENURE_KAFKA_VERSION=4.3.1` (`tests/apache_kafka.py`), comparisons leave out exactly these. With 4.4, the
reference, the tables are empty, and comparisons leave out nothing.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, TypeVar

from tenure.protocol.apis import APIS, ApiKey
from tests.apache_kafka import VERSION

IS_4_3: Final = VERSION.startswith("4.3.")

NEWEST: Final[Mapping[int, int]] = {
    ApiKey.API_VERSIONS: 4,
    ApiKey.DELETE_GROUPS: 2,
    ApiKey.TXN_OFFSET_COMMIT: 5,
    ApiKey.STREAMS_GROUP_HEARTBEAT: 0,
    ApiKey.STREAMS_GROUP_DESCRIBE: 0,
    ApiKey.STREAMS_GROUP_TOPOLOGY_DESCRIPTION_UPDATE: -1,
    ApiKey.UNREGISTER_CONTROLLER: -1,
} if IS_4_3 else {}  # fmt: skip
"""Newest version of each API that 4.4 extended, -1 if 4.4 added it. 4.3 closes a connection that sends a newer one."""

NEW_KEYS: Final = frozenset({
    # of brokers
    "errors.deadletterqueue.auto.create.topics.enable",
    "errors.deadletterqueue.topic.name.prefix",
    "group.streams.assignors",
    "group.streams.rack.aware.assignment.tags",
    "group.streams.topology.description.plugin.class",
    "log.remote.copy.lag.bytes",
    "log.remote.copy.lag.ms",
    "max.decompressed.message.bytes",  # of topics, too
    "sasl.oauthbearer.allow.unverified.audience",
    "sasl.oauthbearer.allow.unverified.issuer",
    # of topics
    "errors.deadletterqueue.group.enable",
    "remote.copy.lag.bytes",
    "remote.copy.lag.ms",
    # of groups
    "consumer.assignor.offload.enable",
    "errors.deadletterqueue.copy.record.enable",
    "errors.deadletterqueue.topic.name",
    "streams.assignor.name",
    "streams.assignor.offload.enable",
    "streams.num.warmup.replicas",
    "streams.rack.aware.assignment.tags",
} if IS_4_3 else ())  # fmt: skip
"""Configuration keys that 4.4 added."""

NEW_FIELDS: Final = frozenset({
    "acceptable_recovery_lag_legacy",
    "failed_description_topology_epoch",
    "generation_id_or_member_epoch",
    "stored_description_topology_epoch",
} if IS_4_3 else ())  # fmt: skip
"""Fields of messages that 4.4 renamed or added. 4.3 keeps the bytes of the added ones, because they are tagged."""

UNSET_FIELDS: Final = frozenset({"task_offset_interval_ms"} if IS_4_3 else ())
"""Fields of answers that 4.3 has and never sets."""

T = TypeVar("T")


def newest_version(key: ApiKey) -> int:
    """Return the newest version of an API that the version of Apache Kafka under test has; -1 if it has none."""
    return NEWEST.get(key, APIS[key].max_version)


def versions_in_kafka(key: ApiKey) -> range:
    """Return the versions of an API that the version of Apache Kafka under test has, too."""
    return range(APIS[key].min_version, newest_version(key) + 1)


def without_new_keys(configs: Mapping[str, T]) -> dict[str, T]:
    return {key: config for key, config in configs.items() if key not in NEW_KEYS}
