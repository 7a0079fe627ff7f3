"""Sessions with several results, compared with a model that processes one record after the other, without batches."""

from dataclasses import dataclass
from random import Random
from typing import Any

import pytest

from tenure.spark import Parquet, Pipeline, session
from tenure.testing import Rehearsal
from tests.pipeline.windows.test_windowed import DELAY_S, TICKS, drawn, microseconds, tick

GAP_S, LATENESS_S = 6, 60
AGGREGATE = "count(*) as rows, sum(n) as ns, last(word) as last, collect_list(n) as list"


def rehearse(*, early: bool, lateness_s: int = LATENESS_S) -> Rehearsal:
    stream = TICKS.windowed(
        session(f"{GAP_S} seconds"), AGGREGATE, early=early, allowed_lateness=f"{lateness_s} seconds"
    )
    return Rehearsal(Pipeline("p", stream, sink=Parquet("/nowhere"), side={"late": Parquet("/late")}))


@dataclass
class ModelSession:
    key: str
    rows: list[dict[str, Any]]
    has_ended: bool = False

    @property
    def start(self) -> int:
        return min(microseconds(row["at"]) for row in self.rows)

    @property
    def end(self) -> int:
        return max(microseconds(row["at"]) for row in self.rows) + GAP_S * 1_000_000


class Model:
    """Sessions as sets of rows."""

    def __init__(self) -> None:
        self.live: list[ModelSession] = []
        self.gone: list[ModelSession] = []
        self.on_time: list[tuple[str, int, int, int]] = []
        """Key, start, end and number of rows of the results on time."""
        self.late: list[int] = []
        self.watermark = 0

    def take(self, offset: int, row: dict[str, Any]) -> None:
        time_us = None if row["at"] is None else microseconds(row["at"])
        if time_us is not None:
            self.watermark = max(self.watermark, time_us - DELAY_S * 1_000_000)
        self.advance()
        if row["key"] is None or time_us is None or time_us + (GAP_S + LATENESS_S) * 1_000_000 <= self.watermark:
            self.late.append(offset)
            return
        end = time_us + GAP_S * 1_000_000
        near = [one for one in self.live if one.key == row["key"] and one.start < end and time_us < one.end]
        self.live = [one for one in self.live if one not in near]
        made = ModelSession(row["key"], [other for one in near for other in one.rows] + [row])
        made.has_ended = made.end <= self.watermark
        self.live.append(made)

    def advance(self) -> None:
        for one in self.live:
            if not one.has_ended and one.end <= self.watermark:
                one.has_ended = True
                self.on_time.append((one.key, one.start, one.end, len(one.rows)))
        over = [one for one in self.live if one.end + LATENESS_S * 1_000_000 <= self.watermark]
        self.gone += over
        self.live = [one for one in self.live if one not in over]


def span(row: dict[str, Any]) -> tuple[str, int, int]:
    window = row["window"]
    return row["key"], microseconds(window["start"].isoformat()), microseconds(window["end"].isoformat())


@pytest.mark.parametrize("size", [1, 3, 200])
def test_sessions__early_and_late_results_with_any_batch_size__last_results_as_in_a_model(size: int) -> None:
    seed = Random().randrange(1 << 32)
    print(f"{seed=}")
    ticks = drawn(Random(seed), 200)
    rehearsal, model, rows, late = rehearse(early=True), Model(), [], []
    for start in range(0, len(ticks), size):
        rows += rehearsal.run(ticks[start : start + size]).to_pylist()
        late += rehearsal.sides["late"].to_pylist() if "late" in rehearsal.sides else []
    for offset, row in enumerate(ticks):
        model.take(offset, row)
    model.advance()
    assert [row["_offset"] for row in late] == model.late
    on_time = [(*span(row), row["revision"]) for row in rows if row["timing"] == "on-time"]
    assert sorted(on_time) == sorted(model.on_time)
    last = {span(row)[:2]: row for row in rows}
    found = {span(row): sorted(row["list"]) for row in last.values() if row["timing"] != "merged"}
    expected = {
        (one.key, one.start, one.end): sorted(row["n"] for row in one.rows if row["n"] is not None)
        for one in [*model.live, *model.gone]
    }
    assert found == expected
    assert all(row["revision"] == row["rows"] for row in rows if row["timing"] != "merged")
    kept = {
        (row["key"], one["start"], one["end"], one["has_ended"])
        for row in rehearsal.state.to_pylist()
        for one in row["sessions"]
    }
    assert kept == {(one.key, one.start, one.end, one.has_ended) for one in model.live}


@pytest.mark.parametrize("early", [True, False])
def test_sessions__update_mode_and_all_cuts__same_last_results_and_state(early: bool) -> None:
    seed = Random().randrange(1 << 32)
    print(f"{seed=}")
    rehearse(early=early).check_cuts(drawn(Random(seed), 100))


def results(rehearsal: Rehearsal, *seconds: float) -> list[tuple[int, str, int, int | None]]:
    rows = rehearsal.run([tick("a", second, n=1) for second in seconds]).to_pylist()
    return sorted((row["window"]["start"].second, row["timing"], row["revision"], row["ns"]) for row in rows)


def test_sessions__row_merges_two_sessions__result_of_the_later_one_withdrawn() -> None:
    rehearsal = rehearse(early=True)
    assert results(rehearsal, 10, 20) == [(10, "early", 1, 1), (20, "early", 1, 1)]
    assert results(rehearsal, 15) == [(10, "early", 3, 3), (20, "merged", 0, None)]


def test_sessions__row_before_the_start_of_a_session__result_moves_to_the_new_start() -> None:
    rehearsal = rehearse(early=True)
    assert results(rehearsal, 12) == [(12, "early", 1, 1)]
    assert results(rehearsal, 8) == [(8, "early", 2, 2), (12, "merged", 0, None)]


def test_sessions__late_row_extends_an_ended_session__second_on_time_result() -> None:
    rehearsal = rehearse(early=False)
    assert results(rehearsal, 0, 17) == [(0, "on-time", 1, 1)]  # The watermark is at 7 s.
    assert results(rehearsal, 5) == []
    assert results(rehearsal, 21.5) == [(0, "on-time", 2, 2)]
    assert results(rehearsal, 4) == [(0, "late", 3, 3)]


def test_sessions__two_sessions_merge_before_their_first_results__no_result_withdrawn() -> None:
    assert results(rehearse(early=True), 10, 20, 15) == [(10, "early", 3, 3)]
