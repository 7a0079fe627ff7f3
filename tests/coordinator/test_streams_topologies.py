"""Invalid topologies (rule 5.1). Scenario 12 has those that are refused without a look at topics."""

from __future__ import annotations

import pytest

from tenure.coordinator.groups.streams.topic_plan import InvalidTopology, plan_topics
from tenure.coordinator.groups.streams.topology import Topology
from tenure.coordinator.metadata.topics import Topic, Topics
from tenure.protocol.coordinator_logs.consumer_offsets import (
    StreamsGroupTopologyValue,
    TopologyCopartitionGroup,
    TopologySubtopology,
)
from tenure.protocol.types import TopicId, TopicName


@pytest.mark.parametrize("index", [-1, 1])
def test_plan_topics__copartition_group_with_an_index_beyond_the_topics__invalid_topology(index: int) -> None:
    topics = Topics()
    topics.put(Topic(TopicName("lines"), TopicId(b"1" * 16), 1, 1))
    joined = TopologyCopartitionGroup([index], [], [])
    subtopology = TopologySubtopology("0", [TopicName("lines")], copartition_groups=[joined])
    with pytest.raises(InvalidTopology, match="Subtopology 0 has a copartition group with an index of a topic"):
        plan_topics(Topology(StreamsGroupTopologyValue(0, [subtopology])), topics)
