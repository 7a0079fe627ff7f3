"""Failures in production: crashes, zombies, two applications with one name, changed offsets of the group."""

import os
import re
import shutil
import signal
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, TextIO

import pytest

from tenure.admin import Admin
from tenure.admin.offset_reset import ToEarliest
from tenure.pipeline.errors import Code
from tenure.pipeline.values.progress import Progress, ProgressStep
from tenure.spark import PipelineStopped
from tests.fork_server import Child
from tests.spark.application.application import INSTANCE
from tests.spark.counting import counting, expected, produce, visible, words
from tests.spark.forked_application import spark_server

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

pytestmark = pytest.mark.spark

PATIENCE_S = 180.0


@contextmanager
def application(
    address: str, topic: str, sink: Path, step: str, name: str, whom: str = "self"
) -> Iterator[tuple[Child, TextIO]]:
    """Yield a process, in a process group of its own, that has sent the signal at `step`; and its standard error."""
    call = {
        "module": "tests.spark.application.application",
        "arguments": [address, topic, str(sink), step, name, whom],
    }
    (read_output, output), (read_errors, errors) = os.pipe(), os.pipe()
    child = spark_server().start(call, [output, errors])
    os.close(output)
    os.close(errors)
    with os.fdopen(read_output) as told, os.fdopen(read_errors) as errors_text:
        try:
            assert told.readline() == f"{step}\n", errors_text.read()
            while name == "SIGSTOP" and not child.is_stopped:
                assert child.is_alive
                time.sleep(0.01)
            yield child, errors_text
        finally:
            child.end()


def staged_files(sink: Path) -> list[Path]:
    return list(sink.glob("_staged/**/*.parquet"))


@pytest.mark.parametrize(("step", "rolled_forward"), [(ProgressStep.STAGED, False), (ProgressStep.COMMITTED, True)])
def test_kill_9__application_restarts__every_row_once(
    spark: "SparkSession", address: str, topic: str, tmp_path: Path, step: ProgressStep, rolled_forward: bool
) -> None:
    produce(address, topic, words(0, 400))
    with application(address, topic, tmp_path, step.value, "SIGKILL") as (child, _):
        assert child.wait() == -signal.SIGKILL
    assert staged_files(tmp_path)

    produce(address, topic, words(400, 500))
    steps: list[Progress] = []
    counting(topic, tmp_path).run(
        bootstrap_servers=address,
        group_instance_id=INSTANCE,
        until="caught-up",
        observer=steps.append,
        spark=spark,
    )
    assert visible(tmp_path) == expected(words(0, 500))
    assert staged_files(tmp_path) == []
    assert any(progress.step is ProgressStep.ROLLED_FORWARD for progress in steps) == rolled_forward


def test_zombie__instance_id_taken_over_while_suspended__publishes_nothing_and_exits_as_fenced(
    spark: "SparkSession", address: str, topic: str, tmp_path: Path
) -> None:
    produce(address, topic, words(0, 400))
    with application(address, topic, tmp_path, ProgressStep.STAGED.value, "SIGSTOP") as (zombie, errors):
        counting(topic, tmp_path).run(
            bootstrap_servers=address, group_instance_id=INSTANCE, until="caught-up", spark=spark
        )
        before = visible(tmp_path)
        zombie.send(signal.SIGCONT)
        told = errors.read()  # Read before it ends: a process that has filled the pipe waits.
        assert zombie.wait(PATIENCE_S) == 3, told
        assert "FENCED" in told
    assert visible(tmp_path) == before == expected(words(0, 400))


def test_second_application__instance_id_of_a_running_one__first_is_fenced_and_second_continues(
    spark: "SparkSession", address: str, topic: str, tmp_path: Path
) -> None:
    pipeline, idle, ended = counting(topic, tmp_path), threading.Event(), []
    produce(address, topic, words(0, 100))

    def observer(progress: Progress) -> None:
        if progress.step is ProgressStep.IDLE:
            idle.set()

    def first() -> None:
        try:
            pipeline.run(
                bootstrap_servers=address,
                group_instance_id="host-a",
                observer=observer,
                spark=spark,
            )
        except SystemExit as exit_:
            ended.append(exit_.code)

    thread = threading.Thread(target=first)
    thread.start()
    assert idle.wait(PATIENCE_S)
    produce(address, topic, words(100, 200))
    pipeline.run(bootstrap_servers=address, group_instance_id="host-a", until="caught-up", spark=spark)
    thread.join(PATIENCE_S)
    assert ended == [3]
    assert visible(tmp_path) == expected(words(0, 200))


