"""Options of `format("tenure")`: those of Spark's Kafka source, and Kafka's keys with the prefix `kafka.`.

Option names ignore case, as in Spark. The error for an unknown option names the nearest known one. The error for an
option without effect names the alternative.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Final

from tenure.client.configuration import Configuration, ConfigurationError
from tenure.client.consumer.consumer_settings import CONSUMER_KEYS, KEYS_WITHOUT_EFFECT
from tenure.client.net.bootstrap import BOOTSTRAP_KEYS, bootstrap
from tenure.client.net.security import OAUTH_CALLBACK
from tenure.client.values import TopicPartition
from tenure.config_keys import ConfigKey, boolean, one_of, text, texts, whole
from tenure.limits.client import FETCH_BYTES
from tenure.spark.source import offset_bounds
from tenure.spark.source.offset_bounds import BEGINNING, END, OffsetBound

KAFKA: Final = "kafka."

MEMBER_KEYS: Final = {
    "group.id": "group_id",
    "group.instance.id": "group_instance_id",
    "client.id": "client_id",
    "client.rack": "rack_id",
    "partition.assignment.strategy": "assignors",
    "group.protocol": "group_protocol",
    "group.remote.assignor": "server_assignor",
    "on.unreleased": "on_unreleased",
    "session.timeout.ms": "session_timeout_ms",
    "heartbeat.interval.ms": "heartbeat_interval_ms",
    "max.poll.interval.ms": "max_poll_interval_ms",
    "request.timeout.ms": "request_timeout_ms",
}
"""Name of the argument of `GroupMember` for each of Kafka's keys that configure a group member."""

READ_KEYS: Final = ("isolation.level", "max.partition.fetch.bytes", "fetch.max.bytes", "metadata.max.age.ms")

WAITING_KEYS: Final = ("fetch.min.bytes", "fetch.max.wait.ms")
"""Consumer keys that are accepted and have no effect: a task reads only existing records, so its fetches never wait."""

REFUSED: Final = {
    "kafka.auto.offset.reset": "set 'startingOffsets'",
    "kafka.enable.auto.commit": "offsets are committed after each batch",
    "kafka.auto.commit.interval.ms": "offsets are committed after each batch",
    "kafka.default.api.timeout.ms": "set 'kafka.request.timeout.ms'",
    "kafka.tenure.prefetch.max.bytes": "set 'kafka.max.partition.fetch.bytes', the bytes that a task fetches ahead",
    "kafka.key.deserializer": "keys are bytes: decode them with DataFrame operations",
    "kafka.value.deserializer": "values are bytes: decode them with DataFrame operations",
    "kafka.interceptor.classes": "interceptors are not supported",
    "kafka.max.poll.records": "set 'maxOffsetsPerTrigger' for a batch, or 'maxRecordsPerPartition' for a task",
    "kafka.ssl.truststore.location": "set 'kafka.ssl.ca.location' to a PEM file of the authorities",
    "kafka.oauth_cb": "set 'kafka.sasl.oauthbearer.token.endpoint.url'",
    "groupIdPrefix": "set the group in 'kafka.group.id'",
    "kafkaConsumer.pollTimeoutMs": "set 'kafka.request.timeout.ms'",
    "fetchOffset.numRetries": "retriable errors are retried for a minute",
    "fetchOffset.retryIntervalMs": "retriable errors are retried for a minute",
}
"""Options of other sources that would have no effect here, with what to do instead."""


KAFKA_ONLY: Final = frozenset(
    {
        "allow.auto.create.topics",
        "auto.include.jmx.reporter",
        "check.crcs",
        "client.dns.lookup",
        "connections.max.idle.ms",
        "enable.metrics.push",
        "exclude.internal.topics",
        "metadata.recovery.rebootstrap.trigger.ms",
        "metadata.recovery.strategy",
        "metric.reporters",
        "metrics.num.samples",
        "metrics.recording.level",
        "metrics.sample.window.ms",
        "receive.buffer.bytes",
        "reconnect.backoff.max.ms",
        "reconnect.backoff.ms",
        "retry.backoff.max.ms",
        "retry.backoff.ms",
        "security.providers",
        "send.buffer.bytes",
        "share.acknowledgement.mode",
        "socket.connection.setup.timeout.max.ms",
        "socket.connection.setup.timeout.ms",
    }
)
"""Keys of Kafka's Java consumer that Tenure's client does not have."""


