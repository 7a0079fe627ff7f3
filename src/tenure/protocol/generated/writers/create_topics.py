"""Generated from `tenure/protocol/tables/create_topics.py` by `python -m tenure.protocol.generate`."""

from struct import Struct as Packer
from typing import Final

from tenure.protocol.generated.create_topics import (
    CreatableReplicaAssignment,
    CreatableTopic,
    CreatableTopicConfig,
    CreatableTopicConfigs,
    CreatableTopicResult,
    CreateTopicsRequest,
    CreateTopicsResponse,
)
from tenure.protocol.message import (
    MessagePart,
)
from tenure.protocol.wire import (
    UVARINT,
    pack_compact_int32s,
    pack_int32s,
    uvarint,
)

pack_16sh: Final = Packer(">16sh").pack
pack_ZbZx: Final = Packer(">?b?x").pack
pack_h: Final = Packer(">h").pack
pack_hh: Final = Packer(">hh").pack
pack_i: Final = Packer(">i").pack
pack_iZ: Final = Packer(">i?").pack
pack_iZx: Final = Packer(">i?x").pack
pack_ih: Final = Packer(">ih").pack
pack_ihi: Final = Packer(">ihi").pack
pack_ii: Final = Packer(">ii").pack


def write_creatable_replica_assignment_v2_list(out: list[MessagePart], items: list[CreatableReplicaAssignment]) -> None:
    put = out.append
    for m in items:
        put(pack_i(m.partition_index))
        put(pack_int32s(m.broker_ids))


def write_creatable_topic_config_v2_list(out: list[MessagePart], items: list[CreatableTopicConfig]) -> None:
    put = out.append
    for m in items:
        text = m.name.encode()
        put(pack_h(len(text)))
        put(text)
        if m.value is None:
            put(pack_h(-1))
        else:
            text = m.value.encode()
            put(pack_h(len(text)))
            put(text)


def write_creatable_topic_v2_list(out: list[MessagePart], items: list[CreatableTopic]) -> None:
    put = out.append
    for m in items:
        text = m.name.encode()
        put(pack_h(len(text)))
        put(text)
        put(pack_ihi(m.num_partitions, m.replication_factor, len(m.assignments)))
        write_creatable_replica_assignment_v2_list(out, m.assignments)
        put(pack_i(len(m.configs)))
        write_creatable_topic_config_v2_list(out, m.configs)


def write_create_topics_request_v2(out: list[MessagePart], m: CreateTopicsRequest) -> None:
    put = out.append
    put(pack_i(len(m.topics)))
    write_creatable_topic_v2_list(out, m.topics)
    put(pack_iZ(m.timeout_ms, m.validate_only))


def write_creatable_replica_assignment_v5_list(out: list[MessagePart], items: list[CreatableReplicaAssignment]) -> None:
    put = out.append
    for m in items:
        put(pack_i(m.partition_index))
        put(pack_compact_int32s(m.broker_ids))
        put(b"\0")


def write_creatable_topic_config_v5_list(out: list[MessagePart], items: list[CreatableTopicConfig]) -> None:
    put = out.append
    for m in items:
        text = m.name.encode()
        n = len(text) + 1
        put(UVARINT[n] if n < 128 else uvarint(n))
        put(text)
        if m.value is None:
            put(b"\0")
        else:
            text = m.value.encode()
            n = len(text) + 1
            put(UVARINT[n] if n < 128 else uvarint(n))
            put(text)
        put(b"\0")


def write_creatable_topic_v5_list(out: list[MessagePart], items: list[CreatableTopic]) -> None:
    put = out.append
    for m in items:
        text = m.name.encode()
        n = len(text) + 1
        put(UVARINT[n] if n < 128 else uvarint(n))
        put(text)
        put(pack_ih(m.num_partitions, m.replication_factor))
        n = len(m.assignments) + 1
        put(UVARINT[n] if n < 128 else uvarint(n))
        write_creatable_replica_assignment_v5_list(out, m.assignments)
        n = len(m.configs) + 1
        put(UVARINT[n] if n < 128 else uvarint(n))
        write_creatable_topic_config_v5_list(out, m.configs)
        put(b"\0")


def write_create_topics_request_v5(out: list[MessagePart], m: CreateTopicsRequest) -> None:
    put = out.append
    n = len(m.topics) + 1
    put(UVARINT[n] if n < 128 else uvarint(n))
    write_creatable_topic_v5_list(out, m.topics)
    put(pack_iZx(m.timeout_ms, m.validate_only))


