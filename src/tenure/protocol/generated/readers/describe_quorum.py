"""Generated from `tenure/protocol/tables/describe_quorum.py` by `python -m tenure.protocol.generate`."""

from struct import Struct as Packer
from typing import Final

from tenure.protocol.generated.describe_quorum import (
    DescribeQuorumPartition,
    DescribeQuorumRequest,
    DescribeQuorumResponse,
    DescribeQuorumTopic,
    DescribedQuorumPartition,
    DescribedQuorumTopic,
    QuorumListener,
    QuorumNode,
    QuorumReplica,
)
from tenure.protocol.message import (
    MalformedMessage,
)
from tenure.protocol.wire import (
    Elements,
    UNBOUNDED,
    UNCOUNTED_BYTES,
    read_text_length,
    read_uvarint,
    skip_tags,
    too_many,
    utf8,
)

unpack_HB: Final = Packer(">HB").unpack_from
unpack_hB: Final = Packer(">hB").unpack_from
unpack_i16sqqqB: Final = Packer(">i16sqqqB").unpack_from
unpack_iB: Final = Packer(">iB").unpack_from
unpack_ihB: Final = Packer(">ihB").unpack_from
unpack_ihiiqB: Final = Packer(">ihiiqB").unpack_from
unpack_iiqB: Final = Packer(">iiqB").unpack_from
unpack_iqB: Final = Packer(">iqB").unpack_from
unpack_iqqqB: Final = Packer(">iqqqB").unpack_from


def read_describe_quorum_partition_v0_list(data: bytes, at: int, announced: int, elements: Elements) -> tuple[list[DescribeQuorumPartition], int]:
    if announced * 5 > len(data) - at:
        raise too_many(announced, 5, data, at)
    found: list[DescribeQuorumPartition] = []
    for _ in range(announced):
        partition_index, tags = unpack_iB(data, at)
        at += 5
        if tags:
            at = skip_tags(data, at - 1, elements)
        found.append(DescribeQuorumPartition(partition_index))
    return found, at


def read_describe_quorum_topic_v0_list(data: bytes, at: int, announced: int, elements: Elements) -> tuple[list[DescribeQuorumTopic], int]:
    if announced * 3 > len(data) - at:
        raise too_many(announced, 3, data, at)
    found: list[DescribeQuorumTopic] = []
    for _ in range(announced):
        n = data[at]
        at += 1
        if n > 127:
            n, at = read_text_length(data, at - 1)
        n -= 1
        if n < 0:
            raise MalformedMessage("DescribeQuorumTopic.topic_name is null")
        end = at + n
        topic_name = utf8(data[at:end])
        at = end
        n = data[at]
        at += 1
        if n > 127:
            n, at = read_uvarint(data, at - 1)
        n -= 1
        if n < 0:
            raise MalformedMessage("DescribeQuorumTopic.partitions is null")
        if elements is not UNBOUNDED:
            elements.add(n)
        partitions, at = read_describe_quorum_partition_v0_list(data, at, n, elements)
        tags = data[at]
        at += 1
        if tags:
            at = skip_tags(data, at - 1, elements)
        found.append(DescribeQuorumTopic(topic_name, partitions))
    return found, at


def read_describe_quorum_request_v0(data: bytes, at: int) -> tuple[DescribeQuorumRequest, int]:
    elements = UNBOUNDED if len(data) <= UNCOUNTED_BYTES else Elements()
    n = data[at]
    at += 1
    if n > 127:
        n, at = read_uvarint(data, at - 1)
    n -= 1
    if n < 0:
        raise MalformedMessage("DescribeQuorumRequest.topics is null")
    if elements is not UNBOUNDED:
        elements.add(n)
    topics, at = read_describe_quorum_topic_v0_list(data, at, n, elements)
    tags = data[at]
    at += 1
    if tags:
        at = skip_tags(data, at - 1, elements)
    return DescribeQuorumRequest(topics), at


def read_quorum_replica_v0_list(data: bytes, at: int, announced: int) -> tuple[list[QuorumReplica], int]:
    if announced * 13 > len(data) - at:
        raise too_many(announced, 13, data, at)
    found: list[QuorumReplica] = []
    for _ in range(announced):
        replica_id, log_end_offset, tags = unpack_iqB(data, at)
        at += 13
        if tags:
            at = skip_tags(data, at - 1)
        found.append(QuorumReplica(replica_id, bytes(16), log_end_offset))
    return found, at


