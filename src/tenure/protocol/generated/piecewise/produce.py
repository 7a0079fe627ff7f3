"""Generated from `tenure/protocol/tables/produce.py` by `python -m tenure.protocol.generate`."""

from collections.abc import Iterator
from struct import Struct as Packer
from typing import Final

from tenure.protocol.generated.produce import (
    DEFAULT_LEADER_ID_AND_EPOCH,
    PartitionProduceResponse,
    ProduceResponse,
    TopicProduceResponse,
)
from tenure.protocol.generated.writers.produce import (
    write_batch_index_and_error_message_v8_list,
    write_batch_index_and_error_message_v9_list,
    write_leader_id_and_epoch_v10,
    write_node_endpoint_v10_list,
    write_partition_produce_response_v3_list,
    write_partition_produce_response_v5_list,
)
from tenure.protocol.message import (
    MessagePart,
    UnsupportedVersion,
)
from tenure.protocol.wire import (
    UVARINT,
    joined,
    tagged,
    uvarint,
)

pack_16s: Final = Packer(">16s").pack
pack_h: Final = Packer(">h").pack
pack_i: Final = Packer(">i").pack
pack_ihqqq: Final = Packer(">ihqqq").pack
pack_ihqqqi: Final = Packer(">ihqqqi").pack
pack_ix: Final = Packer(">ix").pack


def pieces_of_topic_produce_response_v3_list(out: list[MessagePart], items: list[TopicProduceResponse]) -> Iterator[None]:
    put = out.append
    for m in items:
        text = m.name.encode()
        put(pack_h(len(text)))
        put(text)
        put(pack_i(len(m.partition_responses)))
        for start in range(0, len(m.partition_responses), 256):
            write_partition_produce_response_v3_list(out, m.partition_responses[start : start + 256])
            yield
        yield


def pieces_of_produce_response_v3(out: list[MessagePart], m: ProduceResponse) -> Iterator[None]:
    put = out.append
    if m.node_endpoints:
        raise UnsupportedVersion("ProduceResponse.node_endpoints exists in versions 10+ only")
    put(pack_i(len(m.responses)))
    yield from pieces_of_topic_produce_response_v3_list(out, m.responses)
    put(pack_i(m.throttle_time_ms))


def pieces_of_topic_produce_response_v5_list(out: list[MessagePart], items: list[TopicProduceResponse]) -> Iterator[None]:
    put = out.append
    for m in items:
        text = m.name.encode()
        put(pack_h(len(text)))
        put(text)
        put(pack_i(len(m.partition_responses)))
        for start in range(0, len(m.partition_responses), 256):
            write_partition_produce_response_v5_list(out, m.partition_responses[start : start + 256])
            yield
        yield


def pieces_of_produce_response_v5(out: list[MessagePart], m: ProduceResponse) -> Iterator[None]:
    put = out.append
    if m.node_endpoints:
        raise UnsupportedVersion("ProduceResponse.node_endpoints exists in versions 10+ only")
    put(pack_i(len(m.responses)))
    yield from pieces_of_topic_produce_response_v5_list(out, m.responses)
    put(pack_i(m.throttle_time_ms))


def pieces_of_partition_produce_response_v8_list(out: list[MessagePart], items: list[PartitionProduceResponse]) -> Iterator[None]:
    put = out.append
    for m in items:
        if m.current_leader is not DEFAULT_LEADER_ID_AND_EPOCH and m.current_leader != DEFAULT_LEADER_ID_AND_EPOCH:
            raise UnsupportedVersion("PartitionProduceResponse.current_leader exists in versions 10+ only")
        put(pack_ihqqqi(m.index, m.error_code, m.base_offset, m.log_append_time_ms, m.log_start_offset, len(m.record_errors)))
        for start in range(0, len(m.record_errors), 256):
            write_batch_index_and_error_message_v8_list(out, m.record_errors[start : start + 256])
            yield
        if m.error_message is None:
            put(pack_h(-1))
        else:
            text = m.error_message.encode()
            put(pack_h(len(text)))
            put(text)
        yield


def pieces_of_topic_produce_response_v8_list(out: list[MessagePart], items: list[TopicProduceResponse]) -> Iterator[None]:
    put = out.append
    for m in items:
        text = m.name.encode()
        put(pack_h(len(text)))
        put(text)
        put(pack_i(len(m.partition_responses)))
        yield from pieces_of_partition_produce_response_v8_list(out, m.partition_responses)
        yield


def pieces_of_produce_response_v8(out: list[MessagePart], m: ProduceResponse) -> Iterator[None]:
    put = out.append
    if m.node_endpoints:
        raise UnsupportedVersion("ProduceResponse.node_endpoints exists in versions 10+ only")
    put(pack_i(len(m.responses)))
    yield from pieces_of_topic_produce_response_v8_list(out, m.responses)
    put(pack_i(m.throttle_time_ms))


def pieces_of_partition_produce_response_v9_list(out: list[MessagePart], items: list[PartitionProduceResponse]) -> Iterator[None]:
    put = out.append
    for m in items:
        if m.current_leader is not DEFAULT_LEADER_ID_AND_EPOCH and m.current_leader != DEFAULT_LEADER_ID_AND_EPOCH:
            raise UnsupportedVersion("PartitionProduceResponse.current_leader exists in versions 10+ only")
        put(pack_ihqqq(m.index, m.error_code, m.base_offset, m.log_append_time_ms, m.log_start_offset))
        n = len(m.record_errors) + 1
        put(UVARINT[n] if n < 128 else uvarint(n))
        for start in range(0, len(m.record_errors), 256):
            write_batch_index_and_error_message_v9_list(out, m.record_errors[start : start + 256])
            yield
        if m.error_message is None:
            put(b"\0")
        else:
            text = m.error_message.encode()
            n = len(text) + 1
            put(UVARINT[n] if n < 128 else uvarint(n))
            put(text)
        put(b"\0")
        yield


