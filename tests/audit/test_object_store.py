"""An audit whose directory is a URL of an object store: tables, report, positions and their fence."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tenure.audit.audit_directory import STATE_DIRECTORY, AuditDirectory
from tenure.audit.findings.group_findings import write_findings
from tenure.audit.findings.summary import summary_of
from tenure.audit.local_membership import LocalMembership
from tenure.audit.positions import NUMBERED, positions_in
from tenure.audit.report.report import REPORT, write_report
from tenure.pipeline.values.lanes import Writer
from tenure.pipeline.values.membership import CommitOutcome, MemberFenced
from tenure.values import Assigned, OffsetAndMetadata, TopicPartition
from tests.audit.comparing import assert_is_record
from tests.audit.conftest import Day
from tests.audit.without_spark import audit
from tests.object_store import ObjectStore, object_store

PARTITION = TopicPartition("__consumer_offsets", 1)


@pytest.fixture(scope="module")
def store() -> Iterator[ObjectStore]:
    with object_store() as running:
        yield running


@pytest.fixture
def directory(store: ObjectStore, request: pytest.FixtureRequest) -> AuditDirectory:
    return AuditDirectory.at(f"{store.url}/{request.node.name}", store.options)


def started_membership(directory: AuditDirectory) -> tuple[LocalMembership, Writer]:
    membership = LocalMembership(positions_in(directory), [PARTITION])
    membership.start()
    return membership, joined(membership)


def joined(membership: LocalMembership) -> Writer:
    (event,) = membership.poll(0.0)
    assert isinstance(event, Assigned)
    return Writer.of(event.identity)


def at(offset: int) -> dict[TopicPartition, OffsetAndMetadata]:
    return {PARTITION: OffsetAndMetadata(offset, "tenure1:pointer", 2)}


@pytest.mark.long
def test_audit__output_in_an_object_store__tables_and_report_written_there(day: Day, directory: AuditDirectory) -> None:
    for _ in range(2):  # The second run finds nothing new.
        audit(day.address, directory, max_records=4_000)
    write_findings(directory)
    assert_is_record(directory, day.record)
    assert summary_of(directory).coverage.missing_offsets == day.record.missing
    assert write_report(directory, pictures=False) == f"{directory.location}/{REPORT}"
    assert directory.read(REPORT).startswith(b"<!doctype html>")


def test_audit_positions__commit_after_another_process_has_started__fenced_and_positions_of_the_other_stay(
    directory: AuditDirectory,
) -> None:
    first, writer = started_membership(directory)
    assert first.commit(at(7), writer).outcome is CommitOutcome.ACCEPTED
    second, successor = started_membership(directory)
    assert second.committed([PARTITION]) == at(7)
    assert second.commit(at(9), successor).outcome is CommitOutcome.ACCEPTED
    answer = first.commit(at(8), writer)
    assert answer.outcome is CommitOutcome.FENCED
    assert "another process has taken over s3://" in answer.reason
    assert started_membership(directory)[0].committed([PARTITION]) == at(9)


def test_audit_positions__commit_after_five_commits_of_another_process__fenced(directory: AuditDirectory) -> None:
    first, writer = started_membership(directory)
    second, successor = started_membership(directory)
    for offset in range(10, 15):
        assert second.commit(at(offset), successor).outcome is CommitOutcome.ACCEPTED
    assert len(directory.names(STATE_DIRECTORY, NUMBERED)) == 2
    assert first.commit(at(8), writer).outcome is CommitOutcome.FENCED
    assert second.commit(at(15), successor).outcome is CommitOutcome.ACCEPTED
    assert started_membership(directory)[0].committed([PARTITION]) == at(15)


def test_audit_positions__commit_with_the_identity_from_before_a_rejoin__refused(directory: AuditDirectory) -> None:
    membership, writer = started_membership(directory)
    assert membership.commit(at(7), writer).outcome is CommitOutcome.ACCEPTED
    membership.rejoin_as_new_member()
    again = joined(membership)
    assert membership.commit(at(8), writer).outcome is CommitOutcome.REFUSED
    assert membership.commit(at(9), again).outcome is CommitOutcome.ACCEPTED
    assert membership.committed([PARTITION]) == at(9)


def test_audit_positions__rejoin_after_another_process_has_started__fenced(directory: AuditDirectory) -> None:
    membership, _ = started_membership(directory)
    started_membership(directory)
    membership.rejoin_as_new_member()
    with pytest.raises(MemberFenced, match="use another directory for each audit"):
        membership.poll(0.0)
