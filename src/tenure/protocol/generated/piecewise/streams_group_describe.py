"""Generated from `tenure/protocol/tables/streams_group_describe.py` by `python -m tenure.protocol.generate`."""

from collections.abc import Iterator
from struct import Struct as Packer
from typing import Final

from tenure.protocol.generated.streams_group_describe import (
    DescribedStreamsGroup,
    DescribedStreamsMember,
    StreamsGroupDescribeResponse,
)
from tenure.protocol.generated.writers.streams_group_describe import (
    write_described_streams_assignment_v0,
    write_described_streams_endpoint_v0,
    write_described_streams_key_value_v0_list,
    write_described_streams_task_offset_v0_list,
    write_described_streams_topology_v0,
    write_described_topology_v1,
)
from tenure.protocol.message import (
    MessagePart,
    UnsupportedVersion,
)
from tenure.protocol.wire import (
    UVARINT,
    uvarint,
)

pack_Zx: Final = Packer(">?x").pack
pack_b: Final = Packer(">b").pack
pack_h: Final = Packer(">h").pack
pack_i: Final = Packer(">i").pack
pack_ii: Final = Packer(">ii").pack
pack_ix: Final = Packer(">ix").pack


def pieces_of_described_streams_member_v0_list(out: list[MessagePart], items: list[DescribedStreamsMember]) -> Iterator[None]:
    put = out.append
    for m in items:
        text = m.member_id.encode()
        n = len(text) + 1
        put(UVARINT[n] if n < 128 else uvarint(n))
        put(text)
        put(pack_i(m.member_epoch))
        if m.instance_id is None:
            put(b"\0")
        else:
            text = m.instance_id.encode()
            n = len(text) + 1
            put(UVARINT[n] if n < 128 else uvarint(n))
            put(text)
        if m.rack_id is None:
            put(b"\0")
        else:
            text = m.rack_id.encode()
            n = len(text) + 1
            put(UVARINT[n] if n < 128 else uvarint(n))
            put(text)
        text = m.client_id.encode()
        n = len(text) + 1
        put(UVARINT[n] if n < 128 else uvarint(n))
        put(text)
        text = m.client_host.encode()
        n = len(text) + 1
        put(UVARINT[n] if n < 128 else uvarint(n))
        put(text)
        text = m.process_id.encode()
        put(pack_i(m.topology_epoch))
        n = len(text) + 1
        put(UVARINT[n] if n < 128 else uvarint(n))
        put(text)
        if m.user_endpoint is None:
            put(b"\xff")
        else:
            put(b"\x01")
            write_described_streams_endpoint_v0(out, m.user_endpoint)
        n = len(m.client_tags) + 1
        put(UVARINT[n] if n < 128 else uvarint(n))
        for start in range(0, len(m.client_tags), 256):
            write_described_streams_key_value_v0_list(out, m.client_tags[start : start + 256])
            yield
        n = len(m.task_offsets) + 1
        put(UVARINT[n] if n < 128 else uvarint(n))
        for start in range(0, len(m.task_offsets), 256):
            write_described_streams_task_offset_v0_list(out, m.task_offsets[start : start + 256])
            yield
        n = len(m.task_end_offsets) + 1
        put(UVARINT[n] if n < 128 else uvarint(n))
        for start in range(0, len(m.task_end_offsets), 256):
            write_described_streams_task_offset_v0_list(out, m.task_end_offsets[start : start + 256])
            yield
        write_described_streams_assignment_v0(out, m.assignment)
        write_described_streams_assignment_v0(out, m.target_assignment)
        put(pack_Zx(m.is_classic))
        yield


def pieces_of_described_streams_group_v0_list(out: list[MessagePart], items: list[DescribedStreamsGroup]) -> Iterator[None]:
    put = out.append
    for m in items:
        if m.topology_description is not None:
            raise UnsupportedVersion("DescribedStreamsGroup.topology_description exists in versions 1+ only")
        if m.topology_description_status != 0:
            raise UnsupportedVersion("DescribedStreamsGroup.topology_description_status exists in versions 1+ only")
        put(pack_h(m.error_code))
        if m.error_message is None:
            put(b"\0")
        else:
            text = m.error_message.encode()
            n = len(text) + 1
            put(UVARINT[n] if n < 128 else uvarint(n))
            put(text)
        text = m.group_id.encode()
        n = len(text) + 1
        put(UVARINT[n] if n < 128 else uvarint(n))
        put(text)
        text = m.group_state.encode()
        n = len(text) + 1
        put(UVARINT[n] if n < 128 else uvarint(n))
        put(text)
        put(pack_ii(m.group_epoch, m.assignment_epoch))
        if m.topology is None:
            put(b"\xff")
        else:
            put(b"\x01")
            write_described_streams_topology_v0(out, m.topology)
        n = len(m.members) + 1
        put(UVARINT[n] if n < 128 else uvarint(n))
        yield from pieces_of_described_streams_member_v0_list(out, m.members)
        put(pack_ix(m.authorized_operations))
        yield


def pieces_of_streams_group_describe_response_v0(out: list[MessagePart], m: StreamsGroupDescribeResponse) -> Iterator[None]:
    put = out.append
    put(pack_i(m.throttle_time_ms))
    n = len(m.groups) + 1
    put(UVARINT[n] if n < 128 else uvarint(n))
    yield from pieces_of_described_streams_group_v0_list(out, m.groups)
    put(b"\0")


def pieces_of_described_streams_group_v1_list(out: list[MessagePart], items: list[DescribedStreamsGroup]) -> Iterator[None]:
    put = out.append
    for m in items:
        put(pack_h(m.error_code))
        if m.error_message is None:
            put(b"\0")
        else:
            text = m.error_message.encode()
            n = len(text) + 1
            put(UVARINT[n] if n < 128 else uvarint(n))
            put(text)
        text = m.group_id.encode()
        n = len(text) + 1
        put(UVARINT[n] if n < 128 else uvarint(n))
        put(text)
        text = m.group_state.encode()
        n = len(text) + 1
        put(UVARINT[n] if n < 128 else uvarint(n))
        put(text)
        put(pack_ii(m.group_epoch, m.assignment_epoch))
        if m.topology is None:
            put(b"\xff")
        else:
            put(b"\x01")
            write_described_streams_topology_v0(out, m.topology)
        n = len(m.members) + 1
        put(UVARINT[n] if n < 128 else uvarint(n))
        yield from pieces_of_described_streams_member_v0_list(out, m.members)
        put(pack_i(m.authorized_operations))
        if m.topology_description is None:
            put(b"\xff")
        else:
            put(b"\x01")
            write_described_topology_v1(out, m.topology_description)
        put(pack_b(m.topology_description_status))
        if m.assignor_name is None:
            put(b"\0")
        else:
            text = m.assignor_name.encode()
            n = len(text) + 1
            put(UVARINT[n] if n < 128 else uvarint(n))
            put(text)
        put(b"\0")
        yield


def pieces_of_streams_group_describe_response_v1(out: list[MessagePart], m: StreamsGroupDescribeResponse) -> Iterator[None]:
    put = out.append
    put(pack_i(m.throttle_time_ms))
    n = len(m.groups) + 1
    put(UVARINT[n] if n < 128 else uvarint(n))
    yield from pieces_of_described_streams_group_v1_list(out, m.groups)
    put(b"\0")


StreamsGroupDescribeResponse.PIECEWISE_WRITERS = {
    0: pieces_of_streams_group_describe_response_v0,
    1: pieces_of_streams_group_describe_response_v1,
}