def pattern(value: Any) -> str:
    """Parse a regular expression; return its text. Raises ValueError."""
    try:
        re.compile(value)
    except (re.error, TypeError) as error:
        raise ValueError(f"a regular expression ({error})") from None
    return str(value)


TIMES: Final = {"ms": 1, "s": 1_000, "m": 60_000, "min": 60_000, "h": 3_600_000, "d": 86_400_000}


def duration_ms(value: Any) -> int:
    """Parse a duration such as 30s or 15m."""
    found = re.fullmatch(r"(\d+)\s*(ms|s|m|min|h|d)?", str(value))
    if found is None:
        raise ValueError("a time like 30s or 15m")
    return int(found[1]) * TIMES[found[2] or "ms"]


def kafka_keys() -> tuple[ConfigKey[Any], ...]:
    """Return the consumer keys that have an effect in this source, with the prefix `kafka.`."""
    bootstrap_names = {key.name for key in BOOTSTRAP_KEYS}
    names = bootstrap_names - {OAUTH_CALLBACK} | MEMBER_KEYS.keys() | {*READ_KEYS, *WAITING_KEYS}
    here = [key for key in CONSUMER_KEYS if key.name in names]
    bulk = {"max.partition.fetch.bytes": FETCH_BYTES}
    return tuple(key._replace(name=KAFKA + key.name, default=bulk.get(key.name, key.default)) for key in here)


OPTIONS: Final[tuple[ConfigKey[Any], ...]] = (
    ConfigKey("subscribe", texts, None, "comma-separated topics to read as a member of the group"),
    ConfigKey("subscribePattern", pattern, None, "regular expression that matches whole topic names"),
    ConfigKey(
        "assign",
        offset_bounds.parse_partitions,
        None,
        'partitions to read outside of a group, as JSON like {"topic": [0, 1]}',
    ),
    ConfigKey(
        "startingOffsets", offset_bounds.parse_offsets, None, "start offsets of partitions without a committed offset"
    ),
    ConfigKey(
        "startingTimestamp", offset_bounds.parse_time, None, "start time for all partitions, in ms since the epoch"
    ),
    ConfigKey("startingOffsetsByTimestamp", offset_bounds.parse_times, None, "start time for each partition, as JSON"),
    ConfigKey(
        "startingOffsetsByTimestampStrategy",
        one_of("error", "latest"),
        "error",
        "behaviour if a partition has no record at or after the start time: fail, or start at the log end",
    ),
    ConfigKey("endingOffsets", offset_bounds.parse_offsets, None, "end offsets of a batch read"),
    ConfigKey("endingTimestamp", offset_bounds.parse_time, None, "end time for all partitions, in ms since the epoch"),
    ConfigKey("endingOffsetsByTimestamp", offset_bounds.parse_times, None, "end time for each partition, as JSON"),
    ConfigKey("failOnDataLoss", boolean, True, "whether to fail if records were deleted before they were read"),
    ConfigKey(
        "maxOffsetsPerTrigger",
        whole(1, 2**63 - 1),
        None,
        "maximum offsets of one batch of a stream, over all partitions",
    ),
    ConfigKey(
        "minOffsetsPerTrigger",
        whole(1, 2**63 - 1),
        None,
        "minimum offsets of one batch of a stream, over all partitions",
    ),
    ConfigKey("maxTriggerDelay", duration_ms, 900_000, "maximum time to wait for minOffsetsPerTrigger"),
    ConfigKey("minPartitions", whole(1), None, "approximate minimum number of Spark tasks of one batch"),
    ConfigKey("maxRecordsPerPartition", whole(1, 2**63 - 1), None, "maximum offsets that one Spark task reads"),
    ConfigKey("includeHeaders", boolean, False, "whether to add a column with the records' headers"),
    *kafka_keys(),
    ConfigKey("kafka.sasl.jaas.config", text, None, "user and password in the format of Java clients"),
)

