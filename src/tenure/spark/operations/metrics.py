"""What a running application tells collectors: `--metrics HOST:PORT` answers /metrics, /healthz and /readyz.

Everything is read from what the application knows of itself: nothing is measured because somebody asks.
"""

import socket
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Final

from tenure.client.net.connection import software_version
from tenure.client.net.event_loop import client_loop, run
from tenure.monitoring.exposition import CONTENT_TYPE, Kind, Metric, Sample, exposition
from tenure.monitoring.http import Answer, MonitoringServer, Pages
from tenure.pipeline.errors import PipelineConfigError
from tenure.spark.operations.application_status import ApplicationStatus, MemberStatus, Totals

if TYPE_CHECKING:
    from tenure.spark.operations.operation import Operation

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
    Metric("tenure_pipeline_records_total", C, "records", "Records of published batches.", P),
    Metric("tenure_pipeline_rows_total", C, "rows", "Rows that published batches wrote.", P),
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
        "Records that were not planned yet at the last plan.",
        (*P, "lane"),
    ),
    Metric("tenure_pipeline_lane_offset", G, "offset", "End offset of the last batch.", (*P, "lane")),
    Metric("tenure_pipeline_state_rows", G, "rows", "Keys in the state of the lane.", (*P, "lane")),
    Metric("tenure_pipeline_state_bytes", G, "bytes", "Size of the files of the lane's state.", (*P, "lane")),
)


def of_standing(
    pipeline: str, group_instance_id: str, doing: str, standing: ApplicationStatus
) -> Mapping[str, Sequence[Sample]]:
    """Of every metric of the catalogue."""
    own = (pipeline,)
    with standing.lock:
        members = list(standing.members.values())
        joined = sum(1 for member in members if member.has_joined)
        return {
            "tenure_pipeline_info": [((*own, group_instance_id, software_version()), 1)],
            "tenure_pipeline_state": [((*own, doing), 1)],
            "tenure_pipeline_members_joined": [(own, joined)],
            **_of_totals(own, standing.totals),
            **_of_lanes(own, members),
        }


def _of_totals(own: tuple[str, ...], totals: Totals) -> dict[str, Sequence[Sample]]:
    phases = {phase: seconds for phase, seconds in totals.seconds.items() if phase != "total"}
    return {
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


def _of_lanes(own: tuple[str, ...], members: Sequence[MemberStatus]) -> dict[str, Sequence[Sample]]:
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


class ApplicationMetrics:
    """Pages of a running application, served on the client's event loop in a thread of its own."""

    def __init__(self, operation: "Operation", listening: socket.socket) -> None:
        self._operation: Final = operation
        pages: Pages = {"/metrics": self._metrics, "/healthz": self._healthz, "/readyz": self._readyz}
        self._server: Final = MonitoringServer(pages, client_loop())
        run(self._server.start(listening))
        self.address: Final = "{}:{}".format(*listening.getsockname()[:2])

    def close(self) -> None:
        run(self._close())

    async def _close(self) -> None:
        self._server.close()

    async def _metrics(self) -> Answer:
        operation = self._operation
        instance = operation.options.group_instance_id or ""
        standings = {operation.pipeline.name: operation.standing, **operation.stages}
        told = [of_standing(name, instance, operation.doing, standing) for name, standing in standings.items()]
        samples = {metric.name: [one for each in told for one in each[metric.name]] for metric in CATALOGUE}
        return Answer(200, exposition(CATALOGUE, samples), CONTENT_TYPE)

    async def _healthz(self) -> Answer:
        return Answer(200, "ok\n")

    async def _readyz(self) -> Answer:
        """Of use to whoever rolls out a new version: go on when this one has its seats."""
        return Answer(200, "ready\n") if self._operation.has_its_seats else Answer(503, f"{self._operation.doing}\n")


@contextmanager
def listening_at(text: str | None) -> Iterator[socket.socket | None]:
    """Bound before anything else begins, so that a wrong address is refused at once."""
    if text is None:
        yield None
        return
    host, _, port = text.rpartition(":")
    try:
        listening = socket.create_server((host or "127.0.0.1", int(port)))
    except (OSError, ValueError, OverflowError) as error:
        raise PipelineConfigError(
            f"Metrics cannot be served at {text!r} ({str(error).lower()}): use a free address such as 127.0.0.1:9400."
        ) from None
    with listening:
        yield listening
