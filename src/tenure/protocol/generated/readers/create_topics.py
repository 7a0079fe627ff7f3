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
    MalformedMessage,
)
from tenure.protocol.types import (
    ZERO_TOPIC_ID,
)
from tenure.protocol.wire import (
    Elements,
    UNBOUNDED,
    UNCOUNTED_BYTES,
    read_int32s,
    read_tag,
    read_text_length,
    read_uvarint,
    skip_tags,
    too_many,
    utf8,
)

unpack_16shB: Final = Packer(">16shB").unpack_from
unpack_ZbZB: Final = Packer(">?b?B").unpack_from
unpack_h: Final = Packer(">h").unpack_from
unpack_hB: Final = Packer(">hB").unpack_from
unpack_hh: Final = Packer(">hh").unpack_from
unpack_i: Final = Packer(">i").unpack_from
unpack_iZ: Final = Packer(">i?").unpack_from
unpack_iZB: Final = Packer(">i?B").unpack_from
unpack_iB: Final = Packer(">iB").unpack_from
unpack_ihB: Final = Packer(">ihB").unpack_from
unpack_ihi: Final = Packer(">ihi").unpack_from
unpack_ii: Final = Packer(">ii").unpack_from


def read_creatable_replica_assignment_v2_list(data: bytes, at: int, announced: int, elements: Elements) -> tuple[list[CreatableReplicaAssignment], int]:
    if announced * 8 > len(data) - at:
        raise too_many(announced, 8, data, at)
    found: list[CreatableReplicaAssignment] = []
    for _ in range(announced):
        partition_index, n = unpack_ii(data, at)
        at += 8
        if n < 0:
            raise MalformedMessage("CreatableReplicaAssignment.broker_ids is null")
        if elements is not UNBOUNDED:
            elements.add(n)
        broker_ids = read_int32s(data, at, n)
        at += 4 * n
        found.append(CreatableReplicaAssignment(partition_index, broker_ids))
    return found, at


def read_creatable_topic_config_v2_list(data: bytes, at: int, announced: int, elements: Elements) -> tuple[list[CreatableTopicConfig], int]:
    if announced * 4 > len(data) - at:
        raise too_many(announced, 4, data, at)
    found: list[CreatableTopicConfig] = []
    for _ in range(announced):
        (n,) = unpack_h(data, at)
        at += 2
        if n < 0:
            raise MalformedMessage("CreatableTopicConfig.name is null")
        end = at + n
        name = utf8(data[at:end])
        at = end
        (n,) = unpack_h(data, at)
        at += 2
        if n >= 0:
            end = at + n
            value = utf8(data[at:end])
            at = end
        elif n == -1:
            value = None
        else:
            raise MalformedMessage("CreatableTopicConfig.value has a negative length")
        found.append(CreatableTopicConfig(name, value))
    return found, at


def read_creatable_topic_v2_list(data: bytes, at: int, announced: int, elements: Elements) -> tuple[list[CreatableTopic], int]:
    if announced * 16 > len(data) - at:
        raise too_many(announced, 16, data, at)
    found: list[CreatableTopic] = []
    for _ in range(announced):
        (n,) = unpack_h(data, at)
        at += 2
        if n < 0:
            raise MalformedMessage("CreatableTopic.name is null")
        end = at + n
        name = utf8(data[at:end])
        at = end
        num_partitions, replication_factor, n = unpack_ihi(data, at)
        at += 10
        if n < 0:
            raise MalformedMessage("CreatableTopic.assignments is null")
        if elements is not UNBOUNDED:
            elements.add(n)
        assignments, at = read_creatable_replica_assignment_v2_list(data, at, n, elements)
        (n,) = unpack_i(data, at)
        at += 4
        if n < 0:
            raise MalformedMessage("CreatableTopic.configs is null")
        if elements is not UNBOUNDED:
            elements.add(n)
        configs, at = read_creatable_topic_config_v2_list(data, at, n, elements)
        found.append(CreatableTopic(name, num_partitions, replication_factor, assignments, configs))
    return found, at


