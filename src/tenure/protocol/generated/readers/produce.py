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
    Data,
    MalformedMessage,
)
from tenure.protocol.types import (
    TopicName,
    ZERO_TOPIC_ID,
)
from tenure.protocol.wire import (
    Elements,
    UNBOUNDED,
    UNCOUNTED_BYTES,
    read_tag,
    read_text_length,
    read_uvarint,
    skip_tags,
    too_many,
    utf8,
    utf8_of,
)

unpack_16sB: Final = Packer(">16sB").unpack_from
unpack_h: Final = Packer(">h").unpack_from
unpack_hiB: Final = Packer(">hiB").unpack_from
unpack_hii: Final = Packer(">hii").unpack_from
unpack_i: Final = Packer(">i").unpack_from
unpack_iB: Final = Packer(">iB").unpack_from
unpack_ih: Final = Packer(">ih").unpack_from
unpack_ihqq: Final = Packer(">ihqq").unpack_from
unpack_ihqqq: Final = Packer(">ihqqq").unpack_from
unpack_ihqqqB: Final = Packer(">ihqqqB").unpack_from
unpack_ihqqqi: Final = Packer(">ihqqqi").unpack_from
unpack_ii: Final = Packer(">ii").unpack_from
unpack_iiB: Final = Packer(">iiB").unpack_from


def read_partition_produce_data_v3_list(data: Data, at: int, announced: int, elements: Elements) -> tuple[list[PartitionProduceData], int]:
    if announced * 8 > len(data) - at:
        raise too_many(announced, 8, data, at)
    found: list[PartitionProduceData] = []
    for _ in range(announced):
        index, n = unpack_ii(data, at)
        at += 8
        if n >= 0:
            end = at + n
            records = data[at:end]
            at = end
        elif n == -1:
            records = None
        else:
            raise MalformedMessage("PartitionProduceData.records has a negative length")
        found.append(PartitionProduceData(index, records))
    return found, at


def read_topic_produce_data_v3_list(data: Data, at: int, announced: int, elements: Elements) -> tuple[list[TopicProduceData], int]:
    if announced * 6 > len(data) - at:
        raise too_many(announced, 6, data, at)
    found: list[TopicProduceData] = []
    for _ in range(announced):
        (n,) = unpack_h(data, at)
        at += 2
        if n < 0:
            raise MalformedMessage("TopicProduceData.name is null")
        end = at + n
        name = utf8_of(data[at:end])
        at = end
        (n,) = unpack_i(data, at)
        at += 4
        if n < 0:
            raise MalformedMessage("TopicProduceData.partition_data is null")
        if elements is not UNBOUNDED:
            elements.add(n)
        partition_data, at = read_partition_produce_data_v3_list(data, at, n, elements)
        found.append(TopicProduceData(name, ZERO_TOPIC_ID, partition_data))
    return found, at


def read_produce_request_v3(data: Data, at: int) -> tuple[ProduceRequest, int]:
    elements = UNBOUNDED if len(data) <= UNCOUNTED_BYTES else Elements()
    (n,) = unpack_h(data, at)
    at += 2
    if n >= 0:
        end = at + n
        transactional_id = utf8_of(data[at:end])
        at = end
    elif n == -1:
        transactional_id = None
    else:
        raise MalformedMessage("ProduceRequest.transactional_id has a negative length")
    acks, timeout_ms, n = unpack_hii(data, at)
    at += 10
    if n < 0:
        raise MalformedMessage("ProduceRequest.topic_data is null")
    if elements is not UNBOUNDED:
        elements.add(n)
    topic_data, at = read_topic_produce_data_v3_list(data, at, n, elements)
    return ProduceRequest(transactional_id, acks, timeout_ms, topic_data), at


def read_partition_produce_data_v9_list(data: Data, at: int, announced: int, elements: Elements) -> tuple[list[PartitionProduceData], int]:
    if announced * 6 > len(data) - at:
        raise too_many(announced, 6, data, at)
    found: list[PartitionProduceData] = []
    for _ in range(announced):
        index, n = unpack_iB(data, at)
        at += 5
        if n > 127:
            n, at = read_uvarint(data, at - 1)
        n -= 1
        if n >= 0:
            end = at + n
            records = data[at:end]
            at = end
        else:
            records = None
        tags = data[at]
        at += 1
        if tags:
            at = skip_tags(data, at - 1, elements)
        found.append(PartitionProduceData(index, records))
    return found, at


