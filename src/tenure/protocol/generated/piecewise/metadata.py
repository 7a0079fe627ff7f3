"""Generated from `tenure/protocol/tables/metadata.py` by `python -m tenure.protocol.generate`."""

from collections.abc import Iterator
from struct import Struct as Packer
from typing import Final

from tenure.protocol.generated.metadata import (
    MetadataResponse,
    MetadataResponseTopic,
)
from tenure.protocol.generated.writers.metadata import (
    write_metadata_response_broker_v0_list,
    write_metadata_response_broker_v1_list,
    write_metadata_response_broker_v9_list,
    write_metadata_response_partition_v0_list,
    write_metadata_response_partition_v5_list,
    write_metadata_response_partition_v7_list,
    write_metadata_response_partition_v9_list,
)
from tenure.protocol.message import (
    InvalidMessage,
    MessagePart,
    UnsupportedVersion,
)
from tenure.protocol.wire import (
    UVARINT,
    uvarint,
)

pack_16sZ: Final = Packer(">16s?").pack
pack_Z: Final = Packer(">?").pack
pack_Zi: Final = Packer(">?i").pack
pack_h: Final = Packer(">h").pack
pack_hh: Final = Packer(">hh").pack
pack_hx: Final = Packer(">hx").pack
pack_i: Final = Packer(">i").pack
pack_ii: Final = Packer(">ii").pack
pack_ix: Final = Packer(">ix").pack


def pieces_of_metadata_response_topic_v0_list(out: list[MessagePart], items: list[MetadataResponseTopic]) -> Iterator[None]:
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
        for start in range(0, len(m.partitions), 256):
            write_metadata_response_partition_v0_list(out, m.partitions[start : start + 256])
            yield
        yield


def pieces_of_metadata_response_v0(out: list[MessagePart], m: MetadataResponse) -> Iterator[None]:
    put = out.append
    if m.cluster_authorized_operations != -2147483648:
        raise UnsupportedVersion("MetadataResponse.cluster_authorized_operations exists in versions 8-10 only")
    put(pack_i(len(m.brokers)))
    for start in range(0, len(m.brokers), 256):
        write_metadata_response_broker_v0_list(out, m.brokers[start : start + 256])
        yield
    put(pack_i(len(m.topics)))
    yield from pieces_of_metadata_response_topic_v0_list(out, m.topics)


def pieces_of_metadata_response_topic_v1_list(out: list[MessagePart], items: list[MetadataResponseTopic]) -> Iterator[None]:
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
        for start in range(0, len(m.partitions), 256):
            write_metadata_response_partition_v0_list(out, m.partitions[start : start + 256])
            yield
        yield


def pieces_of_metadata_response_v1(out: list[MessagePart], m: MetadataResponse) -> Iterator[None]:
    put = out.append
    if m.cluster_authorized_operations != -2147483648:
        raise UnsupportedVersion("MetadataResponse.cluster_authorized_operations exists in versions 8-10 only")
    put(pack_i(len(m.brokers)))
    for start in range(0, len(m.brokers), 256):
        write_metadata_response_broker_v1_list(out, m.brokers[start : start + 256])
        yield
    put(pack_ii(m.controller_id, len(m.topics)))
    yield from pieces_of_metadata_response_topic_v1_list(out, m.topics)


def pieces_of_metadata_response_v2(out: list[MessagePart], m: MetadataResponse) -> Iterator[None]:
    put = out.append
    if m.cluster_authorized_operations != -2147483648:
        raise UnsupportedVersion("MetadataResponse.cluster_authorized_operations exists in versions 8-10 only")
    put(pack_i(len(m.brokers)))
    for start in range(0, len(m.brokers), 256):
        write_metadata_response_broker_v1_list(out, m.brokers[start : start + 256])
        yield
    if m.cluster_id is None:
        put(pack_h(-1))
    else:
        text = m.cluster_id.encode()
        put(pack_h(len(text)))
        put(text)
    put(pack_ii(m.controller_id, len(m.topics)))
    yield from pieces_of_metadata_response_topic_v1_list(out, m.topics)


def pieces_of_metadata_response_v3(out: list[MessagePart], m: MetadataResponse) -> Iterator[None]:
    put = out.append
    if m.cluster_authorized_operations != -2147483648:
        raise UnsupportedVersion("MetadataResponse.cluster_authorized_operations exists in versions 8-10 only")
    put(pack_ii(m.throttle_time_ms, len(m.brokers)))
    for start in range(0, len(m.brokers), 256):
        write_metadata_response_broker_v1_list(out, m.brokers[start : start + 256])
        yield
    if m.cluster_id is None:
        put(pack_h(-1))
    else:
        text = m.cluster_id.encode()
        put(pack_h(len(text)))
        put(text)
    put(pack_ii(m.controller_id, len(m.topics)))
    yield from pieces_of_metadata_response_topic_v1_list(out, m.topics)


