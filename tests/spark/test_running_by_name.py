"""`tenure pipeline run`: which pipeline is meant, and what comes of it."""

import socket
import sys
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from tenure.cli.app import app
from tenure.pipeline.errors import Code, PipelineConfigError
from tenure.spark.operations.pipeline_reference import group_named, pipeline_named
from tenure.spark.operations.run import ExitStatus, exit_status_of
from tests.spark.counting import create_topic

DECLARED = """
from tenure.spark import Parquet, Pipeline, Topic, raw, transform

numbered = Pipeline("numbered", source=Topic("t", value=raw()), process=transform(lambda f: f), sink=Parquet("out"))
"""


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A file of a name of its own: what is imported once stays imported."""
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.chdir(tmp_path)
    file = tmp_path / f"declared_{tmp_path.name}.py"
    file.write_text(DECLARED)
    return file


def test_reference__file_or_module_with_or_without_attribute__the_pipeline(place: Path) -> None:
    for reference in (f"{place}:numbered", f"{place.name}:numbered", f"{place.stem}:numbered", str(place)):
        assert pipeline_named(reference).name == group_named(reference) == "numbered"


def test_reference__a_bare_word__is_the_group_itself() -> None:
    assert group_named("numbered") == "numbered"


@pytest.mark.parametrize(
    ("reference", "said"),
    [
        ("gone.py:numbered", "There is no file gone.py"),
        ("no.such.module:numbered", "There is no module no.such.module: check the name"),
        (":numbered", "does not name a pipeline"),
        ("{place}:other", "nothing of that name, 'other'; it has the pipeline numbered"),
        ("{place}:Topic", "a type of that name, 'Topic'; it has the pipeline numbered"),
    ],
)
def test_reference__names_none__says_what_there_is(place: Path, reference: str, said: str) -> None:
    with pytest.raises(PipelineConfigError) as refused:
        pipeline_named(reference.format(place=place))
    assert said in str(refused.value)


def test_reference__two_pipelines_in_a_file__has_to_say_which(place: Path) -> None:
    place.write_text(f"{DECLARED}\nagain = numbered\n")
    with pytest.raises(PipelineConfigError, match="there is the pipeline numbered, again"):
        pipeline_named(str(place))


@pytest.mark.parametrize(("text", "said"), [("a = b", "name 'b' is not defined"), ("def", "SyntaxError")])
def test_reference__its_module_fails__names_the_line(place: Path, text: str, said: str) -> None:
    place.write_text(f"\n{text}\n")
    with pytest.raises(PipelineConfigError, match=rf"(?s){said}.*{place.name}, line 2\)"):
        pipeline_named(str(place))


def test_reference__file_has_the_name_of_another_module__has_to_be_renamed(tmp_path: Path) -> None:
    file = tmp_path / "json.py"
    file.write_text(DECLARED)
    with pytest.raises(PipelineConfigError, match=r"another module is named json .*: rename the file"):
        pipeline_named(f"{file}:numbered")
    assert str(tmp_path) not in sys.path


def run(place: Path, address: str, *options: str) -> Result:
    return CliRunner().invoke(
        app, ["pipeline", "run", f"{place}:numbered", *options], env={"TENURE_BOOTSTRAP_SERVERS": address}
    )


def test_run__nobody_answers__may_be_started_again(place: Path) -> None:
    done = run(place, "127.0.0.1:1")
    assert done.exit_code == ExitStatus.FAILED
    assert done.stderr.startswith("tenure: NO_BROKER: ")


def test_exit__database_was_away_for_longer_than_tries_go_on__may_be_started_again() -> None:
    assert exit_status_of(Code.SINK_FAILED) is ExitStatus.FAILED
    assert exit_status_of(Code.SINK_REFUSED) is ExitStatus.STUCK


def test_run__cannot_be_run_like_this__says_so(place: Path) -> None:
    done = run(place, "127.0.0.1:1", "--threads", "0")
    assert (done.exit_code, done.stderr.count("\n")) == (ExitStatus.MISUSED, 1)
    assert run(place.with_name("gone.py"), "127.0.0.1:1").exit_code == ExitStatus.MISUSED


def test_run__metrics_at_an_address_that_is_taken__is_refused_before_anybody_joins(address: str, place: Path) -> None:
    create_topic(address, "t")
    with socket.create_server(("127.0.0.1", 0)) as taken:
        done = run(place, address, "--metrics", f"127.0.0.1:{taken.getsockname()[1]}")
    assert done.exit_code == ExitStatus.MISUSED
    assert "Metrics cannot be served at" in done.stderr