def read_topic_produce_data_v9_list(data: Data, at: int, announced: int, elements: Elements) -> tuple[list[TopicProduceData], int]:
    if announced * 3 > len(data) - at:
        raise too_many(announced, 3, data, at)
    found: list[TopicProduceData] = []
    for _ in range(announced):
        n = data[at]
        at += 1
        if n > 127:
            n, at = read_text_length(data, at - 1)
        n -= 1
        if n < 0:
            raise MalformedMessage("TopicProduceData.name is null")
        end = at + n
        name = utf8_of(data[at:end])
        at = end
        n = data[at]
        at += 1
        if n > 127:
            n, at = read_uvarint(data, at - 1)
        n -= 1
        if n < 0:
            raise MalformedMessage("TopicProduceData.partition_data is null")
        if elements is not UNBOUNDED:
            elements.add(n)
        partition_data, at = read_partition_produce_data_v9_list(data, at, n, elements)
        tags = data[at]
        at += 1
        if tags:
            at = skip_tags(data, at - 1, elements)
        found.append(TopicProduceData(name, ZERO_TOPIC_ID, partition_data))
    return found, at


def read_produce_request_v9(data: Data, at: int) -> tuple[ProduceRequest, int]:
    elements = UNBOUNDED if len(data) <= UNCOUNTED_BYTES else Elements()
    n = data[at]
    at += 1
    if n > 127:
        n, at = read_text_length(data, at - 1)
    n -= 1
    if n >= 0:
        end = at + n
        transactional_id = utf8_of(data[at:end])
        at = end
    else:
        transactional_id = None
    acks, timeout_ms, n = unpack_hiB(data, at)
    at += 7
    if n > 127:
        n, at = read_uvarint(data, at - 1)
    n -= 1
    if n < 0:
        raise MalformedMessage("ProduceRequest.topic_data is null")
    if elements is not UNBOUNDED:
        elements.add(n)
    topic_data, at = read_topic_produce_data_v9_list(data, at, n, elements)
    tags = data[at]
    at += 1
    if tags:
        at = skip_tags(data, at - 1, elements)
    return ProduceRequest(transactional_id, acks, timeout_ms, topic_data), at


def read_topic_produce_data_v13_list(data: Data, at: int, announced: int, elements: Elements) -> tuple[list[TopicProduceData], int]:
    if announced * 18 > len(data) - at:
        raise too_many(announced, 18, data, at)
    found: list[TopicProduceData] = []
    for _ in range(announced):
        topic_id, n = unpack_16sB(data, at)
        at += 17
        if n > 127:
            n, at = read_uvarint(data, at - 1)
        n -= 1
        if n < 0:
            raise MalformedMessage("TopicProduceData.partition_data is null")
        if elements is not UNBOUNDED:
            elements.add(n)
        partition_data, at = read_partition_produce_data_v9_list(data, at, n, elements)
        tags = data[at]
        at += 1
        if tags:
            at = skip_tags(data, at - 1, elements)
        found.append(TopicProduceData(TopicName(""), topic_id, partition_data))
    return found, at


def read_produce_request_v13(data: Data, at: int) -> tuple[ProduceRequest, int]:
    elements = UNBOUNDED if len(data) <= UNCOUNTED_BYTES else Elements()
    n = data[at]
    at += 1
    if n > 127:
        n, at = read_text_length(data, at - 1)
    n -= 1
    if n >= 0:
        end = at + n
        transactional_id = utf8_of(data[at:end])
        at = end
    else:
        transactional_id = None
    acks, timeout_ms, n = unpack_hiB(data, at)
    at += 7
    if n > 127:
        n, at = read_uvarint(data, at - 1)
    n -= 1
    if n < 0:
        raise MalformedMessage("ProduceRequest.topic_data is null")
    if elements is not UNBOUNDED:
        elements.add(n)
    topic_data, at = read_topic_produce_data_v13_list(data, at, n, elements)
    tags = data[at]
    at += 1
    if tags:
        at = skip_tags(data, at - 1, elements)
    return ProduceRequest(transactional_id, acks, timeout_ms, topic_data), at


def read_partition_produce_response_v3_list(data: bytes, at: int, announced: int) -> tuple[list[PartitionProduceResponse], int]:
    if announced * 22 > len(data) - at:
        raise too_many(announced, 22, data, at)
    found: list[PartitionProduceResponse] = []
    for _ in range(announced):
        index, error_code, base_offset, log_append_time_ms = unpack_ihqq(data, at)
        at += 22
        found.append(PartitionProduceResponse(index, error_code, base_offset, log_append_time_ms))
    return found, at


