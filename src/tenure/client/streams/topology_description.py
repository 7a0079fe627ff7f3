"""Description of a topology for operators (KIP-1331), which a member sends when the broker requests it.

A broker with a plugin for topology descriptions stores it, and StreamsGroupDescribe returns it. `Topology` knows the
topics and the state of each subtopology, but no processors. So each subtopology is described by three kinds of nodes: a
source with the topics that it reads, a processor with its state stores, and a sink for each topic that it writes.
"""

from typing import Final

from tenure.client.tasks import Subtopology, Topology
from tenure.protocol.messages import (
    StreamsGroupTopologyDescriptionUpdateRequest,
    TopologyDescription,
    TopologyDescriptionNode,
    TopologyDescriptionSubtopology,
)
from tenure.protocol.types import GroupId, MemberId, TopicName

SOURCE: Final = 1
PROCESSOR: Final = 2
SINK: Final = 3
"""SOURCE, PROCESSOR and SINK are Kafka's numbers for the types of nodes in a topology description."""
CHANGELOG: Final = "-changelog"
"""End of the name of a changelog topic in Kafka Streams: `<application id>-<store>-changelog`."""


def update_request(
    group_id: str, member_id: MemberId, topology: Topology
) -> StreamsGroupTopologyDescriptionUpdateRequest:
    """Build the request that sends the description of a topology."""
    subtopologies = [
        TopologyDescriptionSubtopology(each.subtopology_id, _nodes(each, group_id)) for each in topology.subtopologies
    ]
    description = TopologyDescription(subtopologies)
    return StreamsGroupTopologyDescriptionUpdateRequest(GroupId(group_id), member_id, topology.epoch, description)


def _nodes(subtopology: Subtopology, group_id: str) -> list[TopologyDescriptionNode]:
    """Return the nodes of a subtopology. A node lists its successors; a reader derives the predecessors from them."""
    sinks = sorted(subtopology.repartition_sinks)
    sink_names = [f"{subtopology.subtopology_id}-sink-{topic}" for topic in sinks]
    processor = f"{subtopology.subtopology_id}-processor"
    source_topics = [TopicName(topic) for topic in sorted(subtopology.topics)]
    stores = [_store(topic.name, group_id) for topic in subtopology.changelogs]
    return [
        TopologyDescriptionNode(f"{subtopology.subtopology_id}-source", SOURCE, source_topics, successors=[processor]),
        TopologyDescriptionNode(processor, PROCESSOR, stores=sorted(stores), successors=sink_names),
        *(
            TopologyDescriptionNode(name, SINK, sink_topic=TopicName(topic))
            for name, topic in zip(sink_names, sinks, strict=True)
        ),
    ]


def _store(changelog_topic: str, group_id: str) -> str:
    return changelog_topic.removeprefix(f"{group_id}-").removesuffix(CHANGELOG)
