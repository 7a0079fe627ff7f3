"""Generated from `tenure/protocol/tables/delete_topics.py` by `python -m tenure.protocol.generate`."""

from struct import Struct as Packer
from typing import Final

from tenure.protocol.message import (
    EMPTY,
    InvalidMessage,
    MalformedMessage,
    Message,
    Struct,
    UnsupportedVersion,
)
from tenure.protocol.types import (
    TopicId,
    TopicName,
    ZERO_TOPIC_ID,
)
from tenure.protocol.wire import (
    UVARINT,
    read_compact_strings,
    read_strings,
    read_uvarint,
    skip_tags,
    too_many,
    utf8,
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
unpack_16sB: Final = Packer(">16sB").unpack_from
unpack_16shB: Final = Packer(">16shB").unpack_from
unpack_h: Final = Packer(">h").unpack_from
unpack_hB: Final = Packer(">hB").unpack_from
unpack_i: Final = Packer(">i").unpack_from
unpack_iB: Final = Packer(">iB").unpack_from
unpack_ii: Final = Packer(">ii").unpack_from


class DeleteTopicState(Struct):
    __slots__ = ('name', 'topic_id')

    def __init__(
        self,
        name: TopicName | None = None,
        topic_id: TopicId = ZERO_TOPIC_ID,
    ) -> None:
        self.name: Final = name
        self.topic_id: Final = topic_id


class DeleteTopicsRequest(Message):
    __slots__ = ('topics', 'topic_names', 'timeout_ms')
    KEY = 20

    def __init__(
        self,
        topics: list[DeleteTopicState] = EMPTY,
        topic_names: list[TopicName] = EMPTY,
        timeout_ms: int = 0,
    ) -> None:
        self.topics: Final = [] if topics is EMPTY else topics
        self.topic_names: Final = [] if topic_names is EMPTY else topic_names
        self.timeout_ms: Final = timeout_ms


class DeletableTopicResult(Struct):
    __slots__ = ('name', 'topic_id', 'error_code', 'error_message')

    def __init__(
        self,
        name: TopicName | None = TopicName(""),
        topic_id: TopicId = ZERO_TOPIC_ID,
        error_code: int = 0,
        error_message: str | None = None,
    ) -> None:
        self.name: Final = name
        self.topic_id: Final = topic_id
        self.error_code: Final = error_code
        self.error_message: Final = error_message


class DeleteTopicsResponse(Message):
    __slots__ = ('throttle_time_ms', 'responses')
    KEY = 20

    def __init__(
        self,
        throttle_time_ms: int = 0,
        responses: list[DeletableTopicResult] = EMPTY,
    ) -> None:
        self.throttle_time_ms: Final = throttle_time_ms
        self.responses: Final = [] if responses is EMPTY else responses


def read_delete_topics_request_v1(data: bytes, at: int) -> tuple[DeleteTopicsRequest, int]:
    (n,) = unpack_i(data, at)
    at += 4
    if n < 0:
        raise MalformedMessage("DeleteTopicsRequest.topic_names is null")
    topic_names, at = read_strings(data, at, n)
    (timeout_ms,) = unpack_i(data, at)
    at += 4
    return DeleteTopicsRequest([], topic_names, timeout_ms), at


def read_delete_topics_request_v4(data: bytes, at: int) -> tuple[DeleteTopicsRequest, int]:
    n = data[at]
    at += 1
    if n > 127:
        n, at = read_uvarint(data, at - 1)
    n -= 1
    if n < 0:
        raise MalformedMessage("DeleteTopicsRequest.topic_names is null")
    topic_names, at = read_compact_strings(data, at, n)
    timeout_ms, tags = unpack_iB(data, at)
    at += 5
    if tags:
        at = skip_tags(data, at - 1)
    return DeleteTopicsRequest([], topic_names, timeout_ms), at


def read_delete_topic_state_v6_list(data: bytes, at: int, n: int) -> tuple[list[DeleteTopicState], int]:
    if n * 18 > len(data) - at:
        raise too_many(n, 18, data, at)
    found: list[DeleteTopicState] = []
    for _ in range(n):
        n = data[at]
        at += 1
        if n > 127:
            n, at = read_uvarint(data, at - 1)
        n -= 1
        if n >= 0:
            end = at + n
            name = utf8(data[at:end])
            at = end
        else:
            name = None
        topic_id, tags = unpack_16sB(data, at)
        at += 17
        if tags:
            at = skip_tags(data, at - 1)
        found.append(DeleteTopicState(name, topic_id))
    return found, at


def read_delete_topics_request_v6(data: bytes, at: int) -> tuple[DeleteTopicsRequest, int]:
    n = data[at]
    at += 1
    if n > 127:
        n, at = read_uvarint(data, at - 1)
    n -= 1
    if n < 0:
        raise MalformedMessage("DeleteTopicsRequest.topics is null")
    topics, at = read_delete_topic_state_v6_list(data, at, n)
    timeout_ms, tags = unpack_iB(data, at)
    at += 5
    if tags:
        at = skip_tags(data, at - 1)
    return DeleteTopicsRequest(topics, [], timeout_ms), at


def read_deletable_topic_result_v1_list(data: bytes, at: int, n: int) -> tuple[list[DeletableTopicResult], int]:
    if n * 4 > len(data) - at:
        raise too_many(n, 4, data, at)
    found: list[DeletableTopicResult] = []
    for _ in range(n):
        (n,) = unpack_h(data, at)
        at += 2
        if n < 0:
            raise MalformedMessage("DeletableTopicResult.name is null")
        end = at + n
        name = utf8(data[at:end])
        at = end
        (error_code,) = unpack_h(data, at)
        at += 2
        found.append(DeletableTopicResult(name, ZERO_TOPIC_ID, error_code))
    return found, at


def read_delete_topics_response_v1(data: bytes, at: int) -> tuple[DeleteTopicsResponse, int]:
    throttle_time_ms, n = unpack_ii(data, at)
    at += 8
    if n < 0:
        raise MalformedMessage("DeleteTopicsResponse.responses is null")
    responses, at = read_deletable_topic_result_v1_list(data, at, n)
    return DeleteTopicsResponse(throttle_time_ms, responses), at


def read_deletable_topic_result_v4_list(data: bytes, at: int, n: int) -> tuple[list[DeletableTopicResult], int]:
    if n * 4 > len(data) - at:
        raise too_many(n, 4, data, at)
    found: list[DeletableTopicResult] = []
    for _ in range(n):
        n = data[at]
        at += 1
        if n > 127:
            n, at = read_uvarint(data, at - 1)
        n -= 1
        if n < 0:
            raise MalformedMessage("DeletableTopicResult.name is null")
        end = at + n
        name = utf8(data[at:end])
        at = end
        error_code, tags = unpack_hB(data, at)
        at += 3
        if tags:
            at = skip_tags(data, at - 1)
        found.append(DeletableTopicResult(name, ZERO_TOPIC_ID, error_code))
    return found, at


def read_delete_topics_response_v4(data: bytes, at: int) -> tuple[DeleteTopicsResponse, int]:
    throttle_time_ms, n = unpack_iB(data, at)
    at += 5
    if n > 127:
        n, at = read_uvarint(data, at - 1)
    n -= 1
    if n < 0:
        raise MalformedMessage("DeleteTopicsResponse.responses is null")
    responses, at = read_deletable_topic_result_v4_list(data, at, n)
    tags = data[at]
    at += 1
    if tags:
        at = skip_tags(data, at - 1)
    return DeleteTopicsResponse(throttle_time_ms, responses), at


def read_deletable_topic_result_v5_list(data: bytes, at: int, n: int) -> tuple[list[DeletableTopicResult], int]:
    if n * 5 > len(data) - at:
        raise too_many(n, 5, data, at)
    found: list[DeletableTopicResult] = []
    for _ in range(n):
        n = data[at]
        at += 1
        if n > 127:
            n, at = read_uvarint(data, at - 1)
        n -= 1
        if n < 0:
            raise MalformedMessage("DeletableTopicResult.name is null")
        end = at + n
        name = utf8(data[at:end])
        at = end
        error_code, n = unpack_hB(data, at)
        at += 3
        if n > 127:
            n, at = read_uvarint(data, at - 1)
        n -= 1
        if n >= 0:
            end = at + n
            error_message = utf8(data[at:end])
            at = end
        else:
            error_message = None
        tags = data[at]
        at += 1
        if tags:
            at = skip_tags(data, at - 1)
        found.append(DeletableTopicResult(name, ZERO_TOPIC_ID, error_code, error_message))
    return found, at


def read_delete_topics_response_v5(data: bytes, at: int) -> tuple[DeleteTopicsResponse, int]:
    throttle_time_ms, n = unpack_iB(data, at)
    at += 5
    if n > 127:
        n, at = read_uvarint(data, at - 1)
    n -= 1
    if n < 0:
        raise MalformedMessage("DeleteTopicsResponse.responses is null")
    responses, at = read_deletable_topic_result_v5_list(data, at, n)
    tags = data[at]
    at += 1
    if tags:
        at = skip_tags(data, at - 1)
    return DeleteTopicsResponse(throttle_time_ms, responses), at


def read_deletable_topic_result_v6_list(data: bytes, at: int, n: int) -> tuple[list[DeletableTopicResult], int]:
    if n * 21 > len(data) - at:
        raise too_many(n, 21, data, at)
    found: list[DeletableTopicResult] = []
    for _ in range(n):
        n = data[at]
        at += 1
        if n > 127:
            n, at = read_uvarint(data, at - 1)
        n -= 1
        if n >= 0:
            end = at + n
            name = utf8(data[at:end])
            at = end
        else:
            name = None
        topic_id, error_code, n = unpack_16shB(data, at)
        at += 19
        if n > 127:
            n, at = read_uvarint(data, at - 1)
        n -= 1
        if n >= 0:
            end = at + n
            error_message = utf8(data[at:end])
            at = end
        else:
            error_message = None
        tags = data[at]
        at += 1
        if tags:
            at = skip_tags(data, at - 1)
        found.append(DeletableTopicResult(name, topic_id, error_code, error_message))
    return found, at


def read_delete_topics_response_v6(data: bytes, at: int) -> tuple[DeleteTopicsResponse, int]:
    throttle_time_ms, n = unpack_iB(data, at)
    at += 5
    if n > 127:
        n, at = read_uvarint(data, at - 1)
    n -= 1
    if n < 0:
        raise MalformedMessage("DeleteTopicsResponse.responses is null")
    responses, at = read_deletable_topic_result_v6_list(data, at, n)
    tags = data[at]
    at += 1
    if tags:
        at = skip_tags(data, at - 1)
    return DeleteTopicsResponse(throttle_time_ms, responses), at


def write_delete_topics_request_v1(out: list[bytes], m: DeleteTopicsRequest) -> None:
    put = out.append
    if m.topics:
        raise UnsupportedVersion("DeleteTopicsRequest.topics exists in versions 6+ only")
    put(pack_i(len(m.topic_names)))
    write_strings(out, m.topic_names)
    put(pack_i(m.timeout_ms))


def write_delete_topics_request_v4(out: list[bytes], m: DeleteTopicsRequest) -> None:
    put = out.append
    if m.topics:
        raise UnsupportedVersion("DeleteTopicsRequest.topics exists in versions 6+ only")
    n = len(m.topic_names) + 1
    put(UVARINT[n] if n < 128 else uvarint(n))
    write_compact_strings(out, m.topic_names)
    put(pack_ix(m.timeout_ms))


def write_delete_topic_state_v6_list(out: list[bytes], items: list[DeleteTopicState]) -> None:
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


def write_delete_topics_request_v6(out: list[bytes], m: DeleteTopicsRequest) -> None:
    put = out.append
    n = len(m.topics) + 1
    put(UVARINT[n] if n < 128 else uvarint(n))
    write_delete_topic_state_v6_list(out, m.topics)
    put(pack_ix(m.timeout_ms))


def write_deletable_topic_result_v1_list(out: list[bytes], items: list[DeletableTopicResult]) -> None:
    put = out.append
    for m in items:
        if m.name is None:
            raise InvalidMessage("DeletableTopicResult.name may be null in versions 6+ only")
        text = m.name.encode()
        put(pack_h(len(text)))
        put(text)
        put(pack_h(m.error_code))


def write_delete_topics_response_v1(out: list[bytes], m: DeleteTopicsResponse) -> None:
    put = out.append
    put(pack_ii(m.throttle_time_ms, len(m.responses)))
    write_deletable_topic_result_v1_list(out, m.responses)


def write_deletable_topic_result_v4_list(out: list[bytes], items: list[DeletableTopicResult]) -> None:
    put = out.append
    for m in items:
        if m.name is None:
            raise InvalidMessage("DeletableTopicResult.name may be null in versions 6+ only")
        text = m.name.encode()
        n = len(text) + 1
        put(UVARINT[n] if n < 128 else uvarint(n))
        put(text)
        put(pack_hx(m.error_code))


def write_delete_topics_response_v4(out: list[bytes], m: DeleteTopicsResponse) -> None:
    put = out.append
    put(pack_i(m.throttle_time_ms))
    n = len(m.responses) + 1
    put(UVARINT[n] if n < 128 else uvarint(n))
    write_deletable_topic_result_v4_list(out, m.responses)
    put(b"\0")


def write_deletable_topic_result_v5_list(out: list[bytes], items: list[DeletableTopicResult]) -> None:
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


def write_delete_topics_response_v5(out: list[bytes], m: DeleteTopicsResponse) -> None:
    put = out.append
    put(pack_i(m.throttle_time_ms))
    n = len(m.responses) + 1
    put(UVARINT[n] if n < 128 else uvarint(n))
    write_deletable_topic_result_v5_list(out, m.responses)
    put(b"\0")


def write_deletable_topic_result_v6_list(out: list[bytes], items: list[DeletableTopicResult]) -> None:
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


def write_delete_topics_response_v6(out: list[bytes], m: DeleteTopicsResponse) -> None:
    put = out.append
    put(pack_i(m.throttle_time_ms))
    n = len(m.responses) + 1
    put(UVARINT[n] if n < 128 else uvarint(n))
    write_deletable_topic_result_v6_list(out, m.responses)
    put(b"\0")


DeleteTopicsRequest.READERS = {
    1: read_delete_topics_request_v1,
    2: read_delete_topics_request_v1,
    3: read_delete_topics_request_v1,
    4: read_delete_topics_request_v4,
    5: read_delete_topics_request_v4,
    6: read_delete_topics_request_v6,
}
DeleteTopicsRequest.WRITERS = {
    1: write_delete_topics_request_v1,
    2: write_delete_topics_request_v1,
    3: write_delete_topics_request_v1,
    4: write_delete_topics_request_v4,
    5: write_delete_topics_request_v4,
    6: write_delete_topics_request_v6,
}
DeleteTopicsResponse.READERS = {
    1: read_delete_topics_response_v1,
    2: read_delete_topics_response_v1,
    3: read_delete_topics_response_v1,
    4: read_delete_topics_response_v4,
    5: read_delete_topics_response_v5,
    6: read_delete_topics_response_v6,
}
DeleteTopicsResponse.WRITERS = {
    1: write_delete_topics_response_v1,
    2: write_delete_topics_response_v1,
    3: write_delete_topics_response_v1,
    4: write_delete_topics_response_v4,
    5: write_delete_topics_response_v5,
    6: write_delete_topics_response_v6,
}
