"""An audit of Apache Kafka's records of a scripted day equals the record of the script."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from tenure.audit.audit_directory import AuditDirectory
from tenure.audit.findings.group_findings import write_findings
from tenure.client.queries.blocking import describe_topic
from tests.apache_kafka import apache_kafka
from tests.audit import scripted_day
from tests.audit.collecting import write_tables
from tests.audit.comparing import assert_is_record
from tests.audit.scripted_groups import Script
from tests.oracle.conftest import IN_ORDER, SETTINGS, prepare, require_kafka
from tests.spark.counting import create_topic

pytestmark = pytest.mark.oracle

SESSION_MS = 6_000
TICK_S = 0.1


def now_ms() -> int:
    """Return the time of the clock from which the broker takes the times of commits."""
    return time.time_ns() // 1_000_000


def test_audit__scripted_day_on_apache_kafka__tables_match_what_the_script_did(tmp_path: Path) -> None:
    require_kafka()
    with apache_kafka(tmp_path / "kafka", settings=SETTINGS | IN_ORDER) as broker:
        create_topic(broker.address, "t", scripted_day.PARTITIONS)
        prepare(broker.host, broker.port)  # After that, the coordinator is loaded and knows the topic.
        script = Script(broker.address, "t", time.sleep, now_ms)
        topic_id = describe_topic(broker.address, "t").topic_id
        try:
            scripted_day.play(script, topic_id, tick_s=TICK_S, session_ms=SESSION_MS)
        finally:
            script.close()
        write_tables(broker.address, 1, tmp_path / "audit")
    write_findings(AuditDirectory.at(tmp_path / "audit"))
    assert_is_record(tmp_path / "audit", script.record)
