"""Configs of a single group: those of resources of type GROUP (rules 3.12b, 5.7).

Kafka's keys belong to the protocols of KIP-848, KIP-932 and KIP-1071. All of Kafka's keys are checked, stored and
listed; keys that no rule reads have no field in `GroupConfigs`. Tenure's keys are from the future work of KIP-345:
expected instances (`group.expected.*`), reserve members (`target.group.size`), and a rebalance on request
(`group.rebalance.counter`).

The metadata shard stores the configs. A groups shard receives them with `ConfigureGroup`, and has them in memory only.
"""

import re
from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, Final, TypeAlias

from tenure.config_keys import (
    INT32_MAX,
    INT64_MAX,
    INTEGER,
    ConfigKey,
    ConfigKind,
    ConfigSchema,
    boolean,
    one_of,
    whole,
)
from tenure.coordinator.values import value
from tenure.limits.coordinator import EXPECTED_TIMEOUT_MS_DEFAULT, EXPECTED_TIMEOUT_MS_MAX, INSTANCE_ID_CHARACTERS_MAX
from tenure.protocol.types import InstanceId

DURATION: Final = re.compile(
    r"P(?!$)([0-9]{1,12}D)?(T(?=[0-9])([0-9]{1,12}H)?([0-9]{1,12}M)?([0-9]{1,12}([.,][0-9]{0,9})?S)?)?", re.IGNORECASE
)
"""Durations in the syntax of Java's `Duration.parse`, without signs."""
BY_DURATION: Final = "by_duration:"

TAGS: Final = "streams.rack.aware.assignment.tags"
FENCING_POLICIES: Final = ("assignment-epoch", "kafka", "revocation-epoch", "member-epoch")


@value
class GroupConfigs:
    """Those configs of a group that rules read. Each field is named after a key, with underscores for dots."""

    group_commit_fencing: str = "assignment-epoch"
    """One of FENCING_POLICIES, for consumer groups. Classic groups always check the generation."""
    target_group_size: int = INT32_MAX
    group_expected_instance_ids: frozenset[InstanceId] = frozenset()
    group_expected_timeout_ms: int = EXPECTED_TIMEOUT_MS_DEFAULT
    group_rebalance_counter: int = 0
    consumer_session_timeout_ms: int = 45_000
    consumer_heartbeat_interval_ms: int = 5_000
    consumer_assignment_interval_ms: int = 1_000
    consumer_assignor_offload_enable: bool = True
    """True if a large group is assigned on a thread; False if every group is assigned on the event loop."""
    streams_session_timeout_ms: int = 45_000
    streams_heartbeat_interval_ms: int = 5_000
    streams_assignment_interval_ms: int = 1_000
    streams_assignor_offload_enable: bool = True
    streams_initial_rebalance_delay_ms: int = 3_000
    streams_num_standby_replicas: int = 0
    streams_task_offset_interval_ms: int = 60_000
    streams_acceptable_recovery_lag: int = 10_000
    streams_rack_aware_assignment_tags: tuple[str, ...] = ()


DEFAULTS: Final = GroupConfigs()


def items(text: str) -> list[str]:
    """Return the items of a comma-separated list, without surrounding spaces."""
    return [item for part in text.split(",") if (item := part.strip())]


def is_instance_id(text: str) -> bool:
    """Return whether a text is a valid `group.instance.id`, as in Kafka."""
    letters = text.replace(".", "").replace("_", "").replace("-", "")
    return (
        text not in (".", "..")
        and len(text) <= INSTANCE_ID_CHARACTERS_MAX
        and text.isascii()
        and (letters.isalnum() or not letters)
    )


def instance_ids(value: object) -> tuple[str, ...]:
    """Parse a list of instance ids; the list may be empty. Raises ValueError."""
    if not isinstance(value, str) or not all(map(is_instance_id, found := items(value))):
        raise ValueError(
            f"comma-separated instance ids, each of at most {INSTANCE_ID_CHARACTERS_MAX} letters, digits, '.', '_' and "
            "'-' (but neither '.' nor '..')"
        )
    return tuple(found)


def names(value: object) -> tuple[str, ...]:
    """Parse a list of names; the list may be empty. Raises ValueError."""
    if not isinstance(value, str):
        raise ValueError("comma-separated names")
    return tuple(items(value))


def share_reset(value: object) -> str:
    """Return a value of `share.auto.offset.reset` unchanged, if it is valid. Raises ValueError.

    The config says at which position a share group begins.
    """
    if not isinstance(value, str) or (value not in ("latest", "earliest") and not _is_by_duration(value)):
        raise ValueError("latest, earliest, or by_duration: with a duration, such as by_duration:P1DT2H")
    return value


def dead_letter_topic(value: object) -> str:
    """Return the name of a dead letter queue topic unchanged, if it is valid. Raises ValueError."""
    if not isinstance(value, str) or value.startswith("__"):
        raise ValueError("the name of a topic that is not internal, or empty")
    return value


def _is_by_duration(text: str) -> bool:
    return text.startswith(BY_DURATION) and DURATION.fullmatch(text, len(BY_DURATION)) is not None


