"""Status, pause, resume and stop of running applications, with real processes and signals."""

import os
import re
import signal
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.request import urlopen

import pytest
from prometheus_client.parser import text_string_to_metric_families

from tests.monitoring_pages import read_page
from tests.spark.counting import expected, produce, visible, words
from tests.spark.operations.deployed import PATIENCE_S, Deployment, deployment

pytestmark = pytest.mark.spark


@pytest.fixture
def deployed(address: str, topic: str, tmp_path: Path) -> Iterator[Deployment]:
    with deployment(address, topic, tmp_path) as deployed:
        yield deployed


def metrics(deployed: Deployment) -> dict[str, float]:
    """Return the metrics by name, summed over their labels. Checks both probes, too."""
    (address,) = re.findall(r"at (http://[0-9.:]+)/metrics", deployed.log())
    for probe in ("healthz", "readyz"):
        assert read_page(f"{address}/{probe}").status == 200
    families = list(text_string_to_metric_families(read_page(f"{address}/metrics").text))
    told: Counter[str] = Counter()
    for sample in (sample for family in families for sample in family.samples):
        assert sample.labels["pipeline"] == deployed.group
        told[sample.name] += sample.value
    return dict(told)


def by_member(lanes: list[dict[str, Any]]) -> dict[str | None, list[int]]:
    held: dict[str | None, list[int]] = {}
    for lane in lanes:
        held.setdefault(lane["member"], []).append(lane["partition"])
    return held


def lanes_of_members(deployed: Deployment) -> list[int]:
    """Return the number of lanes in each member's own status. The group's description changes earlier."""
    return [len(member["lanes"]) for one in deployed.status()["applications"] for member in one["members"]]


def test_pipeline_commands__pause_resume_and_stop__no_records_processed_while_paused_and_application_ends(
    deployed: Deployment, address: str, topic: str
) -> None:
    deployed.start("--group-instance-id", "host-a", "--threads", "2", "--metrics", "127.0.0.1:0", "--spark-ui")
    deployed.wait_for(lambda: lanes_of_members(deployed) == [2, 2])
    assert [len(held) for held in by_member(deployed.status()["lanes"]).values()] == [2, 2]
    produce(address, topic, words(0, 100))
    deployed.wait_for(lambda: metrics(deployed).get("tenure_pipeline_records_total") == 100)
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
    assert deployed.activity() == "paused paused"
    produce(address, topic, words(100, 150))
    assert sum(lane["lag"] for lane in deployed.status()["lanes"]) == 50
    assert visible(deployed.sink) == expected(words(0, 100))

    deployed("resume")
    deployed.wait_for(lambda: sum(lane["lag"] for lane in deployed.status()["lanes"]) == 0)
    deployed.wait_until("running caught up")
    told = deployed.run("status", deployed.reference).stdout
    assert "Application 'host-a' (process" in told
    assert "150 records, 150 rows since its start" in told

    deployed.wait_for(lambda: metrics(deployed).get("tenure_pipeline_lag_records") == 0)  # known after a rebalance
    told = metrics(deployed)
    assert told["tenure_pipeline_records_total"] == told["tenure_pipeline_rows_total"] == 150
    assert told["tenure_pipeline_members_joined"] == 2
    assert told["tenure_pipeline_state_rows"] == len({word for word, _ in words(0, 150)})

    (interface,) = re.findall(r"Spark web UI: (http://[0-9.:]+)", deployed.log())
    with urlopen(f"{interface}/StreamingQuery/", timeout=60) as page:
        assert deployed.group in page.read().decode()

    (stopped,) = deployed.json("stop", "--timeout", str(PATIENCE_S))
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


def test_restart__application_killed__restarted_until_stopped(deployed: Deployment, address: str, topic: str) -> None:
    produce(address, topic, words(0, 100))
    supervisor = deployed.start("--restart", "--group-instance-id", "host-a")

    def at_work(restarts: int) -> int:
        """Return the process of the application, once it has caught up."""
        for one in deployed.status()["applications"]:
            activity = {member["doing"] for member in one.get("members", ())}
            if one.get("restarts") == restarts and activity == {"caught up"}:
                return int(one["pid"])
        return 0

    os.kill(deployed.wait_for(lambda: at_work(0)), signal.SIGKILL)
    produce(address, topic, words(100, 200))
    deployed.wait_for(lambda: at_work(1))
    assert visible(deployed.sink) == expected(words(0, 200))
    assert "the application ended with signal SIGKILL; restarting it in 1 s" in deployed.log()

    supervisor.send_signal(signal.SIGTERM)
    assert deployed.ended() == 0
    assert deployed.status()["applications"] == []