def pieces_of_metadata_response_topic_v5_list(out: list[MessagePart], items: list[MetadataResponseTopic]) -> Iterator[None]:
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
        for start in range(0, len(m.partitions), 256):
            write_metadata_response_partition_v5_list(out, m.partitions[start : start + 256])
            yield
        yield


def pieces_of_metadata_response_v5(out: list[MessagePart], m: MetadataResponse) -> Iterator[None]:
    put = out.append
    if m.cluster_authorized_operations != -2147483648:
        raise UnsupportedVersion("MetadataResponse.cluster_authorized_operations exists in versions 8-10 only")
    put(pack_ii(m.throttle_time_ms, len(m.brokers)))
    for start in range(0, len(m.brokers), 256):
        write_metadata_response_broker_v1_list(out, m.brokers[start : start + 256])
        yield
    if m.cluster_id is None:
        put(pack_h(-1))
    else:
        text = m.cluster_id.encode()
        put(pack_h(len(text)))
        put(text)
    put(pack_ii(m.controller_id, len(m.topics)))
    yield from pieces_of_metadata_response_topic_v5_list(out, m.topics)


def pieces_of_metadata_response_topic_v7_list(out: list[MessagePart], items: list[MetadataResponseTopic]) -> Iterator[None]:
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
        for start in range(0, len(m.partitions), 256):
            write_metadata_response_partition_v7_list(out, m.partitions[start : start + 256])
            yield
        yield


def pieces_of_metadata_response_v7(out: list[MessagePart], m: MetadataResponse) -> Iterator[None]:
    put = out.append
    if m.cluster_authorized_operations != -2147483648:
        raise UnsupportedVersion("MetadataResponse.cluster_authorized_operations exists in versions 8-10 only")
    put(pack_ii(m.throttle_time_ms, len(m.brokers)))
    for start in range(0, len(m.brokers), 256):
        write_metadata_response_broker_v1_list(out, m.brokers[start : start + 256])
        yield
    if m.cluster_id is None:
        put(pack_h(-1))
    else:
        text = m.cluster_id.encode()
        put(pack_h(len(text)))
        put(text)
    put(pack_ii(m.controller_id, len(m.topics)))
    yield from pieces_of_metadata_response_topic_v7_list(out, m.topics)


def pieces_of_metadata_response_topic_v8_list(out: list[MessagePart], items: list[MetadataResponseTopic]) -> Iterator[None]:
    put = out.append
    for m in items:
        if m.name is None:
            raise InvalidMessage("MetadataResponseTopic.name may be null in versions 12+ only")
        text = m.name.encode()
        put(pack_hh(m.error_code, len(text)))
        put(text)
        put(pack_Zi(m.is_internal, len(m.partitions)))
        for start in range(0, len(m.partitions), 256):
            write_metadata_response_partition_v7_list(out, m.partitions[start : start + 256])
            yield
        put(pack_i(m.topic_authorized_operations))
        yield


def pieces_of_metadata_response_v8(out: list[MessagePart], m: MetadataResponse) -> Iterator[None]:
    put = out.append
    put(pack_ii(m.throttle_time_ms, len(m.brokers)))
    for start in range(0, len(m.brokers), 256):
        write_metadata_response_broker_v1_list(out, m.brokers[start : start + 256])
        yield
    if m.cluster_id is None:
        put(pack_h(-1))
    else:
        text = m.cluster_id.encode()
        put(pack_h(len(text)))
        put(text)
    put(pack_ii(m.controller_id, len(m.topics)))
    yield from pieces_of_metadata_response_topic_v8_list(out, m.topics)
    put(pack_i(m.cluster_authorized_operations))


def pieces_of_metadata_response_topic_v9_list(out: list[MessagePart], items: list[MetadataResponseTopic]) -> Iterator[None]:
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
        for start in range(0, len(m.partitions), 256):
            write_metadata_response_partition_v9_list(out, m.partitions[start : start + 256])
            yield
        put(pack_ix(m.topic_authorized_operations))
        yield


