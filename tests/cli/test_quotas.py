"""Commands `tenure quotas ...`, and librdkafka with a quota."""

import json
import threading
from pathlib import Path

import pytest
from confluent_kafka import Producer
from typer.testing import CliRunner

from tests.command_line import app
from tests.serving import serving


def tenure(*arguments: str) -> tuple[int, str]:
    done = CliRunner().invoke(app, [*arguments], catch_exceptions=False)
    return done.exit_code, done.stdout + done.stderr


def test_quotas_command__quotas_of_every_kind_of_entity__set_listed_and_removed(tmp_path: Path) -> None:
    with serving(tmp_path, options=("--memory",)) as broker:
        at = ("-b", broker.address)
        rate = ("--quota", "producer_byte_rate=1048576", "--quota", "request_percentage=12.5")
        assert tenure("quotas", "set", "--user", "alice", "--client-id", "c", *rate, *at) == (
            0,
            "Set producer_byte_rate, request_percentage of user 'alice' and client-id 'c'.\n",
        )
        assert tenure("quotas", "set", "--default-user", "--quota", "controller_mutation_rate=5", *at)[0] == 0
        assert tenure("quotas", "set", "--ip", "10.0.0.7", "--quota", "connection_creation_rate=3", *at)[0] == 0
        rows = [
            "USER\tCLIENT-ID\tIP\tQUOTA\tVALUE",
            "(default)\t-\t-\tcontroller_mutation_rate\t5",
            "-\t-\t10.0.0.7\tconnection_creation_rate\t3",
            "alice\tc\t-\tproducer_byte_rate\t1048576",
            "alice\tc\t-\trequest_percentage\t12.5",
        ]
        assert tenure("quotas", "list", *at) == (0, "\n".join(rows) + "\n")
        remove = ("quotas", "remove", "--user", "alice", "--client-id", "c", "--quota", "producer_byte_rate", *at)
        assert tenure(*remove) == (0, "Removed producer_byte_rate of user 'alice' and client-id 'c'.\n")
        status, said = tenure(*remove)
        assert status == 1
        assert "There is no producer_byte_rate of user 'alice' and client-id 'c'" in said
        listed = json.loads(tenure("quotas", "list", "--json", *at)[1])
        assert {"entity": {"user": None}, "key": "controller_mutation_rate", "value": 5.0} in listed
        assert len(listed) == 3


@pytest.mark.parametrize(
    ("arguments", "status", "why"),
    [
        (["set", "--quota", "request_percentage=1"], 2, "A quota needs --user, --client-id or --ip"),
        (["set", "--user", "a", "--default-user", "--quota", "x=1"], 2, "exclude each other"),
        (["set", "--user", "a", "--quota", "request_percentage"], 2, "has no number"),
        (["set", "--user", "a", "--quota", "no_such=1"], 1, "unknown quota 'no_such'"),
        (["set", "--user", "a", "--quota", "producer_byte_rate=-1"], 1, "must be greater than 0"),
    ],
)
def test_quotas_command__invalid_arguments__error_of_one_sentence(
    arguments: list[str], status: int, why: str, tmp_path: Path
) -> None:
    with serving(tmp_path, options=("--memory",)) as broker:
        code, said = tenure("quotas", *arguments, "-b", broker.address)
    assert (code, said.count("\n")) == (status, 1), said
    assert why in said


def test_librdkafka_producer__above_its_quota__throttle_time_reported(tmp_path: Path) -> None:
    throttle_times: list[float] = []
    has_been_told = threading.Event()

    def throttled(event: object) -> None:
        throttle_times.append(event.throttle_time)  # type: ignore[attr-defined]
        if event.throttle_time > 0:  # type: ignore[attr-defined]
            has_been_told.set()

    with serving(tmp_path, options=("--memory",)) as broker:
        at = ("-b", broker.address)
        assert tenure("quotas", "set", "--client-id", "loader", "--quota", "producer_byte_rate=5000", *at)[0] == 0
        producer = Producer(
            {"bootstrap.servers": broker.address, "client.id": "loader", "throttle_cb": throttled, "linger.ms": 0}
        )
        delivered: list[object] = []
        for _ in range(3):
            producer.produce("t", b"x" * 20_000, on_delivery=lambda error, _: delivered.append(error))
            producer.flush(30)
        while not has_been_told.is_set():
            producer.poll(1)
        assert delivered == [None] * 3
        assert max(throttle_times) > 0
