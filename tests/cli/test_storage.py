"""`tenure storage check` and `repair` on the data directory of a real broker."""

import json
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner, Result

from tenure.protocol.batches import encode_batch, read_batches
from tenure.protocol.coordinator_logs.consumer_offsets import GroupMetadataKey, encode_key
from tenure.protocol.errors import ErrorCode
from tenure.protocol.messages import InitProducerIdRequest
from tenure.protocol.records import Record
from tenure.protocol.types import GroupId
from tests.broker.handlers.test_records import Topic, batch, values
from tests.broker.handlers.test_topics import create, described
from tests.broker.process.test_crash import commit, committed
from tests.broker.process.test_missing_data import refusal
from tests.broker.wire import Wire
from tests.command_line import app
from tests.serving import Serving, serving

pytestmark = pytest.mark.long

LOG = f"{0:020d}.log"
LATER_VERSION = b"\0\x63"
"""Value of a record, version 99."""


def run(*arguments: str | Path) -> Result:
    return CliRunner().invoke(app, ["storage", *map(str, arguments)], catch_exceptions=False)


def found(directory: Path) -> list[dict[str, Any]]:
    done = run("check", directory, "--json")
    findings: list[dict[str, Any]] = json.loads(done.stdout)["findings"]
    assert done.exit_code == bool(findings)
    return findings


def contents(directory: Path) -> dict[str, tuple[bytes | None, int]]:
    return {
        str(path.relative_to(directory)): (path.read_bytes() if path.is_file() else None, path.stat().st_mtime_ns)
        for path in directory.rglob("*")
    }


def log_megabytes(directory: Path) -> float:
    return sum(log.stat().st_size for log in directory.glob("*/*.log")) / 1e6


@pytest.fixture
def data(tmp_path: Path) -> Path:
    return tmp_path / "broker"


@pytest.fixture
def broker(tmp_path: Path) -> Iterator[Serving]:
    """Yield a broker with three records in each partition of t, and a group with offset 3 of t-1."""
    with serving(tmp_path, "num.partitions=2", "tenure.data.durability=fsync") as broker:
        with Wire(broker) as wire:
            topic = Topic(wire, "t")
            for partition in (0, 1):
                for value in "abc":
                    topic.produce(batch(value), partition=partition)
            assert commit(topic, "g", 3) == ErrorCode.NONE
        yield broker


def test_storage_check_and_repair__broker_runs__refused(broker: Serving, data: Path) -> None:
    for command in (["check", data], ["repair", data, "--all"]):
        done = run(*command)
        assert (done.exit_code, done.stdout) == (1, "")
        assert f"is in use by process {broker.pid}: stop that process" in done.stderr


@pytest.mark.parametrize("command", [["check"], ["repair", "--all"]])
def test_storage_check_and_repair__no_data_directory__refused_and_nothing_created(
    tmp_path: Path, command: list[str]
) -> None:
    done = run(*command, tmp_path)
    assert done.exit_code == 1
    assert "is not a data directory: its meta.properties cannot be read" in done.stderr
    assert list(tmp_path.iterdir()) == []


def test_storage_check__data_directory_complete__exit_status_0(broker: Serving, data: Path) -> None:
    for stop in (broker.terminate, broker.kill):
        stop()
        done = run("check", data)
        ending = "not stopped cleanly" if stop == broker.kill else "stopped cleanly"
        assert done.exit_code == 0
        levels = "group.version 1, metadata.version 30, streams.version 1, transaction.version 2"
        numbers = "2 topics, 52 partitions, 1 group, 1 committed offset"
        none = "0 transactional ids, 0 users, 0 ACLs, 0 quotas"
        assert done.stdout.splitlines() == [
            f"Last broker: Tenure, {ending}. Feature levels: {levels}.",
            f"Contents: {numbers}, {none}, {log_megabytes(data):.1f} MB of logs.",
        ]
        assert (
            f"Apache Kafka starts with the properties that `tenure handover {data} --to kafka` prints." in done.stderr
        )
        assert done.stderr.endswith(f"Tenure starts: {data} is complete.\n")
        broker.start()


def test_storage_check__data_missing__lost_offsets_reported_and_nothing_changed(broker: Serving, data: Path) -> None:
    broker.terminate()
    shutil.rmtree(data / "t-0")
    (data / "t-1" / LOG).write_bytes(b"")
    before = contents(data)
    done = run("check", data)
    assert done.exit_code == 1
    _, _, _, *rows = [line.split("\t") for line in done.stdout.splitlines()]
    assert [row[0] for row in rows] == ["t-0", f"t-1/{LOG}"]
    assert {row[2] for row in rows} == {"offsets 0 to 2 are lost"}
    assert "2 findings: the broker does not start" in done.stderr
    assert "Apache Kafka does not report this loss" in done.stderr
    assert [(each["first_offset"], each["end_offset"]) for each in found(data)] == [(0, 3), (0, 3)]
    assert contents(data) == before