def read_topic_produce_response_v3_list(data: bytes, at: int, announced: int) -> tuple[list[TopicProduceResponse], int]:
    if announced * 6 > len(data) - at:
        raise too_many(announced, 6, data, at)
    found: list[TopicProduceResponse] = []
    for _ in range(announced):
        (n,) = unpack_h(data, at)
        at += 2
        if n < 0:
            raise MalformedMessage("TopicProduceResponse.name is null")
        end = at + n
        name = utf8(data[at:end])
        at = end
        (n,) = unpack_i(data, at)
        at += 4
        if n < 0:
            raise MalformedMessage("TopicProduceResponse.partition_responses is null")
        partition_responses, at = read_partition_produce_response_v3_list(data, at, n)
        found.append(TopicProduceResponse(name, ZERO_TOPIC_ID, partition_responses))
    return found, at


def read_produce_response_v3(data: bytes, at: int) -> tuple[ProduceResponse, int]:
    (n,) = unpack_i(data, at)
    at += 4
    if n < 0:
        raise MalformedMessage("ProduceResponse.responses is null")
    responses, at = read_topic_produce_response_v3_list(data, at, n)
    (throttle_time_ms,) = unpack_i(data, at)
    at += 4
    return ProduceResponse(responses, throttle_time_ms), at


def read_partition_produce_response_v5_list(data: bytes, at: int, announced: int) -> tuple[list[PartitionProduceResponse], int]:
    if announced * 30 > len(data) - at:
        raise too_many(announced, 30, data, at)
    found: list[PartitionProduceResponse] = []
    for _ in range(announced):
        index, error_code, base_offset, log_append_time_ms, log_start_offset = unpack_ihqqq(data, at)
        at += 30
        found.append(PartitionProduceResponse(index, error_code, base_offset, log_append_time_ms, log_start_offset))
    return found, at


def read_topic_produce_response_v5_list(data: bytes, at: int, announced: int) -> tuple[list[TopicProduceResponse], int]:
    if announced * 6 > len(data) - at:
        raise too_many(announced, 6, data, at)
    found: list[TopicProduceResponse] = []
    for _ in range(announced):
        (n,) = unpack_h(data, at)
        at += 2
        if n < 0:
            raise MalformedMessage("TopicProduceResponse.name is null")
        end = at + n
        name = utf8(data[at:end])
        at = end
        (n,) = unpack_i(data, at)
        at += 4
        if n < 0:
            raise MalformedMessage("TopicProduceResponse.partition_responses is null")
        partition_responses, at = read_partition_produce_response_v5_list(data, at, n)
        found.append(TopicProduceResponse(name, ZERO_TOPIC_ID, partition_responses))
    return found, at


def read_produce_response_v5(data: bytes, at: int) -> tuple[ProduceResponse, int]:
    (n,) = unpack_i(data, at)
    at += 4
    if n < 0:
        raise MalformedMessage("ProduceResponse.responses is null")
    responses, at = read_topic_produce_response_v5_list(data, at, n)
    (throttle_time_ms,) = unpack_i(data, at)
    at += 4
    return ProduceResponse(responses, throttle_time_ms), at


def read_batch_index_and_error_message_v8_list(data: bytes, at: int, announced: int) -> tuple[list[BatchIndexAndErrorMessage], int]:
    if announced * 6 > len(data) - at:
        raise too_many(announced, 6, data, at)
    found: list[BatchIndexAndErrorMessage] = []
    for _ in range(announced):
        batch_index, n = unpack_ih(data, at)
        at += 6
        if n >= 0:
            end = at + n
            batch_index_error_message = utf8(data[at:end])
            at = end
        elif n == -1:
            batch_index_error_message = None
        else:
            raise MalformedMessage("BatchIndexAndErrorMessage.batch_index_error_message has a negative length")
        found.append(BatchIndexAndErrorMessage(batch_index, batch_index_error_message))
    return found, at


