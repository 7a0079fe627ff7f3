"""Forecasts of simulated groups, without a broker."""

import pytest

from tenure.client.values import TopicPartition
from tenure.whatif import Bounce, ClientTiming, GroupChange, GroupSeat, History, Situation, WhatIfError, forecast
from tenure.whatif.chart import pause_chart
from tenure.whatif.history import HistoryStep, StepKind
from tests.docs.pages import DOCS

STATIC = GroupChange(static=True)
CONSUMER = GroupChange(protocol="consumer")


def group(members: int = 4, partitions: int = 16, **settings: object) -> Situation:
    seats = tuple(GroupSeat(f"web-{number}", ("orders",)) for number in range(1, members + 1))
    return Situation("orders", seats, {"orders": partitions}, **settings)  # type: ignore[arg-type]


@pytest.mark.parametrize("protocol", ["classic", "consumer"])
def test_forecast__rolling_restart_within_the_session_timeout__no_moves_with_static_members(protocol: str) -> None:
    found = forecast(group(group_protocol=protocol), Bounce("rolling", down_ms=20_000), STATIC)
    assert found.after is not None
    assert found.before.rebalances == 8, "each member leaves once, and joins once"
    assert found.before.moved >= 2 * 16
    assert (found.after.rebalances, found.after.moved) == (0, 0)
    assert 20_000 <= found.after.median_pause_ms == found.after.longest_pause_ms < 21_000


@pytest.mark.parametrize("protocol", ["classic", "consumer"])
def test_forecast__static_members_down_for_longer_than_the_session_timeout__partitions_move(protocol: str) -> None:
    found = forecast(STATIC.applied_to(group(group_protocol=protocol, session_timeout_ms=10_000)), Bounce("one"))
    assert found.before.rebalances == 2
    assert found.before.moved >= 8
    assert 10_000 - 5_000 < found.before.longest_pause_ms < 10_000 + 2 * 5_000


def test_forecast__eager_or_cooperative_assignor__only_eager_members_pause_all_partitions() -> None:
    found = forecast(group(), Bounce("one"), GroupChange(assignor="cooperative-sticky"))
    assert found.after is not None
    assert min(found.before.pause_ms.values()) > 0
    assert min(found.after.pause_ms.values()) == 0
    assert found.after.moved == 8, "the restarted member's four partitions, there and back"


@pytest.mark.parametrize(
    "settings",
    [{"assignors": ("cooperative-sticky",)}, {"assignors": ("sticky",)}, {"group_protocol": "consumer"}],
    ids=["cooperative-sticky", "sticky", "consumer"],
)
def test_forecast__member_killed__only_its_partitions_wait_for_the_session_timeout(
    settings: dict[str, object],
) -> None:
    owned = {"web-1": (0, 1, 6, 7), "web-2": (2, 3, 4, 5)}
    seats = tuple(
        GroupSeat(name, ("orders",), owned=tuple(TopicPartition("orders", at) for at in partitions))
        for name, partitions in owned.items()
    )
    situation = Situation("orders", seats, {"orders": 8}, **settings)  # type: ignore[arg-type]
    found = forecast(situation, Bounce("one", down_ms=60_000, crash=True)).before
    assert {partition.partition for partition, ms in found.pause_ms.items() if ms > 20_000} == {0, 1, 6, 7}
    assert found.moved == 8, "there and back"


def test_forecast__member_killed_and_session_timeout_changed__pause_as_long_as_the_timeout() -> None:
    found = forecast(
        group(session_timeout_ms=10_000),
        Bounce("one", down_ms=60_000, crash=True),
        GroupChange(session_timeout_ms=30_000),
    )
    assert found.after is not None
    assert 10_000 - 3_000 <= found.before.longest_pause_ms < 15_000
    assert 30_000 - 3_000 <= found.after.longest_pause_ms < 35_000


@pytest.mark.parametrize("protocol", ["classic", "consumer"])
def test_forecast__members_doubled__half_of_the_partitions_move(protocol: str) -> None:
    base = group(2, 16, group_protocol=protocol, assignors=("cooperative-sticky",))
    found = forecast(base, Bounce("none"), GroupChange(members=2))
    assert found.after is not None
    assert (found.before.rebalances, found.before.moved) == (0, 0)
    assert found.after.rebalances >= 1
    assert found.after.moved == 8


def test_forecast__members_removed__their_partitions_move() -> None:
    found = forecast(group(4, 16, group_protocol="consumer"), Bounce("none"), GroupChange(members=-2))
    assert found.after is not None
    assert (found.after.rebalances, found.after.moved) == (2, 8)


