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
    MessagePart,
    UnsupportedVersion,
)
from tenure.protocol.wire import (
    UVARINT,
    joined,
    pack_compact_int32s,
    pack_int32s,
    tagged,
    uncopied,
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


def write_fetch_partition_v4_list(out: list[MessagePart], items: list[FetchPartition]) -> None:
    put = out.append
    for m in items:
        if m.last_fetched_epoch != -1:
            raise UnsupportedVersion("FetchPartition.last_fetched_epoch exists in versions 12+ only")
        put(pack_iqi(m.partition, m.fetch_offset, m.partition_max_bytes))


def write_fetch_topic_v4_list(out: list[MessagePart], items: list[FetchTopic]) -> None:
    put = out.append
    for m in items:
        text = m.topic.encode()
        put(pack_h(len(text)))
        put(text)
        put(pack_i(len(m.partitions)))
        write_fetch_partition_v4_list(out, m.partitions)


def write_fetch_request_v4(out: list[MessagePart], m: FetchRequest) -> None:
    put = out.append
    if m.replica_state is not DEFAULT_REPLICA_STATE and m.replica_state != DEFAULT_REPLICA_STATE:
        raise UnsupportedVersion("FetchRequest.replica_state exists in versions 15+ only")
    if m.forgotten_topics_data:
        raise UnsupportedVersion("FetchRequest.forgotten_topics_data exists in versions 7+ only")
    put(pack_iiiibi(m.replica_id, m.max_wait_ms, m.min_bytes, m.max_bytes, m.isolation_level, len(m.topics)))
    write_fetch_topic_v4_list(out, m.topics)


def write_fetch_partition_v5_list(out: list[MessagePart], items: list[FetchPartition]) -> None:
    put = out.append
    for m in items:
        if m.last_fetched_epoch != -1:
            raise UnsupportedVersion("FetchPartition.last_fetched_epoch exists in versions 12+ only")
        put(pack_iqqi(m.partition, m.fetch_offset, m.log_start_offset, m.partition_max_bytes))


def write_fetch_topic_v5_list(out: list[MessagePart], items: list[FetchTopic]) -> None:
    put = out.append
    for m in items:
        text = m.topic.encode()
        put(pack_h(len(text)))
        put(text)
        put(pack_i(len(m.partitions)))
        write_fetch_partition_v5_list(out, m.partitions)


def write_fetch_request_v5(out: list[MessagePart], m: FetchRequest) -> None:
    put = out.append
    if m.replica_state is not DEFAULT_REPLICA_STATE and m.replica_state != DEFAULT_REPLICA_STATE:
        raise UnsupportedVersion("FetchRequest.replica_state exists in versions 15+ only")
    if m.forgotten_topics_data:
        raise UnsupportedVersion("FetchRequest.forgotten_topics_data exists in versions 7+ only")
    put(pack_iiiibi(m.replica_id, m.max_wait_ms, m.min_bytes, m.max_bytes, m.isolation_level, len(m.topics)))
    write_fetch_topic_v5_list(out, m.topics)


def write_forgotten_topic_v7_list(out: list[MessagePart], items: list[ForgottenTopic]) -> None:
    put = out.append
    for m in items:
        text = m.topic.encode()
        put(pack_h(len(text)))
        put(text)
        put(pack_int32s(m.partitions))


def write_fetch_request_v7(out: list[MessagePart], m: FetchRequest) -> None:
    put = out.append
    if m.replica_state is not DEFAULT_REPLICA_STATE and m.replica_state != DEFAULT_REPLICA_STATE:
        raise UnsupportedVersion("FetchRequest.replica_state exists in versions 15+ only")
    put(pack_iiiibiii(m.replica_id, m.max_wait_ms, m.min_bytes, m.max_bytes, m.isolation_level, m.session_id, m.session_epoch, len(m.topics)))
    write_fetch_topic_v5_list(out, m.topics)
    put(pack_i(len(m.forgotten_topics_data)))
    write_forgotten_topic_v7_list(out, m.forgotten_topics_data)


def write_fetch_partition_v9_list(out: list[MessagePart], items: list[FetchPartition]) -> None:
    put = out.append
    for m in items:
        if m.last_fetched_epoch != -1:
            raise UnsupportedVersion("FetchPartition.last_fetched_epoch exists in versions 12+ only")
        put(pack_iiqqi(m.partition, m.current_leader_epoch, m.fetch_offset, m.log_start_offset, m.partition_max_bytes))


def write_fetch_topic_v9_list(out: list[MessagePart], items: list[FetchTopic]) -> None:
    put = out.append
    for m in items:
        text = m.topic.encode()
        put(pack_h(len(text)))
        put(text)
        put(pack_i(len(m.partitions)))
        write_fetch_partition_v9_list(out, m.partitions)


def write_fetch_request_v9(out: list[MessagePart], m: FetchRequest) -> None:
    put = out.append
    if m.replica_state is not DEFAULT_REPLICA_STATE and m.replica_state != DEFAULT_REPLICA_STATE:
        raise UnsupportedVersion("FetchRequest.replica_state exists in versions 15+ only")
    put(pack_iiiibiii(m.replica_id, m.max_wait_ms, m.min_bytes, m.max_bytes, m.isolation_level, m.session_id, m.session_epoch, len(m.topics)))
    write_fetch_topic_v9_list(out, m.topics)
    put(pack_i(len(m.forgotten_topics_data)))
    write_forgotten_topic_v7_list(out, m.forgotten_topics_data)


def write_fetch_request_v11(out: list[MessagePart], m: FetchRequest) -> None:
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


def write_fetch_partition_v12_list(out: list[MessagePart], items: list[FetchPartition]) -> None:
    put = out.append
    for m in items:
        put(pack_iiqiqix(m.partition, m.current_leader_epoch, m.fetch_offset, m.last_fetched_epoch, m.log_start_offset, m.partition_max_bytes))


def write_fetch_topic_v12_list(out: list[MessagePart], items: list[FetchTopic]) -> None:
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


def write_forgotten_topic_v12_list(out: list[MessagePart], items: list[ForgottenTopic]) -> None:
    put = out.append
    for m in items:
        text = m.topic.encode()
        n = len(text) + 1
        put(UVARINT[n] if n < 128 else uvarint(n))
        put(text)
        put(pack_compact_int32s(m.partitions))
        put(b"\0")


def write_fetch_request_v12(out: list[MessagePart], m: FetchRequest) -> None:
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
    tags: list[MessagePart] = []
    part: list[MessagePart]
    if m.cluster_id is not None:
        part = []
        text = m.cluster_id.encode()
        n = len(text) + 1
        part.append(UVARINT[n] if n < 128 else uvarint(n))
        part.append(text)
        tags.append(tagged(0, joined(part)))
    put(UVARINT[len(tags)])
    out.extend(tags)


def write_fetch_topic_v13_list(out: list[MessagePart], items: list[FetchTopic]) -> None:
    put = out.append
    for m in items:
        put(pack_16s(m.topic_id))
        n = len(m.partitions) + 1
        put(UVARINT[n] if n < 128 else uvarint(n))
        write_fetch_partition_v12_list(out, m.partitions)
        put(b"\0")


def write_forgotten_topic_v13_list(out: list[MessagePart], items: list[ForgottenTopic]) -> None:
    put = out.append
    for m in items:
        put(pack_16s(m.topic_id))
        put(pack_compact_int32s(m.partitions))
        put(b"\0")


def write_fetch_request_v13(out: list[MessagePart], m: FetchRequest) -> None:
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
    tags: list[MessagePart] = []
    part: list[MessagePart]
    if m.cluster_id is not None:
        part = []
        text = m.cluster_id.encode()
        n = len(text) + 1
        part.append(UVARINT[n] if n < 128 else uvarint(n))
        part.append(text)
        tags.append(tagged(0, joined(part)))
    put(UVARINT[len(tags)])
    out.extend(tags)


def write_replica_state_v15(out: list[MessagePart], m: ReplicaState) -> None:
    put = out.append
    put(pack_iqx(m.replica_id, m.replica_epoch))


def write_fetch_request_v15(out: list[MessagePart], m: FetchRequest) -> None:
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
    tags: list[MessagePart] = []
    part: list[MessagePart]
    if m.cluster_id is not None:
        part = []
        text = m.cluster_id.encode()
        n = len(text) + 1
        part.append(UVARINT[n] if n < 128 else uvarint(n))
        part.append(text)
        tags.append(tagged(0, joined(part)))
    if m.replica_state is not DEFAULT_REPLICA_STATE and m.replica_state != DEFAULT_REPLICA_STATE:
        part = []
        write_replica_state_v15(part, m.replica_state)
        tags.append(tagged(1, joined(part)))
    put(UVARINT[len(tags)])
    out.extend(tags)


def write_fetch_partition_v17_list(out: list[MessagePart], items: list[FetchPartition]) -> None:
    put = out.append
    for m in items:
        put(pack_iiqiqi(m.partition, m.current_leader_epoch, m.fetch_offset, m.last_fetched_epoch, m.log_start_offset, m.partition_max_bytes))
        tags: list[MessagePart] = []
        if any(m.replica_directory_id):
            tags.append(b'\x00\x10' + pack_16s(m.replica_directory_id))
        put(UVARINT[len(tags)])
        out.extend(tags)


def write_fetch_topic_v17_list(out: list[MessagePart], items: list[FetchTopic]) -> None:
    put = out.append
    for m in items:
        put(pack_16s(m.topic_id))
        n = len(m.partitions) + 1
        put(UVARINT[n] if n < 128 else uvarint(n))
        write_fetch_partition_v17_list(out, m.partitions)
        put(b"\0")


def write_fetch_request_v17(out: list[MessagePart], m: FetchRequest) -> None:
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
    tags: list[MessagePart] = []
    part: list[MessagePart]
    if m.cluster_id is not None:
        part = []
        text = m.cluster_id.encode()
        n = len(text) + 1
        part.append(UVARINT[n] if n < 128 else uvarint(n))
        part.append(text)
        tags.append(tagged(0, joined(part)))
    if m.replica_state is not DEFAULT_REPLICA_STATE and m.replica_state != DEFAULT_REPLICA_STATE:
        part = []
        write_replica_state_v15(part, m.replica_state)
        tags.append(tagged(1, joined(part)))
    put(UVARINT[len(tags)])
    out.extend(tags)


def write_fetch_partition_v18_list(out: list[MessagePart], items: list[FetchPartition]) -> None:
    put = out.append
    for m in items:
        put(pack_iiqiqi(m.partition, m.current_leader_epoch, m.fetch_offset, m.last_fetched_epoch, m.log_start_offset, m.partition_max_bytes))
        tags: list[MessagePart] = []
        if any(m.replica_directory_id):
            tags.append(b'\x00\x10' + pack_16s(m.replica_directory_id))
        if m.high_watermark != 9223372036854775807:
            tags.append(b'\x01\x08' + pack_q(m.high_watermark))
        put(UVARINT[len(tags)])
        out.extend(tags)


def write_fetch_topic_v18_list(out: list[MessagePart], items: list[FetchTopic]) -> None:
    put = out.append
    for m in items:
        put(pack_16s(m.topic_id))
        n = len(m.partitions) + 1
        put(UVARINT[n] if n < 128 else uvarint(n))
        write_fetch_partition_v18_list(out, m.partitions)
        put(b"\0")


def write_fetch_request_v18(out: list[MessagePart], m: FetchRequest) -> None:
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
    tags: list[MessagePart] = []
    part: list[MessagePart]
    if m.cluster_id is not None:
        part = []
        text = m.cluster_id.encode()
        n = len(text) + 1
        part.append(UVARINT[n] if n < 128 else uvarint(n))
        part.append(text)
        tags.append(tagged(0, joined(part)))
    if m.replica_state is not DEFAULT_REPLICA_STATE and m.replica_state != DEFAULT_REPLICA_STATE:
        part = []
        write_replica_state_v15(part, m.replica_state)
        tags.append(tagged(1, joined(part)))
    put(UVARINT[len(tags)])
    out.extend(tags)


def write_aborted_transaction_v4_list(out: list[MessagePart], items: list[AbortedTransaction]) -> None:
    put = out.append
    for m in items:
        put(pack_qq(m.producer_id, m.first_offset))


def write_partition_data_v4_list(out: list[MessagePart], items: list[PartitionData]) -> None:
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
            put(uncopied(m.records))


def write_fetchable_topic_response_v4_list(out: list[MessagePart], items: list[FetchableTopicResponse]) -> None:
    put = out.append
    for m in items:
        text = m.topic.encode()
        put(pack_h(len(text)))
        put(text)
        put(pack_i(len(m.partitions)))
        write_partition_data_v4_list(out, m.partitions)


def write_fetch_response_v4(out: list[MessagePart], m: FetchResponse) -> None:
    put = out.append
    if m.session_id != 0:
        raise UnsupportedVersion("FetchResponse.session_id exists in versions 7+ only")
    if m.node_endpoints:
        raise UnsupportedVersion("FetchResponse.node_endpoints exists in versions 16+ only")
    put(pack_ii(m.throttle_time_ms, len(m.responses)))
    write_fetchable_topic_response_v4_list(out, m.responses)


def write_partition_data_v5_list(out: list[MessagePart], items: list[PartitionData]) -> None:
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
            put(uncopied(m.records))


def write_fetchable_topic_response_v5_list(out: list[MessagePart], items: list[FetchableTopicResponse]) -> None:
    put = out.append
    for m in items:
        text = m.topic.encode()
        put(pack_h(len(text)))
        put(text)
        put(pack_i(len(m.partitions)))
        write_partition_data_v5_list(out, m.partitions)


def write_fetch_response_v5(out: list[MessagePart], m: FetchResponse) -> None:
    put = out.append
    if m.session_id != 0:
        raise UnsupportedVersion("FetchResponse.session_id exists in versions 7+ only")
    if m.node_endpoints:
        raise UnsupportedVersion("FetchResponse.node_endpoints exists in versions 16+ only")
    put(pack_ii(m.throttle_time_ms, len(m.responses)))
    write_fetchable_topic_response_v5_list(out, m.responses)


def write_fetch_response_v7(out: list[MessagePart], m: FetchResponse) -> None:
    put = out.append
    if m.node_endpoints:
        raise UnsupportedVersion("FetchResponse.node_endpoints exists in versions 16+ only")
    put(pack_ihii(m.throttle_time_ms, m.error_code, m.session_id, len(m.responses)))
    write_fetchable_topic_response_v5_list(out, m.responses)


def write_partition_data_v11_list(out: list[MessagePart], items: list[PartitionData]) -> None:
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
            put(uncopied(m.records))


def write_fetchable_topic_response_v11_list(out: list[MessagePart], items: list[FetchableTopicResponse]) -> None:
    put = out.append
    for m in items:
        text = m.topic.encode()
        put(pack_h(len(text)))
        put(text)
        put(pack_i(len(m.partitions)))
        write_partition_data_v11_list(out, m.partitions)


def write_fetch_response_v11(out: list[MessagePart], m: FetchResponse) -> None:
    put = out.append
    if m.node_endpoints:
        raise UnsupportedVersion("FetchResponse.node_endpoints exists in versions 16+ only")
    put(pack_ihii(m.throttle_time_ms, m.error_code, m.session_id, len(m.responses)))
    write_fetchable_topic_response_v11_list(out, m.responses)


def write_epoch_end_offset_v12(out: list[MessagePart], m: EpochEndOffset) -> None:
    put = out.append
    put(pack_iqx(m.epoch, m.end_offset))


def write_leader_id_and_epoch_v12(out: list[MessagePart], m: LeaderIdAndEpoch) -> None:
    put = out.append
    put(pack_iix(m.leader_id, m.leader_epoch))


def write_snapshot_id_v12(out: list[MessagePart], m: SnapshotId) -> None:
    put = out.append
    put(pack_qix(m.end_offset, m.epoch))


def write_aborted_transaction_v12_list(out: list[MessagePart], items: list[AbortedTransaction]) -> None:
    put = out.append
    for m in items:
        put(pack_qqx(m.producer_id, m.first_offset))


def write_partition_data_v12_list(out: list[MessagePart], items: list[PartitionData]) -> None:
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
            put(uncopied(m.records))
        tags: list[MessagePart] = []
        part: list[MessagePart]
        if m.diverging_epoch is not DEFAULT_EPOCH_END_OFFSET and m.diverging_epoch != DEFAULT_EPOCH_END_OFFSET:
            part = []
            write_epoch_end_offset_v12(part, m.diverging_epoch)
            tags.append(tagged(0, joined(part)))
        if m.current_leader is not DEFAULT_LEADER_ID_AND_EPOCH and m.current_leader != DEFAULT_LEADER_ID_AND_EPOCH:
            part = []
            write_leader_id_and_epoch_v12(part, m.current_leader)
            tags.append(tagged(1, joined(part)))
        if m.snapshot_id is not DEFAULT_SNAPSHOT_ID and m.snapshot_id != DEFAULT_SNAPSHOT_ID:
            part = []
            write_snapshot_id_v12(part, m.snapshot_id)
            tags.append(tagged(2, joined(part)))
        put(UVARINT[len(tags)])
        out.extend(tags)


def write_fetchable_topic_response_v12_list(out: list[MessagePart], items: list[FetchableTopicResponse]) -> None:
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


def write_fetch_response_v12(out: list[MessagePart], m: FetchResponse) -> None:
    put = out.append
    if m.node_endpoints:
        raise UnsupportedVersion("FetchResponse.node_endpoints exists in versions 16+ only")
    put(pack_ihi(m.throttle_time_ms, m.error_code, m.session_id))
    n = len(m.responses) + 1
    put(UVARINT[n] if n < 128 else uvarint(n))
    write_fetchable_topic_response_v12_list(out, m.responses)
    put(b"\0")


def write_fetchable_topic_response_v13_list(out: list[MessagePart], items: list[FetchableTopicResponse]) -> None:
    put = out.append
    for m in items:
        put(pack_16s(m.topic_id))
        n = len(m.partitions) + 1
        put(UVARINT[n] if n < 128 else uvarint(n))
        write_partition_data_v12_list(out, m.partitions)
        put(b"\0")


def write_fetch_response_v13(out: list[MessagePart], m: FetchResponse) -> None:
    put = out.append
    if m.node_endpoints:
        raise UnsupportedVersion("FetchResponse.node_endpoints exists in versions 16+ only")
    put(pack_ihi(m.throttle_time_ms, m.error_code, m.session_id))
    n = len(m.responses) + 1
    put(UVARINT[n] if n < 128 else uvarint(n))
    write_fetchable_topic_response_v13_list(out, m.responses)
    put(b"\0")


def write_node_endpoint_v16_list(out: list[MessagePart], items: list[NodeEndpoint]) -> None:
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


def write_fetch_response_v16(out: list[MessagePart], m: FetchResponse) -> None:
    put = out.append
    put(pack_ihi(m.throttle_time_ms, m.error_code, m.session_id))
    n = len(m.responses) + 1
    put(UVARINT[n] if n < 128 else uvarint(n))
    write_fetchable_topic_response_v13_list(out, m.responses)
    tags: list[MessagePart] = []
    part: list[MessagePart]
    if m.node_endpoints:
        part = []
        n = len(m.node_endpoints) + 1
        part.append(UVARINT[n] if n < 128 else uvarint(n))
        write_node_endpoint_v16_list(part, m.node_endpoints)
        tags.append(tagged(0, joined(part)))
    put(UVARINT[len(tags)])
    out.extend(tags)


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