def read_partition_produce_response_v8_list(data: bytes, at: int, announced: int) -> tuple[list[PartitionProduceResponse], int]:
    if announced * 36 > len(data) - at:
        raise too_many(announced, 36, data, at)
    found: list[PartitionProduceResponse] = []
    for _ in range(announced):
        index, error_code, base_offset, log_append_time_ms, log_start_offset, n = unpack_ihqqqi(data, at)
        at += 34
        if n < 0:
            raise MalformedMessage("PartitionProduceResponse.record_errors is null")
        record_errors, at = read_batch_index_and_error_message_v8_list(data, at, n)
        (n,) = unpack_h(data, at)
        at += 2
        if n >= 0:
            end = at + n
            error_message = utf8(data[at:end])
            at = end
        elif n == -1:
            error_message = None
        else:
            raise MalformedMessage("PartitionProduceResponse.error_message has a negative length")
        found.append(PartitionProduceResponse(index, error_code, base_offset, log_append_time_ms, log_start_offset, record_errors, error_message))
    return found, at


def read_topic_produce_response_v8_list(data: bytes, at: int, announced: int) -> tuple[list[TopicProduceResponse], int]:
    if announced * 6 > len(data) - at:
        raise too_many(announced, 6, data, at)
    found: list[TopicProduceResponse] = []
    for _ in range(announced):
        (n,) = unpack_h(data, at)
        at += 2
        if n < 0:
            raise MalformedMessage("TopicProduceResponse.name is null")
        end = at + n
        name = utf8(data[at:end])
        at = end
        (n,) = unpack_i(data, at)
        at += 4
        if n < 0:
            raise MalformedMessage("TopicProduceResponse.partition_responses is null")
        partition_responses, at = read_partition_produce_response_v8_list(data, at, n)
        found.append(TopicProduceResponse(name, ZERO_TOPIC_ID, partition_responses))
    return found, at


def read_produce_response_v8(data: bytes, at: int) -> tuple[ProduceResponse, int]:
    (n,) = unpack_i(data, at)
    at += 4
    if n < 0:
        raise MalformedMessage("ProduceResponse.responses is null")
    responses, at = read_topic_produce_response_v8_list(data, at, n)
    (throttle_time_ms,) = unpack_i(data, at)
    at += 4
    return ProduceResponse(responses, throttle_time_ms), at


def read_batch_index_and_error_message_v9_list(data: bytes, at: int, announced: int) -> tuple[list[BatchIndexAndErrorMessage], int]:
    if announced * 6 > len(data) - at:
        raise too_many(announced, 6, data, at)
    found: list[BatchIndexAndErrorMessage] = []
    for _ in range(announced):
        batch_index, n = unpack_iB(data, at)
        at += 5
        if n > 127:
            n, at = read_uvarint(data, at - 1)
        n -= 1
        if n >= 0:
            end = at + n
            batch_index_error_message = utf8(data[at:end])
            at = end
        else:
            batch_index_error_message = None
        tags = data[at]
        at += 1
        if tags:
            at = skip_tags(data, at - 1)
        found.append(BatchIndexAndErrorMessage(batch_index, batch_index_error_message))
    return found, at


def read_partition_produce_response_v9_list(data: bytes, at: int, announced: int) -> tuple[list[PartitionProduceResponse], int]:
    if announced * 33 > len(data) - at:
        raise too_many(announced, 33, data, at)
    found: list[PartitionProduceResponse] = []
    for _ in range(announced):
        index, error_code, base_offset, log_append_time_ms, log_start_offset, n = unpack_ihqqqB(data, at)
        at += 31
        if n > 127:
            n, at = read_uvarint(data, at - 1)
        n -= 1
        if n < 0:
            raise MalformedMessage("PartitionProduceResponse.record_errors is null")
        record_errors, at = read_batch_index_and_error_message_v9_list(data, at, n)
        n = data[at]
        at += 1
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
        found.append(PartitionProduceResponse(index, error_code, base_offset, log_append_time_ms, log_start_offset, record_errors, error_message))
    return found, at


def read_topic_produce_response_v9_list(data: bytes, at: int, announced: int) -> tuple[list[TopicProduceResponse], int]:
    if announced * 3 > len(data) - at:
        raise too_many(announced, 3, data, at)
    found: list[TopicProduceResponse] = []
    for _ in range(announced):
        n = data[at]
        at += 1
        if n > 127:
            n, at = read_uvarint(data, at - 1)
        n -= 1
        if n < 0:
            raise MalformedMessage("TopicProduceResponse.name is null")
        end = at + n
        name = utf8(data[at:end])
        at = end
        n = data[at]
        at += 1
        if n > 127:
            n, at = read_uvarint(data, at - 1)
        n -= 1
        if n < 0:
            raise MalformedMessage("TopicProduceResponse.partition_responses is null")
        partition_responses, at = read_partition_produce_response_v9_list(data, at, n)
        tags = data[at]
        at += 1
        if tags:
            at = skip_tags(data, at - 1)
        found.append(TopicProduceResponse(name, ZERO_TOPIC_ID, partition_responses))
    return found, at


