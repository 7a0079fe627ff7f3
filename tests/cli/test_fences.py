"""`tenure groups fences`, which needs no broker."""

import json
import sys
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from tests.command_line import app

SHORT = ("--rebalances", "30", "--members", "4", "--heartbeat-delay-ms", "500")
POLICIES = ["assignment-epoch", "kafka", "revocation-epoch", "member-epoch"]


def fences(*arguments: str) -> Any:
    return CliRunner().invoke(app, ["groups", "fences", *SHORT, *arguments], catch_exceptions=False)


def test_fences_command__one_simulated_history__fencing_policies_differ_as_documented() -> None:
    done = fences("--json", "--rebalances", "100")
    assert done.exit_code == 0, done.stderr
    result = json.loads(done.stdout)
    assert result["honest"] > 1_000
    assert result["zombies"] > 50
    by_policy = {one.pop("policy"): one for one in result["policies"]}
    assert list(by_policy) == POLICIES
    assert set(by_policy["assignment-epoch"].values()) == {0}
    assert by_policy["kafka"]["honest_refused"] == 0 < by_policy["kafka"]["foreign_accepted"]
    refused = [by_policy[policy]["honest_refused"] for policy in ("kafka", "revocation-epoch", "member-epoch")]
    assert refused == sorted(set(refused)), "each is stricter than the one before"


def test_fences_command__table_output__one_row_per_fencing_policy_and_a_sentence_on_the_history() -> None:
    done = fences("--seed", "2")
    rows = [line.split("\t") for line in done.stdout.splitlines()]
    assert [row[0] for row in rows] == ["POLICY", *POLICIES]
    assert rows[1][1:4] == ["0", "0", "0"]
    assert "30 rebalances, seed 2: " in done.stderr
    assert done.stderr.count("\n") == 1


@pytest.mark.long
def test_fences_command__picture_option__image_written(tmp_path: Path) -> None:
    picture = tmp_path / "fences.png"
    assert fences("--picture", str(picture)).exit_code == 0
    assert picture.read_bytes().startswith(b"\x89PNG")


def test_fences_command__picture_option_without_matplotlib__error_says_what_to_install(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    done = fences("--picture", str(tmp_path / "fences.png"))
    assert (done.exit_code, done.stdout) == (1, "")
    assert "pip install matplotlib" in done.stderr


def test_fences_command__picture_in_a_missing_directory__refused_before_the_simulation(tmp_path: Path) -> None:
    done = fences("--picture", str(tmp_path / "nowhere" / "fences.png"))
    assert (done.exit_code, done.stdout) == (2, "")
    assert "There is no directory" in done.stderr
