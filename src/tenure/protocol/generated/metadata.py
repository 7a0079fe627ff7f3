"""Generated from `tenure/protocol/tables/metadata.py` by `python -m tenure.protocol.generate`."""

from struct import Struct as Packer
from typing import Final

from tenure.protocol.message import (
    EMPTY,
    InvalidMessage,
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
    pack_int32s,
    read_fixed,
    read_uvarint,
    skip_tags,
    too_many,
    utf8,
    uvarint,
)

pack_16s: Final = Packer(">16s").pack
pack_16sZ: Final = Packer(">16s?").pack
pack_Z: Final = Packer(">?").pack
pack_ZZZ: Final = Packer(">???").pack
pack_ZZZx: Final = Packer(">???x").pack
pack_ZZx: Final = Packer(">??x").pack
pack_Zi: Final = Packer(">?i").pack
pack_h: Final = Packer(">h").pack
pack_hh: Final = Packer(">hh").pack
pack_hiii: Final = Packer(">hiii").pack
pack_hiiii: Final = Packer(">hiiii").pack
pack_hx: Final = Packer(">hx").pack
pack_i: Final = Packer(">i").pack
pack_ih: Final = Packer(">ih").pack
pack_ii: Final = Packer(">ii").pack
pack_ix: Final = Packer(">ix").pack
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


class MetadataRequestTopic(Struct):
    __slots__ = ('topic_id', 'name')

    def __init__(
        self,
        topic_id: TopicId = ZERO_TOPIC_ID,
        name: TopicName | None = TopicName(""),
    ) -> None:
        self.topic_id: Final = topic_id
        self.name: Final = name


class MetadataRequest(Message):
    __slots__ = ('topics', 'allow_auto_topic_creation', 'include_cluster_authorized_operations', 'include_topic_authorized_operations')
    KEY = 3

    def __init__(
        self,
        topics: list[MetadataRequestTopic] | None = EMPTY,
        allow_auto_topic_creation: bool = True,
        include_cluster_authorized_operations: bool = False,
        include_topic_authorized_operations: bool = False,
    ) -> None:
        self.topics: Final = [] if topics is EMPTY else topics
        self.allow_auto_topic_creation: Final = allow_auto_topic_creation
        self.include_cluster_authorized_operations: Final = include_cluster_authorized_operations
        self.include_topic_authorized_operations: Final = include_topic_authorized_operations


class MetadataResponseBroker(Struct):
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


class MetadataResponsePartition(Struct):
    __slots__ = ('error_code', 'partition_index', 'leader_id', 'leader_epoch', 'replica_nodes', 'isr_nodes', 'offline_replicas')

    def __init__(
        self,
        error_code: int = 0,
        partition_index: PartitionId = PartitionId(0),
        leader_id: BrokerId = BrokerId(0),
        leader_epoch: int = -1,
        replica_nodes: list[BrokerId] = EMPTY,
        isr_nodes: list[BrokerId] = EMPTY,
        offline_replicas: list[BrokerId] = EMPTY,
    ) -> None:
        self.error_code: Final = error_code
        self.partition_index: Final = partition_index
        self.leader_id: Final = leader_id
        self.leader_epoch: Final = leader_epoch
        self.replica_nodes: Final = [] if replica_nodes is EMPTY else replica_nodes
        self.isr_nodes: Final = [] if isr_nodes is EMPTY else isr_nodes
        self.offline_replicas: Final = [] if offline_replicas is EMPTY else offline_replicas


class MetadataResponseTopic(Struct):
    __slots__ = ('error_code', 'name', 'topic_id', 'is_internal', 'partitions', 'topic_authorized_operations')

    def __init__(
        self,
        error_code: int = 0,
        name: TopicName | None = TopicName(""),
        topic_id: TopicId = ZERO_TOPIC_ID,
        is_internal: bool = False,
        partitions: list[MetadataResponsePartition] = EMPTY,
        topic_authorized_operations: int = -2147483648,
    ) -> None:
        self.error_code: Final = error_code
        self.name: Final = name
        self.topic_id: Final = topic_id
        self.is_internal: Final = is_internal
        self.partitions: Final = [] if partitions is EMPTY else partitions
        self.topic_authorized_operations: Final = topic_authorized_operations


class MetadataResponse(Message):
    __slots__ = ('throttle_time_ms', 'brokers', 'cluster_id', 'controller_id', 'topics', 'cluster_authorized_operations', 'error_code')
    KEY = 3

    def __init__(
        self,
        throttle_time_ms: int = 0,
        brokers: list[MetadataResponseBroker] = EMPTY,
        cluster_id: str | None = None,
        controller_id: BrokerId = BrokerId(-1),
        topics: list[MetadataResponseTopic] = EMPTY,
        cluster_authorized_operations: int = -2147483648,
        error_code: int = 0,
    ) -> None:
        self.throttle_time_ms: Final = throttle_time_ms
        self.brokers: Final = [] if brokers is EMPTY else brokers
        self.cluster_id: Final = cluster_id
        self.controller_id: Final = controller_id
        self.topics: Final = [] if topics is EMPTY else topics
        self.cluster_authorized_operations: Final = cluster_authorized_operations
        self.error_code: Final = error_code


