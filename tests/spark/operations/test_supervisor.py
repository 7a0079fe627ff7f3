"""Supervisor: applications that are restarted or not, and processes that end together. Without Spark."""

import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from tenure.backoff import RESTART, Backoff
from tenure.limits.spark import RESTART_FORGIVEN_S, RESTART_PAUSE_MAX_S, RESTART_PAUSE_S
from tenure.spark.application.control_socket import running_applications
from tenure.spark.operations.supervisor import restart_delay_s

pytestmark = pytest.mark.long

SUPERVISOR = """
import json, sys
from tenure.spark.operations import supervisor
supervisor.RESTART = supervisor.RESTART._replace(first_s=float(sys.argv[1]))
sys.exit(supervisor.Supervisor(json.loads(sys.argv[2]), {"pipeline": "flights"}).run())
"""

SIGNALLED_WHILE_IT_STARTS_ONE = (
    """
import os, signal, subprocess
start = subprocess.Popen.__init__

def signalled(*arguments, **more):
    start(*arguments, **more)
    os.kill(os.getpid(), signal.SIGTERM)

subprocess.Popen.__init__ = signalled
"""
    + SUPERVISOR
)

EXITS_WITH_A_STATUS = """
import os, signal, sys
from tenure.spark.application.supervised import crashes_before_this_start
statuses = [int(status) for status in sys.argv[1].split(",")]
status = statuses[crashes_before_this_start()]
print("started", flush=True)
if status < 0:
    os.kill(os.getpid(), -status)
sys.exit(status)
"""

RUNS_UNTIL_ITS_INPUT_ENDS = """
import threading
from tenure.spark.application.supervised import stop_when_input_ends
stopped = threading.Event()
stop_when_input_ends(stopped.set)
print("started", flush=True)
stopped.wait()
print("stopped", flush=True)
"""

IGNORES_ITS_INPUT = """
import threading
print("started", flush=True)
threading.Event().wait()
"""


@contextmanager
def supervised(
    application: str, *arguments: str, pause_s: float = 0.01, supervisor: str = SUPERVISOR
) -> "Iterator[subprocess.Popen[str]]":
    command = json.dumps([sys.executable, "-c", application, *arguments])
    with subprocess.Popen(
        [sys.executable, "-c", supervisor, str(pause_s), command],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as child:
        try:
            yield child
        finally:
            child.kill()


def all_output(child: "subprocess.Popen[str]") -> list[str]:
    """Return all output of supervisor and applications until all have ended."""
    assert child.stdout is not None
    return child.stdout.read().split()


@pytest.mark.parametrize("status", [0, 2, 3, 4])
def test_supervisor__exit_status_that_forbids_a_restart__supervisor_exits_with_it(status: int) -> None:
    with supervised(EXITS_WITH_A_STATUS, str(status)) as child:
        assert all_output(child) == ["started"]
        assert child.wait(60) == status


def test_supervisor__application_crashes_and_is_fenced_later__restarted_until_it_is_fenced() -> None:
    with supervised(EXITS_WITH_A_STATUS, "1,-9,-11,3") as child:
        assert all_output(child) == ["started"] * 4
        assert child.wait(60) == 3
        assert child.stderr is not None
        told = child.stderr.read()
    assert [line.split("with ")[1].split(";")[0] for line in told.splitlines()] == [
        "status 1",
        "signal SIGKILL",
        "signal SIGSEGV",
    ]


def test_supervisor__stop_command_while_the_application_runs__both_processes_end() -> None:
    with supervised(RUNS_UNTIL_ITS_INPUT_ENDS) as child:
        assert child.stdout is not None
        assert child.stdout.readline() == "started\n"
        with running_applications("flights") as (found, _):
            (one,) = found
            assert one.connection.ask("status")["restarts"] == 0
            assert one.connection.ask("stop")["doing"] == "stopping"
        assert all_output(child) == ["stopped"]
        assert child.wait(60) == 0


def test_supervisor__stop_command_between_two_runs__no_further_run() -> None:
    with supervised(EXITS_WITH_A_STATUS, "1,0", pause_s=3600) as child:
        assert child.stderr is not None
        assert "restarting it" in child.stderr.readline()
        with running_applications("flights") as (found, _):
            found[0].connection.ask("stop")
        assert child.wait(60) == 0
        assert all_output(child) == ["started"]


def test_supervisor__signal_to_process_group__stops_application_once() -> None:
    with supervised(RUNS_UNTIL_ITS_INPUT_ENDS) as child:
        assert child.stdout is not None
        assert child.stdout.readline() == "started\n"
        child.send_signal(signal.SIGINT)
        assert all_output(child) == ["stopped"]
        assert child.wait(60) == 0


def test_supervisor__signal_while_application_starts__stops_it() -> None:
    with supervised(RUNS_UNTIL_ITS_INPUT_ENDS, supervisor=SIGNALLED_WHILE_IT_STARTS_ONE) as child:
        assert child.wait(60) == 0
        assert all_output(child) == ["started", "stopped"]


def test_supervisor__second_signal__kills_application() -> None:
    with supervised(IGNORES_ITS_INPUT) as child:
        assert child.stdout is not None
        assert child.stdout.readline() == "started\n"
        child.send_signal(signal.SIGTERM)
        with running_applications("flights") as (found, _):
            while found[0].connection.ask("status")["doing"] != "stopping":
                pass
        child.send_signal(signal.SIGTERM)
        assert child.wait(60) == 128 + signal.SIGKILL
        assert all_output(child) == []


def test_supervisor__killed__application_ends_too() -> None:
    with supervised(RUNS_UNTIL_ITS_INPUT_ENDS) as child:
        assert child.stdout is not None
        assert child.stdout.readline() == "started\n"
        os.kill(child.pid, signal.SIGKILL)
        assert all_output(child) == ["stopped"]


def test_restart_delay__repeated_crashes__doubles_up_to_limit_and_resets_after_long_run() -> None:
    backoff = Backoff(RESTART)
    found = [restart_delay_s(backoff, 1.0) for _ in range(20)]
    assert found[:4] == [RESTART_PAUSE_S * factor for factor in (1, 2, 4, 8)]
    assert found[-1] == RESTART_PAUSE_MAX_S
    assert restart_delay_s(backoff, RESTART_FORGIVEN_S) == RESTART_PAUSE_S
