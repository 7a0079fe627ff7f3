"""Generated from `tenure/protocol/tables/offset_delete.py` by `python -m tenure.protocol.generate`."""

from collections.abc import Iterator
from struct import Struct as Packer
from typing import Final

from tenure.protocol.generated.offset_delete import (
    OffsetDeleteResponse,
    OffsetDeleteResponseTopic,
)
from tenure.protocol.generated.writers.offset_delete import (
    write_offset_delete_response_partition_v0_list,
)
from tenure.protocol.message import (
    MessagePart,
)

pack_h: Final = Packer(">h").pack
pack_hii: Final = Packer(">hii").pack
pack_i: Final = Packer(">i").pack


def pieces_of_offset_delete_response_topic_v0_list(out: list[MessagePart], items: list[OffsetDeleteResponseTopic]) -> Iterator[None]:
    put = out.append
    for m in items:
        text = m.name.encode()
        put(pack_h(len(text)))
        put(text)
        put(pack_i(len(m.partitions)))
        for start in range(0, len(m.partitions), 256):
            write_offset_delete_response_partition_v0_list(out, m.partitions[start : start + 256])
            yield
        yield


def pieces_of_offset_delete_response_v0(out: list[MessagePart], m: OffsetDeleteResponse) -> Iterator[None]:
    put = out.append
    put(pack_hii(m.error_code, m.throttle_time_ms, len(m.topics)))
    yield from pieces_of_offset_delete_response_topic_v0_list(out, m.topics)


OffsetDeleteResponse.PIECEWISE_WRITERS = {
    0: pieces_of_offset_delete_response_v0,
}