def read_metadata_request_topic_v0_list(data: bytes, at: int, n: int) -> tuple[list[MetadataRequestTopic], int]:
    if n * 2 > len(data) - at:
        raise too_many(n, 2, data, at)
    found: list[MetadataRequestTopic] = []
    for _ in range(n):
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
    (n,) = unpack_i(data, at)
    at += 4
    if n < 0:
        raise MalformedMessage("MetadataRequest.topics is null")
    topics, at = read_metadata_request_topic_v0_list(data, at, n)
    return MetadataRequest(topics), at


def read_metadata_request_v1(data: bytes, at: int) -> tuple[MetadataRequest, int]:
    (n,) = unpack_i(data, at)
    at += 4
    if n >= 0:
        topics, at = read_metadata_request_topic_v0_list(data, at, n)
    elif n == -1:
        topics = None
    else:
        raise MalformedMessage("MetadataRequest.topics has a negative length")
    return MetadataRequest(topics), at


def read_metadata_request_v4(data: bytes, at: int) -> tuple[MetadataRequest, int]:
    (n,) = unpack_i(data, at)
    at += 4
    if n >= 0:
        topics, at = read_metadata_request_topic_v0_list(data, at, n)
    elif n == -1:
        topics = None
    else:
        raise MalformedMessage("MetadataRequest.topics has a negative length")
    (allow_auto_topic_creation,) = unpack_Z(data, at)
    at += 1
    return MetadataRequest(topics, allow_auto_topic_creation), at


def read_metadata_request_v8(data: bytes, at: int) -> tuple[MetadataRequest, int]:
    (n,) = unpack_i(data, at)
    at += 4
    if n >= 0:
        topics, at = read_metadata_request_topic_v0_list(data, at, n)
    elif n == -1:
        topics = None
    else:
        raise MalformedMessage("MetadataRequest.topics has a negative length")
    allow_auto_topic_creation, include_cluster_authorized_operations, include_topic_authorized_operations = unpack_ZZZ(data, at)
    at += 3
    return MetadataRequest(topics, allow_auto_topic_creation, include_cluster_authorized_operations, include_topic_authorized_operations), at


def read_metadata_request_topic_v9_list(data: bytes, at: int, n: int) -> tuple[list[MetadataRequestTopic], int]:
    if n * 2 > len(data) - at:
        raise too_many(n, 2, data, at)
    found: list[MetadataRequestTopic] = []
    for _ in range(n):
        n = data[at]
        at += 1
        if n > 127:
            n, at = read_uvarint(data, at - 1)
        n -= 1
        if n < 0:
            raise MalformedMessage("MetadataRequestTopic.name is null")
        end = at + n
        name = utf8(data[at:end])
        at = end
        tags = data[at]
        at += 1
        if tags:
            at = skip_tags(data, at - 1)
        found.append(MetadataRequestTopic(ZERO_TOPIC_ID, name))
    return found, at


def read_metadata_request_v9(data: bytes, at: int) -> tuple[MetadataRequest, int]:
    n = data[at]
    at += 1
    if n > 127:
        n, at = read_uvarint(data, at - 1)
    n -= 1
    if n >= 0:
        topics, at = read_metadata_request_topic_v9_list(data, at, n)
    else:
        topics = None
    allow_auto_topic_creation, include_cluster_authorized_operations, include_topic_authorized_operations, tags = unpack_ZZZB(data, at)
    at += 4
    if tags:
        at = skip_tags(data, at - 1)
    return MetadataRequest(topics, allow_auto_topic_creation, include_cluster_authorized_operations, include_topic_authorized_operations), at


def read_metadata_request_topic_v10_list(data: bytes, at: int, n: int) -> tuple[list[MetadataRequestTopic], int]:
    if n * 18 > len(data) - at:
        raise too_many(n, 18, data, at)
    found: list[MetadataRequestTopic] = []
    for _ in range(n):
        topic_id, n = unpack_16sB(data, at)
        at += 17
        if n > 127:
            n, at = read_uvarint(data, at - 1)
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
            at = skip_tags(data, at - 1)
        found.append(MetadataRequestTopic(topic_id, name))
    return found, at


def read_metadata_request_v10(data: bytes, at: int) -> tuple[MetadataRequest, int]:
    n = data[at]
    at += 1
    if n > 127:
        n, at = read_uvarint(data, at - 1)
    n -= 1
    if n >= 0:
        topics, at = read_metadata_request_topic_v10_list(data, at, n)
    else:
        topics = None
    allow_auto_topic_creation, include_cluster_authorized_operations, include_topic_authorized_operations, tags = unpack_ZZZB(data, at)
    at += 4
    if tags:
        at = skip_tags(data, at - 1)
    return MetadataRequest(topics, allow_auto_topic_creation, include_cluster_authorized_operations, include_topic_authorized_operations), at


def read_metadata_request_v11(data: bytes, at: int) -> tuple[MetadataRequest, int]:
    n = data[at]
    at += 1
    if n > 127:
        n, at = read_uvarint(data, at - 1)
    n -= 1
    if n >= 0:
        topics, at = read_metadata_request_topic_v10_list(data, at, n)
    else:
        topics = None
    allow_auto_topic_creation, include_topic_authorized_operations, tags = unpack_ZZB(data, at)
    at += 3
    if tags:
        at = skip_tags(data, at - 1)
    return MetadataRequest(topics, allow_auto_topic_creation, False, include_topic_authorized_operations), at


