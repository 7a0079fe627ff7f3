"""Disks that are full during a transaction, its decision or its markers: its outcome is the same everywhere."""

from collections.abc import Iterator

import pytest

from tenure.protocol.errors import ErrorCode
from tenure.protocol.messages import FindCoordinatorRequest
from tenure.testing import Broker
from tests import wire
from tests.broker.coordinators.test_transactions import (
    NAME,
    Producer,
    committed_records,
    stable_offset,
    until_settled,
    until_state,
)
from tests.broker.handlers.test_records import Topic, values
from tests.forgetful import ForgetfulDisk, ForgetfulFiles

DURABILITY = {"tenure.data.durability": "os", "tenure.coordinator.durability": "os"}
DECISION_AND_MARKERS_BYTES = 600
"""More bytes than a decision and its markers need."""
RETRIABLE = {ErrorCode.COORDINATOR_NOT_AVAILABLE, ErrorCode.COORDINATOR_LOAD_IN_PROGRESS}


class Wire(wire.Wire):
    def __init__(self, broker: Broker) -> None:
        host, _, port = broker.address.rpartition(":")
        super().__init__(host, int(port))


@pytest.fixture
def disk() -> ForgetfulDisk:
    return ForgetfulDisk()


@pytest.fixture
def broker(disk: ForgetfulDisk) -> Iterator[Broker]:
    broker = Broker({"transaction.state.log.num.partitions": 1, **DURABILITY})
    broker._files = ForgetfulFiles(disk)
    with broker:
        broker.create_topic("accounts", 2)
        with Wire(broker) as wire:
            find = FindCoordinatorRequest(key_type=1, coordinator_keys=[NAME])
            assert wire.ask(find).coordinators[0].error_code == 0
        yield broker
        disk.free_bytes = None


def end_when_possible(producer: Producer, *, commit: bool) -> int:
    return int(until_settled(lambda: producer.end(commit=commit), lambda code: (code in RETRIABLE and 51) or code))


def test_produce__disk_full_in_the_middle_of_a_transaction__refused_and_transaction_aborted(
    disk: ForgetfulDisk, broker: Broker
) -> None:
    with Wire(broker) as wire:
        producer = Producer(wire)
        assert producer.produce(0) == 0
        assert producer.commit_offset(7) == 0
        disk.free_bytes = 10
        assert producer.produce(1) == ErrorCode.KAFKA_STORAGE_ERROR
        assert values(Topic(wire, "accounts").fetch(0).records) == [(0, "v")]
        assert committed_records(wire) == ([], [])
        disk.free_bytes = None
        assert producer.end(commit=False) == 0
        until_state(wire, "CompleteAbort")
        assert committed_records(wire) == ([0], [0])
        assert stable_offset(wire) == (0, -1)
        assert producer.produce(0) == 0
        assert producer.end(commit=True) == 0
        until_state(wire, "CompleteCommit")
        assert committed_records(wire)[0] == [0, 2]


@pytest.mark.long
@pytest.mark.parametrize("commit", [True, False])
def test_end_of_a_transaction__disk_full_after_some_markers__same_outcome_for_all_partitions(
    disk: ForgetfulDisk, broker: Broker, commit: bool
) -> None:
    """Decide for all partitions or none, whichever log is full: that of decisions, of records or of offsets."""
    with Wire(broker) as wire:
        producer = Producer(wire)
        outcomes = set()
        for turn, free_bytes in enumerate(range(0, DECISION_AND_MARKERS_BYTES, 60)):
            assert producer.produce(0, 0) == 0
            assert producer.produce(0, 1) == 0
            assert producer.commit_offset(turn) == 0
            disk.free_bytes = free_bytes
            answer = producer.end(commit=commit)
            outcomes.add(answer)
            assert len(values(Topic(wire, "accounts").fetch(0).records)) > turn, "reads go on"
            disk.free_bytes = None
            if answer:
                assert answer in RETRIABLE
                assert end_when_possible(producer, commit=commit) == 0
            until_state(wire, "CompleteCommit" if commit else "CompleteAbort")
            for partition in (0, 1):
                seen, skipped = committed_records(wire, partition)
                assert len(seen) == turn + 1
                assert len(skipped) == (0 if commit else turn + 1)
            assert stable_offset(wire) == (0, turn if commit else -1)
        assert outcomes >= {0, ErrorCode.COORDINATOR_NOT_AVAILABLE}