@pytest.mark.parametrize("name", ["t-1", "__consumer_offsets-*"])
def test_storage_check__record_batch_damaged__found_only_with_the_records_option(
    name: str, broker: Serving, data: Path
) -> None:
    broker.terminate()
    (log,) = [log for log in data.glob(f"{name}/*.log") if log.stat().st_size]
    written = bytearray(log.read_bytes())
    written[-1] ^= 1
    log.write_bytes(written)
    before = contents(data)
    assert run("check", data).exit_code == 0
    done = run("check", data, "--records")
    assert done.exit_code == 1
    assert f"{log} is damaged at byte" in done.stdout
    assert "Apache Kafka does not report this loss" in done.stderr
    assert contents(data) == before


def test_storage_check__record_of_a_later_version_in_a_groups_log__reported(broker: Serving, data: Path) -> None:
    broker.terminate()
    (log,) = [log for log in data.glob("__consumer_offsets-*/*.log") if log.stat().st_size]
    *_, last = read_batches(log.read_bytes())
    key = encode_key(GroupMetadataKey(GroupId("later")))
    with log.open("ab") as file:
        file.write(encode_batch([Record(0, 0, key, LATER_VERSION)], base_offset=last.last_offset + 1))
    done = run("check", data)
    assert done.exit_code == 1
    assert f"refuses requests for the groups or transactional ids in {log.parent.name}: the record at" in done.stderr
    assert "Tenure starts: " not in done.stderr


@pytest.mark.parametrize(
    ("lost", "tenure", "kafka"),
    [
        ("t-0", "the directory of partition t-0, which had records", "begins the missing partitions without records"),
        (
            "__cluster_metadata-0",
            "the metadata log (__cluster_metadata-0): name",
            "does not start without its metadata log",
        ),
    ],
)
def test_storage_check__directory_of_apache_kafka_lacks_data__says_which_brokers_can_start(
    lost: str, tenure: str, kafka: str, broker: Serving, data: Path
) -> None:
    broker.terminate()
    (data / "__cluster_metadata-0" / "quorum-state").write_text("{}")
    (data / "replication-offset-checkpoint").write_text("0\n2\nt 0 3\nt 1 3\n")
    shutil.rmtree(data / lost)
    before = contents(data)
    done = run("check", data)
    assert done.exit_code == 1
    assert done.stdout.startswith("Last broker: Apache Kafka")
    assert f"{data} lacks data of Apache Kafka: {tenure}" in done.stderr
    assert f"tenure: Apache Kafka {'starts, and ' * (lost == 't-0')}{kafka}" in done.stderr
    assert "--force" not in done.stderr
    assert contents(data) == before


def test_storage_repair__accepted_findings_missing_contradictory_or_unknown__refused_and_nothing_changed(
    broker: Serving, data: Path
) -> None:
    broker.terminate()
    shutil.rmtree(data / "t-0")
    for options in ([], ["--accept", "t-0", "--all"], ["--accept", "t-7"]):
        assert run("repair", data, *options).exit_code == 2
    assert [each["object"] for each in found(data)] == ["t-0"]


@pytest.mark.parametrize("is_clean", [True, False])
def test_storage_repair__partition_directory_missing__log_continues_after_the_lost_offsets(
    broker: Serving, data: Path, is_clean: bool
) -> None:
    broker.terminate() if is_clean else broker.kill()
    shutil.rmtree(data / "t-1")
    done = run("repair", data, "--accept", "t-1")
    assert done.exit_code == 0
    goes_on = "at offset 3" if is_clean else "after the highest committed offset"
    assert f"Action: created again, without records; t-1 continues {goes_on}.\n" in done.stdout
    assert found(data) == []
    broker.start()
    with Wire(broker) as wire:
        topic = Topic(wire, "t")
        assert committed(topic, "g")[0] == 3
        assert topic.produce(batch("d"), partition=1).base_offset == 3
        assert values(topic.fetch(3, partition=1).records) == [(3, "d")]
        assert topic.fetch(0, partition=1).error_code == (ErrorCode.OFFSET_OUT_OF_RANGE if is_clean else 0)
        assert values(topic.fetch(0).records) == [(0, "a"), (1, "b"), (2, "c")]
        assert described(wire, "t").partitions[1].leader_epoch > 0
    broker.restart()