def read_metadata_response_broker_v0_list(data: bytes, at: int, n: int) -> tuple[list[MetadataResponseBroker], int]:
    if n * 10 > len(data) - at:
        raise too_many(n, 10, data, at)
    found: list[MetadataResponseBroker] = []
    for _ in range(n):
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


def read_metadata_response_partition_v0_list(data: bytes, at: int, n: int) -> tuple[list[MetadataResponsePartition], int]:
    if n * 18 > len(data) - at:
        raise too_many(n, 18, data, at)
    found: list[MetadataResponsePartition] = []
    for _ in range(n):
        error_code, partition_index, leader_id, n = unpack_hiii(data, at)
        at += 14
        if n < 0:
            raise MalformedMessage("MetadataResponsePartition.replica_nodes is null")
        replica_nodes = read_fixed(data, at, n, "i", 4)
        at += 4 * n
        (n,) = unpack_i(data, at)
        at += 4
        if n < 0:
            raise MalformedMessage("MetadataResponsePartition.isr_nodes is null")
        isr_nodes = read_fixed(data, at, n, "i", 4)
        at += 4 * n
        found.append(MetadataResponsePartition(error_code, partition_index, leader_id, -1, replica_nodes, isr_nodes))
    return found, at


def read_metadata_response_topic_v0_list(data: bytes, at: int, n: int) -> tuple[list[MetadataResponseTopic], int]:
    if n * 8 > len(data) - at:
        raise too_many(n, 8, data, at)
    found: list[MetadataResponseTopic] = []
    for _ in range(n):
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


def read_metadata_response_broker_v1_list(data: bytes, at: int, n: int) -> tuple[list[MetadataResponseBroker], int]:
    if n * 12 > len(data) - at:
        raise too_many(n, 12, data, at)
    found: list[MetadataResponseBroker] = []
    for _ in range(n):
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


def read_metadata_response_topic_v1_list(data: bytes, at: int, n: int) -> tuple[list[MetadataResponseTopic], int]:
    if n * 9 > len(data) - at:
        raise too_many(n, 9, data, at)
    found: list[MetadataResponseTopic] = []
    for _ in range(n):
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


def read_metadata_response_partition_v5_list(data: bytes, at: int, n: int) -> tuple[list[MetadataResponsePartition], int]:
    if n * 22 > len(data) - at:
        raise too_many(n, 22, data, at)
    found: list[MetadataResponsePartition] = []
    for _ in range(n):
        error_code, partition_index, leader_id, n = unpack_hiii(data, at)
        at += 14
        if n < 0:
            raise MalformedMessage("MetadataResponsePartition.replica_nodes is null")
        replica_nodes = read_fixed(data, at, n, "i", 4)
        at += 4 * n
        (n,) = unpack_i(data, at)
        at += 4
        if n < 0:
            raise MalformedMessage("MetadataResponsePartition.isr_nodes is null")
        isr_nodes = read_fixed(data, at, n, "i", 4)
        at += 4 * n
        (n,) = unpack_i(data, at)
        at += 4
        if n < 0:
            raise MalformedMessage("MetadataResponsePartition.offline_replicas is null")
        offline_replicas = read_fixed(data, at, n, "i", 4)
        at += 4 * n
        found.append(MetadataResponsePartition(error_code, partition_index, leader_id, -1, replica_nodes, isr_nodes, offline_replicas))
    return found, at


def read_metadata_response_topic_v5_list(data: bytes, at: int, n: int) -> tuple[list[MetadataResponseTopic], int]:
    if n * 9 > len(data) - at:
        raise too_many(n, 9, data, at)
    found: list[MetadataResponseTopic] = []
    for _ in range(n):
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


def read_metadata_response_partition_v7_list(data: bytes, at: int, n: int) -> tuple[list[MetadataResponsePartition], int]:
    if n * 26 > len(data) - at:
        raise too_many(n, 26, data, at)
    found: list[MetadataResponsePartition] = []
    for _ in range(n):
        error_code, partition_index, leader_id, leader_epoch, n = unpack_hiiii(data, at)
        at += 18
        if n < 0:
            raise MalformedMessage("MetadataResponsePartition.replica_nodes is null")
        replica_nodes = read_fixed(data, at, n, "i", 4)
        at += 4 * n
        (n,) = unpack_i(data, at)
        at += 4
        if n < 0:
            raise MalformedMessage("MetadataResponsePartition.isr_nodes is null")
        isr_nodes = read_fixed(data, at, n, "i", 4)
        at += 4 * n
        (n,) = unpack_i(data, at)
        at += 4
        if n < 0:
            raise MalformedMessage("MetadataResponsePartition.offline_replicas is null")
        offline_replicas = read_fixed(data, at, n, "i", 4)
        at += 4 * n
        found.append(MetadataResponsePartition(error_code, partition_index, leader_id, leader_epoch, replica_nodes, isr_nodes, offline_replicas))
    return found, at


def read_metadata_response_topic_v7_list(data: bytes, at: int, n: int) -> tuple[list[MetadataResponseTopic], int]:
    if n * 9 > len(data) - at:
        raise too_many(n, 9, data, at)
    found: list[MetadataResponseTopic] = []
    for _ in range(n):
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


