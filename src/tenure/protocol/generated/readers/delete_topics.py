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
    MalformedMessage,
)
from tenure.protocol.types import (
    ZERO_TOPIC_ID,
)
from tenure.protocol.wire import (
    Elements,
    UNBOUNDED,
    UNCOUNTED_BYTES,
    read_compact_strings,
    read_strings,
    read_text_length,
    read_uvarint,
    skip_tags,
    too_many,
    utf8,
)

unpack_16sB: Final = Packer(">16sB").unpack_from
unpack_16shB: Final = Packer(">16shB").unpack_from
unpack_h: Final = Packer(">h").unpack_from
unpack_hB: Final = Packer(">hB").unpack_from
unpack_i: Final = Packer(">i").unpack_from
unpack_iB: Final = Packer(">iB").unpack_from
unpack_ii: Final = Packer(">ii").unpack_from


def read_delete_topics_request_v1(data: bytes, at: int) -> tuple[DeleteTopicsRequest, int]:
    elements = UNBOUNDED if len(data) <= UNCOUNTED_BYTES else Elements()
    (n,) = unpack_i(data, at)
    at += 4
    if n < 0:
        raise MalformedMessage("DeleteTopicsRequest.topic_names is null")
    if elements is not UNBOUNDED:
        elements.add(n)
    topic_names, at = read_strings(data, at, n)
    (timeout_ms,) = unpack_i(data, at)
    at += 4
    return DeleteTopicsRequest([], topic_names, timeout_ms), at


def read_delete_topics_request_v4(data: bytes, at: int) -> tuple[DeleteTopicsRequest, int]:
    elements = UNBOUNDED if len(data) <= UNCOUNTED_BYTES else Elements()
    n = data[at]
    at += 1
    if n > 127:
        n, at = read_uvarint(data, at - 1)
    n -= 1
    if n < 0:
        raise MalformedMessage("DeleteTopicsRequest.topic_names is null")
    if elements is not UNBOUNDED:
        elements.add(n)
    topic_names, at = read_compact_strings(data, at, n, read_text_length)
    timeout_ms, tags = unpack_iB(data, at)
    at += 5
    if tags:
        at = skip_tags(data, at - 1, elements)
    return DeleteTopicsRequest([], topic_names, timeout_ms), at


def read_delete_topic_state_v6_list(data: bytes, at: int, announced: int, elements: Elements) -> tuple[list[DeleteTopicState], int]:
    if announced * 18 > len(data) - at:
        raise too_many(announced, 18, data, at)
    found: list[DeleteTopicState] = []
    for _ in range(announced):
        n = data[at]
        at += 1
        if n > 127:
            n, at = read_text_length(data, at - 1)
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
            at = skip_tags(data, at - 1, elements)
        found.append(DeleteTopicState(name, topic_id))
    return found, at


def read_delete_topics_request_v6(data: bytes, at: int) -> tuple[DeleteTopicsRequest, int]:
    elements = UNBOUNDED if len(data) <= UNCOUNTED_BYTES else Elements()
    n = data[at]
    at += 1
    if n > 127:
        n, at = read_uvarint(data, at - 1)
    n -= 1
    if n < 0:
        raise MalformedMessage("DeleteTopicsRequest.topics is null")
    if elements is not UNBOUNDED:
        elements.add(n)
    topics, at = read_delete_topic_state_v6_list(data, at, n, elements)
    timeout_ms, tags = unpack_iB(data, at)
    at += 5
    if tags:
        at = skip_tags(data, at - 1, elements)
    return DeleteTopicsRequest(topics, [], timeout_ms), at


def read_deletable_topic_result_v1_list(data: bytes, at: int, announced: int) -> tuple[list[DeletableTopicResult], int]:
    if announced * 4 > len(data) - at:
        raise too_many(announced, 4, data, at)
    found: list[DeletableTopicResult] = []
    for _ in range(announced):
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


def read_deletable_topic_result_v4_list(data: bytes, at: int, announced: int) -> tuple[list[DeletableTopicResult], int]:
    if announced * 4 > len(data) - at:
        raise too_many(announced, 4, data, at)
    found: list[DeletableTopicResult] = []
    for _ in range(announced):
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


def read_deletable_topic_result_v5_list(data: bytes, at: int, announced: int) -> tuple[list[DeletableTopicResult], int]:
    if announced * 5 > len(data) - at:
        raise too_many(announced, 5, data, at)
    found: list[DeletableTopicResult] = []
    for _ in range(announced):
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


def read_deletable_topic_result_v6_list(data: bytes, at: int, announced: int) -> tuple[list[DeletableTopicResult], int]:
    if announced * 21 > len(data) - at:
        raise too_many(announced, 21, data, at)
    found: list[DeletableTopicResult] = []
    for _ in range(announced):
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


DeleteTopicsRequest.READERS = {
    1: read_delete_topics_request_v1,
    2: read_delete_topics_request_v1,
    3: read_delete_topics_request_v1,
    4: read_delete_topics_request_v4,
    5: read_delete_topics_request_v4,
    6: read_delete_topics_request_v6,
}
DeleteTopicsResponse.READERS = {
    1: read_delete_topics_response_v1,
    2: read_delete_topics_response_v1,
    3: read_delete_topics_response_v1,
    4: read_delete_topics_response_v4,
    5: read_delete_topics_response_v5,
    6: read_delete_topics_response_v6,
}
