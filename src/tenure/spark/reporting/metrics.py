"""Metrics of a running application, computed from its stored status. Requests only read stored values."""

from collections.abc import Mapping, Sequence
from typing import Final

from tenure.client.net.connection import software_version
from tenure.monitoring.exposition import Kind, Metric, Sample
from tenure.spark.reporting.application_status import ApplicationStatus, ApplicationTotals, MemberStatus

C, G, S = Kind.COUNTER, Kind.GAUGE, Kind.SUMMARY
P: Final = ("pipeline",)

CATALOGUE: Final = (
    Metric(
        "tenure_pipeline_info",
        G,
        "",
        "Always 1; the labels identify the application.",
        (*P, "group_instance_id", "version"),
    ),
    Metric(
        "tenure_pipeline_state",
        G,
        "",
        "1 for the current state (starting, standing by, running, pausing, …).",
        (*P, "state"),
    ),
    Metric(
        "tenure_pipeline_members_joined", G, "members", "Members of this application that have joined the group.", P
    ),
    Metric("tenure_pipeline_lanes", G, "lanes", "Lanes that the members of this application own.", P),
    Metric(
        "tenure_pipeline_standby_lanes",
        G,
        "lanes",
        "Standby lanes with a complete copy of their state on this host (streams groups).",
        P,
    ),
    Metric(
        "tenure_pipeline_lanes_gained_total",
        C,
        "lanes",
        "Lanes that members were assigned, summed over all assignments.",
        P,
    ),
    Metric("tenure_pipeline_lanes_lost_total", C, "lanes", "Lanes that members have given up or lost.", P),
    Metric(
        "tenure_pipeline_rebalances_total",
        C,
        "rebalances",
        "Times that partitions of a member were revoked or lost.",
        P,
    ),
    Metric("tenure_pipeline_batches_total", C, "batches", "Batches that were committed and published.", P),
    Metric(
        "tenure_pipeline_batches_dropped_total",
        C,
        "batches",
        "Batches that were refused, cancelled or failed; their records are read again.",
        P,
    ),
    Metric(
        "tenure_pipeline_failure_time_seconds",
        G,
        "seconds",
        "Unix time of the last dropped batches, at most five, with their lanes and the reason.",
        (*P, "lanes", "reason"),
    ),
    Metric("tenure_pipeline_records_total", C, "records", "Records of published batches.", P),
    Metric("tenure_pipeline_rows_total", C, "rows", "Rows that published batches wrote.", P),
    Metric(
        "tenure_pipeline_records_per_second",
        G,
        "records/s",
        "Records of published batches, averaged over the last minute.",
        P,
    ),
    Metric(
        "tenure_pipeline_rows_per_second",
        G,
        "rows/s",
        "Rows that published batches wrote, averaged over the last minute.",
        P,
    ),
    Metric(
        "tenure_pipeline_bad_records_total",
        C,
        "records",
        "Records that were skipped or sent to a dead-letter topic.",
        P,
    ),
    Metric("tenure_pipeline_batch_seconds", S, "seconds", "Time from the plan of a batch to its publication.", P),
    Metric("tenure_pipeline_phase_seconds", S, "seconds", "Time of batches by phase.", (*P, "phase")),
    Metric(
        "tenure_pipeline_last_batch_time_seconds", G, "seconds", "Unix time at which the last batch was published.", P
    ),
    Metric(
        "tenure_pipeline_lag_records",
        G,
        "records",
        "Records in the log that were left for later batches when the last batch was planned.",
        (*P, "lane"),
    ),
    Metric("tenure_pipeline_lane_offset", G, "offset", "End offset of the last batch.", (*P, "lane")),
    Metric(
        "tenure_pipeline_standby_lane_offset",
        G,
        "offset",
        "End offset of the last batch in the copy of a standby lane's state.",
        (*P, "lane"),
    ),
    Metric("tenure_pipeline_state_rows", G, "rows", "Keys in the state of the lane.", (*P, "lane")),
    Metric("tenure_pipeline_state_bytes", G, "bytes", "Size of the files of the lane's state.", (*P, "lane")),
)
"""All metrics of a pipeline."""


def status_samples(
    pipeline: str, group_instance_id: str, activity: str, status: ApplicationStatus
) -> Mapping[str, Sequence[Sample]]:
    """Return the samples of every metric in `CATALOGUE`, for one pipeline."""
    own, rates = (pipeline,), status.throughput.rates()
    with status.lock:
        members = list(status.members.values())
        joined = sum(1 for member in members if member.has_joined)
        return {
            "tenure_pipeline_info": [((*own, group_instance_id, software_version()), 1)],
            "tenure_pipeline_state": [((*own, activity), 1)],
            "tenure_pipeline_members_joined": [(own, joined)],
            "tenure_pipeline_lanes": [(own, sum(len(member.lanes) for member in members))],
            "tenure_pipeline_standby_lanes": [(own, sum(len(member.standby_lanes) for member in members))],
            "tenure_pipeline_standby_lane_offset": [
                ((*own, name), offset) for member in members for name, offset in sorted(member.standby_lanes.items())
            ],
            "tenure_pipeline_records_per_second": [(own, rates.records)],
            "tenure_pipeline_rows_per_second": [(own, rates.rows)],
            "tenure_pipeline_failure_time_seconds": [
                ((*own, lanes, reason), at_ms / 1000) for (lanes, reason), at_ms in status.failures.items()
            ],
            **_total_samples(own, status.totals),
            **_lane_samples(own, members),
        }


def _total_samples(own: tuple[str, ...], totals: ApplicationTotals) -> dict[str, Sequence[Sample]]:
    phases = {phase: seconds for phase, seconds in totals.seconds.items() if phase != "total"}
    return {
        "tenure_pipeline_lanes_gained_total": [(own, totals.lanes_gained)],
        "tenure_pipeline_lanes_lost_total": [(own, totals.lanes_lost)],
        "tenure_pipeline_rebalances_total": [(own, totals.rebalances)],
        "tenure_pipeline_batches_total": [(own, totals.batches)],
        "tenure_pipeline_batches_dropped_total": [(own, totals.dropped)],
        "tenure_pipeline_records_total": [(own, totals.records)],
        "tenure_pipeline_rows_total": [(own, totals.rows)],
        "tenure_pipeline_bad_records_total": [(own, totals.bad_records)],
        "tenure_pipeline_batch_seconds": [(own, totals.seconds.get("total", 0.0), totals.batches)],
        "tenure_pipeline_phase_seconds": [
            ((*own, phase), seconds, totals.batches) for phase, seconds in phases.items()
        ],
        "tenure_pipeline_last_batch_time_seconds": [(own, totals.last_batch_ms / 1000)],
    }


def _lane_samples(own: tuple[str, ...], members: Sequence[MemberStatus]) -> dict[str, Sequence[Sample]]:
    lanes = {name: lane for member in members for name, lane in sorted(member.lanes.items())}
    return {
        "tenure_pipeline_lag_records": [((*own, name), lane.lag) for name, lane in lanes.items()],
        "tenure_pipeline_lane_offset": [
            ((*own, name), lane.offset) for name, lane in lanes.items() if lane.offset is not None
        ],
        "tenure_pipeline_state_rows": [
            ((*own, name), lane.state_rows) for name, lane in lanes.items() if lane.state_rows is not None
        ],
        "tenure_pipeline_state_bytes": [
            ((*own, name), lane.state_bytes) for name, lane in lanes.items() if lane.state_rows is not None
        ],
    }
