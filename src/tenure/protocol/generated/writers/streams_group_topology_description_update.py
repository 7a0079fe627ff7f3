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
    MessagePart,
)
from tenure.protocol.wire import (
    UVARINT,
    uvarint,
    write_compact_strings,
)

pack_b: Final = Packer(">b").pack
pack_i: Final = Packer(">i").pack
pack_ih: Final = Packer(">ih").pack


def write_topology_description_node_v0(out: list[MessagePart], m: TopologyDescriptionNode) -> None:
    put = out.append
    text = m.name.encode()
    n = len(text) + 1
    put(UVARINT[n] if n < 128 else uvarint(n))
    put(text)
    put(pack_b(m.node_type))
    n = len(m.source_topics) + 1
    put(UVARINT[n] if n < 128 else uvarint(n))
    write_compact_strings(out, m.source_topics)
    if m.sink_topic is None:
        put(b"\0")
    else:
        text = m.sink_topic.encode()
        n = len(text) + 1
        put(UVARINT[n] if n < 128 else uvarint(n))
        put(text)
    n = len(m.stores) + 1
    put(UVARINT[n] if n < 128 else uvarint(n))
    write_compact_strings(out, m.stores)
    n = len(m.successors) + 1
    put(UVARINT[n] if n < 128 else uvarint(n))
    write_compact_strings(out, m.successors)
    put(b"\0")


def write_topology_description_node_v0_list(out: list[MessagePart], items: list[TopologyDescriptionNode]) -> None:
    put = out.append
    for m in items:
        text = m.name.encode()
        n = len(text) + 1
        put(UVARINT[n] if n < 128 else uvarint(n))
        put(text)
        put(pack_b(m.node_type))
        n = len(m.source_topics) + 1
        put(UVARINT[n] if n < 128 else uvarint(n))
        write_compact_strings(out, m.source_topics)
        if m.sink_topic is None:
            put(b"\0")
        else:
            text = m.sink_topic.encode()
            n = len(text) + 1
            put(UVARINT[n] if n < 128 else uvarint(n))
            put(text)
        n = len(m.stores) + 1
        put(UVARINT[n] if n < 128 else uvarint(n))
        write_compact_strings(out, m.stores)
        n = len(m.successors) + 1
        put(UVARINT[n] if n < 128 else uvarint(n))
        write_compact_strings(out, m.successors)
        put(b"\0")


def write_topology_description_subtopology_v0_list(out: list[MessagePart], items: list[TopologyDescriptionSubtopology]) -> None:
    put = out.append
    for m in items:
        text = m.subtopology_id.encode()
        n = len(text) + 1
        put(UVARINT[n] if n < 128 else uvarint(n))
        put(text)
        n = len(m.nodes) + 1
        put(UVARINT[n] if n < 128 else uvarint(n))
        write_topology_description_node_v0_list(out, m.nodes)
        put(b"\0")


def write_topology_description_global_store_v0_list(out: list[MessagePart], items: list[TopologyDescriptionGlobalStore]) -> None:
    put = out.append
    for m in items:
        write_topology_description_node_v0(out, m.source)
        write_topology_description_node_v0(out, m.processor)
        put(b"\0")


def write_topology_description_v0(out: list[MessagePart], m: TopologyDescription) -> None:
    put = out.append
    n = len(m.subtopologies) + 1
    put(UVARINT[n] if n < 128 else uvarint(n))
    write_topology_description_subtopology_v0_list(out, m.subtopologies)
    n = len(m.global_stores) + 1
    put(UVARINT[n] if n < 128 else uvarint(n))
    write_topology_description_global_store_v0_list(out, m.global_stores)
    put(b"\0")


def write_streams_group_topology_description_update_request_v0(out: list[MessagePart], m: StreamsGroupTopologyDescriptionUpdateRequest) -> None:
    put = out.append
    text = m.group_id.encode()
    n = len(text) + 1
    put(UVARINT[n] if n < 128 else uvarint(n))
    put(text)
    text = m.member_id.encode()
    n = len(text) + 1
    put(UVARINT[n] if n < 128 else uvarint(n))
    put(text)
    put(pack_i(m.topology_epoch))
    write_topology_description_v0(out, m.topology_description)
    put(b"\0")


def write_streams_group_topology_description_update_response_v0(out: list[MessagePart], m: StreamsGroupTopologyDescriptionUpdateResponse) -> None:
    put = out.append
    put(pack_ih(m.throttle_time_ms, m.error_code))
    if m.error_message is None:
        put(b"\0")
    else:
        text = m.error_message.encode()
        n = len(text) + 1
        put(UVARINT[n] if n < 128 else uvarint(n))
        put(text)
    put(b"\0")


StreamsGroupTopologyDescriptionUpdateRequest.WRITERS = {
    0: write_streams_group_topology_description_update_request_v0,
}
StreamsGroupTopologyDescriptionUpdateResponse.WRITERS = {
    0: write_streams_group_topology_description_update_response_v0,
}
