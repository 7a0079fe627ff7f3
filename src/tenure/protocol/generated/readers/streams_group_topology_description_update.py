"""Generated from `tenure/protocol/tables/streams_group_topology_description_update.py` by `python -m tenure.protocol.generate`."""

from struct import Struct as Packer
from typing import Final

from tenure.protocol.generated.streams_group_topology_description_update import (
    StreamsGroupTopologyDescriptionUpdateRequest,
    StreamsGroupTopologyDescriptionUpdateResponse,
    TopologyDescription,
    TopologyDescriptionGlobalStore,
    TopologyDescriptionNode,
    TopologyDescriptionSubtopology,
)
from tenure.protocol.message import (
    MalformedMessage,
)
from tenure.protocol.wire import (
    Elements,
    UNBOUNDED,
    UNCOUNTED_BYTES,
    read_compact_strings,
    read_text_length,
    read_uvarint,
    skip_tags,
    too_many,
    utf8,
)

unpack_bB: Final = Packer(">bB").unpack_from
unpack_i: Final = Packer(">i").unpack_from
unpack_ihB: Final = Packer(">ihB").unpack_from


def read_topology_description_node_v0(data: bytes, at: int, elements: Elements) -> tuple[TopologyDescriptionNode, int]:
    n = data[at]
    at += 1
    if n > 127:
        n, at = read_text_length(data, at - 1)
    n -= 1
    if n < 0:
        raise MalformedMessage("TopologyDescriptionNode.name is null")
    end = at + n
    name = utf8(data[at:end])
    at = end
    node_type, n = unpack_bB(data, at)
    at += 2
    if n > 127:
        n, at = read_uvarint(data, at - 1)
    n -= 1
    if n < 0:
        raise MalformedMessage("TopologyDescriptionNode.source_topics is null")
    if elements is not UNBOUNDED:
        elements.add(n)
    source_topics, at = read_compact_strings(data, at, n, read_text_length)
    n = data[at]
    at += 1
    if n > 127:
        n, at = read_text_length(data, at - 1)
    n -= 1
    if n >= 0:
        end = at + n
        sink_topic = utf8(data[at:end])
        at = end
    else:
        sink_topic = None
    n = data[at]
    at += 1
    if n > 127:
        n, at = read_uvarint(data, at - 1)
    n -= 1
    if n < 0:
        raise MalformedMessage("TopologyDescriptionNode.stores is null")
    if elements is not UNBOUNDED:
        elements.add(n)
    stores, at = read_compact_strings(data, at, n, read_text_length)
    n = data[at]
    at += 1
    if n > 127:
        n, at = read_uvarint(data, at - 1)
    n -= 1
    if n < 0:
        raise MalformedMessage("TopologyDescriptionNode.successors is null")
    if elements is not UNBOUNDED:
        elements.add(n)
    successors, at = read_compact_strings(data, at, n, read_text_length)
    tags = data[at]
    at += 1
    if tags:
        at = skip_tags(data, at - 1, elements)
    return TopologyDescriptionNode(name, node_type, source_topics, sink_topic, stores, successors), at


def read_topology_description_node_v0_list(data: bytes, at: int, announced: int, elements: Elements) -> tuple[list[TopologyDescriptionNode], int]:
    if announced * 7 > len(data) - at:
        raise too_many(announced, 7, data, at)
    found: list[TopologyDescriptionNode] = []
    for _ in range(announced):
        n = data[at]
        at += 1
        if n > 127:
            n, at = read_text_length(data, at - 1)
        n -= 1
        if n < 0:
            raise MalformedMessage("TopologyDescriptionNode.name is null")
        end = at + n
        name = utf8(data[at:end])
        at = end
        node_type, n = unpack_bB(data, at)
        at += 2
        if n > 127:
            n, at = read_uvarint(data, at - 1)
        n -= 1
        if n < 0:
            raise MalformedMessage("TopologyDescriptionNode.source_topics is null")
        if elements is not UNBOUNDED:
            elements.add(n)
        source_topics, at = read_compact_strings(data, at, n, read_text_length)
        n = data[at]
        at += 1
        if n > 127:
            n, at = read_text_length(data, at - 1)
        n -= 1
        if n >= 0:
            end = at + n
            sink_topic = utf8(data[at:end])
            at = end
        else:
            sink_topic = None
        n = data[at]
        at += 1
        if n > 127:
            n, at = read_uvarint(data, at - 1)
        n -= 1
        if n < 0:
            raise MalformedMessage("TopologyDescriptionNode.stores is null")
        if elements is not UNBOUNDED:
            elements.add(n)
        stores, at = read_compact_strings(data, at, n, read_text_length)
        n = data[at]
        at += 1
        if n > 127:
            n, at = read_uvarint(data, at - 1)
        n -= 1
        if n < 0:
            raise MalformedMessage("TopologyDescriptionNode.successors is null")
        if elements is not UNBOUNDED:
            elements.add(n)
        successors, at = read_compact_strings(data, at, n, read_text_length)
        tags = data[at]
        at += 1
        if tags:
            at = skip_tags(data, at - 1, elements)
        found.append(TopologyDescriptionNode(name, node_type, source_topics, sink_topic, stores, successors))
    return found, at


