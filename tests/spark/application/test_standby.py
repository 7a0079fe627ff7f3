"""Standbys: the application that takes over, and the time of the takeover."""

import signal
import threading
from collections.abc import Callable
from pathlib import Path

import pytest

from tenure.client.group.group_member import GroupMember
from tenure.client.values import Assigned
from tenure.spark.application import standby
from tenure.spark.application.standby import MEMBERS_LEFT, Standby
from tenure.testing import Broker
from tests.spark.counting import expected, produce, visible, words
from tests.spark.operations.deployed import Deployment, deployment, kill_group

PATIENCE_S = 60


@pytest.fixture(autouse=True)
def _frequent_checks(monkeypatch: pytest.MonkeyPatch) -> None:
    for pause in ("STANDBY_LOOK_S", "STANDBY_SPREAD_S"):
        monkeypatch.setattr(standby, pause, 0.05)


def generation(deployed: Deployment, number: int) -> int:
    """Return the generation in the status of the application's member."""
    (application,) = [one for one in deployed.status()["applications"] if one["pid"] == deployed.started[number].pid]
    (member,) = application["members"]
    return int(member["generation_id"])


@pytest.mark.spark
def test_standby__application_on_the_same_host_killed__continues_its_work_without_a_rebalance(
    address: str, topic: str, tmp_path: Path
) -> None:
    with deployment(address, topic, tmp_path) as deployed:
        produce(address, topic, words(0, 100))
        options = ("--standby", "--group-instance-id", "host-a")
        deployed.start(*options)
        deployed.wait_until("running caught up")  # No other application had the members.
        deployed.start(*options)
        deployed.wait_until("standing by", 1)
        before = generation(deployed, 0)

        kill_group(deployed.started[0])
        produce(address, topic, words(100, 200))
        deployed.wait_for(lambda: visible(deployed.sink) == expected(words(0, 200)))
        assert generation(deployed, 1) == before
        assert "taking over: the application on this host has ended" in deployed.log(1)
        deployed.started[1].send_signal(signal.SIGINT)  # Ctrl-C, for which PySpark installs a handler.
        assert deployed.ended(1) == 0
        assert "stopped: " in deployed.log(1)


def remote_member(address: str, topic: str, instance: str) -> GroupMember:
    """Return a member like one on another host: it is not in the run directory."""
    member = GroupMember(
        address,
        f"count-{topic}",
        [topic],
        group_instance_id=instance,
        session_timeout_ms=300_000,  # the session ends only by the test
    )
    member.start()
    while not any(isinstance(event, Assigned) for event in member.poll(0.1)):
        pass
    return member


def waiting(address: str, topic: str, is_stopped: Callable[[], bool], told: list[str]) -> threading.Thread:
    def wait() -> None:
        told.append(Standby(address, f"count-{topic}", "host-a", 2, is_stopped).wait(lambda: None))

    thread = threading.Thread(target=wait)
    thread.start()
    return thread


class CheckCounter:
    """Counter of calls of `is_stopped`: one before and one after each check of the group."""

    def __init__(self) -> None:
        self.count = 0
        self.has_looked = threading.Event()
        self.is_stopped = False

    def __call__(self) -> bool:
        self.count += 1
        if self.count >= 8:
            self.has_looked.set()
        return self.is_stopped


def test_standby__application_on_another_host_lost__waits_for_the_session_timeout(
    kafka_broker: Broker, kafka_topic: str
) -> None:
    address, topic = kafka_broker.address, kafka_topic
    member, looks, told = remote_member(address, topic, "host-a-thread-2"), CheckCounter(), list[str]()
    thread = waiting(address, topic, looks, told)
    try:
        member.close(leave=False)
        assert looks.has_looked.wait(PATIENCE_S)
        assert told == []
        kafka_broker.expire(f"count-{topic}", instance_id="host-a-thread-2")
        thread.join(PATIENCE_S)
        assert told == [MEMBERS_LEFT]
    finally:
        looks.is_stopped = True
        thread.join(PATIENCE_S)
        member.close(leave=False)


def test_standby__stopped_while_waiting__ends_without_a_takeover(address: str, topic: str) -> None:
    member, looks, told = remote_member(address, topic, "host-a-thread-1"), CheckCounter(), list[str]()
    thread = waiting(address, topic, looks, told)
    assert looks.has_looked.wait(PATIENCE_S)
    looks.is_stopped = True
    thread.join(PATIENCE_S)
    member.close(leave=True)
    assert told == [""]


def test_standby__group_does_not_exist__starts_at_once(address: str, topic: str) -> None:
    at_work: list[str] = []
    first = Standby(address, f"nobody-{topic}", "host-a", 1, lambda: False)
    assert first.wait(lambda: at_work.append("host-a")) == MEMBERS_LEFT
    assert at_work == ["host-a"]


def test_standby__no_instance_id_set__refused(address: str, topic: str, tmp_path: Path) -> None:
    with deployment(address, topic, tmp_path) as deployed:
        refused = deployed.run("run", deployed.reference, "--standby")
        assert refused.exit_code == 2
        assert "needs the group_instance_id of the application" in refused.stderr
