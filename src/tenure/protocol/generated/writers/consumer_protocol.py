"""Generated from `tenure/protocol/tables/consumer_protocol.py` by `python -m tenure.protocol.generate`."""

from struct import Struct as Packer
from typing import Final

from tenure.protocol.generated.consumer_protocol import (
    ConsumerProtocolAssignment,
    ConsumerProtocolSubscription,
    CooperativeStickyAssignorUserData,
    StickyAssignorUserData,
    TopicPartition,
)
from tenure.protocol.message import (
    MessagePart,
)
from tenure.protocol.wire import (
    pack_int32s,
    write_strings,
)

pack_h: Final = Packer(">h").pack
pack_i: Final = Packer(">i").pack
pack_ih: Final = Packer(">ih").pack


def write_consumer_protocol_subscription_v0(out: list[MessagePart], m: ConsumerProtocolSubscription) -> None:
    put = out.append
    put(pack_i(len(m.topics)))
    write_strings(out, m.topics)
    if m.user_data is None:
        put(pack_i(-1))
    else:
        put(pack_i(len(m.user_data)))
        put(m.user_data)


def write_topic_partition_v1_list(out: list[MessagePart], items: list[TopicPartition]) -> None:
    put = out.append
    for m in items:
        text = m.topic.encode()
        put(pack_h(len(text)))
        put(text)
        put(pack_int32s(m.partitions))


def write_consumer_protocol_subscription_v1(out: list[MessagePart], m: ConsumerProtocolSubscription) -> None:
    put = out.append
    put(pack_i(len(m.topics)))
    write_strings(out, m.topics)
    if m.user_data is None:
        put(pack_i(-1))
    else:
        put(pack_i(len(m.user_data)))
        put(m.user_data)
    put(pack_i(len(m.owned_partitions)))
    write_topic_partition_v1_list(out, m.owned_partitions)


def write_consumer_protocol_subscription_v2(out: list[MessagePart], m: ConsumerProtocolSubscription) -> None:
    put = out.append
    put(pack_i(len(m.topics)))
    write_strings(out, m.topics)
    if m.user_data is None:
        put(pack_i(-1))
    else:
        put(pack_i(len(m.user_data)))
        put(m.user_data)
    put(pack_i(len(m.owned_partitions)))
    write_topic_partition_v1_list(out, m.owned_partitions)
    put(pack_i(m.generation_id))


def write_consumer_protocol_subscription_v3(out: list[MessagePart], m: ConsumerProtocolSubscription) -> None:
    put = out.append
    put(pack_i(len(m.topics)))
    write_strings(out, m.topics)
    if m.user_data is None:
        put(pack_i(-1))
    else:
        put(pack_i(len(m.user_data)))
        put(m.user_data)
    put(pack_i(len(m.owned_partitions)))
    write_topic_partition_v1_list(out, m.owned_partitions)
    if m.rack_id is None:
        put(pack_ih(m.generation_id, -1))
    else:
        text = m.rack_id.encode()
        put(pack_ih(m.generation_id, len(text)))
        put(text)


def write_consumer_protocol_assignment_v0(out: list[MessagePart], m: ConsumerProtocolAssignment) -> None:
    put = out.append
    put(pack_i(len(m.assigned_partitions)))
    write_topic_partition_v1_list(out, m.assigned_partitions)
    if m.user_data is None:
        put(pack_i(-1))
    else:
        put(pack_i(len(m.user_data)))
        put(m.user_data)


def write_sticky_assignor_user_data_v0(out: list[MessagePart], m: StickyAssignorUserData) -> None:
    put = out.append
    put(pack_i(len(m.previous_assignment)))
    write_topic_partition_v1_list(out, m.previous_assignment)


def write_sticky_assignor_user_data_v1(out: list[MessagePart], m: StickyAssignorUserData) -> None:
    put = out.append
    put(pack_i(len(m.previous_assignment)))
    write_topic_partition_v1_list(out, m.previous_assignment)
    put(pack_i(m.generation))


def write_cooperative_sticky_assignor_user_data_v0(out: list[MessagePart], m: CooperativeStickyAssignorUserData) -> None:
    put = out.append
    put(pack_i(m.generation))


ConsumerProtocolSubscription.WRITERS = {
    0: write_consumer_protocol_subscription_v0,
    1: write_consumer_protocol_subscription_v1,
    2: write_consumer_protocol_subscription_v2,
    3: write_consumer_protocol_subscription_v3,
}
ConsumerProtocolAssignment.WRITERS = {
    0: write_consumer_protocol_assignment_v0,
    1: write_consumer_protocol_assignment_v0,
    2: write_consumer_protocol_assignment_v0,
    3: write_consumer_protocol_assignment_v0,
}
StickyAssignorUserData.WRITERS = {
    0: write_sticky_assignor_user_data_v0,
    1: write_sticky_assignor_user_data_v1,
}
CooperativeStickyAssignorUserData.WRITERS = {
    0: write_cooperative_sticky_assignor_user_data_v0,
}