def read_metadata_response_topic_v8_list(data: bytes, at: int, n: int) -> tuple[list[MetadataResponseTopic], int]:
    if n * 13 > len(data) - at:
        raise too_many(n, 13, data, at)
    found: list[MetadataResponseTopic] = []
    for _ in range(n):
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


def read_metadata_response_broker_v9_list(data: bytes, at: int, n: int) -> tuple[list[MetadataResponseBroker], int]:
    if n * 11 > len(data) - at:
        raise too_many(n, 11, data, at)
    found: list[MetadataResponseBroker] = []
    for _ in range(n):
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


def read_metadata_response_partition_v9_list(data: bytes, at: int, n: int) -> tuple[list[MetadataResponsePartition], int]:
    if n * 18 > len(data) - at:
        raise too_many(n, 18, data, at)
    found: list[MetadataResponsePartition] = []
    for _ in range(n):
        error_code, partition_index, leader_id, leader_epoch, n = unpack_hiiiB(data, at)
        at += 15
        if n > 127:
            n, at = read_uvarint(data, at - 1)
        n -= 1
        if n < 0:
            raise MalformedMessage("MetadataResponsePartition.replica_nodes is null")
        replica_nodes = read_fixed(data, at, n, "i", 4)
        at += 4 * n
        n = data[at]
        at += 1
        if n > 127:
            n, at = read_uvarint(data, at - 1)
        n -= 1
        if n < 0:
            raise MalformedMessage("MetadataResponsePartition.isr_nodes is null")
        isr_nodes = read_fixed(data, at, n, "i", 4)
        at += 4 * n
        n = data[at]
        at += 1
        if n > 127:
            n, at = read_uvarint(data, at - 1)
        n -= 1
        if n < 0:
            raise MalformedMessage("MetadataResponsePartition.offline_replicas is null")
        offline_replicas = read_fixed(data, at, n, "i", 4)
        at += 4 * n
        tags = data[at]
        at += 1
        if tags:
            at = skip_tags(data, at - 1)
        found.append(MetadataResponsePartition(error_code, partition_index, leader_id, leader_epoch, replica_nodes, isr_nodes, offline_replicas))
    return found, at


def read_metadata_response_topic_v9_list(data: bytes, at: int, n: int) -> tuple[list[MetadataResponseTopic], int]:
    if n * 10 > len(data) - at:
        raise too_many(n, 10, data, at)
    found: list[MetadataResponseTopic] = []
    for _ in range(n):
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


def read_metadata_response_topic_v10_list(data: bytes, at: int, n: int) -> tuple[list[MetadataResponseTopic], int]:
    if n * 26 > len(data) - at:
        raise too_many(n, 26, data, at)
    found: list[MetadataResponseTopic] = []
    for _ in range(n):
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


def read_metadata_response_topic_v12_list(data: bytes, at: int, n: int) -> tuple[list[MetadataResponseTopic], int]:
    if n * 26 > len(data) - at:
        raise too_many(n, 26, data, at)
    found: list[MetadataResponseTopic] = []
    for _ in range(n):
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


def write_metadata_request_topic_v0_list(out: list[bytes], items: list[MetadataRequestTopic]) -> None:
    put = out.append
    for m in items:
        if m.name is None:
            raise InvalidMessage("MetadataRequestTopic.name may be null in versions 10+ only")
        text = m.name.encode()
        put(pack_h(len(text)))
        put(text)


def write_metadata_request_v0(out: list[bytes], m: MetadataRequest) -> None:
    put = out.append
    if not m.allow_auto_topic_creation:
        raise UnsupportedVersion("MetadataRequest.allow_auto_topic_creation exists in versions 4+ only")
    if m.include_cluster_authorized_operations:
        raise UnsupportedVersion("MetadataRequest.include_cluster_authorized_operations exists in versions 8-10 only")
    if m.include_topic_authorized_operations:
        raise UnsupportedVersion("MetadataRequest.include_topic_authorized_operations exists in versions 8+ only")
    if m.topics is None:
        raise InvalidMessage("MetadataRequest.topics may be null in versions 1+ only")
    put(pack_i(len(m.topics)))
    write_metadata_request_topic_v0_list(out, m.topics)


def write_metadata_request_v1(out: list[bytes], m: MetadataRequest) -> None:
    put = out.append
    if not m.allow_auto_topic_creation:
        raise UnsupportedVersion("MetadataRequest.allow_auto_topic_creation exists in versions 4+ only")
    if m.include_cluster_authorized_operations:
        raise UnsupportedVersion("MetadataRequest.include_cluster_authorized_operations exists in versions 8-10 only")
    if m.include_topic_authorized_operations:
        raise UnsupportedVersion("MetadataRequest.include_topic_authorized_operations exists in versions 8+ only")
    if m.topics is None:
        put(pack_i(-1))
    else:
        put(pack_i(len(m.topics)))
        write_metadata_request_topic_v0_list(out, m.topics)


def write_metadata_request_v4(out: list[bytes], m: MetadataRequest) -> None:
    put = out.append
    if m.include_cluster_authorized_operations:
        raise UnsupportedVersion("MetadataRequest.include_cluster_authorized_operations exists in versions 8-10 only")
    if m.include_topic_authorized_operations:
        raise UnsupportedVersion("MetadataRequest.include_topic_authorized_operations exists in versions 8+ only")
    if m.topics is None:
        put(pack_i(-1))
    else:
        put(pack_i(len(m.topics)))
        write_metadata_request_topic_v0_list(out, m.topics)
    put(pack_Z(m.allow_auto_topic_creation))