def _kafkas(name: str, default: int, low: int, high: int, documentation: str) -> ConfigKey[int]:
    return ConfigKey(name, whole(low, high), default, documentation, ConfigKind.INT, f"group.{name}")


def _timing(protocol: str) -> tuple[ConfigKey[int], ...]:
    """Return the keys for the timing of a protocol, which is "consumer", "share" or "streams"."""
    return (
        _kafkas(f"{protocol}.session.timeout.ms", 45_000, 45_000, 60_000, "Session timeout of members."),
        _kafkas(f"{protocol}.heartbeat.interval.ms", 5_000, 5_000, 15_000, "Heartbeat interval of members."),
        _kafkas(f"{protocol}.assignment.interval.ms", 1_000, 0, 15_000, "Minimum time between two assignments."),
    )


def _offload(protocol: str, documentation: str) -> ConfigKey[bool]:
    name = f"{protocol}.assignor.offload.enable"
    return ConfigKey(name, boolean, True, documentation, ConfigKind.BOOLEAN, f"group.{name}")


_KEYS: Final[tuple[ConfigKey[Any], ...]] = (
    *_timing("consumer"),
    _offload("consumer", "Whether a large group is assigned on a thread of its own."),
    *_timing("share"),
    _offload("share", "Whether the group is assigned on a thread of its own."),
    *_timing("streams"),
    _offload("streams", "Whether a large group is assigned on a thread of its own."),
    _kafkas("share.record.lock.duration.ms", 30_000, 15_000, 60_000, "Time for which an acquired record is locked."),
    _kafkas("share.delivery.count.limit", 5, 2, 10, "Maximum deliveries of a record."),
    _kafkas("share.partition.max.record.locks", 2_000, 100, 4_000, "Maximum locked records of a partition."),
    ConfigKey(
        "share.auto.offset.reset",
        share_reset,
        "latest",
        "Start position of a share group; by_duration: takes an ISO 8601 duration.",
    ),
    ConfigKey(
        "share.isolation.level",
        one_of("read_uncommitted", "read_committed"),
        "read_uncommitted",
        "Whether records of transactions that are open or were aborted are delivered.",
    ),
    ConfigKey(
        "share.renew.acknowledge.enable",
        boolean,
        True,
        "Whether a record's lock can be renewed.",
        ConfigKind.BOOLEAN,
    ),
    ConfigKey(
        "errors.deadletterqueue.topic.name",
        dead_letter_topic,
        "",
        "Topic for records that a share group could not process; empty: none.",
    ),
    ConfigKey(
        "errors.deadletterqueue.copy.record.enable",
        boolean,
        False,
        "Whether the dead letter queue topic gets a copy of the record.",
        ConfigKind.BOOLEAN,
    ),
    ConfigKey(
        "streams.assignor.name",
        one_of("sticky"),
        "sticky",
        "Assignor of a streams group.",
        broker_key="group.streams.assignors",
    ),
    _kafkas("streams.num.standby.replicas", 0, 0, 2, "Standby tasks for each task with a state."),
    _kafkas(
        "streams.num.warmup.replicas",
        2,
        0,
        20,
        "Maximum warm-up tasks of a streams group. The assignor 'sticky' assigns none.",
    ),
    _kafkas(
        "streams.initial.rebalance.delay.ms",
        3_000,
        0,
        INT32_MAX,
        "Time that the first assignment of a streams group waits for more members.",
    ),
    _kafkas(
        "streams.task.offset.interval.ms",
        60_000,
        15_000,
        INT32_MAX,
        "Interval at which members of a streams group report the offsets of their copies of state.",
    ),
    ConfigKey(
        "streams.acceptable.recovery.lag",
        whole(0, INT64_MAX),
        10_000,
        "Lag below which a copy of a task's state counts as caught up, in records.",
        ConfigKind.LONG,
        "group.streams.acceptable.recovery.lag",
    ),
    ConfigKey(
        "streams.rack.aware.assignment.tags",
        names,
        (),
        "Client tags that every member of a streams group should have; without one, it gets MISSING_CLIENT_TAGS.",
        ConfigKind.LIST,
        "group.streams.rack.aware.assignment.tags",
    ),
    ConfigKey(
        "group.commit.fencing",
        one_of(*FENCING_POLICIES),
        DEFAULTS.group_commit_fencing,
        "Fencing policy of commits. Classic groups always check the generation.",
        broker_key="group.commit.fencing",
    ),
    ConfigKey(
        "target.group.size",
        whole(1),
        DEFAULTS.target_group_size,
        "Members of a classic group that get partitions; further members are reserve members.",
        ConfigKind.INT,
    ),
    ConfigKey(
        "group.expected.instance.ids",
        instance_ids,
        (),
        "Static members that the first assignment of an empty classic group waits for.",
        ConfigKind.LIST,
    ),
    ConfigKey(
        "group.expected.timeout.ms",
        whole(0, EXPECTED_TIMEOUT_MS_MAX),
        DEFAULTS.group_expected_timeout_ms,
        "Maximum time that the first assignment waits for expected instances, also limited by the rebalance timeout.",
        ConfigKind.INT,
        "group.expected.timeout.ms",
    ),
    ConfigKey(
        "group.rebalance.counter",
        whole(0, INT64_MAX),
        DEFAULTS.group_rebalance_counter,
        "Each change of this number starts a rebalance.",
        ConfigKind.LONG,
    ),
)
GROUP_KEYS: Final = {key.name: key for key in _KEYS}
_BY_NAME: Final = tuple(GROUP_KEYS.items())

