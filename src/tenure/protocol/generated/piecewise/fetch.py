"""Generated from `tenure/protocol/tables/fetch.py` by `python -m tenure.protocol.generate`."""

from collections.abc import Iterator
from struct import Struct as Packer
from typing import Final

from tenure.protocol.generated.fetch import (
    DEFAULT_EPOCH_END_OFFSET,
    DEFAULT_LEADER_ID_AND_EPOCH,
    DEFAULT_SNAPSHOT_ID,
    FetchResponse,
    FetchableTopicResponse,
    PartitionData,
)
from tenure.protocol.generated.writers.fetch import (
    write_aborted_transaction_v12_list,
    write_aborted_transaction_v4_list,
    write_epoch_end_offset_v12,
    write_leader_id_and_epoch_v12,
    write_node_endpoint_v16_list,
    write_snapshot_id_v12,
)
from tenure.protocol.message import (
    MessagePart,
    UnsupportedVersion,
)
from tenure.protocol.wire import (
    UVARINT,
    joined,
    tagged,
    uncopied,
    uvarint,
)

pack_16s: Final = Packer(">16s").pack
pack_h: Final = Packer(">h").pack
pack_i: Final = Packer(">i").pack
pack_ihi: Final = Packer(">ihi").pack
pack_ihii: Final = Packer(">ihii").pack
pack_ihqqi: Final = Packer(">ihqqi").pack
pack_ihqqq: Final = Packer(">ihqqq").pack
pack_ihqqqi: Final = Packer(">ihqqqi").pack
pack_ii: Final = Packer(">ii").pack


def pieces_of_partition_data_v4_list(out: list[MessagePart], items: list[PartitionData]) -> Iterator[None]:
    put = out.append
    for m in items:
        if m.diverging_epoch is not DEFAULT_EPOCH_END_OFFSET and m.diverging_epoch != DEFAULT_EPOCH_END_OFFSET:
            raise UnsupportedVersion("PartitionData.diverging_epoch exists in versions 12+ only")
        if m.current_leader is not DEFAULT_LEADER_ID_AND_EPOCH and m.current_leader != DEFAULT_LEADER_ID_AND_EPOCH:
            raise UnsupportedVersion("PartitionData.current_leader exists in versions 12+ only")
        if m.snapshot_id is not DEFAULT_SNAPSHOT_ID and m.snapshot_id != DEFAULT_SNAPSHOT_ID:
            raise UnsupportedVersion("PartitionData.snapshot_id exists in versions 12+ only")
        if m.preferred_read_replica != -1:
            raise UnsupportedVersion("PartitionData.preferred_read_replica exists in versions 11+ only")
        if m.aborted_transactions is None:
            put(pack_ihqqi(m.partition_index, m.error_code, m.high_watermark, m.last_stable_offset, -1))
        else:
            put(pack_ihqqi(m.partition_index, m.error_code, m.high_watermark, m.last_stable_offset, len(m.aborted_transactions)))
            for start in range(0, len(m.aborted_transactions), 256):
                write_aborted_transaction_v4_list(out, m.aborted_transactions[start : start + 256])
                yield
        if m.records is None:
            put(pack_i(-1))
        else:
            put(pack_i(len(m.records)))
            put(uncopied(m.records))
        yield


def pieces_of_fetchable_topic_response_v4_list(out: list[MessagePart], items: list[FetchableTopicResponse]) -> Iterator[None]:
    put = out.append
    for m in items:
        text = m.topic.encode()
        put(pack_h(len(text)))
        put(text)
        put(pack_i(len(m.partitions)))
        yield from pieces_of_partition_data_v4_list(out, m.partitions)
        yield


def pieces_of_fetch_response_v4(out: list[MessagePart], m: FetchResponse) -> Iterator[None]:
    put = out.append
    if m.session_id != 0:
        raise UnsupportedVersion("FetchResponse.session_id exists in versions 7+ only")
    if m.node_endpoints:
        raise UnsupportedVersion("FetchResponse.node_endpoints exists in versions 16+ only")
    put(pack_ii(m.throttle_time_ms, len(m.responses)))
    yield from pieces_of_fetchable_topic_response_v4_list(out, m.responses)


def pieces_of_partition_data_v5_list(out: list[MessagePart], items: list[PartitionData]) -> Iterator[None]:
    put = out.append
    for m in items:
        if m.diverging_epoch is not DEFAULT_EPOCH_END_OFFSET and m.diverging_epoch != DEFAULT_EPOCH_END_OFFSET:
            raise UnsupportedVersion("PartitionData.diverging_epoch exists in versions 12+ only")
        if m.current_leader is not DEFAULT_LEADER_ID_AND_EPOCH and m.current_leader != DEFAULT_LEADER_ID_AND_EPOCH:
            raise UnsupportedVersion("PartitionData.current_leader exists in versions 12+ only")
        if m.snapshot_id is not DEFAULT_SNAPSHOT_ID and m.snapshot_id != DEFAULT_SNAPSHOT_ID:
            raise UnsupportedVersion("PartitionData.snapshot_id exists in versions 12+ only")
        if m.preferred_read_replica != -1:
            raise UnsupportedVersion("PartitionData.preferred_read_replica exists in versions 11+ only")
        if m.aborted_transactions is None:
            put(pack_ihqqqi(m.partition_index, m.error_code, m.high_watermark, m.last_stable_offset, m.log_start_offset, -1))
        else:
            put(pack_ihqqqi(m.partition_index, m.error_code, m.high_watermark, m.last_stable_offset, m.log_start_offset, len(m.aborted_transactions)))
            for start in range(0, len(m.aborted_transactions), 256):
                write_aborted_transaction_v4_list(out, m.aborted_transactions[start : start + 256])
                yield
        if m.records is None:
            put(pack_i(-1))
        else:
            put(pack_i(len(m.records)))
            put(uncopied(m.records))
        yield


