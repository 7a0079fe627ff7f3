"""Generated from `tenure/protocol/tables/create_topics.py` by `python -m tenure.protocol.generate`."""

from struct import Struct as Packer
from typing import Final

from tenure.protocol.message import (
    EMPTY,
    MalformedMessage,
    Message,
    Struct,
)
from tenure.protocol.types import (
    BrokerId,
    PartitionId,
    TopicId,
    TopicName,
    ZERO_TOPIC_ID,
)
from tenure.protocol.wire import (
    UVARINT,
    pack_int32s,
    read_fixed,
    read_tag,
    read_uvarint,
    skip_tags,
    tagged,
    too_many,
    utf8,
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


class CreatableReplicaAssignment(Struct):
    __slots__ = ('partition_index', 'broker_ids')

    def __init__(
        self,
        partition_index: PartitionId = PartitionId(0),
        broker_ids: list[BrokerId] = EMPTY,
    ) -> None:
        self.partition_index: Final = partition_index
        self.broker_ids: Final = [] if broker_ids is EMPTY else broker_ids


class CreatableTopicConfig(Struct):
    __slots__ = ('name', 'value')

    def __init__(
        self,
        name: str = "",
        value: str | None = "",
    ) -> None:
        self.name: Final = name
        self.value: Final = value


class CreatableTopic(Struct):
    __slots__ = ('name', 'num_partitions', 'replication_factor', 'assignments', 'configs')

    def __init__(
        self,
        name: TopicName = TopicName(""),
        num_partitions: int = 0,
        replication_factor: int = 0,
        assignments: list[CreatableReplicaAssignment] = EMPTY,
        configs: list[CreatableTopicConfig] = EMPTY,
    ) -> None:
        self.name: Final = name
        self.num_partitions: Final = num_partitions
        self.replication_factor: Final = replication_factor
        self.assignments: Final = [] if assignments is EMPTY else assignments
        self.configs: Final = [] if configs is EMPTY else configs


class CreateTopicsRequest(Message):
    __slots__ = ('topics', 'timeout_ms', 'validate_only')
    KEY = 19

    def __init__(
        self,
        topics: list[CreatableTopic] = EMPTY,
        timeout_ms: int = 60000,
        validate_only: bool = False,
    ) -> None:
        self.topics: Final = [] if topics is EMPTY else topics
        self.timeout_ms: Final = timeout_ms
        self.validate_only: Final = validate_only


class CreatableTopicConfigs(Struct):
    __slots__ = ('name', 'value', 'read_only', 'config_source', 'is_sensitive')

    def __init__(
        self,
        name: str = "",
        value: str | None = "",
        read_only: bool = False,
        config_source: int = -1,
        is_sensitive: bool = False,
    ) -> None:
        self.name: Final = name
        self.value: Final = value
        self.read_only: Final = read_only
        self.config_source: Final = config_source
        self.is_sensitive: Final = is_sensitive


class CreatableTopicResult(Struct):
    __slots__ = ('name', 'topic_id', 'error_code', 'error_message', 'topic_config_error_code', 'num_partitions', 'replication_factor', 'configs')

    def __init__(
        self,
        name: TopicName = TopicName(""),
        topic_id: TopicId = ZERO_TOPIC_ID,
        error_code: int = 0,
        error_message: str | None = "",
        topic_config_error_code: int = 0,
        num_partitions: int = -1,
        replication_factor: int = -1,
        configs: list[CreatableTopicConfigs] | None = EMPTY,
    ) -> None:
        self.name: Final = name
        self.topic_id: Final = topic_id
        self.error_code: Final = error_code
        self.error_message: Final = error_message
        self.topic_config_error_code: Final = topic_config_error_code
        self.num_partitions: Final = num_partitions
        self.replication_factor: Final = replication_factor
        self.configs: Final = [] if configs is EMPTY else configs


class CreateTopicsResponse(Message):
    __slots__ = ('throttle_time_ms', 'topics')
    KEY = 19

    def __init__(
        self,
        throttle_time_ms: int = 0,
        topics: list[CreatableTopicResult] = EMPTY,
    ) -> None:
        self.throttle_time_ms: Final = throttle_time_ms
        self.topics: Final = [] if topics is EMPTY else topics


def read_creatable_replica_assignment_v2_list(data: bytes, at: int, n: int) -> tuple[list[CreatableReplicaAssignment], int]:
    if n * 8 > len(data) - at:
        raise too_many(n, 8, data, at)
    found: list[CreatableReplicaAssignment] = []
    for _ in range(n):
        partition_index, n = unpack_ii(data, at)
        at += 8
        if n < 0:
            raise MalformedMessage("CreatableReplicaAssignment.broker_ids is null")
        broker_ids = read_fixed(data, at, n, "i", 4)
        at += 4 * n
        found.append(CreatableReplicaAssignment(partition_index, broker_ids))
    return found, at


def read_creatable_topic_config_v2_list(data: bytes, at: int, n: int) -> tuple[list[CreatableTopicConfig], int]:
    if n * 4 > len(data) - at:
        raise too_many(n, 4, data, at)
    found: list[CreatableTopicConfig] = []
    for _ in range(n):
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


def read_creatable_topic_v2_list(data: bytes, at: int, n: int) -> tuple[list[CreatableTopic], int]:
    if n * 16 > len(data) - at:
        raise too_many(n, 16, data, at)
    found: list[CreatableTopic] = []
    for _ in range(n):
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
        assignments, at = read_creatable_replica_assignment_v2_list(data, at, n)
        (n,) = unpack_i(data, at)
        at += 4
        if n < 0:
            raise MalformedMessage("CreatableTopic.configs is null")
        configs, at = read_creatable_topic_config_v2_list(data, at, n)
        found.append(CreatableTopic(name, num_partitions, replication_factor, assignments, configs))
    return found, at


def read_create_topics_request_v2(data: bytes, at: int) -> tuple[CreateTopicsRequest, int]:
    (n,) = unpack_i(data, at)
    at += 4
    if n < 0:
        raise MalformedMessage("CreateTopicsRequest.topics is null")
    topics, at = read_creatable_topic_v2_list(data, at, n)
    timeout_ms, validate_only = unpack_iZ(data, at)
    at += 5
    return CreateTopicsRequest(topics, timeout_ms, validate_only), at


def read_creatable_replica_assignment_v5_list(data: bytes, at: int, n: int) -> tuple[list[CreatableReplicaAssignment], int]:
    if n * 6 > len(data) - at:
        raise too_many(n, 6, data, at)
    found: list[CreatableReplicaAssignment] = []
    for _ in range(n):
        partition_index, n = unpack_iB(data, at)
        at += 5
        if n > 127:
            n, at = read_uvarint(data, at - 1)
        n -= 1
        if n < 0:
            raise MalformedMessage("CreatableReplicaAssignment.broker_ids is null")
        broker_ids = read_fixed(data, at, n, "i", 4)
        at += 4 * n
        tags = data[at]
        at += 1
        if tags:
            at = skip_tags(data, at - 1)
        found.append(CreatableReplicaAssignment(partition_index, broker_ids))
    return found, at


def read_creatable_topic_config_v5_list(data: bytes, at: int, n: int) -> tuple[list[CreatableTopicConfig], int]:
    if n * 3 > len(data) - at:
        raise too_many(n, 3, data, at)
    found: list[CreatableTopicConfig] = []
    for _ in range(n):
        n = data[at]
        at += 1
        if n > 127:
            n, at = read_uvarint(data, at - 1)
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
            at = skip_tags(data, at - 1)
        found.append(CreatableTopicConfig(name, value))
    return found, at


def read_creatable_topic_v5_list(data: bytes, at: int, n: int) -> tuple[list[CreatableTopic], int]:
    if n * 10 > len(data) - at:
        raise too_many(n, 10, data, at)
    found: list[CreatableTopic] = []
    for _ in range(n):
        n = data[at]
        at += 1
        if n > 127:
            n, at = read_uvarint(data, at - 1)
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
        assignments, at = read_creatable_replica_assignment_v5_list(data, at, n)
        n = data[at]
        at += 1
        if n > 127:
            n, at = read_uvarint(data, at - 1)
        n -= 1
        if n < 0:
            raise MalformedMessage("CreatableTopic.configs is null")
        configs, at = read_creatable_topic_config_v5_list(data, at, n)
        tags = data[at]
        at += 1
        if tags:
            at = skip_tags(data, at - 1)
        found.append(CreatableTopic(name, num_partitions, replication_factor, assignments, configs))
    return found, at


def read_create_topics_request_v5(data: bytes, at: int) -> tuple[CreateTopicsRequest, int]:
    n = data[at]
    at += 1
    if n > 127:
        n, at = read_uvarint(data, at - 1)
    n -= 1
    if n < 0:
        raise MalformedMessage("CreateTopicsRequest.topics is null")
    topics, at = read_creatable_topic_v5_list(data, at, n)
    timeout_ms, validate_only, tags = unpack_iZB(data, at)
    at += 6
    if tags:
        at = skip_tags(data, at - 1)
    return CreateTopicsRequest(topics, timeout_ms, validate_only), at


def read_creatable_topic_result_v2_list(data: bytes, at: int, n: int) -> tuple[list[CreatableTopicResult], int]:
    if n * 6 > len(data) - at:
        raise too_many(n, 6, data, at)
    found: list[CreatableTopicResult] = []
    for _ in range(n):
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


def read_creatable_topic_configs_v5_list(data: bytes, at: int, n: int) -> tuple[list[CreatableTopicConfigs], int]:
    if n * 6 > len(data) - at:
        raise too_many(n, 6, data, at)
    found: list[CreatableTopicConfigs] = []
    for _ in range(n):
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


def read_creatable_topic_result_v5_list(data: bytes, at: int, n: int) -> tuple[list[CreatableTopicResult], int]:
    if n * 12 > len(data) - at:
        raise too_many(n, 12, data, at)
    found: list[CreatableTopicResult] = []
    for _ in range(n):
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


def read_creatable_topic_result_v7_list(data: bytes, at: int, n: int) -> tuple[list[CreatableTopicResult], int]:
    if n * 28 > len(data) - at:
        raise too_many(n, 28, data, at)
    found: list[CreatableTopicResult] = []
    for _ in range(n):
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


def write_creatable_replica_assignment_v2_list(out: list[bytes], items: list[CreatableReplicaAssignment]) -> None:
    put = out.append
    for m in items:
        put(pack_ii(m.partition_index, len(m.broker_ids)))
        put(pack_int32s(m.broker_ids))


def write_creatable_topic_config_v2_list(out: list[bytes], items: list[CreatableTopicConfig]) -> None:
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


def write_creatable_topic_v2_list(out: list[bytes], items: list[CreatableTopic]) -> None:
    put = out.append
    for m in items:
        text = m.name.encode()
        put(pack_h(len(text)))
        put(text)
        put(pack_ihi(m.num_partitions, m.replication_factor, len(m.assignments)))
        write_creatable_replica_assignment_v2_list(out, m.assignments)
        put(pack_i(len(m.configs)))
        write_creatable_topic_config_v2_list(out, m.configs)


def write_create_topics_request_v2(out: list[bytes], m: CreateTopicsRequest) -> None:
    put = out.append
    put(pack_i(len(m.topics)))
    write_creatable_topic_v2_list(out, m.topics)
    put(pack_iZ(m.timeout_ms, m.validate_only))


def write_creatable_replica_assignment_v5_list(out: list[bytes], items: list[CreatableReplicaAssignment]) -> None:
    put = out.append
    for m in items:
        put(pack_i(m.partition_index))
        n = len(m.broker_ids) + 1
        put(UVARINT[n] if n < 128 else uvarint(n))
        put(pack_int32s(m.broker_ids))
        put(b"\0")


def write_creatable_topic_config_v5_list(out: list[bytes], items: list[CreatableTopicConfig]) -> None:
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


def write_creatable_topic_v5_list(out: list[bytes], items: list[CreatableTopic]) -> None:
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


def write_create_topics_request_v5(out: list[bytes], m: CreateTopicsRequest) -> None:
    put = out.append
    n = len(m.topics) + 1
    put(UVARINT[n] if n < 128 else uvarint(n))
    write_creatable_topic_v5_list(out, m.topics)
    put(pack_iZx(m.timeout_ms, m.validate_only))


def write_creatable_topic_result_v2_list(out: list[bytes], items: list[CreatableTopicResult]) -> None:
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


def write_create_topics_response_v2(out: list[bytes], m: CreateTopicsResponse) -> None:
    put = out.append
    put(pack_ii(m.throttle_time_ms, len(m.topics)))
    write_creatable_topic_result_v2_list(out, m.topics)


def write_creatable_topic_configs_v5_list(out: list[bytes], items: list[CreatableTopicConfigs]) -> None:
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


def write_creatable_topic_result_v5_list(out: list[bytes], items: list[CreatableTopicResult]) -> None:
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
        tags: list[bytes] = []
        part: list[bytes]
        if m.topic_config_error_code != 0:
            part = []
            part.append(pack_h(m.topic_config_error_code))
            tags.append(tagged(0, b"".join(part)))
        put(uvarint(len(tags)))
        out.extend(tags)


def write_create_topics_response_v5(out: list[bytes], m: CreateTopicsResponse) -> None:
    put = out.append
    put(pack_i(m.throttle_time_ms))
    n = len(m.topics) + 1
    put(UVARINT[n] if n < 128 else uvarint(n))
    write_creatable_topic_result_v5_list(out, m.topics)
    put(b"\0")


def write_creatable_topic_result_v7_list(out: list[bytes], items: list[CreatableTopicResult]) -> None:
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
        tags: list[bytes] = []
        part: list[bytes]
        if m.topic_config_error_code != 0:
            part = []
            part.append(pack_h(m.topic_config_error_code))
            tags.append(tagged(0, b"".join(part)))
        put(uvarint(len(tags)))
        out.extend(tags)


def write_create_topics_response_v7(out: list[bytes], m: CreateTopicsResponse) -> None:
    put = out.append
    put(pack_i(m.throttle_time_ms))
    n = len(m.topics) + 1
    put(UVARINT[n] if n < 128 else uvarint(n))
    write_creatable_topic_result_v7_list(out, m.topics)
    put(b"\0")


CreateTopicsRequest.READERS = {
    2: read_create_topics_request_v2,
    3: read_create_topics_request_v2,
    4: read_create_topics_request_v2,
    5: read_create_topics_request_v5,
    6: read_create_topics_request_v5,
    7: read_create_topics_request_v5,
}
CreateTopicsRequest.WRITERS = {
    2: write_create_topics_request_v2,
    3: write_create_topics_request_v2,
    4: write_create_topics_request_v2,
    5: write_create_topics_request_v5,
    6: write_create_topics_request_v5,
    7: write_create_topics_request_v5,
}
CreateTopicsResponse.READERS = {
    2: read_create_topics_response_v2,
    3: read_create_topics_response_v2,
    4: read_create_topics_response_v2,
    5: read_create_topics_response_v5,
    6: read_create_topics_response_v5,
    7: read_create_topics_response_v7,
}
CreateTopicsResponse.WRITERS = {
    2: write_create_topics_response_v2,
    3: write_create_topics_response_v2,
    4: write_create_topics_response_v2,
    5: write_create_topics_response_v5,
    6: write_create_topics_response_v5,
    7: write_create_topics_response_v7,
}
