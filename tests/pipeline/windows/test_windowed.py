"""Windows, compared with a model that processes one record at a time and has no batches."""

from datetime import UTC, datetime, timedelta
from math import ceil, floor
from random import Random
from typing import Any

import numpy
import pyarrow as pa
import pyarrow.compute as pc
import pytest

from tenure.pipeline.errors import BadFunction
from tenure.pipeline.operators.windows.checked_sum import add_to_sums
from tenure.pipeline.operators.windows.kinds import Session, Sliding
from tenure.spark import (
    Parquet,
    Pipeline,
    PipelineConfigError,
    Topic,
    aggregate,
    json,
    session,
    sliding,
    tumbling,
    windowed,
)
from tenure.testing import Rehearsal
from tests.quick import quick_first

EPOCH = datetime(2026, 1, 1, tzinfo=UTC)
DELAY_S = 10
TICKS = Topic("ticks", json("key string, at timestamp, x double, n long, word string")).keyed_by("key")
TICKS = TICKS.with_watermark("at", f"{DELAY_S} seconds")
AGGREGATE = (
    "count(*) as rows, count(x) as xs, sum(x) as total, sum(n) as ns, avg(n) as mean, min(word) as least,"
    " max(at) as latest, first(n) as first, last(word) as last,"
    " sum(n * 2) filter (where n > 50) as large, count(*) filter (where word = 'x' or n > 90) as some,"
    " count_if(n > 50) as many, count(distinct word) as words, collect_set(word) as word_set, collect_list(n) as list,"
    " percentile(n, 0.9) as p90, percentile_approx(n, 0.3) as p30, median(x) as median, spread(n) as spread,"
    " pairs(n, word) as pairs"
)


def spread(numbers: pa.Array) -> Any:
    return pc.subtract(pc.max(numbers), pc.min(numbers))


def pairs(numbers: pa.Array, words: pa.Array) -> str:
    return " ".join(f"{number}{word}" for number, word in zip(numbers.to_pylist(), words.to_pylist(), strict=True))


FUNCTIONS = {"spread": aggregate(spread, returns="long"), "pairs": aggregate(pairs, returns="string")}


def at(second: float) -> str:
    return (EPOCH + timedelta(seconds=second)).isoformat()


def tick(key: str | None, second: float | None, **others: Any) -> dict[str, Any]:
    return {"key": key, "at": None if second is None else at(second), **others}


def drawn(random: Random, count: int) -> list[dict[str, Any]]:
    """Draw ticks out of order: some too late, some without key, time or values."""
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
    """Rows by (key, start, end) of each window: returned, open, and late ones."""

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
    doubles = [r["x"] for r in rows if r["x"] is not None]
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
        "large": sum(2 * n for n in numbers if n > 50) if any(n > 50 for n in numbers) else None,
        "some": sum(r["word"] == "x" or (r["n"] or 0) > 90 for r in rows),
        "many": sum(n > 50 for n in numbers),
        "words": len({*words}),
        "word_set": sorted({*words}),
        "list": sorted(numbers),
        "p90": percentile(numbers, 0.9),
        "p30": sorted(numbers)[max(ceil(0.3 * len(numbers)) - 1, 0)] if numbers else None,
        "median": percentile(doubles, 0.5),
        "spread": max(numbers) - min(numbers) if numbers else None,
        "pairs": sorted(f"{r['n']}{r['word']}" for r in rows),
    }


def percentile(values: list[Any], fraction: float) -> float | None:
    """Return the percentile by Spark's formula: its last bits differ from numpy's."""
    if not values:
        return None
    position = (len(values) - 1) * fraction
    below, above = sorted(values)[floor(position)], sorted(values)[ceil(position)]
    if below == above:
        return float(below)
    return float((ceil(position) - position) * below + (position - floor(position)) * above)


def comparable(row: dict[str, Any]) -> dict[str, Any]:
    """Return the row without the order in which sessions that were merged have collected values."""
    lists = {"word_set": sorted(row["word_set"]), "list": sorted(row["list"]), "pairs": sorted(row["pairs"].split())}
    return {**row, **lists}


