"""`tenure pipeline state` on the files of an earlier release's pipeline: four lanes, and one static member."""

import json
import tarfile
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path

import pyarrow.csv
import pyarrow.parquet
import pytest
from typer.testing import CliRunner, Result

from tenure.admin import Admin
from tenure.admin.offset_reset import ToEarliest
from tenure.pipeline.errors import PipelineConfigError, PipelineStopped
from tenure.testing import Broker
from tests.command_line import app
from tests.upgrades.left_behind import FIRST, GROUP, PARTITIONS, counting, expected
from tests.upgrades.test_upgrades import LEFT_BEHIND

Command = Callable[..., Result]

DECLARED = """
from pathlib import Path
from tests.upgrades.left_behind import counting

pipeline = counting(Path({sink!r}))
"""


@pytest.fixture
def place(tmp_path: Path) -> Path:
    with tarfile.open(LEFT_BEHIND[0]) as archive:
        archive.extractall(tmp_path, filter="data")
    return tmp_path


@pytest.fixture
def address(place: Path) -> Iterator[str]:
    with Broker(directory=place / "data" / "broker") as broker:
        yield broker.address


@pytest.fixture
def state(place: Path, address: str) -> Command:
    """Run `tenure pipeline state COMMAND PIPELINE ...`."""
    file = place / f"declared_{place.name.replace('-', '_')}.py"
    file.write_text(DECLARED.format(sink=str(place / "out")))

    def command(name: str, *options: str, fails: bool = False) -> Result:
        arguments = ["pipeline", "state", name, f"{file}:pipeline", *options]
        done = CliRunner().invoke(app, arguments, env={"TENURE_BOOTSTRAP_SERVERS": address}, catch_exceptions=False)
        assert bool(done.exit_code) == fails, (done.stdout, done.stderr)
        return done

    return command


def empty_the_group(address: str) -> None:
    with Admin(address) as admin:
        admin.remove_members(GROUP, None)


COUNTED = Counter(word for word, _, _ in expected(FIRST))


def test_state_show__all_lanes__keys_bytes_and_offsets_of_each(state: Command) -> None:
    lanes = json.loads(state("show", "--json").stdout)
    assert [lane["lane"] for lane in lanes] == [f"words-{number}" for number in range(PARTITIONS)]
    assert all(lane["bytes"] > 0 and lane["version"] == 1 and lane["batches"] > 1 for lane in lanes)
    assert sum(offset for lane in lanes for offset in lane["ends_at"].values()) == FIRST
    assert len(state("show").stdout.splitlines()) == PARTITIONS + 1


def test_state_show__one_key__its_state_and_lane(state: Command) -> None:
    ((word, seen),) = COUNTED.most_common(1)
    (row,) = json.loads(state("show", "--key", word, "--json").stdout)
    assert (row["word"], row["seen"]) == (word, seen)
    assert "The key 'never' has no state" in state("show", "--key", "never", fails=True).stderr


@pytest.mark.parametrize("suffix", ["parquet", "csv", "arrow"])
def test_state_export__to_a_table__has_every_key(state: Command, place: Path, suffix: str) -> None:
    file = place / f"state.{suffix}"
    assert f"Wrote {len(COUNTED)} keys" in state("export", str(file)).stdout
    reader = {"parquet": pyarrow.parquet.read_table, "csv": pyarrow.csv.read_csv}.get(suffix, pyarrow_file)
    assert {row["word"]: row["seen"] for row in reader(file).to_pylist()} == COUNTED


def pyarrow_file(file: Path) -> pyarrow.Table:
    with pyarrow.ipc.open_file(file) as reader:
        return reader.read_all()


def test_state_export__destination_not_writable__error_says_so(state: Command, place: Path) -> None:
    assert "cannot be written" in state("export", str(place / "no" / "state.parquet"), fails=True).stderr


def test_state_verify__undamaged_and_offsets_agree__no_problem_reported(state: Command) -> None:
    found = json.loads(state("verify", "--json").stdout)
    assert [lane["trouble"] for lane in found] == [""] * PARTITIONS


def test_state_verify__file_changed_and_offsets_reset__both_reported(state: Command, place: Path, address: str) -> None:
    base = min(place.rglob("words-1/*.base.arrow"))
    base.write_bytes(base.read_bytes()[:-1] + b"?")
    assert "differs from what was committed" in state("verify", "--offline", fails=True).stderr
    reset(address)
    output = state("verify", fails=True).stderr
    assert "differs from what was committed" in output
    assert output.count("POSITION_MOVED") == PARTITIONS - 1


def reset(address: str) -> None:
    empty_the_group(address)
    with Admin(address) as admin:
        admin.write_plan(admin.plan_reset(GROUP, ToEarliest(), None))


def test_state_restore__offsets_reset__lanes_continue_where_their_state_ends(state: Command, address: str) -> None:
    reset(address)
    assert "Nothing was changed" in state("restore").stderr
    assert state("verify", fails=True)
    assert f"Restored {PARTITIONS} lanes" in state("restore", "--execute").stderr
    assert state("verify").stderr == ""
    assert "Nothing to restore" in state("restore", "--execute").stderr


def test_state_restore__offsets_reset_and_one_lane_damaged__other_lanes_restored(
    state: Command, place: Path, address: str
) -> None:
    newest_file(place, "words-1/HEAD-*").write_text("torn")
    reset(address)
    output = state("restore", "--execute").stderr
    assert "Can be restored only from a copy: words-1: STATE_DAMAGED" in output
    assert f"Restored {PARTITIONS - 1} lanes" in output