def read_create_topics_request_v2(data: bytes, at: int) -> tuple[CreateTopicsRequest, int]:
    elements = UNBOUNDED if len(data) <= UNCOUNTED_BYTES else Elements()
    (n,) = unpack_i(data, at)
    at += 4
    if n < 0:
        raise MalformedMessage("CreateTopicsRequest.topics is null")
    if elements is not UNBOUNDED:
        elements.add(n)
    topics, at = read_creatable_topic_v2_list(data, at, n, elements)
    timeout_ms, validate_only = unpack_iZ(data, at)
    at += 5
    return CreateTopicsRequest(topics, timeout_ms, validate_only), at


def read_creatable_replica_assignment_v5_list(data: bytes, at: int, announced: int, elements: Elements) -> tuple[list[CreatableReplicaAssignment], int]:
    if announced * 6 > len(data) - at:
        raise too_many(announced, 6, data, at)
    found: list[CreatableReplicaAssignment] = []
    for _ in range(announced):
        partition_index, n = unpack_iB(data, at)
        at += 5
        if n > 127:
            n, at = read_uvarint(data, at - 1)
        n -= 1
        if n < 0:
            raise MalformedMessage("CreatableReplicaAssignment.broker_ids is null")
        if elements is not UNBOUNDED:
            elements.add(n)
        broker_ids = read_int32s(data, at, n)
        at += 4 * n
        tags = data[at]
        at += 1
        if tags:
            at = skip_tags(data, at - 1, elements)
        found.append(CreatableReplicaAssignment(partition_index, broker_ids))
    return found, at


def read_creatable_topic_config_v5_list(data: bytes, at: int, announced: int, elements: Elements) -> tuple[list[CreatableTopicConfig], int]:
    if announced * 3 > len(data) - at:
        raise too_many(announced, 3, data, at)
    found: list[CreatableTopicConfig] = []
    for _ in range(announced):
        n = data[at]
        at += 1
        if n > 127:
            n, at = read_text_length(data, at - 1)
        n -= 1
        if n < 0:
            raise MalformedMessage("CreatableTopicConfig.name is null")
        end = at + n
        name = utf8(data[at:end])
        at = end
        n = data[at]
        at += 1
        if n > 127:
            n, at = read_uvarint(data, at - 1)
        n -= 1
        if n >= 0:
            end = at + n
            value = utf8(data[at:end])
            at = end
        else:
            value = None
        tags = data[at]
        at += 1
        if tags:
            at = skip_tags(data, at - 1, elements)
        found.append(CreatableTopicConfig(name, value))
    return found, at


def read_creatable_topic_v5_list(data: bytes, at: int, announced: int, elements: Elements) -> tuple[list[CreatableTopic], int]:
    if announced * 10 > len(data) - at:
        raise too_many(announced, 10, data, at)
    found: list[CreatableTopic] = []
    for _ in range(announced):
        n = data[at]
        at += 1
        if n > 127:
            n, at = read_text_length(data, at - 1)
        n -= 1
        if n < 0:
            raise MalformedMessage("CreatableTopic.name is null")
        end = at + n
        name = utf8(data[at:end])
        at = end
        num_partitions, replication_factor, n = unpack_ihB(data, at)
        at += 7
        if n > 127:
            n, at = read_uvarint(data, at - 1)
        n -= 1
        if n < 0:
            raise MalformedMessage("CreatableTopic.assignments is null")
        if elements is not UNBOUNDED:
            elements.add(n)
        assignments, at = read_creatable_replica_assignment_v5_list(data, at, n, elements)
        n = data[at]
        at += 1
        if n > 127:
            n, at = read_uvarint(data, at - 1)
        n -= 1
        if n < 0:
            raise MalformedMessage("CreatableTopic.configs is null")
        if elements is not UNBOUNDED:
            elements.add(n)
        configs, at = read_creatable_topic_config_v5_list(data, at, n, elements)
        tags = data[at]
        at += 1
        if tags:
            at = skip_tags(data, at - 1, elements)
        found.append(CreatableTopic(name, num_partitions, replication_factor, assignments, configs))
    return found, at


