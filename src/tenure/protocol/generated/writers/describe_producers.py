"""Generated from `tenure/protocol/tables/describe_producers.py` by `python -m tenure.protocol.generate`."""

from struct import Struct as Packer
from typing import Final

from tenure.protocol.generated.describe_producers import (
    DescribeProducersPartitionResponse,
    DescribeProducersRequest,
    DescribeProducersResponse,
    DescribeProducersTopic,
    DescribeProducersTopicResponse,
    ProducerState,
)
from tenure.protocol.message import (
    MessagePart,
)
from tenure.protocol.wire import (
    UVARINT,
    pack_compact_int32s,
    uvarint,
)

pack_i: Final = Packer(">i").pack
pack_ih: Final = Packer(">ih").pack
pack_qiiqiqx: Final = Packer(">qiiqiqx").pack


def write_describe_producers_topic_v0_list(out: list[MessagePart], items: list[DescribeProducersTopic]) -> None:
    put = out.append
    for m in items:
        text = m.name.encode()
        n = len(text) + 1
        put(UVARINT[n] if n < 128 else uvarint(n))
        put(text)
        put(pack_compact_int32s(m.partition_indexes))
        put(b"\0")


def write_describe_producers_request_v0(out: list[MessagePart], m: DescribeProducersRequest) -> None:
    put = out.append
    n = len(m.topics) + 1
    put(UVARINT[n] if n < 128 else uvarint(n))
    write_describe_producers_topic_v0_list(out, m.topics)
    put(b"\0")


def write_producer_state_v0_list(out: list[MessagePart], items: list[ProducerState]) -> None:
    put = out.append
    for m in items:
        put(pack_qiiqiqx(m.producer_id, m.producer_epoch, m.last_sequence, m.last_timestamp, m.coordinator_epoch, m.current_txn_start_offset))


def write_describe_producers_partition_response_v0_list(out: list[MessagePart], items: list[DescribeProducersPartitionResponse]) -> None:
    put = out.append
    for m in items:
        put(pack_ih(m.partition_index, m.error_code))
        if m.error_message is None:
            put(b"\0")
        else:
            text = m.error_message.encode()
            n = len(text) + 1
            put(UVARINT[n] if n < 128 else uvarint(n))
            put(text)
        n = len(m.active_producers) + 1
        put(UVARINT[n] if n < 128 else uvarint(n))
        write_producer_state_v0_list(out, m.active_producers)
        put(b"\0")


def write_describe_producers_topic_response_v0_list(out: list[MessagePart], items: list[DescribeProducersTopicResponse]) -> None:
    put = out.append
    for m in items:
        text = m.name.encode()
        n = len(text) + 1
        put(UVARINT[n] if n < 128 else uvarint(n))
        put(text)
        n = len(m.partitions) + 1
        put(UVARINT[n] if n < 128 else uvarint(n))
        write_describe_producers_partition_response_v0_list(out, m.partitions)
        put(b"\0")


def write_describe_producers_response_v0(out: list[MessagePart], m: DescribeProducersResponse) -> None:
    put = out.append
    put(pack_i(m.throttle_time_ms))
    n = len(m.topics) + 1
    put(UVARINT[n] if n < 128 else uvarint(n))
    write_describe_producers_topic_response_v0_list(out, m.topics)
    put(b"\0")


DescribeProducersRequest.WRITERS = {
    0: write_describe_producers_request_v0,
}
DescribeProducersResponse.WRITERS = {
    0: write_describe_producers_response_v0,
}