def write_metadata_request_v8(out: list[bytes], m: MetadataRequest) -> None:
    put = out.append
    if m.topics is None:
        put(pack_i(-1))
    else:
        put(pack_i(len(m.topics)))
        write_metadata_request_topic_v0_list(out, m.topics)
    put(pack_ZZZ(m.allow_auto_topic_creation, m.include_cluster_authorized_operations, m.include_topic_authorized_operations))


def write_metadata_request_topic_v9_list(out: list[bytes], items: list[MetadataRequestTopic]) -> None:
    put = out.append
    for m in items:
        if m.name is None:
            raise InvalidMessage("MetadataRequestTopic.name may be null in versions 10+ only")
        text = m.name.encode()
        n = len(text) + 1
        put(UVARINT[n] if n < 128 else uvarint(n))
        put(text)
        put(b"\0")


def write_metadata_request_v9(out: list[bytes], m: MetadataRequest) -> None:
    put = out.append
    if m.topics is None:
        put(b"\0")
    else:
        n = len(m.topics) + 1
        put(UVARINT[n] if n < 128 else uvarint(n))
        write_metadata_request_topic_v9_list(out, m.topics)
    put(pack_ZZZx(m.allow_auto_topic_creation, m.include_cluster_authorized_operations, m.include_topic_authorized_operations))


def write_metadata_request_topic_v10_list(out: list[bytes], items: list[MetadataRequestTopic]) -> None:
    put = out.append
    for m in items:
        put(pack_16s(m.topic_id))
        if m.name is None:
            put(b"\0")
        else:
            text = m.name.encode()
            n = len(text) + 1
            put(UVARINT[n] if n < 128 else uvarint(n))
            put(text)
        put(b"\0")


def write_metadata_request_v10(out: list[bytes], m: MetadataRequest) -> None:
    put = out.append
    if m.topics is None:
        put(b"\0")
    else:
        n = len(m.topics) + 1
        put(UVARINT[n] if n < 128 else uvarint(n))
        write_metadata_request_topic_v10_list(out, m.topics)
    put(pack_ZZZx(m.allow_auto_topic_creation, m.include_cluster_authorized_operations, m.include_topic_authorized_operations))


def write_metadata_request_v11(out: list[bytes], m: MetadataRequest) -> None:
    put = out.append
    if m.include_cluster_authorized_operations:
        raise UnsupportedVersion("MetadataRequest.include_cluster_authorized_operations exists in versions 8-10 only")
    if m.topics is None:
        put(b"\0")
    else:
        n = len(m.topics) + 1
        put(UVARINT[n] if n < 128 else uvarint(n))
        write_metadata_request_topic_v10_list(out, m.topics)
    put(pack_ZZx(m.allow_auto_topic_creation, m.include_topic_authorized_operations))


def write_metadata_response_broker_v0_list(out: list[bytes], items: list[MetadataResponseBroker]) -> None:
    put = out.append
    for m in items:
        text = m.host.encode()
        put(pack_ih(m.node_id, len(text)))
        put(text)
        put(pack_i(m.port))


def write_metadata_response_partition_v0_list(out: list[bytes], items: list[MetadataResponsePartition]) -> None:
    put = out.append
    for m in items:
        put(pack_hiii(m.error_code, m.partition_index, m.leader_id, len(m.replica_nodes)))
        put(pack_int32s(m.replica_nodes))
        put(pack_i(len(m.isr_nodes)))
        put(pack_int32s(m.isr_nodes))


def write_metadata_response_topic_v0_list(out: list[bytes], items: list[MetadataResponseTopic]) -> None:
    put = out.append
    for m in items:
        if m.topic_authorized_operations != -2147483648:
            raise UnsupportedVersion("MetadataResponseTopic.topic_authorized_operations exists in versions 8+ only")
        if m.name is None:
            raise InvalidMessage("MetadataResponseTopic.name may be null in versions 12+ only")
        text = m.name.encode()
        put(pack_hh(m.error_code, len(text)))
        put(text)
        put(pack_i(len(m.partitions)))
        write_metadata_response_partition_v0_list(out, m.partitions)


def write_metadata_response_v0(out: list[bytes], m: MetadataResponse) -> None:
    put = out.append
    if m.cluster_authorized_operations != -2147483648:
        raise UnsupportedVersion("MetadataResponse.cluster_authorized_operations exists in versions 8-10 only")
    put(pack_i(len(m.brokers)))
    write_metadata_response_broker_v0_list(out, m.brokers)
    put(pack_i(len(m.topics)))
    write_metadata_response_topic_v0_list(out, m.topics)


def write_metadata_response_broker_v1_list(out: list[bytes], items: list[MetadataResponseBroker]) -> None:
    put = out.append
    for m in items:
        text = m.host.encode()
        put(pack_ih(m.node_id, len(text)))
        put(text)
        if m.rack is None:
            put(pack_ih(m.port, -1))
        else:
            text = m.rack.encode()
            put(pack_ih(m.port, len(text)))
            put(text)