def pieces_of_metadata_response_v9(out: list[MessagePart], m: MetadataResponse) -> Iterator[None]:
    put = out.append
    put(pack_i(m.throttle_time_ms))
    n = len(m.brokers) + 1
    put(UVARINT[n] if n < 128 else uvarint(n))
    for start in range(0, len(m.brokers), 256):
        write_metadata_response_broker_v9_list(out, m.brokers[start : start + 256])
        yield
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
    yield from pieces_of_metadata_response_topic_v9_list(out, m.topics)
    put(pack_ix(m.cluster_authorized_operations))


def pieces_of_metadata_response_topic_v10_list(out: list[MessagePart], items: list[MetadataResponseTopic]) -> Iterator[None]:
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
        for start in range(0, len(m.partitions), 256):
            write_metadata_response_partition_v9_list(out, m.partitions[start : start + 256])
            yield
        put(pack_ix(m.topic_authorized_operations))
        yield


def pieces_of_metadata_response_v10(out: list[MessagePart], m: MetadataResponse) -> Iterator[None]:
    put = out.append
    put(pack_i(m.throttle_time_ms))
    n = len(m.brokers) + 1
    put(UVARINT[n] if n < 128 else uvarint(n))
    for start in range(0, len(m.brokers), 256):
        write_metadata_response_broker_v9_list(out, m.brokers[start : start + 256])
        yield
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
    yield from pieces_of_metadata_response_topic_v10_list(out, m.topics)
    put(pack_ix(m.cluster_authorized_operations))


def pieces_of_metadata_response_v11(out: list[MessagePart], m: MetadataResponse) -> Iterator[None]:
    put = out.append
    if m.cluster_authorized_operations != -2147483648:
        raise UnsupportedVersion("MetadataResponse.cluster_authorized_operations exists in versions 8-10 only")
    put(pack_i(m.throttle_time_ms))
    n = len(m.brokers) + 1
    put(UVARINT[n] if n < 128 else uvarint(n))
    for start in range(0, len(m.brokers), 256):
        write_metadata_response_broker_v9_list(out, m.brokers[start : start + 256])
        yield
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
    yield from pieces_of_metadata_response_topic_v10_list(out, m.topics)
    put(b"\0")


def pieces_of_metadata_response_topic_v12_list(out: list[MessagePart], items: list[MetadataResponseTopic]) -> Iterator[None]:
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
        for start in range(0, len(m.partitions), 256):
            write_metadata_response_partition_v9_list(out, m.partitions[start : start + 256])
            yield
        put(pack_ix(m.topic_authorized_operations))
        yield


def pieces_of_metadata_response_v12(out: list[MessagePart], m: MetadataResponse) -> Iterator[None]:
    put = out.append
    if m.cluster_authorized_operations != -2147483648:
        raise UnsupportedVersion("MetadataResponse.cluster_authorized_operations exists in versions 8-10 only")
    put(pack_i(m.throttle_time_ms))
    n = len(m.brokers) + 1
    put(UVARINT[n] if n < 128 else uvarint(n))
    for start in range(0, len(m.brokers), 256):
        write_metadata_response_broker_v9_list(out, m.brokers[start : start + 256])
        yield
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
    yield from pieces_of_metadata_response_topic_v12_list(out, m.topics)
    put(b"\0")


def pieces_of_metadata_response_v13(out: list[MessagePart], m: MetadataResponse) -> Iterator[None]:
    put = out.append
    if m.cluster_authorized_operations != -2147483648:
        raise UnsupportedVersion("MetadataResponse.cluster_authorized_operations exists in versions 8-10 only")
    put(pack_i(m.throttle_time_ms))
    n = len(m.brokers) + 1
    put(UVARINT[n] if n < 128 else uvarint(n))
    for start in range(0, len(m.brokers), 256):
        write_metadata_response_broker_v9_list(out, m.brokers[start : start + 256])
        yield
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
    yield from pieces_of_metadata_response_topic_v12_list(out, m.topics)
    put(pack_hx(m.error_code))


MetadataResponse.PIECEWISE_WRITERS = {
    0: pieces_of_metadata_response_v0,
    1: pieces_of_metadata_response_v1,
    2: pieces_of_metadata_response_v2,
    3: pieces_of_metadata_response_v3,
    4: pieces_of_metadata_response_v3,
    5: pieces_of_metadata_response_v5,
    6: pieces_of_metadata_response_v5,
    7: pieces_of_metadata_response_v7,
    8: pieces_of_metadata_response_v8,
    9: pieces_of_metadata_response_v9,
    10: pieces_of_metadata_response_v10,
    11: pieces_of_metadata_response_v11,
    12: pieces_of_metadata_response_v12,
    13: pieces_of_metadata_response_v13,
}
