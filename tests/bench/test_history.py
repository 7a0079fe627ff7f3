"""History of figures: a ratio that has fallen by more than a tenth on the same kind of machine fails the run."""

from pathlib import Path

import pytest
from rich.console import Console

import bench.__main__ as main
from bench.benchmarks import Begun
from bench.figures import Figure, Sample
from bench.history import History


def rate(value: float, theirs: float | None = None) -> Figure:
    peer = None if theirs is None else Sample.of([theirs])
    return Figure("commits/s", "/s", Sample.of([value]), theirs=peer)


def times(value: float, what: str = "... times Apache Kafka") -> Figure:
    return Figure(what, "x", Sample.of([value]))


def test_bench_history__ratio_falls_by_more_than_a_tenth__earlier_ratio_and_commit_named(tmp_path: Path) -> None:
    path = tmp_path / "history.jsonl"
    assert History(path, "laptop", "aaaa").record("commits", rate(100.0, 100.0)) is None
    fall = History(path, "laptop", "bbbb").record("commits", rate(88.0, 100.0))
    assert fall is not None
    assert fall.startswith("fell to 0.88x: it was 1x at aaaa")
    assert History(path, "laptop", "cccc").record("commits", rate(88.0, 100.0)) is not None, "it was recorded"


def test_bench_history__ratio_falls_by_less_than_a_tenth__recorded_without_a_warning(tmp_path: Path) -> None:
    path = tmp_path / "history.jsonl"
    for value in (100.0, 91.0, 83.0):
        assert History(path, "laptop", "aaaa").record("commits", rate(value, 100.0)) is None
    assert len(path.read_text().splitlines()) == 3


def test_bench_history__figure_of_another_kind_of_machine__not_compared(tmp_path: Path) -> None:
    path = tmp_path / "history.jsonl"
    assert History(path, "server", "aaaa").record("commits", rate(100.0, 100.0)) is None
    assert History(path, "laptop", "aaaa").record("commits", rate(10.0, 100.0)) is None


def test_bench_history__rate_without_a_peer__not_compared(tmp_path: Path) -> None:
    path = tmp_path / "history.jsonl"
    assert History(path, "laptop", "aaaa").record("commits", rate(100.0)) is None
    assert History(path, "laptop", "bbbb").record("commits", rate(10.0)) is None


def test_bench_history__two_ratios_of_a_benchmark__each_compared_with_its_own_history(tmp_path: Path) -> None:
    history = History(tmp_path / "history.jsonl", "laptop", "aaaa")
    for what, value in (("1 connection", 0.5), ("50 connections", 2.0)) * 2:
        assert history.record("heartbeats", Figure(what, "/s", Sample.of([1.0]))) is None
        assert history.record("heartbeats", times(value)) is None


@pytest.mark.parametrize(
    ("figure", "ratio"),
    [
        (rate(30.0, 20.0), 1.5),
        (Figure("start", "ms", Sample.of([20.0]), less_is_better=True, theirs=Sample.of([30.0])), 1.5),
        (times(3.0), 3.0),
        (rate(1.0), None),
        (Figure("rebalances", "", Sample.of([0.0]), less_is_better=True, theirs=Sample.of([8.0])), None),
    ],
)
def test_ratio_of_a_figure__rate_or_duration__better_than_the_peer_is_above_1(
    figure: Figure, ratio: float | None
) -> None:
    assert figure.ratio == ratio


def test_bench_report__ratio_fell__run_fails(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(main, "RESULTS", tmp_path)
    history = History(tmp_path / "history.jsonl", "laptop", "aaaa")
    report, console = main.Report(quick=False, history=history), Console(record=True, width=200)
    report.add(console, Begun("commits", lambda: [times(2.0, "times")]))
    assert report.is_good
    report.add(console, Begun("commits", lambda: [times(1.0, "times")]))
    assert list(report.fallen) == ["commits, times"]
    assert not report.is_good
