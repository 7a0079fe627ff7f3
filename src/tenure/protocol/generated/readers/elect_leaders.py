"""Generated from `tenure/protocol/tables/elect_leaders.py` by `python -m tenure.protocol.generate`."""

from struct import Struct as Packer
from typing import Final

from tenure.protocol.generated.elect_leaders import (
    ElectLeadersRequest,
    ElectLeadersResponse,
    PartitionResult,
    ReplicaElectionResult,
    TopicPartitions,
)
from tenure.protocol.message import (
    MalformedMessage,
)
from tenure.protocol.wire import (
    Elements,
    UNBOUNDED,
    UNCOUNTED_BYTES,
    read_int32s,
    read_text_length,
    read_uvarint,
    skip_tags,
    too_many,
    utf8,
)

unpack_bB: Final = Packer(">bB").unpack_from
unpack_bi: Final = Packer(">bi").unpack_from
unpack_h: Final = Packer(">h").unpack_from
unpack_i: Final = Packer(">i").unpack_from
unpack_iB: Final = Packer(">iB").unpack_from
unpack_ihB: Final = Packer(">ihB").unpack_from
unpack_ihh: Final = Packer(">ihh").unpack_from
unpack_ihi: Final = Packer(">ihi").unpack_from
unpack_ii: Final = Packer(">ii").unpack_from


def read_topic_partitions_v0_list(data: bytes, at: int, announced: int, elements: Elements) -> tuple[list[TopicPartitions], int]:
    if announced * 6 > len(data) - at:
        raise too_many(announced, 6, data, at)
    found: list[TopicPartitions] = []
    for _ in range(announced):
        (n,) = unpack_h(data, at)
        at += 2
        if n < 0:
            raise MalformedMessage("TopicPartitions.topic is null")
        end = at + n
        topic = utf8(data[at:end])
        at = end
        (n,) = unpack_i(data, at)
        at += 4
        if n < 0:
            raise MalformedMessage("TopicPartitions.partitions is null")
        if elements is not UNBOUNDED:
            elements.add(n)
        partitions = read_int32s(data, at, n)
        at += 4 * n
        found.append(TopicPartitions(topic, partitions))
    return found, at


def read_elect_leaders_request_v0(data: bytes, at: int) -> tuple[ElectLeadersRequest, int]:
    elements = UNBOUNDED if len(data) <= UNCOUNTED_BYTES else Elements()
    (n,) = unpack_i(data, at)
    at += 4
    if n >= 0:
        if elements is not UNBOUNDED:
            elements.add(n)
        topic_partitions, at = read_topic_partitions_v0_list(data, at, n, elements)
    elif n == -1:
        topic_partitions = None
    else:
        raise MalformedMessage("ElectLeadersRequest.topic_partitions has a negative length")
    (timeout_ms,) = unpack_i(data, at)
    at += 4
    return ElectLeadersRequest(0, topic_partitions, timeout_ms), at


def read_elect_leaders_request_v1(data: bytes, at: int) -> tuple[ElectLeadersRequest, int]:
    elements = UNBOUNDED if len(data) <= UNCOUNTED_BYTES else Elements()
    election_type, n = unpack_bi(data, at)
    at += 5
    if n >= 0:
        if elements is not UNBOUNDED:
            elements.add(n)
        topic_partitions, at = read_topic_partitions_v0_list(data, at, n, elements)
    elif n == -1:
        topic_partitions = None
    else:
        raise MalformedMessage("ElectLeadersRequest.topic_partitions has a negative length")
    (timeout_ms,) = unpack_i(data, at)
    at += 4
    return ElectLeadersRequest(election_type, topic_partitions, timeout_ms), at


def read_topic_partitions_v2_list(data: bytes, at: int, announced: int, elements: Elements) -> tuple[list[TopicPartitions], int]:
    if announced * 3 > len(data) - at:
        raise too_many(announced, 3, data, at)
    found: list[TopicPartitions] = []
    for _ in range(announced):
        n = data[at]
        at += 1
        if n > 127:
            n, at = read_text_length(data, at - 1)
        n -= 1
        if n < 0:
            raise MalformedMessage("TopicPartitions.topic is null")
        end = at + n
        topic = utf8(data[at:end])
        at = end
        n = data[at]
        at += 1
        if n > 127:
            n, at = read_uvarint(data, at - 1)
        n -= 1
        if n < 0:
            raise MalformedMessage("TopicPartitions.partitions is null")
        if elements is not UNBOUNDED:
            elements.add(n)
        partitions = read_int32s(data, at, n)
        at += 4 * n
        tags = data[at]
        at += 1
        if tags:
            at = skip_tags(data, at - 1, elements)
        found.append(TopicPartitions(topic, partitions))
    return found, at


def read_elect_leaders_request_v2(data: bytes, at: int) -> tuple[ElectLeadersRequest, int]:
    elements = UNBOUNDED if len(data) <= UNCOUNTED_BYTES else Elements()
    election_type, n = unpack_bB(data, at)
    at += 2
    if n > 127:
        n, at = read_uvarint(data, at - 1)
    n -= 1
    if n >= 0:
        if elements is not UNBOUNDED:
            elements.add(n)
        topic_partitions, at = read_topic_partitions_v2_list(data, at, n, elements)
    else:
        topic_partitions = None
    timeout_ms, tags = unpack_iB(data, at)
    at += 5
    if tags:
        at = skip_tags(data, at - 1, elements)
    return ElectLeadersRequest(election_type, topic_partitions, timeout_ms), at


