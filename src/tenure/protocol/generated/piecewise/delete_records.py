"""Generated from `tenure/protocol/tables/delete_records.py` by `python -m tenure.protocol.generate`."""

from collections.abc import Iterator
from struct import Struct as Packer
from typing import Final

from tenure.protocol.generated.delete_records import (
    DeleteRecordsResponse,
    DeleteRecordsTopicResult,
)
from tenure.protocol.generated.writers.delete_records import (
    write_delete_records_partition_result_v0_list,
    write_delete_records_partition_result_v2_list,
)
from tenure.protocol.message import (
    MessagePart,
)
from tenure.protocol.wire import (
    UVARINT,
    uvarint,
)

pack_h: Final = Packer(">h").pack
pack_i: Final = Packer(">i").pack
pack_ii: Final = Packer(">ii").pack


def pieces_of_delete_records_topic_result_v0_list(out: list[MessagePart], items: list[DeleteRecordsTopicResult]) -> Iterator[None]:
    put = out.append
    for m in items:
        text = m.name.encode()
        put(pack_h(len(text)))
        put(text)
        put(pack_i(len(m.partitions)))
        for start in range(0, len(m.partitions), 256):
            write_delete_records_partition_result_v0_list(out, m.partitions[start : start + 256])
            yield
        yield


def pieces_of_delete_records_response_v0(out: list[MessagePart], m: DeleteRecordsResponse) -> Iterator[None]:
    put = out.append
    put(pack_ii(m.throttle_time_ms, len(m.topics)))
    yield from pieces_of_delete_records_topic_result_v0_list(out, m.topics)


def pieces_of_delete_records_topic_result_v2_list(out: list[MessagePart], items: list[DeleteRecordsTopicResult]) -> Iterator[None]:
    put = out.append
    for m in items:
        text = m.name.encode()
        n = len(text) + 1
        put(UVARINT[n] if n < 128 else uvarint(n))
        put(text)
        n = len(m.partitions) + 1
        put(UVARINT[n] if n < 128 else uvarint(n))
        for start in range(0, len(m.partitions), 256):
            write_delete_records_partition_result_v2_list(out, m.partitions[start : start + 256])
            yield
        put(b"\0")
        yield


def pieces_of_delete_records_response_v2(out: list[MessagePart], m: DeleteRecordsResponse) -> Iterator[None]:
    put = out.append
    put(pack_i(m.throttle_time_ms))
    n = len(m.topics) + 1
    put(UVARINT[n] if n < 128 else uvarint(n))
    yield from pieces_of_delete_records_topic_result_v2_list(out, m.topics)
    put(b"\0")


DeleteRecordsResponse.PIECEWISE_WRITERS = {
    0: pieces_of_delete_records_response_v0,
    1: pieces_of_delete_records_response_v0,
    2: pieces_of_delete_records_response_v2,
}
