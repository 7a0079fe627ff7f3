"""What people do with an application that runs: look at it, pause it, stop it. Real processes, real signals."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.spark.counting import expected, produce, visible, words
from tests.spark.deployed import Deployment, deployment

pytestmark = pytest.mark.spark


@pytest.fixture
def deployed(address: str, topic: str, tmp_path: Path) -> Iterator[Deployment]:
    with deployment(address, topic, tmp_path) as deployed:
        yield deployed


def test_application__paused_resumed_and_stopped_from_outside__each_does_what_it_says(
    deployed: Deployment, address: str, topic: str
) -> None:
    produce(address, topic, words(0, 100))
    deployed.start("--group-instance-id", "host-a", "--threads", "2")
    deployed.wait_until("running caught up")
    status = deployed.status()
    (application,) = status["applications"]
    assert application["totals"]["records"] == application["totals"]["rows"] == 100
    assert sum(lane["committed"] for lane in status["lanes"]) == 100
    assert {lane["lag"] for lane in status["lanes"]} == {0}

    assert (
        deployed("pause")
        == f"Application 'host-a' of '{deployed.group}' (process {deployed.started[0].pid}) was paused.\n"
    )
    assert deployed.doing() == "paused paused"
    produce(address, topic, words(100, 150))
    assert sum(lane["lag"] for lane in deployed.status()["lanes"]) == 50
    assert visible(deployed.sink) == expected(words(0, 100))

    deployed("resume")
    deployed.wait_for(lambda: sum(lane["lag"] for lane in deployed.status()["lanes"]) == 0)
    deployed.wait_until("running caught up")
    told = deployed.run("status", deployed.reference).stdout
    assert "Application 'host-a' (process" in told
    assert "150 records, 150 rows since its start" in told

    (stopped,) = deployed.json("stop")
    assert stopped["done"]
    assert deployed.ended() == 0
    assert visible(deployed.sink) == expected(words(0, 150))
    status = deployed.status()
    assert status["applications"] == []
    assert [one["group_instance_id"] for one in status["group"]["members"]] == ["host-a-thread-1", "host-a-thread-2"]

    row = deployed("instances").splitlines()[1].split("\t")
    assert row[:3] == ["host-a", "2", "4"]
    assert deployed("instances", "--remove", "host-a").count("Removed instance 'host-a-thread-") == 2
    assert deployed.status()["group"]["members"] == []
