"""`tenure pipeline run`: references to pipelines, and exit statuses."""

import socket
import sys
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from tenure.exit_status import ExitStatus
from tenure.pipeline.errors import Code, PipelineConfigError, PipelineStopped
from tenure.spark.operations.pipeline_reference import group_named, pipeline_named
from tenure.spark.spark_session import SUBMITTED_VARIABLE, YARN_VARIABLES
from tests.command_line import app
from tests.spark.counting import create_topic

DECLARED = """
from tenure.spark import Parquet, Pipeline, Topic, raw, transform

numbered = Pipeline("numbered", source=Topic("t", value=raw()), process=transform(lambda f: f), sink=Parquet("out"))
"""


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return the path of a file with a unique name: an imported module stays imported."""
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.chdir(tmp_path)
    file = tmp_path / f"declared_{tmp_path.name}.py"
    file.write_text(DECLARED)
    return file


def test_pipeline_named__file_or_module_with_or_without_attribute__pipeline_found(place: Path) -> None:
    for reference in (f"{place}:numbered", f"{place.name}:numbered", f"{place.stem}:numbered", str(place)):
        assert pipeline_named(reference).name == group_named(reference) == "numbered"


def test_group_named__not_a_file_or_module__name_is_the_group_id() -> None:
    assert group_named("numbered") == "numbered"


@pytest.mark.parametrize(
    ("reference", "message"),
    [
        ("gone.py:numbered", "There is no file gone.py"),
        ("no.such.module:numbered", "There is no module no.such.module: check the name"),
        (":numbered", "does not name a pipeline"),
        ("{place}:other", "other in {place} does not exist; {place} has the pipeline numbered"),
        ("{place}:Topic", "Topic in {place} is a type instead of a Pipeline; {place} has the pipeline numbered"),
    ],
)
def test_pipeline_named__no_such_pipeline__error_lists_existing_ones(place: Path, reference: str, message: str) -> None:
    with pytest.raises(PipelineConfigError) as refused:
        pipeline_named(reference.format(place=place))
    assert message.format(place=place) in str(refused.value)


def test_pipeline_named__two_pipelines_in_file__error_asks_for_name(place: Path) -> None:
    place.write_text(f"{DECLARED}\nagain = numbered\n")
    with pytest.raises(PipelineConfigError, match="has the pipeline numbered, again"):
        pipeline_named(str(place))


@pytest.mark.parametrize(("text", "message"), [("a = b", "name 'b' is not defined"), ("def", "SyntaxError")])
def test_pipeline_named__import_of_the_module_fails__error_names_the_line(place: Path, text: str, message: str) -> None:
    place.write_text(f"\n{text}\n")
    with pytest.raises(PipelineConfigError, match=rf"(?s){message}.*{place.name}, line 2\)"):
        pipeline_named(str(place))


def test_pipeline_named__file_named_like_another_module__refused(tmp_path: Path) -> None:
    file = tmp_path / "json.py"
    file.write_text(DECLARED)
    with pytest.raises(PipelineConfigError, match=r"another module is named json .*: rename the file"):
        pipeline_named(f"{file}:numbered")
    assert str(tmp_path) not in sys.path


def run(place: Path, address: str, *options: str) -> Result:
    return CliRunner().invoke(
        app, ["pipeline", "run", f"{place}:numbered", *options], env={"TENURE_BOOTSTRAP_SERVERS": address}
    )


@pytest.mark.long
def test_run__broker_does_not_answer__exit_status_of_errors_that_a_restart_may_fix(place: Path) -> None:
    done = run(place, "127.0.0.1:1")
    assert done.exit_code == ExitStatus.FAILED
    assert done.stderr.startswith("tenure: NO_BROKER: ")


def test_exit_status__database_down_too_long__restart_is_useful() -> None:
    assert PipelineStopped(Code.SINK_FAILED, "").exit_status is ExitStatus.FAILED
    assert PipelineStopped(Code.SINK_REFUSED, "").exit_status is ExitStatus.NEEDS_OPERATOR


def test_exit_status__state_directory_missing__restart_is_useless() -> None:
    assert PipelineStopped(Code.STATE_MISSING, "").exit_status is ExitStatus.NEEDS_OPERATOR


def test_run__invalid_arguments__error_and_status(place: Path) -> None:
    done = run(place, "127.0.0.1:1", "--threads", "0")
    assert (done.exit_code, done.stderr.count("\n")) == (ExitStatus.MISUSED, 1)
    assert run(place.with_name("gone.py"), "127.0.0.1:1").exit_code == ExitStatus.MISUSED


def test_run__conf_option_without_a_value__refused(place: Path) -> None:
    done = run(place, "127.0.0.1:1", "--conf", "spark.executor.memory")
    assert done.exit_code == ExitStatus.MISUSED
    assert "--conf spark.executor.memory: write KEY=VALUE" in done.stderr


def test_run__restart_under_spark_submit__refused(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(SUBMITTED_VARIABLE, "1")
    done = run(place, "127.0.0.1:1", "--restart")
    assert done.exit_code == ExitStatus.MISUSED
    assert done.stderr.startswith("tenure: spark-submit cannot restart a pipeline, which needs a new Java process: use")


def test_run__master_under_spark_submit__refused(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(SUBMITTED_VARIABLE, "1")
    done = run(place, "127.0.0.1:1", "--master", "yarn")
    assert done.exit_code == ExitStatus.MISUSED
    assert done.stderr.startswith("tenure: spark-submit has chosen the master: leave out master")


def test_run__yarn_master_without_its_configuration__refused(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in YARN_VARIABLES:
        monkeypatch.delenv(name, raising=False)
    done = run(place, "127.0.0.1:1", "--master", "yarn")
    assert done.exit_code == ExitStatus.MISUSED
    assert done.stderr == (
        "tenure: The master yarn needs the configuration of the cluster: set HADOOP_CONF_DIR to its directory.\n"
    )


@pytest.mark.long
def test_run__py_files_option__its_modules_can_be_imported(place: Path, tmp_path: Path) -> None:
    library = tmp_path / "elsewhere" / f"library_{tmp_path.name}.py"
    library.parent.mkdir()
    library.write_text("")
    place.write_text(f"import {library.stem}\n{DECLARED}")
    assert run(place, "127.0.0.1:1").exit_code == ExitStatus.MISUSED
    assert run(place, "127.0.0.1:1", "--py-files", str(library)).stderr.startswith("tenure: NO_BROKER: ")


def test_run__metrics_address_in_use__refused_before_joining(address: str, place: Path) -> None:
    create_topic(address, "t")
    with socket.create_server(("127.0.0.1", 0)) as taken:
        done = run(place, address, "--metrics", f"127.0.0.1:{taken.getsockname()[1]}")
    assert done.exit_code == ExitStatus.MISUSED
    assert "Metrics cannot be served at" in done.stderr
