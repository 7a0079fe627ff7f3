"""An audit with Spark, from the broker to DataFrames."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

import pyarrow as pa
import pytest
from deltalake import write_deltalake

import tenure.audit
from tenure.audit.audit_run import AuditOptions, run_audit
from tenure.audit.findings.tables import PAUSES
from tenure.audit.reading import DELTA, FORMAT_FILE, TABLES
from tenure.audit.report.report import REPORT
from tenure.audit.tables import EXPIRED, REBALANCES
from tenure.client.net.bootstrap import BOOTSTRAP_SERVERS
from tests.audit.comparing import assert_is_record
from tests.audit.conftest import Day

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

pytestmark = pytest.mark.spark


def test_audit__scripted_day__tables_report_and_summary_written(
    day: Day, tmp_path: Path, spark: SparkSession, capsys: pytest.CaptureFixture[str]
) -> None:
    options = AuditOptions({BOOTSTRAP_SERVERS: day.address}, str(tmp_path), json=True, pictures=False)
    run_audit(options)
    assert_is_record(tmp_path, day.record)
    told = json.loads(capsys.readouterr().out)
    assert (told["unknown_records"], told["damaged_records"], told["missing_offsets"]) == (0, 0, day.record.missing)
    assert {group["group"]: group["rebalances"] for group in told["groups"]}["orders"] == 10
    assert (tmp_path / REPORT).exists()
    frames = tenure.audit.read(spark, tmp_path)
    assert set(frames) == {table.name for table in TABLES}
    pauses = frames[PAUSES.name].where("pause_ms is not null")
    assert pauses.count() == len(day.record.pauses)
    assert frames["log_ends"].where("topic = 't'").count() >= 6
    assert not day.groups() & {"tenure-audit"}


def test_read_audit__directory_without_an_audit__error_with_the_remedy(tmp_path: Path, spark: SparkSession) -> None:
    with pytest.raises(FileNotFoundError, match="tenure audit --out"):
        tenure.audit.read(spark, tmp_path)


def test_read_audit__delta_tables__rows_of_the_newest_version(tmp_path: Path, spark: SparkSession) -> None:
    marker = tmp_path.joinpath(*FORMAT_FILE)
    marker.parent.mkdir()
    marker.write_text(DELTA)
    for mode, groups in (("append", ["before"]), ("overwrite", ["orders", "search"])):
        rows = [{"log_partition": number, "log_offset": 7, "group": group} for number, group in enumerate(groups)]
        write_deltalake(
            tmp_path / EXPIRED.name,
            pa.Table.from_pylist(rows, EXPIRED.schema),
            mode=mode,  # type: ignore[arg-type]
            partition_by="log_partition",
        )
    frames = tenure.audit.read(spark, tmp_path)
    found = frames[EXPIRED.name].select("log_partition", "group").collect()
    assert sorted(map(tuple, found)) == [(0, "orders"), (1, "search")]
    assert frames[REBALANCES.name].count() == 0