def read_described_quorum_partition_v0_list(data: bytes, at: int, announced: int) -> tuple[list[DescribedQuorumPartition], int]:
    if announced * 25 > len(data) - at:
        raise too_many(announced, 25, data, at)
    found: list[DescribedQuorumPartition] = []
    for _ in range(announced):
        partition_index, error_code, leader_id, leader_epoch, high_watermark, n = unpack_ihiiqB(data, at)
        at += 23
        if n > 127:
            n, at = read_uvarint(data, at - 1)
        n -= 1
        if n < 0:
            raise MalformedMessage("DescribedQuorumPartition.current_voters is null")
        current_voters, at = read_quorum_replica_v0_list(data, at, n)
        n = data[at]
        at += 1
        if n > 127:
            n, at = read_uvarint(data, at - 1)
        n -= 1
        if n < 0:
            raise MalformedMessage("DescribedQuorumPartition.observers is null")
        observers, at = read_quorum_replica_v0_list(data, at, n)
        tags = data[at]
        at += 1
        if tags:
            at = skip_tags(data, at - 1)
        found.append(DescribedQuorumPartition(partition_index, error_code, "", leader_id, leader_epoch, high_watermark, current_voters, observers))
    return found, at


def read_described_quorum_topic_v0_list(data: bytes, at: int, announced: int) -> tuple[list[DescribedQuorumTopic], int]:
    if announced * 3 > len(data) - at:
        raise too_many(announced, 3, data, at)
    found: list[DescribedQuorumTopic] = []
    for _ in range(announced):
        n = data[at]
        at += 1
        if n > 127:
            n, at = read_uvarint(data, at - 1)
        n -= 1
        if n < 0:
            raise MalformedMessage("DescribedQuorumTopic.topic_name is null")
        end = at + n
        topic_name = utf8(data[at:end])
        at = end
        n = data[at]
        at += 1
        if n > 127:
            n, at = read_uvarint(data, at - 1)
        n -= 1
        if n < 0:
            raise MalformedMessage("DescribedQuorumTopic.partitions is null")
        partitions, at = read_described_quorum_partition_v0_list(data, at, n)
        tags = data[at]
        at += 1
        if tags:
            at = skip_tags(data, at - 1)
        found.append(DescribedQuorumTopic(topic_name, partitions))
    return found, at


def read_describe_quorum_response_v0(data: bytes, at: int) -> tuple[DescribeQuorumResponse, int]:
    error_code, n = unpack_hB(data, at)
    at += 3
    if n > 127:
        n, at = read_uvarint(data, at - 1)
    n -= 1
    if n < 0:
        raise MalformedMessage("DescribeQuorumResponse.topics is null")
    topics, at = read_described_quorum_topic_v0_list(data, at, n)
    tags = data[at]
    at += 1
    if tags:
        at = skip_tags(data, at - 1)
    return DescribeQuorumResponse(error_code, "", topics), at


def read_quorum_replica_v1_list(data: bytes, at: int, announced: int) -> tuple[list[QuorumReplica], int]:
    if announced * 29 > len(data) - at:
        raise too_many(announced, 29, data, at)
    found: list[QuorumReplica] = []
    for _ in range(announced):
        replica_id, log_end_offset, last_fetch_timestamp, last_caught_up_timestamp, tags = unpack_iqqqB(data, at)
        at += 29
        if tags:
            at = skip_tags(data, at - 1)
        found.append(QuorumReplica(replica_id, bytes(16), log_end_offset, last_fetch_timestamp, last_caught_up_timestamp))
    return found, at


def read_described_quorum_partition_v1_list(data: bytes, at: int, announced: int) -> tuple[list[DescribedQuorumPartition], int]:
    if announced * 25 > len(data) - at:
        raise too_many(announced, 25, data, at)
    found: list[DescribedQuorumPartition] = []
    for _ in range(announced):
        partition_index, error_code, leader_id, leader_epoch, high_watermark, n = unpack_ihiiqB(data, at)
        at += 23
        if n > 127:
            n, at = read_uvarint(data, at - 1)
        n -= 1
        if n < 0:
            raise MalformedMessage("DescribedQuorumPartition.current_voters is null")
        current_voters, at = read_quorum_replica_v1_list(data, at, n)
        n = data[at]
        at += 1
        if n > 127:
            n, at = read_uvarint(data, at - 1)
        n -= 1
        if n < 0:
            raise MalformedMessage("DescribedQuorumPartition.observers is null")
        observers, at = read_quorum_replica_v1_list(data, at, n)
        tags = data[at]
        at += 1
        if tags:
            at = skip_tags(data, at - 1)
        found.append(DescribedQuorumPartition(partition_index, error_code, "", leader_id, leader_epoch, high_watermark, current_voters, observers))
    return found, at


