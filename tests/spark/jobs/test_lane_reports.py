"""Reports of the tasks of a `transform`. The driver accepts only unchanged reports of the same batch."""

import json
import pickle
from pathlib import Path

import pytest

from tenure.pipeline.output.files import LocalFiles
from tenure.pipeline.values.decoded_records import BadRecord
from tenure.pipeline.values.lanes import Lane, Range, Writer
from tenure.pipeline.values.manifest import Manifest, StateFile
from tenure.protocol.types import GenerationId, GroupId, MemberId, PartitionId, TopicName
from tenure.spark.jobs.lane_reports import BadReport, LaneReport, LaneReports, report_path

TOPIC = TopicName("words")
LANE = Lane((TOPIC,), PartitionId(0))
BEGUN = Manifest("0" * 22, GroupId("g"), LANE, 1, (), 1, Writer(MemberId("m"), GenerationId(1)), "r")


@pytest.fixture
def reports(tmp_path: Path) -> LaneReports:
    return LaneReports(LocalFiles(), str(tmp_path))


READS = [
    LaneReport(),
    LaneReport((Range(TOPIC, PartitionId(0), 3, 9, 2, "x" * 22),), 6, 1, StateFile("f", 10, 1, "d")),
    LaneReport(stopped_at=BadRecord(7, "its value is not a number", TOPIC)),
]


@pytest.mark.parametrize("read", READS)
def test_lane_report__written_by_a_task__driver_reads_the_same(reports: LaneReports, read: LaneReport) -> None:
    in_the_task = pickle.loads(pickle.dumps(reports))
    in_the_task.write(BEGUN, read)
    assert reports.read(BEGUN) == read


def test_lane_report__not_written__none(reports: LaneReports) -> None:
    assert reports.read(BEGUN) is None


class Attack:
    """Object whose pickle runs a program."""

    def __init__(self, marker: Path) -> None:
        self.marker = marker

    def __reduce__(self) -> object:
        return Path.touch, (self.marker,)


def test_lane_report__malicious_pickle__refused_and_no_code_runs(reports: LaneReports, tmp_path: Path) -> None:
    Path(report_path(str(tmp_path), BEGUN)).write_bytes(pickle.dumps(Attack(tmp_path / "ran")))
    with pytest.raises(BadReport, match=f"check the permissions of {tmp_path}"):
        reports.read(BEGUN)
    assert not (tmp_path / "ran").exists()


def test_lane_report__altered__refused(reports: LaneReports, tmp_path: Path) -> None:
    reports.write(BEGUN, READS[1])
    file = Path(report_path(str(tmp_path), BEGUN))
    written = file.read_bytes()
    file.write_bytes(written.replace(b'"end_offset": 9', b'"end_offset": 8'))
    assert file.read_bytes() != written
    with pytest.raises(BadReport):
        reports.read(BEGUN)


def test_lane_report__of_another_batch__refused(reports: LaneReports, tmp_path: Path) -> None:
    LaneReports(LocalFiles(), str(tmp_path)).write(BEGUN, READS[0])
    with pytest.raises(BadReport):
        reports.read(BEGUN)


def test_lane_report__too_short_for_a_signature__refused(reports: LaneReports, tmp_path: Path) -> None:
    Path(report_path(str(tmp_path), BEGUN)).write_bytes(json.dumps({}).encode())
    with pytest.raises(BadReport):
        reports.read(BEGUN)


def test_lane_reports__repr__without_the_signing_key(reports: LaneReports) -> None:
    assert repr(reports.key) not in repr(reports)