def read_produce_response_v9(data: bytes, at: int) -> tuple[ProduceResponse, int]:
    n = data[at]
    at += 1
    if n > 127:
        n, at = read_uvarint(data, at - 1)
    n -= 1
    if n < 0:
        raise MalformedMessage("ProduceResponse.responses is null")
    responses, at = read_topic_produce_response_v9_list(data, at, n)
    throttle_time_ms, tags = unpack_iB(data, at)
    at += 5
    if tags:
        at = skip_tags(data, at - 1)
    return ProduceResponse(responses, throttle_time_ms), at


def read_leader_id_and_epoch_v10(data: bytes, at: int) -> tuple[LeaderIdAndEpoch, int]:
    leader_id, leader_epoch, tags = unpack_iiB(data, at)
    at += 9
    if tags:
        at = skip_tags(data, at - 1)
    return LeaderIdAndEpoch(leader_id, leader_epoch), at


def read_partition_produce_response_v10_list(data: bytes, at: int, announced: int) -> tuple[list[PartitionProduceResponse], int]:
    if announced * 33 > len(data) - at:
        raise too_many(announced, 33, data, at)
    found: list[PartitionProduceResponse] = []
    for _ in range(announced):
        index, error_code, base_offset, log_append_time_ms, log_start_offset, n = unpack_ihqqqB(data, at)
        at += 31
        if n > 127:
            n, at = read_uvarint(data, at - 1)
        n -= 1
        if n < 0:
            raise MalformedMessage("PartitionProduceResponse.record_errors is null")
        record_errors, at = read_batch_index_and_error_message_v9_list(data, at, n)
        n = data[at]
        at += 1
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
        current_leader: LeaderIdAndEpoch = DEFAULT_LEADER_ID_AND_EPOCH
        if tags:
            tags, at = read_uvarint(data, at - 1)
            tag = -1
            for _ in range(tags):
                tag, n, at = read_tag(data, at, tag)
                stop = at + n
                if tag == 0:
                    current_leader, at = read_leader_id_and_epoch_v10(data, at)
                else:
                    at = stop
                if at != stop:
                    raise MalformedMessage(f"tag {tag} of PartitionProduceResponse has a wrong size")
        found.append(PartitionProduceResponse(index, error_code, base_offset, log_append_time_ms, log_start_offset, record_errors, error_message, current_leader))
    return found, at


def read_topic_produce_response_v10_list(data: bytes, at: int, announced: int) -> tuple[list[TopicProduceResponse], int]:
    if announced * 3 > len(data) - at:
        raise too_many(announced, 3, data, at)
    found: list[TopicProduceResponse] = []
    for _ in range(announced):
        n = data[at]
        at += 1
        if n > 127:
            n, at = read_uvarint(data, at - 1)
        n -= 1
        if n < 0:
            raise MalformedMessage("TopicProduceResponse.name is null")
        end = at + n
        name = utf8(data[at:end])
        at = end
        n = data[at]
        at += 1
        if n > 127:
            n, at = read_uvarint(data, at - 1)
        n -= 1
        if n < 0:
            raise MalformedMessage("TopicProduceResponse.partition_responses is null")
        partition_responses, at = read_partition_produce_response_v10_list(data, at, n)
        tags = data[at]
        at += 1
        if tags:
            at = skip_tags(data, at - 1)
        found.append(TopicProduceResponse(name, ZERO_TOPIC_ID, partition_responses))
    return found, at


def read_node_endpoint_v10_list(data: bytes, at: int, announced: int) -> tuple[list[NodeEndpoint], int]:
    if announced * 11 > len(data) - at:
        raise too_many(announced, 11, data, at)
    found: list[NodeEndpoint] = []
    for _ in range(announced):
        node_id, n = unpack_iB(data, at)
        at += 5
        if n > 127:
            n, at = read_uvarint(data, at - 1)
        n -= 1
        if n < 0:
            raise MalformedMessage("NodeEndpoint.host is null")
        end = at + n
        host = utf8(data[at:end])
        at = end
        port, n = unpack_iB(data, at)
        at += 5
        if n > 127:
            n, at = read_uvarint(data, at - 1)
        n -= 1
        if n >= 0:
            end = at + n
            rack = utf8(data[at:end])
            at = end
        else:
            rack = None
        tags = data[at]
        at += 1
        if tags:
            at = skip_tags(data, at - 1)
        found.append(NodeEndpoint(node_id, host, port, rack))
    return found, at


