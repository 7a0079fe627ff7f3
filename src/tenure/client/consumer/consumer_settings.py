"""Settings of a consumer, with Kafka's keys."""

from collections.abc import Mapping
from typing import Any, Final, NamedTuple

from tenure.client.configuration import CLUSTER_KEYS, Configuration, ConfigurationError
from tenure.client.group.assignment import ASSIGNORS
from tenure.client.group.memberships.membership_settings import FAIL, SEIZE, WAIT, MembershipSettings, this_process
from tenure.client.net.security import SECURITY_KEYS
from tenure.config_keys import ConfigKey, boolean, one_of, text, texts, whole
from tenure.limits.client import PREFETCH_BYTES
from tenure.protocol.special_values import CLASSIC, CONSUMER, READ_COMMITTED, READ_UNCOMMITTED

_ISOLATION: Final = {"read_uncommitted": READ_UNCOMMITTED, "read_committed": READ_COMMITTED}


def assignors(value: Any) -> tuple[str, ...]:
    """Parse the value of `partition.assignment.strategy` into assignor names."""
    names = texts(value)
    if not ASSIGNORS.keys() >= set(names):
        raise ValueError(f"a list of known assignors ({', '.join(ASSIGNORS)})")
    return names


CONSUMER_KEYS: Final[tuple[ConfigKey[Any], ...]] = (
    *CLUSTER_KEYS,
    *SECURITY_KEYS,
    ConfigKey("default.api.timeout.ms", whole(1), 60_000, "time for which an operation is retried"),
    ConfigKey("group.id", text, None, "group to join, or to commit offsets for"),
    ConfigKey(
        "group.instance.id", text, None, "id of a static member, which keeps its partitions in a restart (KIP-345)"
    ),
    ConfigKey(
        "partition.assignment.strategy",
        assignors,
        ("range", "cooperative-sticky"),
        "client-side assignors, most preferred first",
    ),
    ConfigKey(
        "group.protocol", one_of(CLASSIC, CONSUMER), CLASSIC, "classic, or consumer: the coordinator assigns (KIP-848)"
    ),
    ConfigKey("group.remote.assignor", text, None, "assignor of the coordinator; default: the broker's first one"),
    ConfigKey(
        "on.unreleased",
        one_of(SEIZE, WAIT, FAIL),
        SEIZE,
        "what a starting static member does if its instance id is in use (group.protocol=consumer; not Kafka's)",
    ),
    ConfigKey("client.rack", text, None, "rack of this client, for rack-aware assignors (KIP-881)"),
    ConfigKey(
        "session.timeout.ms", whole(1), 45_000, "time without heartbeats after which the group removes the member"
    ),
    ConfigKey("heartbeat.interval.ms", whole(1), 3_000, "interval of heartbeats"),
    ConfigKey("max.poll.interval.ms", whole(1), 300_000, "time between two polls after which the member leaves"),
    ConfigKey("max.poll.records", whole(1), 500, "maximum records per poll"),
    ConfigKey("enable.auto.commit", boolean, True, "commit positions automatically in the background"),
    ConfigKey("auto.commit.interval.ms", whole(0), 5_000, "interval of automatic commits"),
    ConfigKey(
        "auto.offset.reset", one_of("earliest", "latest", "none"), "latest", "start position without a valid offset"
    ),
    ConfigKey(
        "isolation.level", one_of(*_ISOLATION), "read_uncommitted", "whether open and aborted transactions are read"
    ),
    ConfigKey("fetch.min.bytes", whole(0), 1, "bytes that a fetch waits for"),
    ConfigKey("fetch.max.wait.ms", whole(0), 500, "maximum time that a fetch waits for `fetch.min.bytes`"),
    ConfigKey(
        "fetch.max.bytes", whole(1), 52_428_800, "maximum bytes of a fetch; a larger first batch is returned anyway"
    ),
    ConfigKey("max.partition.fetch.bytes", whole(1), 1_048_576, "maximum bytes per partition of a fetch"),
    ConfigKey(
        "metadata.max.age.ms", whole(1), 300_000, "interval of the lookup of topics that match a subscribed pattern"
    ),
    ConfigKey(
        "tenure.prefetch.max.bytes", whole(1), PREFETCH_BYTES, "maximum bytes fetched ahead of poll (not Kafka's)"
    ),
)


