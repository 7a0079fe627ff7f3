"""Heartbeats of streams groups over the wire: internal topics that the broker cannot create (rule 5.2, point 5)."""

from tenure.protocol.messages import (
    CreatableTopic,
    CreateTopicsRequest,
    StreamsGroupHeartbeatRequest,
    StreamsHeartbeatKeyValue,
    StreamsHeartbeatSubtopology,
    StreamsHeartbeatTopicInfo,
    StreamsHeartbeatTopology,
)
from tenure.protocol.types import GroupId, MemberId, TopicName
from tests.broker.wire import Wire


def test_streams_group_heartbeat__internal_topics_cannot_be_created__status_gives_each_reason(wire: Wire) -> None:
    topic, group = TopicName("lines-of-streams"), GroupId("unready")
    wire.ask(CreateTopicsRequest([CreatableTopic(topic, 1, 1)], timeout_ms=10_000))
    changelogs = [
        StreamsHeartbeatTopicInfo(TopicName("odd-config"), topic_configs=[StreamsHeartbeatKeyValue("no.such", "1")]),
        StreamsHeartbeatTopicInfo(TopicName("replicated"), replication_factor=3),
    ]
    subtopology = StreamsHeartbeatSubtopology("0", [topic], state_changelog_topics=changelogs)
    answer = wire.ask(
        StreamsGroupHeartbeatRequest(
            group,
            MemberId("m"),
            rebalance_timeout_ms=60_000,
            topology=StreamsHeartbeatTopology(0, [subtopology]),
            active_tasks=[],
            standby_tasks=[],
            warmup_tasks=[],
        )
    )
    detail = next(status.status_detail for status in answer.status if "missing" in status.status_detail)
    assert detail == (
        "Internal topics are missing: odd-config, replicated; Creation failed: "
        "odd-config (Unknown topic setting 'no.such'); "
        "replicated (A replication factor of 3 is not possible with 1 broker; use 1, or -1 for the default)."
    )