def test_storage_repair__log_shortened__lost_offsets_are_not_assigned_again(broker: Serving, data: Path) -> None:
    broker.terminate()
    log = data / "t-0" / LOG
    size = log.stat().st_size
    torn = log.read_bytes()[2 * size // 3 : -5]
    with log.open("r+b") as file:
        file.truncate(size - 5)
    assert [each["object"] for each in found(data)] == [f"t-0/{LOG}"]
    done = run("repair", data, "--all", "--json")
    assert done.exit_code == 0
    (accepted,) = json.loads(done.stdout)["accepted"]
    assert (accepted["lost"], accepted["first_offset"]) == ("offsets 2 to 2 are lost", 2)
    assert (data / "t-0" / f"{LOG}.damaged-{2 * size // 3}").read_bytes() == torn
    for _ in range(2):
        broker.start()
        with Wire(broker) as wire:
            topic = Topic(wire, "t")
            assert values(topic.fetch(0).records) == [(0, "a"), (1, "b")]
            assert topic.fetch(3).error_code == ErrorCode.NONE
        broker.kill()
    broker.start()
    with Wire(broker) as wire:
        topic = Topic(wire, "t")
        assert topic.produce(batch("d")).base_offset == 3
        assert values(topic.fetch(3).records) == [(3, "d")]


def test_storage_repair__log_of_one_groups_shard_missing__only_its_commits_are_lost(
    broker: Serving, data: Path
) -> None:
    broker.terminate()
    (log,) = data.glob("__consumer_offsets-*")
    shutil.rmtree(log)
    assert found(data)[0]["lost"].endswith("and with them committed offsets and members of groups")
    assert run("repair", data, "--accept", log.name).exit_code == 0
    broker.start()
    with Wire(broker) as wire:
        topic = Topic(wire, "t")
        assert committed(topic, "g")[0] == -1
        assert commit(topic, "g", 2) == ErrorCode.NONE
    broker.kill()
    broker.start()
    with Wire(broker) as wire:
        assert committed(Topic(wire, "t"), "g")[0] == 2


def test_storage_repair__metadata_log_missing__topics_created_again_from_their_directories(
    broker: Serving, data: Path
) -> None:
    with Wire(broker) as wire:
        producer_id = wire.ask(InitProducerIdRequest(None, 0), 5).producer_id
    broker.terminate()
    shutil.rmtree(data / "__cluster_metadata-0")
    assert [finding["object"] for finding in found(data)] == ["__cluster_metadata-0"]
    done = run("repair", data, "--all")
    assert "without settings: __consumer_offsets with 50 partitions, t with 2 partitions." in done.stdout
    assert found(data) == []
    broker.start()
    with Wire(broker) as wire:
        topic = Topic(wire, "t")
        assert values(topic.fetch(0).records) == [(0, "a"), (1, "b"), (2, "c")]
        assert committed(topic, "g")[0] == 3
        assert wire.ask(InitProducerIdRequest(None, 0), 5).producer_id > producer_id


@pytest.mark.parametrize("is_clean", [True, False])
def test_storage_repair__metadata_log_damaged__topics_restored_and_records_stay(
    broker: Serving, data: Path, is_clean: bool
) -> None:
    with Wire(broker) as wire:
        assert create(wire, "first", 1) == create(wire, "unused", 1) == create(wire, "last", 3) == 0
        for name in ("first", "last"):
            Topic(wire, name).produce(batch(name))
        producer_id = wire.ask(InitProducerIdRequest(None, 0), 5).producer_id
        topic_id = Topic(wire, "first").topic_id
    broker.terminate() if is_clean else broker.kill()
    log = data / "__cluster_metadata-0" / LOG
    content = bytearray(log.read_bytes())
    for name in (b"first", b"unused"):
        content[content.index(name)] ^= 1
    log.write_bytes(content)

    refusals = [refusal(broker) for _ in range(2)]
    assert "`tenure storage repair`" in refusals[0]
    assert refusals[0].splitlines()[-1] == refusals[1].splitlines()[-1]
    findings = found(data)
    assert [finding["object"].partition(":")[0] for finding in findings] == [f"__cluster_metadata-0/{LOG}"] * len(
        findings
    )
    assert all("and with them topics" in finding["lost"] for finding in findings)
    done = run("repair", data, "--all")
    assert done.exit_code == 0
    assert "topics are created again from their directories, without settings: first with 1 partition" in done.stdout
    assert list(log.parent.glob("*.damaged-*"))

    for _ in range(2):
        broker.start()
        with Wire(broker) as wire:
            for name in ("first", "last"):
                topic = Topic(wire, name)
                assert values(topic.fetch(0).records) == [(0, name)]
            assert topic_id == Topic(wire, "first").topic_id
            assert len(described(wire, "last").partitions) == 3
            assert values(Topic(wire, "t").fetch(0).records) == [(0, "a"), (1, "b"), (2, "c")]
            assert committed(Topic(wire, "t"), "g")[0] == 3
            assert wire.ask(InitProducerIdRequest(None, 0), 5).producer_id > producer_id
        broker.terminate()
        assert found(data) == []
