"""Checks of the main example: its verdict finds wrong results, and it leaves no processes behind."""

import os
import sys
import time
from pathlib import Path

import pandas as pd
import psutil
import pyarrow as pa
import pyarrow.parquet
import pytest

from examples.flights_data import expected_rows, expected_state
from examples.main_job.history import Commit, History, Holding
from examples.main_job.processes import Child, Children, Ended
from examples.main_job.verdict import judge

FLIGHTS = 2_000


def written(rows: pd.DataFrame, directory: Path) -> Path:
    pyarrow.parquet.write_table(pa.Table.from_pandas(rows, preserve_index=False), directory / "flights.parquet")
    return directory


def test_verdict_on_the_main_job__rows_and_state_correct__no_difference(tmp_path: Path) -> None:
    verdict = judge(written(expected_rows(FLIGHTS), tmp_path), expected_state(FLIGHTS), FLIGHTS)
    assert verdict.difference is None
    assert (verdict.records_in, verdict.rows_out) == (FLIGHTS, FLIGHTS)
    assert verdict.state_equal


@pytest.mark.parametrize(
    ("spoil", "lost", "duplicated", "words"),
    [
        (lambda rows: rows.drop(index=17), 1, 0, "is missing"),
        (lambda rows: pd.concat([rows, rows.iloc[[17]]]), 0, 1, "is there twice"),
        (
            lambda rows: rows.assign(total_delay=rows["total_delay"].where(rows.index != 17, -1.0)),
            0,
            0,
            "total_delay is",
        ),
        (lambda rows: rows.assign(carrier=rows["carrier"].where(rows.index != 17, "??")), 1, 0, "is missing"),
    ],
    ids=["a row lost", "a row twice", "a wrong figure", "an invented row"],
)
def test_verdict_on_the_main_job__output_is_wrong__difference_described(
    tmp_path: Path, spoil: object, lost: int, duplicated: int, words: str
) -> None:
    assert callable(spoil)
    verdict = judge(written(spoil(expected_rows(FLIGHTS)), tmp_path), expected_state(FLIGHTS), FLIGHTS)
    assert (verdict.rows_lost, verdict.rows_duplicated) == (lost, duplicated)
    assert verdict.difference is not None
    assert words in verdict.difference


def test_verdict_on_the_main_job__state_of_one_aircraft_is_wrong__aircraft_named(tmp_path: Path) -> None:
    state = expected_state(FLIGHTS)
    state.loc[state.index[5], "worst_delay"] += 1
    verdict = judge(written(expected_rows(FLIGHTS), tmp_path), state, FLIGHTS)
    assert not verdict.state_equal
    assert verdict.difference is not None
    assert verdict.difference.startswith(f"State {state.index[5]}: worst_delay is")


def holding(at_ms: int, generation: int, **seats: set[int]) -> Holding:
    owned = {seat: frozenset(partitions) for seat, partitions in seats.items()}
    return Holding(at_ms, generation, owned, frozenset())


def test_history_of_the_main_job__static_member_returns_in_the_same_generation__no_rebalance() -> None:
    history = History([holding(0, 1, a={0, 1}, b={2}), holding(50, 1, a={0, 1}, b={2})])
    assert (history.rebalances(10, 90), history.partitions_moved(10, 90)) == (0, 0)


def test_history_of_the_main_job__partitions_move_away_and_back__each_move_counted() -> None:
    history = History([holding(0, 1, a={0, 1}, b={2}), holding(50, 2, b={0, 1, 2}), holding(60, 3, a={0, 1}, b={2})])
    assert (history.rebalances(10, 90), history.partitions_moved(10, 90)) == (2, 4)


def test_history_of_the_main_job__partition_without_commits_for_a_while__longest_pause_found() -> None:
    commits = [Commit(at_ms, 0, at_ms, "") for at_ms in range(0, 10_001, 100)]
    commits += [Commit(1_000, 1, 5, ""), Commit(9_500, 1, 6, "")]
    assert History(commits=commits).longest_silence_s(0, 10_000) == 8.5


IGNORES_SIGTERM = """
import os, signal, subprocess, sys, time
signal.signal(signal.SIGTERM, signal.SIG_IGN)
child = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)"], preexec_fn=lambda: os.setpgid(0, 0))
print(child.pid, flush=True)
time.sleep(600)
"""


def test_child_processes__ignore_sigterm__killed_at_the_end_of_the_with_block(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("examples.main_job.processes.ABORT_SECONDS_MAX", 0.2)
    with pytest.raises(KeyboardInterrupt), Children() as children:  # noqa: PT012  # the block is what is tested
        child = children.start(Child("stubborn", [sys.executable, "-c", IGNORES_SIGTERM], tmp_path / "log"))
        grandchild = int(child.lines.get(timeout=60))
        session = os.getsid(grandchild)
        raise KeyboardInterrupt
    assert not [process for process in psutil.process_iter() if _session(process) == session]


def _session(process: psutil.Process) -> int | None:
    try:
        return None if process.status() == psutil.STATUS_ZOMBIE else os.getsid(process.pid)
    except (psutil.NoSuchProcess, ProcessLookupError):
        return None


def test_child_processes__one_ends_early__error_quotes_its_output(tmp_path: Path) -> None:
    command = [sys.executable, "-c", "import sys; sys.exit('the disk is full')"]
    with Children() as children:
        child = children.start(Child("short-lived", command, tmp_path / "log"))
        deadline = time.monotonic() + 60
        while child.running and time.monotonic() < deadline:
            time.sleep(0.01)
        with pytest.raises(Ended, match="short-lived ended with status 1: the disk is full"):
            children.check()
