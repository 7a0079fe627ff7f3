"""Generated from `tenure/protocol/tables/fetch.py` by `python -m tenure.protocol.generate`."""

from struct import Struct as Packer
from typing import Final

from tenure.protocol.generated.fetch import (
    AbortedTransaction,
    DEFAULT_EPOCH_END_OFFSET,
    DEFAULT_LEADER_ID_AND_EPOCH,
    DEFAULT_REPLICA_STATE,
    DEFAULT_SNAPSHOT_ID,
    EpochEndOffset,
    FetchPartition,
    FetchRequest,
    FetchResponse,
    FetchTopic,
    FetchableTopicResponse,
    ForgottenTopic,
    LeaderIdAndEpoch,
    NodeEndpoint,
    PartitionData,
    ReplicaState,
    SnapshotId,
)
from tenure.protocol.message import (
    Data,
    MalformedMessage,
)
from tenure.protocol.types import (
    BrokerId,
    TopicName,
    ZERO_TOPIC_ID,
)
from tenure.protocol.wire import (
    Elements,
    UNBOUNDED,
    UNCOUNTED_BYTES,
    read_int32s,
    read_tag,
    read_text_length,
    read_uvarint,
    skip_tags,
    too_many,
    utf8,
    utf8_of,
)

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


def read_fetch_partition_v4_list(data: bytes, at: int, announced: int, elements: Elements) -> tuple[list[FetchPartition], int]:
    if announced * 16 > len(data) - at:
        raise too_many(announced, 16, data, at)
    found: list[FetchPartition] = []
    for _ in range(announced):
        partition, fetch_offset, partition_max_bytes = unpack_iqi(data, at)
        at += 16
        found.append(FetchPartition(partition, -1, fetch_offset, -1, -1, partition_max_bytes))
    return found, at


def read_fetch_topic_v4_list(data: bytes, at: int, announced: int, elements: Elements) -> tuple[list[FetchTopic], int]:
    if announced * 6 > len(data) - at:
        raise too_many(announced, 6, data, at)
    found: list[FetchTopic] = []
    for _ in range(announced):
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
        if elements is not UNBOUNDED:
            elements.add(n)
        partitions, at = read_fetch_partition_v4_list(data, at, n, elements)
        found.append(FetchTopic(topic, ZERO_TOPIC_ID, partitions))
    return found, at


def read_fetch_request_v4(data: bytes, at: int) -> tuple[FetchRequest, int]:
    elements = UNBOUNDED if len(data) <= UNCOUNTED_BYTES else Elements()
    replica_id, max_wait_ms, min_bytes, max_bytes, isolation_level, n = unpack_iiiibi(data, at)
    at += 21
    if n < 0:
        raise MalformedMessage("FetchRequest.topics is null")
    if elements is not UNBOUNDED:
        elements.add(n)
    topics, at = read_fetch_topic_v4_list(data, at, n, elements)
    return FetchRequest(None, replica_id, DEFAULT_REPLICA_STATE, max_wait_ms, min_bytes, max_bytes, isolation_level, 0, -1, topics), at


def read_fetch_partition_v5_list(data: bytes, at: int, announced: int, elements: Elements) -> tuple[list[FetchPartition], int]:
    if announced * 24 > len(data) - at:
        raise too_many(announced, 24, data, at)
    found: list[FetchPartition] = []
    for _ in range(announced):
        partition, fetch_offset, log_start_offset, partition_max_bytes = unpack_iqqi(data, at)
        at += 24
        found.append(FetchPartition(partition, -1, fetch_offset, -1, log_start_offset, partition_max_bytes))
    return found, at


def read_fetch_topic_v5_list(data: bytes, at: int, announced: int, elements: Elements) -> tuple[list[FetchTopic], int]:
    if announced * 6 > len(data) - at:
        raise too_many(announced, 6, data, at)
    found: list[FetchTopic] = []
    for _ in range(announced):
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
        if elements is not UNBOUNDED:
            elements.add(n)
        partitions, at = read_fetch_partition_v5_list(data, at, n, elements)
        found.append(FetchTopic(topic, ZERO_TOPIC_ID, partitions))
    return found, at