def test_forecast__same_seed_twice__same_outcome() -> None:
    first, second = (forecast(group(group_protocol="consumer"), seed=7).as_json() for _ in range(2))
    assert first == second


def test_forecast__all_members_restart_at_once__partitions_pause_as_long_as_the_members_are_down() -> None:
    found = forecast(group(), Bounce("all", down_ms=5_000), STATIC)
    assert found.after is not None
    assert found.before.median_pause_ms >= 5_000 + 3_000, "an empty group waits for the initial rebalance delay"
    assert 5_000 <= found.after.median_pause_ms < 6_000


def test_forecast__members_poll_seldom__rebalance_pauses_are_longer() -> None:
    often, seldom = (
        forecast(group(timing=ClientTiming(poll_interval_ms=interval_ms)), Bounce("one")).before
        for interval_ms in (100, 8_000)
    )
    assert seldom.total_pause_ms > often.total_pause_ms
    assert seldom.rebalances == often.rebalances


def test_forecast__static_member_of_a_consumer_group_killed__successor_waits_for_the_session_timeout() -> None:
    base = STATIC.applied_to(group(group_protocol="consumer", session_timeout_ms=20_000))
    found = forecast(base, Bounce("one", down_ms=2_000, crash=True))
    assert found.before.longest_pause_ms > 15_000, "Kafka refuses the instance id until then: UNRELEASED_INSTANCE_ID"
    assert found.before.is_stable


def test_forecast__unknown_assignor__error_names_the_existing_ones() -> None:
    with pytest.raises(WhatIfError, match=r"Unknown assignor 'uniform': the classic protocol has range, "):
        forecast(group(), change=GroupChange(assignor="uniform"))


def test_forecast__all_members_removed__refused() -> None:
    with pytest.raises(WhatIfError, match="A group of 0 members cannot be simulated"):
        forecast(group(2), change=GroupChange(members=-2))


def test_pause_chart__forecast_with_a_change__one_series_before_and_one_after() -> None:
    chart = pause_chart(forecast(group(), Bounce("one"), CONSUMER))
    points = chart.spec["data"]["values"]
    assert {point["group"] for point in points} == {"as is", "consumer protocol"}
    assert max(point["paused"] for point in points) == 16, "an eager rebalance stops all of them"
    assert {point["paused"] for point in points if point["time"] == 0} >= {4}


@pytest.mark.parametrize("protocol", ["classic", "consumer"])
def test_forecast__history_with_days_without_steps__same_outcome_as_without_these_days(protocol: str) -> None:
    base = STATIC.applied_to(group(group_protocol=protocol))
    first, second = base.seats[:2]
    near, far = (
        forecast(
            base,
            History(
                [
                    HistoryStep(0, StepKind.KILL, first),
                    HistoryStep(100_000, StepKind.START, first),
                    HistoryStep(100_000 + gap_ms, StepKind.CLOSE, second),
                    HistoryStep(110_000 + gap_ms, StepKind.START, second),
                ]
            ),
        ).before
        for gap_ms in (60_000, 5 * 86_400_000)
    )
    assert (far.rebalances, far.moved) == (near.rebalances, near.moved)
    assert (far.rebalances, far.moved >= 8) == (2, True)
    assert far.span_ms > 5 * 86_400_000 > near.span_ms
    assert 40_000 < far.longest_pause_ms < 52_000, "the session of the killed member ends, also while time is skipped"


@pytest.mark.long
def test_forecast__example_of_the_what_if_page__same_figures_as_on_the_page() -> None:
    seats = tuple(GroupSeat(f"web-{number}", ("orders",), client_id=f"web-{number}") for number in range(1, 13))
    found = forecast(Situation("orders", seats, {"orders": 48}), change=STATIC)
    assert found.after is not None
    lines = (DOCS / "what-if.md").read_text("utf-8").splitlines()
    shown = {line[:31].strip(): line[31:].replace(" s", "").split() for line in lines}
    outcomes = (found.before, found.after)
    assert shown["rebalances"] == [str(each.rebalances) for each in outcomes]
    assert shown["partitions moved"] == [str(each.moved) for each in outcomes]
    assert shown["pause per partition, median"] == [f"{each.median_pause_ms / 1000:.1f}" for each in outcomes]
    assert shown["longest single pause"] == [f"{each.longest_pause_ms / 1000:.1f}" for each in outcomes]
