"""Generated from `tenure/protocol/tables/metadata.py` by `python -m tenure.protocol.generate`."""

from struct import Struct as Packer
from typing import Final

from tenure.protocol.generated.metadata import (
    MetadataRequest,
    MetadataRequestTopic,
    MetadataResponse,
    MetadataResponseBroker,
    MetadataResponsePartition,
    MetadataResponseTopic,
)
from tenure.protocol.message import (
    MalformedMessage,
)
from tenure.protocol.types import (
    BrokerId,
    ZERO_TOPIC_ID,
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

unpack_16sZB: Final = Packer(">16s?B").unpack_from
unpack_16sB: Final = Packer(">16sB").unpack_from
unpack_Z: Final = Packer(">?").unpack_from
unpack_ZZZ: Final = Packer(">???").unpack_from
unpack_ZZZB: Final = Packer(">???B").unpack_from
unpack_ZZB: Final = Packer(">??B").unpack_from
unpack_ZB: Final = Packer(">?B").unpack_from
unpack_Zi: Final = Packer(">?i").unpack_from
unpack_h: Final = Packer(">h").unpack_from
unpack_hB: Final = Packer(">hB").unpack_from
unpack_hh: Final = Packer(">hh").unpack_from
unpack_hiii: Final = Packer(">hiii").unpack_from
unpack_hiiiB: Final = Packer(">hiiiB").unpack_from
unpack_hiiii: Final = Packer(">hiiii").unpack_from
unpack_i: Final = Packer(">i").unpack_from
unpack_iB: Final = Packer(">iB").unpack_from
unpack_ih: Final = Packer(">ih").unpack_from
unpack_ii: Final = Packer(">ii").unpack_from


def read_metadata_request_topic_v0_list(data: bytes, at: int, announced: int, elements: Elements) -> tuple[list[MetadataRequestTopic], int]:
    if announced * 2 > len(data) - at:
        raise too_many(announced, 2, data, at)
    found: list[MetadataRequestTopic] = []
    for _ in range(announced):
        (n,) = unpack_h(data, at)
        at += 2
        if n < 0:
            raise MalformedMessage("MetadataRequestTopic.name is null")
        end = at + n
        name = utf8(data[at:end])
        at = end
        found.append(MetadataRequestTopic(ZERO_TOPIC_ID, name))
    return found, at


def read_metadata_request_v0(data: bytes, at: int) -> tuple[MetadataRequest, int]:
    elements = UNBOUNDED if len(data) <= UNCOUNTED_BYTES else Elements()
    (n,) = unpack_i(data, at)
    at += 4
    if n < 0:
        raise MalformedMessage("MetadataRequest.topics is null")
    if elements is not UNBOUNDED:
        elements.add(n)
    topics, at = read_metadata_request_topic_v0_list(data, at, n, elements)
    return MetadataRequest(topics), at


def read_metadata_request_v1(data: bytes, at: int) -> tuple[MetadataRequest, int]:
    elements = UNBOUNDED if len(data) <= UNCOUNTED_BYTES else Elements()
    (n,) = unpack_i(data, at)
    at += 4
    if n >= 0:
        if elements is not UNBOUNDED:
            elements.add(n)
        topics, at = read_metadata_request_topic_v0_list(data, at, n, elements)
    elif n == -1:
        topics = None
    else:
        raise MalformedMessage("MetadataRequest.topics has a negative length")
    return MetadataRequest(topics), at


def read_metadata_request_v4(data: bytes, at: int) -> tuple[MetadataRequest, int]:
    elements = UNBOUNDED if len(data) <= UNCOUNTED_BYTES else Elements()
    (n,) = unpack_i(data, at)
    at += 4
    if n >= 0:
        if elements is not UNBOUNDED:
            elements.add(n)
        topics, at = read_metadata_request_topic_v0_list(data, at, n, elements)
    elif n == -1:
        topics = None
    else:
        raise MalformedMessage("MetadataRequest.topics has a negative length")
    (allow_auto_topic_creation,) = unpack_Z(data, at)
    at += 1
    return MetadataRequest(topics, allow_auto_topic_creation), at


def read_metadata_request_v8(data: bytes, at: int) -> tuple[MetadataRequest, int]:
    elements = UNBOUNDED if len(data) <= UNCOUNTED_BYTES else Elements()
    (n,) = unpack_i(data, at)
    at += 4
    if n >= 0:
        if elements is not UNBOUNDED:
            elements.add(n)
        topics, at = read_metadata_request_topic_v0_list(data, at, n, elements)
    elif n == -1:
        topics = None
    else:
        raise MalformedMessage("MetadataRequest.topics has a negative length")
    allow_auto_topic_creation, include_cluster_authorized_operations, include_topic_authorized_operations = unpack_ZZZ(data, at)
    at += 3
    return MetadataRequest(topics, allow_auto_topic_creation, include_cluster_authorized_operations, include_topic_authorized_operations), at


def read_metadata_request_topic_v9_list(data: bytes, at: int, announced: int, elements: Elements) -> tuple[list[MetadataRequestTopic], int]:
    if announced * 2 > len(data) - at:
        raise too_many(announced, 2, data, at)
    found: list[MetadataRequestTopic] = []
    for _ in range(announced):
        n = data[at]
        at += 1
        if n > 127:
            n, at = read_text_length(data, at - 1)
        n -= 1
        if n < 0:
            raise MalformedMessage("MetadataRequestTopic.name is null")
        end = at + n
        name = utf8(data[at:end])
        at = end
        tags = data[at]
        at += 1
        if tags:
            at = skip_tags(data, at - 1, elements)
        found.append(MetadataRequestTopic(ZERO_TOPIC_ID, name))
    return found, at


def read_metadata_request_v9(data: bytes, at: int) -> tuple[MetadataRequest, int]:
    elements = UNBOUNDED if len(data) <= UNCOUNTED_BYTES else Elements()
    n = data[at]
    at += 1
    if n > 127:
        n, at = read_uvarint(data, at - 1)
    n -= 1
    if n >= 0:
        if elements is not UNBOUNDED:
            elements.add(n)
        topics, at = read_metadata_request_topic_v9_list(data, at, n, elements)
    else:
        topics = None
    allow_auto_topic_creation, include_cluster_authorized_operations, include_topic_authorized_operations, tags = unpack_ZZZB(data, at)
    at += 4
    if tags:
        at = skip_tags(data, at - 1, elements)
    return MetadataRequest(topics, allow_auto_topic_creation, include_cluster_authorized_operations, include_topic_authorized_operations), at


def read_metadata_request_topic_v10_list(data: bytes, at: int, announced: int, elements: Elements) -> tuple[list[MetadataRequestTopic], int]:
    if announced * 18 > len(data) - at:
        raise too_many(announced, 18, data, at)
    found: list[MetadataRequestTopic] = []
    for _ in range(announced):
        topic_id, n = unpack_16sB(data, at)
        at += 17
        if n > 127:
            n, at = read_text_length(data, at - 1)
        n -= 1
        if n >= 0:
            end = at + n
            name = utf8(data[at:end])
            at = end
        else:
            name = None
        tags = data[at]
        at += 1
        if tags:
            at = skip_tags(data, at - 1, elements)
        found.append(MetadataRequestTopic(topic_id, name))
    return found, at


def read_metadata_request_v10(data: bytes, at: int) -> tuple[MetadataRequest, int]:
    elements = UNBOUNDED if len(data) <= UNCOUNTED_BYTES else Elements()
    n = data[at]
    at += 1
    if n > 127:
        n, at = read_uvarint(data, at - 1)
    n -= 1
    if n >= 0:
        if elements is not UNBOUNDED:
            elements.add(n)
        topics, at = read_metadata_request_topic_v10_list(data, at, n, elements)
    else:
        topics = None
    allow_auto_topic_creation, include_cluster_authorized_operations, include_topic_authorized_operations, tags = unpack_ZZZB(data, at)
    at += 4
    if tags:
        at = skip_tags(data, at - 1, elements)
    return MetadataRequest(topics, allow_auto_topic_creation, include_cluster_authorized_operations, include_topic_authorized_operations), at


def read_metadata_request_v11(data: bytes, at: int) -> tuple[MetadataRequest, int]:
    elements = UNBOUNDED if len(data) <= UNCOUNTED_BYTES else Elements()
    n = data[at]
    at += 1
    if n > 127:
        n, at = read_uvarint(data, at - 1)
    n -= 1
    if n >= 0:
        if elements is not UNBOUNDED:
            elements.add(n)
        topics, at = read_metadata_request_topic_v10_list(data, at, n, elements)
    else:
        topics = None
    allow_auto_topic_creation, include_topic_authorized_operations, tags = unpack_ZZB(data, at)
    at += 3
    if tags:
        at = skip_tags(data, at - 1, elements)
    return MetadataRequest(topics, allow_auto_topic_creation, False, include_topic_authorized_operations), at


def read_metadata_response_broker_v0_list(data: bytes, at: int, announced: int) -> tuple[list[MetadataResponseBroker], int]:
    if announced * 10 > len(data) - at:
        raise too_many(announced, 10, data, at)
    found: list[MetadataResponseBroker] = []
    for _ in range(announced):
        node_id, n = unpack_ih(data, at)
        at += 6
        if n < 0:
            raise MalformedMessage("MetadataResponseBroker.host is null")
        end = at + n
        host = utf8(data[at:end])
        at = end
        (port,) = unpack_i(data, at)
        at += 4
        found.append(MetadataResponseBroker(node_id, host, port))
    return found, at


def read_metadata_response_partition_v0_list(data: bytes, at: int, announced: int) -> tuple[list[MetadataResponsePartition], int]:
    if announced * 18 > len(data) - at:
        raise too_many(announced, 18, data, at)
    found: list[MetadataResponsePartition] = []
    for _ in range(announced):
        error_code, partition_index, leader_id, n = unpack_hiii(data, at)
        at += 14
        if n < 0:
            raise MalformedMessage("MetadataResponsePartition.replica_nodes is null")
        replica_nodes = read_int32s(data, at, n)
        at += 4 * n
        (n,) = unpack_i(data, at)
        at += 4
        if n < 0:
            raise MalformedMessage("MetadataResponsePartition.isr_nodes is null")
        isr_nodes = read_int32s(data, at, n)
        at += 4 * n
        found.append(MetadataResponsePartition(error_code, partition_index, leader_id, -1, replica_nodes, isr_nodes))
    return found, at


def read_metadata_response_topic_v0_list(data: bytes, at: int, announced: int) -> tuple[list[MetadataResponseTopic], int]:
    if announced * 8 > len(data) - at:
        raise too_many(announced, 8, data, at)
    found: list[MetadataResponseTopic] = []
    for _ in range(announced):
        error_code, n = unpack_hh(data, at)
        at += 4
        if n < 0:
            raise MalformedMessage("MetadataResponseTopic.name is null")
        end = at + n
        name = utf8(data[at:end])
        at = end
        (n,) = unpack_i(data, at)
        at += 4
        if n < 0:
            raise MalformedMessage("MetadataResponseTopic.partitions is null")
        partitions, at = read_metadata_response_partition_v0_list(data, at, n)
        found.append(MetadataResponseTopic(error_code, name, ZERO_TOPIC_ID, False, partitions))
    return found, at


def read_metadata_response_v0(data: bytes, at: int) -> tuple[MetadataResponse, int]:
    (n,) = unpack_i(data, at)
    at += 4
    if n < 0:
        raise MalformedMessage("MetadataResponse.brokers is null")
    brokers, at = read_metadata_response_broker_v0_list(data, at, n)
    (n,) = unpack_i(data, at)
    at += 4
    if n < 0:
        raise MalformedMessage("MetadataResponse.topics is null")
    topics, at = read_metadata_response_topic_v0_list(data, at, n)
    return MetadataResponse(0, brokers, None, BrokerId(-1), topics), at


def read_metadata_response_broker_v1_list(data: bytes, at: int, announced: int) -> tuple[list[MetadataResponseBroker], int]:
    if announced * 12 > len(data) - at:
        raise too_many(announced, 12, data, at)
    found: list[MetadataResponseBroker] = []
    for _ in range(announced):
        node_id, n = unpack_ih(data, at)
        at += 6
        if n < 0:
            raise MalformedMessage("MetadataResponseBroker.host is null")
        end = at + n
        host = utf8(data[at:end])
        at = end
        port, n = unpack_ih(data, at)
        at += 6
        if n >= 0:
            end = at + n
            rack = utf8(data[at:end])
            at = end
        elif n == -1:
            rack = None
        else:
            raise MalformedMessage("MetadataResponseBroker.rack has a negative length")
        found.append(MetadataResponseBroker(node_id, host, port, rack))
    return found, at


def read_metadata_response_topic_v1_list(data: bytes, at: int, announced: int) -> tuple[list[MetadataResponseTopic], int]:
    if announced * 9 > len(data) - at:
        raise too_many(announced, 9, data, at)
    found: list[MetadataResponseTopic] = []
    for _ in range(announced):
        error_code, n = unpack_hh(data, at)
        at += 4
        if n < 0:
            raise MalformedMessage("MetadataResponseTopic.name is null")
        end = at + n
        name = utf8(data[at:end])
        at = end
        is_internal, n = unpack_Zi(data, at)
        at += 5
        if n < 0:
            raise MalformedMessage("MetadataResponseTopic.partitions is null")
        partitions, at = read_metadata_response_partition_v0_list(data, at, n)
        found.append(MetadataResponseTopic(error_code, name, ZERO_TOPIC_ID, is_internal, partitions))
    return found, at


def read_metadata_response_v1(data: bytes, at: int) -> tuple[MetadataResponse, int]:
    (n,) = unpack_i(data, at)
    at += 4
    if n < 0:
        raise MalformedMessage("MetadataResponse.brokers is null")
    brokers, at = read_metadata_response_broker_v1_list(data, at, n)
    controller_id, n = unpack_ii(data, at)
    at += 8
    if n < 0:
        raise MalformedMessage("MetadataResponse.topics is null")
    topics, at = read_metadata_response_topic_v1_list(data, at, n)
    return MetadataResponse(0, brokers, None, controller_id, topics), at


def read_metadata_response_v2(data: bytes, at: int) -> tuple[MetadataResponse, int]:
    (n,) = unpack_i(data, at)
    at += 4
    if n < 0:
        raise MalformedMessage("MetadataResponse.brokers is null")
    brokers, at = read_metadata_response_broker_v1_list(data, at, n)
    (n,) = unpack_h(data, at)
    at += 2
    if n >= 0:
        end = at + n
        cluster_id = utf8(data[at:end])
        at = end
    elif n == -1:
        cluster_id = None
    else:
        raise MalformedMessage("MetadataResponse.cluster_id has a negative length")
    controller_id, n = unpack_ii(data, at)
    at += 8
    if n < 0:
        raise MalformedMessage("MetadataResponse.topics is null")
    topics, at = read_metadata_response_topic_v1_list(data, at, n)
    return MetadataResponse(0, brokers, cluster_id, controller_id, topics), at


def read_metadata_response_v3(data: bytes, at: int) -> tuple[MetadataResponse, int]:
    throttle_time_ms, n = unpack_ii(data, at)
    at += 8
    if n < 0:
        raise MalformedMessage("MetadataResponse.brokers is null")
    brokers, at = read_metadata_response_broker_v1_list(data, at, n)
    (n,) = unpack_h(data, at)
    at += 2
    if n >= 0:
        end = at + n
        cluster_id = utf8(data[at:end])
        at = end
    elif n == -1:
        cluster_id = None
    else:
        raise MalformedMessage("MetadataResponse.cluster_id has a negative length")
    controller_id, n = unpack_ii(data, at)
    at += 8
    if n < 0:
        raise MalformedMessage("MetadataResponse.topics is null")
    topics, at = read_metadata_response_topic_v1_list(data, at, n)
    return MetadataResponse(throttle_time_ms, brokers, cluster_id, controller_id, topics), at


def read_metadata_response_partition_v5_list(data: bytes, at: int, announced: int) -> tuple[list[MetadataResponsePartition], int]:
    if announced * 22 > len(data) - at:
        raise too_many(announced, 22, data, at)
    found: list[MetadataResponsePartition] = []
    for _ in range(announced):
        error_code, partition_index, leader_id, n = unpack_hiii(data, at)
        at += 14
        if n < 0:
            raise MalformedMessage("MetadataResponsePartition.replica_nodes is null")
        replica_nodes = read_int32s(data, at, n)
        at += 4 * n
        (n,) = unpack_i(data, at)
        at += 4
        if n < 0:
            raise MalformedMessage("MetadataResponsePartition.isr_nodes is null")
        isr_nodes = read_int32s(data, at, n)
        at += 4 * n
        (n,) = unpack_i(data, at)
        at += 4
        if n < 0:
            raise MalformedMessage("MetadataResponsePartition.offline_replicas is null")
        offline_replicas = read_int32s(data, at, n)
        at += 4 * n
        found.append(MetadataResponsePartition(error_code, partition_index, leader_id, -1, replica_nodes, isr_nodes, offline_replicas))
    return found, at


def read_metadata_response_topic_v5_list(data: bytes, at: int, announced: int) -> tuple[list[MetadataResponseTopic], int]:
    if announced * 9 > len(data) - at:
        raise too_many(announced, 9, data, at)
    found: list[MetadataResponseTopic] = []
    for _ in range(announced):
        error_code, n = unpack_hh(data, at)
        at += 4
        if n < 0:
            raise MalformedMessage("MetadataResponseTopic.name is null")
        end = at + n
        name = utf8(data[at:end])
        at = end
        is_internal, n = unpack_Zi(data, at)
        at += 5
        if n < 0:
            raise MalformedMessage("MetadataResponseTopic.partitions is null")
        partitions, at = read_metadata_response_partition_v5_list(data, at, n)
        found.append(MetadataResponseTopic(error_code, name, ZERO_TOPIC_ID, is_internal, partitions))
    return found, at


def read_metadata_response_v5(data: bytes, at: int) -> tuple[MetadataResponse, int]:
    throttle_time_ms, n = unpack_ii(data, at)
    at += 8
    if n < 0:
        raise MalformedMessage("MetadataResponse.brokers is null")
    brokers, at = read_metadata_response_broker_v1_list(data, at, n)
    (n,) = unpack_h(data, at)
    at += 2
    if n >= 0:
        end = at + n
        cluster_id = utf8(data[at:end])
        at = end
    elif n == -1:
        cluster_id = None
    else:
        raise MalformedMessage("MetadataResponse.cluster_id has a negative length")
    controller_id, n = unpack_ii(data, at)
    at += 8
    if n < 0:
        raise MalformedMessage("MetadataResponse.topics is null")
    topics, at = read_metadata_response_topic_v5_list(data, at, n)
    return MetadataResponse(throttle_time_ms, brokers, cluster_id, controller_id, topics), at


def read_metadata_response_partition_v7_list(data: bytes, at: int, announced: int) -> tuple[list[MetadataResponsePartition], int]:
    if announced * 26 > len(data) - at:
        raise too_many(announced, 26, data, at)
    found: list[MetadataResponsePartition] = []
    for _ in range(announced):
        error_code, partition_index, leader_id, leader_epoch, n = unpack_hiiii(data, at)
        at += 18
        if n < 0:
            raise MalformedMessage("MetadataResponsePartition.replica_nodes is null")
        replica_nodes = read_int32s(data, at, n)
        at += 4 * n
        (n,) = unpack_i(data, at)
        at += 4
        if n < 0:
            raise MalformedMessage("MetadataResponsePartition.isr_nodes is null")
        isr_nodes = read_int32s(data, at, n)
        at += 4 * n
        (n,) = unpack_i(data, at)
        at += 4
        if n < 0:
            raise MalformedMessage("MetadataResponsePartition.offline_replicas is null")
        offline_replicas = read_int32s(data, at, n)
        at += 4 * n
        found.append(MetadataResponsePartition(error_code, partition_index, leader_id, leader_epoch, replica_nodes, isr_nodes, offline_replicas))
    return found, at


def read_metadata_response_topic_v7_list(data: bytes, at: int, announced: int) -> tuple[list[MetadataResponseTopic], int]:
    if announced * 9 > len(data) - at:
        raise too_many(announced, 9, data, at)
    found: list[MetadataResponseTopic] = []
    for _ in range(announced):
        error_code, n = unpack_hh(data, at)
        at += 4
        if n < 0:
            raise MalformedMessage("MetadataResponseTopic.name is null")
        end = at + n
        name = utf8(data[at:end])
        at = end
        is_internal, n = unpack_Zi(data, at)
        at += 5
        if n < 0:
            raise MalformedMessage("MetadataResponseTopic.partitions is null")
        partitions, at = read_metadata_response_partition_v7_list(data, at, n)
        found.append(MetadataResponseTopic(error_code, name, ZERO_TOPIC_ID, is_internal, partitions))
    return found, at


def read_metadata_response_v7(data: bytes, at: int) -> tuple[MetadataResponse, int]:
    throttle_time_ms, n = unpack_ii(data, at)
    at += 8
    if n < 0:
        raise MalformedMessage("MetadataResponse.brokers is null")
    brokers, at = read_metadata_response_broker_v1_list(data, at, n)
    (n,) = unpack_h(data, at)
    at += 2
    if n >= 0:
        end = at + n
        cluster_id = utf8(data[at:end])
        at = end
    elif n == -1:
        cluster_id = None
    else:
        raise MalformedMessage("MetadataResponse.cluster_id has a negative length")
    controller_id, n = unpack_ii(data, at)
    at += 8
    if n < 0:
        raise MalformedMessage("MetadataResponse.topics is null")
    topics, at = read_metadata_response_topic_v7_list(data, at, n)
    return MetadataResponse(throttle_time_ms, brokers, cluster_id, controller_id, topics), at


def read_metadata_response_topic_v8_list(data: bytes, at: int, announced: int) -> tuple[list[MetadataResponseTopic], int]:
    if announced * 13 > len(data) - at:
        raise too_many(announced, 13, data, at)
    found: list[MetadataResponseTopic] = []
    for _ in range(announced):
        error_code, n = unpack_hh(data, at)
        at += 4
        if n < 0:
            raise MalformedMessage("MetadataResponseTopic.name is null")
        end = at + n
        name = utf8(data[at:end])
        at = end
        is_internal, n = unpack_Zi(data, at)
        at += 5
        if n < 0:
            raise MalformedMessage("MetadataResponseTopic.partitions is null")
        partitions, at = read_metadata_response_partition_v7_list(data, at, n)
        (topic_authorized_operations,) = unpack_i(data, at)
        at += 4
        found.append(MetadataResponseTopic(error_code, name, ZERO_TOPIC_ID, is_internal, partitions, topic_authorized_operations))
    return found, at


def read_metadata_response_v8(data: bytes, at: int) -> tuple[MetadataResponse, int]:
    throttle_time_ms, n = unpack_ii(data, at)
    at += 8
    if n < 0:
        raise MalformedMessage("MetadataResponse.brokers is null")
    brokers, at = read_metadata_response_broker_v1_list(data, at, n)
    (n,) = unpack_h(data, at)
    at += 2
    if n >= 0:
        end = at + n
        cluster_id = utf8(data[at:end])
        at = end
    elif n == -1:
        cluster_id = None
    else:
        raise MalformedMessage("MetadataResponse.cluster_id has a negative length")
    controller_id, n = unpack_ii(data, at)
    at += 8
    if n < 0:
        raise MalformedMessage("MetadataResponse.topics is null")
    topics, at = read_metadata_response_topic_v8_list(data, at, n)
    (cluster_authorized_operations,) = unpack_i(data, at)
    at += 4
    return MetadataResponse(throttle_time_ms, brokers, cluster_id, controller_id, topics, cluster_authorized_operations), at


def read_metadata_response_broker_v9_list(data: bytes, at: int, announced: int) -> tuple[list[MetadataResponseBroker], int]:
    if announced * 11 > len(data) - at:
        raise too_many(announced, 11, data, at)
    found: list[MetadataResponseBroker] = []
    for _ in range(announced):
        node_id, n = unpack_iB(data, at)
        at += 5
        if n > 127:
            n, at = read_uvarint(data, at - 1)
        n -= 1
        if n < 0:
            raise MalformedMessage("MetadataResponseBroker.host is null")
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
        found.append(MetadataResponseBroker(node_id, host, port, rack))
    return found, at


def read_metadata_response_partition_v9_list(data: bytes, at: int, announced: int) -> tuple[list[MetadataResponsePartition], int]:
    if announced * 18 > len(data) - at:
        raise too_many(announced, 18, data, at)
    found: list[MetadataResponsePartition] = []
    for _ in range(announced):
        error_code, partition_index, leader_id, leader_epoch, n = unpack_hiiiB(data, at)
        at += 15
        if n > 127:
            n, at = read_uvarint(data, at - 1)
        n -= 1
        if n < 0:
            raise MalformedMessage("MetadataResponsePartition.replica_nodes is null")
        replica_nodes = read_int32s(data, at, n)
        at += 4 * n
        n = data[at]
        at += 1
        if n > 127:
            n, at = read_uvarint(data, at - 1)
        n -= 1
        if n < 0:
            raise MalformedMessage("MetadataResponsePartition.isr_nodes is null")
        isr_nodes = read_int32s(data, at, n)
        at += 4 * n
        n = data[at]
        at += 1
        if n > 127:
            n, at = read_uvarint(data, at - 1)
        n -= 1
        if n < 0:
            raise MalformedMessage("MetadataResponsePartition.offline_replicas is null")
        offline_replicas = read_int32s(data, at, n)
        at += 4 * n
        tags = data[at]
        at += 1
        if tags:
            at = skip_tags(data, at - 1)
        found.append(MetadataResponsePartition(error_code, partition_index, leader_id, leader_epoch, replica_nodes, isr_nodes, offline_replicas))
    return found, at


def read_metadata_response_topic_v9_list(data: bytes, at: int, announced: int) -> tuple[list[MetadataResponseTopic], int]:
    if announced * 10 > len(data) - at:
        raise too_many(announced, 10, data, at)
    found: list[MetadataResponseTopic] = []
    for _ in range(announced):
        error_code, n = unpack_hB(data, at)
        at += 3
        if n > 127:
            n, at = read_uvarint(data, at - 1)
        n -= 1
        if n < 0:
            raise MalformedMessage("MetadataResponseTopic.name is null")
        end = at + n
        name = utf8(data[at:end])
        at = end
        is_internal, n = unpack_ZB(data, at)
        at += 2
        if n > 127:
            n, at = read_uvarint(data, at - 1)
        n -= 1
        if n < 0:
            raise MalformedMessage("MetadataResponseTopic.partitions is null")
        partitions, at = read_metadata_response_partition_v9_list(data, at, n)
        topic_authorized_operations, tags = unpack_iB(data, at)
        at += 5
        if tags:
            at = skip_tags(data, at - 1)
        found.append(MetadataResponseTopic(error_code, name, ZERO_TOPIC_ID, is_internal, partitions, topic_authorized_operations))
    return found, at


def read_metadata_response_v9(data: bytes, at: int) -> tuple[MetadataResponse, int]:
    throttle_time_ms, n = unpack_iB(data, at)
    at += 5
    if n > 127:
        n, at = read_uvarint(data, at - 1)
    n -= 1
    if n < 0:
        raise MalformedMessage("MetadataResponse.brokers is null")
    brokers, at = read_metadata_response_broker_v9_list(data, at, n)
    n = data[at]
    at += 1
    if n > 127:
        n, at = read_uvarint(data, at - 1)
    n -= 1
    if n >= 0:
        end = at + n
        cluster_id = utf8(data[at:end])
        at = end
    else:
        cluster_id = None
    controller_id, n = unpack_iB(data, at)
    at += 5
    if n > 127:
        n, at = read_uvarint(data, at - 1)
    n -= 1
    if n < 0:
        raise MalformedMessage("MetadataResponse.topics is null")
    topics, at = read_metadata_response_topic_v9_list(data, at, n)
    cluster_authorized_operations, tags = unpack_iB(data, at)
    at += 5
    if tags:
        at = skip_tags(data, at - 1)
    return MetadataResponse(throttle_time_ms, brokers, cluster_id, controller_id, topics, cluster_authorized_operations), at


def read_metadata_response_topic_v10_list(data: bytes, at: int, announced: int) -> tuple[list[MetadataResponseTopic], int]:
    if announced * 26 > len(data) - at:
        raise too_many(announced, 26, data, at)
    found: list[MetadataResponseTopic] = []
    for _ in range(announced):
        error_code, n = unpack_hB(data, at)
        at += 3
        if n > 127:
            n, at = read_uvarint(data, at - 1)
        n -= 1
        if n < 0:
            raise MalformedMessage("MetadataResponseTopic.name is null")
        end = at + n
        name = utf8(data[at:end])
        at = end
        topic_id, is_internal, n = unpack_16sZB(data, at)
        at += 18
        if n > 127:
            n, at = read_uvarint(data, at - 1)
        n -= 1
        if n < 0:
            raise MalformedMessage("MetadataResponseTopic.partitions is null")
        partitions, at = read_metadata_response_partition_v9_list(data, at, n)
        topic_authorized_operations, tags = unpack_iB(data, at)
        at += 5
        if tags:
            at = skip_tags(data, at - 1)
        found.append(MetadataResponseTopic(error_code, name, topic_id, is_internal, partitions, topic_authorized_operations))
    return found, at


def read_metadata_response_v10(data: bytes, at: int) -> tuple[MetadataResponse, int]:
    throttle_time_ms, n = unpack_iB(data, at)
    at += 5
    if n > 127:
        n, at = read_uvarint(data, at - 1)
    n -= 1
    if n < 0:
        raise MalformedMessage("MetadataResponse.brokers is null")
    brokers, at = read_metadata_response_broker_v9_list(data, at, n)
    n = data[at]
    at += 1
    if n > 127:
        n, at = read_uvarint(data, at - 1)
    n -= 1
    if n >= 0:
        end = at + n
        cluster_id = utf8(data[at:end])
        at = end
    else:
        cluster_id = None
    controller_id, n = unpack_iB(data, at)
    at += 5
    if n > 127:
        n, at = read_uvarint(data, at - 1)
    n -= 1
    if n < 0:
        raise MalformedMessage("MetadataResponse.topics is null")
    topics, at = read_metadata_response_topic_v10_list(data, at, n)
    cluster_authorized_operations, tags = unpack_iB(data, at)
    at += 5
    if tags:
        at = skip_tags(data, at - 1)
    return MetadataResponse(throttle_time_ms, brokers, cluster_id, controller_id, topics, cluster_authorized_operations), at


def read_metadata_response_v11(data: bytes, at: int) -> tuple[MetadataResponse, int]:
    throttle_time_ms, n = unpack_iB(data, at)
    at += 5
    if n > 127:
        n, at = read_uvarint(data, at - 1)
    n -= 1
    if n < 0:
        raise MalformedMessage("MetadataResponse.brokers is null")
    brokers, at = read_metadata_response_broker_v9_list(data, at, n)
    n = data[at]
    at += 1
    if n > 127:
        n, at = read_uvarint(data, at - 1)
    n -= 1
    if n >= 0:
        end = at + n
        cluster_id = utf8(data[at:end])
        at = end
    else:
        cluster_id = None
    controller_id, n = unpack_iB(data, at)
    at += 5
    if n > 127:
        n, at = read_uvarint(data, at - 1)
    n -= 1
    if n < 0:
        raise MalformedMessage("MetadataResponse.topics is null")
    topics, at = read_metadata_response_topic_v10_list(data, at, n)
    tags = data[at]
    at += 1
    if tags:
        at = skip_tags(data, at - 1)
    return MetadataResponse(throttle_time_ms, brokers, cluster_id, controller_id, topics), at


def read_metadata_response_topic_v12_list(data: bytes, at: int, announced: int) -> tuple[list[MetadataResponseTopic], int]:
    if announced * 26 > len(data) - at:
        raise too_many(announced, 26, data, at)
    found: list[MetadataResponseTopic] = []
    for _ in range(announced):
        error_code, n = unpack_hB(data, at)
        at += 3
        if n > 127:
            n, at = read_uvarint(data, at - 1)
        n -= 1
        if n >= 0:
            end = at + n
            name = utf8(data[at:end])
            at = end
        else:
            name = None
        topic_id, is_internal, n = unpack_16sZB(data, at)
        at += 18
        if n > 127:
            n, at = read_uvarint(data, at - 1)
        n -= 1
        if n < 0:
            raise MalformedMessage("MetadataResponseTopic.partitions is null")
        partitions, at = read_metadata_response_partition_v9_list(data, at, n)
        topic_authorized_operations, tags = unpack_iB(data, at)
        at += 5
        if tags:
            at = skip_tags(data, at - 1)
        found.append(MetadataResponseTopic(error_code, name, topic_id, is_internal, partitions, topic_authorized_operations))
    return found, at


def read_metadata_response_v12(data: bytes, at: int) -> tuple[MetadataResponse, int]:
    throttle_time_ms, n = unpack_iB(data, at)
    at += 5
    if n > 127:
        n, at = read_uvarint(data, at - 1)
    n -= 1
    if n < 0:
        raise MalformedMessage("MetadataResponse.brokers is null")
    brokers, at = read_metadata_response_broker_v9_list(data, at, n)
    n = data[at]
    at += 1
    if n > 127:
        n, at = read_uvarint(data, at - 1)
    n -= 1
    if n >= 0:
        end = at + n
        cluster_id = utf8(data[at:end])
        at = end
    else:
        cluster_id = None
    controller_id, n = unpack_iB(data, at)
    at += 5
    if n > 127:
        n, at = read_uvarint(data, at - 1)
    n -= 1
    if n < 0:
        raise MalformedMessage("MetadataResponse.topics is null")
    topics, at = read_metadata_response_topic_v12_list(data, at, n)
    tags = data[at]
    at += 1
    if tags:
        at = skip_tags(data, at - 1)
    return MetadataResponse(throttle_time_ms, brokers, cluster_id, controller_id, topics), at


def read_metadata_response_v13(data: bytes, at: int) -> tuple[MetadataResponse, int]:
    throttle_time_ms, n = unpack_iB(data, at)
    at += 5
    if n > 127:
        n, at = read_uvarint(data, at - 1)
    n -= 1
    if n < 0:
        raise MalformedMessage("MetadataResponse.brokers is null")
    brokers, at = read_metadata_response_broker_v9_list(data, at, n)
    n = data[at]
    at += 1
    if n > 127:
        n, at = read_uvarint(data, at - 1)
    n -= 1
    if n >= 0:
        end = at + n
        cluster_id = utf8(data[at:end])
        at = end
    else:
        cluster_id = None
    controller_id, n = unpack_iB(data, at)
    at += 5
    if n > 127:
        n, at = read_uvarint(data, at - 1)
    n -= 1
    if n < 0:
        raise MalformedMessage("MetadataResponse.topics is null")
    topics, at = read_metadata_response_topic_v12_list(data, at, n)
    error_code, tags = unpack_hB(data, at)
    at += 3
    if tags:
        at = skip_tags(data, at - 1)
    return MetadataResponse(throttle_time_ms, brokers, cluster_id, controller_id, topics, -2147483648, error_code), at


MetadataRequest.READERS = {
    0: read_metadata_request_v0,
    1: read_metadata_request_v1,
    2: read_metadata_request_v1,
    3: read_metadata_request_v1,
    4: read_metadata_request_v4,
    5: read_metadata_request_v4,
    6: read_metadata_request_v4,
    7: read_metadata_request_v4,
    8: read_metadata_request_v8,
    9: read_metadata_request_v9,
    10: read_metadata_request_v10,
    11: read_metadata_request_v11,
    12: read_metadata_request_v11,
    13: read_metadata_request_v11,
}
MetadataResponse.READERS = {
    0: read_metadata_response_v0,
    1: read_metadata_response_v1,
    2: read_metadata_response_v2,
    3: read_metadata_response_v3,
    4: read_metadata_response_v3,
    5: read_metadata_response_v5,
    6: read_metadata_response_v5,
    7: read_metadata_response_v7,
    8: read_metadata_response_v8,
    9: read_metadata_response_v9,
    10: read_metadata_response_v10,
    11: read_metadata_response_v11,
    12: read_metadata_response_v12,
    13: read_metadata_response_v13,
}
