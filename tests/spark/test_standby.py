"""Applications that stand by: who takes over from whom, and when."""

from pathlib import Path

import pytest

from tests.spark.counting import expected, produce, visible, words
from tests.spark.deployed import Deployment, deployment, kill_group

pytestmark = pytest.mark.spark


def generation(deployed: Deployment, number: int) -> int:
    """That the application's member knows, which is the group's."""
    (application,) = [one for one in deployed.status()["applications"] if one["pid"] == deployed.started[number].pid]
    (member,) = application["members"]
    return int(member["generation_id"])


def test_standby__the_application_on_its_host_is_killed__takes_its_seats_and_nobody_rebalances(
    address: str, topic: str, tmp_path: Path
) -> None:
    with deployment(address, topic, tmp_path) as deployed:
        produce(address, topic, words(0, 100))
        options = ("--standby", "--group-instance-id", "host-a", "--session-timeout-ms", "600000")
        deployed.start(*options)
        deployed.wait_until("running caught up")  # Nobody had the seats.
        deployed.start(*options)
        deployed.wait_until("standing by", 1)
        before = generation(deployed, 0)

        kill_group(deployed.started[0])
        produce(address, topic, words(100, 200))
        deployed.wait_until("running caught up", 1)
        deployed.wait_for(lambda: visible(deployed.sink) == expected(words(0, 200)))
        assert generation(deployed, 1) == before
        assert "taking over: the application on this host has ended" in deployed.log(1)
        deployed("stop")
        assert deployed.ended(1) == 0


def test_standby__the_application_on_another_host_is_lost__takes_its_seats_when_its_session_has_ended(
    address: str, topic: str, tmp_path: Path
) -> None:
    with deployment(address, topic, tmp_path) as elsewhere, deployment(address, topic, tmp_path) as here:
        produce(address, topic, words(0, 100))
        options = ("--group-instance-id", "host-a", "--session-timeout-ms", "6000", "--heartbeat-interval-ms", "500")
        elsewhere.start(*options)
        elsewhere.wait_until("running caught up")
        here.start("--standby", *options)
        here.wait_until("standing by")

        kill_group(elsewhere.started[0])
        produce(address, topic, words(100, 200))
        here.wait_for(lambda: visible(here.sink) == expected(words(0, 200)))
        assert "taking over: nobody has its seats" in here.log()


def test_standby__is_stopped_while_it_stands_by__ends_quietly(address: str, topic: str, tmp_path: Path) -> None:
    with deployment(address, topic, tmp_path) as deployed:
        deployed.start("--group-instance-id", "host-a")
        deployed.wait_until("running caught up")
        standby = deployed.start("--standby", "--group-instance-id", "host-a")
        deployed.wait_until("standing by", 1)
        standby.terminate()
        assert deployed.ended(1) == 0
        assert deployed.doing() == "running caught up"


def test_standby__without_an_instance_id__is_refused(address: str, topic: str, tmp_path: Path) -> None:
    with deployment(address, topic, tmp_path) as deployed:
        refused = deployed.run("run", deployed.reference, "--standby")
        assert refused.exit_code == 2
        assert "give the one to stand by for" in refused.stderr
