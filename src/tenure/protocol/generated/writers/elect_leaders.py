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
    MessagePart,
    UnsupportedVersion,
)
from tenure.protocol.wire import (
    UVARINT,
    pack_compact_int32s,
    pack_int32s,
    uvarint,
)

pack_b: Final = Packer(">b").pack
pack_bi: Final = Packer(">bi").pack
pack_h: Final = Packer(">h").pack
pack_i: Final = Packer(">i").pack
pack_ih: Final = Packer(">ih").pack
pack_ihh: Final = Packer(">ihh").pack
pack_ihi: Final = Packer(">ihi").pack
pack_ii: Final = Packer(">ii").pack
pack_ix: Final = Packer(">ix").pack


def write_topic_partitions_v0_list(out: list[MessagePart], items: list[TopicPartitions]) -> None:
    put = out.append
    for m in items:
        text = m.topic.encode()
        put(pack_h(len(text)))
        put(text)
        put(pack_int32s(m.partitions))


def write_elect_leaders_request_v0(out: list[MessagePart], m: ElectLeadersRequest) -> None:
    put = out.append
    if m.election_type != 0:
        raise UnsupportedVersion("ElectLeadersRequest.election_type exists in versions 1+ only")
    if m.topic_partitions is None:
        put(pack_i(-1))
    else:
        put(pack_i(len(m.topic_partitions)))
        write_topic_partitions_v0_list(out, m.topic_partitions)
    put(pack_i(m.timeout_ms))


def write_elect_leaders_request_v1(out: list[MessagePart], m: ElectLeadersRequest) -> None:
    put = out.append
    if m.topic_partitions is None:
        put(pack_bi(m.election_type, -1))
    else:
        put(pack_bi(m.election_type, len(m.topic_partitions)))
        write_topic_partitions_v0_list(out, m.topic_partitions)
    put(pack_i(m.timeout_ms))


def write_topic_partitions_v2_list(out: list[MessagePart], items: list[TopicPartitions]) -> None:
    put = out.append
    for m in items:
        text = m.topic.encode()
        n = len(text) + 1
        put(UVARINT[n] if n < 128 else uvarint(n))
        put(text)
        put(pack_compact_int32s(m.partitions))
        put(b"\0")


def write_elect_leaders_request_v2(out: list[MessagePart], m: ElectLeadersRequest) -> None:
    put = out.append
    put(pack_b(m.election_type))
    if m.topic_partitions is None:
        put(b"\0")
    else:
        n = len(m.topic_partitions) + 1
        put(UVARINT[n] if n < 128 else uvarint(n))
        write_topic_partitions_v2_list(out, m.topic_partitions)
    put(pack_ix(m.timeout_ms))


def write_partition_result_v0_list(out: list[MessagePart], items: list[PartitionResult]) -> None:
    put = out.append
    for m in items:
        if m.error_message is None:
            put(pack_ihh(m.partition_id, m.error_code, -1))
        else:
            text = m.error_message.encode()
            put(pack_ihh(m.partition_id, m.error_code, len(text)))
            put(text)


def write_replica_election_result_v0_list(out: list[MessagePart], items: list[ReplicaElectionResult]) -> None:
    put = out.append
    for m in items:
        text = m.topic.encode()
        put(pack_h(len(text)))
        put(text)
        put(pack_i(len(m.partition_result)))
        write_partition_result_v0_list(out, m.partition_result)


def write_elect_leaders_response_v0(out: list[MessagePart], m: ElectLeadersResponse) -> None:
    put = out.append
    if m.error_code != 0:
        raise UnsupportedVersion("ElectLeadersResponse.error_code exists in versions 1+ only")
    put(pack_ii(m.throttle_time_ms, len(m.replica_election_results)))
    write_replica_election_result_v0_list(out, m.replica_election_results)


def write_elect_leaders_response_v1(out: list[MessagePart], m: ElectLeadersResponse) -> None:
    put = out.append
    put(pack_ihi(m.throttle_time_ms, m.error_code, len(m.replica_election_results)))
    write_replica_election_result_v0_list(out, m.replica_election_results)


def write_partition_result_v2_list(out: list[MessagePart], items: list[PartitionResult]) -> None:
    put = out.append
    for m in items:
        put(pack_ih(m.partition_id, m.error_code))
        if m.error_message is None:
            put(b"\0")
        else:
            text = m.error_message.encode()
            n = len(text) + 1
            put(UVARINT[n] if n < 128 else uvarint(n))
            put(text)
        put(b"\0")


def write_replica_election_result_v2_list(out: list[MessagePart], items: list[ReplicaElectionResult]) -> None:
    put = out.append
    for m in items:
        text = m.topic.encode()
        n = len(text) + 1
        put(UVARINT[n] if n < 128 else uvarint(n))
        put(text)
        n = len(m.partition_result) + 1
        put(UVARINT[n] if n < 128 else uvarint(n))
        write_partition_result_v2_list(out, m.partition_result)
        put(b"\0")


def write_elect_leaders_response_v2(out: list[MessagePart], m: ElectLeadersResponse) -> None:
    put = out.append
    put(pack_ih(m.throttle_time_ms, m.error_code))
    n = len(m.replica_election_results) + 1
    put(UVARINT[n] if n < 128 else uvarint(n))
    write_replica_election_result_v2_list(out, m.replica_election_results)
    put(b"\0")


ElectLeadersRequest.WRITERS = {
    0: write_elect_leaders_request_v0,
    1: write_elect_leaders_request_v1,
    2: write_elect_leaders_request_v2,
}
ElectLeadersResponse.WRITERS = {
    0: write_elect_leaders_response_v0,
    1: write_elect_leaders_response_v1,
    2: write_elect_leaders_response_v2,
}
