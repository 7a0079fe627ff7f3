"""Windows with several results, compared with a model that processes one record at a time and has no batches."""

from json import loads
from random import Random
from typing import Any

import pytest

from tenure.pipeline.operators.windows.kinds import Sliding
from tenure.spark import Parquet, Pipeline, PipelineConfigError, Stream, Topic, json, session, sliding, tumbling
from tenure.testing import Rehearsal
from tests.pipeline.windows.test_windowed import DELAY_S, TICKS, drawn, microseconds, tick, windows_of
from tests.quick import quick_first

LATENESS_S = 60
AGGREGATE = "count(*) as rows, sum(n) as ns, last(word) as last, collect_list(n) as list"


def rehearse(stream: Stream, **side: Parquet) -> Rehearsal:
    return Rehearsal(Pipeline("p", stream, sink=Parquet("/nowhere"), side=side))


class Model:
    """Rows of each window by key and start, and the result of each window when the watermark passed its end."""

    def __init__(self, kind: Sliding) -> None:
        self.kind = kind
        self.windows: dict[tuple[str, int], list[dict[str, Any]]] = {}
        self.on_time: dict[tuple[str, int], int] = {}
        """Number of rows on time, for each window that had any."""
        self.corrected: set[tuple[str, int]] = set()
        self.late: list[int] = []
        """Offsets of late rows."""
        self.watermark = 0

    def take(self, offset: int, row: dict[str, Any]) -> None:
        time_us = None if row["at"] is None else microseconds(row["at"])
        if time_us is not None:
            self.watermark = max(self.watermark, time_us - DELAY_S * 1_000_000)
        fit = [] if time_us is None or row["key"] is None else windows_of(self.kind, time_us)
        fit = [window for window in fit if window[1] + LATENESS_S * 1_000_000 > self.watermark]
        for start, end in fit:
            window = row["key"], start
            self.windows.setdefault(window, []).append(row)
            if end > self.watermark:
                self.on_time[window] = len(self.windows[window])
            else:
                self.corrected.add(window)
        if not fit:
            self.late.append(offset)

    def ended(self) -> set[tuple[str, int]]:
        return {window for window in self.windows if window[1] + self.kind.size_us <= self.watermark}


def by_window(rows: list[dict[str, Any]], timing: str) -> dict[tuple[str, int], list[int]]:
    """Return the revisions of the results with this timing, for each window."""
    found: dict[tuple[str, int], list[int]] = {}
    for row in rows:
        if row["timing"] == timing:
            window = row["key"], microseconds(row["window"]["start"].isoformat())
            found.setdefault(window, []).append(row["revision"])
    return found


@pytest.mark.parametrize("kind", [tumbling("1 minute"), sliding("50 seconds", every="20 seconds")])
@pytest.mark.parametrize("size", quick_first([3, 1, 100]))
def test_windowed__early_and_late_results_with_any_batch_size__last_results_as_in_a_model(
    kind: Sliding, size: int
) -> None:
    seed = Random().randrange(1 << 32)
    print(f"{seed=}")
    ticks = drawn(Random(seed), 100)
    stream = TICKS.windowed(kind, AGGREGATE, allowed_lateness=f"{LATENESS_S} seconds", early=True)
    rehearsal, model = rehearse(stream, late=Parquet("/late")), Model(kind)
    rows, late = [], []
    for start in range(0, len(ticks), size):
        batch = rehearsal.run(ticks[start : start + size]).to_pylist()
        assert all(row["revision"] == row["rows"] for row in batch)
        rows += batch
        late += rehearsal.sides["late"].to_pylist() if "late" in rehearsal.sides else []
    for offset, row in enumerate(ticks):
        model.take(offset, row)
    ended = model.ended()
    assert by_window(rows, "on-time") == {window: [n] for window, n in model.on_time.items() if window in ended}
    last = {(row["key"], microseconds(row["window"]["start"].isoformat())): row for row in rows}
    assert {window: row["revision"] for window, row in last.items()} == {
        window: len(of_window) for window, of_window in model.windows.items()
    }
    for window, row in last.items():
        of_window = model.windows[window]
        assert row["list"] == [one["n"] for one in of_window if one["n"] is not None]
        assert row["timing"] == ("late" if window in model.corrected else "on-time" if window in ended else "early")
    for revisions in (*by_window(rows, "early").values(), *by_window(rows, "late").values()):
        assert revisions == sorted(set(revisions))
    assert [row["_offset"] for row in late] == model.late
    kept = {(row["key"], microseconds(row["start"].isoformat())) for row in rehearsal.state.to_pylist()}
    open_us = model.watermark - LATENESS_S * 1_000_000
    assert kept == {window for window in model.windows if window[1] + kind.size_us > open_us}


