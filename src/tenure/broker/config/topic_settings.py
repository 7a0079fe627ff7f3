"""Settings of a single topic: Kafka's topic keys, and the broker keys from which they get their defaults.

Keys that have no effect in Tenure are nevertheless checked, stored and listed, so that tools can set them. Unknown keys
are refused.
"""

import re
from collections.abc import Mapping
from typing import Any, Final

from tenure.broker.config import keys
from tenure.broker.config.key_values import COMPRESSIONS, TIMESTAMP_TYPES, cleanup_policies
from tenure.broker.config.keys import KEYS
from tenure.broker.config.settings import Settings
from tenure.broker.config.topic_documentation import TOPIC_DOCUMENTATION
from tenure.config_keys import (
    INT32_MAX,
    INT64_MAX,
    INT64_MIN,
    ConfigKey,
    ConfigKind,
    ConfigSchema,
    boolean,
    mapped,
    one_of,
    real,
    whole,
)
from tenure.protocol.batches import TimestampType
from tenure.protocol.compression import Codec
from tenure.storage.log.settings import LogSettings

REPLICAS: Final = re.compile(r"\*|[0-9]+:[0-9]+(,[0-9]+:[0-9]+)*", re.ASCII)


def throttled_replicas(value: object) -> str:
    """Return a list of throttled replicas unchanged, if it is valid; it may be empty. Raises ValueError."""
    if not isinstance(value, str) or (value and not REPLICAS.fullmatch(re.sub(r"\s*,\s*", ",", value.strip()))):
        raise ValueError("* for all replicas, or PARTITION:BROKER pairs with commas between them")
    return value


def gzip_level(value: object) -> int:
    """Parse a gzip compression level; -1 is the default of the library."""
    try:
        level = whole(-1, 9)(value)
    except ValueError:
        level = 0
    if level == 0:
        raise ValueError("-1 or an integer from 1 to 9")
    return level


BOOLEAN, STRING, INT, LONG, DOUBLE, LIST, _ = ConfigKind

DECOMPRESSED_BYTES_MAX: Final = 2_147_483_639
"""Kafka's upper bound of `max.decompressed.message.bytes`: the length of the longest array in Java."""

TOPIC_KEYS: Final[dict[str, ConfigKey[Any]]] = {
    key.name: key._replace(documentation=TOPIC_DOCUMENTATION[key.name])
    for key in (
        ConfigKey("cleanup.policy", cleanup_policies, "delete", kind=LIST, broker_key="log.cleanup.policy"),
        ConfigKey("compression.gzip.level", gzip_level, -1, kind=INT, broker_key="compression.gzip.level"),
        ConfigKey("compression.lz4.level", whole(1, 17), 9, kind=INT, broker_key="compression.lz4.level"),
        ConfigKey("compression.type", one_of(*COMPRESSIONS), None, kind=STRING, broker_key="compression.type"),
        ConfigKey("compression.zstd.level", whole(-131_072, 22), 3, kind=INT, broker_key="compression.zstd.level"),
        ConfigKey(
            "delete.retention.ms", whole(0, INT64_MAX), None, kind=LONG, broker_key="log.cleaner.delete.retention.ms"
        ),
        ConfigKey("errors.deadletterqueue.group.enable", boolean, False, kind=BOOLEAN),
        ConfigKey(
            "file.delete.delay.ms", whole(0, INT64_MAX), 60_000, kind=LONG, broker_key="log.segment.delete.delay.ms"
        ),
        ConfigKey(
            "flush.messages", whole(1, INT64_MAX), INT64_MAX, kind=LONG, broker_key="log.flush.interval.messages"
        ),
        ConfigKey("flush.ms", whole(0, INT64_MAX), INT64_MAX, kind=LONG),
        ConfigKey("follower.replication.throttled.replicas", throttled_replicas, "", kind=LIST),
        ConfigKey("index.interval.bytes", whole(0, INT32_MAX), None, kind=INT, broker_key="log.index.interval.bytes"),
        ConfigKey("leader.replication.throttled.replicas", throttled_replicas, "", kind=LIST),
        ConfigKey("local.retention.bytes", whole(-2, INT64_MAX), -2, kind=LONG, broker_key="log.local.retention.bytes"),
        ConfigKey("local.retention.ms", whole(-2, INT64_MAX), -2, kind=LONG, broker_key="log.local.retention.ms"),
        ConfigKey(
            "max.compaction.lag.ms",
            whole(1, INT64_MAX),
            None,
            kind=LONG,
            broker_key="log.cleaner.max.compaction.lag.ms",
        ),
        ConfigKey(
            "max.decompressed.message.bytes",
            whole(1, DECOMPRESSED_BYTES_MAX),
            DECOMPRESSED_BYTES_MAX,
            kind=INT,
            broker_key="max.decompressed.message.bytes",
        ),
        ConfigKey("max.message.bytes", whole(0, INT32_MAX), None, kind=INT, broker_key="message.max.bytes"),
        ConfigKey(
            "message.timestamp.after.max.ms",
            whole(0, INT64_MAX),
            None,
            kind=LONG,
            broker_key="log.message.timestamp.after.max.ms",
        ),
        ConfigKey(
            "message.timestamp.before.max.ms",
            whole(0, INT64_MAX),
            None,
            kind=LONG,
            broker_key="log.message.timestamp.before.max.ms",
        ),
        ConfigKey(
            "message.timestamp.type",
            one_of(*TIMESTAMP_TYPES),
            None,
            kind=STRING,
            broker_key="log.message.timestamp.type",
        ),
        ConfigKey(
            "min.cleanable.dirty.ratio", real(0, 1), None, kind=DOUBLE, broker_key="log.cleaner.min.cleanable.ratio"
        ),
        ConfigKey(
            "min.compaction.lag.ms",
            whole(0, INT64_MAX),
            None,
            kind=LONG,
            broker_key="log.cleaner.min.compaction.lag.ms",
        ),
        ConfigKey("min.insync.replicas", whole(1, INT32_MAX), 1, kind=INT, broker_key="min.insync.replicas"),
        ConfigKey("preallocate", boolean, False, kind=BOOLEAN, broker_key="log.preallocate"),
        ConfigKey("remote.copy.lag.bytes", whole(-1, INT64_MAX), -1, kind=LONG, broker_key="log.remote.copy.lag.bytes"),
        ConfigKey("remote.copy.lag.ms", whole(-1, INT64_MAX), 0, kind=LONG, broker_key="log.remote.copy.lag.ms"),
        ConfigKey("remote.log.copy.disable", boolean, False, kind=BOOLEAN),
        ConfigKey("remote.log.delete.on.disable", boolean, False, kind=BOOLEAN),
        ConfigKey("remote.storage.enable", mapped({"false": False}, any_case=True), False, kind=BOOLEAN),
        ConfigKey("retention.bytes", whole(INT64_MIN, INT64_MAX), None, kind=LONG, broker_key="log.retention.bytes"),
        ConfigKey("retention.ms", whole(-1, INT64_MAX), None, kind=LONG, broker_key="log.retention.ms"),
        ConfigKey("segment.bytes", whole(1_048_576, INT32_MAX), None, kind=INT, broker_key="log.segment.bytes"),
        ConfigKey(
            "segment.index.bytes", whole(4, INT32_MAX), 10_485_760, kind=INT, broker_key="log.index.size.max.bytes"
        ),
        ConfigKey("segment.jitter.ms", whole(0, INT64_MAX), 0, kind=LONG),
        ConfigKey("segment.ms", whole(1, INT64_MAX), None, kind=LONG, broker_key="log.roll.ms"),
        ConfigKey(
            "unclean.leader.election.enable", boolean, False, kind=BOOLEAN, broker_key="unclean.leader.election.enable"
        ),
    )
}
"""Topic keys by name. The default of most keys is None: a topic without the config uses the broker's key.

`cleanup.policy` also uses the broker's key, but has a default of its own: as in Kafka, a client's operation APPEND adds
to this default, even if the broker's key has another value.
"""