JAAS: Final = "kafka.sasl.jaas.config"
"""Option for user and password in the format of Java clients."""

CANONICAL: Final = {key.name.lower(): key.name for key in OPTIONS}
REFUSED_NAMES: Final = {name.lower(): name for name in REFUSED}


@dataclass(frozen=True, slots=True)
class SourceOptions:
    """Parsed options of a read."""

    cluster: dict[str, Any] = field(repr=False)
    """Kafka's keys for addresses, TLS and SASL."""
    subscribe: tuple[str, ...] | None
    subscribe_pattern: str | None
    assign: tuple[TopicPartition, ...] | None
    starting: OffsetBound | None
    ending: OffsetBound | None
    member: dict[str, Any]
    """Arguments of `GroupMember`."""
    fail_on_data_loss: bool
    max_offsets: int | None
    min_offsets: int | None
    max_trigger_delay_ms: int
    min_partitions: int | None
    max_records_per_partition: int | None
    include_headers: bool
    isolation_level: int
    max_bytes: int
    metadata_max_age_ms: int

    @property
    def group_id(self) -> str | None:
        return self.member.get("group_id")


def source_options(given: Mapping[str, str]) -> SourceOptions:
    """Parse the options. Raises `ConfigurationError` if one is unknown, invalid or without effect."""
    for name in given:
        if option := REFUSED_NAMES.get(name.lower()):
            raise ConfigurationError(f"The option '{option}' is not supported: {REFUSED[option]}.")
        if name.lower().removeprefix(KAFKA) in KAFKA_ONLY:
            raise ConfigurationError(
                f"The option '{name}' is not supported: Tenure's client has no such key, leave it out."
            )
    values = Configuration(OPTIONS, {CANONICAL.get(name.lower(), name): value for name, value in given.items()})
    values.required("kafka.bootstrap.servers", "to find the cluster")
    check_topics(values)
    return SourceOptions(
        cluster=cluster_config(values),
        subscribe=values["subscribe"],
        subscribe_pattern=values["subscribePattern"],
        assign=values["assign"],
        starting=starting_bound(values),
        ending=ending_bound(values),
        member=member_arguments(values),
        fail_on_data_loss=values["failOnDataLoss"],
        max_offsets=values["maxOffsetsPerTrigger"],
        min_offsets=values["minOffsetsPerTrigger"],
        max_trigger_delay_ms=values["maxTriggerDelay"],
        min_partitions=values["minPartitions"],
        max_records_per_partition=values["maxRecordsPerPartition"],
        include_headers=values["includeHeaders"],
        isolation_level=int(values["kafka.isolation.level"] == "read_committed"),
        max_bytes=fetch_bytes(values),
        metadata_max_age_ms=values["kafka.metadata.max.age.ms"],
    )


def fetch_bytes(values: Configuration) -> int:
    """Return the maximum bytes of a fetch from one partition: the smallest limit that the options set."""
    limits = [values[name] for name in ("kafka.max.partition.fetch.bytes", "kafka.fetch.max.bytes")]
    return int(min(limits) if values.is_given("kafka.fetch.max.bytes") else limits[0])


def check_topics(values: Configuration) -> None:
    ways = ("subscribe", "subscribePattern", "assign")
    if sum(values[name] is not None for name in ways) != 1:
        raise ConfigurationError("Set one of the options 'subscribe', 'subscribePattern' and 'assign'.")


