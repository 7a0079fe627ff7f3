"""Kafka's keys: accepted and refused values, and their errors."""

from typing import Any

import pytest

from tenure.client.configuration import ConfigurationError
from tenure.client.consumer.consumer_settings import CONSUMER_KEYS, consumer_settings, membership_settings

NEEDED = {"bootstrap.servers": "localhost:9092", "group.id": "g"}


def test_consumer_settings__none_set__kafkas_defaults() -> None:
    settings = consumer_settings(NEEDED)
    membership = membership_settings(settings, ("t",))
    assert (settings.auto_commit_interval_ms, settings.auto_offset_reset, settings.max_poll_records) == (
        5_000,
        "latest",
        500,
    )
    assert membership.assignors == ("range", "cooperative-sticky")
    assert (membership.session_timeout_ms, membership.rebalance_timeout_ms) == (45_000, 300_000)


def test_consumer_settings__values_as_text__parsed_like_a_properties_file() -> None:
    settings = consumer_settings(
        {
            **NEEDED,
            "enable.auto.commit": "False",
            "max.poll.records": "7",
            "partition.assignment.strategy": "sticky, range",
        }
    )
    assert settings.auto_commit_interval_ms is None
    assert settings.max_poll_records == 7
    assert membership_settings(settings, ("t",)).assignors == ("sticky", "range")


@pytest.mark.parametrize(
    ("key", "value", "sentence"),
    [
        (
            "session_timeout_ms",
            1,
            "Unknown setting 'session_timeout_ms': did you mean 'session.timeout.ms'?",
        ),
        ("zzz", 1, "Unknown setting 'zzz'"),
        ("max.poll.records", 0, "Invalid setting 'max.poll.records': must be an integer from 1 to 2147483647, not 0."),
        (
            "max.poll.records",
            True,
            "Invalid setting 'max.poll.records': must be an integer from 1 to 2147483647, not True.",
        ),
        ("enable.auto.commit", "yes", "Invalid setting 'enable.auto.commit': must be true or false, not 'yes'."),
        (
            "auto.offset.reset",
            "begin",
            "Invalid setting 'auto.offset.reset': must be one of earliest, latest, none, not 'begin'.",
        ),
        (
            "heartbeat.interval.ms",
            45_000,
            "Invalid setting 'heartbeat.interval.ms': must be smaller than 'session.timeout.ms'",
        ),
    ],
)
def test_consumer_settings__invalid__error_names_the_key(key: str, value: Any, sentence: str) -> None:
    with pytest.raises(ConfigurationError) as raised:
        consumer_settings({**NEEDED, key: value})
    assert str(raised.value).startswith(sentence)


@pytest.mark.parametrize(
    ("config", "lacks"),
    [({"group.id": "g"}, "bootstrap.servers"), ({"bootstrap.servers": "h:1", "group.instance.id": "i"}, "group.id")],
)
def test_consumer_settings__required_key_missing__error_names_it(config: dict[str, Any], lacks: str) -> None:
    with pytest.raises(ConfigurationError, match=f"'{lacks}'"):
        consumer_settings(config)


def test_setting_catalogue__every_default__valid() -> None:
    for key in CONSUMER_KEYS:
        assert key.default is None or key.parse(key.default) == key.default