def write_metadata_response_topic_v1_list(out: list[bytes], items: list[MetadataResponseTopic]) -> None:
    put = out.append
    for m in items:
        if m.topic_authorized_operations != -2147483648:
            raise UnsupportedVersion("MetadataResponseTopic.topic_authorized_operations exists in versions 8+ only")
        if m.name is None:
            raise InvalidMessage("MetadataResponseTopic.name may be null in versions 12+ only")
        text = m.name.encode()
        put(pack_hh(m.error_code, len(text)))
        put(text)
        put(pack_Zi(m.is_internal, len(m.partitions)))
        write_metadata_response_partition_v0_list(out, m.partitions)


def write_metadata_response_v1(out: list[bytes], m: MetadataResponse) -> None:
    put = out.append
    if m.cluster_authorized_operations != -2147483648:
        raise UnsupportedVersion("MetadataResponse.cluster_authorized_operations exists in versions 8-10 only")
    put(pack_i(len(m.brokers)))
    write_metadata_response_broker_v1_list(out, m.brokers)
    put(pack_ii(m.controller_id, len(m.topics)))
    write_metadata_response_topic_v1_list(out, m.topics)


def write_metadata_response_v2(out: list[bytes], m: MetadataResponse) -> None:
    put = out.append
    if m.cluster_authorized_operations != -2147483648:
        raise UnsupportedVersion("MetadataResponse.cluster_authorized_operations exists in versions 8-10 only")
    put(pack_i(len(m.brokers)))
    write_metadata_response_broker_v1_list(out, m.brokers)
    if m.cluster_id is None:
        put(pack_h(-1))
    else:
        text = m.cluster_id.encode()
        put(pack_h(len(text)))
        put(text)
    put(pack_ii(m.controller_id, len(m.topics)))
    write_metadata_response_topic_v1_list(out, m.topics)


def write_metadata_response_v3(out: list[bytes], m: MetadataResponse) -> None:
    put = out.append
    if m.cluster_authorized_operations != -2147483648:
        raise UnsupportedVersion("MetadataResponse.cluster_authorized_operations exists in versions 8-10 only")
    put(pack_ii(m.throttle_time_ms, len(m.brokers)))
    write_metadata_response_broker_v1_list(out, m.brokers)
    if m.cluster_id is None:
        put(pack_h(-1))
    else:
        text = m.cluster_id.encode()
        put(pack_h(len(text)))
        put(text)
    put(pack_ii(m.controller_id, len(m.topics)))
    write_metadata_response_topic_v1_list(out, m.topics)


def write_metadata_response_partition_v5_list(out: list[bytes], items: list[MetadataResponsePartition]) -> None:
    put = out.append
    for m in items:
        put(pack_hiii(m.error_code, m.partition_index, m.leader_id, len(m.replica_nodes)))
        put(pack_int32s(m.replica_nodes))
        put(pack_i(len(m.isr_nodes)))
        put(pack_int32s(m.isr_nodes))
        put(pack_i(len(m.offline_replicas)))
        put(pack_int32s(m.offline_replicas))


def write_metadata_response_topic_v5_list(out: list[bytes], items: list[MetadataResponseTopic]) -> None:
    put = out.append
    for m in items:
        if m.topic_authorized_operations != -2147483648:
            raise UnsupportedVersion("MetadataResponseTopic.topic_authorized_operations exists in versions 8+ only")
        if m.name is None:
            raise InvalidMessage("MetadataResponseTopic.name may be null in versions 12+ only")
        text = m.name.encode()
        put(pack_hh(m.error_code, len(text)))
        put(text)
        put(pack_Zi(m.is_internal, len(m.partitions)))
        write_metadata_response_partition_v5_list(out, m.partitions)


def write_metadata_response_v5(out: list[bytes], m: MetadataResponse) -> None:
    put = out.append
    if m.cluster_authorized_operations != -2147483648:
        raise UnsupportedVersion("MetadataResponse.cluster_authorized_operations exists in versions 8-10 only")
    put(pack_ii(m.throttle_time_ms, len(m.brokers)))
    write_metadata_response_broker_v1_list(out, m.brokers)
    if m.cluster_id is None:
        put(pack_h(-1))
    else:
        text = m.cluster_id.encode()
        put(pack_h(len(text)))
        put(text)
    put(pack_ii(m.controller_id, len(m.topics)))
    write_metadata_response_topic_v5_list(out, m.topics)


def write_metadata_response_partition_v7_list(out: list[bytes], items: list[MetadataResponsePartition]) -> None:
    put = out.append
    for m in items:
        put(pack_hiiii(m.error_code, m.partition_index, m.leader_id, m.leader_epoch, len(m.replica_nodes)))
        put(pack_int32s(m.replica_nodes))
        put(pack_i(len(m.isr_nodes)))
        put(pack_int32s(m.isr_nodes))
        put(pack_i(len(m.offline_replicas)))
        put(pack_int32s(m.offline_replicas))


def write_metadata_response_topic_v7_list(out: list[bytes], items: list[MetadataResponseTopic]) -> None:
    put = out.append
    for m in items:
        if m.topic_authorized_operations != -2147483648:
            raise UnsupportedVersion("MetadataResponseTopic.topic_authorized_operations exists in versions 8+ only")
        if m.name is None:
            raise InvalidMessage("MetadataResponseTopic.name may be null in versions 12+ only")
        text = m.name.encode()
        put(pack_hh(m.error_code, len(text)))
        put(text)
        put(pack_Zi(m.is_internal, len(m.partitions)))
        write_metadata_response_partition_v7_list(out, m.partitions)