def cluster_config(values: Configuration) -> dict[str, Any]:
    names = [key.name for key in BOOTSTRAP_KEYS if values.is_given(KAFKA + key.name)]
    cluster = {name: values[KAFKA + name] for name in names} | credentials(values[JAAS])
    try:
        bootstrap(cluster)
    except ConfigurationError:
        raise
    except ValueError as error:
        raise ConfigurationError(str(error)) from None
    return cluster


def credentials(jaas: str | None) -> dict[str, str]:
    """Return user and password in a JAAS option. Error messages do not contain the option, because it is secret."""
    if jaas is None:
        return {}
    found = dict(re.findall(r'\b(username|password)\s*=\s*"([^"]*)"', jaas))
    if not re.search(r"\b(Plain|Scram)LoginModule\b", jaas) or found.keys() != {"username", "password"}:
        raise ConfigurationError(
            f"'{JAAS}' must be Kafka's PlainLoginModule or ScramLoginModule with a username and a password in quotes: "
            "other login modules are not supported."
        )
    return {f"sasl.{name}": value for name, value in found.items()}


def member_arguments(values: Configuration) -> dict[str, Any]:
    """Return the arguments of `GroupMember`.

    Raises `ConfigurationError` for a key that has no effect with the chosen group protocol.
    """
    protocol = values["kafka.group.protocol"]
    for name, instead in KEYS_WITHOUT_EFFECT[protocol].items():
        if values.is_given(KAFKA + name):
            raise ConfigurationError(f"'{KAFKA}{name}' has no effect with group protocol {protocol}{instead}.")
    if values["kafka.heartbeat.interval.ms"] >= values["kafka.session.timeout.ms"]:
        raise ConfigurationError("'kafka.heartbeat.interval.ms' must be smaller than 'kafka.session.timeout.ms'.")
    return {argument: values[KAFKA + name] for name, argument in MEMBER_KEYS.items()}


def starting_bound(values: Configuration) -> OffsetBound | None:
    """Return the start of the read; None if no option sets it.

    As in Spark, `startingTimestamp` has precedence over `startingOffsetsByTimestamp`, which has precedence over
    `startingOffsets`.
    """
    by_time: OffsetBound | None = values["startingTimestamp"] or values["startingOffsetsByTimestamp"]
    if by_time is None:
        found: OffsetBound | None = values["startingOffsets"]
        return found
    return OffsetBound(by_time.otherwise, by_time.named, True, values["startingOffsetsByTimestampStrategy"])


def ending_bound(values: Configuration) -> OffsetBound | None:
    """Return the end of the read; None if no option sets it.

    Partitions that the option does not name are read to their log end.
    """
    found: OffsetBound | None = (
        values["endingTimestamp"] or values["endingOffsetsByTimestamp"] or values["endingOffsets"]
    )
    return replace(found, otherwise=END.otherwise) if found is not None and found.named else found


def batch_bounds(options: SourceOptions) -> tuple[OffsetBound, OffsetBound]:
    """Return start and end of a batch read. Raises `ConfigurationError`."""
    first, last = options.starting or BEGINNING, options.ending or END
    if not first.is_time and END.otherwise in {first.otherwise, *first.named.values()}:
        raise ConfigurationError(
            "A batch read cannot start at the latest offset, because nothing follows it: use earliest."
        )
    if not last.is_time and (last == BEGINNING or BEGINNING.otherwise in last.named.values()):
        raise ConfigurationError(
            "A batch read cannot end at the earliest offset, because nothing precedes it: use latest."
        )
    return first, last


def stream_start(options: SourceOptions) -> OffsetBound:
    """Return the start of a stream in partitions without a committed offset. Raises `ConfigurationError`."""
    if options.ending is not None:
        raise ConfigurationError("A stream has no end: leave out the ending options, or use spark.read.")
    if options.group_id is None and options.assign is None:
        raise ConfigurationError("The option 'kafka.group.id' is missing: a stream reads as a member of that group.")
    return options.starting or END