def read_fetch_request_v5(data: bytes, at: int) -> tuple[FetchRequest, int]:
    elements = UNBOUNDED if len(data) <= UNCOUNTED_BYTES else Elements()
    replica_id, max_wait_ms, min_bytes, max_bytes, isolation_level, n = unpack_iiiibi(data, at)
    at += 21
    if n < 0:
        raise MalformedMessage("FetchRequest.topics is null")
    if elements is not UNBOUNDED:
        elements.add(n)
    topics, at = read_fetch_topic_v5_list(data, at, n, elements)
    return FetchRequest(None, replica_id, DEFAULT_REPLICA_STATE, max_wait_ms, min_bytes, max_bytes, isolation_level, 0, -1, topics), at


def read_forgotten_topic_v7_list(data: bytes, at: int, announced: int, elements: Elements) -> tuple[list[ForgottenTopic], int]:
    if announced * 6 > len(data) - at:
        raise too_many(announced, 6, data, at)
    found: list[ForgottenTopic] = []
    for _ in range(announced):
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
        if elements is not UNBOUNDED:
            elements.add(n)
        partitions = read_int32s(data, at, n)
        at += 4 * n
        found.append(ForgottenTopic(topic, ZERO_TOPIC_ID, partitions))
    return found, at


def read_fetch_request_v7(data: bytes, at: int) -> tuple[FetchRequest, int]:
    elements = UNBOUNDED if len(data) <= UNCOUNTED_BYTES else Elements()
    replica_id, max_wait_ms, min_bytes, max_bytes, isolation_level, session_id, session_epoch, n = unpack_iiiibiii(data, at)
    at += 29
    if n < 0:
        raise MalformedMessage("FetchRequest.topics is null")
    if elements is not UNBOUNDED:
        elements.add(n)
    topics, at = read_fetch_topic_v5_list(data, at, n, elements)
    (n,) = unpack_i(data, at)
    at += 4
    if n < 0:
        raise MalformedMessage("FetchRequest.forgotten_topics_data is null")
    if elements is not UNBOUNDED:
        elements.add(n)
    forgotten_topics_data, at = read_forgotten_topic_v7_list(data, at, n, elements)
    return FetchRequest(None, replica_id, DEFAULT_REPLICA_STATE, max_wait_ms, min_bytes, max_bytes, isolation_level, session_id, session_epoch, topics, forgotten_topics_data), at


def read_fetch_partition_v9_list(data: bytes, at: int, announced: int, elements: Elements) -> tuple[list[FetchPartition], int]:
    if announced * 28 > len(data) - at:
        raise too_many(announced, 28, data, at)
    found: list[FetchPartition] = []
    for _ in range(announced):
        partition, current_leader_epoch, fetch_offset, log_start_offset, partition_max_bytes = unpack_iiqqi(data, at)
        at += 28
        found.append(FetchPartition(partition, current_leader_epoch, fetch_offset, -1, log_start_offset, partition_max_bytes))
    return found, at


def read_fetch_topic_v9_list(data: bytes, at: int, announced: int, elements: Elements) -> tuple[list[FetchTopic], int]:
    if announced * 6 > len(data) - at:
        raise too_many(announced, 6, data, at)
    found: list[FetchTopic] = []
    for _ in range(announced):
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
        if elements is not UNBOUNDED:
            elements.add(n)
        partitions, at = read_fetch_partition_v9_list(data, at, n, elements)
        found.append(FetchTopic(topic, ZERO_TOPIC_ID, partitions))
    return found, at


def read_fetch_request_v9(data: bytes, at: int) -> tuple[FetchRequest, int]:
    elements = UNBOUNDED if len(data) <= UNCOUNTED_BYTES else Elements()
    replica_id, max_wait_ms, min_bytes, max_bytes, isolation_level, session_id, session_epoch, n = unpack_iiiibiii(data, at)
    at += 29
    if n < 0:
        raise MalformedMessage("FetchRequest.topics is null")
    if elements is not UNBOUNDED:
        elements.add(n)
    topics, at = read_fetch_topic_v9_list(data, at, n, elements)
    (n,) = unpack_i(data, at)
    at += 4
    if n < 0:
        raise MalformedMessage("FetchRequest.forgotten_topics_data is null")
    if elements is not UNBOUNDED:
        elements.add(n)
    forgotten_topics_data, at = read_forgotten_topic_v7_list(data, at, n, elements)
    return FetchRequest(None, replica_id, DEFAULT_REPLICA_STATE, max_wait_ms, min_bytes, max_bytes, isolation_level, session_id, session_epoch, topics, forgotten_topics_data), at


