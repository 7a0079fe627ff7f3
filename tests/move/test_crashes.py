"""Moves that are killed, or that lose requests and answers, copy every record once and in order."""

from __future__ import annotations

import asyncio
import subprocess
import sys
import threading
from pathlib import Path
from signal import SIGKILL

import pytest

from tenure.admin import Admin
from tenure.client import Producer, TopicPartition
from tenure.client.errors import UnknownTopic
from tenure.client.net.event_loop import run as run_async
from tenure.move.errors import MoveStopped
from tenure.move.rate_limit import RateLimit
from tenure.testing import Broker
from tests.move.conftest import SETTINGS
from tests.move.moving import move, moving, rows, write, write_transactions
from tests.serving import serving

pytestmark = pytest.mark.long

KILLS = (2, 3, 4, 6, 9, 12, 15, 21)
"""Changes of the target after which the runs end: before the first record, and between records and progress."""


def run(source: str, target: str, topic: str, kill_at: int) -> bool:
    """Run a move in a process; return whether it was killed."""
    command = [sys.executable, "-m", "tests.move.killed_move", source, target, topic, str(kill_at)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode in (0, -SIGKILL), done.stderr
    return done.returncode == -SIGKILL


def test_move__killed_at_many_steps_and_repeated__each_record_once_in_order(
    source: Broker, target: Broker, topic: str
) -> None:
    write(source.address, topic, range(3_000))
    killed = [run(source.address, target.address, topic, kill_at) for kill_at in KILLS]
    assert sum(killed) >= 6, "the runs ended before they were killed"
    with moving(source.address, target.address, topic) as moved:
        assert moved.are_equal()
    assert rows(target.address, topic) == rows(source.address, topic)


def test_move__killed_while_the_source_has_transactions__each_committed_record_once(
    source: Broker, target: Broker, topic: str
) -> None:
    write_transactions(source.address, topic, [("commit", 9), ("abort", 4), ("commit", 1)] * 40)
    killed = [run(source.address, target.address, topic, kill_at) for kill_at in (4, 7, 11)]
    assert any(killed), "the runs ended before they were killed"
    with moving(source.address, target.address, topic) as moved:
        assert moved.are_equal()
    assert len(rows(target.address, topic)) == 400


@pytest.mark.parametrize("api", ["Produce", "TxnOffsetCommit", "EndTxn", "OffsetCommit", "InitProducerId"])
@pytest.mark.parametrize("lost", ["request", "response"])
def test_move__requests_and_answers_lost__each_record_once_in_order(
    source: Broker, target: Broker, topic: str, api: str, lost: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tenure.move.copier.FETCH_BYTES", 4_000)
    monkeypatch.setattr("tenure.move.copier.CHECKPOINT_INTERVAL_S", 0.0)
    write(source.address, topic, range(500))
    source.commit(f"group-of-{topic}", {(topic, 0): 7})
    drop = target.drop_request if lost == "request" else target.drop_response
    fault = drop(api, client_id="tenure-move", times=2)
    with moving(source.address, target.address, topic) as moved:
        assert moved.are_equal()
    fault.end()
    assert fault.happened
    assert rows(target.address, topic) == rows(source.address, topic)
    assert target.committed(f"group-of-{topic}") == {(topic, 0): 7}


def test_move__produce_request_of_a_killed_process_arrives_late__each_record_once_in_order(
    source: Broker, target: Broker, topic: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The target processes a request of a killed process after the next process has begun."""
    monkeypatch.setattr("tenure.move.copier.FETCH_BYTES", 4_000)
    write(source.address, topic, range(1_000))
    run(source.address, target.address, topic, 6)
    late = target.delay("Produce", 0.2, client_id="tenure-move", times=4)
    assert run(source.address, target.address, topic, 5)
    move(source.address, target.address, topic)
    late.end()
    with moving(source.address, target.address, topic) as moved:
        assert moved.are_equal()
    assert rows(target.address, topic) == rows(source.address, topic)


def test_move__connection_lost_while_a_batch_waits_to_be_sent__each_record_once_in_order(
    source: Broker, target: Broker, topic: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Lose the connection while the batch has left its queue and is not sent yet."""
    monkeypatch.setattr("tenure.move.copier.FETCH_BYTES", 4_000)
    write(source.address, topic, range(500))
    take, turns = RateLimit.take, iter((False, True, False, True))

    async def take_and_cut(limit: RateLimit, size_bytes: int) -> None:
        await take(limit, size_bytes)
        if next(turns, False):
            target.cut_connections()
            await asyncio.sleep(0.1)  # Meanwhile the client notices the lost connection.

    monkeypatch.setattr(RateLimit, "take", take_and_cut)
    with moving(source.address, target.address, topic) as moved:
        assert moved.are_equal()
    assert next(turns, None) is None
    assert rows(target.address, topic) == rows(source.address, topic)


def test_move__other_producers_write_to_the_target__copies_stay_in_order(
    source: Broker, target: Broker, topic: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tenure.move.copier.FETCH_BYTES", 4_000)
    write(source.address, topic, range(1_000))
    run(source.address, target.address, topic, 8)
    target.produce(topic, [b"theirs"] * 10)
    with Producer(target.address) as other:
        other.send(topic, None, b"theirs", 0)
    with moving(source.address, target.address, topic) as moved:
        assert moved.are_equal()
    assert [row for row in rows(target.address, topic) if row[3] != b"theirs"] == rows(source.address, topic)


def test_move__both_brokers_killed_meanwhile__each_record_once_in_order(tmp_path: Path) -> None:
    (tmp_path / "source").mkdir()
    (tmp_path / "target").mkdir()
    with serving(tmp_path / "source") as source, serving(tmp_path / "target") as target:
        with Admin(source.address) as admin:
            admin.create_topics(["t"], partitions=3)
        write(source.address, "t", range(3_000))
        done: list[int] = []

        def restart_in_turns() -> None:
            for broker in (target, source, target):
                wait_for_records(target.address, 1 + sum(done))
                broker.kill()
                broker.start()
                done.append(400)

        restarting = threading.Thread(target=restart_in_turns)
        restarting.start()
        with moving(source.address, target.address, "t", bytes_per_second=60_000) as moved:
            restarting.join()
            assert moved.are_equal()
        assert len(done) == 3
        assert rows(target.address, "t") == rows(source.address, "t")


def wait_for_records(address: str, count: int) -> None:
    """Wait until the target has `count` records."""
    while True:
        try:
            if len(rows(address, "t")) >= count:
                return
        except UnknownTopic:
            pass  # it is created soon


def test_move__target_has_lost_acknowledged_records__stops_and_names_the_partition(source: Broker, topic: str) -> None:
    write(source.address, topic, range(60))
    with Broker(SETTINGS) as other:
        with moving(source.address, other.address, topic) as moved:
            copier = moved.move._copier
            assert copier is not None
            copy = copier.copies[TopicPartition(topic, 1)]
            copy.progress.runs.add(copy.progress.source_next, copy.progress.target_end, 5)
            copy.is_dirty = True
            run_async(copier.commit())
        with pytest.raises(
            MoveStopped, match=f"Target has lost records of {topic}-1: .* Delete topic '{topic}' at the target"
        ):
            move(source.address, other.address, topic)


def test_move__many_partitions__progress_is_committed_in_parts(
    source: Broker, target: Broker, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tenure.move.progress.PROGRESS_REQUEST_BYTES", 1_000)
    source.create_topic("many", partitions=60)
    write(source.address, "many", range(400))
    move(source.address, target.address, "many")
    with moving(source.address, target.address, "many") as again:
        assert again.move.totals.records == 0
        assert again.are_equal()
