"""Java processes that start before a session needs them."""

import pytest

from tenure.spark.java.java_gateway import JavaProcess, java_process, started_early
from tenure.spark.spark_session import java_settings

SETTINGS = {"spark.driver.memory": "256m"}


@pytest.fixture(autouse=True)
def _environment(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let a test set the environment of Java, and restore it."""
    for name in ("JAVA_HOME", "PYSPARK_PYTHON", "PYSPARK_DRIVER_PYTHON", "SPARK_LOCAL_IP"):
        monkeypatch.setenv(name, "")
    for name in ("JAVA_HOME", "SPARK_LOCAL_IP"):
        monkeypatch.delenv(name)
    java_settings({}, ui=False)


def is_running(process: JavaProcess) -> bool:
    return process._process.poll() is None


def test_java_process_started_early__same_settings_and_environment__used_by_one_session() -> None:
    with started_early(SETTINGS):
        first, second = java_process(SETTINGS), java_process(SETTINGS)
    assert first is not second
    assert is_running(first)  # It belongs to the session now.
    for process in (first, second):
        process.close()


def test_java_process_started_early__environment_changed__new_process_with_the_new_environment(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    with started_early(SETTINGS):
        monkeypatch.setenv("PYTHONPATH", "/of/the/pipeline")  # Workers get PYTHONPATH with their jobs.
        monkeypatch.setenv("STORE_KEY", "set by the module of the pipeline")
        process = java_process(SETTINGS)
    assert process.environment["STORE_KEY"] == "set by the module of the pipeline"
    process.close()


def test_java_process_started_early__only_pythonpath_changed__used(monkeypatch: pytest.MonkeyPatch) -> None:
    with started_early(SETTINGS):
        monkeypatch.setenv("PYTHONPATH", "/of/the/pipeline")
        process = java_process(SETTINGS)
    assert process.environment.get("PYTHONPATH") is None
    assert process._process.stderr is not None, "the process that was started early holds its messages back"
    process.close()


def test_java_process_started_early__no_session_follows__ended_without_messages(
    capfd: pytest.CaptureFixture[str],
) -> None:
    with pytest.raises(ValueError, match="wrong"), started_early(SETTINGS):
        raise ValueError("wrong")
    process = java_process(SETTINGS)
    process.close()
    assert not is_running(process)
    assert capfd.readouterr().err == ""


def test_java_process_started_early__within_another_early_start__no_second_process() -> None:
    with started_early(SETTINGS):
        with started_early({**SETTINGS, "spark.ui.enabled": "true"}):
            pass
        process = java_process(SETTINGS)
    assert process._process.stderr is not None, "the process of the outer block is used"
    assert is_running(process)
    process.close()
