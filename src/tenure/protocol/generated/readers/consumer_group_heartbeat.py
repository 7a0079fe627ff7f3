"""Generated from `tenure/protocol/tables/consumer_group_heartbeat.py` by `python -m tenure.protocol.generate`."""

from struct import Struct as Packer
from typing import Final

from tenure.protocol.generated.consumer_group_heartbeat import (
    ConsumerGroupHeartbeatRequest,
    ConsumerGroupHeartbeatResponse,
    HeartbeatAssignment,
    HeartbeatTopicPartitions,
)
from tenure.protocol.message import (
    MalformedMessage,
)
from tenure.protocol.wire import (
    Elements,
    UNBOUNDED,
    UNCOUNTED_BYTES,
    read_compact_strings,
    read_int32s,
    read_text_length,
    read_uvarint,
    skip_tags,
    too_many,
    utf8,
)

unpack_16sB: Final = Packer(">16sB").unpack_from
unpack_b: Final = Packer(">b").unpack_from
unpack_iB: Final = Packer(">iB").unpack_from
unpack_ihB: Final = Packer(">ihB").unpack_from
unpack_ii: Final = Packer(">ii").unpack_from


def read_heartbeat_topic_partitions_v0_list(data: bytes, at: int, announced: int, elements: Elements = UNBOUNDED) -> tuple[list[HeartbeatTopicPartitions], int]:
    if announced * 18 > len(data) - at:
        raise too_many(announced, 18, data, at)
    found: list[HeartbeatTopicPartitions] = []
    for _ in range(announced):
        topic_id, n = unpack_16sB(data, at)
        at += 17
        if n > 127:
            n, at = read_uvarint(data, at - 1)
        n -= 1
        if n < 0:
            raise MalformedMessage("HeartbeatTopicPartitions.partitions is null")
        if elements is not UNBOUNDED:
            elements.add(n)
        partitions = read_int32s(data, at, n)
        at += 4 * n
        tags = data[at]
        at += 1
        if tags:
            at = skip_tags(data, at - 1, elements)
        found.append(HeartbeatTopicPartitions(topic_id, partitions))
    return found, at


def read_consumer_group_heartbeat_request_v0(data: bytes, at: int) -> tuple[ConsumerGroupHeartbeatRequest, int]:
    elements = UNBOUNDED if len(data) <= UNCOUNTED_BYTES else Elements()
    n = data[at]
    at += 1
    if n > 127:
        n, at = read_text_length(data, at - 1)
    n -= 1
    if n < 0:
        raise MalformedMessage("ConsumerGroupHeartbeatRequest.group_id is null")
    end = at + n
    group_id = utf8(data[at:end])
    at = end
    n = data[at]
    at += 1
    if n > 127:
        n, at = read_text_length(data, at - 1)
    n -= 1
    if n < 0:
        raise MalformedMessage("ConsumerGroupHeartbeatRequest.member_id is null")
    end = at + n
    member_id = utf8(data[at:end])
    at = end
    member_epoch, n = unpack_iB(data, at)
    at += 5
    if n > 127:
        n, at = read_text_length(data, at - 1)
    n -= 1
    if n >= 0:
        end = at + n
        instance_id = utf8(data[at:end])
        at = end
    else:
        instance_id = None
    n = data[at]
    at += 1
    if n > 127:
        n, at = read_text_length(data, at - 1)
    n -= 1
    if n >= 0:
        end = at + n
        rack_id = utf8(data[at:end])
        at = end
    else:
        rack_id = None
    rebalance_timeout_ms, n = unpack_iB(data, at)
    at += 5
    if n > 127:
        n, at = read_uvarint(data, at - 1)
    n -= 1
    if n >= 0:
        if elements is not UNBOUNDED:
            elements.add(n)
        subscribed_topic_names, at = read_compact_strings(data, at, n, read_text_length)
    else:
        subscribed_topic_names = None
    n = data[at]
    at += 1
    if n > 127:
        n, at = read_text_length(data, at - 1)
    n -= 1
    if n >= 0:
        end = at + n
        server_assignor = utf8(data[at:end])
        at = end
    else:
        server_assignor = None
    n = data[at]
    at += 1
    if n > 127:
        n, at = read_uvarint(data, at - 1)
    n -= 1
    if n >= 0:
        if elements is not UNBOUNDED:
            elements.add(n)
        topic_partitions, at = read_heartbeat_topic_partitions_v0_list(data, at, n, elements)
    else:
        topic_partitions = None
    tags = data[at]
    at += 1
    if tags:
        at = skip_tags(data, at - 1, elements)
    return ConsumerGroupHeartbeatRequest(group_id, member_id, member_epoch, instance_id, rack_id, rebalance_timeout_ms, subscribed_topic_names, None, server_assignor, topic_partitions), at