def read_partition_result_v0_list(data: bytes, at: int, announced: int) -> tuple[list[PartitionResult], int]:
    if announced * 8 > len(data) - at:
        raise too_many(announced, 8, data, at)
    found: list[PartitionResult] = []
    for _ in range(announced):
        partition_id, error_code, n = unpack_ihh(data, at)
        at += 8
        if n >= 0:
            end = at + n
            error_message = utf8(data[at:end])
            at = end
        elif n == -1:
            error_message = None
        else:
            raise MalformedMessage("PartitionResult.error_message has a negative length")
        found.append(PartitionResult(partition_id, error_code, error_message))
    return found, at


def read_replica_election_result_v0_list(data: bytes, at: int, announced: int) -> tuple[list[ReplicaElectionResult], int]:
    if announced * 6 > len(data) - at:
        raise too_many(announced, 6, data, at)
    found: list[ReplicaElectionResult] = []
    for _ in range(announced):
        (n,) = unpack_h(data, at)
        at += 2
        if n < 0:
            raise MalformedMessage("ReplicaElectionResult.topic is null")
        end = at + n
        topic = utf8(data[at:end])
        at = end
        (n,) = unpack_i(data, at)
        at += 4
        if n < 0:
            raise MalformedMessage("ReplicaElectionResult.partition_result is null")
        partition_result, at = read_partition_result_v0_list(data, at, n)
        found.append(ReplicaElectionResult(topic, partition_result))
    return found, at


def read_elect_leaders_response_v0(data: bytes, at: int) -> tuple[ElectLeadersResponse, int]:
    throttle_time_ms, n = unpack_ii(data, at)
    at += 8
    if n < 0:
        raise MalformedMessage("ElectLeadersResponse.replica_election_results is null")
    replica_election_results, at = read_replica_election_result_v0_list(data, at, n)
    return ElectLeadersResponse(throttle_time_ms, 0, replica_election_results), at


def read_elect_leaders_response_v1(data: bytes, at: int) -> tuple[ElectLeadersResponse, int]:
    throttle_time_ms, error_code, n = unpack_ihi(data, at)
    at += 10
    if n < 0:
        raise MalformedMessage("ElectLeadersResponse.replica_election_results is null")
    replica_election_results, at = read_replica_election_result_v0_list(data, at, n)
    return ElectLeadersResponse(throttle_time_ms, error_code, replica_election_results), at


def read_partition_result_v2_list(data: bytes, at: int, announced: int) -> tuple[list[PartitionResult], int]:
    if announced * 8 > len(data) - at:
        raise too_many(announced, 8, data, at)
    found: list[PartitionResult] = []
    for _ in range(announced):
        partition_id, error_code, n = unpack_ihB(data, at)
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
        tags = data[at]
        at += 1
        if tags:
            at = skip_tags(data, at - 1)
        found.append(PartitionResult(partition_id, error_code, error_message))
    return found, at


def read_replica_election_result_v2_list(data: bytes, at: int, announced: int) -> tuple[list[ReplicaElectionResult], int]:
    if announced * 3 > len(data) - at:
        raise too_many(announced, 3, data, at)
    found: list[ReplicaElectionResult] = []
    for _ in range(announced):
        n = data[at]
        at += 1
        if n > 127:
            n, at = read_uvarint(data, at - 1)
        n -= 1
        if n < 0:
            raise MalformedMessage("ReplicaElectionResult.topic is null")
        end = at + n
        topic = utf8(data[at:end])
        at = end
        n = data[at]
        at += 1
        if n > 127:
            n, at = read_uvarint(data, at - 1)
        n -= 1
        if n < 0:
            raise MalformedMessage("ReplicaElectionResult.partition_result is null")
        partition_result, at = read_partition_result_v2_list(data, at, n)
        tags = data[at]
        at += 1
        if tags:
            at = skip_tags(data, at - 1)
        found.append(ReplicaElectionResult(topic, partition_result))
    return found, at


def read_elect_leaders_response_v2(data: bytes, at: int) -> tuple[ElectLeadersResponse, int]:
    throttle_time_ms, error_code, n = unpack_ihB(data, at)
    at += 7
    if n > 127:
        n, at = read_uvarint(data, at - 1)
    n -= 1
    if n < 0:
        raise MalformedMessage("ElectLeadersResponse.replica_election_results is null")
    replica_election_results, at = read_replica_election_result_v2_list(data, at, n)
    tags = data[at]
    at += 1
    if tags:
        at = skip_tags(data, at - 1)
    return ElectLeadersResponse(throttle_time_ms, error_code, replica_election_results), at


ElectLeadersRequest.READERS = {
    0: read_elect_leaders_request_v0,
    1: read_elect_leaders_request_v1,
    2: read_elect_leaders_request_v2,
}
ElectLeadersResponse.READERS = {
    0: read_elect_leaders_response_v0,
    1: read_elect_leaders_response_v1,
    2: read_elect_leaders_response_v2,
}
