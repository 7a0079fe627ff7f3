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
from tenure.audit.tables import COMMITS, EXPIRED, REBALANCES
from tenure.client.net.bootstrap import BOOTSTRAP_SERVERS
from tenure.testing import Broker
from tests.audit.comparing import assert_is_record, rows
from tests.audit.conftest import Day
from tests.audit.following import following_audit
from tests.audit.scripted_groups import ClassicScript, Script

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

pytestmark = pytest.mark.spark


def test_audit__scripted_day__tables_report_and_summary_written(
    day: Day, tmp_path: Path, spark: SparkSession, capsys: pytest.CaptureFixture[str]
) -> None:
    options = AuditOptions({BOOTSTRAP_SERVERS: day.address}, str(tmp_path), json=True, pictures=False)
    run_audit(options)
    assert_is_record(tmp_path, day.record)
    printed_report = json.loads(capsys.readouterr().out)
    assert (
        printed_report["unknown_records"],
        printed_report["damaged_records"],
        printed_report["missing_offsets"],
    ) == (0, 0, day.record.missing)
    assert {group["group"]: group["rebalances"] for group in printed_report["groups"]}["orders"] == 10
    assert (tmp_path / REPORT).exists()
    frames = tenure.audit.read(spark, tmp_path)
    assert set(frames) == {table.name for table in TABLES}
    pauses = frames[PAUSES.name].where("pause_ms is not null")
    assert pauses.count() == len(day.record.pauses)
    assert frames["log_ends"].where("topic = 't'").count() >= 6
    assert not day.groups() & {"tenure-audit"}


@pytest.mark.long
def test_audit__follows_a_group_until_ctrl_c_and_runs_again__tables_match_what_the_script_did(
    tmp_path: Path, spark: SparkSession, capsys: pytest.CaptureFixture[str]
) -> None:
    del spark  # The second run takes the session of the tests.
    directory = tmp_path / "audit"
    with Broker() as broker:
        broker.create_topic("t", partitions=2)
        broker.stop_time()
        script = Script(broker.address, "t", broker.advance)
        group = ClassicScript(script, "orders")
        group.rebalance({"o1": [0, 1]}, "join")
        script.tick([group], 10.0)

        def has_read_all() -> bool:
            found = len(rows(directory, REBALANCES)), sum(row["commits"] for row in rows(directory, COMMITS))
            return found == (len(script.record.rebalances), sum(script.record.commits.values()))

        with following_audit(broker.address, directory) as audit:
            audit.wait_until(has_read_all)
            group.rebalance({"o1": [0], "o2": [1]}, "join")
            script.tick([group], 10.0)
            audit.wait_until(has_read_all)
            audit.wait_until(lambda: "1 partition moved" in (directory / REPORT).read_text("utf-8"))
            group.leave("o2")
            group.rebalance({"o1": [0, 1]}, "leave")
            script.tick([group], 10.0)
            audit.wait_until(has_read_all)
            output = audit.interrupt()
            assert (audit.process.returncode, "Traceback" in audit.log) == (0, False), audit.log
            assert output.endswith(f"Report: {directory / REPORT}\n")
            assert "orders: 3 rebalances, 2 partitions moved" in output
        assert_is_record(directory, script.record)

        group.rebalance({"o1": [0], "o3": [1]}, "join")
        script.tick([group], 10.0)
        run_audit(AuditOptions({BOOTSTRAP_SERVERS: broker.address}, str(directory), pictures=False))
        script.close()
    assert_is_record(directory, script.record)
    printed = capsys.readouterr()
    assert "orders: 4 rebalances, 3 partitions moved" in printed.out
    assert f"tenure: writing {directory / REPORT}\n" in printed.err


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
