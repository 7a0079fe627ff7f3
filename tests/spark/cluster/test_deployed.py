"""Pipelines as users deploy them on a standalone cluster of two workers: modules, directories, kills, exit statuses.

One application at a time runs, since it takes all cores. The second worker has another file system at one directory.
"""

import os
import signal
import subprocess
import sys
import time
import zipfile
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path

import psutil
import pyarrow.dataset
import pytest

from tests.serving import serving
from tests.spark.cluster.standalone import Cluster, cluster, options, spark_home
from tests.spark.conftest import BALANCED_AT_ONCE, NO_RETENTION
from tests.spark.counting import create_topic, expected, produce, visible, words

pytestmark = [
    pytest.mark.spark,
    pytest.mark.timeout(900),
    pytest.mark.skipif(os.geteuid() != 0, reason="mounts a file system, which needs root"),
]

PATIENCE_S = 240.0
LOOK_S = 0.1

BOTH_WORKERS = (
    *("--conf", "spark.cores.max=2"),
    *("--conf", "spark.scheduler.minRegisteredResourcesRatio=1"),
    *("--conf", f"spark.scheduler.maxRegisteredResourcesWaitingTime={PATIENCE_S:.0f}s"),
)
"""Options with which Spark runs no job before both workers, of one core each, have an executor."""

ONE_WORKER = ("--conf", "spark.cores.max=1")
"""Options for tests that need no second worker: an executor and its Python take 2.6 s of processor time to start."""

PIPELINE = """
from package_of_job.numbers import ONE
from tenure.spark import Parquet, Pipeline, Topic, json, map_with_state
{imports}

def count(row, state):
    if row["number"] < 0:
        raise ValueError("a negative number")
    state["seen"] = (state["seen"] or 0) + ONE
    return {{"word": row["word"], "number": row["number"], "seen": state["seen"]}}

pipeline = Pipeline(
    "count-{topic}",
    Topic("{topic}", value=json("word string, number long")).keyed_by("word"),
    map_with_state(count, state="seen long", output="word string, number long, seen long"),
    Parquet("{sink}"),
)
"""

TRANSFORM = """
from pyspark.sql.functions import udf
from tenure.spark import transform

def is_even(number):
    return number % 2 == 0

def even_rows(rows):
    return rows.filter(udf(is_even, "boolean")("number"))

even = Pipeline(
    "even-{topic}", Topic("{topic}", value=json("word string, number long")), transform(even_rows), Parquet("{sink}")
)
"""

SUBMITTED = """
import sys
from {module} import pipeline

pipeline.run(
    bootstrap_servers=sys.argv[1], until=sys.argv[2], group_instance_id="host-a", shared_directory=True
)
"""


