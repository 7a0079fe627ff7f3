"""Settings of a single topic: Kafka's topic keys, and the broker key that speaks where the topic does not.

A key that Kafka knows and we do not act on is kept and shown, so that tools which set it go on working; a key that
nobody knows is refused.
"""

from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Final, NamedTuple

from tenure.broker import keys
from tenure.broker.keys import INT32_MAX, INT64_MAX, Settings
from tenure.coordinator.groups.configs import Kind
from tenure.protocol.compression import Codec
from tenure.protocol.records import TimestampType
from tenure.storage.settings import LogSettings


class TopicKey(NamedTuple):
    """`broker_key` is the broker's word for the same; `low` and `high` bound a number, `choices` a text."""

    name: str
    broker_key: str
    low: int = 0
    high: int = 0
    choices: tuple[str, ...] = ()
    number: type[int] | type[float] = int
    is_list: bool = False

    def is_legal(self, text: str) -> bool:
        if self.choices:
            return all(part.strip() in self.choices for part in (text.split(",") if self.is_list else [text]))
        try:
            return self.low <= self.number(text) <= self.high
        except ValueError:
            return False

    @property
    def wants(self) -> str:
        whole = "whole " if self.number is int else ""
        return " or ".join(self.choices) if self.choices else f"a {whole}number from {self.low} to {self.high}"


TOPIC_KEYS: Final = {
    key.name: key
    for key in (
        TopicKey("cleanup.policy", "log.cleanup.policy", choices=("delete", "compact"), is_list=True),
        TopicKey("compression.type", "compression.type", choices=keys.COMPRESSIONS),
        TopicKey("delete.retention.ms", "log.cleaner.delete.retention.ms", 0, INT64_MAX),
        TopicKey("index.interval.bytes", "log.index.interval.bytes", 0, INT32_MAX),
        TopicKey("max.compaction.lag.ms", "log.cleaner.max.compaction.lag.ms", 1, INT64_MAX),
        TopicKey("max.message.bytes", "message.max.bytes", 0, INT32_MAX),
        TopicKey("message.timestamp.after.max.ms", "log.message.timestamp.after.max.ms", 0, INT64_MAX),
        TopicKey("message.timestamp.before.max.ms", "log.message.timestamp.before.max.ms", 0, INT64_MAX),
        TopicKey("message.timestamp.type", "log.message.timestamp.type", choices=("CreateTime", "LogAppendTime")),
        TopicKey("min.cleanable.dirty.ratio", "log.cleaner.min.cleanable.ratio", 0, 1, number=float),
        TopicKey("min.compaction.lag.ms", "log.cleaner.min.compaction.lag.ms", 0, INT64_MAX),
        TopicKey("retention.bytes", "log.retention.bytes", -1, INT64_MAX),
        TopicKey("retention.ms", "log.retention.ms", -1, INT64_MAX),
        TopicKey("segment.bytes", "log.segment.bytes", 1_048_576, INT32_MAX),
        TopicKey("segment.ms", "log.roll.ms", 1, INT64_MAX),
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

CLEANUP_POLICY: Final = "delete"
"""Of a topic that does not say."""

KAFKA_TOPIC_KEYS: Final = Path(__file__).with_name("kafka_topic_keys.tsv")


def why_refused(configs: Mapping[str, str | None]) -> str | None:
    """What is wrong with a topic's settings; None if nothing is."""
    for name, text in configs.items():
        if text is None:
            return f"the topic setting {name} has no value: give it one, or leave it out"
        if (key := TOPIC_KEYS.get(name)) is None:
            if not _kafka_knows(name):
                return f"nobody knows a topic setting {name}"
        elif not key.is_legal(text):
            return f"the topic setting {name} = {text!r} is not {key.wants}"
    return None


def _kafka_knows(name: str) -> bool:
    return name in _kafka_types()


@cache
def _kafka_types() -> dict[str, Kind]:
    """Of every key of a topic in Kafka. What is none of our kinds is shown as text."""
    rows = [line.split("\t") for line in KAFKA_TOPIC_KEYS.read_text("utf-8").splitlines() if line[:1] != "#"]
    return {name: Kind.__members__.get(kind.upper(), Kind.STRING) for name, kind, *_ in rows}


def type_of(name: str) -> Kind:
    return _kafka_types().get(name, Kind.STRING)


class TopicSchema:
    """What the metadata shard asks before it changes configs of a topic."""

    def why_refused(self, configs: Mapping[str, str]) -> str | None:
        return why_refused(configs)

    def unset_list(self, name: str) -> str | None:
        if type_of(name) is not Kind.LIST:
            return None
        return CLEANUP_POLICY if name == "cleanup.policy" else ""


def effective(settings: Settings, configs: Mapping[str, str]) -> dict[str, str]:
    """Every topic key with the value in force for a topic that has set `configs`."""
    defaults = {
        "cleanup.policy": CLEANUP_POLICY,
        "compression.type": settings[keys.COMPRESSION_TYPE],
        "delete.retention.ms": str(settings[keys.LOG_CLEANER_DELETE_RETENTION_MS]),
        "index.interval.bytes": str(settings[keys.LOG_INDEX_INTERVAL_BYTES]),
        "max.compaction.lag.ms": str(settings[keys.LOG_CLEANER_MAX_COMPACTION_LAG_MS]),
        "max.message.bytes": str(settings[keys.MESSAGE_MAX_BYTES]),
        "message.timestamp.after.max.ms": str(settings[keys.LOG_MESSAGE_TIMESTAMP_AFTER_MAX_MS]),
        "message.timestamp.before.max.ms": str(settings[keys.LOG_MESSAGE_TIMESTAMP_BEFORE_MAX_MS]),
        "message.timestamp.type": settings[keys.LOG_MESSAGE_TIMESTAMP_TYPE],
        "min.cleanable.dirty.ratio": str(settings[keys.LOG_CLEANER_MIN_CLEANABLE_RATIO]),
        "min.compaction.lag.ms": str(settings[keys.LOG_CLEANER_MIN_COMPACTION_LAG_MS]),
        "retention.bytes": str(settings[keys.LOG_RETENTION_BYTES]),
        "retention.ms": str(settings.retention_ms),
        "segment.bytes": str(settings[keys.LOG_SEGMENT_BYTES]),
        "segment.ms": str(settings.roll_ms),
    }
    return defaults | dict(configs)


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
        producer_id_expiration_ms=settings[keys.PRODUCER_ID_EXPIRATION_MS],
    )