def read_fetch_request_v11(data: bytes, at: int) -> tuple[FetchRequest, int]:
    elements = UNBOUNDED if len(data) <= UNCOUNTED_BYTES else Elements()
    replica_id, max_wait_ms, min_bytes, max_bytes, isolation_level, session_id, session_epoch, n = unpack_iiiibiii(data, at)
    at += 29
    if n < 0:
        raise MalformedMessage("FetchRequest.topics is null")
    if elements is not UNBOUNDED:
        elements.add(n)
    topics, at = read_fetch_topic_v9_list(data, at, n, elements)
    (n,) = unpack_i(data, at)
    at += 4
    if n < 0:
        raise MalformedMessage("FetchRequest.forgotten_topics_data is null")
    if elements is not UNBOUNDED:
        elements.add(n)
    forgotten_topics_data, at = read_forgotten_topic_v7_list(data, at, n, elements)
    (n,) = unpack_h(data, at)
    at += 2
    if n < 0:
        raise MalformedMessage("FetchRequest.rack_id is null")
    end = at + n
    rack_id = utf8(data[at:end])
    at = end
    return FetchRequest(None, replica_id, DEFAULT_REPLICA_STATE, max_wait_ms, min_bytes, max_bytes, isolation_level, session_id, session_epoch, topics, forgotten_topics_data, rack_id), at


def read_fetch_partition_v12_list(data: bytes, at: int, announced: int, elements: Elements) -> tuple[list[FetchPartition], int]:
    if announced * 33 > len(data) - at:
        raise too_many(announced, 33, data, at)
    found: list[FetchPartition] = []
    for _ in range(announced):
        partition, current_leader_epoch, fetch_offset, last_fetched_epoch, log_start_offset, partition_max_bytes, tags = unpack_iiqiqiB(data, at)
        at += 33
        if tags:
            at = skip_tags(data, at - 1, elements)
        found.append(FetchPartition(partition, current_leader_epoch, fetch_offset, last_fetched_epoch, log_start_offset, partition_max_bytes))
    return found, at


def read_fetch_topic_v12_list(data: bytes, at: int, announced: int, elements: Elements) -> tuple[list[FetchTopic], int]:
    if announced * 3 > len(data) - at:
        raise too_many(announced, 3, data, at)
    found: list[FetchTopic] = []
    for _ in range(announced):
        n = data[at]
        at += 1
        if n > 127:
            n, at = read_text_length(data, at - 1)
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
        if elements is not UNBOUNDED:
            elements.add(n)
        partitions, at = read_fetch_partition_v12_list(data, at, n, elements)
        tags = data[at]
        at += 1
        if tags:
            at = skip_tags(data, at - 1, elements)
        found.append(FetchTopic(topic, ZERO_TOPIC_ID, partitions))
    return found, at


def read_forgotten_topic_v12_list(data: bytes, at: int, announced: int, elements: Elements) -> tuple[list[ForgottenTopic], int]:
    if announced * 3 > len(data) - at:
        raise too_many(announced, 3, data, at)
    found: list[ForgottenTopic] = []
    for _ in range(announced):
        n = data[at]
        at += 1
        if n > 127:
            n, at = read_text_length(data, at - 1)
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
        if elements is not UNBOUNDED:
            elements.add(n)
        partitions = read_int32s(data, at, n)
        at += 4 * n
        tags = data[at]
        at += 1
        if tags:
            at = skip_tags(data, at - 1, elements)
        found.append(ForgottenTopic(topic, ZERO_TOPIC_ID, partitions))
    return found, at


def read_fetch_request_v12(data: bytes, at: int) -> tuple[FetchRequest, int]:
    elements = UNBOUNDED if len(data) <= UNCOUNTED_BYTES else Elements()
    replica_id, max_wait_ms, min_bytes, max_bytes, isolation_level, session_id, session_epoch, n = unpack_iiiibiiB(data, at)
    at += 26
    if n > 127:
        n, at = read_uvarint(data, at - 1)
    n -= 1
    if n < 0:
        raise MalformedMessage("FetchRequest.topics is null")
    if elements is not UNBOUNDED:
        elements.add(n)
    topics, at = read_fetch_topic_v12_list(data, at, n, elements)
    n = data[at]
    at += 1
    if n > 127:
        n, at = read_uvarint(data, at - 1)
    n -= 1
    if n < 0:
        raise MalformedMessage("FetchRequest.forgotten_topics_data is null")
    if elements is not UNBOUNDED:
        elements.add(n)
    forgotten_topics_data, at = read_forgotten_topic_v12_list(data, at, n, elements)
    n = data[at]
    at += 1
    if n > 127:
        n, at = read_text_length(data, at - 1)
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
        if elements is not UNBOUNDED:
            elements.add(tags)
        tag = -1
        for _ in range(tags):
            tag, n, at = read_tag(data, at, tag)
            stop = at + n
            if tag == 0:
                n = data[at]
                at += 1
                if n > 127:
                    n, at = read_text_length(data, at - 1)
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