TOPIC_SCHEMA: Final = ConfigSchema("topic setting", TOPIC_KEYS)

CODECS: Final = {
    "uncompressed": Codec.NONE,
    "gzip": Codec.GZIP,
    "snappy": Codec.SNAPPY,
    "lz4": Codec.LZ4,
    "zstd": Codec.ZSTD,
}
"""Codecs by name; `producer` is not one of them."""


def effective(settings: Settings, configs: Mapping[str, str]) -> dict[str, str]:
    """Return the effective value of every topic key, for a topic with the given configs."""
    unset = {name: _unset(key, settings) for name, key in TOPIC_KEYS.items()}
    of_several_keys = {"retention.ms": str(settings.retention_ms), "segment.ms": str(settings.roll_ms)}
    return unset | of_several_keys | dict(configs)


def _unset(key: ConfigKey[Any], settings: Settings) -> str:
    """Return the effective value of a key that the topic has not set."""
    broker_key = KEYS.get(key.broker_key)
    return key.default_text if broker_key is None else str(settings[broker_key])


def log_settings(settings: Settings, configs: Mapping[str, str]) -> LogSettings:
    values = effective(settings, configs)
    append_time = values["message.timestamp.type"] == "LogAppendTime"
    return LogSettings(
        segment_bytes=int(values["segment.bytes"]),
        segment_ms=int(values["segment.ms"]),
        retention_ms=int(values["retention.ms"]),
        retention_bytes=int(values["retention.bytes"]),
        index_interval_bytes=int(values["index.interval.bytes"]),
        max_message_bytes=int(values["max.message.bytes"]),
        message_timestamp_before_max_ms=int(values["message.timestamp.before.max.ms"]),
        message_timestamp_after_max_ms=int(values["message.timestamp.after.max.ms"]),
        message_timestamp_type=TimestampType.LOG_APPEND_TIME if append_time else TimestampType.CREATE_TIME,
        deletes="delete" in values["cleanup.policy"],
        compacts="compact" in values["cleanup.policy"],
        min_cleanable_dirty_ratio=float(values["min.cleanable.dirty.ratio"]),
        delete_retention_ms=int(values["delete.retention.ms"]),
        min_compaction_lag_ms=int(values["min.compaction.lag.ms"]),
        max_compaction_lag_ms=int(values["max.compaction.lag.ms"]),
        compression=CODECS.get(values["compression.type"]),
        compression_level=_compression_level(values),
        producer_id_expiration_ms=settings[keys.PRODUCER_ID_EXPIRATION_MS],
    )


def _compression_level(values: Mapping[str, str]) -> int | None:
    """Return the compression level of the topic; None for the library's default.

    Kafka's default level is replaced by the library's default. The numbers differ, but the speeds are about the same.
    """
    key = TOPIC_KEYS.get(f"compression.{values['compression.type']}.level")
    return None if key is None or values[key.name] == key.default_text else int(values[key.name])
