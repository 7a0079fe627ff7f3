"""Generated from `tenure/protocol/tables/offset_delete.py` by `python -m tenure.protocol.generate`."""

from struct import Struct as Packer
from typing import Final

from tenure.protocol.generated.offset_delete import (
    OffsetDeleteRequest,
    OffsetDeleteRequestPartition,
    OffsetDeleteRequestTopic,
    OffsetDeleteResponse,
    OffsetDeleteResponsePartition,
    OffsetDeleteResponseTopic,
)
from tenure.protocol.message import (
    MessagePart,
)

pack_h: Final = Packer(">h").pack
pack_hii: Final = Packer(">hii").pack
pack_i: Final = Packer(">i").pack
pack_ih: Final = Packer(">ih").pack


def write_offset_delete_request_partition_v0_list(out: list[MessagePart], items: list[OffsetDeleteRequestPartition]) -> None:
    put = out.append
    for m in items:
        put(pack_i(m.partition_index))


def write_offset_delete_request_topic_v0_list(out: list[MessagePart], items: list[OffsetDeleteRequestTopic]) -> None:
    put = out.append
    for m in items:
        text = m.name.encode()
        put(pack_h(len(text)))
        put(text)
        put(pack_i(len(m.partitions)))
        write_offset_delete_request_partition_v0_list(out, m.partitions)


def write_offset_delete_request_v0(out: list[MessagePart], m: OffsetDeleteRequest) -> None:
    put = out.append
    text = m.group_id.encode()
    put(pack_h(len(text)))
    put(text)
    put(pack_i(len(m.topics)))
    write_offset_delete_request_topic_v0_list(out, m.topics)


def write_offset_delete_response_partition_v0_list(out: list[MessagePart], items: list[OffsetDeleteResponsePartition]) -> None:
    put = out.append
    for m in items:
        put(pack_ih(m.partition_index, m.error_code))


def write_offset_delete_response_topic_v0_list(out: list[MessagePart], items: list[OffsetDeleteResponseTopic]) -> None:
    put = out.append
    for m in items:
        text = m.name.encode()
        put(pack_h(len(text)))
        put(text)
        put(pack_i(len(m.partitions)))
        write_offset_delete_response_partition_v0_list(out, m.partitions)


def write_offset_delete_response_v0(out: list[MessagePart], m: OffsetDeleteResponse) -> None:
    put = out.append
    put(pack_hii(m.error_code, m.throttle_time_ms, len(m.topics)))
    write_offset_delete_response_topic_v0_list(out, m.topics)


OffsetDeleteRequest.WRITERS = {
    0: write_offset_delete_request_v0,
}
OffsetDeleteResponse.WRITERS = {
    0: write_offset_delete_response_v0,
}
