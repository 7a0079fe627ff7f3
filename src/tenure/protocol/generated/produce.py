"""Generated from `tenure/protocol/tables/produce.py` by `python -m tenure.protocol.generate`."""

from struct import Struct as Packer
from typing import Final

from tenure.protocol.message import (
    EMPTY,
    MalformedMessage,
    Message,
    Struct,
    UnsupportedVersion,
)
from tenure.protocol.types import (
    BrokerId,
    PartitionId,
    TopicId,
    TopicName,
    ZERO_TOPIC_ID,
)
from tenure.protocol.wire import (
    UVARINT,
    read_tag,
    read_uvarint,
    skip_tags,
    tagged,
    too_many,
    utf8,
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


class PartitionProduceData(Struct):
    __slots__ = ('index', 'records')

    def __init__(
        self,
        index: PartitionId = PartitionId(0),
        records: bytes | None = b"",
    ) -> None:
        self.index: Final = index
        self.records: Final = records


class TopicProduceData(Struct):
    __slots__ = ('name', 'topic_id', 'partition_data')

    def __init__(
        self,
        name: TopicName = TopicName(""),
        topic_id: TopicId = ZERO_TOPIC_ID,
        partition_data: list[PartitionProduceData] = EMPTY,
    ) -> None:
        self.name: Final = name
        self.topic_id: Final = topic_id
        self.partition_data: Final = [] if partition_data is EMPTY else partition_data


class ProduceRequest(Message):
    __slots__ = ('transactional_id', 'acks', 'timeout_ms', 'topic_data')
    KEY = 0

    def __init__(
        self,
        transactional_id: str | None = None,
        acks: int = 0,
        timeout_ms: int = 0,
        topic_data: list[TopicProduceData] = EMPTY,
    ) -> None:
        self.transactional_id: Final = transactional_id
        self.acks: Final = acks
        self.timeout_ms: Final = timeout_ms
        self.topic_data: Final = [] if topic_data is EMPTY else topic_data


class BatchIndexAndErrorMessage(Struct):
    __slots__ = ('batch_index', 'batch_index_error_message')

    def __init__(
        self,
        batch_index: int = 0,
        batch_index_error_message: str | None = None,
    ) -> None:
        self.batch_index: Final = batch_index
        self.batch_index_error_message: Final = batch_index_error_message


class LeaderIdAndEpoch(Struct):
    __slots__ = ('leader_id', 'leader_epoch')

    def __init__(
        self,
        leader_id: BrokerId = BrokerId(-1),
        leader_epoch: int = -1,
    ) -> None:
        self.leader_id: Final = leader_id
        self.leader_epoch: Final = leader_epoch


DEFAULT_LEADER_ID_AND_EPOCH: Final = LeaderIdAndEpoch()


class PartitionProduceResponse(Struct):
    __slots__ = ('index', 'error_code', 'base_offset', 'log_append_time_ms', 'log_start_offset', 'record_errors', 'error_message', 'current_leader')

    def __init__(
        self,
        index: PartitionId = PartitionId(0),
        error_code: int = 0,
        base_offset: int = 0,
        log_append_time_ms: int = -1,
        log_start_offset: int = -1,
        record_errors: list[BatchIndexAndErrorMessage] = EMPTY,
        error_message: str | None = None,
        current_leader: LeaderIdAndEpoch = DEFAULT_LEADER_ID_AND_EPOCH,
    ) -> None:
        self.index: Final = index
        self.error_code: Final = error_code
        self.base_offset: Final = base_offset
        self.log_append_time_ms: Final = log_append_time_ms
        self.log_start_offset: Final = log_start_offset
        self.record_errors: Final = [] if record_errors is EMPTY else record_errors
        self.error_message: Final = error_message
        self.current_leader: Final = current_leader


class TopicProduceResponse(Struct):
    __slots__ = ('name', 'topic_id', 'partition_responses')

    def __init__(
        self,
        name: TopicName = TopicName(""),
        topic_id: TopicId = ZERO_TOPIC_ID,
        partition_responses: list[PartitionProduceResponse] = EMPTY,
    ) -> None:
        self.name: Final = name
        self.topic_id: Final = topic_id
        self.partition_responses: Final = [] if partition_responses is EMPTY else partition_responses


class NodeEndpoint(Struct):
    __slots__ = ('node_id', 'host', 'port', 'rack')

    def __init__(
        self,
        node_id: BrokerId = BrokerId(0),
        host: str = "",
        port: int = 0,
        rack: str | None = None,
    ) -> None:
        self.node_id: Final = node_id
        self.host: Final = host
        self.port: Final = port
        self.rack: Final = rack


class ProduceResponse(Message):
    __slots__ = ('responses', 'throttle_time_ms', 'node_endpoints')
    KEY = 0

    def __init__(
        self,
        responses: list[TopicProduceResponse] = EMPTY,
        throttle_time_ms: int = 0,
        node_endpoints: list[NodeEndpoint] = EMPTY,
    ) -> None:
        self.responses: Final = [] if responses is EMPTY else responses
        self.throttle_time_ms: Final = throttle_time_ms
        self.node_endpoints: Final = [] if node_endpoints is EMPTY else node_endpoints


def read_partition_produce_data_v3_list(data: bytes, at: int, n: int) -> tuple[list[PartitionProduceData], int]:
    if n * 8 > len(data) - at:
        raise too_many(n, 8, data, at)
    found: list[PartitionProduceData] = []
    for _ in range(n):
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


def read_topic_produce_data_v3_list(data: bytes, at: int, n: int) -> tuple[list[TopicProduceData], int]:
    if n * 6 > len(data) - at:
        raise too_many(n, 6, data, at)
    found: list[TopicProduceData] = []
    for _ in range(n):
        (n,) = unpack_h(data, at)
        at += 2
        if n < 0:
            raise MalformedMessage("TopicProduceData.name is null")
        end = at + n
        name = utf8(data[at:end])
        at = end
        (n,) = unpack_i(data, at)
        at += 4
        if n < 0:
            raise MalformedMessage("TopicProduceData.partition_data is null")
        partition_data, at = read_partition_produce_data_v3_list(data, at, n)
        found.append(TopicProduceData(name, ZERO_TOPIC_ID, partition_data))
    return found, at


def read_produce_request_v3(data: bytes, at: int) -> tuple[ProduceRequest, int]:
    (n,) = unpack_h(data, at)
    at += 2
    if n >= 0:
        end = at + n
        transactional_id = utf8(data[at:end])
        at = end
    elif n == -1:
        transactional_id = None
    else:
        raise MalformedMessage("ProduceRequest.transactional_id has a negative length")
    acks, timeout_ms, n = unpack_hii(data, at)
    at += 10
    if n < 0:
        raise MalformedMessage("ProduceRequest.topic_data is null")
    topic_data, at = read_topic_produce_data_v3_list(data, at, n)
    return ProduceRequest(transactional_id, acks, timeout_ms, topic_data), at


def read_partition_produce_data_v9_list(data: bytes, at: int, n: int) -> tuple[list[PartitionProduceData], int]:
    if n * 6 > len(data) - at:
        raise too_many(n, 6, data, at)
    found: list[PartitionProduceData] = []
    for _ in range(n):
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
            at = skip_tags(data, at - 1)
        found.append(PartitionProduceData(index, records))
    return found, at


def read_topic_produce_data_v9_list(data: bytes, at: int, n: int) -> tuple[list[TopicProduceData], int]:
    if n * 3 > len(data) - at:
        raise too_many(n, 3, data, at)
    found: list[TopicProduceData] = []
    for _ in range(n):
        n = data[at]
        at += 1
        if n > 127:
            n, at = read_uvarint(data, at - 1)
        n -= 1
        if n < 0:
            raise MalformedMessage("TopicProduceData.name is null")
        end = at + n
        name = utf8(data[at:end])
        at = end
        n = data[at]
        at += 1
        if n > 127:
            n, at = read_uvarint(data, at - 1)
        n -= 1
        if n < 0:
            raise MalformedMessage("TopicProduceData.partition_data is null")
        partition_data, at = read_partition_produce_data_v9_list(data, at, n)
        tags = data[at]
        at += 1
        if tags:
            at = skip_tags(data, at - 1)
        found.append(TopicProduceData(name, ZERO_TOPIC_ID, partition_data))
    return found, at


def read_produce_request_v9(data: bytes, at: int) -> tuple[ProduceRequest, int]:
    n = data[at]
    at += 1
    if n > 127:
        n, at = read_uvarint(data, at - 1)
    n -= 1
    if n >= 0:
        end = at + n
        transactional_id = utf8(data[at:end])
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
    topic_data, at = read_topic_produce_data_v9_list(data, at, n)
    tags = data[at]
    at += 1
    if tags:
        at = skip_tags(data, at - 1)
    return ProduceRequest(transactional_id, acks, timeout_ms, topic_data), at


def read_topic_produce_data_v13_list(data: bytes, at: int, n: int) -> tuple[list[TopicProduceData], int]:
    if n * 18 > len(data) - at:
        raise too_many(n, 18, data, at)
    found: list[TopicProduceData] = []
    for _ in range(n):
        topic_id, n = unpack_16sB(data, at)
        at += 17
        if n > 127:
            n, at = read_uvarint(data, at - 1)
        n -= 1
        if n < 0:
            raise MalformedMessage("TopicProduceData.partition_data is null")
        partition_data, at = read_partition_produce_data_v9_list(data, at, n)
        tags = data[at]
        at += 1
        if tags:
            at = skip_tags(data, at - 1)
        found.append(TopicProduceData(TopicName(""), topic_id, partition_data))
    return found, at


def read_produce_request_v13(data: bytes, at: int) -> tuple[ProduceRequest, int]:
    n = data[at]
    at += 1
    if n > 127:
        n, at = read_uvarint(data, at - 1)
    n -= 1
    if n >= 0:
        end = at + n
        transactional_id = utf8(data[at:end])
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
    topic_data, at = read_topic_produce_data_v13_list(data, at, n)
    tags = data[at]
    at += 1
    if tags:
        at = skip_tags(data, at - 1)
    return ProduceRequest(transactional_id, acks, timeout_ms, topic_data), at


def read_partition_produce_response_v3_list(data: bytes, at: int, n: int) -> tuple[list[PartitionProduceResponse], int]:
    if n * 22 > len(data) - at:
        raise too_many(n, 22, data, at)
    found: list[PartitionProduceResponse] = []
    for _ in range(n):
        index, error_code, base_offset, log_append_time_ms = unpack_ihqq(data, at)
        at += 22
        found.append(PartitionProduceResponse(index, error_code, base_offset, log_append_time_ms))
    return found, at


def read_topic_produce_response_v3_list(data: bytes, at: int, n: int) -> tuple[list[TopicProduceResponse], int]:
    if n * 6 > len(data) - at:
        raise too_many(n, 6, data, at)
    found: list[TopicProduceResponse] = []
    for _ in range(n):
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


def read_partition_produce_response_v5_list(data: bytes, at: int, n: int) -> tuple[list[PartitionProduceResponse], int]:
    if n * 30 > len(data) - at:
        raise too_many(n, 30, data, at)
    found: list[PartitionProduceResponse] = []
    for _ in range(n):
        index, error_code, base_offset, log_append_time_ms, log_start_offset = unpack_ihqqq(data, at)
        at += 30
        found.append(PartitionProduceResponse(index, error_code, base_offset, log_append_time_ms, log_start_offset))
    return found, at


def read_topic_produce_response_v5_list(data: bytes, at: int, n: int) -> tuple[list[TopicProduceResponse], int]:
    if n * 6 > len(data) - at:
        raise too_many(n, 6, data, at)
    found: list[TopicProduceResponse] = []
    for _ in range(n):
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


def read_batch_index_and_error_message_v8_list(data: bytes, at: int, n: int) -> tuple[list[BatchIndexAndErrorMessage], int]:
    if n * 6 > len(data) - at:
        raise too_many(n, 6, data, at)
    found: list[BatchIndexAndErrorMessage] = []
    for _ in range(n):
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


def read_partition_produce_response_v8_list(data: bytes, at: int, n: int) -> tuple[list[PartitionProduceResponse], int]:
    if n * 36 > len(data) - at:
        raise too_many(n, 36, data, at)
    found: list[PartitionProduceResponse] = []
    for _ in range(n):
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


def read_topic_produce_response_v8_list(data: bytes, at: int, n: int) -> tuple[list[TopicProduceResponse], int]:
    if n * 6 > len(data) - at:
        raise too_many(n, 6, data, at)
    found: list[TopicProduceResponse] = []
    for _ in range(n):
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


def read_batch_index_and_error_message_v9_list(data: bytes, at: int, n: int) -> tuple[list[BatchIndexAndErrorMessage], int]:
    if n * 6 > len(data) - at:
        raise too_many(n, 6, data, at)
    found: list[BatchIndexAndErrorMessage] = []
    for _ in range(n):
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


def read_partition_produce_response_v9_list(data: bytes, at: int, n: int) -> tuple[list[PartitionProduceResponse], int]:
    if n * 33 > len(data) - at:
        raise too_many(n, 33, data, at)
    found: list[PartitionProduceResponse] = []
    for _ in range(n):
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


def read_topic_produce_response_v9_list(data: bytes, at: int, n: int) -> tuple[list[TopicProduceResponse], int]:
    if n * 3 > len(data) - at:
        raise too_many(n, 3, data, at)
    found: list[TopicProduceResponse] = []
    for _ in range(n):
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


def read_partition_produce_response_v10_list(data: bytes, at: int, n: int) -> tuple[list[PartitionProduceResponse], int]:
    if n * 33 > len(data) - at:
        raise too_many(n, 33, data, at)
    found: list[PartitionProduceResponse] = []
    for _ in range(n):
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


def read_topic_produce_response_v10_list(data: bytes, at: int, n: int) -> tuple[list[TopicProduceResponse], int]:
    if n * 3 > len(data) - at:
        raise too_many(n, 3, data, at)
    found: list[TopicProduceResponse] = []
    for _ in range(n):
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


def read_node_endpoint_v10_list(data: bytes, at: int, n: int) -> tuple[list[NodeEndpoint], int]:
    if n * 11 > len(data) - at:
        raise too_many(n, 11, data, at)
    found: list[NodeEndpoint] = []
    for _ in range(n):
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


def read_topic_produce_response_v13_list(data: bytes, at: int, n: int) -> tuple[list[TopicProduceResponse], int]:
    if n * 18 > len(data) - at:
        raise too_many(n, 18, data, at)
    found: list[TopicProduceResponse] = []
    for _ in range(n):
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


def write_partition_produce_data_v3_list(out: list[bytes], items: list[PartitionProduceData]) -> None:
    put = out.append
    for m in items:
        if m.records is None:
            put(pack_ii(m.index, -1))
        else:
            put(pack_ii(m.index, len(m.records)))
            put(m.records)


def write_topic_produce_data_v3_list(out: list[bytes], items: list[TopicProduceData]) -> None:
    put = out.append
    for m in items:
        text = m.name.encode()
        put(pack_h(len(text)))
        put(text)
        put(pack_i(len(m.partition_data)))
        write_partition_produce_data_v3_list(out, m.partition_data)


def write_produce_request_v3(out: list[bytes], m: ProduceRequest) -> None:
    put = out.append
    if m.transactional_id is None:
        put(pack_h(-1))
    else:
        text = m.transactional_id.encode()
        put(pack_h(len(text)))
        put(text)
    put(pack_hii(m.acks, m.timeout_ms, len(m.topic_data)))
    write_topic_produce_data_v3_list(out, m.topic_data)


def write_partition_produce_data_v9_list(out: list[bytes], items: list[PartitionProduceData]) -> None:
    put = out.append
    for m in items:
        put(pack_i(m.index))
        if m.records is None:
            put(b"\0")
        else:
            n = len(m.records) + 1
            put(UVARINT[n] if n < 128 else uvarint(n))
            put(m.records)
        put(b"\0")


def write_topic_produce_data_v9_list(out: list[bytes], items: list[TopicProduceData]) -> None:
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


def write_produce_request_v9(out: list[bytes], m: ProduceRequest) -> None:
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


def write_topic_produce_data_v13_list(out: list[bytes], items: list[TopicProduceData]) -> None:
    put = out.append
    for m in items:
        put(pack_16s(m.topic_id))
        n = len(m.partition_data) + 1
        put(UVARINT[n] if n < 128 else uvarint(n))
        write_partition_produce_data_v9_list(out, m.partition_data)
        put(b"\0")


def write_produce_request_v13(out: list[bytes], m: ProduceRequest) -> None:
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


def write_partition_produce_response_v3_list(out: list[bytes], items: list[PartitionProduceResponse]) -> None:
    put = out.append
    for m in items:
        if m.current_leader is not DEFAULT_LEADER_ID_AND_EPOCH and m.current_leader != DEFAULT_LEADER_ID_AND_EPOCH:
            raise UnsupportedVersion("PartitionProduceResponse.current_leader exists in versions 10+ only")
        put(pack_ihqq(m.index, m.error_code, m.base_offset, m.log_append_time_ms))


def write_topic_produce_response_v3_list(out: list[bytes], items: list[TopicProduceResponse]) -> None:
    put = out.append
    for m in items:
        text = m.name.encode()
        put(pack_h(len(text)))
        put(text)
        put(pack_i(len(m.partition_responses)))
        write_partition_produce_response_v3_list(out, m.partition_responses)


def write_produce_response_v3(out: list[bytes], m: ProduceResponse) -> None:
    put = out.append
    if m.node_endpoints:
        raise UnsupportedVersion("ProduceResponse.node_endpoints exists in versions 10+ only")
    put(pack_i(len(m.responses)))
    write_topic_produce_response_v3_list(out, m.responses)
    put(pack_i(m.throttle_time_ms))


def write_partition_produce_response_v5_list(out: list[bytes], items: list[PartitionProduceResponse]) -> None:
    put = out.append
    for m in items:
        if m.current_leader is not DEFAULT_LEADER_ID_AND_EPOCH and m.current_leader != DEFAULT_LEADER_ID_AND_EPOCH:
            raise UnsupportedVersion("PartitionProduceResponse.current_leader exists in versions 10+ only")
        put(pack_ihqqq(m.index, m.error_code, m.base_offset, m.log_append_time_ms, m.log_start_offset))


def write_topic_produce_response_v5_list(out: list[bytes], items: list[TopicProduceResponse]) -> None:
    put = out.append
    for m in items:
        text = m.name.encode()
        put(pack_h(len(text)))
        put(text)
        put(pack_i(len(m.partition_responses)))
        write_partition_produce_response_v5_list(out, m.partition_responses)


def write_produce_response_v5(out: list[bytes], m: ProduceResponse) -> None:
    put = out.append
    if m.node_endpoints:
        raise UnsupportedVersion("ProduceResponse.node_endpoints exists in versions 10+ only")
    put(pack_i(len(m.responses)))
    write_topic_produce_response_v5_list(out, m.responses)
    put(pack_i(m.throttle_time_ms))


def write_batch_index_and_error_message_v8_list(out: list[bytes], items: list[BatchIndexAndErrorMessage]) -> None:
    put = out.append
    for m in items:
        if m.batch_index_error_message is None:
            put(pack_ih(m.batch_index, -1))
        else:
            text = m.batch_index_error_message.encode()
            put(pack_ih(m.batch_index, len(text)))
            put(text)


def write_partition_produce_response_v8_list(out: list[bytes], items: list[PartitionProduceResponse]) -> None:
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


def write_topic_produce_response_v8_list(out: list[bytes], items: list[TopicProduceResponse]) -> None:
    put = out.append
    for m in items:
        text = m.name.encode()
        put(pack_h(len(text)))
        put(text)
        put(pack_i(len(m.partition_responses)))
        write_partition_produce_response_v8_list(out, m.partition_responses)


def write_produce_response_v8(out: list[bytes], m: ProduceResponse) -> None:
    put = out.append
    if m.node_endpoints:
        raise UnsupportedVersion("ProduceResponse.node_endpoints exists in versions 10+ only")
    put(pack_i(len(m.responses)))
    write_topic_produce_response_v8_list(out, m.responses)
    put(pack_i(m.throttle_time_ms))


def write_batch_index_and_error_message_v9_list(out: list[bytes], items: list[BatchIndexAndErrorMessage]) -> None:
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


def write_partition_produce_response_v9_list(out: list[bytes], items: list[PartitionProduceResponse]) -> None:
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


def write_topic_produce_response_v9_list(out: list[bytes], items: list[TopicProduceResponse]) -> None:
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


def write_produce_response_v9(out: list[bytes], m: ProduceResponse) -> None:
    put = out.append
    if m.node_endpoints:
        raise UnsupportedVersion("ProduceResponse.node_endpoints exists in versions 10+ only")
    n = len(m.responses) + 1
    put(UVARINT[n] if n < 128 else uvarint(n))
    write_topic_produce_response_v9_list(out, m.responses)
    put(pack_ix(m.throttle_time_ms))


def write_leader_id_and_epoch_v10(out: list[bytes], m: LeaderIdAndEpoch) -> None:
    put = out.append
    put(pack_iix(m.leader_id, m.leader_epoch))


def write_partition_produce_response_v10_list(out: list[bytes], items: list[PartitionProduceResponse]) -> None:
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
        tags: list[bytes] = []
        part: list[bytes]
        if m.current_leader is not DEFAULT_LEADER_ID_AND_EPOCH and m.current_leader != DEFAULT_LEADER_ID_AND_EPOCH:
            part = []
            write_leader_id_and_epoch_v10(part, m.current_leader)
            tags.append(tagged(0, b"".join(part)))
        put(uvarint(len(tags)))
        out.extend(tags)


def write_topic_produce_response_v10_list(out: list[bytes], items: list[TopicProduceResponse]) -> None:
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


def write_node_endpoint_v10_list(out: list[bytes], items: list[NodeEndpoint]) -> None:
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


def write_produce_response_v10(out: list[bytes], m: ProduceResponse) -> None:
    put = out.append
    n = len(m.responses) + 1
    put(UVARINT[n] if n < 128 else uvarint(n))
    write_topic_produce_response_v10_list(out, m.responses)
    put(pack_i(m.throttle_time_ms))
    tags: list[bytes] = []
    part: list[bytes]
    if m.node_endpoints:
        part = []
        n = len(m.node_endpoints) + 1
        part.append(UVARINT[n] if n < 128 else uvarint(n))
        write_node_endpoint_v10_list(part, m.node_endpoints)
        tags.append(tagged(0, b"".join(part)))
    put(uvarint(len(tags)))
    out.extend(tags)


def write_topic_produce_response_v13_list(out: list[bytes], items: list[TopicProduceResponse]) -> None:
    put = out.append
    for m in items:
        put(pack_16s(m.topic_id))
        n = len(m.partition_responses) + 1
        put(UVARINT[n] if n < 128 else uvarint(n))
        write_partition_produce_response_v10_list(out, m.partition_responses)
        put(b"\0")


def write_produce_response_v13(out: list[bytes], m: ProduceResponse) -> None:
    put = out.append
    n = len(m.responses) + 1
    put(UVARINT[n] if n < 128 else uvarint(n))
    write_topic_produce_response_v13_list(out, m.responses)
    put(pack_i(m.throttle_time_ms))
    tags: list[bytes] = []
    part: list[bytes]
    if m.node_endpoints:
        part = []
        n = len(m.node_endpoints) + 1
        part.append(UVARINT[n] if n < 128 else uvarint(n))
        write_node_endpoint_v10_list(part, m.node_endpoints)
        tags.append(tagged(0, b"".join(part)))
    put(uvarint(len(tags)))
    out.extend(tags)


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
