"""Ends of logs: the offsets at which an audit stops, and those from which it computes the lag."""

from __future__ import annotations

import threading
from pathlib import Path

from tenure.audit.audit_directory import AuditDirectory
from tenure.audit.findings.group_findings import write_findings
from tenure.audit.findings.log_tables import rows_of
from tenure.audit.findings.tables import GROUPS
from tenure.audit.log_end_samples import LogEndSampler, present_ends
from tenure.audit.reading import arrow_table
from tenure.audit.tables import COMMITS, LOG_ENDS, RECORDS
from tenure.client.net.bootstrap import BOOTSTRAP_SERVERS
from tenure.testing import Broker
from tests.audit.collecting import write_tables
from tests.audit.comparing import rows
from tests.audit.without_spark import audit


def test_audit__group_commits_without_end__stops_at_the_log_end_of_the_time_it_started(tmp_path: Path) -> None:
    directory, is_over, offset = AuditDirectory.at(tmp_path), threading.Event(), 0
    with Broker({"offsets.topic.num.partitions": "1"}) as broker:
        broker.create_topic("t")
        broker.commit("busy", {("t", 0): offset})
        cluster = {BOOTSTRAP_SERVERS: broker.address}

        def commit() -> None:
            nonlocal offset
            while not is_over.is_set():
                offset += 1
                broker.commit("busy", {("t", 0): offset})

        thread = threading.Thread(target=commit)
        before = present_ends(cluster)
        thread.start()
        try:
            audit(broker.address, directory, max_records=1_000)
        finally:
            is_over.set()
            thread.join()
        after = present_ends(cluster)
    last = max(row["last_log_offset"] for row in rows(directory, RECORDS))
    assert before[0] - 1 <= last < after[0] - 1


def test_log_ends__sampled_for_a_time_in_the_past__ends_of_that_time(tmp_path: Path) -> None:
    directory = AuditDirectory.at(tmp_path)
    with Broker({"offsets.topic.num.partitions": "1"}) as broker:
        broker.create_topic("t", partitions=2, configs={"message.timestamp.type": "LogAppendTime"})
        broker.stop_time()
        broker.commit("g", {("t", 0): 1, ("t", 1): 1})
        for partition in (0, 1):
            broker.produce("t", ["a", "b"], partition=partition)
        write_tables(broker.address, 1, tmp_path)
        committed_ms = rows(directory, COMMITS)[0]["last_time"]
        broker.advance(60)
        broker.produce("t", ["c", "d"], partition=0)
        LogEndSampler({BOOTSTRAP_SERVERS: broker.address}, directory).sample(committed_ms + 30_000)
    write_findings(directory)
    samples = [row for row in rows_of(arrow_table(directory, LOG_ENDS)) if row["time"] == committed_ms + 30_000]
    assert {row["partition"]: row["end_offset"] for row in samples} == {0: 2, 1: 2}
    assert [row["lag"] for row in rows(directory, GROUPS)] == [2]