def pieces_of_fetchable_topic_response_v5_list(out: list[MessagePart], items: list[FetchableTopicResponse]) -> Iterator[None]:
    put = out.append
    for m in items:
        text = m.topic.encode()
        put(pack_h(len(text)))
        put(text)
        put(pack_i(len(m.partitions)))
        yield from pieces_of_partition_data_v5_list(out, m.partitions)
        yield


def pieces_of_fetch_response_v5(out: list[MessagePart], m: FetchResponse) -> Iterator[None]:
    put = out.append
    if m.session_id != 0:
        raise UnsupportedVersion("FetchResponse.session_id exists in versions 7+ only")
    if m.node_endpoints:
        raise UnsupportedVersion("FetchResponse.node_endpoints exists in versions 16+ only")
    put(pack_ii(m.throttle_time_ms, len(m.responses)))
    yield from pieces_of_fetchable_topic_response_v5_list(out, m.responses)


def pieces_of_fetch_response_v7(out: list[MessagePart], m: FetchResponse) -> Iterator[None]:
    put = out.append
    if m.node_endpoints:
        raise UnsupportedVersion("FetchResponse.node_endpoints exists in versions 16+ only")
    put(pack_ihii(m.throttle_time_ms, m.error_code, m.session_id, len(m.responses)))
    yield from pieces_of_fetchable_topic_response_v5_list(out, m.responses)


def pieces_of_partition_data_v11_list(out: list[MessagePart], items: list[PartitionData]) -> Iterator[None]:
    put = out.append
    for m in items:
        if m.diverging_epoch is not DEFAULT_EPOCH_END_OFFSET and m.diverging_epoch != DEFAULT_EPOCH_END_OFFSET:
            raise UnsupportedVersion("PartitionData.diverging_epoch exists in versions 12+ only")
        if m.current_leader is not DEFAULT_LEADER_ID_AND_EPOCH and m.current_leader != DEFAULT_LEADER_ID_AND_EPOCH:
            raise UnsupportedVersion("PartitionData.current_leader exists in versions 12+ only")
        if m.snapshot_id is not DEFAULT_SNAPSHOT_ID and m.snapshot_id != DEFAULT_SNAPSHOT_ID:
            raise UnsupportedVersion("PartitionData.snapshot_id exists in versions 12+ only")
        if m.aborted_transactions is None:
            put(pack_ihqqqi(m.partition_index, m.error_code, m.high_watermark, m.last_stable_offset, m.log_start_offset, -1))
        else:
            put(pack_ihqqqi(m.partition_index, m.error_code, m.high_watermark, m.last_stable_offset, m.log_start_offset, len(m.aborted_transactions)))
            for start in range(0, len(m.aborted_transactions), 256):
                write_aborted_transaction_v4_list(out, m.aborted_transactions[start : start + 256])
                yield
        if m.records is None:
            put(pack_ii(m.preferred_read_replica, -1))
        else:
            put(pack_ii(m.preferred_read_replica, len(m.records)))
            put(uncopied(m.records))
        yield


def pieces_of_fetchable_topic_response_v11_list(out: list[MessagePart], items: list[FetchableTopicResponse]) -> Iterator[None]:
    put = out.append
    for m in items:
        text = m.topic.encode()
        put(pack_h(len(text)))
        put(text)
        put(pack_i(len(m.partitions)))
        yield from pieces_of_partition_data_v11_list(out, m.partitions)
        yield


def pieces_of_fetch_response_v11(out: list[MessagePart], m: FetchResponse) -> Iterator[None]:
    put = out.append
    if m.node_endpoints:
        raise UnsupportedVersion("FetchResponse.node_endpoints exists in versions 16+ only")
    put(pack_ihii(m.throttle_time_ms, m.error_code, m.session_id, len(m.responses)))
    yield from pieces_of_fetchable_topic_response_v11_list(out, m.responses)


