"""Generated from `tenure/protocol/tables/create_topics.py` by `python -m tenure.protocol.generate`."""

from collections.abc import Iterator
from struct import Struct as Packer
from typing import Final

from tenure.protocol.generated.create_topics import (
    CreatableTopicResult,
    CreateTopicsResponse,
)
from tenure.protocol.generated.writers.create_topics import (
    write_creatable_topic_configs_v5_list,
    write_creatable_topic_result_v2_list,
)
from tenure.protocol.message import (
    MessagePart,
)
from tenure.protocol.wire import (
    UVARINT,
    uvarint,
)

pack_16sh: Final = Packer(">16sh").pack
pack_h: Final = Packer(">h").pack
pack_i: Final = Packer(">i").pack
pack_ih: Final = Packer(">ih").pack
pack_ii: Final = Packer(">ii").pack


def pieces_of_create_topics_response_v2(out: list[MessagePart], m: CreateTopicsResponse) -> Iterator[None]:
    put = out.append
    put(pack_ii(m.throttle_time_ms, len(m.topics)))
    for start in range(0, len(m.topics), 256):
        write_creatable_topic_result_v2_list(out, m.topics[start : start + 256])
        yield


def pieces_of_creatable_topic_result_v5_list(out: list[MessagePart], items: list[CreatableTopicResult]) -> Iterator[None]:
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
            for start in range(0, len(m.configs), 256):
                write_creatable_topic_configs_v5_list(out, m.configs[start : start + 256])
                yield
        tags: list[MessagePart] = []
        if m.topic_config_error_code != 0:
            tags.append(b'\x00\x02' + pack_h(m.topic_config_error_code))
        put(UVARINT[len(tags)])
        out.extend(tags)
        yield


def pieces_of_create_topics_response_v5(out: list[MessagePart], m: CreateTopicsResponse) -> Iterator[None]:
    put = out.append
    put(pack_i(m.throttle_time_ms))
    n = len(m.topics) + 1
    put(UVARINT[n] if n < 128 else uvarint(n))
    yield from pieces_of_creatable_topic_result_v5_list(out, m.topics)
    put(b"\0")


def pieces_of_creatable_topic_result_v7_list(out: list[MessagePart], items: list[CreatableTopicResult]) -> Iterator[None]:
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
            for start in range(0, len(m.configs), 256):
                write_creatable_topic_configs_v5_list(out, m.configs[start : start + 256])
                yield
        tags: list[MessagePart] = []
        if m.topic_config_error_code != 0:
            tags.append(b'\x00\x02' + pack_h(m.topic_config_error_code))
        put(UVARINT[len(tags)])
        out.extend(tags)
        yield


def pieces_of_create_topics_response_v7(out: list[MessagePart], m: CreateTopicsResponse) -> Iterator[None]:
    put = out.append
    put(pack_i(m.throttle_time_ms))
    n = len(m.topics) + 1
    put(UVARINT[n] if n < 128 else uvarint(n))
    yield from pieces_of_creatable_topic_result_v7_list(out, m.topics)
    put(b"\0")


CreateTopicsResponse.PIECEWISE_WRITERS = {
    2: pieces_of_create_topics_response_v2,
    3: pieces_of_create_topics_response_v2,
    4: pieces_of_create_topics_response_v2,
    5: pieces_of_create_topics_response_v5,
    6: pieces_of_create_topics_response_v5,
    7: pieces_of_create_topics_response_v7,
}
