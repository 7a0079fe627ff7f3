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
    MessagePart,
    UnsupportedVersion,
)
from tenure.protocol.wire import (
    UVARINT,
    uvarint,
)

pack_Hx: Final = Packer(">Hx").pack
pack_h: Final = Packer(">h").pack
pack_i: Final = Packer(">i").pack
pack_i16sqqqx: Final = Packer(">i16sqqqx").pack
pack_ih: Final = Packer(">ih").pack
pack_ihiiq: Final = Packer(">ihiiq").pack
pack_iiq: Final = Packer(">iiq").pack
pack_iqqqx: Final = Packer(">iqqqx").pack
pack_iqx: Final = Packer(">iqx").pack
pack_ix: Final = Packer(">ix").pack


def write_describe_quorum_partition_v0_list(out: list[MessagePart], items: list[DescribeQuorumPartition]) -> None:
    put = out.append
    for m in items:
        put(pack_ix(m.partition_index))


def write_describe_quorum_topic_v0_list(out: list[MessagePart], items: list[DescribeQuorumTopic]) -> None:
    put = out.append
    for m in items:
        text = m.topic_name.encode()
        n = len(text) + 1
        put(UVARINT[n] if n < 128 else uvarint(n))
        put(text)
        n = len(m.partitions) + 1
        put(UVARINT[n] if n < 128 else uvarint(n))
        write_describe_quorum_partition_v0_list(out, m.partitions)
        put(b"\0")


def write_describe_quorum_request_v0(out: list[MessagePart], m: DescribeQuorumRequest) -> None:
    put = out.append
    n = len(m.topics) + 1
    put(UVARINT[n] if n < 128 else uvarint(n))
    write_describe_quorum_topic_v0_list(out, m.topics)
    put(b"\0")


def write_quorum_replica_v0_list(out: list[MessagePart], items: list[QuorumReplica]) -> None:
    put = out.append
    for m in items:
        if any(m.replica_directory_id):
            raise UnsupportedVersion("QuorumReplica.replica_directory_id exists in versions 2+ only")
        put(pack_iqx(m.replica_id, m.log_end_offset))


def write_described_quorum_partition_v0_list(out: list[MessagePart], items: list[DescribedQuorumPartition]) -> None:
    put = out.append
    for m in items:
        put(pack_ihiiq(m.partition_index, m.error_code, m.leader_id, m.leader_epoch, m.high_watermark))
        n = len(m.current_voters) + 1
        put(UVARINT[n] if n < 128 else uvarint(n))
        write_quorum_replica_v0_list(out, m.current_voters)
        n = len(m.observers) + 1
        put(UVARINT[n] if n < 128 else uvarint(n))
        write_quorum_replica_v0_list(out, m.observers)
        put(b"\0")


def write_described_quorum_topic_v0_list(out: list[MessagePart], items: list[DescribedQuorumTopic]) -> None:
    put = out.append
    for m in items:
        text = m.topic_name.encode()
        n = len(text) + 1
        put(UVARINT[n] if n < 128 else uvarint(n))
        put(text)
        n = len(m.partitions) + 1
        put(UVARINT[n] if n < 128 else uvarint(n))
        write_described_quorum_partition_v0_list(out, m.partitions)
        put(b"\0")


def write_describe_quorum_response_v0(out: list[MessagePart], m: DescribeQuorumResponse) -> None:
    put = out.append
    if m.nodes:
        raise UnsupportedVersion("DescribeQuorumResponse.nodes exists in versions 2+ only")
    put(pack_h(m.error_code))
    n = len(m.topics) + 1
    put(UVARINT[n] if n < 128 else uvarint(n))
    write_described_quorum_topic_v0_list(out, m.topics)
    put(b"\0")


def write_quorum_replica_v1_list(out: list[MessagePart], items: list[QuorumReplica]) -> None:
    put = out.append
    for m in items:
        if any(m.replica_directory_id):
            raise UnsupportedVersion("QuorumReplica.replica_directory_id exists in versions 2+ only")
        put(pack_iqqqx(m.replica_id, m.log_end_offset, m.last_fetch_timestamp, m.last_caught_up_timestamp))


def write_described_quorum_partition_v1_list(out: list[MessagePart], items: list[DescribedQuorumPartition]) -> None:
    put = out.append
    for m in items:
        put(pack_ihiiq(m.partition_index, m.error_code, m.leader_id, m.leader_epoch, m.high_watermark))
        n = len(m.current_voters) + 1
        put(UVARINT[n] if n < 128 else uvarint(n))
        write_quorum_replica_v1_list(out, m.current_voters)
        n = len(m.observers) + 1
        put(UVARINT[n] if n < 128 else uvarint(n))
        write_quorum_replica_v1_list(out, m.observers)
        put(b"\0")


