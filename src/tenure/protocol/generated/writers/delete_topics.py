"""Generated from `tenure/protocol/tables/delete_topics.py` by `python -m tenure.protocol.generate`."""

from struct import Struct as Packer
from typing import Final

from tenure.protocol.generated.delete_topics import (
    DeletableTopicResult,
    DeleteTopicState,
    DeleteTopicsRequest,
    DeleteTopicsResponse,
)
from tenure.protocol.message import (
    InvalidMessage,
    MessagePart,
    UnsupportedVersion,
)
from tenure.protocol.wire import (
    UVARINT,
    uvarint,
    write_compact_strings,
    write_strings,
)

pack_16sh: Final = Packer(">16sh").pack
pack_16sx: Final = Packer(">16sx").pack
pack_h: Final = Packer(">h").pack
pack_hx: Final = Packer(">hx").pack
pack_i: Final = Packer(">i").pack
pack_ii: Final = Packer(">ii").pack
pack_ix: Final = Packer(">ix").pack


def write_delete_topics_request_v1(out: list[MessagePart], m: DeleteTopicsRequest) -> None:
    put = out.append
    if m.topics:
        raise UnsupportedVersion("DeleteTopicsRequest.topics exists in versions 6+ only")
    put(pack_i(len(m.topic_names)))
    write_strings(out, m.topic_names)
    put(pack_i(m.timeout_ms))


def write_delete_topics_request_v4(out: list[MessagePart], m: DeleteTopicsRequest) -> None:
    put = out.append
    if m.topics:
        raise UnsupportedVersion("DeleteTopicsRequest.topics exists in versions 6+ only")
    n = len(m.topic_names) + 1
    put(UVARINT[n] if n < 128 else uvarint(n))
    write_compact_strings(out, m.topic_names)
    put(pack_ix(m.timeout_ms))


def write_delete_topic_state_v6_list(out: list[MessagePart], items: list[DeleteTopicState]) -> None:
    put = out.append
    for m in items:
        if m.name is None:
            put(b"\0")
        else:
            text = m.name.encode()
            n = len(text) + 1
            put(UVARINT[n] if n < 128 else uvarint(n))
            put(text)
        put(pack_16sx(m.topic_id))


def write_delete_topics_request_v6(out: list[MessagePart], m: DeleteTopicsRequest) -> None:
    put = out.append
    n = len(m.topics) + 1
    put(UVARINT[n] if n < 128 else uvarint(n))
    write_delete_topic_state_v6_list(out, m.topics)
    put(pack_ix(m.timeout_ms))


def write_deletable_topic_result_v1_list(out: list[MessagePart], items: list[DeletableTopicResult]) -> None:
    put = out.append
    for m in items:
        if m.name is None:
            raise InvalidMessage("DeletableTopicResult.name may be null in versions 6+ only")
        text = m.name.encode()
        put(pack_h(len(text)))
        put(text)
        put(pack_h(m.error_code))


def write_delete_topics_response_v1(out: list[MessagePart], m: DeleteTopicsResponse) -> None:
    put = out.append
    put(pack_ii(m.throttle_time_ms, len(m.responses)))
    write_deletable_topic_result_v1_list(out, m.responses)


def write_deletable_topic_result_v4_list(out: list[MessagePart], items: list[DeletableTopicResult]) -> None:
    put = out.append
    for m in items:
        if m.name is None:
            raise InvalidMessage("DeletableTopicResult.name may be null in versions 6+ only")
        text = m.name.encode()
        n = len(text) + 1
        put(UVARINT[n] if n < 128 else uvarint(n))
        put(text)
        put(pack_hx(m.error_code))


def write_delete_topics_response_v4(out: list[MessagePart], m: DeleteTopicsResponse) -> None:
    put = out.append
    put(pack_i(m.throttle_time_ms))
    n = len(m.responses) + 1
    put(UVARINT[n] if n < 128 else uvarint(n))
    write_deletable_topic_result_v4_list(out, m.responses)
    put(b"\0")


def write_deletable_topic_result_v5_list(out: list[MessagePart], items: list[DeletableTopicResult]) -> None:
    put = out.append
    for m in items:
        if m.name is None:
            raise InvalidMessage("DeletableTopicResult.name may be null in versions 6+ only")
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
        put(b"\0")


def write_delete_topics_response_v5(out: list[MessagePart], m: DeleteTopicsResponse) -> None:
    put = out.append
    put(pack_i(m.throttle_time_ms))
    n = len(m.responses) + 1
    put(UVARINT[n] if n < 128 else uvarint(n))
    write_deletable_topic_result_v5_list(out, m.responses)
    put(b"\0")


def write_deletable_topic_result_v6_list(out: list[MessagePart], items: list[DeletableTopicResult]) -> None:
    put = out.append
    for m in items:
        if m.name is None:
            put(b"\0")
        else:
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
        put(b"\0")


def write_delete_topics_response_v6(out: list[MessagePart], m: DeleteTopicsResponse) -> None:
    put = out.append
    put(pack_i(m.throttle_time_ms))
    n = len(m.responses) + 1
    put(UVARINT[n] if n < 128 else uvarint(n))
    write_deletable_topic_result_v6_list(out, m.responses)
    put(b"\0")


DeleteTopicsRequest.WRITERS = {
    1: write_delete_topics_request_v1,
    2: write_delete_topics_request_v1,
    3: write_delete_topics_request_v1,
    4: write_delete_topics_request_v4,
    5: write_delete_topics_request_v4,
    6: write_delete_topics_request_v6,
}
DeleteTopicsResponse.WRITERS = {
    1: write_delete_topics_response_v1,
    2: write_delete_topics_response_v1,
    3: write_delete_topics_response_v1,
    4: write_delete_topics_response_v4,
    5: write_delete_topics_response_v5,
    6: write_delete_topics_response_v6,
}
