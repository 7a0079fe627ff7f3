"""Generated from `tenure/protocol/tables/fetch.py` by `python -m tenure.protocol.generate`."""

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
    ProducerId,
    TopicId,
    TopicName,
    ZERO_TOPIC_ID,
)
from tenure.protocol.wire import (
    UVARINT,
    pack_int32s,
    read_fixed,
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
pack_i: Final = Packer(">i").pack
pack_ihi: Final = Packer(">ihi").pack
pack_ihii: Final = Packer(">ihii").pack
pack_ihqqi: Final = Packer(">ihqqi").pack
pack_ihqqq: Final = Packer(">ihqqq").pack
pack_ihqqqi: Final = Packer(">ihqqqi").pack
pack_ii: Final = Packer(">ii").pack
pack_iiibii: Final = Packer(">iiibii").pack
pack_iiiibi: Final = Packer(">iiiibi").pack
pack_iiiibii: Final = Packer(">iiiibii").pack
pack_iiiibiii: Final = Packer(">iiiibiii").pack
pack_iiqiqi: Final = Packer(">iiqiqi").pack
pack_iiqiqix: Final = Packer(">iiqiqix").pack
pack_iiqqi: Final = Packer(">iiqqi").pack
pack_iix: Final = Packer(">iix").pack
pack_iqi: Final = Packer(">iqi").pack
pack_iqqi: Final = Packer(">iqqi").pack
pack_iqx: Final = Packer(">iqx").pack
pack_q: Final = Packer(">q").pack
pack_qix: Final = Packer(">qix").pack
pack_qq: Final = Packer(">qq").pack
pack_qqx: Final = Packer(">qqx").pack
unpack_16s: Final = Packer(">16s").unpack_from
unpack_16sB: Final = Packer(">16sB").unpack_from
unpack_h: Final = Packer(">h").unpack_from
unpack_i: Final = Packer(">i").unpack_from
unpack_iB: Final = Packer(">iB").unpack_from
unpack_ihiB: Final = Packer(">ihiB").unpack_from
unpack_ihii: Final = Packer(">ihii").unpack_from
unpack_ihqqi: Final = Packer(">ihqqi").unpack_from
unpack_ihqqqB: Final = Packer(">ihqqqB").unpack_from
unpack_ihqqqi: Final = Packer(">ihqqqi").unpack_from
unpack_ii: Final = Packer(">ii").unpack_from
unpack_iiB: Final = Packer(">iiB").unpack_from
unpack_iiibiiB: Final = Packer(">iiibiiB").unpack_from
unpack_iiiibi: Final = Packer(">iiiibi").unpack_from
unpack_iiiibiiB: Final = Packer(">iiiibiiB").unpack_from
unpack_iiiibiii: Final = Packer(">iiiibiii").unpack_from
unpack_iiqiqiB: Final = Packer(">iiqiqiB").unpack_from
unpack_iiqqi: Final = Packer(">iiqqi").unpack_from
unpack_iqB: Final = Packer(">iqB").unpack_from
unpack_iqi: Final = Packer(">iqi").unpack_from
unpack_iqqi: Final = Packer(">iqqi").unpack_from
unpack_q: Final = Packer(">q").unpack_from
unpack_qiB: Final = Packer(">qiB").unpack_from
unpack_qq: Final = Packer(">qq").unpack_from
unpack_qqB: Final = Packer(">qqB").unpack_from


class ReplicaState(Struct):
    __slots__ = ('replica_id', 'replica_epoch')

    def __init__(
        self,
        replica_id: BrokerId = BrokerId(-1),
        replica_epoch: int = -1,
    ) -> None:
        self.replica_id: Final = replica_id
        self.replica_epoch: Final = replica_epoch


DEFAULT_REPLICA_STATE: Final = ReplicaState()


class FetchPartition(Struct):
    __slots__ = ('partition', 'current_leader_epoch', 'fetch_offset', 'last_fetched_epoch', 'log_start_offset', 'partition_max_bytes', 'replica_directory_id', 'high_watermark')

    def __init__(
        self,
        partition: PartitionId = PartitionId(0),
        current_leader_epoch: int = -1,
        fetch_offset: int = 0,
        last_fetched_epoch: int = -1,
        log_start_offset: int = -1,
        partition_max_bytes: int = 0,
        replica_directory_id: bytes = bytes(16),
        high_watermark: int = 9223372036854775807,
    ) -> None:
        self.partition: Final = partition
        self.current_leader_epoch: Final = current_leader_epoch
        self.fetch_offset: Final = fetch_offset
        self.last_fetched_epoch: Final = last_fetched_epoch
        self.log_start_offset: Final = log_start_offset
        self.partition_max_bytes: Final = partition_max_bytes
        self.replica_directory_id: Final = replica_directory_id
        self.high_watermark: Final = high_watermark


class FetchTopic(Struct):
    __slots__ = ('topic', 'topic_id', 'partitions')

    def __init__(
        self,
        topic: TopicName = TopicName(""),
        topic_id: TopicId = ZERO_TOPIC_ID,
        partitions: list[FetchPartition] = EMPTY,
    ) -> None:
        self.topic: Final = topic
        self.topic_id: Final = topic_id
        self.partitions: Final = [] if partitions is EMPTY else partitions


class ForgottenTopic(Struct):
    __slots__ = ('topic', 'topic_id', 'partitions')

    def __init__(
        self,
        topic: TopicName = TopicName(""),
        topic_id: TopicId = ZERO_TOPIC_ID,
        partitions: list[PartitionId] = EMPTY,
    ) -> None:
        self.topic: Final = topic
        self.topic_id: Final = topic_id
        self.partitions: Final = [] if partitions is EMPTY else partitions


class FetchRequest(Message):
    __slots__ = ('cluster_id', 'replica_id', 'replica_state', 'max_wait_ms', 'min_bytes', 'max_bytes', 'isolation_level', 'session_id', 'session_epoch', 'topics', 'forgotten_topics_data', 'rack_id')
    KEY = 1

    def __init__(
        self,
        cluster_id: str | None = None,
        replica_id: BrokerId = BrokerId(-1),
        replica_state: ReplicaState = DEFAULT_REPLICA_STATE,
        max_wait_ms: int = 0,
        min_bytes: int = 0,
        max_bytes: int = 2147483647,
        isolation_level: int = 0,
        session_id: int = 0,
        session_epoch: int = -1,
        topics: list[FetchTopic] = EMPTY,
        forgotten_topics_data: list[ForgottenTopic] = EMPTY,
        rack_id: str = "",
    ) -> None:
        self.cluster_id: Final = cluster_id
        self.replica_id: Final = replica_id
        self.replica_state: Final = replica_state
        self.max_wait_ms: Final = max_wait_ms
        self.min_bytes: Final = min_bytes
        self.max_bytes: Final = max_bytes
        self.isolation_level: Final = isolation_level
        self.session_id: Final = session_id
        self.session_epoch: Final = session_epoch
        self.topics: Final = [] if topics is EMPTY else topics
        self.forgotten_topics_data: Final = [] if forgotten_topics_data is EMPTY else forgotten_topics_data
        self.rack_id: Final = rack_id


class EpochEndOffset(Struct):
    __slots__ = ('epoch', 'end_offset')

    def __init__(
        self,
        epoch: int = -1,
        end_offset: int = -1,
    ) -> None:
        self.epoch: Final = epoch
        self.end_offset: Final = end_offset


DEFAULT_EPOCH_END_OFFSET: Final = EpochEndOffset()


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


class SnapshotId(Struct):
    __slots__ = ('end_offset', 'epoch')

    def __init__(
        self,
        end_offset: int = -1,
        epoch: int = -1,
    ) -> None:
        self.end_offset: Final = end_offset
        self.epoch: Final = epoch


DEFAULT_SNAPSHOT_ID: Final = SnapshotId()


class AbortedTransaction(Struct):
    __slots__ = ('producer_id', 'first_offset')

    def __init__(
        self,
        producer_id: ProducerId = ProducerId(0),
        first_offset: int = 0,
    ) -> None:
        self.producer_id: Final = producer_id
        self.first_offset: Final = first_offset


class PartitionData(Struct):
    __slots__ = ('partition_index', 'error_code', 'high_watermark', 'last_stable_offset', 'log_start_offset', 'diverging_epoch', 'current_leader', 'snapshot_id', 'aborted_transactions', 'preferred_read_replica', 'records')

    def __init__(
        self,
        partition_index: PartitionId = PartitionId(0),
        error_code: int = 0,
        high_watermark: int = 0,
        last_stable_offset: int = -1,
        log_start_offset: int = -1,
        diverging_epoch: EpochEndOffset = DEFAULT_EPOCH_END_OFFSET,
        current_leader: LeaderIdAndEpoch = DEFAULT_LEADER_ID_AND_EPOCH,
        snapshot_id: SnapshotId = DEFAULT_SNAPSHOT_ID,
        aborted_transactions: list[AbortedTransaction] | None = EMPTY,
        preferred_read_replica: BrokerId = BrokerId(-1),
        records: bytes | None = b"",
    ) -> None:
        self.partition_index: Final = partition_index
        self.error_code: Final = error_code
        self.high_watermark: Final = high_watermark
        self.last_stable_offset: Final = last_stable_offset
        self.log_start_offset: Final = log_start_offset
        self.diverging_epoch: Final = diverging_epoch
        self.current_leader: Final = current_leader
        self.snapshot_id: Final = snapshot_id
        self.aborted_transactions: Final = [] if aborted_transactions is EMPTY else aborted_transactions
        self.preferred_read_replica: Final = preferred_read_replica
        self.records: Final = records


class FetchableTopicResponse(Struct):
    __slots__ = ('topic', 'topic_id', 'partitions')

    def __init__(
        self,
        topic: TopicName = TopicName(""),
        topic_id: TopicId = ZERO_TOPIC_ID,
        partitions: list[PartitionData] = EMPTY,
    ) -> None:
        self.topic: Final = topic
        self.topic_id: Final = topic_id
        self.partitions: Final = [] if partitions is EMPTY else partitions


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


class FetchResponse(Message):
    __slots__ = ('throttle_time_ms', 'error_code', 'session_id', 'responses', 'node_endpoints')
    KEY = 1

    def __init__(
        self,
        throttle_time_ms: int = 0,
        error_code: int = 0,
        session_id: int = 0,
        responses: list[FetchableTopicResponse] = EMPTY,
        node_endpoints: list[NodeEndpoint] = EMPTY,
    ) -> None:
        self.throttle_time_ms: Final = throttle_time_ms
        self.error_code: Final = error_code
        self.session_id: Final = session_id
        self.responses: Final = [] if responses is EMPTY else responses
        self.node_endpoints: Final = [] if node_endpoints is EMPTY else node_endpoints


def read_fetch_partition_v4_list(data: bytes, at: int, n: int) -> tuple[list[FetchPartition], int]:
    if n * 16 > len(data) - at:
        raise too_many(n, 16, data, at)
    found: list[FetchPartition] = []
    for _ in range(n):
        partition, fetch_offset, partition_max_bytes = unpack_iqi(data, at)
        at += 16
        found.append(FetchPartition(partition, -1, fetch_offset, -1, -1, partition_max_bytes))
    return found, at


def read_fetch_topic_v4_list(data: bytes, at: int, n: int) -> tuple[list[FetchTopic], int]:
    if n * 6 > len(data) - at:
        raise too_many(n, 6, data, at)
    found: list[FetchTopic] = []
    for _ in range(n):
        (n,) = unpack_h(data, at)
        at += 2
        if n < 0:
            raise MalformedMessage("FetchTopic.topic is null")
        end = at + n
        topic = utf8(data[at:end])
        at = end
        (n,) = unpack_i(data, at)
        at += 4
        if n < 0:
            raise MalformedMessage("FetchTopic.partitions is null")
        partitions, at = read_fetch_partition_v4_list(data, at, n)
        found.append(FetchTopic(topic, ZERO_TOPIC_ID, partitions))
    return found, at


def read_fetch_request_v4(data: bytes, at: int) -> tuple[FetchRequest, int]:
    replica_id, max_wait_ms, min_bytes, max_bytes, isolation_level, n = unpack_iiiibi(data, at)
    at += 21
    if n < 0:
        raise MalformedMessage("FetchRequest.topics is null")
    topics, at = read_fetch_topic_v4_list(data, at, n)
    return FetchRequest(None, replica_id, DEFAULT_REPLICA_STATE, max_wait_ms, min_bytes, max_bytes, isolation_level, 0, -1, topics), at


def read_fetch_partition_v5_list(data: bytes, at: int, n: int) -> tuple[list[FetchPartition], int]:
    if n * 24 > len(data) - at:
        raise too_many(n, 24, data, at)
    found: list[FetchPartition] = []
    for _ in range(n):
        partition, fetch_offset, log_start_offset, partition_max_bytes = unpack_iqqi(data, at)
        at += 24
        found.append(FetchPartition(partition, -1, fetch_offset, -1, log_start_offset, partition_max_bytes))
    return found, at


def read_fetch_topic_v5_list(data: bytes, at: int, n: int) -> tuple[list[FetchTopic], int]:
    if n * 6 > len(data) - at:
        raise too_many(n, 6, data, at)
    found: list[FetchTopic] = []
    for _ in range(n):
        (n,) = unpack_h(data, at)
        at += 2
        if n < 0:
            raise MalformedMessage("FetchTopic.topic is null")
        end = at + n
        topic = utf8(data[at:end])
        at = end
        (n,) = unpack_i(data, at)
        at += 4
        if n < 0:
            raise MalformedMessage("FetchTopic.partitions is null")
        partitions, at = read_fetch_partition_v5_list(data, at, n)
        found.append(FetchTopic(topic, ZERO_TOPIC_ID, partitions))
    return found, at


def read_fetch_request_v5(data: bytes, at: int) -> tuple[FetchRequest, int]:
    replica_id, max_wait_ms, min_bytes, max_bytes, isolation_level, n = unpack_iiiibi(data, at)
    at += 21
    if n < 0:
        raise MalformedMessage("FetchRequest.topics is null")
    topics, at = read_fetch_topic_v5_list(data, at, n)
    return FetchRequest(None, replica_id, DEFAULT_REPLICA_STATE, max_wait_ms, min_bytes, max_bytes, isolation_level, 0, -1, topics), at


def read_forgotten_topic_v7_list(data: bytes, at: int, n: int) -> tuple[list[ForgottenTopic], int]:
    if n * 6 > len(data) - at:
        raise too_many(n, 6, data, at)
    found: list[ForgottenTopic] = []
    for _ in range(n):
        (n,) = unpack_h(data, at)
        at += 2
        if n < 0:
            raise MalformedMessage("ForgottenTopic.topic is null")
        end = at + n
        topic = utf8(data[at:end])
        at = end
        (n,) = unpack_i(data, at)
        at += 4
        if n < 0:
            raise MalformedMessage("ForgottenTopic.partitions is null")
        partitions = read_fixed(data, at, n, "i", 4)
        at += 4 * n
        found.append(ForgottenTopic(topic, ZERO_TOPIC_ID, partitions))
    return found, at


def read_fetch_request_v7(data: bytes, at: int) -> tuple[FetchRequest, int]:
    replica_id, max_wait_ms, min_bytes, max_bytes, isolation_level, session_id, session_epoch, n = unpack_iiiibiii(data, at)
    at += 29
    if n < 0:
        raise MalformedMessage("FetchRequest.topics is null")
    topics, at = read_fetch_topic_v5_list(data, at, n)
    (n,) = unpack_i(data, at)
    at += 4
    if n < 0:
        raise MalformedMessage("FetchRequest.forgotten_topics_data is null")
    forgotten_topics_data, at = read_forgotten_topic_v7_list(data, at, n)
    return FetchRequest(None, replica_id, DEFAULT_REPLICA_STATE, max_wait_ms, min_bytes, max_bytes, isolation_level, session_id, session_epoch, topics, forgotten_topics_data), at


def read_fetch_partition_v9_list(data: bytes, at: int, n: int) -> tuple[list[FetchPartition], int]:
    if n * 28 > len(data) - at:
        raise too_many(n, 28, data, at)
    found: list[FetchPartition] = []
    for _ in range(n):
        partition, current_leader_epoch, fetch_offset, log_start_offset, partition_max_bytes = unpack_iiqqi(data, at)
        at += 28
        found.append(FetchPartition(partition, current_leader_epoch, fetch_offset, -1, log_start_offset, partition_max_bytes))
    return found, at


def read_fetch_topic_v9_list(data: bytes, at: int, n: int) -> tuple[list[FetchTopic], int]:
    if n * 6 > len(data) - at:
        raise too_many(n, 6, data, at)
    found: list[FetchTopic] = []
    for _ in range(n):
        (n,) = unpack_h(data, at)
        at += 2
        if n < 0:
            raise MalformedMessage("FetchTopic.topic is null")
        end = at + n
        topic = utf8(data[at:end])
        at = end
        (n,) = unpack_i(data, at)
        at += 4
        if n < 0:
            raise MalformedMessage("FetchTopic.partitions is null")
        partitions, at = read_fetch_partition_v9_list(data, at, n)
        found.append(FetchTopic(topic, ZERO_TOPIC_ID, partitions))
    return found, at


def read_fetch_request_v9(data: bytes, at: int) -> tuple[FetchRequest, int]:
    replica_id, max_wait_ms, min_bytes, max_bytes, isolation_level, session_id, session_epoch, n = unpack_iiiibiii(data, at)
    at += 29
    if n < 0:
        raise MalformedMessage("FetchRequest.topics is null")
    topics, at = read_fetch_topic_v9_list(data, at, n)
    (n,) = unpack_i(data, at)
    at += 4
    if n < 0:
        raise MalformedMessage("FetchRequest.forgotten_topics_data is null")
    forgotten_topics_data, at = read_forgotten_topic_v7_list(data, at, n)
    return FetchRequest(None, replica_id, DEFAULT_REPLICA_STATE, max_wait_ms, min_bytes, max_bytes, isolation_level, session_id, session_epoch, topics, forgotten_topics_data), at


def read_fetch_request_v11(data: bytes, at: int) -> tuple[FetchRequest, int]:
    replica_id, max_wait_ms, min_bytes, max_bytes, isolation_level, session_id, session_epoch, n = unpack_iiiibiii(data, at)
    at += 29
    if n < 0:
        raise MalformedMessage("FetchRequest.topics is null")
    topics, at = read_fetch_topic_v9_list(data, at, n)
    (n,) = unpack_i(data, at)
    at += 4
    if n < 0:
        raise MalformedMessage("FetchRequest.forgotten_topics_data is null")
    forgotten_topics_data, at = read_forgotten_topic_v7_list(data, at, n)
    (n,) = unpack_h(data, at)
    at += 2
    if n < 0:
        raise MalformedMessage("FetchRequest.rack_id is null")
    end = at + n
    rack_id = utf8(data[at:end])
    at = end
    return FetchRequest(None, replica_id, DEFAULT_REPLICA_STATE, max_wait_ms, min_bytes, max_bytes, isolation_level, session_id, session_epoch, topics, forgotten_topics_data, rack_id), at


def read_fetch_partition_v12_list(data: bytes, at: int, n: int) -> tuple[list[FetchPartition], int]:
    if n * 33 > len(data) - at:
        raise too_many(n, 33, data, at)
    found: list[FetchPartition] = []
    for _ in range(n):
        partition, current_leader_epoch, fetch_offset, last_fetched_epoch, log_start_offset, partition_max_bytes, tags = unpack_iiqiqiB(data, at)
        at += 33
        if tags:
            at = skip_tags(data, at - 1)
        found.append(FetchPartition(partition, current_leader_epoch, fetch_offset, last_fetched_epoch, log_start_offset, partition_max_bytes))
    return found, at


def read_fetch_topic_v12_list(data: bytes, at: int, n: int) -> tuple[list[FetchTopic], int]:
    if n * 3 > len(data) - at:
        raise too_many(n, 3, data, at)
    found: list[FetchTopic] = []
    for _ in range(n):
        n = data[at]
        at += 1
        if n > 127:
            n, at = read_uvarint(data, at - 1)
        n -= 1
        if n < 0:
            raise MalformedMessage("FetchTopic.topic is null")
        end = at + n
        topic = utf8(data[at:end])
        at = end
        n = data[at]
        at += 1
        if n > 127:
            n, at = read_uvarint(data, at - 1)
        n -= 1
        if n < 0:
            raise MalformedMessage("FetchTopic.partitions is null")
        partitions, at = read_fetch_partition_v12_list(data, at, n)
        tags = data[at]
        at += 1
        if tags:
            at = skip_tags(data, at - 1)
        found.append(FetchTopic(topic, ZERO_TOPIC_ID, partitions))
    return found, at


def read_forgotten_topic_v12_list(data: bytes, at: int, n: int) -> tuple[list[ForgottenTopic], int]:
    if n * 3 > len(data) - at:
        raise too_many(n, 3, data, at)
    found: list[ForgottenTopic] = []
    for _ in range(n):
        n = data[at]
        at += 1
        if n > 127:
            n, at = read_uvarint(data, at - 1)
        n -= 1
        if n < 0:
            raise MalformedMessage("ForgottenTopic.topic is null")
        end = at + n
        topic = utf8(data[at:end])
        at = end
        n = data[at]
        at += 1
        if n > 127:
            n, at = read_uvarint(data, at - 1)
        n -= 1
        if n < 0:
            raise MalformedMessage("ForgottenTopic.partitions is null")
        partitions = read_fixed(data, at, n, "i", 4)
        at += 4 * n
        tags = data[at]
        at += 1
        if tags:
            at = skip_tags(data, at - 1)
        found.append(ForgottenTopic(topic, ZERO_TOPIC_ID, partitions))
    return found, at


def read_fetch_request_v12(data: bytes, at: int) -> tuple[FetchRequest, int]:
    replica_id, max_wait_ms, min_bytes, max_bytes, isolation_level, session_id, session_epoch, n = unpack_iiiibiiB(data, at)
    at += 26
    if n > 127:
        n, at = read_uvarint(data, at - 1)
    n -= 1
    if n < 0:
        raise MalformedMessage("FetchRequest.topics is null")
    topics, at = read_fetch_topic_v12_list(data, at, n)
    n = data[at]
    at += 1
    if n > 127:
        n, at = read_uvarint(data, at - 1)
    n -= 1
    if n < 0:
        raise MalformedMessage("FetchRequest.forgotten_topics_data is null")
    forgotten_topics_data, at = read_forgotten_topic_v12_list(data, at, n)
    n = data[at]
    at += 1
    if n > 127:
        n, at = read_uvarint(data, at - 1)
    n -= 1
    if n < 0:
        raise MalformedMessage("FetchRequest.rack_id is null")
    end = at + n
    rack_id = utf8(data[at:end])
    at = end
    tags = data[at]
    at += 1
    cluster_id: str | None = None
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
                if n >= 0:
                    end = at + n
                    cluster_id = utf8(data[at:end])
                    at = end
                else:
                    cluster_id = None
            else:
                at = stop
            if at != stop:
                raise MalformedMessage(f"tag {tag} of FetchRequest has a wrong size")
    return FetchRequest(cluster_id, replica_id, DEFAULT_REPLICA_STATE, max_wait_ms, min_bytes, max_bytes, isolation_level, session_id, session_epoch, topics, forgotten_topics_data, rack_id), at


def read_fetch_topic_v13_list(data: bytes, at: int, n: int) -> tuple[list[FetchTopic], int]:
    if n * 18 > len(data) - at:
        raise too_many(n, 18, data, at)
    found: list[FetchTopic] = []
    for _ in range(n):
        topic_id, n = unpack_16sB(data, at)
        at += 17
        if n > 127:
            n, at = read_uvarint(data, at - 1)
        n -= 1
        if n < 0:
            raise MalformedMessage("FetchTopic.partitions is null")
        partitions, at = read_fetch_partition_v12_list(data, at, n)
        tags = data[at]
        at += 1
        if tags:
            at = skip_tags(data, at - 1)
        found.append(FetchTopic(TopicName(""), topic_id, partitions))
    return found, at


def read_forgotten_topic_v13_list(data: bytes, at: int, n: int) -> tuple[list[ForgottenTopic], int]:
    if n * 18 > len(data) - at:
        raise too_many(n, 18, data, at)
    found: list[ForgottenTopic] = []
    for _ in range(n):
        topic_id, n = unpack_16sB(data, at)
        at += 17
        if n > 127:
            n, at = read_uvarint(data, at - 1)
        n -= 1
        if n < 0:
            raise MalformedMessage("ForgottenTopic.partitions is null")
        partitions = read_fixed(data, at, n, "i", 4)
        at += 4 * n
        tags = data[at]
        at += 1
        if tags:
            at = skip_tags(data, at - 1)
        found.append(ForgottenTopic(TopicName(""), topic_id, partitions))
    return found, at


def read_fetch_request_v13(data: bytes, at: int) -> tuple[FetchRequest, int]:
    replica_id, max_wait_ms, min_bytes, max_bytes, isolation_level, session_id, session_epoch, n = unpack_iiiibiiB(data, at)
    at += 26
    if n > 127:
        n, at = read_uvarint(data, at - 1)
    n -= 1
    if n < 0:
        raise MalformedMessage("FetchRequest.topics is null")
    topics, at = read_fetch_topic_v13_list(data, at, n)
    n = data[at]
    at += 1
    if n > 127:
        n, at = read_uvarint(data, at - 1)
    n -= 1
    if n < 0:
        raise MalformedMessage("FetchRequest.forgotten_topics_data is null")
    forgotten_topics_data, at = read_forgotten_topic_v13_list(data, at, n)
    n = data[at]
    at += 1
    if n > 127:
        n, at = read_uvarint(data, at - 1)
    n -= 1
    if n < 0:
        raise MalformedMessage("FetchRequest.rack_id is null")
    end = at + n
    rack_id = utf8(data[at:end])
    at = end
    tags = data[at]
    at += 1
    cluster_id: str | None = None
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
                if n >= 0:
                    end = at + n
                    cluster_id = utf8(data[at:end])
                    at = end
                else:
                    cluster_id = None
            else:
                at = stop
            if at != stop:
                raise MalformedMessage(f"tag {tag} of FetchRequest has a wrong size")
    return FetchRequest(cluster_id, replica_id, DEFAULT_REPLICA_STATE, max_wait_ms, min_bytes, max_bytes, isolation_level, session_id, session_epoch, topics, forgotten_topics_data, rack_id), at


def read_replica_state_v15(data: bytes, at: int) -> tuple[ReplicaState, int]:
    replica_id, replica_epoch, tags = unpack_iqB(data, at)
    at += 13
    if tags:
        at = skip_tags(data, at - 1)
    return ReplicaState(replica_id, replica_epoch), at


def read_fetch_request_v15(data: bytes, at: int) -> tuple[FetchRequest, int]:
    max_wait_ms, min_bytes, max_bytes, isolation_level, session_id, session_epoch, n = unpack_iiibiiB(data, at)
    at += 22
    if n > 127:
        n, at = read_uvarint(data, at - 1)
    n -= 1
    if n < 0:
        raise MalformedMessage("FetchRequest.topics is null")
    topics, at = read_fetch_topic_v13_list(data, at, n)
    n = data[at]
    at += 1
    if n > 127:
        n, at = read_uvarint(data, at - 1)
    n -= 1
    if n < 0:
        raise MalformedMessage("FetchRequest.forgotten_topics_data is null")
    forgotten_topics_data, at = read_forgotten_topic_v13_list(data, at, n)
    n = data[at]
    at += 1
    if n > 127:
        n, at = read_uvarint(data, at - 1)
    n -= 1
    if n < 0:
        raise MalformedMessage("FetchRequest.rack_id is null")
    end = at + n
    rack_id = utf8(data[at:end])
    at = end
    tags = data[at]
    at += 1
    cluster_id: str | None = None
    replica_state: ReplicaState = DEFAULT_REPLICA_STATE
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
                if n >= 0:
                    end = at + n
                    cluster_id = utf8(data[at:end])
                    at = end
                else:
                    cluster_id = None
            elif tag == 1:
                replica_state, at = read_replica_state_v15(data, at)
            else:
                at = stop
            if at != stop:
                raise MalformedMessage(f"tag {tag} of FetchRequest has a wrong size")
    return FetchRequest(cluster_id, BrokerId(-1), replica_state, max_wait_ms, min_bytes, max_bytes, isolation_level, session_id, session_epoch, topics, forgotten_topics_data, rack_id), at


def read_fetch_partition_v17_list(data: bytes, at: int, n: int) -> tuple[list[FetchPartition], int]:
    if n * 33 > len(data) - at:
        raise too_many(n, 33, data, at)
    found: list[FetchPartition] = []
    for _ in range(n):
        partition, current_leader_epoch, fetch_offset, last_fetched_epoch, log_start_offset, partition_max_bytes, tags = unpack_iiqiqiB(data, at)
        at += 33
        replica_directory_id: bytes = bytes(16)
        if tags:
            tags, at = read_uvarint(data, at - 1)
            tag = -1
            for _ in range(tags):
                tag, n, at = read_tag(data, at, tag)
                stop = at + n
                if tag == 0:
                    (replica_directory_id,) = unpack_16s(data, at)
                    at += 16
                else:
                    at = stop
                if at != stop:
                    raise MalformedMessage(f"tag {tag} of FetchPartition has a wrong size")
        found.append(FetchPartition(partition, current_leader_epoch, fetch_offset, last_fetched_epoch, log_start_offset, partition_max_bytes, replica_directory_id))
    return found, at


def read_fetch_topic_v17_list(data: bytes, at: int, n: int) -> tuple[list[FetchTopic], int]:
    if n * 18 > len(data) - at:
        raise too_many(n, 18, data, at)
    found: list[FetchTopic] = []
    for _ in range(n):
        topic_id, n = unpack_16sB(data, at)
        at += 17
        if n > 127:
            n, at = read_uvarint(data, at - 1)
        n -= 1
        if n < 0:
            raise MalformedMessage("FetchTopic.partitions is null")
        partitions, at = read_fetch_partition_v17_list(data, at, n)
        tags = data[at]
        at += 1
        if tags:
            at = skip_tags(data, at - 1)
        found.append(FetchTopic(TopicName(""), topic_id, partitions))
    return found, at


def read_fetch_request_v17(data: bytes, at: int) -> tuple[FetchRequest, int]:
    max_wait_ms, min_bytes, max_bytes, isolation_level, session_id, session_epoch, n = unpack_iiibiiB(data, at)
    at += 22
    if n > 127:
        n, at = read_uvarint(data, at - 1)
    n -= 1
    if n < 0:
        raise MalformedMessage("FetchRequest.topics is null")
    topics, at = read_fetch_topic_v17_list(data, at, n)
    n = data[at]
    at += 1
    if n > 127:
        n, at = read_uvarint(data, at - 1)
    n -= 1
    if n < 0:
        raise MalformedMessage("FetchRequest.forgotten_topics_data is null")
    forgotten_topics_data, at = read_forgotten_topic_v13_list(data, at, n)
    n = data[at]
    at += 1
    if n > 127:
        n, at = read_uvarint(data, at - 1)
    n -= 1
    if n < 0:
        raise MalformedMessage("FetchRequest.rack_id is null")
    end = at + n
    rack_id = utf8(data[at:end])
    at = end
    tags = data[at]
    at += 1
    cluster_id: str | None = None
    replica_state: ReplicaState = DEFAULT_REPLICA_STATE
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
                if n >= 0:
                    end = at + n
                    cluster_id = utf8(data[at:end])
                    at = end
                else:
                    cluster_id = None
            elif tag == 1:
                replica_state, at = read_replica_state_v15(data, at)
            else:
                at = stop
            if at != stop:
                raise MalformedMessage(f"tag {tag} of FetchRequest has a wrong size")
    return FetchRequest(cluster_id, BrokerId(-1), replica_state, max_wait_ms, min_bytes, max_bytes, isolation_level, session_id, session_epoch, topics, forgotten_topics_data, rack_id), at


def read_fetch_partition_v18_list(data: bytes, at: int, n: int) -> tuple[list[FetchPartition], int]:
    if n * 33 > len(data) - at:
        raise too_many(n, 33, data, at)
    found: list[FetchPartition] = []
    for _ in range(n):
        partition, current_leader_epoch, fetch_offset, last_fetched_epoch, log_start_offset, partition_max_bytes, tags = unpack_iiqiqiB(data, at)
        at += 33
        replica_directory_id: bytes = bytes(16)
        high_watermark: int = 9223372036854775807
        if tags:
            tags, at = read_uvarint(data, at - 1)
            tag = -1
            for _ in range(tags):
                tag, n, at = read_tag(data, at, tag)
                stop = at + n
                if tag == 0:
                    (replica_directory_id,) = unpack_16s(data, at)
                    at += 16
                elif tag == 1:
                    (high_watermark,) = unpack_q(data, at)
                    at += 8
                else:
                    at = stop
                if at != stop:
                    raise MalformedMessage(f"tag {tag} of FetchPartition has a wrong size")
        found.append(FetchPartition(partition, current_leader_epoch, fetch_offset, last_fetched_epoch, log_start_offset, partition_max_bytes, replica_directory_id, high_watermark))
    return found, at


def read_fetch_topic_v18_list(data: bytes, at: int, n: int) -> tuple[list[FetchTopic], int]:
    if n * 18 > len(data) - at:
        raise too_many(n, 18, data, at)
    found: list[FetchTopic] = []
    for _ in range(n):
        topic_id, n = unpack_16sB(data, at)
        at += 17
        if n > 127:
            n, at = read_uvarint(data, at - 1)
        n -= 1
        if n < 0:
            raise MalformedMessage("FetchTopic.partitions is null")
        partitions, at = read_fetch_partition_v18_list(data, at, n)
        tags = data[at]
        at += 1
        if tags:
            at = skip_tags(data, at - 1)
        found.append(FetchTopic(TopicName(""), topic_id, partitions))
    return found, at


def read_fetch_request_v18(data: bytes, at: int) -> tuple[FetchRequest, int]:
    max_wait_ms, min_bytes, max_bytes, isolation_level, session_id, session_epoch, n = unpack_iiibiiB(data, at)
    at += 22
    if n > 127:
        n, at = read_uvarint(data, at - 1)
    n -= 1
    if n < 0:
        raise MalformedMessage("FetchRequest.topics is null")
    topics, at = read_fetch_topic_v18_list(data, at, n)
    n = data[at]
    at += 1
    if n > 127:
        n, at = read_uvarint(data, at - 1)
    n -= 1
    if n < 0:
        raise MalformedMessage("FetchRequest.forgotten_topics_data is null")
    forgotten_topics_data, at = read_forgotten_topic_v13_list(data, at, n)
    n = data[at]
    at += 1
    if n > 127:
        n, at = read_uvarint(data, at - 1)
    n -= 1
    if n < 0:
        raise MalformedMessage("FetchRequest.rack_id is null")
    end = at + n
    rack_id = utf8(data[at:end])
    at = end
    tags = data[at]
    at += 1
    cluster_id: str | None = None
    replica_state: ReplicaState = DEFAULT_REPLICA_STATE
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
                if n >= 0:
                    end = at + n
                    cluster_id = utf8(data[at:end])
                    at = end
                else:
                    cluster_id = None
            elif tag == 1:
                replica_state, at = read_replica_state_v15(data, at)
            else:
                at = stop
            if at != stop:
                raise MalformedMessage(f"tag {tag} of FetchRequest has a wrong size")
    return FetchRequest(cluster_id, BrokerId(-1), replica_state, max_wait_ms, min_bytes, max_bytes, isolation_level, session_id, session_epoch, topics, forgotten_topics_data, rack_id), at


def read_aborted_transaction_v4_list(data: bytes, at: int, n: int) -> tuple[list[AbortedTransaction], int]:
    if n * 16 > len(data) - at:
        raise too_many(n, 16, data, at)
    found: list[AbortedTransaction] = []
    for _ in range(n):
        producer_id, first_offset = unpack_qq(data, at)
        at += 16
        found.append(AbortedTransaction(producer_id, first_offset))
    return found, at


def read_partition_data_v4_list(data: bytes, at: int, n: int) -> tuple[list[PartitionData], int]:
    if n * 30 > len(data) - at:
        raise too_many(n, 30, data, at)
    found: list[PartitionData] = []
    for _ in range(n):
        partition_index, error_code, high_watermark, last_stable_offset, n = unpack_ihqqi(data, at)
        at += 26
        if n >= 0:
            aborted_transactions, at = read_aborted_transaction_v4_list(data, at, n)
        elif n == -1:
            aborted_transactions = None
        else:
            raise MalformedMessage("PartitionData.aborted_transactions has a negative length")
        (n,) = unpack_i(data, at)
        at += 4
        if n >= 0:
            end = at + n
            records = data[at:end]
            at = end
        elif n == -1:
            records = None
        else:
            raise MalformedMessage("PartitionData.records has a negative length")
        found.append(PartitionData(partition_index, error_code, high_watermark, last_stable_offset, -1, DEFAULT_EPOCH_END_OFFSET, DEFAULT_LEADER_ID_AND_EPOCH, DEFAULT_SNAPSHOT_ID, aborted_transactions, BrokerId(-1), records))
    return found, at


def read_fetchable_topic_response_v4_list(data: bytes, at: int, n: int) -> tuple[list[FetchableTopicResponse], int]:
    if n * 6 > len(data) - at:
        raise too_many(n, 6, data, at)
    found: list[FetchableTopicResponse] = []
    for _ in range(n):
        (n,) = unpack_h(data, at)
        at += 2
        if n < 0:
            raise MalformedMessage("FetchableTopicResponse.topic is null")
        end = at + n
        topic = utf8(data[at:end])
        at = end
        (n,) = unpack_i(data, at)
        at += 4
        if n < 0:
            raise MalformedMessage("FetchableTopicResponse.partitions is null")
        partitions, at = read_partition_data_v4_list(data, at, n)
        found.append(FetchableTopicResponse(topic, ZERO_TOPIC_ID, partitions))
    return found, at


def read_fetch_response_v4(data: bytes, at: int) -> tuple[FetchResponse, int]:
    throttle_time_ms, n = unpack_ii(data, at)
    at += 8
    if n < 0:
        raise MalformedMessage("FetchResponse.responses is null")
    responses, at = read_fetchable_topic_response_v4_list(data, at, n)
    return FetchResponse(throttle_time_ms, 0, 0, responses), at


def read_partition_data_v5_list(data: bytes, at: int, n: int) -> tuple[list[PartitionData], int]:
    if n * 38 > len(data) - at:
        raise too_many(n, 38, data, at)
    found: list[PartitionData] = []
    for _ in range(n):
        partition_index, error_code, high_watermark, last_stable_offset, log_start_offset, n = unpack_ihqqqi(data, at)
        at += 34
        if n >= 0:
            aborted_transactions, at = read_aborted_transaction_v4_list(data, at, n)
        elif n == -1:
            aborted_transactions = None
        else:
            raise MalformedMessage("PartitionData.aborted_transactions has a negative length")
        (n,) = unpack_i(data, at)
        at += 4
        if n >= 0:
            end = at + n
            records = data[at:end]
            at = end
        elif n == -1:
            records = None
        else:
            raise MalformedMessage("PartitionData.records has a negative length")
        found.append(PartitionData(partition_index, error_code, high_watermark, last_stable_offset, log_start_offset, DEFAULT_EPOCH_END_OFFSET, DEFAULT_LEADER_ID_AND_EPOCH, DEFAULT_SNAPSHOT_ID, aborted_transactions, BrokerId(-1), records))
    return found, at


def read_fetchable_topic_response_v5_list(data: bytes, at: int, n: int) -> tuple[list[FetchableTopicResponse], int]:
    if n * 6 > len(data) - at:
        raise too_many(n, 6, data, at)
    found: list[FetchableTopicResponse] = []
    for _ in range(n):
        (n,) = unpack_h(data, at)
        at += 2
        if n < 0:
            raise MalformedMessage("FetchableTopicResponse.topic is null")
        end = at + n
        topic = utf8(data[at:end])
        at = end
        (n,) = unpack_i(data, at)
        at += 4
        if n < 0:
            raise MalformedMessage("FetchableTopicResponse.partitions is null")
        partitions, at = read_partition_data_v5_list(data, at, n)
        found.append(FetchableTopicResponse(topic, ZERO_TOPIC_ID, partitions))
    return found, at


def read_fetch_response_v5(data: bytes, at: int) -> tuple[FetchResponse, int]:
    throttle_time_ms, n = unpack_ii(data, at)
    at += 8
    if n < 0:
        raise MalformedMessage("FetchResponse.responses is null")
    responses, at = read_fetchable_topic_response_v5_list(data, at, n)
    return FetchResponse(throttle_time_ms, 0, 0, responses), at


def read_fetch_response_v7(data: bytes, at: int) -> tuple[FetchResponse, int]:
    throttle_time_ms, error_code, session_id, n = unpack_ihii(data, at)
    at += 14
    if n < 0:
        raise MalformedMessage("FetchResponse.responses is null")
    responses, at = read_fetchable_topic_response_v5_list(data, at, n)
    return FetchResponse(throttle_time_ms, error_code, session_id, responses), at


def read_partition_data_v11_list(data: bytes, at: int, n: int) -> tuple[list[PartitionData], int]:
    if n * 42 > len(data) - at:
        raise too_many(n, 42, data, at)
    found: list[PartitionData] = []
    for _ in range(n):
        partition_index, error_code, high_watermark, last_stable_offset, log_start_offset, n = unpack_ihqqqi(data, at)
        at += 34
        if n >= 0:
            aborted_transactions, at = read_aborted_transaction_v4_list(data, at, n)
        elif n == -1:
            aborted_transactions = None
        else:
            raise MalformedMessage("PartitionData.aborted_transactions has a negative length")
        preferred_read_replica, n = unpack_ii(data, at)
        at += 8
        if n >= 0:
            end = at + n
            records = data[at:end]
            at = end
        elif n == -1:
            records = None
        else:
            raise MalformedMessage("PartitionData.records has a negative length")
        found.append(PartitionData(partition_index, error_code, high_watermark, last_stable_offset, log_start_offset, DEFAULT_EPOCH_END_OFFSET, DEFAULT_LEADER_ID_AND_EPOCH, DEFAULT_SNAPSHOT_ID, aborted_transactions, preferred_read_replica, records))
    return found, at


def read_fetchable_topic_response_v11_list(data: bytes, at: int, n: int) -> tuple[list[FetchableTopicResponse], int]:
    if n * 6 > len(data) - at:
        raise too_many(n, 6, data, at)
    found: list[FetchableTopicResponse] = []
    for _ in range(n):
        (n,) = unpack_h(data, at)
        at += 2
        if n < 0:
            raise MalformedMessage("FetchableTopicResponse.topic is null")
        end = at + n
        topic = utf8(data[at:end])
        at = end
        (n,) = unpack_i(data, at)
        at += 4
        if n < 0:
            raise MalformedMessage("FetchableTopicResponse.partitions is null")
        partitions, at = read_partition_data_v11_list(data, at, n)
        found.append(FetchableTopicResponse(topic, ZERO_TOPIC_ID, partitions))
    return found, at


def read_fetch_response_v11(data: bytes, at: int) -> tuple[FetchResponse, int]:
    throttle_time_ms, error_code, session_id, n = unpack_ihii(data, at)
    at += 14
    if n < 0:
        raise MalformedMessage("FetchResponse.responses is null")
    responses, at = read_fetchable_topic_response_v11_list(data, at, n)
    return FetchResponse(throttle_time_ms, error_code, session_id, responses), at


def read_epoch_end_offset_v12(data: bytes, at: int) -> tuple[EpochEndOffset, int]:
    epoch, end_offset, tags = unpack_iqB(data, at)
    at += 13
    if tags:
        at = skip_tags(data, at - 1)
    return EpochEndOffset(epoch, end_offset), at


def read_leader_id_and_epoch_v12(data: bytes, at: int) -> tuple[LeaderIdAndEpoch, int]:
    leader_id, leader_epoch, tags = unpack_iiB(data, at)
    at += 9
    if tags:
        at = skip_tags(data, at - 1)
    return LeaderIdAndEpoch(leader_id, leader_epoch), at


def read_snapshot_id_v12(data: bytes, at: int) -> tuple[SnapshotId, int]:
    end_offset, epoch, tags = unpack_qiB(data, at)
    at += 13
    if tags:
        at = skip_tags(data, at - 1)
    return SnapshotId(end_offset, epoch), at


def read_aborted_transaction_v12_list(data: bytes, at: int, n: int) -> tuple[list[AbortedTransaction], int]:
    if n * 17 > len(data) - at:
        raise too_many(n, 17, data, at)
    found: list[AbortedTransaction] = []
    for _ in range(n):
        producer_id, first_offset, tags = unpack_qqB(data, at)
        at += 17
        if tags:
            at = skip_tags(data, at - 1)
        found.append(AbortedTransaction(producer_id, first_offset))
    return found, at


def read_partition_data_v12_list(data: bytes, at: int, n: int) -> tuple[list[PartitionData], int]:
    if n * 37 > len(data) - at:
        raise too_many(n, 37, data, at)
    found: list[PartitionData] = []
    for _ in range(n):
        partition_index, error_code, high_watermark, last_stable_offset, log_start_offset, n = unpack_ihqqqB(data, at)
        at += 31
        if n > 127:
            n, at = read_uvarint(data, at - 1)
        n -= 1
        if n >= 0:
            aborted_transactions, at = read_aborted_transaction_v12_list(data, at, n)
        else:
            aborted_transactions = None
        preferred_read_replica, n = unpack_iB(data, at)
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
        diverging_epoch: EpochEndOffset = DEFAULT_EPOCH_END_OFFSET
        current_leader: LeaderIdAndEpoch = DEFAULT_LEADER_ID_AND_EPOCH
        snapshot_id: SnapshotId = DEFAULT_SNAPSHOT_ID
        if tags:
            tags, at = read_uvarint(data, at - 1)
            tag = -1
            for _ in range(tags):
                tag, n, at = read_tag(data, at, tag)
                stop = at + n
                if tag == 0:
                    diverging_epoch, at = read_epoch_end_offset_v12(data, at)
                elif tag == 1:
                    current_leader, at = read_leader_id_and_epoch_v12(data, at)
                elif tag == 2:
                    snapshot_id, at = read_snapshot_id_v12(data, at)
                else:
                    at = stop
                if at != stop:
                    raise MalformedMessage(f"tag {tag} of PartitionData has a wrong size")
        found.append(PartitionData(partition_index, error_code, high_watermark, last_stable_offset, log_start_offset, diverging_epoch, current_leader, snapshot_id, aborted_transactions, preferred_read_replica, records))
    return found, at


def read_fetchable_topic_response_v12_list(data: bytes, at: int, n: int) -> tuple[list[FetchableTopicResponse], int]:
    if n * 3 > len(data) - at:
        raise too_many(n, 3, data, at)
    found: list[FetchableTopicResponse] = []
    for _ in range(n):
        n = data[at]
        at += 1
        if n > 127:
            n, at = read_uvarint(data, at - 1)
        n -= 1
        if n < 0:
            raise MalformedMessage("FetchableTopicResponse.topic is null")
        end = at + n
        topic = utf8(data[at:end])
        at = end
        n = data[at]
        at += 1
        if n > 127:
            n, at = read_uvarint(data, at - 1)
        n -= 1
        if n < 0:
            raise MalformedMessage("FetchableTopicResponse.partitions is null")
        partitions, at = read_partition_data_v12_list(data, at, n)
        tags = data[at]
        at += 1
        if tags:
            at = skip_tags(data, at - 1)
        found.append(FetchableTopicResponse(topic, ZERO_TOPIC_ID, partitions))
    return found, at


def read_fetch_response_v12(data: bytes, at: int) -> tuple[FetchResponse, int]:
    throttle_time_ms, error_code, session_id, n = unpack_ihiB(data, at)
    at += 11
    if n > 127:
        n, at = read_uvarint(data, at - 1)
    n -= 1
    if n < 0:
        raise MalformedMessage("FetchResponse.responses is null")
    responses, at = read_fetchable_topic_response_v12_list(data, at, n)
    tags = data[at]
    at += 1
    if tags:
        at = skip_tags(data, at - 1)
    return FetchResponse(throttle_time_ms, error_code, session_id, responses), at


def read_fetchable_topic_response_v13_list(data: bytes, at: int, n: int) -> tuple[list[FetchableTopicResponse], int]:
    if n * 18 > len(data) - at:
        raise too_many(n, 18, data, at)
    found: list[FetchableTopicResponse] = []
    for _ in range(n):
        topic_id, n = unpack_16sB(data, at)
        at += 17
        if n > 127:
            n, at = read_uvarint(data, at - 1)
        n -= 1
        if n < 0:
            raise MalformedMessage("FetchableTopicResponse.partitions is null")
        partitions, at = read_partition_data_v12_list(data, at, n)
        tags = data[at]
        at += 1
        if tags:
            at = skip_tags(data, at - 1)
        found.append(FetchableTopicResponse(TopicName(""), topic_id, partitions))
    return found, at


def read_fetch_response_v13(data: bytes, at: int) -> tuple[FetchResponse, int]:
    throttle_time_ms, error_code, session_id, n = unpack_ihiB(data, at)
    at += 11
    if n > 127:
        n, at = read_uvarint(data, at - 1)
    n -= 1
    if n < 0:
        raise MalformedMessage("FetchResponse.responses is null")
    responses, at = read_fetchable_topic_response_v13_list(data, at, n)
    tags = data[at]
    at += 1
    if tags:
        at = skip_tags(data, at - 1)
    return FetchResponse(throttle_time_ms, error_code, session_id, responses), at


def read_node_endpoint_v16_list(data: bytes, at: int, n: int) -> tuple[list[NodeEndpoint], int]:
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


def read_fetch_response_v16(data: bytes, at: int) -> tuple[FetchResponse, int]:
    throttle_time_ms, error_code, session_id, n = unpack_ihiB(data, at)
    at += 11
    if n > 127:
        n, at = read_uvarint(data, at - 1)
    n -= 1
    if n < 0:
        raise MalformedMessage("FetchResponse.responses is null")
    responses, at = read_fetchable_topic_response_v13_list(data, at, n)
    tags = data[at]
    at += 1
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
                    raise MalformedMessage("FetchResponse.node_endpoints is null")
                node_endpoints, at = read_node_endpoint_v16_list(data, at, n)
            else:
                at = stop
            if at != stop:
                raise MalformedMessage(f"tag {tag} of FetchResponse has a wrong size")
    return FetchResponse(throttle_time_ms, error_code, session_id, responses, node_endpoints), at


def write_fetch_partition_v4_list(out: list[bytes], items: list[FetchPartition]) -> None:
    put = out.append
    for m in items:
        if m.last_fetched_epoch != -1:
            raise UnsupportedVersion("FetchPartition.last_fetched_epoch exists in versions 12+ only")
        put(pack_iqi(m.partition, m.fetch_offset, m.partition_max_bytes))


def write_fetch_topic_v4_list(out: list[bytes], items: list[FetchTopic]) -> None:
    put = out.append
    for m in items:
        text = m.topic.encode()
        put(pack_h(len(text)))
        put(text)
        put(pack_i(len(m.partitions)))
        write_fetch_partition_v4_list(out, m.partitions)


def write_fetch_request_v4(out: list[bytes], m: FetchRequest) -> None:
    put = out.append
    if m.replica_state is not DEFAULT_REPLICA_STATE and m.replica_state != DEFAULT_REPLICA_STATE:
        raise UnsupportedVersion("FetchRequest.replica_state exists in versions 15+ only")
    if m.forgotten_topics_data:
        raise UnsupportedVersion("FetchRequest.forgotten_topics_data exists in versions 7+ only")
    put(pack_iiiibi(m.replica_id, m.max_wait_ms, m.min_bytes, m.max_bytes, m.isolation_level, len(m.topics)))
    write_fetch_topic_v4_list(out, m.topics)


def write_fetch_partition_v5_list(out: list[bytes], items: list[FetchPartition]) -> None:
    put = out.append
    for m in items:
        if m.last_fetched_epoch != -1:
            raise UnsupportedVersion("FetchPartition.last_fetched_epoch exists in versions 12+ only")
        put(pack_iqqi(m.partition, m.fetch_offset, m.log_start_offset, m.partition_max_bytes))


def write_fetch_topic_v5_list(out: list[bytes], items: list[FetchTopic]) -> None:
    put = out.append
    for m in items:
        text = m.topic.encode()
        put(pack_h(len(text)))
        put(text)
        put(pack_i(len(m.partitions)))
        write_fetch_partition_v5_list(out, m.partitions)


def write_fetch_request_v5(out: list[bytes], m: FetchRequest) -> None:
    put = out.append
    if m.replica_state is not DEFAULT_REPLICA_STATE and m.replica_state != DEFAULT_REPLICA_STATE:
        raise UnsupportedVersion("FetchRequest.replica_state exists in versions 15+ only")
    if m.forgotten_topics_data:
        raise UnsupportedVersion("FetchRequest.forgotten_topics_data exists in versions 7+ only")
    put(pack_iiiibi(m.replica_id, m.max_wait_ms, m.min_bytes, m.max_bytes, m.isolation_level, len(m.topics)))
    write_fetch_topic_v5_list(out, m.topics)


def write_forgotten_topic_v7_list(out: list[bytes], items: list[ForgottenTopic]) -> None:
    put = out.append
    for m in items:
        text = m.topic.encode()
        put(pack_h(len(text)))
        put(text)
        put(pack_i(len(m.partitions)))
        put(pack_int32s(m.partitions))


def write_fetch_request_v7(out: list[bytes], m: FetchRequest) -> None:
    put = out.append
    if m.replica_state is not DEFAULT_REPLICA_STATE and m.replica_state != DEFAULT_REPLICA_STATE:
        raise UnsupportedVersion("FetchRequest.replica_state exists in versions 15+ only")
    put(pack_iiiibiii(m.replica_id, m.max_wait_ms, m.min_bytes, m.max_bytes, m.isolation_level, m.session_id, m.session_epoch, len(m.topics)))
    write_fetch_topic_v5_list(out, m.topics)
    put(pack_i(len(m.forgotten_topics_data)))
    write_forgotten_topic_v7_list(out, m.forgotten_topics_data)


def write_fetch_partition_v9_list(out: list[bytes], items: list[FetchPartition]) -> None:
    put = out.append
    for m in items:
        if m.last_fetched_epoch != -1:
            raise UnsupportedVersion("FetchPartition.last_fetched_epoch exists in versions 12+ only")
        put(pack_iiqqi(m.partition, m.current_leader_epoch, m.fetch_offset, m.log_start_offset, m.partition_max_bytes))


def write_fetch_topic_v9_list(out: list[bytes], items: list[FetchTopic]) -> None:
    put = out.append
    for m in items:
        text = m.topic.encode()
        put(pack_h(len(text)))
        put(text)
        put(pack_i(len(m.partitions)))
        write_fetch_partition_v9_list(out, m.partitions)


def write_fetch_request_v9(out: list[bytes], m: FetchRequest) -> None:
    put = out.append
    if m.replica_state is not DEFAULT_REPLICA_STATE and m.replica_state != DEFAULT_REPLICA_STATE:
        raise UnsupportedVersion("FetchRequest.replica_state exists in versions 15+ only")
    put(pack_iiiibiii(m.replica_id, m.max_wait_ms, m.min_bytes, m.max_bytes, m.isolation_level, m.session_id, m.session_epoch, len(m.topics)))
    write_fetch_topic_v9_list(out, m.topics)
    put(pack_i(len(m.forgotten_topics_data)))
    write_forgotten_topic_v7_list(out, m.forgotten_topics_data)


def write_fetch_request_v11(out: list[bytes], m: FetchRequest) -> None:
    put = out.append
    if m.replica_state is not DEFAULT_REPLICA_STATE and m.replica_state != DEFAULT_REPLICA_STATE:
        raise UnsupportedVersion("FetchRequest.replica_state exists in versions 15+ only")
    put(pack_iiiibiii(m.replica_id, m.max_wait_ms, m.min_bytes, m.max_bytes, m.isolation_level, m.session_id, m.session_epoch, len(m.topics)))
    write_fetch_topic_v9_list(out, m.topics)
    put(pack_i(len(m.forgotten_topics_data)))
    write_forgotten_topic_v7_list(out, m.forgotten_topics_data)
    text = m.rack_id.encode()
    put(pack_h(len(text)))
    put(text)


def write_fetch_partition_v12_list(out: list[bytes], items: list[FetchPartition]) -> None:
    put = out.append
    for m in items:
        put(pack_iiqiqix(m.partition, m.current_leader_epoch, m.fetch_offset, m.last_fetched_epoch, m.log_start_offset, m.partition_max_bytes))


def write_fetch_topic_v12_list(out: list[bytes], items: list[FetchTopic]) -> None:
    put = out.append
    for m in items:
        text = m.topic.encode()
        n = len(text) + 1
        put(UVARINT[n] if n < 128 else uvarint(n))
        put(text)
        n = len(m.partitions) + 1
        put(UVARINT[n] if n < 128 else uvarint(n))
        write_fetch_partition_v12_list(out, m.partitions)
        put(b"\0")


def write_forgotten_topic_v12_list(out: list[bytes], items: list[ForgottenTopic]) -> None:
    put = out.append
    for m in items:
        text = m.topic.encode()
        n = len(text) + 1
        put(UVARINT[n] if n < 128 else uvarint(n))
        put(text)
        n = len(m.partitions) + 1
        put(UVARINT[n] if n < 128 else uvarint(n))
        put(pack_int32s(m.partitions))
        put(b"\0")


def write_fetch_request_v12(out: list[bytes], m: FetchRequest) -> None:
    put = out.append
    if m.replica_state is not DEFAULT_REPLICA_STATE and m.replica_state != DEFAULT_REPLICA_STATE:
        raise UnsupportedVersion("FetchRequest.replica_state exists in versions 15+ only")
    put(pack_iiiibii(m.replica_id, m.max_wait_ms, m.min_bytes, m.max_bytes, m.isolation_level, m.session_id, m.session_epoch))
    n = len(m.topics) + 1
    put(UVARINT[n] if n < 128 else uvarint(n))
    write_fetch_topic_v12_list(out, m.topics)
    n = len(m.forgotten_topics_data) + 1
    put(UVARINT[n] if n < 128 else uvarint(n))
    write_forgotten_topic_v12_list(out, m.forgotten_topics_data)
    text = m.rack_id.encode()
    n = len(text) + 1
    put(UVARINT[n] if n < 128 else uvarint(n))
    put(text)
    tags: list[bytes] = []
    part: list[bytes]
    if m.cluster_id is not None:
        part = []
        text = m.cluster_id.encode()
        n = len(text) + 1
        part.append(UVARINT[n] if n < 128 else uvarint(n))
        part.append(text)
        tags.append(tagged(0, b"".join(part)))
    put(uvarint(len(tags)))
    out.extend(tags)


def write_fetch_topic_v13_list(out: list[bytes], items: list[FetchTopic]) -> None:
    put = out.append
    for m in items:
        put(pack_16s(m.topic_id))
        n = len(m.partitions) + 1
        put(UVARINT[n] if n < 128 else uvarint(n))
        write_fetch_partition_v12_list(out, m.partitions)
        put(b"\0")


def write_forgotten_topic_v13_list(out: list[bytes], items: list[ForgottenTopic]) -> None:
    put = out.append
    for m in items:
        put(pack_16s(m.topic_id))
        n = len(m.partitions) + 1
        put(UVARINT[n] if n < 128 else uvarint(n))
        put(pack_int32s(m.partitions))
        put(b"\0")


def write_fetch_request_v13(out: list[bytes], m: FetchRequest) -> None:
    put = out.append
    if m.replica_state is not DEFAULT_REPLICA_STATE and m.replica_state != DEFAULT_REPLICA_STATE:
        raise UnsupportedVersion("FetchRequest.replica_state exists in versions 15+ only")
    put(pack_iiiibii(m.replica_id, m.max_wait_ms, m.min_bytes, m.max_bytes, m.isolation_level, m.session_id, m.session_epoch))
    n = len(m.topics) + 1
    put(UVARINT[n] if n < 128 else uvarint(n))
    write_fetch_topic_v13_list(out, m.topics)
    n = len(m.forgotten_topics_data) + 1
    put(UVARINT[n] if n < 128 else uvarint(n))
    write_forgotten_topic_v13_list(out, m.forgotten_topics_data)
    text = m.rack_id.encode()
    n = len(text) + 1
    put(UVARINT[n] if n < 128 else uvarint(n))
    put(text)
    tags: list[bytes] = []
    part: list[bytes]
    if m.cluster_id is not None:
        part = []
        text = m.cluster_id.encode()
        n = len(text) + 1
        part.append(UVARINT[n] if n < 128 else uvarint(n))
        part.append(text)
        tags.append(tagged(0, b"".join(part)))
    put(uvarint(len(tags)))
    out.extend(tags)


def write_replica_state_v15(out: list[bytes], m: ReplicaState) -> None:
    put = out.append
    put(pack_iqx(m.replica_id, m.replica_epoch))


def write_fetch_request_v15(out: list[bytes], m: FetchRequest) -> None:
    put = out.append
    if m.replica_id != -1:
        raise UnsupportedVersion("FetchRequest.replica_id exists in versions 0-14 only")
    put(pack_iiibii(m.max_wait_ms, m.min_bytes, m.max_bytes, m.isolation_level, m.session_id, m.session_epoch))
    n = len(m.topics) + 1
    put(UVARINT[n] if n < 128 else uvarint(n))
    write_fetch_topic_v13_list(out, m.topics)
    n = len(m.forgotten_topics_data) + 1
    put(UVARINT[n] if n < 128 else uvarint(n))
    write_forgotten_topic_v13_list(out, m.forgotten_topics_data)
    text = m.rack_id.encode()
    n = len(text) + 1
    put(UVARINT[n] if n < 128 else uvarint(n))
    put(text)
    tags: list[bytes] = []
    part: list[bytes]
    if m.cluster_id is not None:
        part = []
        text = m.cluster_id.encode()
        n = len(text) + 1
        part.append(UVARINT[n] if n < 128 else uvarint(n))
        part.append(text)
        tags.append(tagged(0, b"".join(part)))
    if m.replica_state is not DEFAULT_REPLICA_STATE and m.replica_state != DEFAULT_REPLICA_STATE:
        part = []
        write_replica_state_v15(part, m.replica_state)
        tags.append(tagged(1, b"".join(part)))
    put(uvarint(len(tags)))
    out.extend(tags)


def write_fetch_partition_v17_list(out: list[bytes], items: list[FetchPartition]) -> None:
    put = out.append
    for m in items:
        put(pack_iiqiqi(m.partition, m.current_leader_epoch, m.fetch_offset, m.last_fetched_epoch, m.log_start_offset, m.partition_max_bytes))
        tags: list[bytes] = []
        part: list[bytes]
        if any(m.replica_directory_id):
            part = []
            part.append(pack_16s(m.replica_directory_id))
            tags.append(tagged(0, b"".join(part)))
        put(uvarint(len(tags)))
        out.extend(tags)


def write_fetch_topic_v17_list(out: list[bytes], items: list[FetchTopic]) -> None:
    put = out.append
    for m in items:
        put(pack_16s(m.topic_id))
        n = len(m.partitions) + 1
        put(UVARINT[n] if n < 128 else uvarint(n))
        write_fetch_partition_v17_list(out, m.partitions)
        put(b"\0")


def write_fetch_request_v17(out: list[bytes], m: FetchRequest) -> None:
    put = out.append
    if m.replica_id != -1:
        raise UnsupportedVersion("FetchRequest.replica_id exists in versions 0-14 only")
    put(pack_iiibii(m.max_wait_ms, m.min_bytes, m.max_bytes, m.isolation_level, m.session_id, m.session_epoch))
    n = len(m.topics) + 1
    put(UVARINT[n] if n < 128 else uvarint(n))
    write_fetch_topic_v17_list(out, m.topics)
    n = len(m.forgotten_topics_data) + 1
    put(UVARINT[n] if n < 128 else uvarint(n))
    write_forgotten_topic_v13_list(out, m.forgotten_topics_data)
    text = m.rack_id.encode()
    n = len(text) + 1
    put(UVARINT[n] if n < 128 else uvarint(n))
    put(text)
    tags: list[bytes] = []
    part: list[bytes]
    if m.cluster_id is not None:
        part = []
        text = m.cluster_id.encode()
        n = len(text) + 1
        part.append(UVARINT[n] if n < 128 else uvarint(n))
        part.append(text)
        tags.append(tagged(0, b"".join(part)))
    if m.replica_state is not DEFAULT_REPLICA_STATE and m.replica_state != DEFAULT_REPLICA_STATE:
        part = []
        write_replica_state_v15(part, m.replica_state)
        tags.append(tagged(1, b"".join(part)))
    put(uvarint(len(tags)))
    out.extend(tags)


def write_fetch_partition_v18_list(out: list[bytes], items: list[FetchPartition]) -> None:
    put = out.append
    for m in items:
        put(pack_iiqiqi(m.partition, m.current_leader_epoch, m.fetch_offset, m.last_fetched_epoch, m.log_start_offset, m.partition_max_bytes))
        tags: list[bytes] = []
        part: list[bytes]
        if any(m.replica_directory_id):
            part = []
            part.append(pack_16s(m.replica_directory_id))
            tags.append(tagged(0, b"".join(part)))
        if m.high_watermark != 9223372036854775807:
            part = []
            part.append(pack_q(m.high_watermark))
            tags.append(tagged(1, b"".join(part)))
        put(uvarint(len(tags)))
        out.extend(tags)


def write_fetch_topic_v18_list(out: list[bytes], items: list[FetchTopic]) -> None:
    put = out.append
    for m in items:
        put(pack_16s(m.topic_id))
        n = len(m.partitions) + 1
        put(UVARINT[n] if n < 128 else uvarint(n))
        write_fetch_partition_v18_list(out, m.partitions)
        put(b"\0")


def write_fetch_request_v18(out: list[bytes], m: FetchRequest) -> None:
    put = out.append
    if m.replica_id != -1:
        raise UnsupportedVersion("FetchRequest.replica_id exists in versions 0-14 only")
    put(pack_iiibii(m.max_wait_ms, m.min_bytes, m.max_bytes, m.isolation_level, m.session_id, m.session_epoch))
    n = len(m.topics) + 1
    put(UVARINT[n] if n < 128 else uvarint(n))
    write_fetch_topic_v18_list(out, m.topics)
    n = len(m.forgotten_topics_data) + 1
    put(UVARINT[n] if n < 128 else uvarint(n))
    write_forgotten_topic_v13_list(out, m.forgotten_topics_data)
    text = m.rack_id.encode()
    n = len(text) + 1
    put(UVARINT[n] if n < 128 else uvarint(n))
    put(text)
    tags: list[bytes] = []
    part: list[bytes]
    if m.cluster_id is not None:
        part = []
        text = m.cluster_id.encode()
        n = len(text) + 1
        part.append(UVARINT[n] if n < 128 else uvarint(n))
        part.append(text)
        tags.append(tagged(0, b"".join(part)))
    if m.replica_state is not DEFAULT_REPLICA_STATE and m.replica_state != DEFAULT_REPLICA_STATE:
        part = []
        write_replica_state_v15(part, m.replica_state)
        tags.append(tagged(1, b"".join(part)))
    put(uvarint(len(tags)))
    out.extend(tags)


def write_aborted_transaction_v4_list(out: list[bytes], items: list[AbortedTransaction]) -> None:
    put = out.append
    for m in items:
        put(pack_qq(m.producer_id, m.first_offset))


def write_partition_data_v4_list(out: list[bytes], items: list[PartitionData]) -> None:
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
            write_aborted_transaction_v4_list(out, m.aborted_transactions)
        if m.records is None:
            put(pack_i(-1))
        else:
            put(pack_i(len(m.records)))
            put(m.records)


def write_fetchable_topic_response_v4_list(out: list[bytes], items: list[FetchableTopicResponse]) -> None:
    put = out.append
    for m in items:
        text = m.topic.encode()
        put(pack_h(len(text)))
        put(text)
        put(pack_i(len(m.partitions)))
        write_partition_data_v4_list(out, m.partitions)


def write_fetch_response_v4(out: list[bytes], m: FetchResponse) -> None:
    put = out.append
    if m.session_id != 0:
        raise UnsupportedVersion("FetchResponse.session_id exists in versions 7+ only")
    if m.node_endpoints:
        raise UnsupportedVersion("FetchResponse.node_endpoints exists in versions 16+ only")
    put(pack_ii(m.throttle_time_ms, len(m.responses)))
    write_fetchable_topic_response_v4_list(out, m.responses)


def write_partition_data_v5_list(out: list[bytes], items: list[PartitionData]) -> None:
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
            write_aborted_transaction_v4_list(out, m.aborted_transactions)
        if m.records is None:
            put(pack_i(-1))
        else:
            put(pack_i(len(m.records)))
            put(m.records)


def write_fetchable_topic_response_v5_list(out: list[bytes], items: list[FetchableTopicResponse]) -> None:
    put = out.append
    for m in items:
        text = m.topic.encode()
        put(pack_h(len(text)))
        put(text)
        put(pack_i(len(m.partitions)))
        write_partition_data_v5_list(out, m.partitions)


def write_fetch_response_v5(out: list[bytes], m: FetchResponse) -> None:
    put = out.append
    if m.session_id != 0:
        raise UnsupportedVersion("FetchResponse.session_id exists in versions 7+ only")
    if m.node_endpoints:
        raise UnsupportedVersion("FetchResponse.node_endpoints exists in versions 16+ only")
    put(pack_ii(m.throttle_time_ms, len(m.responses)))
    write_fetchable_topic_response_v5_list(out, m.responses)


def write_fetch_response_v7(out: list[bytes], m: FetchResponse) -> None:
    put = out.append
    if m.node_endpoints:
        raise UnsupportedVersion("FetchResponse.node_endpoints exists in versions 16+ only")
    put(pack_ihii(m.throttle_time_ms, m.error_code, m.session_id, len(m.responses)))
    write_fetchable_topic_response_v5_list(out, m.responses)


def write_partition_data_v11_list(out: list[bytes], items: list[PartitionData]) -> None:
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
            write_aborted_transaction_v4_list(out, m.aborted_transactions)
        if m.records is None:
            put(pack_ii(m.preferred_read_replica, -1))
        else:
            put(pack_ii(m.preferred_read_replica, len(m.records)))
            put(m.records)


def write_fetchable_topic_response_v11_list(out: list[bytes], items: list[FetchableTopicResponse]) -> None:
    put = out.append
    for m in items:
        text = m.topic.encode()
        put(pack_h(len(text)))
        put(text)
        put(pack_i(len(m.partitions)))
        write_partition_data_v11_list(out, m.partitions)


def write_fetch_response_v11(out: list[bytes], m: FetchResponse) -> None:
    put = out.append
    if m.node_endpoints:
        raise UnsupportedVersion("FetchResponse.node_endpoints exists in versions 16+ only")
    put(pack_ihii(m.throttle_time_ms, m.error_code, m.session_id, len(m.responses)))
    write_fetchable_topic_response_v11_list(out, m.responses)


def write_epoch_end_offset_v12(out: list[bytes], m: EpochEndOffset) -> None:
    put = out.append
    put(pack_iqx(m.epoch, m.end_offset))


def write_leader_id_and_epoch_v12(out: list[bytes], m: LeaderIdAndEpoch) -> None:
    put = out.append
    put(pack_iix(m.leader_id, m.leader_epoch))


def write_snapshot_id_v12(out: list[bytes], m: SnapshotId) -> None:
    put = out.append
    put(pack_qix(m.end_offset, m.epoch))


def write_aborted_transaction_v12_list(out: list[bytes], items: list[AbortedTransaction]) -> None:
    put = out.append
    for m in items:
        put(pack_qqx(m.producer_id, m.first_offset))


def write_partition_data_v12_list(out: list[bytes], items: list[PartitionData]) -> None:
    put = out.append
    for m in items:
        put(pack_ihqqq(m.partition_index, m.error_code, m.high_watermark, m.last_stable_offset, m.log_start_offset))
        if m.aborted_transactions is None:
            put(b"\0")
        else:
            n = len(m.aborted_transactions) + 1
            put(UVARINT[n] if n < 128 else uvarint(n))
            write_aborted_transaction_v12_list(out, m.aborted_transactions)
        put(pack_i(m.preferred_read_replica))
        if m.records is None:
            put(b"\0")
        else:
            n = len(m.records) + 1
            put(UVARINT[n] if n < 128 else uvarint(n))
            put(m.records)
        tags: list[bytes] = []
        part: list[bytes]
        if m.diverging_epoch is not DEFAULT_EPOCH_END_OFFSET and m.diverging_epoch != DEFAULT_EPOCH_END_OFFSET:
            part = []
            write_epoch_end_offset_v12(part, m.diverging_epoch)
            tags.append(tagged(0, b"".join(part)))
        if m.current_leader is not DEFAULT_LEADER_ID_AND_EPOCH and m.current_leader != DEFAULT_LEADER_ID_AND_EPOCH:
            part = []
            write_leader_id_and_epoch_v12(part, m.current_leader)
            tags.append(tagged(1, b"".join(part)))
        if m.snapshot_id is not DEFAULT_SNAPSHOT_ID and m.snapshot_id != DEFAULT_SNAPSHOT_ID:
            part = []
            write_snapshot_id_v12(part, m.snapshot_id)
            tags.append(tagged(2, b"".join(part)))
        put(uvarint(len(tags)))
        out.extend(tags)


def write_fetchable_topic_response_v12_list(out: list[bytes], items: list[FetchableTopicResponse]) -> None:
    put = out.append
    for m in items:
        text = m.topic.encode()
        n = len(text) + 1
        put(UVARINT[n] if n < 128 else uvarint(n))
        put(text)
        n = len(m.partitions) + 1
        put(UVARINT[n] if n < 128 else uvarint(n))
        write_partition_data_v12_list(out, m.partitions)
        put(b"\0")


def write_fetch_response_v12(out: list[bytes], m: FetchResponse) -> None:
    put = out.append
    if m.node_endpoints:
        raise UnsupportedVersion("FetchResponse.node_endpoints exists in versions 16+ only")
    put(pack_ihi(m.throttle_time_ms, m.error_code, m.session_id))
    n = len(m.responses) + 1
    put(UVARINT[n] if n < 128 else uvarint(n))
    write_fetchable_topic_response_v12_list(out, m.responses)
    put(b"\0")


def write_fetchable_topic_response_v13_list(out: list[bytes], items: list[FetchableTopicResponse]) -> None:
    put = out.append
    for m in items:
        put(pack_16s(m.topic_id))
        n = len(m.partitions) + 1
        put(UVARINT[n] if n < 128 else uvarint(n))
        write_partition_data_v12_list(out, m.partitions)
        put(b"\0")


def write_fetch_response_v13(out: list[bytes], m: FetchResponse) -> None:
    put = out.append
    if m.node_endpoints:
        raise UnsupportedVersion("FetchResponse.node_endpoints exists in versions 16+ only")
    put(pack_ihi(m.throttle_time_ms, m.error_code, m.session_id))
    n = len(m.responses) + 1
    put(UVARINT[n] if n < 128 else uvarint(n))
    write_fetchable_topic_response_v13_list(out, m.responses)
    put(b"\0")


def write_node_endpoint_v16_list(out: list[bytes], items: list[NodeEndpoint]) -> None:
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


def write_fetch_response_v16(out: list[bytes], m: FetchResponse) -> None:
    put = out.append
    put(pack_ihi(m.throttle_time_ms, m.error_code, m.session_id))
    n = len(m.responses) + 1
    put(UVARINT[n] if n < 128 else uvarint(n))
    write_fetchable_topic_response_v13_list(out, m.responses)
    tags: list[bytes] = []
    part: list[bytes]
    if m.node_endpoints:
        part = []
        n = len(m.node_endpoints) + 1
        part.append(UVARINT[n] if n < 128 else uvarint(n))
        write_node_endpoint_v16_list(part, m.node_endpoints)
        tags.append(tagged(0, b"".join(part)))
    put(uvarint(len(tags)))
    out.extend(tags)


FetchRequest.READERS = {
    4: read_fetch_request_v4,
    5: read_fetch_request_v5,
    6: read_fetch_request_v5,
    7: read_fetch_request_v7,
    8: read_fetch_request_v7,
    9: read_fetch_request_v9,
    10: read_fetch_request_v9,
    11: read_fetch_request_v11,
    12: read_fetch_request_v12,
    13: read_fetch_request_v13,
    14: read_fetch_request_v13,
    15: read_fetch_request_v15,
    16: read_fetch_request_v15,
    17: read_fetch_request_v17,
    18: read_fetch_request_v18,
}
FetchRequest.WRITERS = {
    4: write_fetch_request_v4,
    5: write_fetch_request_v5,
    6: write_fetch_request_v5,
    7: write_fetch_request_v7,
    8: write_fetch_request_v7,
    9: write_fetch_request_v9,
    10: write_fetch_request_v9,
    11: write_fetch_request_v11,
    12: write_fetch_request_v12,
    13: write_fetch_request_v13,
    14: write_fetch_request_v13,
    15: write_fetch_request_v15,
    16: write_fetch_request_v15,
    17: write_fetch_request_v17,
    18: write_fetch_request_v18,
}
FetchResponse.READERS = {
    4: read_fetch_response_v4,
    5: read_fetch_response_v5,
    6: read_fetch_response_v5,
    7: read_fetch_response_v7,
    8: read_fetch_response_v7,
    9: read_fetch_response_v7,
    10: read_fetch_response_v7,
    11: read_fetch_response_v11,
    12: read_fetch_response_v12,
    13: read_fetch_response_v13,
    14: read_fetch_response_v13,
    15: read_fetch_response_v13,
    16: read_fetch_response_v16,
    17: read_fetch_response_v16,
    18: read_fetch_response_v16,
}
FetchResponse.WRITERS = {
    4: write_fetch_response_v4,
    5: write_fetch_response_v5,
    6: write_fetch_response_v5,
    7: write_fetch_response_v7,
    8: write_fetch_response_v7,
    9: write_fetch_response_v7,
    10: write_fetch_response_v7,
    11: write_fetch_response_v11,
    12: write_fetch_response_v12,
    13: write_fetch_response_v13,
    14: write_fetch_response_v13,
    15: write_fetch_response_v13,
    16: write_fetch_response_v16,
    17: write_fetch_response_v16,
    18: write_fetch_response_v16,
}