def read_fetch_topic_v13_list(data: bytes, at: int, announced: int, elements: Elements) -> tuple[list[FetchTopic], int]:
    if announced * 18 > len(data) - at:
        raise too_many(announced, 18, data, at)
    found: list[FetchTopic] = []
    for _ in range(announced):
        topic_id, n = unpack_16sB(data, at)
        at += 17
        if n > 127:
            n, at = read_uvarint(data, at - 1)
        n -= 1
        if n < 0:
            raise MalformedMessage("FetchTopic.partitions is null")
        if elements is not UNBOUNDED:
            elements.add(n)
        partitions, at = read_fetch_partition_v12_list(data, at, n, elements)
        tags = data[at]
        at += 1
        if tags:
            at = skip_tags(data, at - 1, elements)
        found.append(FetchTopic(TopicName(""), topic_id, partitions))
    return found, at


def read_forgotten_topic_v13_list(data: bytes, at: int, announced: int, elements: Elements) -> tuple[list[ForgottenTopic], int]:
    if announced * 18 > len(data) - at:
        raise too_many(announced, 18, data, at)
    found: list[ForgottenTopic] = []
    for _ in range(announced):
        topic_id, n = unpack_16sB(data, at)
        at += 17
        if n > 127:
            n, at = read_uvarint(data, at - 1)
        n -= 1
        if n < 0:
            raise MalformedMessage("ForgottenTopic.partitions is null")
        if elements is not UNBOUNDED:
            elements.add(n)
        partitions = read_int32s(data, at, n)
        at += 4 * n
        tags = data[at]
        at += 1
        if tags:
            at = skip_tags(data, at - 1, elements)
        found.append(ForgottenTopic(TopicName(""), topic_id, partitions))
    return found, at


def read_fetch_request_v13(data: bytes, at: int) -> tuple[FetchRequest, int]:
    elements = UNBOUNDED if len(data) <= UNCOUNTED_BYTES else Elements()
    replica_id, max_wait_ms, min_bytes, max_bytes, isolation_level, session_id, session_epoch, n = unpack_iiiibiiB(data, at)
    at += 26
    if n > 127:
        n, at = read_uvarint(data, at - 1)
    n -= 1
    if n < 0:
        raise MalformedMessage("FetchRequest.topics is null")
    if elements is not UNBOUNDED:
        elements.add(n)
    topics, at = read_fetch_topic_v13_list(data, at, n, elements)
    n = data[at]
    at += 1
    if n > 127:
        n, at = read_uvarint(data, at - 1)
    n -= 1
    if n < 0:
        raise MalformedMessage("FetchRequest.forgotten_topics_data is null")
    if elements is not UNBOUNDED:
        elements.add(n)
    forgotten_topics_data, at = read_forgotten_topic_v13_list(data, at, n, elements)
    n = data[at]
    at += 1
    if n > 127:
        n, at = read_text_length(data, at - 1)
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
        if elements is not UNBOUNDED:
            elements.add(tags)
        tag = -1
        for _ in range(tags):
            tag, n, at = read_tag(data, at, tag)
            stop = at + n
            if tag == 0:
                n = data[at]
                at += 1
                if n > 127:
                    n, at = read_text_length(data, at - 1)
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


def read_replica_state_v15(data: bytes, at: int, elements: Elements) -> tuple[ReplicaState, int]:
    replica_id, replica_epoch, tags = unpack_iqB(data, at)
    at += 13
    if tags:
        at = skip_tags(data, at - 1, elements)
    return ReplicaState(replica_id, replica_epoch), at