def test_run__committed_offsets_reset_while_stopped__refused_with_options(
    spark: "SparkSession", address: str, topic: str, tmp_path: Path
) -> None:
    pipeline = counting(topic, tmp_path)
    produce(address, topic, words(0, 100))
    pipeline.run(bootstrap_servers=address, until="caught-up", spark=spark)
    reset(address, pipeline.name)
    with pytest.raises(PipelineStopped, match='"trust-state" to continue where the state ends') as stopped:
        pipeline.run(bootstrap_servers=address, until="caught-up", spark=spark)
    assert stopped.value.code is Code.POSITION_MOVED
    pipeline.run(bootstrap_servers=address, until="caught-up", on_disagreement="trust-state", spark=spark)
    produce(address, topic, words(100, 150))
    pipeline.run(bootstrap_servers=address, until="caught-up", spark=spark)
    assert visible(tmp_path) == expected(words(0, 150))


def reset(address: str, group: str) -> None:
    """Reset the offsets of the empty group to the beginning, as Kafka's tool does."""
    with Admin(address) as admin:
        admin.write_plan(admin.plan_reset(group, ToEarliest()))


def test_run__state_directory_missing__refused(spark: "SparkSession", address: str, topic: str, tmp_path: Path) -> None:
    pipeline = counting(topic, tmp_path)
    produce(address, topic, words(0, 100))
    pipeline.run(bootstrap_servers=address, until="caught-up", spark=spark)
    shutil.rmtree(tmp_path / "_tenure")
    with pytest.raises(PipelineStopped, match="restore the state directory") as stopped:
        pipeline.run(bootstrap_servers=address, until="caught-up", spark=spark)
    assert stopped.value.code is Code.STATE_MISSING


def test_run__unknown_topic__refused_before_spark_starts(address: str, tmp_path: Path) -> None:
    with pytest.raises(PipelineStopped, match="no-such-topic") as stopped:
        counting("no-such-topic", tmp_path).run(bootstrap_servers=address)
    assert stopped.value.code is Code.UNKNOWN_TOPIC


def test_run__output_directory_not_writable__refused_before_joining_the_group(address: str, topic: str) -> None:
    pipeline = counting(topic, Path("/proc/out"))
    with pytest.raises(PipelineStopped, match="output directory /proc/out cannot be written") as stopped:
        pipeline.run(bootstrap_servers=address)
    assert stopped.value.code is Code.FILES_FAILED
    with Admin(address) as admin:
        assert pipeline.name not in [group.group_id for group in admin.list_groups()]


def test_run__broker_does_not_answer__refused_before_spark_starts(tmp_path: Path) -> None:
    with pytest.raises(PipelineStopped, match=r"127.0.0.1:1: connection refused.*Start a broker there") as stopped:
        counting("words", tmp_path).run(bootstrap_servers="127.0.0.1:1")
    assert stopped.value.code is Code.NO_BROKER


def test_sigterm__batch_is_running__batch_finished_and_static_member_stays_in_the_group(
    address: str, topic: str, tmp_path: Path
) -> None:
    produce(address, topic, words(0, 400))
    with application(address, topic, tmp_path, ProgressStep.STAGED.value, "SIGTERM") as (child, errors):
        told = errors.read()
        assert child.wait(PATIENCE_S) == 0, told
    assert visible(tmp_path) == expected(words(0, 400))
    with Admin(address) as admin:
        (group,) = admin.describe_groups([f"count-{topic}"])
    assert [member.group_instance_id for member in group.members] == [f"{INSTANCE}-thread-1"]


@pytest.mark.parametrize("step", [ProgressStep.RECOVERED, ProgressStep.PLANNED, ProgressStep.STAGED, ProgressStep.IDLE])
def test_sigterm__sent_to_the_process_group_with_spark__ends_with_status_0_and_no_partial_batch(
    spark: "SparkSession", address: str, topic: str, tmp_path: Path, step: ProgressStep
) -> None:
    """Signals reach the whole process group, as from systemd and `timeout`."""
    produce(address, topic, words(0, 400))
    with application(address, topic, tmp_path, step.value, "SIGTERM", "group") as (child, errors):
        errors_text = errors.read()
        assert child.wait(PATIENCE_S) == 0, errors_text
        assert not {"Traceback", "Exception", "py4j", "refused"} & set(re.findall(r"\w+", errors_text)), errors_text
    assert visible(tmp_path) in ([], expected(words(0, 400)))
    counting(topic, tmp_path).run(bootstrap_servers=address, group_instance_id=INSTANCE, until="caught-up", spark=spark)
    assert visible(tmp_path) == expected(words(0, 400))


@pytest.mark.parametrize("step", [ProgressStep.PLANNED, ProgressStep.IDLE])
def test_java_process_of_spark__killed__pipeline_stops_with_the_cause_and_no_traceback(
    address: str, topic: str, tmp_path: Path, step: ProgressStep
) -> None:
    produce(address, topic, words(0, 400))
    with application(address, topic, tmp_path, step.value, "SIGKILL", "java") as (child, errors):
        produce(address, topic, words(400, 500))
        errors_text = errors.read()
        assert child.wait(PATIENCE_S) == 1
    assert "NO_SPARK: Spark's Java process ended" in errors_text.splitlines()[-1]
    assert "py4j" not in errors_text
    assert "Traceback" not in errors_text
