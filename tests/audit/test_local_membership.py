"""Positions of an audit are kept in a file, and only one process can write them."""

from __future__ import annotations

from pathlib import Path

import pytest

from tenure.audit.audit_directory import AuditDirectory
from tenure.audit.local_membership import LocalMembership
from tenure.audit.positions import positions_in
from tenure.pipeline.errors import Code, PipelineStopped
from tenure.pipeline.values.lanes import Writer
from tenure.pipeline.values.membership import CommitOutcome
from tenure.values import Assigned, OffsetAndMetadata, TopicPartition

PARTITIONS = [TopicPartition("__consumer_offsets", number) for number in range(3)]
POSITION = OffsetAndMetadata(7, "tenure1:pointer", 2)


def started_membership(directory: Path) -> tuple[LocalMembership, Writer]:
    membership = LocalMembership(positions_in(AuditDirectory.at(directory)), PARTITIONS)
    membership.start()
    (event,) = membership.poll(0.0)
    assert isinstance(event, Assigned)
    assert list(event.partitions) == PARTITIONS
    return membership, Writer.of(event.identity)


def test_local_membership__process_starts_again__committed_positions_read_again(tmp_path: Path) -> None:
    membership, writer = started_membership(tmp_path)
    assert membership.commit({PARTITIONS[1]: POSITION}, writer).outcome is CommitOutcome.ACCEPTED
    membership.close()
    again, _ = started_membership(tmp_path)
    assert again.committed(PARTITIONS) == {PARTITIONS[0]: None, PARTITIONS[1]: POSITION, PARTITIONS[2]: None}
    again.close()


def test_local_membership__commit_of_an_earlier_generation__refused(tmp_path: Path) -> None:
    membership, writer = started_membership(tmp_path)
    membership.rejoin_as_new_member()
    assert membership.commit({PARTITIONS[0]: POSITION}, writer).outcome is CommitOutcome.REFUSED
    assert membership.committed(PARTITIONS[:1]) == {PARTITIONS[0]: None}
    membership.close()


def test_local_membership__second_process_starts_in_the_same_directory__second_process_stops(tmp_path: Path) -> None:
    membership, _ = started_membership(tmp_path)
    with pytest.raises(PipelineStopped, match="another process writes to") as stopped:
        LocalMembership(positions_in(AuditDirectory.at(tmp_path)), PARTITIONS).start()
    assert stopped.value.code is Code.FENCED
    membership.close()
    started_membership(tmp_path)[0].close()