def pieces_of_topic_produce_response_v9_list(out: list[MessagePart], items: list[TopicProduceResponse]) -> Iterator[None]:
    put = out.append
    for m in items:
        text = m.name.encode()
        n = len(text) + 1
        put(UVARINT[n] if n < 128 else uvarint(n))
        put(text)
        n = len(m.partition_responses) + 1
        put(UVARINT[n] if n < 128 else uvarint(n))
        yield from pieces_of_partition_produce_response_v9_list(out, m.partition_responses)
        put(b"\0")
        yield


def pieces_of_produce_response_v9(out: list[MessagePart], m: ProduceResponse) -> Iterator[None]:
    put = out.append
    if m.node_endpoints:
        raise UnsupportedVersion("ProduceResponse.node_endpoints exists in versions 10+ only")
    n = len(m.responses) + 1
    put(UVARINT[n] if n < 128 else uvarint(n))
    yield from pieces_of_topic_produce_response_v9_list(out, m.responses)
    put(pack_ix(m.throttle_time_ms))


def pieces_of_partition_produce_response_v10_list(out: list[MessagePart], items: list[PartitionProduceResponse]) -> Iterator[None]:
    put = out.append
    for m in items:
        put(pack_ihqqq(m.index, m.error_code, m.base_offset, m.log_append_time_ms, m.log_start_offset))
        n = len(m.record_errors) + 1
        put(UVARINT[n] if n < 128 else uvarint(n))
        for start in range(0, len(m.record_errors), 256):
            write_batch_index_and_error_message_v9_list(out, m.record_errors[start : start + 256])
            yield
        if m.error_message is None:
            put(b"\0")
        else:
            text = m.error_message.encode()
            n = len(text) + 1
            put(UVARINT[n] if n < 128 else uvarint(n))
            put(text)
        tags: list[MessagePart] = []
        part: list[MessagePart]
        if m.current_leader is not DEFAULT_LEADER_ID_AND_EPOCH and m.current_leader != DEFAULT_LEADER_ID_AND_EPOCH:
            part = []
            write_leader_id_and_epoch_v10(part, m.current_leader)
            tags.append(tagged(0, joined(part)))
        put(UVARINT[len(tags)])
        out.extend(tags)
        yield


def pieces_of_topic_produce_response_v10_list(out: list[MessagePart], items: list[TopicProduceResponse]) -> Iterator[None]:
    put = out.append
    for m in items:
        text = m.name.encode()
        n = len(text) + 1
        put(UVARINT[n] if n < 128 else uvarint(n))
        put(text)
        n = len(m.partition_responses) + 1
        put(UVARINT[n] if n < 128 else uvarint(n))
        yield from pieces_of_partition_produce_response_v10_list(out, m.partition_responses)
        put(b"\0")
        yield


def pieces_of_produce_response_v10(out: list[MessagePart], m: ProduceResponse) -> Iterator[None]:
    put = out.append
    n = len(m.responses) + 1
    put(UVARINT[n] if n < 128 else uvarint(n))
    yield from pieces_of_topic_produce_response_v10_list(out, m.responses)
    put(pack_i(m.throttle_time_ms))
    tags: list[MessagePart] = []
    part: list[MessagePart]
    if m.node_endpoints:
        part = []
        n = len(m.node_endpoints) + 1
        part.append(UVARINT[n] if n < 128 else uvarint(n))
        write_node_endpoint_v10_list(part, m.node_endpoints)
        tags.append(tagged(0, joined(part)))
    put(UVARINT[len(tags)])
    out.extend(tags)


def pieces_of_topic_produce_response_v13_list(out: list[MessagePart], items: list[TopicProduceResponse]) -> Iterator[None]:
    put = out.append
    for m in items:
        put(pack_16s(m.topic_id))
        n = len(m.partition_responses) + 1
        put(UVARINT[n] if n < 128 else uvarint(n))
        yield from pieces_of_partition_produce_response_v10_list(out, m.partition_responses)
        put(b"\0")
        yield


def pieces_of_produce_response_v13(out: list[MessagePart], m: ProduceResponse) -> Iterator[None]:
    put = out.append
    n = len(m.responses) + 1
    put(UVARINT[n] if n < 128 else uvarint(n))
    yield from pieces_of_topic_produce_response_v13_list(out, m.responses)
    put(pack_i(m.throttle_time_ms))
    tags: list[MessagePart] = []
    part: list[MessagePart]
    if m.node_endpoints:
        part = []
        n = len(m.node_endpoints) + 1
        part.append(UVARINT[n] if n < 128 else uvarint(n))
        write_node_endpoint_v10_list(part, m.node_endpoints)
        tags.append(tagged(0, joined(part)))
    put(UVARINT[len(tags)])
    out.extend(tags)


ProduceResponse.PIECEWISE_WRITERS = {
    3: pieces_of_produce_response_v3,
    4: pieces_of_produce_response_v3,
    5: pieces_of_produce_response_v5,
    6: pieces_of_produce_response_v5,
    7: pieces_of_produce_response_v5,
    8: pieces_of_produce_response_v8,
    9: pieces_of_produce_response_v9,
    10: pieces_of_produce_response_v10,
    11: pieces_of_produce_response_v10,
    12: pieces_of_produce_response_v10,
    13: pieces_of_produce_response_v13,
}