def read_fetch_request_v15(data: bytes, at: int) -> tuple[FetchRequest, int]:
    elements = UNBOUNDED if len(data) <= UNCOUNTED_BYTES else Elements()
    max_wait_ms, min_bytes, max_bytes, isolation_level, session_id, session_epoch, n = unpack_iiibiiB(data, at)
    at += 22
    if n > 127:
        n, at = read_uvarint(data, at - 1)
    n -= 1
    if n < 0:
        raise MalformedMessage("FetchRequest.topics is null")
    if elements is not UNBOUNDED:
        elements.add(n)
    topics, at = read_fetch_topic_v13_list(data, at, n, elements)
    n = data[at]
    at += 1
    if n > 127:
        n, at = read_uvarint(data, at - 1)
    n -= 1
    if n < 0:
        raise MalformedMessage("FetchRequest.forgotten_topics_data is null")
    if elements is not UNBOUNDED:
        elements.add(n)
    forgotten_topics_data, at = read_forgotten_topic_v13_list(data, at, n, elements)
    n = data[at]
    at += 1
    if n > 127:
        n, at = read_text_length(data, at - 1)
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
        if elements is not UNBOUNDED:
            elements.add(tags)
        tag = -1
        for _ in range(tags):
            tag, n, at = read_tag(data, at, tag)
            stop = at + n
            if tag == 0:
                n = data[at]
                at += 1
                if n > 127:
                    n, at = read_text_length(data, at - 1)
                n -= 1
                if n >= 0:
                    end = at + n
                    cluster_id = utf8(data[at:end])
                    at = end
                else:
                    cluster_id = None
            elif tag == 1:
                replica_state, at = read_replica_state_v15(data, at, elements)
            else:
                at = stop
            if at != stop:
                raise MalformedMessage(f"tag {tag} of FetchRequest has a wrong size")
    return FetchRequest(cluster_id, BrokerId(-1), replica_state, max_wait_ms, min_bytes, max_bytes, isolation_level, session_id, session_epoch, topics, forgotten_topics_data, rack_id), at


def read_fetch_partition_v17_list(data: bytes, at: int, announced: int, elements: Elements) -> tuple[list[FetchPartition], int]:
    if announced * 33 > len(data) - at:
        raise too_many(announced, 33, data, at)
    found: list[FetchPartition] = []
    for _ in range(announced):
        partition, current_leader_epoch, fetch_offset, last_fetched_epoch, log_start_offset, partition_max_bytes, tags = unpack_iiqiqiB(data, at)
        at += 33
        replica_directory_id: bytes = bytes(16)
        if tags:
            tags, at = read_uvarint(data, at - 1)
            if elements is not UNBOUNDED:
                elements.add(tags)
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


def read_fetch_topic_v17_list(data: bytes, at: int, announced: int, elements: Elements) -> tuple[list[FetchTopic], int]:
    if announced * 18 > len(data) - at:
        raise too_many(announced, 18, data, at)
    found: list[FetchTopic] = []
    for _ in range(announced):
        topic_id, n = unpack_16sB(data, at)
        at += 17
        if n > 127:
            n, at = read_uvarint(data, at - 1)
        n -= 1
        if n < 0:
            raise MalformedMessage("FetchTopic.partitions is null")
        if elements is not UNBOUNDED:
            elements.add(n)
        partitions, at = read_fetch_partition_v17_list(data, at, n, elements)
        tags = data[at]
        at += 1
        if tags:
            at = skip_tags(data, at - 1, elements)
        found.append(FetchTopic(TopicName(""), topic_id, partitions))
    return found, at


def read_fetch_request_v17(data: bytes, at: int) -> tuple[FetchRequest, int]:
    elements = UNBOUNDED if len(data) <= UNCOUNTED_BYTES else Elements()
    max_wait_ms, min_bytes, max_bytes, isolation_level, session_id, session_epoch, n = unpack_iiibiiB(data, at)
    at += 22
    if n > 127:
        n, at = read_uvarint(data, at - 1)
    n -= 1
    if n < 0:
        raise MalformedMessage("FetchRequest.topics is null")
    if elements is not UNBOUNDED:
        elements.add(n)
    topics, at = read_fetch_topic_v17_list(data, at, n, elements)
    n = data[at]
    at += 1
    if n > 127:
        n, at = read_uvarint(data, at - 1)
    n -= 1
    if n < 0:
        raise MalformedMessage("FetchRequest.forgotten_topics_data is null")
    if elements is not UNBOUNDED:
        elements.add(n)
    forgotten_topics_data, at = read_forgotten_topic_v13_list(data, at, n, elements)
    n = data[at]
    at += 1
    if n > 127:
        n, at = read_text_length(data, at - 1)
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
        if elements is not UNBOUNDED:
            elements.add(tags)
        tag = -1
        for _ in range(tags):
            tag, n, at = read_tag(data, at, tag)
            stop = at + n
            if tag == 0:
                n = data[at]
                at += 1
                if n > 127:
                    n, at = read_text_length(data, at - 1)
                n -= 1
                if n >= 0:
                    end = at + n
                    cluster_id = utf8(data[at:end])
                    at = end
                else:
                    cluster_id = None
            elif tag == 1:
                replica_state, at = read_replica_state_v15(data, at, elements)
            else:
                at = stop
            if at != stop:
                raise MalformedMessage(f"tag {tag} of FetchRequest has a wrong size")
    return FetchRequest(cluster_id, BrokerId(-1), replica_state, max_wait_ms, min_bytes, max_bytes, isolation_level, session_id, session_epoch, topics, forgotten_topics_data, rack_id), at


