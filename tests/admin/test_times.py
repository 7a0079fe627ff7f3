"""Texts of times and durations, in the forms of people and of Kafka's tools."""

import pytest

from tenure.admin.times import duration_text, parse_datetime_ms, parse_duration_ms

SECOND, MINUTE, HOUR, DAY = 1_000, 60_000, 3_600_000, 86_400_000


@pytest.mark.parametrize(
    ("text", "milliseconds"),
    [
        ("PT1H30M", HOUR + 30 * MINUTE),
        ("P7D", 7 * DAY),
        ("P1DT2H3M4.5S", DAY + 2 * HOUR + 3 * MINUTE + 4_500),
        ("pt0s", 0),
        ("500ms", 500),
        ("90s", 90 * SECOND),
        ("5m", 5 * MINUTE),
        ("2h", 2 * HOUR),
        ("7d", 7 * DAY),
    ],
)
def test_duration_text__valid_form__parsed(text: str, milliseconds: int) -> None:
    assert parse_duration_ms(text) == milliseconds


@pytest.mark.parametrize(
    "text", ["", "P", "PT", "P1DT", "1", "s", "-5s", "PT-5S", "1h30m", "P1Y", "99999999999999999D"]
)
def test_duration_text__invalid__error_with_an_example(text: str) -> None:
    with pytest.raises(ValueError, match="PT1H30M or P7D, or as 90s"):
        parse_duration_ms(text)


def test_duration_text__longer_than_the_maximum__refused() -> None:
    with pytest.raises(ValueError, match="too long"):
        parse_duration_ms("P99999999999999999D")


@pytest.mark.parametrize(
    ("text", "milliseconds"),
    [
        ("1970-01-01T00:00:00.000", 0),
        ("1970-01-02", DAY),
        ("1970-01-01T01:00:00.250", HOUR + 250),
        ("1970-01-01T01:00:00Z", HOUR),
        ("1970-01-01T01:00:00+02:00", -HOUR),
    ],
)
def test_datetime_text__without_a_time_zone__read_as_utc(text: str, milliseconds: int) -> None:
    assert parse_datetime_ms(text) == milliseconds


@pytest.mark.parametrize("text", ["", "yesterday", "2026-13-01", "12:30"])
def test_datetime_text__invalid__error_with_an_example(text: str) -> None:
    with pytest.raises(ValueError, match="write it as 2026-01-31T18:30:00"):
        parse_datetime_ms(text)


@pytest.mark.parametrize(
    ("milliseconds", "text"),
    [(0, "0.0 s"), (119_940, "119.9 s"), (2 * MINUTE, "2.0 min"), (2 * HOUR, "2.0 h"), (7 * DAY, "7.0 days")],
)
def test_duration_as_text__shorter_and_longer_ones__unit_that_fits(milliseconds: int, text: str) -> None:
    assert duration_text(milliseconds) == text
