"""Bounds of the configs that groups may have for themselves (rules 3.12b, 5.7)."""

import pytest

from tenure.broker.config.configuration import load_settings
from tenure.broker.config.group_bounds import group_bounds
from tenure.broker.config.group_defaults import default_group_configs
from tenure.broker.config.schemas import schemas
from tenure.broker.config.start_error import StartError
from tenure.config_keys import INT32_MAX
from tenure.coordinator.groups.configs import group_configs
from tenure.coordinator.metadata.configs import BROKER_RESOURCE, GROUP_RESOURCE

SESSION, HEARTBEAT = "consumer.session.timeout.ms", "consumer.heartbeat.interval.ms"
STANDBYS, OFFSET_INTERVAL = "streams.num.standby.replicas", "streams.task.offset.interval.ms"


def refusal(flags: list[str], configs: dict[str, str | None]) -> str | None:
    settings, _ = load_settings(flags=flags)
    return schemas(settings)[GROUP_RESOURCE].why_refused(configs)


def test_group_bounds__not_configured__same_as_in_kafka() -> None:
    settings, _ = load_settings()
    found = group_bounds(settings)
    for protocol in ("consumer", "streams"):
        assert found[f"{protocol}.session.timeout.ms"] == (45_000, 60_000)
        assert found[f"{protocol}.heartbeat.interval.ms"] == (5_000, 15_000)
        assert found[f"{protocol}.assignment.interval.ms"] == (0, 15_000)
    assert found[STANDBYS] == (0, 2)
    assert found["streams.num.warmup.replicas"] == (0, 20)
    assert found[OFFSET_INTERVAL] == (15_000, INT32_MAX)


def test_group_bounds__configured_default_below_the_default_minimum__minimum_is_lowered() -> None:
    assert refusal(["group.consumer.session.timeout.ms=6000"], {SESSION: "6000"}) is None
    assert "from 6000 to 60000" in str(refusal(["group.consumer.session.timeout.ms=6000"], {SESSION: "5999"}))


def test_group_bounds__configured_maximum_below_the_default__start_refused() -> None:
    settings, _ = load_settings(flags=["group.consumer.max.session.timeout.ms=40000"])
    with pytest.raises(StartError, match=r"timeout\.ms is 45000: it must be from"):
        group_bounds(settings)


@pytest.mark.parametrize(
    ("flag", "message"),
    [
        ("group.streams.max.session.timeout.ms=40000", r"session\.timeout\.ms is 45000: it must be from"),
        ("group.streams.min.heartbeat.interval.ms=6000", r"heartbeat\.interval\.ms is 5000: it must be from 6000"),
        ("group.streams.max.assignment.interval.ms=500", r"assignment\.interval\.ms is 1000: it must be from 0"),
        ("group.streams.min.task.offset.interval.ms=70000", r"task\.offset\.interval\.ms is 60000: it must be from"),
    ],
)
def test_streams_group_bounds__configured_bound_excludes_the_default__start_refused(flag: str, message: str) -> None:
    settings, _ = load_settings(flags=[flag])
    with pytest.raises(StartError, match=message):
        group_bounds(settings)


@pytest.mark.parametrize(
    "flag",
    [
        "group.consumer.heartbeat.interval.ms=45000",
        "group.consumer.session.timeout.ms=5000",
        "group.streams.heartbeat.interval.ms=50000",
        "group.streams.session.timeout.ms=4000",
    ],
)
def test_group_bounds__heartbeat_interval_not_below_the_session_timeout__start_refused(flag: str) -> None:
    settings, _ = load_settings(flags=[flag])
    with pytest.raises(StartError, match=r"heartbeat\.interval\.ms is \d+: it must be less than group\.\w+\.session"):
        group_bounds(settings)


def test_streams_group_bounds__default_of_standby_replicas_above_maximum__start_refused() -> None:
    flags = ["group.streams.num.standby.replicas=3", "group.streams.max.standby.replicas=1"]
    settings, _ = load_settings(flags=flags)
    with pytest.raises(StartError, match=r"replicas is 3: it must be from 0 to 1 \(group\.streams\.max\.standby"):
        group_bounds(settings)


@pytest.mark.parametrize(
    ("key", "config", "lowest_wrong", "highest_wrong"),
    [
        ("min.session.timeout.ms=6000", "streams.session.timeout.ms", 5_999, 60_001),
        ("max.session.timeout.ms=70000", "streams.session.timeout.ms", 44_999, 70_001),
        ("min.heartbeat.interval.ms=1000", "streams.heartbeat.interval.ms", 999, 15_001),
        ("max.heartbeat.interval.ms=20000", "streams.heartbeat.interval.ms", 4_999, 20_001),
        ("min.assignment.interval.ms=100", "streams.assignment.interval.ms", 99, 15_001),
        ("max.assignment.interval.ms=20000", "streams.assignment.interval.ms", -1, 20_001),
        ("max.standby.replicas=5", STANDBYS, -1, 6),
        ("min.task.offset.interval.ms=1", OFFSET_INTERVAL, 0, INT32_MAX + 1),
    ],
)
def test_streams_group_config__at_a_bound_or_just_beyond__accepted_or_refused(
    key: str, config: str, lowest_wrong: int, highest_wrong: int
) -> None:
    flags = [f"group.streams.{key}"]
    for wrong, nearest in ((lowest_wrong, lowest_wrong + 1), (highest_wrong, highest_wrong - 1)):
        assert f"{lowest_wrong + 1} to {highest_wrong - 1}" in str(refusal(flags, {config: str(wrong)}))
        assert refusal(flags, {config: str(nearest)}) is None


@pytest.mark.parametrize(
    ("configs", "is_refused"),
    [
        ({SESSION: "3000"}, True),
        ({SESSION: "5000"}, True),
        ({SESSION: "5001"}, False),
        ({SESSION: "5001", HEARTBEAT: "5001"}, True),
        ({HEARTBEAT: "15000"}, False),
        ({HEARTBEAT: "15001"}, True),
    ],
)
def test_group_config__session_timeout_and_heartbeat_interval__checked_against_bounds_and_each_other(
    configs: dict[str, str | None], is_refused: bool
) -> None:
    assert (refusal(["group.consumer.min.session.timeout.ms=1000"], configs) is not None) is is_refused


def test_group_config__broker_bound_changed_later__nearest_allowed_value_is_used() -> None:
    settings, _ = load_settings(flags=["group.consumer.max.session.timeout.ms=50000"])
    found = group_configs({SESSION: "60000"}, default_group_configs(settings), group_bounds(settings))
    assert found.consumer_session_timeout_ms == 50_000


def test_streams_group_config__broker_bound_changed_later__nearest_allowed_value_is_used() -> None:
    settings, _ = load_settings(
        flags=["group.streams.max.standby.replicas=1", "group.streams.min.task.offset.interval.ms=20000"]
    )
    configs = {STANDBYS: "2", OFFSET_INTERVAL: "15000"}
    found = group_configs(configs, default_group_configs(settings), group_bounds(settings))
    assert found.streams_num_standby_replicas == 1
    assert found.streams_task_offset_interval_ms == 20_000


def test_default_of_the_broker__changed_at_run_time_beyond_a_configured_bound__refused() -> None:
    settings, _ = load_settings(flags=["group.consumer.max.assignment.interval.ms=2000"])
    of_broker = schemas(settings)[BROKER_RESOURCE]
    assert of_broker.why_refused({"group.consumer.assignment.interval.ms": "2000"}) is None
    assert "it must be from 0" in str(of_broker.why_refused({"group.consumer.assignment.interval.ms": "2001"}))