def read_produce_response_v10(data: bytes, at: int) -> tuple[ProduceResponse, int]:
    n = data[at]
    at += 1
    if n > 127:
        n, at = read_uvarint(data, at - 1)
    n -= 1
    if n < 0:
        raise MalformedMessage("ProduceResponse.responses is null")
    responses, at = read_topic_produce_response_v10_list(data, at, n)
    throttle_time_ms, tags = unpack_iB(data, at)
    at += 5
    node_endpoints: list[NodeEndpoint] = []
    if tags:
        tags, at = read_uvarint(data, at - 1)
        tag = -1
        for _ in range(tags):
            tag, n, at = read_tag(data, at, tag)
            stop = at + n
            if tag == 0:
                n = data[at]
                at += 1
                if n > 127:
                    n, at = read_uvarint(data, at - 1)
                n -= 1
                if n < 0:
                    raise MalformedMessage("ProduceResponse.node_endpoints is null")
                node_endpoints, at = read_node_endpoint_v10_list(data, at, n)
            else:
                at = stop
            if at != stop:
                raise MalformedMessage(f"tag {tag} of ProduceResponse has a wrong size")
    return ProduceResponse(responses, throttle_time_ms, node_endpoints), at


def read_topic_produce_response_v13_list(data: bytes, at: int, announced: int) -> tuple[list[TopicProduceResponse], int]:
    if announced * 18 > len(data) - at:
        raise too_many(announced, 18, data, at)
    found: list[TopicProduceResponse] = []
    for _ in range(announced):
        topic_id, n = unpack_16sB(data, at)
        at += 17
        if n > 127:
            n, at = read_uvarint(data, at - 1)
        n -= 1
        if n < 0:
            raise MalformedMessage("TopicProduceResponse.partition_responses is null")
        partition_responses, at = read_partition_produce_response_v10_list(data, at, n)
        tags = data[at]
        at += 1
        if tags:
            at = skip_tags(data, at - 1)
        found.append(TopicProduceResponse(TopicName(""), topic_id, partition_responses))
    return found, at


def read_produce_response_v13(data: bytes, at: int) -> tuple[ProduceResponse, int]:
    n = data[at]
    at += 1
    if n > 127:
        n, at = read_uvarint(data, at - 1)
    n -= 1
    if n < 0:
        raise MalformedMessage("ProduceResponse.responses is null")
    responses, at = read_topic_produce_response_v13_list(data, at, n)
    throttle_time_ms, tags = unpack_iB(data, at)
    at += 5
    node_endpoints: list[NodeEndpoint] = []
    if tags:
        tags, at = read_uvarint(data, at - 1)
        tag = -1
        for _ in range(tags):
            tag, n, at = read_tag(data, at, tag)
            stop = at + n
            if tag == 0:
                n = data[at]
                at += 1
                if n > 127:
                    n, at = read_uvarint(data, at - 1)
                n -= 1
                if n < 0:
                    raise MalformedMessage("ProduceResponse.node_endpoints is null")
                node_endpoints, at = read_node_endpoint_v10_list(data, at, n)
            else:
                at = stop
            if at != stop:
                raise MalformedMessage(f"tag {tag} of ProduceResponse has a wrong size")
    return ProduceResponse(responses, throttle_time_ms, node_endpoints), at


ProduceRequest.READERS = {
    3: read_produce_request_v3,
    4: read_produce_request_v3,
    5: read_produce_request_v3,
    6: read_produce_request_v3,
    7: read_produce_request_v3,
    8: read_produce_request_v3,
    9: read_produce_request_v9,
    10: read_produce_request_v9,
    11: read_produce_request_v9,
    12: read_produce_request_v9,
    13: read_produce_request_v13,
}
ProduceResponse.READERS = {
    3: read_produce_response_v3,
    4: read_produce_response_v3,
    5: read_produce_response_v5,
    6: read_produce_response_v5,
    7: read_produce_response_v5,
    8: read_produce_response_v8,
    9: read_produce_response_v9,
    10: read_produce_response_v10,
    11: read_produce_response_v10,
    12: read_produce_response_v10,
    13: read_produce_response_v13,
}