def write_metadata_response_v7(out: list[bytes], m: MetadataResponse) -> None:
    put = out.append
    if m.cluster_authorized_operations != -2147483648:
        raise UnsupportedVersion("MetadataResponse.cluster_authorized_operations exists in versions 8-10 only")
    put(pack_ii(m.throttle_time_ms, len(m.brokers)))
    write_metadata_response_broker_v1_list(out, m.brokers)
    if m.cluster_id is None:
        put(pack_h(-1))
    else:
        text = m.cluster_id.encode()
        put(pack_h(len(text)))
        put(text)
    put(pack_ii(m.controller_id, len(m.topics)))
    write_metadata_response_topic_v7_list(out, m.topics)


def write_metadata_response_topic_v8_list(out: list[bytes], items: list[MetadataResponseTopic]) -> None:
    put = out.append
    for m in items:
        if m.name is None:
            raise InvalidMessage("MetadataResponseTopic.name may be null in versions 12+ only")
        text = m.name.encode()
        put(pack_hh(m.error_code, len(text)))
        put(text)
        put(pack_Zi(m.is_internal, len(m.partitions)))
        write_metadata_response_partition_v7_list(out, m.partitions)
        put(pack_i(m.topic_authorized_operations))


def write_metadata_response_v8(out: list[bytes], m: MetadataResponse) -> None:
    put = out.append
    put(pack_ii(m.throttle_time_ms, len(m.brokers)))
    write_metadata_response_broker_v1_list(out, m.brokers)
    if m.cluster_id is None:
        put(pack_h(-1))
    else:
        text = m.cluster_id.encode()
        put(pack_h(len(text)))
        put(text)
    put(pack_ii(m.controller_id, len(m.topics)))
    write_metadata_response_topic_v8_list(out, m.topics)
    put(pack_i(m.cluster_authorized_operations))


def write_metadata_response_broker_v9_list(out: list[bytes], items: list[MetadataResponseBroker]) -> None:
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


def write_metadata_response_partition_v9_list(out: list[bytes], items: list[MetadataResponsePartition]) -> None:
    put = out.append
    for m in items:
        put(pack_hiii(m.error_code, m.partition_index, m.leader_id, m.leader_epoch))
        n = len(m.replica_nodes) + 1
        put(UVARINT[n] if n < 128 else uvarint(n))
        put(pack_int32s(m.replica_nodes))
        n = len(m.isr_nodes) + 1
        put(UVARINT[n] if n < 128 else uvarint(n))
        put(pack_int32s(m.isr_nodes))
        n = len(m.offline_replicas) + 1
        put(UVARINT[n] if n < 128 else uvarint(n))
        put(pack_int32s(m.offline_replicas))
        put(b"\0")


def write_metadata_response_topic_v9_list(out: list[bytes], items: list[MetadataResponseTopic]) -> None:
    put = out.append
    for m in items:
        if m.name is None:
            raise InvalidMessage("MetadataResponseTopic.name may be null in versions 12+ only")
        text = m.name.encode()
        put(pack_h(m.error_code))
        n = len(text) + 1
        put(UVARINT[n] if n < 128 else uvarint(n))
        put(text)
        put(pack_Z(m.is_internal))
        n = len(m.partitions) + 1
        put(UVARINT[n] if n < 128 else uvarint(n))
        write_metadata_response_partition_v9_list(out, m.partitions)
        put(pack_ix(m.topic_authorized_operations))


def write_metadata_response_v9(out: list[bytes], m: MetadataResponse) -> None:
    put = out.append
    put(pack_i(m.throttle_time_ms))
    n = len(m.brokers) + 1
    put(UVARINT[n] if n < 128 else uvarint(n))
    write_metadata_response_broker_v9_list(out, m.brokers)
    if m.cluster_id is None:
        put(b"\0")
    else:
        text = m.cluster_id.encode()
        n = len(text) + 1
        put(UVARINT[n] if n < 128 else uvarint(n))
        put(text)
    put(pack_i(m.controller_id))
    n = len(m.topics) + 1
    put(UVARINT[n] if n < 128 else uvarint(n))
    write_metadata_response_topic_v9_list(out, m.topics)
    put(pack_ix(m.cluster_authorized_operations))


def write_metadata_response_topic_v10_list(out: list[bytes], items: list[MetadataResponseTopic]) -> None:
    put = out.append
    for m in items:
        if m.name is None:
            raise InvalidMessage("MetadataResponseTopic.name may be null in versions 12+ only")
        text = m.name.encode()
        put(pack_h(m.error_code))
        n = len(text) + 1
        put(UVARINT[n] if n < 128 else uvarint(n))
        put(text)
        put(pack_16sZ(m.topic_id, m.is_internal))
        n = len(m.partitions) + 1
        put(UVARINT[n] if n < 128 else uvarint(n))
        write_metadata_response_partition_v9_list(out, m.partitions)
        put(pack_ix(m.topic_authorized_operations))