def read_create_topics_request_v5(data: bytes, at: int) -> tuple[CreateTopicsRequest, int]:
    elements = UNBOUNDED if len(data) <= UNCOUNTED_BYTES else Elements()
    n = data[at]
    at += 1
    if n > 127:
        n, at = read_uvarint(data, at - 1)
    n -= 1
    if n < 0:
        raise MalformedMessage("CreateTopicsRequest.topics is null")
    if elements is not UNBOUNDED:
        elements.add(n)
    topics, at = read_creatable_topic_v5_list(data, at, n, elements)
    timeout_ms, validate_only, tags = unpack_iZB(data, at)
    at += 6
    if tags:
        at = skip_tags(data, at - 1, elements)
    return CreateTopicsRequest(topics, timeout_ms, validate_only), at


def read_creatable_topic_result_v2_list(data: bytes, at: int, announced: int) -> tuple[list[CreatableTopicResult], int]:
    if announced * 6 > len(data) - at:
        raise too_many(announced, 6, data, at)
    found: list[CreatableTopicResult] = []
    for _ in range(announced):
        (n,) = unpack_h(data, at)
        at += 2
        if n < 0:
            raise MalformedMessage("CreatableTopicResult.name is null")
        end = at + n
        name = utf8(data[at:end])
        at = end
        error_code, n = unpack_hh(data, at)
        at += 4
        if n >= 0:
            end = at + n
            error_message = utf8(data[at:end])
            at = end
        elif n == -1:
            error_message = None
        else:
            raise MalformedMessage("CreatableTopicResult.error_message has a negative length")
        found.append(CreatableTopicResult(name, ZERO_TOPIC_ID, error_code, error_message))
    return found, at


def read_create_topics_response_v2(data: bytes, at: int) -> tuple[CreateTopicsResponse, int]:
    throttle_time_ms, n = unpack_ii(data, at)
    at += 8
    if n < 0:
        raise MalformedMessage("CreateTopicsResponse.topics is null")
    topics, at = read_creatable_topic_result_v2_list(data, at, n)
    return CreateTopicsResponse(throttle_time_ms, topics), at


def read_creatable_topic_configs_v5_list(data: bytes, at: int, announced: int) -> tuple[list[CreatableTopicConfigs], int]:
    if announced * 6 > len(data) - at:
        raise too_many(announced, 6, data, at)
    found: list[CreatableTopicConfigs] = []
    for _ in range(announced):
        n = data[at]
        at += 1
        if n > 127:
            n, at = read_uvarint(data, at - 1)
        n -= 1
        if n < 0:
            raise MalformedMessage("CreatableTopicConfigs.name is null")
        end = at + n
        name = utf8(data[at:end])
        at = end
        n = data[at]
        at += 1
        if n > 127:
            n, at = read_uvarint(data, at - 1)
        n -= 1
        if n >= 0:
            end = at + n
            value = utf8(data[at:end])
            at = end
        else:
            value = None
        read_only, config_source, is_sensitive, tags = unpack_ZbZB(data, at)
        at += 4
        if tags:
            at = skip_tags(data, at - 1)
        found.append(CreatableTopicConfigs(name, value, read_only, config_source, is_sensitive))
    return found, at


def read_creatable_topic_result_v5_list(data: bytes, at: int, announced: int) -> tuple[list[CreatableTopicResult], int]:
    if announced * 12 > len(data) - at:
        raise too_many(announced, 12, data, at)
    found: list[CreatableTopicResult] = []
    for _ in range(announced):
        n = data[at]
        at += 1
        if n > 127:
            n, at = read_uvarint(data, at - 1)
        n -= 1
        if n < 0:
            raise MalformedMessage("CreatableTopicResult.name is null")
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
        num_partitions, replication_factor, n = unpack_ihB(data, at)
        at += 7
        if n > 127:
            n, at = read_uvarint(data, at - 1)
        n -= 1
        if n >= 0:
            configs, at = read_creatable_topic_configs_v5_list(data, at, n)
        else:
            configs = None
        tags = data[at]
        at += 1
        topic_config_error_code: int = 0
        if tags:
            tags, at = read_uvarint(data, at - 1)
            tag = -1
            for _ in range(tags):
                tag, n, at = read_tag(data, at, tag)
                stop = at + n
                if tag == 0:
                    (topic_config_error_code,) = unpack_h(data, at)
                    at += 2
                else:
                    at = stop
                if at != stop:
                    raise MalformedMessage(f"tag {tag} of CreatableTopicResult has a wrong size")
        found.append(CreatableTopicResult(name, ZERO_TOPIC_ID, error_code, error_message, topic_config_error_code, num_partitions, replication_factor, configs))
    return found, at