def read_fetch_partition_v18_list(data: bytes, at: int, announced: int, elements: Elements) -> tuple[list[FetchPartition], int]:
    if announced * 33 > len(data) - at:
        raise too_many(announced, 33, data, at)
    found: list[FetchPartition] = []
    for _ in range(announced):
        partition, current_leader_epoch, fetch_offset, last_fetched_epoch, log_start_offset, partition_max_bytes, tags = unpack_iiqiqiB(data, at)
        at += 33
        replica_directory_id: bytes = bytes(16)
        high_watermark: int = 9223372036854775807
        if tags:
            tags, at = read_uvarint(data, at - 1)
            if elements is not UNBOUNDED:
                elements.add(tags)
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


def read_fetch_topic_v18_list(data: bytes, at: int, announced: int, elements: Elements) -> tuple[list[FetchTopic], int]:
    if announced * 18 > len(data) - at:
        raise too_many(announced, 18, data, at)
    found: list[FetchTopic] = []
    for _ in range(announced):
        topic_id, n = unpack_16sB(data, at)
        at += 17
        if n > 127:
            n, at = read_uvarint(data, at - 1)
        n -= 1
        if n < 0:
            raise MalformedMessage("FetchTopic.partitions is null")
        if elements is not UNBOUNDED:
            elements.add(n)
        partitions, at = read_fetch_partition_v18_list(data, at, n, elements)
        tags = data[at]
        at += 1
        if tags:
            at = skip_tags(data, at - 1, elements)
        found.append(FetchTopic(TopicName(""), topic_id, partitions))
    return found, at


def read_fetch_request_v18(data: bytes, at: int) -> tuple[FetchRequest, int]:
    elements = UNBOUNDED if len(data) <= UNCOUNTED_BYTES else Elements()
    max_wait_ms, min_bytes, max_bytes, isolation_level, session_id, session_epoch, n = unpack_iiibiiB(data, at)
    at += 22
    if n > 127:
        n, at = read_uvarint(data, at - 1)
    n -= 1
    if n < 0:
        raise MalformedMessage("FetchRequest.topics is null")
    if elements is not UNBOUNDED:
        elements.add(n)
    topics, at = read_fetch_topic_v18_list(data, at, n, elements)
    n = data[at]
    at += 1
    if n > 127:
        n, at = read_uvarint(data, at - 1)
    n -= 1
    if n < 0:
        raise MalformedMessage("FetchRequest.forgotten_topics_data is null")
    if elements is not UNBOUNDED:
        elements.add(n)
    forgotten_topics_data, at = read_forgotten_topic_v13_list(data, at, n, elements)
    n = data[at]
    at += 1
    if n > 127:
        n, at = read_text_length(data, at - 1)
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
        if elements is not UNBOUNDED:
            elements.add(tags)
        tag = -1
        for _ in range(tags):
            tag, n, at = read_tag(data, at, tag)
            stop = at + n
            if tag == 0:
                n = data[at]
                at += 1
                if n > 127:
                    n, at = read_text_length(data, at - 1)
                n -= 1
                if n >= 0:
                    end = at + n
                    cluster_id = utf8(data[at:end])
                    at = end
                else:
                    cluster_id = None
            elif tag == 1:
                replica_state, at = read_replica_state_v15(data, at, elements)
            else:
                at = stop
            if at != stop:
                raise MalformedMessage(f"tag {tag} of FetchRequest has a wrong size")
    return FetchRequest(cluster_id, BrokerId(-1), replica_state, max_wait_ms, min_bytes, max_bytes, isolation_level, session_id, session_epoch, topics, forgotten_topics_data, rack_id), at