@pytest.mark.parametrize(
    "kind",
    quick_first(
        [
            tumbling("1 minute"),
            tumbling("1 minute", start="7 seconds"),
            sliding("1 minute", every="20 seconds"),
            sliding("50 seconds", every="20 seconds"),
            session("6 seconds"),
        ]
    ),
)
def test_windowed__random_rows_in_any_batches__same_as_a_model(kind: Sliding | Session) -> None:
    seed = Random().randrange(1 << 32)
    print(f"{seed=} {kind=}")
    ticks = drawn(Random(seed), 100)
    pipeline = Pipeline("p", TICKS, windowed(kind, AGGREGATE, functions=FUNCTIONS), Parquet("/nowhere"))
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
        found[span] = {name: comparable(row)[name] for name in expected[span]}
    assert found == expected


@pytest.mark.parametrize(
    ("aggregate", "says"),
    [
        ("count(n)", r"invalid aggregate 'COUNT\(n\)': write it like 'max\(delay\) as worst'"),
        ("n as m", "invalid aggregate 'n AS m'"),
        ("stddev(n) as s", "with one of count, count_if, sum"),
        ("sum(*) as s", "name a column instead of"),
        ("sum(word) as s", "but word is string: use an integer, float or double column"),
        ("sum(n) as s, max(n) as s", "computes the column 's' twice"),
        ("count(distinct n, word) as s", "more than one argument"),
        ("percentile(n, 2) as p", "give one number from 0 to 1"),
        ("sum(nope) as s", "uses the column 'nope'"),
        ("sum(n) filter (where n) as s", "instead of boolean"),
        ("count(*) as window", "rename it"),
    ],
)
def test_windowed__invalid_aggregate__refused_when_declared(aggregate: str, says: str) -> None:
    with pytest.raises(PipelineConfigError, match=says):
        Pipeline("p", TICKS, windowed(tumbling("1 minute"), aggregate), Parquet("/nowhere"))


def test_windowed__function_of_an_aggregate_fails__pipeline_stops_and_names_it() -> None:
    functions = {"broken": aggregate(lambda _: 1 / 0, returns="long")}
    process = windowed(tumbling("1 minute"), "broken(n) as b", functions=functions)
    rehearsal = Rehearsal(Pipeline("p", TICKS, process, Parquet("/nowhere")))
    with pytest.raises(BadFunction, match="the aggregate broken failed on a window of 1 row: ZeroDivisionError"):
        rehearsal.run([tick("a", 0, n=1), tick("a", 200, n=1)])


MAX = 2**63 - 1


@pytest.mark.parametrize("kind", [tumbling("1 minute"), session("6 seconds")])
def test_windowed__sum_of_longs_overflows__bad_record(kind: Sliding | Session) -> None:
    numbers = [MAX - 1, 1, -5, 5, 1, -1, None, -MAX, -MAX, -1, 2**40]
    overflow = [4, 9]  # Each prefix counts: a later number does not make up for it.
    process = windowed(kind, "sum(n) as total")
    rehearsal = Rehearsal(Pipeline("p", TICKS, process, Parquet("/nowhere"), on_bad_record="skip"))
    ticks = [tick("a", number / 10, n=n) for number, n in enumerate(numbers)]
    ticks += [tick("b", number / 10, n=n) for number, n in enumerate([MAX, -MAX, MAX])]
    made = rehearsal.check_cuts([*ticks, tick("c", 200)]).to_pylist()
    expected = sum(n for number, n in enumerate(numbers) if n is not None and number not in overflow)
    assert {row["key"]: row["total"] for row in made} == {"a": expected, "b": MAX}
    assert [record.offset for record in rehearsal.bad] == overflow
    assert "the sum of integers leaves the range of 64 bits" in rehearsal.bad[0].reason


def test_add_to_sums__random_integers_near_the_int64_limits__same_sums_as_in_python() -> None:
    seed = Random().randrange(1 << 32)
    print(f"{seed=}")
    random = Random(seed)
    for _ in range(300):
        groups = [random.randrange(3) for _ in range(random.randrange(1, 12))]
        values = [random.choice([1, -1]) * random.choice([MAX, MAX // 2, MAX // 3, 2**32, 1, 0]) for _ in groups]
        expected = [random.choice([0, MAX // 2, -MAX - 1]) for _ in range(3)]
        sums = numpy.array(expected, numpy.int64)
        is_over = False
        for group, value in zip(groups, values, strict=True):
            expected[group] += value
            is_over = is_over or not -MAX - 1 <= expected[group] <= MAX
        if is_over:
            with pytest.raises(OverflowError):
                add_to_sums(sums, numpy.array(groups), numpy.array(values))
        else:
            add_to_sums(sums, numpy.array(groups), numpy.array(values))
            assert sums.tolist() == expected
