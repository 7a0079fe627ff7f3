"""Report of an audit of many groups, with advice from the what-if analysis: its time and its size.

A few groups, one of each kind, are simulated. The tables repeat their history under many group names.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, Final

import pyarrow as pa

from bench.figures import Figure, Sample
from tenure.audit.audit_directory import AuditDirectory
from tenure.audit.findings.group_findings import write_findings
from tenure.audit.report.report import PICTURES, write_report
from tenure.audit.tables import ASSIGNMENTS, COMMITS, MEMBERS, REBALANCES, TOPICS, AuditTable
from tenure.protocol.types import TopicId, topic_id_text
from tenure.whatif import GroupSeat, Situation
from tenure.whatif.advice import advisor
from tenure.whatif.group import SimulatedGroup

GROUPS: Final = 1_000
LOG_PARTITIONS: Final = 50
TOPIC: Final = "orders"
TOPIC_ID: Final = topic_id_text(TopicId((1).to_bytes(16, "big")))
"""Id that the simulation gives to the first topic."""
GROUP_MEMBERS: Final = 6
PARTITIONS: Final = 12
DEPLOYMENTS: Final = 3
DEPLOYMENT_INTERVAL_MS: Final = 3_600_000
COMMIT_INTERVAL_MS: Final = 60_000
BEGAN_MS: Final = 1_795_000_000_000
PROMISED_S: Final = 10.0
PROMISED_MB: Final = 20.0
KINDS: Final = (("classic", "range"), ("classic", "cooperative-sticky"), ("consumer", "uniform"))

Rows = list[dict[str, Any]]


def measure(directory: Path, quick: bool) -> Iterable[Figure]:
    """Yield the time to write the report from the tables, its size, and the time to draw its charts as pictures."""
    groups = GROUPS // 10 if quick else GROUPS
    write_tables(directory, groups)
    began = time.perf_counter()
    audited = AuditDirectory.at(directory)
    write_findings(audited)
    report = Path(write_report(audited, pictures=False, forecaster=advisor(audited)))
    seconds = time.perf_counter() - began
    what = f"report of an audit, {groups:,} groups"
    yield Figure(f"{what}, findings and advice", "s", Sample.of([seconds]), PROMISED_S, less_is_better=True)
    megabytes = report.stat().st_size / 1_000_000
    yield Figure(f"{what}, size", "MB", Sample.of([megabytes]), PROMISED_MB, less_is_better=True)
    if not quick:  # As many pictures as for all groups, because the charts of the most expensive ones are drawn.
        began = time.perf_counter()
        write_report(audited)
        pictures = len(audited.names(PICTURES))
        seconds = time.perf_counter() - began
        yield Figure(f"{what}, with {pictures} pictures", "s", Sample.of([seconds]), less_is_better=True)


def write_tables(directory: Path, groups: int) -> None:
    """Write the tables of these groups."""
    histories = [history_of(protocol, assignor) for protocol, assignor in KINDS]
    topics = pa.Table.from_pylist([{"topic": TOPIC, "topic_id": TOPIC_ID, "partitions": PARTITIONS}], TOPICS.schema)
    AuditDirectory.at(directory).write_table(TOPICS, topics, "topics")
    for log_partition in range(LOG_PARTITIONS):
        rows: dict[AuditTable, Rows] = {}
        for number in range(log_partition, groups, LOG_PARTITIONS):
            for table, its_rows in histories[number % len(KINDS)].items():
                rows.setdefault(table, []).extend(
                    row | {"group": f"group-{number}", "log_partition": log_partition} for row in its_rows
                )
        for table, found in rows.items():
            place = table._replace(name=f"{table.name}/log_partition={log_partition}")
            AuditDirectory.at(directory).write_table(place, pa.Table.from_pylist(found, table.schema), "0")


def history_of(protocol: str, assignor: str) -> dict[AuditTable, Rows]:
    """Return the rows of one group with some rolling deployments."""
    seats = tuple(GroupSeat(f"web-{number}", (TOPIC,), client_id=f"web-{number}") for number in range(GROUP_MEMBERS))
    server = assignor if protocol == "consumer" else None
    assignors = ("range",) if protocol == "consumer" else (assignor,)
    situation = Situation("group", seats, {TOPIC: PARTITIONS}, protocol, assignors, server)
    group = SimulatedGroup(situation, seed=1)
    group.start_all()
    for _ in range(DEPLOYMENTS):
        for seat in seats:
            group.stop(seat)
            group.run_until(group.clock_ms + 20_000)
            group.start(seat)
            group.run_until_stable()
        group.run_until(group.clock_ms + DEPLOYMENT_INTERVAL_MS)
    recorded = group.timeline.recorded
    found = {table: [placed(row) for row in recorded[table.name]] for table in (REBALANCES, MEMBERS, ASSIGNMENTS)}
    return found | {COMMITS: list(commits(group.clock_ms))}


def placed(row: dict[str, Any]) -> dict[str, Any]:
    """Return a row at its time, with a log offset between those of the commits before and after."""
    return row | {"log_offset": row["time"] * 1_000 + row["log_offset"], "time": BEGAN_MS + row["time"]}


def commits(until_ms: int) -> Iterator[dict[str, Any]]:
    """Yield one commit of each partition in each minute."""
    for at_ms in range(COMMIT_INTERVAL_MS, until_ms, COMMIT_INTERVAL_MS):
        for partition in range(PARTITIONS):
            log_offset, time_ms = at_ms * 1_000 + partition, BEGAN_MS + at_ms
            yield {
                "epoch": 1, "assigned_at": -1, "topic": TOPIC, "topic_id": None, "partition": partition,
                "window": time_ms, "commits": 1, "backward": 0,
                "first_log_offset": log_offset, "last_log_offset": log_offset,
                "first_offset": at_ms, "last_offset": at_ms, "first_time": time_ms, "last_time": time_ms,
            }  # fmt: skip