def test_state_restore__state_directory_lost__restored_from_a_copy(state: Command, place: Path, address: str) -> None:
    assert "4 lanes" in state("export", str(place / "copy")).stdout
    for file in place.rglob("out/_tenure/**/*.*"):
        file.unlink()
    empty_the_group(address)
    assert "has no usable state of lanes words-0, words-1, words-2, words-3: restore from a copy" in (
        state("restore", fails=True).stderr
    )
    shown = state("restore", "--from", str(place / "copy"))
    assert "Nothing was changed" in shown.stderr
    state("restore", "--from", str(place / "copy"), "--execute")
    assert state("verify").stderr == ""
    assert {row["word"]: row["seen"] for row in counting(place / "out").state().to_pylist()} == COUNTED


def test_state_restore__group_has_members__refused_and_nothing_written(state: Command, place: Path) -> None:
    state("export", str(place / "copy"))
    before = sorted(place.rglob("out/**/*"))
    output = state("restore", "--from", str(place / "copy"), "--execute", fails=True).stderr
    assert "is in use" in output
    assert sorted(place.rglob("out/**/*")) == before


def test_state_restore__directory_without_a_copy__error_with_the_remedy(state: Command, place: Path) -> None:
    assert (
        "name a directory that `tenure pipeline state export` wrote"
        in state("restore", "--from", str(place), fails=True).stderr
    )


def test_state_export__state_file_damaged__error_of_one_sentence(state: Command, place: Path) -> None:
    base = min(place.rglob("words-1/*.base.arrow"))
    base.write_bytes(base.read_bytes()[:-1])
    output = state("export", str(place / "copy"), fails=True).stderr
    assert output.startswith("tenure: STATE_DAMAGED: ")
    assert len(output.splitlines()) == 1


def newest_file(place: Path, pattern: str) -> Path:
    """Return a lane's newest file of this kind."""
    return max(place.glob(f"out/_tenure/*/{pattern}"))


@pytest.fixture
def damaged(place: Path) -> Path:
    """Return a directory in which one of four lanes is undamaged."""
    head = newest_file(place, "words-0/HEAD-*")
    head.write_bytes(head.read_bytes()[:-20])
    newest_file(place, "words-1/HEAD-*").unlink()
    pointer = newest_file(place, "words-3/HEAD-*").read_text()
    newest_file(place, f"words-3/{pointer.split(':')[1]}.json").write_text("{}")
    return place


DAMAGED = ("words-0", "words-1", "words-3")


def names_damaged_lanes(output: str) -> bool:
    return [lane for lane in ("words-0", "words-1", "words-2", "words-3") if lane in output] == list(DAMAGED)


def test_state_show__some_lanes_damaged__others_shown_and_damaged_ones_named(state: Command, damaged: Path) -> None:
    shown = state("show", "--json", fails=True)
    assert [lane["lane"] for lane in json.loads(shown.stdout)] == ["words-2"]
    assert names_damaged_lanes(shown.stderr)
    assert f"no HEAD file ({damaged}" in shown.stderr
    searched = state("show", "--key", "never", fails=True).stderr
    assert names_damaged_lanes(searched)
    assert "The key 'never' has no state in the other lanes" in searched


@pytest.mark.usefixtures("damaged")
def test_state_verify__some_lanes_damaged__damaged_ones_named(state: Command) -> None:
    verified = state("verify", "--json", "--offline", fails=True)
    assert [row["lane"] for row in json.loads(verified.stdout) if row["trouble"]] == list(DAMAGED)
    assert [row["lane"] for row in json.loads(verified.stdout)] == ["words-0", "words-1", "words-2", "words-3"]
    assert names_damaged_lanes(state("verify", fails=True).stderr)


@pytest.mark.parametrize("to", ["state.csv", "copy"])
def test_state_export__some_lanes_damaged__fails_with_their_names_or_leaves_them_out(
    state: Command, damaged: Path, to: str, caplog: pytest.LogCaptureFixture
) -> None:
    output = state("export", str(damaged / to), fails=True).stderr
    assert output.startswith("tenure: STATE_DAMAGED: the state of 3 of 4 lanes cannot be read: words-0: ")
    assert names_damaged_lanes(output)
    skipped = state("export", str(damaged / to), "--skip-damaged")
    assert names_damaged_lanes(skipped.stderr + caplog.text)
    assert "Wrote" in skipped.stdout or "Copied the state of 1 lane " in skipped.stdout


def test_pipeline_state_in_python__some_lanes_damaged__error_names_them_or_they_are_left_out(
    damaged: Path, caplog: pytest.LogCaptureFixture
) -> None:
    pipeline = counting(damaged / "out")
    with pytest.raises(PipelineStopped) as stopped:
        pipeline.state()
    assert names_damaged_lanes(str(stopped.value))
    rest = pipeline.state(damaged="skip")
    assert 0 < len(rest) < len(COUNTED)
    assert {row["word"]: row["seen"] for row in rest.to_pylist()}.items() <= COUNTED.items()
    assert names_damaged_lanes(caplog.text)
    with pytest.raises(PipelineConfigError, match="use 'raise' or 'skip'"):
        pipeline.state(damaged="ignore")  # type: ignore[arg-type]