def write_described_quorum_topic_v1_list(out: list[MessagePart], items: list[DescribedQuorumTopic]) -> None:
    put = out.append
    for m in items:
        text = m.topic_name.encode()
        n = len(text) + 1
        put(UVARINT[n] if n < 128 else uvarint(n))
        put(text)
        n = len(m.partitions) + 1
        put(UVARINT[n] if n < 128 else uvarint(n))
        write_described_quorum_partition_v1_list(out, m.partitions)
        put(b"\0")


def write_describe_quorum_response_v1(out: list[MessagePart], m: DescribeQuorumResponse) -> None:
    put = out.append
    if m.nodes:
        raise UnsupportedVersion("DescribeQuorumResponse.nodes exists in versions 2+ only")
    put(pack_h(m.error_code))
    n = len(m.topics) + 1
    put(UVARINT[n] if n < 128 else uvarint(n))
    write_described_quorum_topic_v1_list(out, m.topics)
    put(b"\0")


def write_quorum_replica_v2_list(out: list[MessagePart], items: list[QuorumReplica]) -> None:
    put = out.append
    for m in items:
        put(pack_i16sqqqx(m.replica_id, m.replica_directory_id, m.log_end_offset, m.last_fetch_timestamp, m.last_caught_up_timestamp))


def write_described_quorum_partition_v2_list(out: list[MessagePart], items: list[DescribedQuorumPartition]) -> None:
    put = out.append
    for m in items:
        put(pack_ih(m.partition_index, m.error_code))
        if m.error_message is None:
            put(b"\0")
        else:
            text = m.error_message.encode()
            n = len(text) + 1
            put(UVARINT[n] if n < 128 else uvarint(n))
            put(text)
        put(pack_iiq(m.leader_id, m.leader_epoch, m.high_watermark))
        n = len(m.current_voters) + 1
        put(UVARINT[n] if n < 128 else uvarint(n))
        write_quorum_replica_v2_list(out, m.current_voters)
        n = len(m.observers) + 1
        put(UVARINT[n] if n < 128 else uvarint(n))
        write_quorum_replica_v2_list(out, m.observers)
        put(b"\0")


def write_described_quorum_topic_v2_list(out: list[MessagePart], items: list[DescribedQuorumTopic]) -> None:
    put = out.append
    for m in items:
        text = m.topic_name.encode()
        n = len(text) + 1
        put(UVARINT[n] if n < 128 else uvarint(n))
        put(text)
        n = len(m.partitions) + 1
        put(UVARINT[n] if n < 128 else uvarint(n))
        write_described_quorum_partition_v2_list(out, m.partitions)
        put(b"\0")


def write_quorum_listener_v2_list(out: list[MessagePart], items: list[QuorumListener]) -> None:
    put = out.append
    for m in items:
        text = m.name.encode()
        n = len(text) + 1
        put(UVARINT[n] if n < 128 else uvarint(n))
        put(text)
        text = m.host.encode()
        n = len(text) + 1
        put(UVARINT[n] if n < 128 else uvarint(n))
        put(text)
        put(pack_Hx(m.port))


def write_quorum_node_v2_list(out: list[MessagePart], items: list[QuorumNode]) -> None:
    put = out.append
    for m in items:
        put(pack_i(m.node_id))
        n = len(m.listeners) + 1
        put(UVARINT[n] if n < 128 else uvarint(n))
        write_quorum_listener_v2_list(out, m.listeners)
        put(b"\0")


def write_describe_quorum_response_v2(out: list[MessagePart], m: DescribeQuorumResponse) -> None:
    put = out.append
    put(pack_h(m.error_code))
    if m.error_message is None:
        put(b"\0")
    else:
        text = m.error_message.encode()
        n = len(text) + 1
        put(UVARINT[n] if n < 128 else uvarint(n))
        put(text)
    n = len(m.topics) + 1
    put(UVARINT[n] if n < 128 else uvarint(n))
    write_described_quorum_topic_v2_list(out, m.topics)
    n = len(m.nodes) + 1
    put(UVARINT[n] if n < 128 else uvarint(n))
    write_quorum_node_v2_list(out, m.nodes)
    put(b"\0")


DescribeQuorumRequest.WRITERS = {
    0: write_describe_quorum_request_v0,
    1: write_describe_quorum_request_v0,
    2: write_describe_quorum_request_v0,
}
DescribeQuorumResponse.WRITERS = {
    0: write_describe_quorum_response_v0,
    1: write_describe_quorum_response_v1,
    2: write_describe_quorum_response_v2,
}
