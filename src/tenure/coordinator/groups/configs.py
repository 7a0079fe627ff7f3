"""Configs of a single group: those of resources of type GROUP (rule 3.12b).

Kafka's own keys belong to the protocols of KIP-848, KIP-932 and KIP-1071. All are checked, stored and listed; keys
without a rule have no field in `GroupConfigs`. Tenure's keys are KIP-345's future work: expected instances
(`group.expected.*`), reserve members (`target.group.size`) and a rebalance on request (`group.rebalance.counter`).

Configs are in the metadata shard. A groups shard receives them with `ConfigureGroup` and only remembers them.
"""

import re
from collections.abc import Mapping
from enum import IntEnum
from typing import Final, NamedTuple

from tenure.coordinator.values import value
from tenure.limits.coordinator import EXPECTED_TIMEOUT_MS_DEFAULT, EXPECTED_TIMEOUT_MS_MAX, INSTANCE_ID_CHARACTERS_MAX
from tenure.protocol.types import InstanceId
from tenure.unknown_names import unknown_name

INT32_MAX: Final = 2**31 - 1
INT64_MAX: Final = 2**63 - 1
INT64_DIGITS: Final = 19
"""Python refuses to read a number of thousands of digits, and takes its time for one of fewer."""

DURATION: Final = re.compile(
    r"P(?!$)([0-9]{1,12}D)?(T(?=[0-9])([0-9]{1,12}H)?([0-9]{1,12}M)?([0-9]{1,12}([.,][0-9]{0,9})?S)?)?", re.IGNORECASE
)
"""Durations in the syntax of Java's `Duration.parse`, without signs."""

FENCING_POLICIES: Final = ("assignment-epoch", "kafka", "revocation-epoch", "member-epoch")


@value
class GroupConfigs:
    """Configs that rules read: `group.configs`. Each field is a key with underscores for dots."""

    group_commit_fencing: str = "assignment-epoch"
    """One of FENCING_POLICIES. Classic groups check the generation under each of them."""
    target_group_size: int = INT32_MAX
    group_expected_instance_ids: frozenset[InstanceId] = frozenset()
    group_expected_timeout_ms: int = EXPECTED_TIMEOUT_MS_DEFAULT
    group_rebalance_counter: int = 0
    consumer_session_timeout_ms: int = 45_000
    consumer_heartbeat_interval_ms: int = 5_000
    consumer_assignment_interval_ms: int = 1_000


DEFAULTS: Final = GroupConfigs()


class Kind(IntEnum):
    """The type of a value, in Kafka's numbers."""

    BOOLEAN = 1
    STRING = 2
    INT = 3
    LONG = 5
    DOUBLE = 6
    LIST = 7


class GroupKey(NamedTuple):
    """Key of a group's configs.

    `broker_key` is the broker's key for the same. `low` and `high` bound a number, `choices` a text: after a choice
    that ends in a colon follows an ISO 8601 duration.
    """

    name: str
    kind: Kind
    default: str
    documentation: str
    broker_key: str = ""
    low: int = 0
    high: int = INT32_MAX
    choices: tuple[str, ...] = ()

    def is_legal(self, text: str) -> bool:
        if self.kind is Kind.LIST:
            return all(is_instance_id(item) for item in items(text))
        if self.choices:
            return any(_is(choice, text) for choice in self.choices)
        digits = text.removeprefix("-")
        is_number = digits.isascii() and digits.isdecimal() and len(digits) <= INT64_DIGITS
        return is_number and self.low <= int(text) <= self.high

    @property
    def wants(self) -> str:
        if self.kind is Kind.LIST:
            return "a list of instance ids between commas, each of letters, digits, '.', '_' and '-'"
        if not self.choices:
            return f"a whole number from {self.low} to {self.high}"
        return " or ".join(f"{choice}P1DT2H (a duration)" if choice[-1] == ":" else choice for choice in self.choices)


def _is(choice: str, text: str) -> bool:
    if choice[-1] != ":":
        return text == choice
    return text.startswith(choice) and DURATION.fullmatch(text, len(choice)) is not None


def _kafkas(name: str, default: int, low: int, high: int, documentation: str) -> GroupKey:
    return GroupKey(name, Kind.INT, str(default), documentation, f"group.{name}", low, high)


def _kafkas_choice(name: str, kind: Kind, choices: tuple[str, ...], documentation: str) -> GroupKey:
    """Return a key whose default is the first choice."""
    return GroupKey(name, kind, choices[0], documentation, choices=choices)


