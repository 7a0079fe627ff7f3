"""Generated from `tenure/protocol/tables/transaction_state.py` by `python -m tenure.protocol.generate`."""

from struct import Struct as Packer
from typing import Final

from tenure.protocol.generated.transaction_state import (
    TransactionLogKey,
    TransactionLogValue,
    TransactionPartitions,
)
from tenure.protocol.message import (
    MalformedMessage,
)
from tenure.protocol.types import (
    ProducerId,
)
from tenure.protocol.wire import (
    read_int32s,
    read_tag,
    read_uvarint,
    skip_tags,
    too_many,
    utf8,
)

unpack_h: Final = Packer(">h").unpack_from
unpack_i: Final = Packer(">i").unpack_from
unpack_q: Final = Packer(">q").unpack_from
unpack_qhibB: Final = Packer(">qhibB").unpack_from
unpack_qhibi: Final = Packer(">qhibi").unpack_from
unpack_qq: Final = Packer(">qq").unpack_from
unpack_qqB: Final = Packer(">qqB").unpack_from


def read_transaction_log_key_v0(data: bytes, at: int) -> tuple[TransactionLogKey, int]:
    (n,) = unpack_h(data, at)
    at += 2
    if n < 0:
        raise MalformedMessage("TransactionLogKey.transactional_id is null")
    end = at + n
    transactional_id = utf8(data[at:end])
    at = end
    return TransactionLogKey(transactional_id), at


def read_transaction_partitions_v0_list(data: bytes, at: int, announced: int) -> tuple[list[TransactionPartitions], int]:
    if announced * 6 > len(data) - at:
        raise too_many(announced, 6, data, at)
    found: list[TransactionPartitions] = []
    for _ in range(announced):
        (n,) = unpack_h(data, at)
        at += 2
        if n < 0:
            raise MalformedMessage("TransactionPartitions.topic is null")
        end = at + n
        topic = utf8(data[at:end])
        at = end
        (n,) = unpack_i(data, at)
        at += 4
        if n < 0:
            raise MalformedMessage("TransactionPartitions.partition_ids is null")
        partition_ids = read_int32s(data, at, n)
        at += 4 * n
        found.append(TransactionPartitions(topic, partition_ids))
    return found, at


def read_transaction_log_value_v0(data: bytes, at: int) -> tuple[TransactionLogValue, int]:
    producer_id, producer_epoch, transaction_timeout_ms, transaction_status, n = unpack_qhibi(data, at)
    at += 19
    if n >= 0:
        transaction_partitions, at = read_transaction_partitions_v0_list(data, at, n)
    elif n == -1:
        transaction_partitions = None
    else:
        raise MalformedMessage("TransactionLogValue.transaction_partitions has a negative length")
    transaction_last_update_timestamp_ms, transaction_start_timestamp_ms = unpack_qq(data, at)
    at += 16
    return TransactionLogValue(producer_id, ProducerId(-1), ProducerId(-1), producer_epoch, -1, transaction_timeout_ms, transaction_status, transaction_partitions, transaction_last_update_timestamp_ms, transaction_start_timestamp_ms), at


def read_transaction_partitions_v1_list(data: bytes, at: int, announced: int) -> tuple[list[TransactionPartitions], int]:
    if announced * 3 > len(data) - at:
        raise too_many(announced, 3, data, at)
    found: list[TransactionPartitions] = []
    for _ in range(announced):
        n = data[at]
        at += 1
        if n > 127:
            n, at = read_uvarint(data, at - 1)
        n -= 1
        if n < 0:
            raise MalformedMessage("TransactionPartitions.topic is null")
        end = at + n
        topic = utf8(data[at:end])
        at = end
        n = data[at]
        at += 1
        if n > 127:
            n, at = read_uvarint(data, at - 1)
        n -= 1
        if n < 0:
            raise MalformedMessage("TransactionPartitions.partition_ids is null")
        partition_ids = read_int32s(data, at, n)
        at += 4 * n
        tags = data[at]
        at += 1
        if tags:
            at = skip_tags(data, at - 1)
        found.append(TransactionPartitions(topic, partition_ids))
    return found, at


def read_transaction_log_value_v1(data: bytes, at: int) -> tuple[TransactionLogValue, int]:
    producer_id, producer_epoch, transaction_timeout_ms, transaction_status, n = unpack_qhibB(data, at)
    at += 16
    if n > 127:
        n, at = read_uvarint(data, at - 1)
    n -= 1
    if n >= 0:
        transaction_partitions, at = read_transaction_partitions_v1_list(data, at, n)
    else:
        transaction_partitions = None
    transaction_last_update_timestamp_ms, transaction_start_timestamp_ms, tags = unpack_qqB(data, at)
    at += 17
    previous_producer_id: ProducerId = ProducerId(-1)
    next_producer_id: ProducerId = ProducerId(-1)
    client_transaction_version: int = 0
    next_producer_epoch: int = -1
    if tags:
        tags, at = read_uvarint(data, at - 1)
        tag = -1
        for _ in range(tags):
            tag, n, at = read_tag(data, at, tag)
            stop = at + n
            if tag == 0:
                (previous_producer_id,) = unpack_q(data, at)
                at += 8
            elif tag == 1:
                (next_producer_id,) = unpack_q(data, at)
                at += 8
            elif tag == 2:
                (client_transaction_version,) = unpack_h(data, at)
                at += 2
            elif tag == 3:
                (next_producer_epoch,) = unpack_h(data, at)
                at += 2
            else:
                at = stop
            if at != stop:
                raise MalformedMessage(f"tag {tag} of TransactionLogValue has a wrong size")
    return TransactionLogValue(producer_id, previous_producer_id, next_producer_id, producer_epoch, next_producer_epoch, transaction_timeout_ms, transaction_status, transaction_partitions, transaction_last_update_timestamp_ms, transaction_start_timestamp_ms, client_transaction_version), at


TransactionLogKey.READERS = {
    0: read_transaction_log_key_v0,
}
TransactionLogValue.READERS = {
    0: read_transaction_log_value_v0,
    1: read_transaction_log_value_v1,
}
