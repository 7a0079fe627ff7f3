"""The last hour of a group, from repeated observations."""

from tenure.admin.group_description import GroupDescription, MemberDescription
from tenure.client.values import TopicPartition
from tenure.limits.web import HISTORY_MS, LAG_SAMPLE_INTERVAL_MS, SPANS_MAX, TREND_MS
from tenure.protocol.special_values import CONSUMER
from tenure.web.observation.group_history import GroupHistory, LagSample, Span

A, B = TopicPartition("orders", 0), TopicPartition("orders", 1)


def member(name: str, *partitions: TopicPartition, member_id: str = "") -> MemberDescription:
    return MemberDescription(name, member_id or f"{name}-1", "client", "host", partitions, (), None, None)


def group(*members: MemberDescription, epoch: int | None = None, state: str = "Stable") -> GroupDescription:
    kind = "classic" if epoch is None else CONSUMER
    return GroupDescription("g", state, "consumer", "range", "b", members, kind, epoch, epoch)


def test_owner_spans__partition_moves__old_span_ends_when_the_new_one_begins():
    history = GroupHistory(0)
    history.observe(1_000, group(member("x", A, B)), None)
    history.observe(2_000, group(member("x", A), member("y", B)), None)
    assert history.spans == [
        Span(B, "x", "x-1", 1_000, 2_000),
        Span(A, "x", "x-1", 1_000, None),
        Span(B, "y", "y-1", 2_000, None),
    ]


def test_owner_spans__static_member_returns_with_a_new_member_id__new_span_of_the_same_owner():
    history = GroupHistory(0)
    history.observe(1_000, group(member("x", A)), None)
    history.observe(2_000, group(member("x", A, member_id="x-2")), None)
    assert [(span.owner, span.member_id, span.to_ms) for span in history.spans] == [
        ("x", "x-1", 2_000),
        ("x", "x-2", None),
    ]


def test_owner_spans__partition_without_an_owner_for_a_while__gap_between_spans():
    history = GroupHistory(0)
    for at_ms, members in ((1_000, [member("x", A)]), (2_000, []), (3_000, [member("y", A)])):
        history.observe(at_ms, group(*members), None)
    assert history.spans == [Span(A, "x", "x-1", 1_000, 2_000), Span(A, "y", "y-1", 3_000, None)]


def test_owner_spans__more_moves_than_the_maximum__oldest_spans_removed():
    history = GroupHistory(0)
    for turn in range(SPANS_MAX + 10):
        history.observe(turn, group(member(f"m{turn % 2}", A)), None)
    assert len(history.spans) == SPANS_MAX + 1
    assert history.spans[0].from_ms == 9


def test_rebalances_of_the_last_hour__epoch_of_a_consumer_group_increases_by_three__three_counted():
    history = GroupHistory(0)
    history.observe(1_000, group(member("x", A), epoch=4), None)
    history.observe(2_000, group(member("x", A), epoch=7), None)
    assert history.rebalances(2_000) == 3
    assert history.last_rebalance_ms == 2_000


def test_rebalances_of_the_last_hour__classic_group_observed_before_during_and_after_a_rebalance__one_counted():
    history = GroupHistory(0)
    history.observe(1_000, group(member("x", A)), None)
    history.observe(2_000, group(member("x"), state="PreparingRebalance"), None)
    history.observe(3_000, group(member("x", A)), None)
    history.observe(4_000, group(member("x", A)), None)
    assert history.rebalances(4_000) == 1


def test_rebalances_of_the_last_hour__more_than_an_hour_ago__not_counted():
    history = GroupHistory(0)
    history.observe(1_000, group(epoch=1), None)
    history.observe(2_000, group(epoch=2), None)
    assert history.rebalances(2_000 + HISTORY_MS) == 0


def test_rebalances_of_the_last_hour__dashboard_older_than_an_hour__counted_since_an_hour_ago():
    history = GroupHistory(5_000)
    assert history.counted_since_ms(6_000) == 5_000
    assert history.counted_since_ms(6_000 + HISTORY_MS) == 6_000


def test_lag_samples__lag_observed_more_often_than_the_interval__one_sample_per_interval():
    history = GroupHistory(0)
    for at_ms in range(0, 2 * LAG_SAMPLE_INTERVAL_MS + 1, 1_000):
        history.observe(at_ms, group(), at_ms)
    assert list(history.lag) == [LagSample(at_ms, at_ms) for at_ms in (0, 10_000, 20_000)]


def test_lag_trend__lag_grows_by_one_record_per_second__60_per_minute():
    history = GroupHistory(0)
    for at_ms in range(0, TREND_MS + 1, LAG_SAMPLE_INTERVAL_MS):
        history.observe(at_ms, group(), at_ms // 1_000)
    assert history.lag_trend() == 60


def test_lag_trend__only_two_samples__unknown():
    history = GroupHistory(0)
    for at_ms in (0, LAG_SAMPLE_INTERVAL_MS):
        history.observe(at_ms, group(), at_ms)
    assert history.lag_trend() is None