def read_described_quorum_topic_v1_list(data: bytes, at: int, announced: int) -> tuple[list[DescribedQuorumTopic], int]:
    if announced * 3 > len(data) - at:
        raise too_many(announced, 3, data, at)
    found: list[DescribedQuorumTopic] = []
    for _ in range(announced):
        n = data[at]
        at += 1
        if n > 127:
            n, at = read_uvarint(data, at - 1)
        n -= 1
        if n < 0:
            raise MalformedMessage("DescribedQuorumTopic.topic_name is null")
        end = at + n
        topic_name = utf8(data[at:end])
        at = end
        n = data[at]
        at += 1
        if n > 127:
            n, at = read_uvarint(data, at - 1)
        n -= 1
        if n < 0:
            raise MalformedMessage("DescribedQuorumTopic.partitions is null")
        partitions, at = read_described_quorum_partition_v1_list(data, at, n)
        tags = data[at]
        at += 1
        if tags:
            at = skip_tags(data, at - 1)
        found.append(DescribedQuorumTopic(topic_name, partitions))
    return found, at


def read_describe_quorum_response_v1(data: bytes, at: int) -> tuple[DescribeQuorumResponse, int]:
    error_code, n = unpack_hB(data, at)
    at += 3
    if n > 127:
        n, at = read_uvarint(data, at - 1)
    n -= 1
    if n < 0:
        raise MalformedMessage("DescribeQuorumResponse.topics is null")
    topics, at = read_described_quorum_topic_v1_list(data, at, n)
    tags = data[at]
    at += 1
    if tags:
        at = skip_tags(data, at - 1)
    return DescribeQuorumResponse(error_code, "", topics), at


def read_quorum_replica_v2_list(data: bytes, at: int, announced: int) -> tuple[list[QuorumReplica], int]:
    if announced * 45 > len(data) - at:
        raise too_many(announced, 45, data, at)
    found: list[QuorumReplica] = []
    for _ in range(announced):
        replica_id, replica_directory_id, log_end_offset, last_fetch_timestamp, last_caught_up_timestamp, tags = unpack_i16sqqqB(data, at)
        at += 45
        if tags:
            at = skip_tags(data, at - 1)
        found.append(QuorumReplica(replica_id, replica_directory_id, log_end_offset, last_fetch_timestamp, last_caught_up_timestamp))
    return found, at


def read_described_quorum_partition_v2_list(data: bytes, at: int, announced: int) -> tuple[list[DescribedQuorumPartition], int]:
    if announced * 26 > len(data) - at:
        raise too_many(announced, 26, data, at)
    found: list[DescribedQuorumPartition] = []
    for _ in range(announced):
        partition_index, error_code, n = unpack_ihB(data, at)
        at += 7
        if n > 127:
            n, at = read_uvarint(data, at - 1)
        n -= 1
        if n >= 0:
            end = at + n
            error_message = utf8(data[at:end])
            at = end
        else:
            error_message = None
        leader_id, leader_epoch, high_watermark, n = unpack_iiqB(data, at)
        at += 17
        if n > 127:
            n, at = read_uvarint(data, at - 1)
        n -= 1
        if n < 0:
            raise MalformedMessage("DescribedQuorumPartition.current_voters is null")
        current_voters, at = read_quorum_replica_v2_list(data, at, n)
        n = data[at]
        at += 1
        if n > 127:
            n, at = read_uvarint(data, at - 1)
        n -= 1
        if n < 0:
            raise MalformedMessage("DescribedQuorumPartition.observers is null")
        observers, at = read_quorum_replica_v2_list(data, at, n)
        tags = data[at]
        at += 1
        if tags:
            at = skip_tags(data, at - 1)
        found.append(DescribedQuorumPartition(partition_index, error_code, error_message, leader_id, leader_epoch, high_watermark, current_voters, observers))
    return found, at