PROTOCOLS_WITH_SESSIONS: Final = ("consumer", "streams")

Bounds: TypeAlias = Mapping[str, tuple[int, int]]
"""(lowest, highest) value by name of a config, from the broker's settings."""
NO_BOUNDS: Final[Bounds] = MappingProxyType({})


class GroupSchema(ConfigSchema):
    """Schema of group configs.

    Each value must be within the broker's bounds, and a session timeout must be longer than the heartbeat interval.
    """

    def __init__(self, bounds: Bounds = NO_BOUNDS, defaults: GroupConfigs = DEFAULTS) -> None:
        keys = {name: key._replace(parse=whole(*bounds[name])) if name in bounds else key for name, key in _BY_NAME}
        super().__init__("group config", keys)
        self._bounds: Final = bounds
        self._defaults: Final = defaults

    def why_refused(self, configs: Mapping[str, str | None], resource_name: str = "") -> str | None:
        """Return the first error in all configs of a group; None if they are valid."""
        if why := super().why_refused(configs, resource_name):
            return why
        given = {name: value for name, value in configs.items() if value}
        effective = group_configs(given, self._defaults, self._bounds)
        return next(
            filter(None, (_why_too_short(protocol, configs, effective) for protocol in PROTOCOLS_WITH_SESSIONS)), None
        )


def _why_too_short(protocol: str, configs: Mapping[str, str | None], effective: GroupConfigs) -> str | None:
    """Return an error if a protocol's session timeout is not longer than its heartbeat interval, else None.

    Also return None if the group sets neither of the two. `configs` are the configs that the group sets. `effective`
    are all its configs, including defaults.
    """
    session, heartbeat = f"{protocol}.session.timeout.ms", f"{protocol}.heartbeat.interval.ms"
    if session not in configs and heartbeat not in configs:
        return None
    session_ms, heartbeat_ms = (getattr(effective, name.replace(".", "_")) for name in (session, heartbeat))
    if session_ms > heartbeat_ms:
        return None
    return (
        f"{session} is {session_ms} and {heartbeat} {heartbeat_ms}: a session must be longer than a heartbeat interval."
    )


def group_configs(
    configs: Mapping[str, str], defaults: GroupConfigs = DEFAULTS, bounds: Bounds = NO_BOUNDS
) -> GroupConfigs:
    """Return the effective configs of a group. `configs` are those that the group has set, as text.

    `defaults` apply to keys that are not set or no longer valid. If `bounds` have changed and exclude a stored value,
    the nearest permitted value applies, as in Kafka.
    """

    def number(name: str, default: int) -> int:
        text = configs.get(name, "")
        if name not in bounds:
            return int(text) if GROUP_KEYS[name].is_valid(text) else default
        low, high = bounds[name]
        return min(max(int(text), low), high) if INTEGER.fullmatch(text) else default

    def flag(name: str, default: bool) -> bool:
        text = configs.get(name, "")
        return boolean(text) if GROUP_KEYS[name].is_valid(text) else default

    fencing = configs.get("group.commit.fencing", "")
    return GroupConfigs(
        fencing if fencing in FENCING_POLICIES else defaults.group_commit_fencing,
        number("target.group.size", defaults.target_group_size),
        frozenset(map(InstanceId, items(configs.get("group.expected.instance.ids", "")))),
        number("group.expected.timeout.ms", defaults.group_expected_timeout_ms),
        number("group.rebalance.counter", defaults.group_rebalance_counter),
        number("consumer.session.timeout.ms", defaults.consumer_session_timeout_ms),
        number("consumer.heartbeat.interval.ms", defaults.consumer_heartbeat_interval_ms),
        number("consumer.assignment.interval.ms", defaults.consumer_assignment_interval_ms),
        flag("consumer.assignor.offload.enable", defaults.consumer_assignor_offload_enable),
        number("streams.session.timeout.ms", defaults.streams_session_timeout_ms),
        number("streams.heartbeat.interval.ms", defaults.streams_heartbeat_interval_ms),
        number("streams.assignment.interval.ms", defaults.streams_assignment_interval_ms),
        flag("streams.assignor.offload.enable", defaults.streams_assignor_offload_enable),
        number("streams.initial.rebalance.delay.ms", defaults.streams_initial_rebalance_delay_ms),
        number("streams.num.standby.replicas", defaults.streams_num_standby_replicas),
        number("streams.task.offset.interval.ms", defaults.streams_task_offset_interval_ms),
        number("streams.acceptable.recovery.lag", defaults.streams_acceptable_recovery_lag),
        tuple(items(configs[TAGS])) if TAGS in configs else defaults.streams_rack_aware_assignment_tags,
    )
