"""Windows against a model that takes one record after the other and knows no batches."""

from datetime import UTC, datetime, timedelta
from random import Random
from typing import Any

import pytest

from tenure.pipeline.operators.windows.kinds import Session, Sliding
from tenure.spark import Parquet, Pipeline, Topic, json, session, sliding, tumbling, windowed
from tenure.testing import Rehearsal

EPOCH = datetime(2026, 1, 1, tzinfo=UTC)
DELAY_S = 10
TICKS = Topic("ticks", json("key string, at timestamp, x double, n long, word string")).keyed_by("key")
TICKS = TICKS.with_watermark("at", f"{DELAY_S} seconds")
AGGREGATE = (
    "count(*) as rows, count(x) as xs, sum(x) as total, sum(n) as ns, avg(n) as mean, min(word) as least,"
    " max(at) as latest, first(n) as first, last(word) as last"
)


def at(second: float) -> str:
    return (EPOCH + timedelta(seconds=second)).isoformat()


def tick(key: str | None, second: float | None, **others: Any) -> dict[str, Any]:
    return {"key": key, "at": None if second is None else at(second), **others}


def drawn(random: Random, count: int) -> list[dict[str, Any]]:
    """Ticks that come out of order, some of them too late, some without key, time or values."""
    made = []
    for number in range(count):
        second = number * 2.5 - random.choice([0, 0, 0, random.uniform(0, 2 * DELAY_S), random.uniform(0, 300)])
        some = random.random
        made.append(
            tick(
                random.choice(["a", "b", "c"]) if some() > 0.05 else None,
                second if some() > 0.05 else None,
                x=random.uniform(-1, 1) * 10 ** random.randrange(12) if some() > 0.2 else None,
                n=random.randrange(100) if some() > 0.2 else None,
                word=random.choice(["x", "y", "z"]) if some() > 0.2 else None,
            )
        )
    return made


def windows_of(kind: Sliding | Session, time_us: int) -> list[tuple[int, int]]:
    if isinstance(kind, Session):
        return [(time_us, time_us + kind.gap_us)]
    latest = time_us - (time_us - kind.start_us) % kind.slide_us
    starts = range(latest, time_us - kind.size_us, -kind.slide_us)
    return [(start, start + kind.size_us) for start in starts]


def microseconds(text: str) -> int:
    return (datetime.fromisoformat(text) - datetime(1970, 1, 1, tzinfo=UTC)) // timedelta(microseconds=1)


class Model:
    """Rows by (key, start, end) of each window, as lists: what was given out, what is open, and what came too late."""

    def __init__(self, kind: Sliding | Session) -> None:
        self.kind = kind
        self.open: dict[tuple[str, int, int], list[dict[str, Any]]] = {}
        self.closed: list[tuple[tuple[str, int, int], list[dict[str, Any]]]] = []
        self.late: list[dict[str, Any]] = []
        self.watermark = 0

    def take(self, row: dict[str, Any]) -> None:
        time_us = None if row["at"] is None else microseconds(row["at"])
        if time_us is not None:
            self.watermark = max(self.watermark, time_us - DELAY_S * 1_000_000)
        for window in [window for window in self.open if window[2] <= self.watermark]:
            self.closed.append((window, self.open.pop(window)))
        fit = [] if time_us is None or row["key"] is None else windows_of(self.kind, time_us)
        fit = [window for window in fit if window[1] > self.watermark]
        if not fit:
            self.late.append(row)
        for start, end in fit:
            self.add(row, start, end)

    def add(self, row: dict[str, Any], start: int, end: int) -> None:
        joined = [] if isinstance(self.kind, Sliding) else [
            window for window in self.open if window[0] == row["key"] and window[1] < end and start < window[2]
        ]  # fmt: skip
        rows = [old for window in joined for old in self.open.pop(window)]
        name = (row["key"], min([start, *(w[1] for w in joined)]), max([end, *(w[2] for w in joined)]))
        self.open[name] = [*self.open.get(name, []), *rows, row]


def computed(rows: list[dict[str, Any]]) -> dict[str, Any]:
    """Return the results that do not depend on the order of the rows; sums of doubles do, in their last bits."""
    numbers, words = [r["n"] for r in rows if r["n"] is not None], [r["word"] for r in rows if r["word"] is not None]
    by_time = sorted(rows, key=lambda row: row["at"])
    return {
        "rows": len(rows),
        "xs": sum(r["x"] is not None for r in rows),
        "ns": sum(numbers) if numbers else None,
        "mean": sum(numbers) / len(numbers) if numbers else None,
        "least": min(words, default=None),
        "latest": datetime.fromisoformat(max(r["at"] for r in rows)),
        "first": next((r["n"] for r in by_time if r["n"] is not None), None),
        "last": next((r["word"] for r in reversed(by_time) if r["word"] is not None), None),
    }


@pytest.mark.parametrize(
    "kind",
    [
        tumbling("1 minute"),
        tumbling("1 minute", start="7 seconds"),
        sliding("1 minute", every="20 seconds"),
        sliding("50 seconds", every="20 seconds"),
        session("6 seconds"),
    ],
)
def test_windowed__drawn_ticks_in_any_cut__as_of_a_model_that_takes_one_at_a_time(kind: Sliding | Session) -> None:
    seed = Random().randrange(1 << 32)
    print(f"{seed=} {kind=}")
    ticks = drawn(Random(seed), 100)
    pipeline = Pipeline("p", TICKS, windowed(kind, AGGREGATE), Parquet("/nowhere"))
    rehearsal = Rehearsal(pipeline)
    made = rehearsal.check_cuts(ticks).to_pylist()
    model = Model(kind)
    for row in ticks:
        model.take(row)
    for window in [window for window in model.open if window[2] <= model.watermark]:
        model.closed.append((window, model.open.pop(window)))
    late = sum(row["at"] is not None and row["key"] is not None for row in model.late)
    assert late
    assert len(model.closed) > 3
    expected = {window: computed(rows) for window, rows in model.closed}
    found = {}
    for row in made:
        start, end = row["window"]["start"], row["window"]["end"]
        span = (row["key"], microseconds(start.isoformat()), microseconds(end.isoformat()))
        assert span not in found, f"{span} was given out twice"
        found[span] = {name: row[name] for name in expected[span]}
    assert found == expected
