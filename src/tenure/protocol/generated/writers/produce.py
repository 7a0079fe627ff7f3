"""Generated from `tenure/protocol/tables/produce.py` by `python -m tenure.protocol.generate`."""

from struct import Struct as Packer
from typing import Final

from tenure.protocol.generated.produce import (
    BatchIndexAndErrorMessage,
    DEFAULT_LEADER_ID_AND_EPOCH,
    LeaderIdAndEpoch,
    NodeEndpoint,
    PartitionProduceData,
    PartitionProduceResponse,
    ProduceRequest,
    ProduceResponse,
    TopicProduceData,
    TopicProduceResponse,
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
pack_hi: Final = Packer(">hi").pack
pack_hii: Final = Packer(">hii").pack
pack_i: Final = Packer(">i").pack
pack_ih: Final = Packer(">ih").pack
pack_ihqq: Final = Packer(">ihqq").pack
pack_ihqqq: Final = Packer(">ihqqq").pack
pack_ihqqqi: Final = Packer(">ihqqqi").pack
pack_ii: Final = Packer(">ii").pack
pack_iix: Final = Packer(">iix").pack
pack_ix: Final = Packer(">ix").pack


def write_partition_produce_data_v3_list(out: list[MessagePart], items: list[PartitionProduceData]) -> None:
    put = out.append
    for m in items:
        if m.records is None:
            put(pack_ii(m.index, -1))
        else:
            put(pack_ii(m.index, len(m.records)))
            put(uncopied(m.records))


def write_topic_produce_data_v3_list(out: list[MessagePart], items: list[TopicProduceData]) -> None:
    put = out.append
    for m in items:
        text = m.name.encode()
        put(pack_h(len(text)))
        put(text)
        put(pack_i(len(m.partition_data)))
        write_partition_produce_data_v3_list(out, m.partition_data)


def write_produce_request_v3(out: list[MessagePart], m: ProduceRequest) -> None:
    put = out.append
    if m.transactional_id is None:
        put(pack_h(-1))
    else:
        text = m.transactional_id.encode()
        put(pack_h(len(text)))
        put(text)
    put(pack_hii(m.acks, m.timeout_ms, len(m.topic_data)))
    write_topic_produce_data_v3_list(out, m.topic_data)


def write_partition_produce_data_v9_list(out: list[MessagePart], items: list[PartitionProduceData]) -> None:
    put = out.append
    for m in items:
        put(pack_i(m.index))
        if m.records is None:
            put(b"\0")
        else:
            n = len(m.records) + 1
            put(UVARINT[n] if n < 128 else uvarint(n))
            put(uncopied(m.records))
        put(b"\0")


def write_topic_produce_data_v9_list(out: list[MessagePart], items: list[TopicProduceData]) -> None:
    put = out.append
    for m in items:
        text = m.name.encode()
        n = len(text) + 1
        put(UVARINT[n] if n < 128 else uvarint(n))
        put(text)
        n = len(m.partition_data) + 1
        put(UVARINT[n] if n < 128 else uvarint(n))
        write_partition_produce_data_v9_list(out, m.partition_data)
        put(b"\0")


def write_produce_request_v9(out: list[MessagePart], m: ProduceRequest) -> None:
    put = out.append
    if m.transactional_id is None:
        put(b"\0")
    else:
        text = m.transactional_id.encode()
        n = len(text) + 1
        put(UVARINT[n] if n < 128 else uvarint(n))
        put(text)
    put(pack_hi(m.acks, m.timeout_ms))
    n = len(m.topic_data) + 1
    put(UVARINT[n] if n < 128 else uvarint(n))
    write_topic_produce_data_v9_list(out, m.topic_data)
    put(b"\0")


def write_topic_produce_data_v13_list(out: list[MessagePart], items: list[TopicProduceData]) -> None:
    put = out.append
    for m in items:
        put(pack_16s(m.topic_id))
        n = len(m.partition_data) + 1
        put(UVARINT[n] if n < 128 else uvarint(n))
        write_partition_produce_data_v9_list(out, m.partition_data)
        put(b"\0")


def write_produce_request_v13(out: list[MessagePart], m: ProduceRequest) -> None:
    put = out.append
    if m.transactional_id is None:
        put(b"\0")
    else:
        text = m.transactional_id.encode()
        n = len(text) + 1
        put(UVARINT[n] if n < 128 else uvarint(n))
        put(text)
    put(pack_hi(m.acks, m.timeout_ms))
    n = len(m.topic_data) + 1
    put(UVARINT[n] if n < 128 else uvarint(n))
    write_topic_produce_data_v13_list(out, m.topic_data)
    put(b"\0")


def write_partition_produce_response_v3_list(out: list[MessagePart], items: list[PartitionProduceResponse]) -> None:
    put = out.append
    for m in items:
        if m.current_leader is not DEFAULT_LEADER_ID_AND_EPOCH and m.current_leader != DEFAULT_LEADER_ID_AND_EPOCH:
            raise UnsupportedVersion("PartitionProduceResponse.current_leader exists in versions 10+ only")
        put(pack_ihqq(m.index, m.error_code, m.base_offset, m.log_append_time_ms))


def write_topic_produce_response_v3_list(out: list[MessagePart], items: list[TopicProduceResponse]) -> None:
    put = out.append
    for m in items:
        text = m.name.encode()
        put(pack_h(len(text)))
        put(text)
        put(pack_i(len(m.partition_responses)))
        write_partition_produce_response_v3_list(out, m.partition_responses)


def write_produce_response_v3(out: list[MessagePart], m: ProduceResponse) -> None:
    put = out.append
    if m.node_endpoints:
        raise UnsupportedVersion("ProduceResponse.node_endpoints exists in versions 10+ only")
    put(pack_i(len(m.responses)))
    write_topic_produce_response_v3_list(out, m.responses)
    put(pack_i(m.throttle_time_ms))


def write_partition_produce_response_v5_list(out: list[MessagePart], items: list[PartitionProduceResponse]) -> None:
    put = out.append
    for m in items:
        if m.current_leader is not DEFAULT_LEADER_ID_AND_EPOCH and m.current_leader != DEFAULT_LEADER_ID_AND_EPOCH:
            raise UnsupportedVersion("PartitionProduceResponse.current_leader exists in versions 10+ only")
        put(pack_ihqqq(m.index, m.error_code, m.base_offset, m.log_append_time_ms, m.log_start_offset))


def write_topic_produce_response_v5_list(out: list[MessagePart], items: list[TopicProduceResponse]) -> None:
    put = out.append
    for m in items:
        text = m.name.encode()
        put(pack_h(len(text)))
        put(text)
        put(pack_i(len(m.partition_responses)))
        write_partition_produce_response_v5_list(out, m.partition_responses)


def write_produce_response_v5(out: list[MessagePart], m: ProduceResponse) -> None:
    put = out.append
    if m.node_endpoints:
        raise UnsupportedVersion("ProduceResponse.node_endpoints exists in versions 10+ only")
    put(pack_i(len(m.responses)))
    write_topic_produce_response_v5_list(out, m.responses)
    put(pack_i(m.throttle_time_ms))


def write_batch_index_and_error_message_v8_list(out: list[MessagePart], items: list[BatchIndexAndErrorMessage]) -> None:
    put = out.append
    for m in items:
        if m.batch_index_error_message is None:
            put(pack_ih(m.batch_index, -1))
        else:
            text = m.batch_index_error_message.encode()
            put(pack_ih(m.batch_index, len(text)))
            put(text)


def write_partition_produce_response_v8_list(out: list[MessagePart], items: list[PartitionProduceResponse]) -> None:
    put = out.append
    for m in items:
        if m.current_leader is not DEFAULT_LEADER_ID_AND_EPOCH and m.current_leader != DEFAULT_LEADER_ID_AND_EPOCH:
            raise UnsupportedVersion("PartitionProduceResponse.current_leader exists in versions 10+ only")
        put(pack_ihqqqi(m.index, m.error_code, m.base_offset, m.log_append_time_ms, m.log_start_offset, len(m.record_errors)))
        write_batch_index_and_error_message_v8_list(out, m.record_errors)
        if m.error_message is None:
            put(pack_h(-1))
        else:
            text = m.error_message.encode()
            put(pack_h(len(text)))
            put(text)


def write_topic_produce_response_v8_list(out: list[MessagePart], items: list[TopicProduceResponse]) -> None:
    put = out.append
    for m in items:
        text = m.name.encode()
        put(pack_h(len(text)))
        put(text)
        put(pack_i(len(m.partition_responses)))
        write_partition_produce_response_v8_list(out, m.partition_responses)


def write_produce_response_v8(out: list[MessagePart], m: ProduceResponse) -> None:
    put = out.append
    if m.node_endpoints:
        raise UnsupportedVersion("ProduceResponse.node_endpoints exists in versions 10+ only")
    put(pack_i(len(m.responses)))
    write_topic_produce_response_v8_list(out, m.responses)
    put(pack_i(m.throttle_time_ms))


def write_batch_index_and_error_message_v9_list(out: list[MessagePart], items: list[BatchIndexAndErrorMessage]) -> None:
    put = out.append
    for m in items:
        put(pack_i(m.batch_index))
        if m.batch_index_error_message is None:
            put(b"\0")
        else:
            text = m.batch_index_error_message.encode()
            n = len(text) + 1
            put(UVARINT[n] if n < 128 else uvarint(n))
            put(text)
        put(b"\0")


def write_partition_produce_response_v9_list(out: list[MessagePart], items: list[PartitionProduceResponse]) -> None:
    put = out.append
    for m in items:
        if m.current_leader is not DEFAULT_LEADER_ID_AND_EPOCH and m.current_leader != DEFAULT_LEADER_ID_AND_EPOCH:
            raise UnsupportedVersion("PartitionProduceResponse.current_leader exists in versions 10+ only")
        put(pack_ihqqq(m.index, m.error_code, m.base_offset, m.log_append_time_ms, m.log_start_offset))
        n = len(m.record_errors) + 1
        put(UVARINT[n] if n < 128 else uvarint(n))
        write_batch_index_and_error_message_v9_list(out, m.record_errors)
        if m.error_message is None:
            put(b"\0")
        else:
            text = m.error_message.encode()
            n = len(text) + 1
            put(UVARINT[n] if n < 128 else uvarint(n))
            put(text)
        put(b"\0")


def write_topic_produce_response_v9_list(out: list[MessagePart], items: list[TopicProduceResponse]) -> None:
    put = out.append
    for m in items:
        text = m.name.encode()
        n = len(text) + 1
        put(UVARINT[n] if n < 128 else uvarint(n))
        put(text)
        n = len(m.partition_responses) + 1
        put(UVARINT[n] if n < 128 else uvarint(n))
        write_partition_produce_response_v9_list(out, m.partition_responses)
        put(b"\0")


def write_produce_response_v9(out: list[MessagePart], m: ProduceResponse) -> None:
    put = out.append
    if m.node_endpoints:
        raise UnsupportedVersion("ProduceResponse.node_endpoints exists in versions 10+ only")
    n = len(m.responses) + 1
    put(UVARINT[n] if n < 128 else uvarint(n))
    write_topic_produce_response_v9_list(out, m.responses)
    put(pack_ix(m.throttle_time_ms))


def write_leader_id_and_epoch_v10(out: list[MessagePart], m: LeaderIdAndEpoch) -> None:
    put = out.append
    put(pack_iix(m.leader_id, m.leader_epoch))


def write_partition_produce_response_v10_list(out: list[MessagePart], items: list[PartitionProduceResponse]) -> None:
    put = out.append
    for m in items:
        put(pack_ihqqq(m.index, m.error_code, m.base_offset, m.log_append_time_ms, m.log_start_offset))
        n = len(m.record_errors) + 1
        put(UVARINT[n] if n < 128 else uvarint(n))
        write_batch_index_and_error_message_v9_list(out, m.record_errors)
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


def write_topic_produce_response_v10_list(out: list[MessagePart], items: list[TopicProduceResponse]) -> None:
    put = out.append
    for m in items:
        text = m.name.encode()
        n = len(text) + 1
        put(UVARINT[n] if n < 128 else uvarint(n))
        put(text)
        n = len(m.partition_responses) + 1
        put(UVARINT[n] if n < 128 else uvarint(n))
        write_partition_produce_response_v10_list(out, m.partition_responses)
        put(b"\0")


def write_node_endpoint_v10_list(out: list[MessagePart], items: list[NodeEndpoint]) -> None:
    put = out.append
    for m in items:
        text = m.host.encode()
        put(pack_i(m.node_id))
        n = len(text) + 1
        put(UVARINT[n] if n < 128 else uvarint(n))
        put(text)
        put(pack_i(m.port))
        if m.rack is None:
            put(b"\0")
        else:
            text = m.rack.encode()
            n = len(text) + 1
            put(UVARINT[n] if n < 128 else uvarint(n))
            put(text)
        put(b"\0")


def write_produce_response_v10(out: list[MessagePart], m: ProduceResponse) -> None:
    put = out.append
    n = len(m.responses) + 1
    put(UVARINT[n] if n < 128 else uvarint(n))
    write_topic_produce_response_v10_list(out, m.responses)
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


def write_topic_produce_response_v13_list(out: list[MessagePart], items: list[TopicProduceResponse]) -> None:
    put = out.append
    for m in items:
        put(pack_16s(m.topic_id))
        n = len(m.partition_responses) + 1
        put(UVARINT[n] if n < 128 else uvarint(n))
        write_partition_produce_response_v10_list(out, m.partition_responses)
        put(b"\0")


def write_produce_response_v13(out: list[MessagePart], m: ProduceResponse) -> None:
    put = out.append
    n = len(m.responses) + 1
    put(UVARINT[n] if n < 128 else uvarint(n))
    write_topic_produce_response_v13_list(out, m.responses)
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


ProduceRequest.WRITERS = {
    3: write_produce_request_v3,
    4: write_produce_request_v3,
    5: write_produce_request_v3,
    6: write_produce_request_v3,
    7: write_produce_request_v3,
    8: write_produce_request_v3,
    9: write_produce_request_v9,
    10: write_produce_request_v9,
    11: write_produce_request_v9,
    12: write_produce_request_v9,
    13: write_produce_request_v13,
}
ProduceResponse.WRITERS = {
    3: write_produce_response_v3,
    4: write_produce_response_v3,
    5: write_produce_response_v5,
    6: write_produce_response_v5,
    7: write_produce_response_v5,
    8: write_produce_response_v8,
    9: write_produce_response_v9,
    10: write_produce_response_v10,
    11: write_produce_response_v10,
    12: write_produce_response_v10,
    13: write_produce_response_v13,
}