def read_create_topics_response_v5(data: bytes, at: int) -> tuple[CreateTopicsResponse, int]:
    throttle_time_ms, n = unpack_iB(data, at)
    at += 5
    if n > 127:
        n, at = read_uvarint(data, at - 1)
    n -= 1
    if n < 0:
        raise MalformedMessage("CreateTopicsResponse.topics is null")
    topics, at = read_creatable_topic_result_v5_list(data, at, n)
    tags = data[at]
    at += 1
    if tags:
        at = skip_tags(data, at - 1)
    return CreateTopicsResponse(throttle_time_ms, topics), at


def read_creatable_topic_result_v7_list(data: bytes, at: int, announced: int) -> tuple[list[CreatableTopicResult], int]:
    if announced * 28 > len(data) - at:
        raise too_many(announced, 28, data, at)
    found: list[CreatableTopicResult] = []
    for _ in range(announced):
        n = data[at]
        at += 1
        if n > 127:
            n, at = read_uvarint(data, at - 1)
        n -= 1
        if n < 0:
            raise MalformedMessage("CreatableTopicResult.name is null")
        end = at + n
        name = utf8(data[at:end])
        at = end
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
        num_partitions, replication_factor, n = unpack_ihB(data, at)
        at += 7
        if n > 127:
            n, at = read_uvarint(data, at - 1)
        n -= 1
        if n >= 0:
            configs, at = read_creatable_topic_configs_v5_list(data, at, n)
        else:
            configs = None
        tags = data[at]
        at += 1
        topic_config_error_code: int = 0
        if tags:
            tags, at = read_uvarint(data, at - 1)
            tag = -1
            for _ in range(tags):
                tag, n, at = read_tag(data, at, tag)
                stop = at + n
                if tag == 0:
                    (topic_config_error_code,) = unpack_h(data, at)
                    at += 2
                else:
                    at = stop
                if at != stop:
                    raise MalformedMessage(f"tag {tag} of CreatableTopicResult has a wrong size")
        found.append(CreatableTopicResult(name, topic_id, error_code, error_message, topic_config_error_code, num_partitions, replication_factor, configs))
    return found, at


def read_create_topics_response_v7(data: bytes, at: int) -> tuple[CreateTopicsResponse, int]:
    throttle_time_ms, n = unpack_iB(data, at)
    at += 5
    if n > 127:
        n, at = read_uvarint(data, at - 1)
    n -= 1
    if n < 0:
        raise MalformedMessage("CreateTopicsResponse.topics is null")
    topics, at = read_creatable_topic_result_v7_list(data, at, n)
    tags = data[at]
    at += 1
    if tags:
        at = skip_tags(data, at - 1)
    return CreateTopicsResponse(throttle_time_ms, topics), at


CreateTopicsRequest.READERS = {
    2: read_create_topics_request_v2,
    3: read_create_topics_request_v2,
    4: read_create_topics_request_v2,
    5: read_create_topics_request_v5,
    6: read_create_topics_request_v5,
    7: read_create_topics_request_v5,
}
CreateTopicsResponse.READERS = {
    2: read_create_topics_response_v2,
    3: read_create_topics_response_v2,
    4: read_create_topics_response_v2,
    5: read_create_topics_response_v5,
    6: read_create_topics_response_v5,
    7: read_create_topics_response_v7,
}
