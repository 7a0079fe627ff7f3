"""What a consumer can be told, under Kafka's own keys."""

from collections.abc import Mapping
from typing import Any, Final, NamedTuple

from tenure.client.assignment import ASSIGNORS
from tenure.client.configuration import (
    CLUSTER_KEYS,
    Configuration,
    ConfigurationError,
    Key,
    boolean,
    one_of,
    text,
    texts,
    whole,
)
from tenure.client.membership_outputs import (
    CLASSIC,
    CONSUMER,
    FAIL,
    SEIZE,
    WAIT,
    MembershipSettings,
    this_process,
)
from tenure.client.security import SECURITY_KEYS
from tenure.limits import PREFETCH_BYTES

READ_UNCOMMITTED: Final = 0
READ_COMMITTED: Final = 1
_ISOLATION: Final = {"read_uncommitted": READ_UNCOMMITTED, "read_committed": READ_COMMITTED}


def assignors(value: Any) -> tuple[str, ...]:
    names = texts(value)
    if not ASSIGNORS.keys() >= set(names):
        raise ValueError(f"a list of assignors that are known here ({', '.join(ASSIGNORS)})")
    return names


CONSUMER_KEYS: Final = (
    *CLUSTER_KEYS,
    *SECURITY_KEYS,
    Key("default.api.timeout.ms", whole(1), 60_000, "how long an operation goes on trying"),
    Key("group.id", text, None, "the group to join, or to commit for"),
    Key("group.instance.id", text, None, "the name of a seat that is kept through restarts (KIP-345)"),
    Key(
        "partition.assignment.strategy",
        assignors,
        ("range", "cooperative-sticky"),
        "assignors, the best liked one first",
    ),
    Key("group.protocol", one_of(CLASSIC, CONSUMER), CLASSIC, "who assigns: a member, or the coordinator (KIP-848)"),
    Key("group.remote.assignor", text, None, "which of the coordinator's assignors; the broker's first one if none"),
    Key(
        "on.unreleased",
        one_of(SEIZE, WAIT, FAIL),
        SEIZE,
        "with group.protocol=consumer, when somebody else seems to hold the static seat at the start (not Kafka's)",
    ),
    Key("client.rack", text, None, "where this client stands, for assignors that look at racks (KIP-881)"),
    Key("session.timeout.ms", whole(1), 45_000, "how long the group keeps a seat without heartbeats"),
    Key("heartbeat.interval.ms", whole(1), 3_000, "how often the member shows that its process is alive"),
    Key("max.poll.interval.ms", whole(1), 300_000, "how long it may work between two polls, and rebalances may take"),
    Key("max.poll.records", whole(1), 500, "rows in one poll"),
    Key("enable.auto.commit", boolean, True, "commit the positions of finished polls by itself"),
    Key("auto.commit.interval.ms", whole(0), 5_000, "how often"),
    Key("auto.offset.reset", one_of("earliest", "latest", "none"), "latest", "where to begin without a valid offset"),
    Key("isolation.level", one_of(*_ISOLATION), "read_uncommitted", "whether open and aborted transactions are read"),
    Key("fetch.min.bytes", whole(0), 1, "the broker waits until it has so much"),
    Key("fetch.max.wait.ms", whole(0), 500, "and so long at most"),
    Key("fetch.max.bytes", whole(1), 52_428_800, "of one answer; a batch that is larger still comes"),
    Key("max.partition.fetch.bytes", whole(1), 1_048_576, "of one partition in it"),
    Key("metadata.max.age.ms", whole(1), 300_000, "how long topics that match a pattern may be overlooked"),
    Key("tenure.prefetch.max.bytes", whole(1), PREFETCH_BYTES, "what may lie fetched and not yet polled (not Kafka's)"),
)


NOT_OF: Final = {
    CLASSIC: {
        "group.remote.assignor": ", or set 'group.protocol' to consumer",
        "on.unreleased": ", as a static member takes its seat at once",
    },
    CONSUMER: {
        "partition.assignment.strategy": ", and name the coordinator's assignor as 'group.remote.assignor'",
        "session.timeout.ms": ", as the group's config 'consumer.session.timeout.ms' says it",
        "heartbeat.interval.ms": ", as the group's config 'consumer.heartbeat.interval.ms' says it",
    },
}
"""As Java's consumer has it, keys that would be ignored are refused; with what to do instead."""


class FetchSettings(NamedTuple):
    min_bytes: int
    max_bytes: int
    max_wait_ms: int
    isolation_level: int


class ConsumerSettings(NamedTuple):
    """The keys that are looked at while it runs; the others are in `configuration`."""

    configuration: Configuration
    group_id: str | None
    auto_commit_interval_ms: int | None
    """None: the user commits."""
    auto_offset_reset: str
    max_poll_records: int
    fetch: FetchSettings


def consumer_settings(config: Mapping[str, Any]) -> ConsumerSettings:
    """Raises `ConfigurationError`."""
    values = Configuration(CONSUMER_KEYS, config)
    values.required("bootstrap.servers", "to find the cluster")
    group_id: str | None = values["group.id"]
    if values["group.instance.id"] is not None and group_id is None:
        raise ConfigurationError("'group.instance.id' names a seat of a group: add 'group.id' to the configuration.")
    if values["heartbeat.interval.ms"] >= values["session.timeout.ms"]:
        raise ConfigurationError("'heartbeat.interval.ms' must be smaller than 'session.timeout.ms': a third is usual.")
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
    """What one of the two protocols leaves to the broker, and the other does not have."""
    protocol = values["group.protocol"]
    for name, instead in NOT_OF[protocol].items():
        if values.is_given(name):
            raise ConfigurationError(
                f"'{name}' has no meaning with 'group.protocol' {protocol}: leave it out{instead}."
            )


def check_pattern(settings: ConsumerSettings) -> None:
    if settings.configuration["group.protocol"] != CONSUMER:
        raise ConfigurationError(
            "A SubscriptionPattern is matched by the broker, which needs 'group.protocol' consumer: set that, or give "
            "a pattern of Python's re."
        )


def membership_settings(
    settings: ConsumerSettings, topics: tuple[str, ...], pattern: str | None = None
) -> MembershipSettings:
    """Raises `ConfigurationError` where the group is missing, `AssignmentError` for an unknown assignor."""
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
