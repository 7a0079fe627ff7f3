"""Settings of a single topic: Kafka's topic keys, and the broker keys with their defaults.

Keys without effect here are checked, stored and listed all the same, so that tools which set them work; unknown keys
are refused.
"""

import re
from collections.abc import Mapping
from typing import Final, NamedTuple

from tenure.broker.config import keys
from tenure.broker.config.keys import INT32_MAX, INT64_MAX, KEYS, Settings
from tenure.coordinator.groups.configs import GROUP_SCHEMA, Kind
from tenure.coordinator.metadata.configs import GROUP_RESOURCE, TOPIC_RESOURCE, ConfigSchema
from tenure.protocol.batches import TimestampType
from tenure.protocol.compression import Codec
from tenure.storage.settings import LogSettings
from tenure.unknown_names import unknown_name

BOOLEAN, STRING, INT, LONG, DOUBLE, LIST = Kind

WHOLE_NUMBER: Final = re.compile(r"[+-]?[0-9]+", re.ASCII)
FLAGS: Final = ("true", "false")
REPLICAS: Final = (r"\*", "[0-9]+:[0-9]+")
"""Valid items of a list of throttled replicas: `*` for all, or PARTITION:BROKER."""


class TopicKey(NamedTuple):
    """Key of a topic's settings.

    `broker_key` is the broker's key for the same, if there is one. `default` is that of a key without effect here.
    `low` and `high` bound a number. `choices` are all valid values, or patterns for the items of a list.
    """

    name: str
    broker_key: str
    kind: Kind
    low: int = 0
    high: int = INT64_MAX
    choices: tuple[str, ...] = ()
    default: str = ""

    def is_legal(self, text: str) -> bool:
        match self.kind:
            case Kind.LIST:
                return not text or self._are_items([item.strip() for item in text.split(",")])
            case Kind.BOOLEAN:
                return text.strip().lower() in self.choices
            case Kind.DOUBLE:
                return _is_fraction(text)
            case Kind.STRING:
                return text in self.choices
        if not WHOLE_NUMBER.fullmatch(text.strip()):
            return False
        return str(int(text)) in self.choices if self.choices else self.low <= int(text) <= self.high

    def _are_items(self, items: list[str]) -> bool:
        """Return whether the items are valid. A star stands for all items, so it must be the only one."""
        is_one_or_the_other = len(items) == 1 or "*" not in items
        return is_one_or_the_other and all(re.fullmatch("|".join(self.choices), item) for item in items)

    @property
    def wants(self) -> str:
        if self.choices:
            return " or ".join(self.choices)
        return "a number from 0 to 1" if self.kind is DOUBLE else f"a whole number from {self.low} to {self.high}"

    def unset(self, settings: Settings) -> str:
        """Return the value of a topic without this setting."""
        key = KEYS.get(self.broker_key)
        return self.default if key is None else str(settings[key])


def _is_fraction(text: str) -> bool:
    try:
        return 0 <= float(text) <= 1
    except ValueError:
        return False


GZIP_LEVELS: Final = ("-1", *map(str, range(1, 10)))
"""The first is the library's own choice."""