def read_consumer_group_heartbeat_request_v1(data: bytes, at: int) -> tuple[ConsumerGroupHeartbeatRequest, int]:
    elements = UNBOUNDED if len(data) <= UNCOUNTED_BYTES else Elements()
    n = data[at]
    at += 1
    if n > 127:
        n, at = read_text_length(data, at - 1)
    n -= 1
    if n < 0:
        raise MalformedMessage("ConsumerGroupHeartbeatRequest.group_id is null")
    end = at + n
    group_id = utf8(data[at:end])
    at = end
    n = data[at]
    at += 1
    if n > 127:
        n, at = read_text_length(data, at - 1)
    n -= 1
    if n < 0:
        raise MalformedMessage("ConsumerGroupHeartbeatRequest.member_id is null")
    end = at + n
    member_id = utf8(data[at:end])
    at = end
    member_epoch, n = unpack_iB(data, at)
    at += 5
    if n > 127:
        n, at = read_text_length(data, at - 1)
    n -= 1
    if n >= 0:
        end = at + n
        instance_id = utf8(data[at:end])
        at = end
    else:
        instance_id = None
    n = data[at]
    at += 1
    if n > 127:
        n, at = read_text_length(data, at - 1)
    n -= 1
    if n >= 0:
        end = at + n
        rack_id = utf8(data[at:end])
        at = end
    else:
        rack_id = None
    rebalance_timeout_ms, n = unpack_iB(data, at)
    at += 5
    if n > 127:
        n, at = read_uvarint(data, at - 1)
    n -= 1
    if n >= 0:
        if elements is not UNBOUNDED:
            elements.add(n)
        subscribed_topic_names, at = read_compact_strings(data, at, n, read_text_length)
    else:
        subscribed_topic_names = None
    n = data[at]
    at += 1
    if n > 127:
        n, at = read_text_length(data, at - 1)
    n -= 1
    if n >= 0:
        end = at + n
        subscribed_topic_regex = utf8(data[at:end])
        at = end
    else:
        subscribed_topic_regex = None
    n = data[at]
    at += 1
    if n > 127:
        n, at = read_text_length(data, at - 1)
    n -= 1
    if n >= 0:
        end = at + n
        server_assignor = utf8(data[at:end])
        at = end
    else:
        server_assignor = None
    n = data[at]
    at += 1
    if n > 127:
        n, at = read_uvarint(data, at - 1)
    n -= 1
    if n >= 0:
        if elements is not UNBOUNDED:
            elements.add(n)
        topic_partitions, at = read_heartbeat_topic_partitions_v0_list(data, at, n, elements)
    else:
        topic_partitions = None
    tags = data[at]
    at += 1
    if tags:
        at = skip_tags(data, at - 1, elements)
    return ConsumerGroupHeartbeatRequest(group_id, member_id, member_epoch, instance_id, rack_id, rebalance_timeout_ms, subscribed_topic_names, subscribed_topic_regex, server_assignor, topic_partitions), at


def read_heartbeat_assignment_v0(data: bytes, at: int) -> tuple[HeartbeatAssignment, int]:
    n = data[at]
    at += 1
    if n > 127:
        n, at = read_uvarint(data, at - 1)
    n -= 1
    if n < 0:
        raise MalformedMessage("HeartbeatAssignment.topic_partitions is null")
    topic_partitions, at = read_heartbeat_topic_partitions_v0_list(data, at, n)
    tags = data[at]
    at += 1
    if tags:
        at = skip_tags(data, at - 1)
    return HeartbeatAssignment(topic_partitions), at


def read_consumer_group_heartbeat_response_v0(data: bytes, at: int) -> tuple[ConsumerGroupHeartbeatResponse, int]:
    throttle_time_ms, error_code, n = unpack_ihB(data, at)
    at += 7
    if n > 127:
        n, at = read_uvarint(data, at - 1)
    n -= 1
    if n >= 0:
        end = at + n
        error_message = utf8(data[at:end])
        at = end
    else:
        error_message = None
    n = data[at]
    at += 1
    if n > 127:
        n, at = read_uvarint(data, at - 1)
    n -= 1
    if n >= 0:
        end = at + n
        member_id = utf8(data[at:end])
        at = end
    else:
        member_id = None
    member_epoch, heartbeat_interval_ms = unpack_ii(data, at)
    at += 8
    (n,) = unpack_b(data, at)
    at += 1
    if n < 0:
        assignment = None
    else:
        assignment, at = read_heartbeat_assignment_v0(data, at)
    tags = data[at]
    at += 1
    if tags:
        at = skip_tags(data, at - 1)
    return ConsumerGroupHeartbeatResponse(throttle_time_ms, error_code, error_message, member_id, member_epoch, heartbeat_interval_ms, assignment), at


ConsumerGroupHeartbeatRequest.READERS = {
    0: read_consumer_group_heartbeat_request_v0,
    1: read_consumer_group_heartbeat_request_v1,
}
ConsumerGroupHeartbeatResponse.READERS = {
    0: read_consumer_group_heartbeat_response_v0,
    1: read_consumer_group_heartbeat_response_v0,
}
