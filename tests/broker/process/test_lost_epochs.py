"""A power failure that loses unsynced bytes of one log and not of another."""

import shutil
from pathlib import Path

import pytest

from tenure.protocol.errors import ErrorCode
from tenure.protocol.messages import FindCoordinatorRequest
from tests.broker.coordinators.test_transactions import NAME, Producer, committed_records, until_state
from tests.broker.handlers.test_topics import create
from tests.broker.wire import Wire
from tests.serving import serving

pytestmark = pytest.mark.long


@pytest.mark.parametrize("commit", [True, False])
def test_power_failure__producer_epochs_lost_but_their_markers_kept__next_transaction_can_end(
    tmp_path: Path, commit: bool
) -> None:
    log, lost = tmp_path / "broker" / "__transaction_state-0", tmp_path / "as the disk has it"
    settings = ("tenure.coordinator.durability=os", "transaction.state.log.num.partitions=1")
    with serving(tmp_path, *settings) as broker:
        with Wire(broker) as wire:
            assert create(wire, "accounts", 1) == 0
            wire.ask(FindCoordinatorRequest(key_type=1, coordinator_keys=[NAME]))
            end_one(wire, commit=True)
        for life in range(3):
            broker.kill()
            if life == 0:
                shutil.copytree(log, lost)
            broker.restart()
        with Wire(broker) as wire:
            end_one(wire, commit=True)
        broker.kill()
        shutil.rmtree(log)
        lost.rename(log)
        (tmp_path / "broker" / ".boot").write_text("another life of the machine")
        broker.restart()
        with Wire(broker) as wire:
            end_one(wire, commit=commit)
            seen, aborted = committed_records(wire)
            assert (len(seen), len(aborted)) == (3, 0 if commit else 1)


def end_one(wire: Wire, *, commit: bool) -> None:
    """End a transaction. Its first record may be refused until the producer's epoch exceeds the remembered one."""
    producer = Producer(wire)
    while (error_code := producer.produce(0)) == ErrorCode.INVALID_PRODUCER_EPOCH:
        producer = Producer(wire)
    assert error_code == 0
    assert producer.end(commit=commit) == 0
    until_state(wire, "CompleteCommit" if commit else "CompleteAbort")
