"""Moves of logs that are compacted, truncated or deleted meanwhile; and of clusters with TLS and SASL."""

from __future__ import annotations

import logging
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from typer.testing import CliRunner

from tenure.admin import Admin
from tenure.client import TopicPartition
from tenure.move.errors import MoveStopped
from tenure.protocol.messages import DeleteRecordsPartition, DeleteRecordsRequest, DeleteRecordsTopic
from tenure.protocol.types import PartitionId, TopicName
from tenure.testing import Broker
from tests.command_line import app
from tests.move.conftest import SETTINGS
from tests.move.moving import moving, offsets_by_value, rows, write, write_transactions
from tests.move.test_crashes import run
from tests.wire import Wire

FREQUENT_COMPACTION = {"log.cleaner.backoff.ms": "20", "log.cleaner.min.cleanable.ratio": "0.01"}
COMPACTED = {"cleanup.policy": "compact", "segment.bytes": "1048576", "segment.ms": "50"}
PATIENCE_S = 60.0


@pytest.fixture(scope="module")
def cleaning(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Broker]:
    with Broker(SETTINGS | FREQUENT_COMPACTION, directory=tmp_path_factory.mktemp("cleaning") / "data") as broker:
        yield broker


def write_until_compacted(broker: Broker, topic: str, first: int) -> int:
    """Write records until compaction removes one of them; return the number of the next one."""
    give_up_at, number = time.monotonic() + PATIENCE_S, first
    before = len(rows(broker.address, topic))
    while len(rows(broker.address, topic)) == before + number - first:
        assert time.monotonic() < give_up_at, "the topic is not compacted"
        write(broker.address, topic, range(number, number + 60))
        number += 60
    return number


def test_move__source_topic_compacted__each_record_once_and_commits_point_to_the_same_records(
    cleaning: Broker, target: Broker
) -> None:
    cleaning.create_topic("compacted", 1, COMPACTED)
    number = write_until_compacted(cleaning, "compacted", 0)
    assert run(cleaning.address, target.address, "compacted", 5)
    write_until_compacted(cleaning, "compacted", number)  # removes originals of copies before the move continues
    with moving(cleaning.address, target.address, "compacted") as moved:
        assert moved.plan.topics[0].is_compacted
        assert moved.are_equal()
        originals = offsets_by_value(cleaning.address, "compacted")
        copies = offsets_by_value(target.address, "compacted")
        for (partition, value), offset in originals.items():
            assert moved.translate(TopicPartition("compacted", partition), offset) == copies[partition, value]
    values = [row[3] for row in rows(target.address, "compacted")]
    assert len(values) == len(set(values)), "no record is copied twice"


def test_move__source_deletes_records_before_they_are_copied__continues_at_the_new_log_start(
    source: Broker, target: Broker, topic: str, caplog: pytest.LogCaptureFixture
) -> None:
    write(source.address, topic, range(300))
    with moving(source.address, target.address, topic) as moved:
        before = rows(target.address, topic)
        write(source.address, topic, range(300, 600))
        delete_records(source, topic)
        source.produce(topic, [b"after"], partition=0)
        with caplog.at_level(logging.WARNING, "tenure.move"):
            moved.pass_again()
        assert moved.move.totals.skipped_offsets == 300
    assert [row[3] for row in rows(target.address, topic) if row not in before] == [b"after"]
    assert "before they were copied; copying continues at the first offset" in caplog.text


@pytest.mark.parametrize("transactions", [[("commit", 90)], [("commit", 1), ("abort", 1)] * 45])
def test_verify__target_has_deleted_the_first_copies__remaining_copies_are_compared(
    source: Broker, target: Broker, topic: str, transactions: list[tuple[str, int]], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tenure.move.copied_runs.RUNS_MAX", 4)
    write_transactions(source.address, topic, transactions)
    with moving(source.address, target.address, topic) as moved:
        delete_records(target, topic, 0, before=20)
        assert moved.are_equal()
        delete_records(source, topic, 0, before=50)
        assert moved.are_equal()
        delete_records(target, topic)
        assert moved.are_equal()


def test_move__topic_deleted_at_the_source__stops_and_names_the_topic(
    source: Broker, target: Broker, topic: str
) -> None:
    write(source.address, topic, range(30))
    with moving(source.address, target.address, topic) as moved:
        write(source.address, topic, range(30, 60))
        with Admin(source.address) as admin:
            admin.delete_topics([topic])
        with pytest.raises(MoveStopped, match=f"A topic was deleted during the move: Unknown topic '{topic}'"):
            moved.pass_again()


def test_move__clusters_with_sasl_ssl__topics_and_acls_copied(tmp_path: Path) -> None:
    authorizer = {"authorizer.class.name": "org.apache.kafka.metadata.authorizer.StandardAuthorizer"}
    with (
        Broker({**authorizer, "super.users": "User:alice"}, security="SASL_SSL") as here,
        Broker({**authorizer, "super.users": "User:alice"}, security="SASL_SSL") as there,
    ):
        here.create_topic("secured")
        here.produce("secured", [b"secret"])
        files = [properties(tmp_path / name, broker) for name, broker in (("here", here), ("there", there))]
        allow = ["acls", "add", "--user", "bob", "--operation", "READ", "--topic", "secured"]
        assert invoke(*allow, "-b", here.address, "--command-config", files[0]) == (0, "")
        command = ["move", "--to", there.address, "-b", here.address, "--command-config", files[0], "--watch", "0s"]
        assert invoke(*command, "--remote-config", files[1], "--verify") == (0, "")
        assert [row[3] for row in there.records("secured")] == [b"secret"]
        listed = CliRunner().invoke(app, ["acls", "list", "-b", there.address, "--command-config", files[1]])
        assert "User:bob" in listed.stdout
        status, error = invoke(*command, "--remote-config", files[0])
        assert status == 1
        assert "authentication" in error.lower() or "certificate" in error.lower()


def invoke(*command: str) -> tuple[int, str]:
    done = CliRunner().invoke(app, list(command), catch_exceptions=False)
    return done.exit_code, done.stderr


def delete_records(broker: Broker, topic: str, *numbers: int, before: int = -1) -> None:
    """Delete records of some partitions or of all three, as retention does: those before an offset, or all (-1)."""
    host, _, port = broker.address.rpartition(":")
    partitions = [DeleteRecordsPartition(PartitionId(number), before) for number in numbers or range(3)]
    request = DeleteRecordsRequest([DeleteRecordsTopic(TopicName(topic), partitions)], 10_000)
    with Wire(host, int(port)) as wire:
        answer = wire.ask(request)
    assert {found.error_code for found in answer.topics[0].partitions} == {0}


def properties(file: Path, broker: Broker) -> str:
    settings = broker.credentials().librdkafka
    file.write_text("".join(f"{key}={value}\n" for key, value in settings.items()))
    return str(file)
