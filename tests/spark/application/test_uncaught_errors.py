"""Exit status of a program that does not catch the error of `Pipeline.run`."""

import subprocess
import sys

import pytest

PROGRAM = """
import atexit
from tenure.spark import Parquet, Pipeline, Topic, raw, transform

atexit.register(print, "ended as usual")
pipeline = Pipeline("numbered", Topic("t", value=raw()), transform(lambda rows: rows), Parquet("out"))
"""


def run(rest: str) -> "subprocess.CompletedProcess[str]":
    return subprocess.run([sys.executable, "-c", PROGRAM + rest], capture_output=True, text=True, check=False)


@pytest.mark.long
@pytest.mark.parametrize(
    ("call", "status", "message"),
    [
        ('pipeline.run(bootstrap_servers="127.0.0.1:1")', 1, "tenure: NO_BROKER: "),
        ('pipeline.run(bootstrap_servers="127.0.0.1:1", threads=0)', 2, "tenure: threads, tasks and max_records"),
        (
            'pipeline.run(bootstrap_servers="127.0.0.1:1", master="spark://m:7077")',
            2,
            "tenure: Pipeline numbered runs on the",
        ),
    ],
)
def test_run__pipeline_error_not_caught_by_the_program__error_of_one_sentence_and_exit_status(
    call: str, status: int, message: str
) -> None:
    done = run(call)
    assert (done.returncode, done.stdout) == (status, "ended as usual\n")
    assert done.stderr.splitlines()[-1].startswith(message)
    assert "Traceback" not in done.stderr


def test_run__other_error_not_caught_by_the_program__traceback() -> None:
    done = run('try: pipeline.run(bootstrap_servers="127.0.0.1:1", threads=0)\nexcept ValueError: 1 / 0')
    assert done.returncode == 1
    assert done.stderr.startswith("Traceback")