class Job:
    """A pipeline in a file, with a package beside it."""

    def __init__(self, on: Cluster, address: str, directory: Path, sink: Path, topic: str, imports: str) -> None:
        self.on = on
        self.address = address
        self.sink = sink
        self.topic = topic
        self.directory = directory
        module = f"job_of_{topic}"
        self.file = directory / f"{module}.py"
        self.file.write_text(PIPELINE.format(topic=topic, sink=sink, imports=imports))
        self.program = directory / f"submitted_{topic}.py"
        self.program.write_text(SUBMITTED.format(module=module))
        (directory / "package_of_job").mkdir()
        (directory / "package_of_job" / "__init__.py").touch()
        (directory / "package_of_job" / "numbers.py").write_text("ONE = 1\n")
        self.log_file = directory / "log"
        self.sent: list[tuple[bytes, bytes]] = []
        self.started: list[subprocess.Popen[bytes]] = []
        create_topic(address, topic)

    def produce(self) -> None:
        """Produce the next 200 records."""
        records = words(len(self.sent), len(self.sent) + 200)
        self.sent += records
        produce(self.address, self.topic, records)

    def run(self, *more: str, shared: bool = True, **environment: str) -> "subprocess.Popen[bytes]":
        """Start `tenure pipeline run`."""
        arguments = ("--master", self.on.url, *options(), "--bootstrap-servers", self.address)
        shared_directory = ("--shared-directory",) * shared
        command = [sys.executable, "-m", "tenure", "pipeline", "run", self.file, *arguments, *shared_directory, *more]
        return self.start(command, environment)

    def submit(self, until: str) -> "subprocess.Popen[bytes]":
        """Start `spark-submit` with one worker."""
        command = [spark_home() / "bin" / "spark-submit", "--master", self.on.url, *options(), *ONE_WORKER]
        return self.start([*command, self.program, self.address, until], {})

    def start(self, command: "list[str | Path]", environment: dict[str, str]) -> "subprocess.Popen[bytes]":
        with self.log_file.open("wb") as log:
            child = subprocess.Popen(
                command,
                env={**self.on.environment, "TENURE_RUN_DIRECTORY": str(self.directory / "run"), **environment},
                stdout=log,
                stderr=subprocess.STDOUT,
                start_new_session=True,
            )
        self.started.append(child)
        return child

    @property
    def log(self) -> str:
        return self.log_file.read_text(errors="replace")

    def ended(self) -> tuple[int, str]:
        """Wait for the end of the last process. Return its status and the last line of its log."""
        status = self.started[-1].wait(PATIENCE_S)
        return status, ["", *self.log.splitlines()][-1]

    def wait_for(self, what: Callable[[], object]) -> None:
        deadline_s = time.monotonic() + PATIENCE_S
        while not what():
            assert time.monotonic() < deadline_s, self.log
            time.sleep(LOOK_S)

    def wait_for_log(self, text: str) -> None:
        self.wait_for(lambda: text in self.log)

    def wait_for_rows(self) -> None:
        """Wait until all records have their rows, and check them."""
        self.wait_for(lambda: self.sink.exists() and len(visible(self.sink)) >= len(self.sent))
        assert visible(self.sink) == expected(self.sent), self.log

    def java(self) -> psutil.Process:
        """Return the Java process of the running driver."""
        (found,) = (
            child for child in psutil.Process(self.started[-1].pid).children(recursive=True) if child.name() == "java"
        )
        return found