def read_described_quorum_topic_v2_list(data: bytes, at: int, announced: int) -> tuple[list[DescribedQuorumTopic], int]:
    if announced * 3 > len(data) - at:
        raise too_many(announced, 3, data, at)
    found: list[DescribedQuorumTopic] = []
    for _ in range(announced):
        n = data[at]
        at += 1
        if n > 127:
            n, at = read_uvarint(data, at - 1)
        n -= 1
        if n < 0:
            raise MalformedMessage("DescribedQuorumTopic.topic_name is null")
        end = at + n
        topic_name = utf8(data[at:end])
        at = end
        n = data[at]
        at += 1
        if n > 127:
            n, at = read_uvarint(data, at - 1)
        n -= 1
        if n < 0:
            raise MalformedMessage("DescribedQuorumTopic.partitions is null")
        partitions, at = read_described_quorum_partition_v2_list(data, at, n)
        tags = data[at]
        at += 1
        if tags:
            at = skip_tags(data, at - 1)
        found.append(DescribedQuorumTopic(topic_name, partitions))
    return found, at


def read_quorum_listener_v2_list(data: bytes, at: int, announced: int) -> tuple[list[QuorumListener], int]:
    if announced * 5 > len(data) - at:
        raise too_many(announced, 5, data, at)
    found: list[QuorumListener] = []
    for _ in range(announced):
        n = data[at]
        at += 1
        if n > 127:
            n, at = read_uvarint(data, at - 1)
        n -= 1
        if n < 0:
            raise MalformedMessage("QuorumListener.name is null")
        end = at + n
        name = utf8(data[at:end])
        at = end
        n = data[at]
        at += 1
        if n > 127:
            n, at = read_uvarint(data, at - 1)
        n -= 1
        if n < 0:
            raise MalformedMessage("QuorumListener.host is null")
        end = at + n
        host = utf8(data[at:end])
        at = end
        port, tags = unpack_HB(data, at)
        at += 3
        if tags:
            at = skip_tags(data, at - 1)
        found.append(QuorumListener(name, host, port))
    return found, at


def read_quorum_node_v2_list(data: bytes, at: int, announced: int) -> tuple[list[QuorumNode], int]:
    if announced * 6 > len(data) - at:
        raise too_many(announced, 6, data, at)
    found: list[QuorumNode] = []
    for _ in range(announced):
        node_id, n = unpack_iB(data, at)
        at += 5
        if n > 127:
            n, at = read_uvarint(data, at - 1)
        n -= 1
        if n < 0:
            raise MalformedMessage("QuorumNode.listeners is null")
        listeners, at = read_quorum_listener_v2_list(data, at, n)
        tags = data[at]
        at += 1
        if tags:
            at = skip_tags(data, at - 1)
        found.append(QuorumNode(node_id, listeners))
    return found, at


def read_describe_quorum_response_v2(data: bytes, at: int) -> tuple[DescribeQuorumResponse, int]:
    error_code, n = unpack_hB(data, at)
    at += 3
    if n > 127:
        n, at = read_uvarint(data, at - 1)
    n -= 1
    if n >= 0:
        end = at + n
        error_message = utf8(data[at:end])
        at = end
    else:
        error_message = None
    n = data[at]
    at += 1
    if n > 127:
        n, at = read_uvarint(data, at - 1)
    n -= 1
    if n < 0:
        raise MalformedMessage("DescribeQuorumResponse.topics is null")
    topics, at = read_described_quorum_topic_v2_list(data, at, n)
    n = data[at]
    at += 1
    if n > 127:
        n, at = read_uvarint(data, at - 1)
    n -= 1
    if n < 0:
        raise MalformedMessage("DescribeQuorumResponse.nodes is null")
    nodes, at = read_quorum_node_v2_list(data, at, n)
    tags = data[at]
    at += 1
    if tags:
        at = skip_tags(data, at - 1)
    return DescribeQuorumResponse(error_code, error_message, topics, nodes), at


DescribeQuorumRequest.READERS = {
    0: read_describe_quorum_request_v0,
    1: read_describe_quorum_request_v0,
    2: read_describe_quorum_request_v0,
}
DescribeQuorumResponse.READERS = {
    0: read_describe_quorum_response_v0,
    1: read_describe_quorum_response_v1,
    2: read_describe_quorum_response_v2,
}