def _timing(protocol: str) -> tuple[GroupKey, ...]:
    """Return the keys that all three newer protocols have."""
    return (
        _kafkas(f"{protocol}.session.timeout.ms", 45_000, 45_000, 60_000, "How long a member may be silent."),
        _kafkas(f"{protocol}.heartbeat.interval.ms", 5_000, 5_000, 15_000, "How often a member speaks."),
        _kafkas(f"{protocol}.assignment.interval.ms", 1_000, 0, 15_000, "The least time between two assignments."),
    )


GROUP_KEYS: Final = {
    key.name: key
    for key in (
        *_timing("consumer"),
        *_timing("share"),
        *_timing("streams"),
        _kafkas("share.record.lock.duration.ms", 30_000, 15_000, 60_000, "How long an acquired record stays locked."),
        _kafkas("share.delivery.count.limit", 5, 2, 10, "How often a record is delivered at most."),
        _kafkas("share.partition.max.record.locks", 2_000, 100, 4_000, "Records of a partition locked at once."),
        _kafkas_choice(
            "share.auto.offset.reset",
            Kind.STRING,
            ("latest", "earliest", "by_duration:"),
            "Where a share group begins to read; by_duration: takes an ISO 8601 duration.",
        ),
        _kafkas_choice(
            "share.isolation.level",
            Kind.STRING,
            ("read_uncommitted", "read_committed"),
            "Whether records of transactions that are open or were aborted are delivered.",
        ),
        _kafkas_choice(
            "share.renew.acknowledge.enable", Kind.BOOLEAN, ("true", "false"), "Whether a record's lock can be renewed."
        ),
        _kafkas("streams.num.standby.replicas", 0, 0, 2, "Copies of each task's state on other members."),
        _kafkas(
            "streams.initial.rebalance.delay.ms", 3_000, 0, INT32_MAX, "How long a new streams group waits for members."
        ),
        GroupKey(
            "group.commit.fencing",
            Kind.STRING,
            DEFAULTS.group_commit_fencing,
            "Which commits are refused; classic groups check the generation under each policy.",
            "group.commit.fencing",
            choices=FENCING_POLICIES,
        ),
        GroupKey(
            "target.group.size",
            Kind.INT,
            str(DEFAULTS.target_group_size),
            "Members of a classic group that get partitions; those beyond hold a seat in reserve and take over.",
            low=1,
        ),
        GroupKey(
            "group.expected.instance.ids",
            Kind.LIST,
            "",
            "Static members that the first assignment of an empty classic group waits for.",
        ),
        GroupKey(
            "group.expected.timeout.ms",
            Kind.INT,
            str(DEFAULTS.group_expected_timeout_ms),
            "How long it waits for them at most; never longer than the members' rebalance timeout.",
            "group.expected.timeout.ms",
            high=EXPECTED_TIMEOUT_MS_MAX,
        ),
        GroupKey(
            "group.rebalance.counter",
            Kind.LONG,
            str(DEFAULTS.group_rebalance_counter),
            "Any change of it starts a rebalance.",
            high=INT64_MAX,
        ),
    )
}


def items(text: str) -> list[str]:
    """Return the items of a list, without blanks around them."""
    return [item for part in text.split(",") if (item := part.strip())]


def is_instance_id(text: str) -> bool:
    """Kafka's rule for `group.instance.id`."""
    letters = text.replace(".", "").replace("_", "").replace("-", "")
    return (
        text not in (".", "..")
        and len(text) <= INSTANCE_ID_CHARACTERS_MAX
        and text.isascii()
        and (letters.isalnum() or not letters)
    )


class GroupSchema:
    """Schema by which the metadata shard checks configs of a group before it stores them."""

    def why_refused(self, configs: Mapping[str, str]) -> str | None:
        for name, text in configs.items():
            if (key := GROUP_KEYS.get(name)) is None:
                return unknown_name("group config", name, GROUP_KEYS)
            if not key.is_legal(text):
                return f"the group config {name} = {text!r} is not {key.wants}"
        return None

    def unset_list(self, name: str) -> str | None:
        key = GROUP_KEYS.get(name)
        return key.default if key is not None and key.kind is Kind.LIST else None


GROUP_SCHEMA: Final = GroupSchema()


def group_configs(configs: Mapping[str, str], defaults: GroupConfigs = DEFAULTS) -> GroupConfigs:
    """Return the configs for rules. `defaults` apply to keys that are not set or no longer legal."""

    def number(name: str, default: int) -> int:
        return int(configs[name]) if name in configs and GROUP_KEYS[name].is_legal(configs[name]) else default

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
    )