def write_metadata_response_v10(out: list[bytes], m: MetadataResponse) -> None:
    put = out.append
    put(pack_i(m.throttle_time_ms))
    n = len(m.brokers) + 1
    put(UVARINT[n] if n < 128 else uvarint(n))
    write_metadata_response_broker_v9_list(out, m.brokers)
    if m.cluster_id is None:
        put(b"\0")
    else:
        text = m.cluster_id.encode()
        n = len(text) + 1
        put(UVARINT[n] if n < 128 else uvarint(n))
        put(text)
    put(pack_i(m.controller_id))
    n = len(m.topics) + 1
    put(UVARINT[n] if n < 128 else uvarint(n))
    write_metadata_response_topic_v10_list(out, m.topics)
    put(pack_ix(m.cluster_authorized_operations))


def write_metadata_response_v11(out: list[bytes], m: MetadataResponse) -> None:
    put = out.append
    if m.cluster_authorized_operations != -2147483648:
        raise UnsupportedVersion("MetadataResponse.cluster_authorized_operations exists in versions 8-10 only")
    put(pack_i(m.throttle_time_ms))
    n = len(m.brokers) + 1
    put(UVARINT[n] if n < 128 else uvarint(n))
    write_metadata_response_broker_v9_list(out, m.brokers)
    if m.cluster_id is None:
        put(b"\0")
    else:
        text = m.cluster_id.encode()
        n = len(text) + 1
        put(UVARINT[n] if n < 128 else uvarint(n))
        put(text)
    put(pack_i(m.controller_id))
    n = len(m.topics) + 1
    put(UVARINT[n] if n < 128 else uvarint(n))
    write_metadata_response_topic_v10_list(out, m.topics)
    put(b"\0")


def write_metadata_response_topic_v12_list(out: list[bytes], items: list[MetadataResponseTopic]) -> None:
    put = out.append
    for m in items:
        put(pack_h(m.error_code))
        if m.name is None:
            put(b"\0")
        else:
            text = m.name.encode()
            n = len(text) + 1
            put(UVARINT[n] if n < 128 else uvarint(n))
            put(text)
        put(pack_16sZ(m.topic_id, m.is_internal))
        n = len(m.partitions) + 1
        put(UVARINT[n] if n < 128 else uvarint(n))
        write_metadata_response_partition_v9_list(out, m.partitions)
        put(pack_ix(m.topic_authorized_operations))


def write_metadata_response_v12(out: list[bytes], m: MetadataResponse) -> None:
    put = out.append
    if m.cluster_authorized_operations != -2147483648:
        raise UnsupportedVersion("MetadataResponse.cluster_authorized_operations exists in versions 8-10 only")
    put(pack_i(m.throttle_time_ms))
    n = len(m.brokers) + 1
    put(UVARINT[n] if n < 128 else uvarint(n))
    write_metadata_response_broker_v9_list(out, m.brokers)
    if m.cluster_id is None:
        put(b"\0")
    else:
        text = m.cluster_id.encode()
        n = len(text) + 1
        put(UVARINT[n] if n < 128 else uvarint(n))
        put(text)
    put(pack_i(m.controller_id))
    n = len(m.topics) + 1
    put(UVARINT[n] if n < 128 else uvarint(n))
    write_metadata_response_topic_v12_list(out, m.topics)
    put(b"\0")


def write_metadata_response_v13(out: list[bytes], m: MetadataResponse) -> None:
    put = out.append
    if m.cluster_authorized_operations != -2147483648:
        raise UnsupportedVersion("MetadataResponse.cluster_authorized_operations exists in versions 8-10 only")
    put(pack_i(m.throttle_time_ms))
    n = len(m.brokers) + 1
    put(UVARINT[n] if n < 128 else uvarint(n))
    write_metadata_response_broker_v9_list(out, m.brokers)
    if m.cluster_id is None:
        put(b"\0")
    else:
        text = m.cluster_id.encode()
        n = len(text) + 1
        put(UVARINT[n] if n < 128 else uvarint(n))
        put(text)
    put(pack_i(m.controller_id))
    n = len(m.topics) + 1
    put(UVARINT[n] if n < 128 else uvarint(n))
    write_metadata_response_topic_v12_list(out, m.topics)
    put(pack_hx(m.error_code))


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
MetadataRequest.WRITERS = {
    0: write_metadata_request_v0,
    1: write_metadata_request_v1,
    2: write_metadata_request_v1,
    3: write_metadata_request_v1,
    4: write_metadata_request_v4,
    5: write_metadata_request_v4,
    6: write_metadata_request_v4,
    7: write_metadata_request_v4,
    8: write_metadata_request_v8,
    9: write_metadata_request_v9,
    10: write_metadata_request_v10,
    11: write_metadata_request_v11,
    12: write_metadata_request_v11,
    13: write_metadata_request_v11,
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
MetadataResponse.WRITERS = {
    0: write_metadata_response_v0,
    1: write_metadata_response_v1,
    2: write_metadata_response_v2,
    3: write_metadata_response_v3,
    4: write_metadata_response_v3,
    5: write_metadata_response_v5,
    6: write_metadata_response_v5,
    7: write_metadata_response_v7,
    8: write_metadata_response_v8,
    9: write_metadata_response_v9,
    10: write_metadata_response_v10,
    11: write_metadata_response_v11,
    12: write_metadata_response_v12,
    13: write_metadata_response_v13,
}
