"""A streams group: its members own the partitions that their active tasks read."""

from __future__ import annotations

from pathlib import Path

import pytest

from tenure.audit.audit_directory import AuditDirectory
from tenure.audit.findings.group_findings import write_findings
from tenure.audit.findings.tables import GROUPS, REBALANCE_COSTS
from tenure.audit.groups.group_model import GroupModel
from tenure.audit.tables import ASSIGNMENTS, MEMBERS
from tenure.protocol.messages import (
    StreamsGroupHeartbeatRequest,
    StreamsHeartbeatSubtopology,
    StreamsHeartbeatTaskIds,
    StreamsHeartbeatTopology,
)
from tenure.protocol.special_values import STREAMS
from tenure.protocol.types import GroupId, MemberId, PartitionId, TopicName
from tenure.testing import Broker
from tests.audit.collecting import write_tables
from tests.audit.comparing import rows
from tests.wire import Wire

LEAVE = -1
BEATS_MAX = 20
PARTITIONS = [0, 1, 2, 3]
TOPOLOGY = StreamsHeartbeatTopology(1, [StreamsHeartbeatSubtopology("0", [TopicName("t")])])


class StreamsClient:
    """Member of the group `counts`, which takes over each assignment at once."""

    def __init__(self, broker: Broker, name: str) -> None:
        self.broker = broker
        self.name = name
        host, _, port = broker.address.rpartition(":")
        self.wire = Wire(host, int(port))
        self.epoch = 0
        self.tasks: list[int] = []

    def beat(self, epoch: int | None = None) -> None:
        owned = [StreamsHeartbeatTaskIds("0", [PartitionId(at) for at in self.tasks])] if self.tasks else []
        joins = self.epoch == 0
        request = StreamsGroupHeartbeatRequest(
            GroupId("counts"),
            MemberId(self.name),
            self.epoch if epoch is None else epoch,
            rebalance_timeout_ms=60_000 if joins else -1,
            topology=TOPOLOGY if joins else None,
            active_tasks=owned,
            standby_tasks=[],
            warmup_tasks=[],
            process_id=self.name if joins else None,
            client_tags=[] if joins else None,
        )
        answer = self.wire.ask(request)
        assert answer.error_code == 0, answer.error_message
        self.epoch = answer.member_epoch
        if answer.active_tasks is not None:
            self.tasks = sorted(at for tasks in answer.active_tasks for at in tasks.partitions)


def beat_until(clients: list[StreamsClient], tasks: list[int]) -> None:
    """Let the members send heartbeats until they have these numbers of tasks."""
    for _ in range(BEATS_MAX):
        for client in clients:
            client.beat()
        if [len(client.tasks) for client in clients] == tasks:
            for client in clients:  # Reports to the coordinator that they have them.
                client.beat()
            return
        clients[0].broker.advance(1)
    pytest.fail(f"tasks are {[client.tasks for client in clients]} after {BEATS_MAX} heartbeats")


def test_audit_of_a_streams_group__member_joins_and_leaves__moves_of_its_tasks_found_both_times(tmp_path: Path) -> None:
    with Broker({"offsets.topic.num.partitions": "1"}) as broker:
        broker.create_topic("t", partitions=len(PARTITIONS))
        broker.stop_time()
        first, second = StreamsClient(broker, "first"), StreamsClient(broker, "second")
        beat_until([first], [4])
        beat_until([first, second], [2, 2])
        moved = second.tasks
        second.beat(LEAVE)
        beat_until([first], [4])
        write_tables(broker.address, 1, tmp_path)
        for client in (first, second):
            client.wire.close()
    write_findings(AuditDirectory.at(tmp_path))
    costs = rows(tmp_path, REBALANCE_COSTS)
    assert [(row["group_type"], row["causes"], row["members"]) for row in costs] == [
        (STREAMS, ["join"], 1), (STREAMS, ["join"], 2), (STREAMS, ["leave-or-timeout"], 1)
    ]  # fmt: skip
    events = [(row["event"], row["member_id"]) for row in rows(tmp_path, MEMBERS)]
    assert events == [("joined", "first"), ("joined", "second"), ("left", "second")]
    moves = [(row["topic"], row["partition"], row["owner"]) for row in rows(tmp_path, ASSIGNMENTS) if row["moved"]]
    assert sorted(moves[:2]) == [("t", at, "second") for at in moved]
    assert sorted(moves[2:]) == [("t", at, "first") for at in moved]
    (group,) = rows(tmp_path, GROUPS)
    assert (group["group"], group["group_type"], group["moved"], group["moved_without_need"]) == (
        "counts", STREAMS, 4, 0
    )  # fmt: skip


def test_group_model__state_written_by_an_earlier_version__read_without_subtopologies() -> None:
    written = GroupModel("consumer", 3).to_json()
    earlier = written.removesuffix(",{}]") + "]"
    assert earlier != written
    assert GroupModel.from_json(earlier) == GroupModel("consumer", 3)
