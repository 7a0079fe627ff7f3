"""Report of a run of benchmarks in which one of them fails."""

import json
from pathlib import Path

import pytest
from rich.console import Console

import bench.__main__ as main
from bench import benchmarks
from bench.benchmarks import Begun
from bench.figures import Figure, Sample


def fail() -> list[Figure]:
    raise RuntimeError("the application ended early")


@pytest.mark.long
def test_bench_report__one_benchmark_fails__others_printed_and_stored_and_run_fails(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(main, "RESULTS", tmp_path)
    report, console = main.Report(quick=True), Console(record=True, width=200)
    report.add(console, Begun("first", lambda: [Figure("one thing", "ms", Sample.of([1.0]))]))
    report.add(console, Begun("second", fail))
    kept = json.loads(report.path.read_text())
    assert [figure["what"] for figure in kept["figures"]] == ["one thing"]
    assert list(kept["failed"]) == ["second"]
    assert "one thing" in console.export_text()
    assert not report.is_good


def test_short_bench_run__rate_and_count_miss_their_goals__only_the_count_fails(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    figures = [Figure("rate", "/s", Sample.of([1.0]), 2.0), Figure("rebalances", "", Sample.of([1.0]), 0.0, True)]
    monkeypatch.setitem(benchmarks.BENCHES, "start", lambda _, __: figures)
    assert [figure.kept for figure in benchmarks.short_run("start", tmp_path)[0]] == [None, False]


def test_bench_arguments__word_goals_among_the_names__replaced_by_all_benchmarks_with_goals(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("sys.argv", ["bench", "start", "goals", "--quick"])
    names = main.parse().names
    assert names == ["start", *(name for name in benchmarks.BENCHES if name.startswith("goal-"))]