def read_aborted_transaction_v4_list(data: Data, at: int, announced: int) -> tuple[list[AbortedTransaction], int]:
    if announced * 16 > len(data) - at:
        raise too_many(announced, 16, data, at)
    found: list[AbortedTransaction] = []
    for _ in range(announced):
        producer_id, first_offset = unpack_qq(data, at)
        at += 16
        found.append(AbortedTransaction(producer_id, first_offset))
    return found, at


def read_partition_data_v4_list(data: Data, at: int, announced: int) -> tuple[list[PartitionData], int]:
    if announced * 30 > len(data) - at:
        raise too_many(announced, 30, data, at)
    found: list[PartitionData] = []
    for _ in range(announced):
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


def read_fetchable_topic_response_v4_list(data: Data, at: int, announced: int) -> tuple[list[FetchableTopicResponse], int]:
    if announced * 6 > len(data) - at:
        raise too_many(announced, 6, data, at)
    found: list[FetchableTopicResponse] = []
    for _ in range(announced):
        (n,) = unpack_h(data, at)
        at += 2
        if n < 0:
            raise MalformedMessage("FetchableTopicResponse.topic is null")
        end = at + n
        topic = utf8_of(data[at:end])
        at = end
        (n,) = unpack_i(data, at)
        at += 4
        if n < 0:
            raise MalformedMessage("FetchableTopicResponse.partitions is null")
        partitions, at = read_partition_data_v4_list(data, at, n)
        found.append(FetchableTopicResponse(topic, ZERO_TOPIC_ID, partitions))
    return found, at


def read_fetch_response_v4(data: Data, at: int) -> tuple[FetchResponse, int]:
    throttle_time_ms, n = unpack_ii(data, at)
    at += 8
    if n < 0:
        raise MalformedMessage("FetchResponse.responses is null")
    responses, at = read_fetchable_topic_response_v4_list(data, at, n)
    return FetchResponse(throttle_time_ms, 0, 0, responses), at


def read_partition_data_v5_list(data: Data, at: int, announced: int) -> tuple[list[PartitionData], int]:
    if announced * 38 > len(data) - at:
        raise too_many(announced, 38, data, at)
    found: list[PartitionData] = []
    for _ in range(announced):
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


def read_fetchable_topic_response_v5_list(data: Data, at: int, announced: int) -> tuple[list[FetchableTopicResponse], int]:
    if announced * 6 > len(data) - at:
        raise too_many(announced, 6, data, at)
    found: list[FetchableTopicResponse] = []
    for _ in range(announced):
        (n,) = unpack_h(data, at)
        at += 2
        if n < 0:
            raise MalformedMessage("FetchableTopicResponse.topic is null")
        end = at + n
        topic = utf8_of(data[at:end])
        at = end
        (n,) = unpack_i(data, at)
        at += 4
        if n < 0:
            raise MalformedMessage("FetchableTopicResponse.partitions is null")
        partitions, at = read_partition_data_v5_list(data, at, n)
        found.append(FetchableTopicResponse(topic, ZERO_TOPIC_ID, partitions))
    return found, at


def read_fetch_response_v5(data: Data, at: int) -> tuple[FetchResponse, int]:
    throttle_time_ms, n = unpack_ii(data, at)
    at += 8
    if n < 0:
        raise MalformedMessage("FetchResponse.responses is null")
    responses, at = read_fetchable_topic_response_v5_list(data, at, n)
    return FetchResponse(throttle_time_ms, 0, 0, responses), at


def read_fetch_response_v7(data: Data, at: int) -> tuple[FetchResponse, int]:
    throttle_time_ms, error_code, session_id, n = unpack_ihii(data, at)
    at += 14
    if n < 0:
        raise MalformedMessage("FetchResponse.responses is null")
    responses, at = read_fetchable_topic_response_v5_list(data, at, n)
    return FetchResponse(throttle_time_ms, error_code, session_id, responses), at


def read_partition_data_v11_list(data: Data, at: int, announced: int) -> tuple[list[PartitionData], int]:
    if announced * 42 > len(data) - at:
        raise too_many(announced, 42, data, at)
    found: list[PartitionData] = []
    for _ in range(announced):
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