KEYS_WITHOUT_EFFECT: Final = {
    CLASSIC: {
        "group.remote.assignor": ", or set 'group.protocol' to consumer",
        "on.unreleased": ", because a classic static member takes over its instance id at once",
    },
    CONSUMER: {
        "partition.assignment.strategy": ", and set 'group.remote.assignor' to an assignor of the coordinator",
        "session.timeout.ms": ", and set the group's config 'consumer.session.timeout.ms' instead",
        "heartbeat.interval.ms": ", and set the group's config 'consumer.heartbeat.interval.ms' instead",
    },
}
"""For each group protocol, the keys that have no effect under it, each with a hint for the error message. Setting
such a key is an error, as in the Java client."""


class FetchSettings(NamedTuple):
    """Settings of fetch requests: sizes, wait time and isolation level."""

    min_bytes: int
    max_bytes: int
    max_wait_ms: int
    isolation_level: int


class ConsumerSettings(NamedTuple):
    """Settings that the consumer uses while it runs. `configuration` has all other keys."""

    configuration: Configuration
    group_id: str | None
    auto_commit_interval_ms: int | None
    """Interval of automatic commits in ms; None if only the user commits."""
    auto_offset_reset: str
    max_poll_records: int
    fetch: FetchSettings


def consumer_settings(config: Mapping[str, Any]) -> ConsumerSettings:
    """Parse a consumer's configuration. Raises `ConfigurationError`."""
    values = Configuration(CONSUMER_KEYS, config)
    values.required("bootstrap.servers", "to find the cluster")
    group_id: str | None = values["group.id"]
    if values["group.instance.id"] is not None and group_id is None:
        raise ConfigurationError("Missing setting 'group.id': it is required with 'group.instance.id'.")
    if values["heartbeat.interval.ms"] >= values["session.timeout.ms"]:
        raise ConfigurationError(
            "Invalid setting 'heartbeat.interval.ms': must be smaller than 'session.timeout.ms', usually a third."
        )
    _check_protocol(values)
    commits = group_id is not None and values["enable.auto.commit"]
    return ConsumerSettings(
        configuration=values,
        group_id=group_id,
        auto_commit_interval_ms=values["auto.commit.interval.ms"] if commits else None,
        auto_offset_reset=values["auto.offset.reset"],
        max_poll_records=values["max.poll.records"],
        fetch=FetchSettings(
            min_bytes=values["fetch.min.bytes"],
            max_bytes=values["fetch.max.bytes"],
            max_wait_ms=values["fetch.max.wait.ms"],
            isolation_level=_ISOLATION[values["isolation.level"]],
        ),
    )


def _check_protocol(values: Configuration) -> None:
    """Raise `ConfigurationError` if a given key has no effect under the configured `group.protocol`."""
    protocol = values["group.protocol"]
    for name, instead in KEYS_WITHOUT_EFFECT[protocol].items():
        if values.is_given(name):
            raise ConfigurationError(
                f"Setting '{name}' has no effect with 'group.protocol' {protocol}: remove it{instead}."
            )


def check_pattern(settings: ConsumerSettings) -> None:
    """Raise `ConfigurationError` if the configured `group.protocol` does not support a `SubscriptionPattern`."""
    if settings.configuration["group.protocol"] != CONSUMER:
        raise ConfigurationError(
            "SubscriptionPattern needs 'group.protocol' consumer: set that, or subscribe with a compiled pattern of "
            "Python's re."
        )


def membership_settings(
    settings: ConsumerSettings, topics: tuple[str, ...], pattern: str | None = None
) -> MembershipSettings:
    """Return the settings of the group membership.

    Raises:
        ConfigurationError: `group.id` is not set.
    """
    values = settings.configuration
    return MembershipSettings(
        group_id=values.required("group.id", "to subscribe"),
        topics=topics,
        group_instance_id=values["group.instance.id"],
        session_timeout_ms=values["session.timeout.ms"],
        rebalance_timeout_ms=values["max.poll.interval.ms"],
        heartbeat_interval_ms=values["heartbeat.interval.ms"],
        max_poll_interval_ms=values["max.poll.interval.ms"],
        request_timeout_ms=values["request.timeout.ms"],
        assignors=values["partition.assignment.strategy"],
        rack_id=values["client.rack"],
        holder=this_process(),
        group_protocol=values["group.protocol"],
        topic_pattern=pattern,
        server_assignor=values["group.remote.assignor"],
        on_unreleased=values["on.unreleased"],
    )