def pieces_of_partition_data_v12_list(out: list[MessagePart], items: list[PartitionData]) -> Iterator[None]:
    put = out.append
    for m in items:
        put(pack_ihqqq(m.partition_index, m.error_code, m.high_watermark, m.last_stable_offset, m.log_start_offset))
        if m.aborted_transactions is None:
            put(b"\0")
        else:
            n = len(m.aborted_transactions) + 1
            put(UVARINT[n] if n < 128 else uvarint(n))
            for start in range(0, len(m.aborted_transactions), 256):
                write_aborted_transaction_v12_list(out, m.aborted_transactions[start : start + 256])
                yield
        put(pack_i(m.preferred_read_replica))
        if m.records is None:
            put(b"\0")
        else:
            n = len(m.records) + 1
            put(UVARINT[n] if n < 128 else uvarint(n))
            put(uncopied(m.records))
        tags: list[MessagePart] = []
        part: list[MessagePart]
        if m.diverging_epoch is not DEFAULT_EPOCH_END_OFFSET and m.diverging_epoch != DEFAULT_EPOCH_END_OFFSET:
            part = []
            write_epoch_end_offset_v12(part, m.diverging_epoch)
            tags.append(tagged(0, joined(part)))
        if m.current_leader is not DEFAULT_LEADER_ID_AND_EPOCH and m.current_leader != DEFAULT_LEADER_ID_AND_EPOCH:
            part = []
            write_leader_id_and_epoch_v12(part, m.current_leader)
            tags.append(tagged(1, joined(part)))
        if m.snapshot_id is not DEFAULT_SNAPSHOT_ID and m.snapshot_id != DEFAULT_SNAPSHOT_ID:
            part = []
            write_snapshot_id_v12(part, m.snapshot_id)
            tags.append(tagged(2, joined(part)))
        put(UVARINT[len(tags)])
        out.extend(tags)
        yield


def pieces_of_fetchable_topic_response_v12_list(out: list[MessagePart], items: list[FetchableTopicResponse]) -> Iterator[None]:
    put = out.append
    for m in items:
        text = m.topic.encode()
        n = len(text) + 1
        put(UVARINT[n] if n < 128 else uvarint(n))
        put(text)
        n = len(m.partitions) + 1
        put(UVARINT[n] if n < 128 else uvarint(n))
        yield from pieces_of_partition_data_v12_list(out, m.partitions)
        put(b"\0")
        yield


def pieces_of_fetch_response_v12(out: list[MessagePart], m: FetchResponse) -> Iterator[None]:
    put = out.append
    if m.node_endpoints:
        raise UnsupportedVersion("FetchResponse.node_endpoints exists in versions 16+ only")
    put(pack_ihi(m.throttle_time_ms, m.error_code, m.session_id))
    n = len(m.responses) + 1
    put(UVARINT[n] if n < 128 else uvarint(n))
    yield from pieces_of_fetchable_topic_response_v12_list(out, m.responses)
    put(b"\0")


def pieces_of_fetchable_topic_response_v13_list(out: list[MessagePart], items: list[FetchableTopicResponse]) -> Iterator[None]:
    put = out.append
    for m in items:
        put(pack_16s(m.topic_id))
        n = len(m.partitions) + 1
        put(UVARINT[n] if n < 128 else uvarint(n))
        yield from pieces_of_partition_data_v12_list(out, m.partitions)
        put(b"\0")
        yield


def pieces_of_fetch_response_v13(out: list[MessagePart], m: FetchResponse) -> Iterator[None]:
    put = out.append
    if m.node_endpoints:
        raise UnsupportedVersion("FetchResponse.node_endpoints exists in versions 16+ only")
    put(pack_ihi(m.throttle_time_ms, m.error_code, m.session_id))
    n = len(m.responses) + 1
    put(UVARINT[n] if n < 128 else uvarint(n))
    yield from pieces_of_fetchable_topic_response_v13_list(out, m.responses)
    put(b"\0")


def pieces_of_fetch_response_v16(out: list[MessagePart], m: FetchResponse) -> Iterator[None]:
    put = out.append
    put(pack_ihi(m.throttle_time_ms, m.error_code, m.session_id))
    n = len(m.responses) + 1
    put(UVARINT[n] if n < 128 else uvarint(n))
    yield from pieces_of_fetchable_topic_response_v13_list(out, m.responses)
    tags: list[MessagePart] = []
    part: list[MessagePart]
    if m.node_endpoints:
        part = []
        n = len(m.node_endpoints) + 1
        part.append(UVARINT[n] if n < 128 else uvarint(n))
        write_node_endpoint_v16_list(part, m.node_endpoints)
        tags.append(tagged(0, joined(part)))
    put(UVARINT[len(tags)])
    out.extend(tags)


FetchResponse.PIECEWISE_WRITERS = {
    4: pieces_of_fetch_response_v4,
    5: pieces_of_fetch_response_v5,
    6: pieces_of_fetch_response_v5,
    7: pieces_of_fetch_response_v7,
    8: pieces_of_fetch_response_v7,
    9: pieces_of_fetch_response_v7,
    10: pieces_of_fetch_response_v7,
    11: pieces_of_fetch_response_v11,
    12: pieces_of_fetch_response_v12,
    13: pieces_of_fetch_response_v13,
    14: pieces_of_fetch_response_v13,
    15: pieces_of_fetch_response_v13,
    16: pieces_of_fetch_response_v16,
    17: pieces_of_fetch_response_v16,
    18: pieces_of_fetch_response_v16,
}
