"""Endpoints of members of a streams group whose topics are missing (rule 5.5)."""

from __future__ import annotations

from tenure.coordinator.groups.answers import StreamsHeartbeatAnswered
from tenure.coordinator.groups.settings import GroupSettings
from tenure.coordinator.groups.streams.topic_plan import Status
from tests.coordinator.streams_commands import streams_heartbeat
from tests.coordinator.virtual_host import VirtualHost


def test_user_endpoint__source_topic_missing__status_and_endpoint_without_partitions() -> None:
    host = VirtualHost(GroupSettings())
    host.ask(streams_heartbeat("A", ["g", "0:missing"], {}))
    host.ask(streams_heartbeat("A", ["g"], {"epoch": "1", "at": "host:8080"}))
    answer = host.take()[1][-1][1]
    assert isinstance(answer, StreamsHeartbeatAnswered)
    assert Status.MISSING_SOURCE_TOPICS in [code for code, _ in answer.status]
    assert [(each.endpoint, each.active, each.copies) for each in answer.endpoints or ()] == [(("host", 8080), [], [])]