def read_fetchable_topic_response_v11_list(data: Data, at: int, announced: int) -> tuple[list[FetchableTopicResponse], int]:
    if announced * 6 > len(data) - at:
        raise too_many(announced, 6, data, at)
    found: list[FetchableTopicResponse] = []
    for _ in range(announced):
        (n,) = unpack_h(data, at)
        at += 2
        if n < 0:
            raise MalformedMessage("FetchableTopicResponse.topic is null")
        end = at + n
        topic = utf8_of(data[at:end])
        at = end
        (n,) = unpack_i(data, at)
        at += 4
        if n < 0:
            raise MalformedMessage("FetchableTopicResponse.partitions is null")
        partitions, at = read_partition_data_v11_list(data, at, n)
        found.append(FetchableTopicResponse(topic, ZERO_TOPIC_ID, partitions))
    return found, at


def read_fetch_response_v11(data: Data, at: int) -> tuple[FetchResponse, int]:
    throttle_time_ms, error_code, session_id, n = unpack_ihii(data, at)
    at += 14
    if n < 0:
        raise MalformedMessage("FetchResponse.responses is null")
    responses, at = read_fetchable_topic_response_v11_list(data, at, n)
    return FetchResponse(throttle_time_ms, error_code, session_id, responses), at


def read_epoch_end_offset_v12(data: Data, at: int) -> tuple[EpochEndOffset, int]:
    epoch, end_offset, tags = unpack_iqB(data, at)
    at += 13
    if tags:
        at = skip_tags(data, at - 1)
    return EpochEndOffset(epoch, end_offset), at


def read_leader_id_and_epoch_v12(data: Data, at: int) -> tuple[LeaderIdAndEpoch, int]:
    leader_id, leader_epoch, tags = unpack_iiB(data, at)
    at += 9
    if tags:
        at = skip_tags(data, at - 1)
    return LeaderIdAndEpoch(leader_id, leader_epoch), at


def read_snapshot_id_v12(data: Data, at: int) -> tuple[SnapshotId, int]:
    end_offset, epoch, tags = unpack_qiB(data, at)
    at += 13
    if tags:
        at = skip_tags(data, at - 1)
    return SnapshotId(end_offset, epoch), at


def read_aborted_transaction_v12_list(data: Data, at: int, announced: int) -> tuple[list[AbortedTransaction], int]:
    if announced * 17 > len(data) - at:
        raise too_many(announced, 17, data, at)
    found: list[AbortedTransaction] = []
    for _ in range(announced):
        producer_id, first_offset, tags = unpack_qqB(data, at)
        at += 17
        if tags:
            at = skip_tags(data, at - 1)
        found.append(AbortedTransaction(producer_id, first_offset))
    return found, at


def read_partition_data_v12_list(data: Data, at: int, announced: int) -> tuple[list[PartitionData], int]:
    if announced * 37 > len(data) - at:
        raise too_many(announced, 37, data, at)
    found: list[PartitionData] = []
    for _ in range(announced):
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


def read_fetchable_topic_response_v12_list(data: Data, at: int, announced: int) -> tuple[list[FetchableTopicResponse], int]:
    if announced * 3 > len(data) - at:
        raise too_many(announced, 3, data, at)
    found: list[FetchableTopicResponse] = []
    for _ in range(announced):
        n = data[at]
        at += 1
        if n > 127:
            n, at = read_uvarint(data, at - 1)
        n -= 1
        if n < 0:
            raise MalformedMessage("FetchableTopicResponse.topic is null")
        end = at + n
        topic = utf8_of(data[at:end])
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


def read_fetch_response_v12(data: Data, at: int) -> tuple[FetchResponse, int]:
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


def read_fetchable_topic_response_v13_list(data: Data, at: int, announced: int) -> tuple[list[FetchableTopicResponse], int]:
    if announced * 18 > len(data) - at:
        raise too_many(announced, 18, data, at)
    found: list[FetchableTopicResponse] = []
    for _ in range(announced):
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


def read_fetch_response_v13(data: Data, at: int) -> tuple[FetchResponse, int]:
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


def read_node_endpoint_v16_list(data: Data, at: int, announced: int) -> tuple[list[NodeEndpoint], int]:
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
        host = utf8_of(data[at:end])
        at = end
        port, n = unpack_iB(data, at)
        at += 5
        if n > 127:
            n, at = read_uvarint(data, at - 1)
        n -= 1
        if n >= 0:
            end = at + n
            rack = utf8_of(data[at:end])
            at = end
        else:
            rack = None
        tags = data[at]
        at += 1
        if tags:
            at = skip_tags(data, at - 1)
        found.append(NodeEndpoint(node_id, host, port, rack))
    return found, at


def read_fetch_response_v16(data: Data, at: int) -> tuple[FetchResponse, int]:
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