@pytest.mark.long
@pytest.mark.parametrize("early", [True, False])
def test_windowed__update_mode_and_all_cuts__same_last_results_and_state(early: bool) -> None:
    seed = Random().randrange(1 << 32)
    print(f"{seed=}")
    stream = TICKS.windowed(tumbling("1 minute"), AGGREGATE, allowed_lateness="300 seconds", early=early)
    made = rehearse(stream).check_cuts(drawn(Random(seed), 80)).to_pylist()
    assert {row["timing"] for row in made} == ({"early", "on-time", "late"} if early else {"on-time", "late"})


def test_windowed__update_mode_followed_by_select__later_result_replaces_the_earlier_row() -> None:
    stream = (
        TICKS.windowed(tumbling("1 minute"), "sum(n) as ns", early=True)
        .with_column("doubled", "ns * 2")
        .select("key as name", "window.start as minute", "doubled", "revision")
        .drop("revision")
    )
    made = rehearse(stream).check_cuts([tick("a", 0, n=1), tick("a", 1, n=2), tick("b", 2, n=3)])
    assert made.column_names == ["name", "minute", "doubled"]
    assert made["doubled"].to_pylist() == [6, 6]


def test_windowed__update_mode_into_a_topic__all_records_of_a_window_have_the_same_key() -> None:
    stream = TICKS.windowed(tumbling("1 minute"), "sum(n) as ns", early=True).with_column(
        "id", "concat(key, ' ', cast(window.start as string))"
    )
    sums = Topic("sums", json("id string, ns long, timing string")).keyed_by("id")
    rehearsal = Rehearsal(Pipeline("p", stream, sink=sums, state_directory="/nowhere"))
    records = []
    for batch in ([tick("a", 1, n=1)], [tick("a", 2, n=2), tick("a", 75, n=4)]):
        rehearsal.run(batch)
        records += rehearsal.records["sums"].select(["key", "value"]).to_pylist()
    assert [record["key"] for record in records] == [b"a 2026-01-01 00:00:00"] * 2 + [b"a 2026-01-01 00:01:00"]
    assert [loads(record["value"])["ns"] for record in records] == [1, 3, 4]


@pytest.mark.parametrize(
    ("stream", "says"),
    [
        (TICKS.windowed(session("1 minute"), "sum(n) as was_ended", early=True), "'was_ended', which every window has"),
        (TICKS.windowed(tumbling("1 minute"), "sum(n) as revision", early=True), "'revision', which every window has"),
        (TICKS.windowed(tumbling("1 minute"), "sum(n) as ns", allowed_lateness="soon"), "allowed lateness"),
        (TICKS.windowed(tumbling("1 minute"), "sum(n) as ns", early=True).drop("window"), "leaves out window.start"),
        (
            TICKS.windowed(tumbling("1 minute"), "sum(n) as ns", early=True).filter("ns > 1"),
            r"has filter\(…\) after a step that returns early or corrected results",
        ),
        (
            TICKS.windowed(tumbling("1 minute"), "sum(n) as ns", early=True).windowed(
                tumbling("1 hour"), "sum(ns) as s"
            ),
            r"has windowed_2\(…\) after a step that returns early",
        ),
    ],
)
def test_windowed__update_mode_with_an_unsuitable_step_or_sink__refused_when_declared(
    stream: Stream, says: str
) -> None:
    with pytest.raises(PipelineConfigError, match=says):
        Pipeline("p", stream, sink=Parquet("/nowhere"))
