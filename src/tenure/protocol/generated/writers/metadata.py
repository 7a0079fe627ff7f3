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
    InvalidMessage,
    MessagePart,
    UnsupportedVersion,
)
from tenure.protocol.wire import (
    UVARINT,
    pack_compact_int32s,
    pack_int32s,
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
pack_hii: Final = Packer(">hii").pack
pack_hiii: Final = Packer(">hiii").pack
pack_hx: Final = Packer(">hx").pack
pack_i: Final = Packer(">i").pack
pack_ih: Final = Packer(">ih").pack
pack_ii: Final = Packer(">ii").pack
pack_ix: Final = Packer(">ix").pack


def write_metadata_request_topic_v0_list(out: list[MessagePart], items: list[MetadataRequestTopic]) -> None:
    put = out.append
    for m in items:
        if m.name is None:
            raise InvalidMessage("MetadataRequestTopic.name may be null in versions 10+ only")
        text = m.name.encode()
        put(pack_h(len(text)))
        put(text)


def write_metadata_request_v0(out: list[MessagePart], m: MetadataRequest) -> None:
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


def write_metadata_request_v1(out: list[MessagePart], m: MetadataRequest) -> None:
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


def write_metadata_request_v4(out: list[MessagePart], m: MetadataRequest) -> None:
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


def write_metadata_request_v8(out: list[MessagePart], m: MetadataRequest) -> None:
    put = out.append
    if m.topics is None:
        put(pack_i(-1))
    else:
        put(pack_i(len(m.topics)))
        write_metadata_request_topic_v0_list(out, m.topics)
    put(pack_ZZZ(m.allow_auto_topic_creation, m.include_cluster_authorized_operations, m.include_topic_authorized_operations))


def write_metadata_request_topic_v9_list(out: list[MessagePart], items: list[MetadataRequestTopic]) -> None:
    put = out.append
    for m in items:
        if m.name is None:
            raise InvalidMessage("MetadataRequestTopic.name may be null in versions 10+ only")
        text = m.name.encode()
        n = len(text) + 1
        put(UVARINT[n] if n < 128 else uvarint(n))
        put(text)
        put(b"\0")


def write_metadata_request_v9(out: list[MessagePart], m: MetadataRequest) -> None:
    put = out.append
    if m.topics is None:
        put(b"\0")
    else:
        n = len(m.topics) + 1
        put(UVARINT[n] if n < 128 else uvarint(n))
        write_metadata_request_topic_v9_list(out, m.topics)
    put(pack_ZZZx(m.allow_auto_topic_creation, m.include_cluster_authorized_operations, m.include_topic_authorized_operations))


def write_metadata_request_topic_v10_list(out: list[MessagePart], items: list[MetadataRequestTopic]) -> None:
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


def write_metadata_request_v10(out: list[MessagePart], m: MetadataRequest) -> None:
    put = out.append
    if m.topics is None:
        put(b"\0")
    else:
        n = len(m.topics) + 1
        put(UVARINT[n] if n < 128 else uvarint(n))
        write_metadata_request_topic_v10_list(out, m.topics)
    put(pack_ZZZx(m.allow_auto_topic_creation, m.include_cluster_authorized_operations, m.include_topic_authorized_operations))


def write_metadata_request_v11(out: list[MessagePart], m: MetadataRequest) -> None:
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


def write_metadata_response_broker_v0_list(out: list[MessagePart], items: list[MetadataResponseBroker]) -> None:
    put = out.append
    for m in items:
        text = m.host.encode()
        put(pack_ih(m.node_id, len(text)))
        put(text)
        put(pack_i(m.port))


def write_metadata_response_partition_v0_list(out: list[MessagePart], items: list[MetadataResponsePartition]) -> None:
    put = out.append
    for m in items:
        put(pack_hii(m.error_code, m.partition_index, m.leader_id))
        put(pack_int32s(m.replica_nodes))
        put(pack_int32s(m.isr_nodes))


def write_metadata_response_topic_v0_list(out: list[MessagePart], items: list[MetadataResponseTopic]) -> None:
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


def write_metadata_response_v0(out: list[MessagePart], m: MetadataResponse) -> None:
    put = out.append
    if m.cluster_authorized_operations != -2147483648:
        raise UnsupportedVersion("MetadataResponse.cluster_authorized_operations exists in versions 8-10 only")
    put(pack_i(len(m.brokers)))
    write_metadata_response_broker_v0_list(out, m.brokers)
    put(pack_i(len(m.topics)))
    write_metadata_response_topic_v0_list(out, m.topics)


def write_metadata_response_broker_v1_list(out: list[MessagePart], items: list[MetadataResponseBroker]) -> None:
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


def write_metadata_response_topic_v1_list(out: list[MessagePart], items: list[MetadataResponseTopic]) -> None:
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


def write_metadata_response_v1(out: list[MessagePart], m: MetadataResponse) -> None:
    put = out.append
    if m.cluster_authorized_operations != -2147483648:
        raise UnsupportedVersion("MetadataResponse.cluster_authorized_operations exists in versions 8-10 only")
    put(pack_i(len(m.brokers)))
    write_metadata_response_broker_v1_list(out, m.brokers)
    put(pack_ii(m.controller_id, len(m.topics)))
    write_metadata_response_topic_v1_list(out, m.topics)


def write_metadata_response_v2(out: list[MessagePart], m: MetadataResponse) -> None:
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


def write_metadata_response_v3(out: list[MessagePart], m: MetadataResponse) -> None:
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


def write_metadata_response_partition_v5_list(out: list[MessagePart], items: list[MetadataResponsePartition]) -> None:
    put = out.append
    for m in items:
        put(pack_hii(m.error_code, m.partition_index, m.leader_id))
        put(pack_int32s(m.replica_nodes))
        put(pack_int32s(m.isr_nodes))
        put(pack_int32s(m.offline_replicas))


def write_metadata_response_topic_v5_list(out: list[MessagePart], items: list[MetadataResponseTopic]) -> None:
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


def write_metadata_response_v5(out: list[MessagePart], m: MetadataResponse) -> None:
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


def write_metadata_response_partition_v7_list(out: list[MessagePart], items: list[MetadataResponsePartition]) -> None:
    put = out.append
    for m in items:
        put(pack_hiii(m.error_code, m.partition_index, m.leader_id, m.leader_epoch))
        put(pack_int32s(m.replica_nodes))
        put(pack_int32s(m.isr_nodes))
        put(pack_int32s(m.offline_replicas))


def write_metadata_response_topic_v7_list(out: list[MessagePart], items: list[MetadataResponseTopic]) -> None:
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


def write_metadata_response_v7(out: list[MessagePart], m: MetadataResponse) -> None:
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


def write_metadata_response_topic_v8_list(out: list[MessagePart], items: list[MetadataResponseTopic]) -> None:
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


def write_metadata_response_v8(out: list[MessagePart], m: MetadataResponse) -> None:
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


def write_metadata_response_broker_v9_list(out: list[MessagePart], items: list[MetadataResponseBroker]) -> None:
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


def write_metadata_response_partition_v9_list(out: list[MessagePart], items: list[MetadataResponsePartition]) -> None:
    put = out.append
    for m in items:
        put(pack_hiii(m.error_code, m.partition_index, m.leader_id, m.leader_epoch))
        put(pack_compact_int32s(m.replica_nodes))
        put(pack_compact_int32s(m.isr_nodes))
        put(pack_compact_int32s(m.offline_replicas))
        put(b"\0")


def write_metadata_response_topic_v9_list(out: list[MessagePart], items: list[MetadataResponseTopic]) -> None:
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


def write_metadata_response_v9(out: list[MessagePart], m: MetadataResponse) -> None:
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


def write_metadata_response_topic_v10_list(out: list[MessagePart], items: list[MetadataResponseTopic]) -> None:
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


def write_metadata_response_v10(out: list[MessagePart], m: MetadataResponse) -> None:
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


def write_metadata_response_v11(out: list[MessagePart], m: MetadataResponse) -> None:
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


def write_metadata_response_topic_v12_list(out: list[MessagePart], items: list[MetadataResponseTopic]) -> None:
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


def write_metadata_response_v12(out: list[MessagePart], m: MetadataResponse) -> None:
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


def write_metadata_response_v13(out: list[MessagePart], m: MetadataResponse) -> None:
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
