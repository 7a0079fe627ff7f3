"""`tenure handover`."""

from pathlib import Path

import pytest
from typer.testing import CliRunner

from tenure.broker.config.key_values import STANDARD_AUTHORIZER
from tests.command_line import app
from tests.serving import serving


def run(*arguments: str) -> tuple[int, str]:
    done = CliRunner().invoke(app, ["handover", *arguments, "--to", "kafka"])
    return done.exit_code, done.output


def test_handover__settings_of_kafka_and_of_tenure__those_of_tenure_written_as_comments(tmp_path: Path) -> None:
    with serving(tmp_path) as broker:
        broker.terminate()
        data = str(broker.data_directory)
    status, printed = run(
        data, "--listen", "127.0.0.1:9092", "--set", "group.max.size=7", "--set", "tenure.data.durability=fsync"
    )
    assert status == 0
    lines = printed.splitlines()
    assert {
        "node.id=1",
        f"log.dirs={data}",
        "listeners=PLAINTEXT://127.0.0.1:9092,CONTROLLER://127.0.0.1:9093",
        "advertised.listeners=PLAINTEXT://127.0.0.1:9092",
        "group.max.size=7",
        "offsets.topic.replication.factor=1",
        "# tenure.data.durability=fsync is a setting of Tenure; Apache Kafka has no equivalent",
    } <= set(lines)


def test_handover__settings_of_the_authorizer__copied_into_kafkas_configuration(tmp_path: Path) -> None:
    with serving(tmp_path) as broker:
        broker.terminate()
    settings = [
        f"authorizer.class.name={STANDARD_AUTHORIZER}",
        "super.users=User:admin",
        "allow.everyone.if.no.acl.found=true",
    ]
    status, printed = run(str(broker.data_directory), *(f"--set={setting}" for setting in settings))
    assert status == 0
    assert set(settings) <= set(printed.splitlines())


def test_handover__directory_of_another_node__refused_and_error_names_the_setting(tmp_path: Path) -> None:
    with serving(tmp_path, "node.id=7") as broker:
        broker.terminate()
    status, printed = run(str(broker.data_directory))
    assert (status, "belongs to node 7, not to node 1: set node.id=7" in printed) == (1, True), printed
    status, printed = run(str(broker.data_directory), "--set", "node.id=7")
    assert (status, "node.id=7" in printed.splitlines()) == (0, True), printed


def test_handover__broker_is_running__refused(tmp_path: Path) -> None:
    with serving(tmp_path) as broker:
        status, printed = run(str(broker.data_directory))
    assert (status, "in use" in printed) == (1, True), printed


def test_handover__no_data_directory__refused(tmp_path: Path) -> None:
    status, printed = run(str(tmp_path))
    assert (status, "is not a data directory" in printed) == (1, True)


def test_handover__metadata_log_of_an_earlier_release__error_with_the_remedy(tmp_path: Path) -> None:
    (tmp_path / "__cluster_metadata-0").mkdir()
    (tmp_path / "meta.properties").write_text("version=1\ncluster.id=abc\nnode.id=1\ntenure.format=1\n")
    status, printed = run(str(tmp_path))
    assert (status, "start this release once with the directory" in printed) == (1, True)


def test_handover__snapshot_of_the_metadata_log_missing__refused(tmp_path: Path) -> None:
    (tmp_path / "__cluster_metadata-0").mkdir()
    (tmp_path / "__cluster_metadata-0" / f"{10:020}.log").touch()
    (tmp_path / "__cluster_metadata-0" / "quorum-state").touch()
    (tmp_path / "meta.properties").write_text("version=1\ncluster.id=abc\nnode.id=1\n")
    status, printed = run(str(tmp_path))
    assert (status, "data of Apache Kafka: the metadata log: the log begins at offset 10" in printed) == (1, True), (
        printed
    )


@pytest.mark.parametrize("address", ["9093", "a b:1"])
def test_handover__invalid_controller__refused(address: str, tmp_path: Path) -> None:
    with serving(tmp_path) as broker:
        broker.terminate()
        status, printed = run(str(broker.data_directory), "--controller", address)
    assert (status, "--controller" in printed) == (1, True)