def write_creatable_topic_result_v2_list(out: list[MessagePart], items: list[CreatableTopicResult]) -> None:
    put = out.append
    for m in items:
        text = m.name.encode()
        put(pack_h(len(text)))
        put(text)
        if m.error_message is None:
            put(pack_hh(m.error_code, -1))
        else:
            text = m.error_message.encode()
            put(pack_hh(m.error_code, len(text)))
            put(text)


def write_create_topics_response_v2(out: list[MessagePart], m: CreateTopicsResponse) -> None:
    put = out.append
    put(pack_ii(m.throttle_time_ms, len(m.topics)))
    write_creatable_topic_result_v2_list(out, m.topics)


def write_creatable_topic_configs_v5_list(out: list[MessagePart], items: list[CreatableTopicConfigs]) -> None:
    put = out.append
    for m in items:
        text = m.name.encode()
        n = len(text) + 1
        put(UVARINT[n] if n < 128 else uvarint(n))
        put(text)
        if m.value is None:
            put(b"\0")
        else:
            text = m.value.encode()
            n = len(text) + 1
            put(UVARINT[n] if n < 128 else uvarint(n))
            put(text)
        put(pack_ZbZx(m.read_only, m.config_source, m.is_sensitive))


def write_creatable_topic_result_v5_list(out: list[MessagePart], items: list[CreatableTopicResult]) -> None:
    put = out.append
    for m in items:
        text = m.name.encode()
        n = len(text) + 1
        put(UVARINT[n] if n < 128 else uvarint(n))
        put(text)
        put(pack_h(m.error_code))
        if m.error_message is None:
            put(b"\0")
        else:
            text = m.error_message.encode()
            n = len(text) + 1
            put(UVARINT[n] if n < 128 else uvarint(n))
            put(text)
        put(pack_ih(m.num_partitions, m.replication_factor))
        if m.configs is None:
            put(b"\0")
        else:
            n = len(m.configs) + 1
            put(UVARINT[n] if n < 128 else uvarint(n))
            write_creatable_topic_configs_v5_list(out, m.configs)
        tags: list[MessagePart] = []
        if m.topic_config_error_code != 0:
            tags.append(b'\x00\x02' + pack_h(m.topic_config_error_code))
        put(UVARINT[len(tags)])
        out.extend(tags)


def write_create_topics_response_v5(out: list[MessagePart], m: CreateTopicsResponse) -> None:
    put = out.append
    put(pack_i(m.throttle_time_ms))
    n = len(m.topics) + 1
    put(UVARINT[n] if n < 128 else uvarint(n))
    write_creatable_topic_result_v5_list(out, m.topics)
    put(b"\0")


def write_creatable_topic_result_v7_list(out: list[MessagePart], items: list[CreatableTopicResult]) -> None:
    put = out.append
    for m in items:
        text = m.name.encode()
        n = len(text) + 1
        put(UVARINT[n] if n < 128 else uvarint(n))
        put(text)
        put(pack_16sh(m.topic_id, m.error_code))
        if m.error_message is None:
            put(b"\0")
        else:
            text = m.error_message.encode()
            n = len(text) + 1
            put(UVARINT[n] if n < 128 else uvarint(n))
            put(text)
        put(pack_ih(m.num_partitions, m.replication_factor))
        if m.configs is None:
            put(b"\0")
        else:
            n = len(m.configs) + 1
            put(UVARINT[n] if n < 128 else uvarint(n))
            write_creatable_topic_configs_v5_list(out, m.configs)
        tags: list[MessagePart] = []
        if m.topic_config_error_code != 0:
            tags.append(b'\x00\x02' + pack_h(m.topic_config_error_code))
        put(UVARINT[len(tags)])
        out.extend(tags)


def write_create_topics_response_v7(out: list[MessagePart], m: CreateTopicsResponse) -> None:
    put = out.append
    put(pack_i(m.throttle_time_ms))
    n = len(m.topics) + 1
    put(UVARINT[n] if n < 128 else uvarint(n))
    write_creatable_topic_result_v7_list(out, m.topics)
    put(b"\0")


CreateTopicsRequest.WRITERS = {
    2: write_create_topics_request_v2,
    3: write_create_topics_request_v2,
    4: write_create_topics_request_v2,
    5: write_create_topics_request_v5,
    6: write_create_topics_request_v5,
    7: write_create_topics_request_v5,
}
CreateTopicsResponse.WRITERS = {
    2: write_create_topics_response_v2,
    3: write_create_topics_response_v2,
    4: write_create_topics_response_v2,
    5: write_create_topics_response_v5,
    6: write_create_topics_response_v5,
    7: write_create_topics_response_v7,
}