def read_topology_description_subtopology_v0_list(data: bytes, at: int, announced: int, elements: Elements) -> tuple[list[TopologyDescriptionSubtopology], int]:
    if announced * 3 > len(data) - at:
        raise too_many(announced, 3, data, at)
    found: list[TopologyDescriptionSubtopology] = []
    for _ in range(announced):
        n = data[at]
        at += 1
        if n > 127:
            n, at = read_text_length(data, at - 1)
        n -= 1
        if n < 0:
            raise MalformedMessage("TopologyDescriptionSubtopology.subtopology_id is null")
        end = at + n
        subtopology_id = utf8(data[at:end])
        at = end
        n = data[at]
        at += 1
        if n > 127:
            n, at = read_uvarint(data, at - 1)
        n -= 1
        if n < 0:
            raise MalformedMessage("TopologyDescriptionSubtopology.nodes is null")
        if elements is not UNBOUNDED:
            elements.add(n)
        nodes, at = read_topology_description_node_v0_list(data, at, n, elements)
        tags = data[at]
        at += 1
        if tags:
            at = skip_tags(data, at - 1, elements)
        found.append(TopologyDescriptionSubtopology(subtopology_id, nodes))
    return found, at


def read_topology_description_global_store_v0_list(data: bytes, at: int, announced: int, elements: Elements) -> tuple[list[TopologyDescriptionGlobalStore], int]:
    if announced * 15 > len(data) - at:
        raise too_many(announced, 15, data, at)
    found: list[TopologyDescriptionGlobalStore] = []
    for _ in range(announced):
        source, at = read_topology_description_node_v0(data, at, elements)
        processor, at = read_topology_description_node_v0(data, at, elements)
        tags = data[at]
        at += 1
        if tags:
            at = skip_tags(data, at - 1, elements)
        found.append(TopologyDescriptionGlobalStore(source, processor))
    return found, at


def read_topology_description_v0(data: bytes, at: int, elements: Elements) -> tuple[TopologyDescription, int]:
    n = data[at]
    at += 1
    if n > 127:
        n, at = read_uvarint(data, at - 1)
    n -= 1
    if n < 0:
        raise MalformedMessage("TopologyDescription.subtopologies is null")
    if elements is not UNBOUNDED:
        elements.add(n)
    subtopologies, at = read_topology_description_subtopology_v0_list(data, at, n, elements)
    n = data[at]
    at += 1
    if n > 127:
        n, at = read_uvarint(data, at - 1)
    n -= 1
    if n < 0:
        raise MalformedMessage("TopologyDescription.global_stores is null")
    if elements is not UNBOUNDED:
        elements.add(n)
    global_stores, at = read_topology_description_global_store_v0_list(data, at, n, elements)
    tags = data[at]
    at += 1
    if tags:
        at = skip_tags(data, at - 1, elements)
    return TopologyDescription(subtopologies, global_stores), at


def read_streams_group_topology_description_update_request_v0(data: bytes, at: int) -> tuple[StreamsGroupTopologyDescriptionUpdateRequest, int]:
    elements = UNBOUNDED if len(data) <= UNCOUNTED_BYTES else Elements()
    n = data[at]
    at += 1
    if n > 127:
        n, at = read_text_length(data, at - 1)
    n -= 1
    if n < 0:
        raise MalformedMessage("StreamsGroupTopologyDescriptionUpdateRequest.group_id is null")
    end = at + n
    group_id = utf8(data[at:end])
    at = end
    n = data[at]
    at += 1
    if n > 127:
        n, at = read_text_length(data, at - 1)
    n -= 1
    if n < 0:
        raise MalformedMessage("StreamsGroupTopologyDescriptionUpdateRequest.member_id is null")
    end = at + n
    member_id = utf8(data[at:end])
    at = end
    (topology_epoch,) = unpack_i(data, at)
    at += 4
    topology_description, at = read_topology_description_v0(data, at, elements)
    tags = data[at]
    at += 1
    if tags:
        at = skip_tags(data, at - 1, elements)
    return StreamsGroupTopologyDescriptionUpdateRequest(group_id, member_id, topology_epoch, topology_description), at


def read_streams_group_topology_description_update_response_v0(data: bytes, at: int) -> tuple[StreamsGroupTopologyDescriptionUpdateResponse, int]:
    throttle_time_ms, error_code, n = unpack_ihB(data, at)
    at += 7
    if n > 127:
        n, at = read_uvarint(data, at - 1)
    n -= 1
    if n >= 0:
        end = at + n
        error_message = utf8(data[at:end])
        at = end
    else:
        error_message = None
    tags = data[at]
    at += 1
    if tags:
        at = skip_tags(data, at - 1)
    return StreamsGroupTopologyDescriptionUpdateResponse(throttle_time_ms, error_code, error_message), at


StreamsGroupTopologyDescriptionUpdateRequest.READERS = {
    0: read_streams_group_topology_description_update_request_v0,
}
StreamsGroupTopologyDescriptionUpdateResponse.READERS = {
    0: read_streams_group_topology_description_update_response_v0,
}
