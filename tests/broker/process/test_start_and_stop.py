"""Start, refused start, and stop of `tenure serve`."""

import os
import resource
import signal
import socket
import subprocess
import sys
from pathlib import Path

import pytest

from tenure.protocol.errors import ErrorCode
from tenure.protocol.messages import (
    FetchPartition,
    FetchRequest,
    FetchTopic,
    HeartbeatRequest,
    MetadataRequest,
    MetadataRequestTopic,
    SyncGroupRequest,
    SyncGroupRequestAssignment,
)
from tenure.protocol.types import GenerationId, GroupId, InstanceId, MemberId, PartitionId, TopicName
from tests.broker.server.test_connections import join, until_it_rebalances
from tests.broker.wire import Wire
from tests.serving import serving

pytestmark = pytest.mark.long


def start(*arguments: str | Path, environment: dict[str, str] | None = None) -> tuple[int, str]:
    """Start a broker that must fail; return its exit status and the last line on standard error."""
    command = [sys.executable, "-m", "tenure", "serve", *map(str, arguments)]
    done = subprocess.run(
        command, capture_output=True, text=True, timeout=100, env={**os.environ, **(environment or {})}
    )
    assert done.stdout == ""
    return done.returncode, done.stderr.splitlines()[-1]


def test_start__port_in_use__refused_with_the_remedy(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        status, said = start(tmp_path / "data", "--listen", f"127.0.0.1:{port}")
    assert status == 1
    assert said == (
        f"tenure: port {port} of 127.0.0.1 is in use: stop the process that uses it, or name another port with --listen"
    )


def test_start__data_directory_in_use__names_the_process(tmp_path: Path) -> None:
    with serving(tmp_path) as broker:
        status, said = start(tmp_path / "broker", "--listen", "127.0.0.1:0")
        assert status == 1
        assert f"is in use by process {broker.pid}" in said


def test_start__data_directory_has_files_of_another_program__refused(tmp_path: Path) -> None:
    (tmp_path / "holiday.jpg").write_bytes(b"")
    status, said = start(tmp_path, "--listen", "127.0.0.1:0")
    assert status == 1
    assert "is not a data directory" in said
    assert "holiday.jpg" in said


def test_start__data_directory_of_another_format_version__refused(tmp_path: Path) -> None:
    (tmp_path / "meta.properties").write_text("version=1\ncluster.id=abc\ntenure.format=99\n")
    status, said = start(tmp_path, "--listen", "127.0.0.1:0")
    assert status == 1
    assert "format version 99" in said


def test_start__data_directory_is_a_file__refused(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    status, said = start(tmp_path / "file", "--listen", "127.0.0.1:0")
    assert status == 1
    assert "cannot be used" in said


def test_start__listen_address_is_not_loopback__refused_and_error_names_the_insecure_option(tmp_path: Path) -> None:
    status, said = start(tmp_path, "--listen", "0.0.0.0:0")
    assert status == 1
    assert "--insecure" in said


@pytest.mark.parametrize("listen", ["9092", "localhost:http", "127.0.0.1:70000"])
def test_start__invalid_listener__refused(listen: str) -> None:
    status, said = start("--memory", "--listen", listen)
    assert status == 1
    assert listen in said


def test_start__metrics_host_name_begins_like_a_loopback_address__refused() -> None:
    status, said = start("--memory", "--listen", "127.0.0.1:0", "--metrics", "127.evil.com:9404")
    assert status == 1
    assert "127.evil.com is not a loopback address" in said


def test_start__advertised_address_that_clients_cannot_connect_to__refused() -> None:
    status, said = start(
        "--memory", "--listen", "127.0.0.1:0", "--set", "advertised.listeners=PLAINTEXT://0.0.0.0:9092"
    )
    assert status == 1
    assert "is not an address that clients can connect to" in said


def test_start__line_feed_in_a_setting__refused_in_one_line() -> None:
    status, said = start("--memory", "--set", "num.part\u2028itions\n12:00:00 INFO=3")
    assert status == 1
    assert "num.part\\u2028itions\\n12:00:00 INFO" in said


def test_start__unknown_setting__error_suggests_a_similar_key() -> None:
    status, said = start("--memory", "--listen", "127.0.0.1:0", "--set", "num.partition=3")
    assert status == 1
    assert said.endswith("did you mean 'num.partitions'?")


def test_start__invalid_value_of_a_setting__error_names_its_origin() -> None:
    status, said = start("--memory", "--listen", "127.0.0.1:0", environment={"TENURE_NUM_PARTITIONS": "many"})
    assert status == 1
    assert "Invalid setting 'num.partitions' (environment variable TENURE_NUM_PARTITIONS): must be an integer" in said


def test_start__setting_of_kafka_without_effect__one_warning_line(tmp_path: Path) -> None:
    with serving(tmp_path, "num.io.threads=3", options=("--memory",)) as broker:
        assert [line for line in broker.log.splitlines() if "num.io.threads" in line and "has no effect" in line]


def test_advertised_listeners__set__metadata_has_this_address(tmp_path: Path) -> None:
    told = "advertised.listeners=PLAINTEXT://broker.example:1234"
    with serving(tmp_path, told, options=("--memory",)) as broker, Wire(broker) as wire:
        (node,) = wire.ask(MetadataRequest([])).brokers
        assert (node.host, node.port) == ("broker.example", 1234)


def test_sigterm__no_requests__clean_stop_and_no_recovery_at_the_next_start(tmp_path: Path) -> None:
    with serving(tmp_path) as broker:
        assert broker.terminate() == 0
        assert (tmp_path / "broker" / ".kafka_cleanshutdown").exists()
        broker.start()
        assert not (tmp_path / "broker" / ".kafka_cleanshutdown").exists()


def test_sigint__no_requests__clean_stop(tmp_path: Path) -> None:
    with serving(tmp_path, options=("--memory",)) as broker:
        broker.signal(signal.SIGINT)
        assert broker.wait() == 0


def test_sigterm__requests_are_parked__answered_before_the_stop(tmp_path: Path) -> None:
    """Answer a parked fetch with its records, and a parked member with an error of its coordinator (rule 6.5.5)."""
    with serving(tmp_path, "num.partitions=1") as broker:
        with Wire(broker) as leader, Wire(broker) as member, Wire(broker) as reader:
            topic = MetadataRequestTopic(name=TopicName("t"))
            topic_id = reader.ask(MetadataRequest([topic])).topics[0].topic_id
            reader.send(FetchRequest(max_wait_ms=60_000, min_bytes=1, topics=[fetched(topic_id)]))
            seat = leader.ask(join("g", "a"))
            member.send(join("g", "b"))
            until_it_rebalances(leader, "g", "a", seat)
            assert reader.is_parked()
            assert member.is_parked()
            broker.signal(signal.SIGTERM)
            assert reader.receive().responses[0].partitions[0].error_code == ErrorCode.NONE
            assert member.receive().error_code == ErrorCode.NOT_COORDINATOR
            assert reader.is_closed()
        assert broker.wait() == 0


def fetched(topic_id: bytes) -> FetchTopic:
    return FetchTopic(topic_id=topic_id, partitions=[FetchPartition(PartitionId(0), partition_max_bytes=1 << 20)])


def sync(member_id: str) -> SyncGroupRequest:
    mine = SyncGroupRequestAssignment(MemberId(member_id), b"")
    return SyncGroupRequest(
        GroupId("g"), GenerationId(1), MemberId(member_id), None, "consumer", "range", assignments=[mine]
    )


def test_heartbeat__broker_restarted__static_member_keeps_its_seat(tmp_path: Path) -> None:
    with serving(tmp_path) as broker:
        with Wire(broker) as wire:
            seat = wire.ask(join("g", "a"))
            assert wire.ask(sync(seat.member_id)).error_code == ErrorCode.NONE
        broker.restart()
        beat = HeartbeatRequest(GroupId("g"), GenerationId(1), MemberId(seat.member_id), InstanceId("a"))
        with Wire(broker) as wire:
            assert wire.ask(beat).error_code == ErrorCode.NONE


def test_start__soft_limit_of_open_files_is_low__raised_to_the_hard_limit(tmp_path: Path) -> None:
    """Raise the limit of open files to what the system allows: each log and each connection needs one."""
    before = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (before[0] - 1, before[1]))
    try:
        with serving(tmp_path, options=("--memory",)) as broker:
            assert resource.prlimit(broker.pid, resource.RLIMIT_NOFILE) == (before[1], before[1])
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, before)