TOPIC_KEYS: Final = {
    key.name: key
    for key in (
        TopicKey("cleanup.policy", "log.cleanup.policy", LIST, choices=("delete", "compact"), default="delete"),
        TopicKey("compression.gzip.level", "compression.gzip.level", INT, choices=GZIP_LEVELS, default="-1"),
        TopicKey("compression.lz4.level", "compression.lz4.level", INT, 1, 17, default="9"),
        TopicKey("compression.type", "compression.type", STRING, choices=keys.COMPRESSIONS),
        TopicKey("compression.zstd.level", "compression.zstd.level", INT, -131_072, 22, default="3"),
        TopicKey("delete.retention.ms", "log.cleaner.delete.retention.ms", LONG),
        TopicKey("file.delete.delay.ms", "log.segment.delete.delay.ms", LONG, default="60000"),
        TopicKey("flush.messages", "log.flush.interval.messages", LONG, 1, default=str(INT64_MAX)),
        TopicKey("flush.ms", "", LONG, default=str(INT64_MAX)),
        TopicKey("follower.replication.throttled.replicas", "", LIST, choices=REPLICAS),
        TopicKey("index.interval.bytes", "log.index.interval.bytes", INT, 0, INT32_MAX),
        TopicKey("leader.replication.throttled.replicas", "", LIST, choices=REPLICAS),
        TopicKey("local.retention.bytes", "log.local.retention.bytes", LONG, -2, default="-2"),
        TopicKey("local.retention.ms", "log.local.retention.ms", LONG, -2, default="-2"),
        TopicKey("max.compaction.lag.ms", "log.cleaner.max.compaction.lag.ms", LONG, 1),
        TopicKey("max.message.bytes", "message.max.bytes", INT, 0, INT32_MAX),
        TopicKey("message.timestamp.after.max.ms", "log.message.timestamp.after.max.ms", LONG),
        TopicKey("message.timestamp.before.max.ms", "log.message.timestamp.before.max.ms", LONG),
        TopicKey("message.timestamp.type", "log.message.timestamp.type", STRING, choices=keys.TIMESTAMP_TYPES),
        TopicKey("min.cleanable.dirty.ratio", "log.cleaner.min.cleanable.ratio", DOUBLE),
        TopicKey("min.compaction.lag.ms", "log.cleaner.min.compaction.lag.ms", LONG),
        TopicKey("min.insync.replicas", "min.insync.replicas", INT, 1, INT32_MAX, default="1"),
        TopicKey("preallocate", "log.preallocate", BOOLEAN, choices=FLAGS, default="false"),
        TopicKey("remote.log.copy.disable", "", BOOLEAN, choices=FLAGS, default="false"),
        TopicKey("remote.log.delete.on.disable", "", BOOLEAN, choices=FLAGS, default="false"),
        TopicKey("remote.storage.enable", "", BOOLEAN, choices=("false",), default="false"),
        TopicKey("retention.bytes", "log.retention.bytes", LONG, keys.INT64_MIN),
        TopicKey("retention.ms", "log.retention.ms", LONG, -1),
        TopicKey("segment.bytes", "log.segment.bytes", INT, 1_048_576, INT32_MAX),
        TopicKey("segment.index.bytes", "log.index.size.max.bytes", INT, 4, INT32_MAX, default="10485760"),
        TopicKey("segment.jitter.ms", "", LONG, default="0"),
        TopicKey("segment.ms", "log.roll.ms", LONG, 1),
        TopicKey(
            "unclean.leader.election.enable",
            "unclean.leader.election.enable",
            BOOLEAN,
            choices=FLAGS,
            default="false",
        ),
    )
}

CODECS: Final = {
    "uncompressed": Codec.NONE,
    "gzip": Codec.GZIP,
    "snappy": Codec.SNAPPY,
    "lz4": Codec.LZ4,
    "zstd": Codec.ZSTD,
}
"""`producer` is none of them."""


def why_refused(configs: Mapping[str, str | None]) -> str | None:
    """Return the first error in a topic's settings; None if there is none."""
    for name, text in configs.items():
        if text is None:
            return f"the topic setting {name} has no value: give it one, or leave it out"
        if (key := TOPIC_KEYS.get(name)) is None:
            return unknown_name("topic setting", name, TOPIC_KEYS)
        if not key.is_legal(text):
            return f"the topic setting {name} = {text!r} is not {key.wants}"
    return None


class TopicSchema:
    """Schema by which the metadata shard checks a topic's configs before it changes them."""

    def why_refused(self, configs: Mapping[str, str]) -> str | None:
        return why_refused(configs)

    def unset_list(self, name: str) -> str | None:
        key = TOPIC_KEYS.get(name)
        return None if key is None or key.kind is not LIST else key.default


def effective(settings: Settings, configs: Mapping[str, str]) -> dict[str, str]:
    """Every topic key with the value in force for a topic that has set `configs`."""
    unset = {name: key.unset(settings) for name, key in TOPIC_KEYS.items()}
    of_several_keys = {"retention.ms": str(settings.retention_ms), "segment.ms": str(settings.roll_ms)}
    return unset | of_several_keys | dict(configs)


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
    """Return the compression level; None for Kafka's default, which stands for the default of the library.

    Both are about equally fast, but have different numbers.
    """
    key = TOPIC_KEYS.get(f"compression.{values['compression.type']}.level")
    return None if key is None or values[key.name] == key.default else int(values[key.name])


def schemas(topics: ConfigSchema) -> dict[int, ConfigSchema]:
    """Return the schemas of the resources whose configs can be altered."""
    return {TOPIC_RESOURCE: topics, GROUP_RESOURCE: GROUP_SCHEMA}
