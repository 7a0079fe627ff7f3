"""Channel between `make bench` and the application that it measures."""

import sys
from pathlib import Path

import pytest

from bench.pipelines.application import running

PATIENCE_S = 60.0

NOISY = """
import sys
from bench.pipelines.application import serve

sys.stdout.write("\\x1b[1mDownloading\\x1b[m without an end of line, ")
sys.stdout.flush()
serve({"double": lambda number: 2 * number})
"""
"""Output of Maven: terminal codes without an end of line."""

SILENT = "import time; time.sleep(600)"


def test_measured_application__writes_to_standard_output_before_it_is_ready__readiness_recognised(
    tmp_path: Path,
) -> None:
    with running([sys.executable, "-c", NOISY], tmp_path / "log") as started:
        assert started.hear(PATIENCE_S) == "ready"
        assert started.ask("double", number=21) == 42
    assert started.process.returncode == 0
    assert "Downloading" in (tmp_path / "log").read_text()


def test_measured_application__does_not_answer__error_and_process_ended(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bench.pipelines.application.ENDS_S", 0.1)
    with (
        pytest.raises(RuntimeError, match=r"no answer within 0\.1 s"),
        running([sys.executable, "-c", SILENT], tmp_path / "log") as started,
    ):
        started.hear(0.1)
    assert started.process.poll() is not None


def test_measured_application__ends_early__error_has_the_end_of_its_log(tmp_path: Path) -> None:
    with (
        pytest.raises(RuntimeError, match=r"ended early: .*out of order"),
        running([sys.executable, "-c", "raise SystemExit('out of order')"], tmp_path / "log") as started,
    ):
        started.hear(PATIENCE_S)
