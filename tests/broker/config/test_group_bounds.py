"""Bounds of the configs that groups may have for themselves (rule 3.12b)."""

import pytest

from tenure.broker.config.configuration import load_settings
from tenure.broker.config.group_bounds import group_bounds
from tenure.broker.config.group_defaults import default_group_configs
from tenure.broker.config.schemas import schemas
from tenure.broker.config.start_error import StartError
from tenure.coordinator.groups.configs import group_configs
from tenure.coordinator.metadata.configs import GROUP_RESOURCE

SESSION, HEARTBEAT = "consumer.session.timeout.ms", "consumer.heartbeat.interval.ms"


def refusal(flags: list[str], configs: dict[str, str | None]) -> str | None:
    settings, _ = load_settings(flags=flags)
    return schemas(settings)[GROUP_RESOURCE].why_refused(configs)


def test_bounds__unset__those_of_kafka() -> None:
    settings, _ = load_settings()
    found = group_bounds(settings)
    assert found[SESSION] == (45_000, 60_000)
    assert found[HEARTBEAT] == (5_000, 15_000)
    assert found["consumer.assignment.interval.ms"] == (0, 15_000)


def test_bounds__own_default_below_a_minimum_that_nobody_set__is_widened_to_it() -> None:
    assert refusal(["group.consumer.session.timeout.ms=6000"], {SESSION: "6000"}) is None
    assert "from 6000 to 60000" in str(refusal(["group.consumer.session.timeout.ms=6000"], {SESSION: "5999"}))


def test_bounds__set_by_the_user_that_excludes_the_default__refused() -> None:
    settings, _ = load_settings(flags=["group.consumer.max.session.timeout.ms=40000"])
    with pytest.raises(StartError, match=r"timeout\.ms is 45000: it must be from"):
        group_bounds(settings)


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
def test_group__session_and_heartbeats__fit_together_and_into_the_bounds(
    configs: dict[str, str | None], is_refused: bool
) -> None:
    assert (refusal(["group.consumer.min.session.timeout.ms=1000"], configs) is not None) is is_refused


def test_group__value_outside_of_bounds_that_changed__counts_as_the_nearest() -> None:
    settings, _ = load_settings(flags=["group.consumer.max.session.timeout.ms=50000"])
    found = group_configs({SESSION: "60000"}, default_group_configs(settings), group_bounds(settings))
    assert found.consumer_session_timeout_ms == 50_000
