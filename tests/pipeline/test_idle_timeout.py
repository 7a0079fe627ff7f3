"""Idle timeout of a watermark: a partition without records follows the clock."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from tenure.pipeline.values.lane_times import Times
from tenure.pipeline.values.manifest import decode, encode
from tenure.spark import Parquet, Pipeline, PipelineConfigError, Stream, Topic, json, tumbling
from tenure.testing import Rehearsal
from tests.pipeline.test_plan import manifest

NOON = datetime(2026, 1, 1, 12, tzinfo=UTC)
CLICKS = Topic("clicks", json("user string, at timestamp")).keyed_by("user")
TIMED = CLICKS.with_watermark("at", "10 minutes", idle_timeout="5 minutes")


def at(minute: float) -> datetime:
    return NOON + timedelta(minutes=minute)


def rehearse(stream: Stream) -> Rehearsal:
    return Rehearsal(Pipeline("rehearsed", stream, sink=Parquet("/tmp/out")))


def click(user: str, minute: float) -> dict[str, str]:
    return {"user": user, "at": at(minute).isoformat()}


def test_idle_timeout__no_record_for_the_timeout__watermark_follows_the_clock() -> None:
    rehearsal = rehearse(TIMED.windowed(tumbling("1 hour"), "count(*) as clicks"))
    rehearsal.run([click("ann", 5)], processing_time=at(6))
    assert rehearsal._times.idle_at_ms == at(11).timestamp() * 1000
    assert len(rehearsal.run([], processing_time=at(10))) == 0
    assert len(rehearsal.run([], processing_time=at(74))) == 0  # The watermark is 12:59.
    rows = rehearsal.run([], processing_time=at(79))
    assert rows["clicks"].to_pylist() == [1]
    late = rehearsal.run([click("ann", 30)], processing_time=at(80))
    assert len(late) == 0
    assert len(rehearsal.state) == 0


def test_idle_timeout__record_arrives_before_its_end__timeout_starts_again() -> None:
    rehearsal = rehearse(TIMED.windowed(tumbling("1 hour"), "count(*) as clicks"))
    rehearsal.run([click("ann", 5)], processing_time=at(100))
    rehearsal.run([click("bob", 6)], processing_time=at(104))
    assert len(rehearsal.run([], processing_time=at(106))) == 0
    assert len(rehearsal.run([], processing_time=at(109))) == 2


def test_idle_timeout__not_set__watermark_waits_for_records() -> None:
    rehearsal = rehearse(CLICKS.with_watermark("at").windowed(tumbling("1 hour"), "count(*) as clicks"))
    rehearsal.run([click("ann", 5)], processing_time=at(6))
    assert len(rehearsal.run([], processing_time=at(600))) == 0


def test_idle_timeout__shorter_than_a_second__refused() -> None:
    with pytest.raises(PipelineConfigError, match="The idle timeout of topic clicks"):
        CLICKS.with_watermark("at", idle_timeout="10 milliseconds")


def test_manifest__with_and_without_idle_time__same_after_encode_and_decode() -> None:
    for times in (Times(), Times((1,), (2,), None, 3)):
        timed = replace(manifest(), times=times)
        assert decode(encode(timed)) == timed
    assert b"idle_at_ms" not in encode(manifest())


def test_idle_timeout__windows_in_update_mode__on_time_result_then_correction_then_state_removed() -> None:
    stream = TIMED.windowed(tumbling("1 hour"), "count(*) as clicks", early=True, allowed_lateness="1 hour")
    rehearsal = rehearse(stream)

    def results(*clicks: dict[str, str], minute: float) -> list[tuple[str, int]]:
        rows = rehearsal.run(clicks, processing_time=at(minute)).to_pylist()
        return [(row["timing"], row["clicks"]) for row in rows]

    assert results(click("ann", 5), minute=6) == [("early", 1)]
    assert results(minute=79) == [("on-time", 1)]  # The watermark is 13:04.
    assert results(minute=90) == []
    assert results(click("ann", 30), minute=91) == [("late", 2)]
    assert len(rehearsal.state) == 1
    assert results(minute=135) == []  # The watermark is 14:00.
    assert len(rehearsal.state) == 0