@pytest.fixture(scope="module")
def directory(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a directory with `shared`, which both workers have, and `unshared`, which only the first worker has."""
    created = tmp_path_factory.mktemp("deployed")
    for name in ("kafka", "cluster", "shared", "unshared"):
        (created / name).mkdir()
    return created


@pytest.fixture(scope="module")
def broker(directory: Path) -> Iterator[str]:
    with serving(directory / "kafka", *BALANCED_AT_ONCE, NO_RETENTION) as started:
        yield started.address


@pytest.fixture(scope="module")
def two_workers(directory: Path) -> Iterator[Cluster]:
    with cluster(directory / "cluster", 2, {}, hidden=directory / "unshared") as started:
        yield started


@pytest.fixture
def new_job(two_workers: Cluster, broker: str, directory: Path, tmp_path: Path) -> Iterator[Callable[..., Job]]:
    with ExitStack() as stack:
        yield lambda topic, where="shared", imports="": stack.enter_context(
            job_on(two_workers, broker, tmp_path, directory / where / topic, imports)
        )


@contextmanager
def job_on(on: Cluster, broker: str, directory: Path, sink: Path, imports: str = "") -> Iterator[Job]:
    """Yield a job that counts the words of the topic with the name of its sink; kill its processes at the end."""
    job = Job(on, broker, directory, sink, sink.name, imports)
    try:
        yield job
    finally:
        for child in job.started:
            with suppress(ProcessLookupError):
                os.killpg(child.pid, signal.SIGKILL)
            child.wait()


def test_run__function_uses_a_module_and_a_package__shipped_to_both_workers(new_job: Callable[..., Job]) -> None:
    job = new_job("shipped")
    job.produce()
    job.run("--until", "caught-up")
    assert job.ended()[0] == 0, job.log
    job.wait_for_rows()
    assert "Traceback" not in job.log


def test_run__module_missing_on_workers__stops_before_joining_and_names_py_files(
    new_job: Callable[..., Job], tmp_path: Path
) -> None:
    archive = tmp_path / "libraries.zip"
    with zipfile.ZipFile(archive, "w") as files:
        files.writestr("library_in_archive.py", "")
    job = new_job("missing", imports="import library_in_archive")
    job.produce()
    path = os.pathsep.join([job.on.environment["PYTHONPATH"], str(archive)])
    job.run("--until", "caught-up", *ONE_WORKER, PYTHONPATH=path)
    status, last_line = job.ended()
    assert status == 4, job.log
    assert last_line.startswith(
        "tenure: MODULE_MISSING: Spark's workers have no module library_in_archive: name its .py"
    )
    assert "--py-files" in last_line
    assert "joined" not in job.log
    job.run("--until", "caught-up", *ONE_WORKER, "--py-files", str(archive))
    assert job.ended()[0] == 0, job.log
    job.wait_for_rows()


def test_run__directory_not_shared_by_the_hosts__stops_before_joining_the_group(new_job: Callable[..., Job]) -> None:
    job = new_job("unshared", where="unshared")
    job.produce()
    job.run("--until", "caught-up", *BOTH_WORKERS)
    status, last_line = job.ended()
    assert status == 4, job.log
    assert f"does not have the file that the driver wrote to {job.sink}" in last_line
    assert last_line.startswith("tenure: NOT_SHARED: host ")
    assert "joined" not in job.log
    assert not list(job.sink.rglob("_tenure-probe-*"))


def test_run__executors_lack_the_configured_python__stops_before_joining_the_group(new_job: Callable[..., Job]) -> None:
    job = new_job("python")
    job.run(*ONE_WORKER, "--conf", "spark.pyspark.python=/no/python")
    status, last_line = job.ended()
    assert status == 1, job.log
    assert last_line.startswith("tenure: NO_SPARK: executors have no Python at /no/python: set spark.pyspark.python")
    assert "joined" not in job.log


def test_run__cluster_has_no_free_cores__logged_and_can_be_stopped(new_job: Callable[..., Job]) -> None:
    job = new_job("waiting")
    child = job.run("--conf", "spark.executor.memory=900g")
    job.wait_for_log(f"tenure: waiting for executors of {job.on.url}: if none starts, check its cores and memory")
    child.send_signal(signal.SIGTERM)
    assert job.ended()[0] == 0, job.log


def test_run__transform_in_a_shared_directory__workers_stage_its_rows(new_job: Callable[..., Job]) -> None:
    job = new_job("transformed")
    job.file.write_text(job.file.read_text() + TRANSFORM.format(topic=job.topic, sink=job.sink))
    job.produce()
    job.file = job.file.with_name(f"{job.file.name}:even")
    job.run("--until", "caught-up")
    assert job.ended()[0] == 0, job.log
    numbers = pyarrow.dataset.dataset(job.sink, format="parquet").to_table()["number"].to_pylist()
    assert sorted(numbers) == list(range(0, len(job.sent), 2))


def test_run__local_path_on_a_cluster__refused_before_spark_starts(new_job: Callable[..., Job]) -> None:
    job = new_job("refused")
    job.run("--restart", shared=False)
    status, last_line = job.ended()
    assert (status, len(job.log.splitlines())) == (2, 1), job.log
    assert last_line.startswith(f"tenure: Pipeline count-refused runs on the cluster {job.on.url}, but {job.sink}")


def test_run__executor_worker_and_driver_killed__each_row_once(new_job: Callable[..., Job]) -> None:
    job = new_job("killed")
    child = job.run("--group-instance-id", "host-a", "--restart")
    job.produce()
    job.wait_for_rows()

    job.on.executors()[0].kill()
    job.produce()
    job.wait_for_rows()
    assert child.poll() is None

    job.java().kill()  # The application has nothing to do, and notices it all the same.
    job.wait_for_log("tenure: the application ended with status 1; restarting it in 1 s")
    assert "tenure: NO_SPARK: Spark's Java process ended: find the cause above" in job.log
    job.produce()
    job.wait_for_rows()

    (driver,) = psutil.Process(child.pid).children()
    driver.kill()
    job.wait_for_log("tenure: the application ended with signal SIGKILL; restarting it in 2 s")
    job.produce()
    job.wait_for_rows()

    child.send_signal(signal.SIGTERM)
    assert job.ended()[0] == 0, job.log
    assert "Traceback" not in job.log


def test_spark_submit__sigterm__batch_ends_and_exit_status_is_0(new_job: Callable[..., Job]) -> None:
    job = new_job("terminated")
    job.produce()
    child = job.submit("stopped")
    job.wait_for_rows()
    child.send_signal(signal.SIGTERM)
    status, last_line = job.ended()
    assert status == 0, job.log
    assert "tenure: stopped: 200 records" in last_line
    assert "Traceback" not in job.log


def test_spark_submit__java_process_killed__python_driver_ends_too(new_job: Callable[..., Job]) -> None:
    job = new_job("orphaned")
    job.produce()
    child = job.submit("stopped")
    job.wait_for_rows()
    (driver, *_) = psutil.Process(child.pid).children()
    child.kill()
    driver.wait(PATIENCE_S)


def test_spark_submit__bad_record__error_of_one_sentence_and_exit_status_4(new_job: Callable[..., Job]) -> None:
    job = new_job("bad")
    produce(job.address, job.topic, [(b"w", b'{"word": "w", "number": -1}')])
    job.submit("stopped")
    status, last_line = job.ended()
    assert status == 4, job.log
    assert last_line.startswith("tenure: BAD_RECORD: the pipeline's function failed on record bad-")
    assert "Traceback" not in job.log


def test_spark_submit__second_application_with_the_same_instance_id__first_ends_with_exit_status_3(
    new_job: Callable[..., Job],
) -> None:
    job = new_job("fenced")
    job.produce()
    child = job.submit("stopped")
    job.wait_for_rows()
    log = job.log_file
    job.log_file = log.with_name("log-of-successor")
    local = [sys.executable, "-m", "tenure", "pipeline", "run", job.file, "--bootstrap-servers", job.address]
    job.start([*local, "--group-instance-id", "host-a"], {})
    assert child.wait(PATIENCE_S) == 3, log.read_text()
    assert log.read_text().splitlines()[-1].startswith("FENCED: ")
    assert "Traceback" not in log.read_text()


def test_standby__application_on_the_same_host_killed__continues_its_work(new_job: Callable[..., Job]) -> None:
    job = new_job("standby")
    job.produce()
    one_worker = ("--group-instance-id", "host-a", *ONE_WORKER)
    active = job.run(*one_worker)
    job.wait_for_rows()
    job.log_file = job.log_file.with_name("log-of-standby")
    standby = job.run(*one_worker, "--standby")
    job.wait_for_log("standing by")
    active.kill()
    job.produce()
    job.wait_for_rows()
    standby.send_signal(signal.SIGTERM)
    assert job.ended()[0] == 0, job.log


def test_run__spark_worker_killed__other_worker_continues(broker: str, directory: Path, tmp_path: Path) -> None:
    """A worker that was killed does not come back: this test has a cluster of its own."""
    (tmp_path / "cluster").mkdir()
    sink = directory / "shared" / "widowed"
    with cluster(tmp_path / "cluster", 2, {}) as on, job_on(on, broker, tmp_path, sink) as job:
        kill_worker_of(job)


def kill_worker_of(job: Job) -> None:
    child = job.run("--group-instance-id", "host-a")
    job.produce()
    job.wait_for_rows()
    worker = psutil.Process(job.on.workers[1].pid)
    for process in (*worker.children(recursive=True), worker):
        process.kill()
    job.produce()
    job.wait_for_rows()
    child.send_signal(signal.SIGTERM)
    assert job.ended()[0] == 0, job.log
