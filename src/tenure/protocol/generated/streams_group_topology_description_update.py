"""Generated from `tenure/protocol/tables/streams_group_topology_description_update.py` by `python -m tenure.protocol.generate`."""

from typing import Final

from tenure.protocol.message import (
    EMPTY,
    Message,
    Struct,
)
from tenure.protocol.types import (
    GroupId,
    MemberId,
    TopicName,
)


class TopologyDescriptionNode(Struct):
    __slots__ = ("name", "node_type", "source_topics", "sink_topic", "stores", "successors")

    def __init__(
        self,
        name: str = "",
        node_type: int = 0,
        source_topics: list[TopicName] = EMPTY,
        sink_topic: TopicName | None = None,
        stores: list[str] = EMPTY,
        successors: list[str] = EMPTY,
    ) -> None:
        self.name: Final = name
        self.node_type: Final = node_type
        self.source_topics: Final = [] if source_topics is EMPTY else source_topics
        self.sink_topic: Final = sink_topic
        self.stores: Final = [] if stores is EMPTY else stores
        self.successors: Final = [] if successors is EMPTY else successors


DEFAULT_TOPOLOGY_DESCRIPTION_NODE: Final = TopologyDescriptionNode()


class TopologyDescriptionSubtopology(Struct):
    __slots__ = ("subtopology_id", "nodes")

    def __init__(
        self,
        subtopology_id: str = "",
        nodes: list[TopologyDescriptionNode] = EMPTY,
    ) -> None:
        self.subtopology_id: Final = subtopology_id
        self.nodes: Final = [] if nodes is EMPTY else nodes


class TopologyDescriptionGlobalStore(Struct):
    __slots__ = ("source", "processor")

    def __init__(
        self,
        source: TopologyDescriptionNode = DEFAULT_TOPOLOGY_DESCRIPTION_NODE,
        processor: TopologyDescriptionNode = DEFAULT_TOPOLOGY_DESCRIPTION_NODE,
    ) -> None:
        self.source: Final = source
        self.processor: Final = processor


class TopologyDescription(Struct):
    __slots__ = ("subtopologies", "global_stores")

    def __init__(
        self,
        subtopologies: list[TopologyDescriptionSubtopology] = EMPTY,
        global_stores: list[TopologyDescriptionGlobalStore] = EMPTY,
    ) -> None:
        self.subtopologies: Final = [] if subtopologies is EMPTY else subtopologies
        self.global_stores: Final = [] if global_stores is EMPTY else global_stores


DEFAULT_TOPOLOGY_DESCRIPTION: Final = TopologyDescription()


class StreamsGroupTopologyDescriptionUpdateRequest(Message):
    __slots__ = ("group_id", "member_id", "topology_epoch", "topology_description")
    TABLE = "streams_group_topology_description_update"
    KEY = 93
    VERSIONS = range(0, 1)

    def __init__(
        self,
        group_id: GroupId = GroupId(""),
        member_id: MemberId = MemberId(""),
        topology_epoch: int = 0,
        topology_description: TopologyDescription = DEFAULT_TOPOLOGY_DESCRIPTION,
    ) -> None:
        self.group_id: Final = group_id
        self.member_id: Final = member_id
        self.topology_epoch: Final = topology_epoch
        self.topology_description: Final = topology_description


class StreamsGroupTopologyDescriptionUpdateResponse(Message):
    __slots__ = ("throttle_time_ms", "error_code", "error_message")
    TABLE = "streams_group_topology_description_update"
    KEY = 93
    VERSIONS = range(0, 1)

    def __init__(
        self,
        throttle_time_ms: int = 0,
        error_code: int = 0,
        error_message: str | None = None,
    ) -> None:
        self.throttle_time_ms: Final = throttle_time_ms
        self.error_code: Final = error_code
        self.error_message: Final = error_message
