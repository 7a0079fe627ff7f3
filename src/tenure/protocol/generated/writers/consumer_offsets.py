"""Generated from `tenure/protocol/tables/consumer_offsets.py` by `python -m tenure.protocol.generate`."""

from struct import Struct as Packer
from typing import Final

from tenure.protocol.generated.consumer_offsets import (
    GroupMetadataKey,
    GroupMetadataValue,
    MemberMetadata,
    OffsetCommitKey,
    OffsetCommitValue,
)
from tenure.protocol.message import (
    MessagePart,
)
from tenure.protocol.types import (
    ZERO_TOPIC_ID,
)
from tenure.protocol.wire import (
    UVARINT,
    uvarint,
)

pack_16s: Final = Packer(">16s").pack
pack_h: Final = Packer(">h").pack
pack_i: Final = Packer(">i").pack
pack_ih: Final = Packer(">ih").pack
pack_ii: Final = Packer(">ii").pack
pack_iii: Final = Packer(">iii").pack
pack_q: Final = Packer(">q").pack
pack_qh: Final = Packer(">qh").pack
pack_qi: Final = Packer(">qi").pack
pack_qih: Final = Packer(">qih").pack
pack_qq: Final = Packer(">qq").pack


def write_offset_commit_key_v0(out: list[MessagePart], m: OffsetCommitKey) -> None:
    put = out.append
    text = m.group.encode()
    put(pack_h(len(text)))
    put(text)
    text = m.topic.encode()
    put(pack_h(len(text)))
    put(text)
    put(pack_i(m.partition))


def write_offset_commit_value_v0(out: list[MessagePart], m: OffsetCommitValue) -> None:
    put = out.append
    text = m.metadata.encode()
    put(pack_qh(m.offset, len(text)))
    put(text)
    put(pack_q(m.commit_timestamp))


def write_offset_commit_value_v1(out: list[MessagePart], m: OffsetCommitValue) -> None:
    put = out.append
    text = m.metadata.encode()
    put(pack_qh(m.offset, len(text)))
    put(text)
    put(pack_qq(m.commit_timestamp, m.expire_timestamp))


def write_offset_commit_value_v3(out: list[MessagePart], m: OffsetCommitValue) -> None:
    put = out.append
    text = m.metadata.encode()
    put(pack_qih(m.offset, m.leader_epoch, len(text)))
    put(text)
    put(pack_q(m.commit_timestamp))


def write_offset_commit_value_v4(out: list[MessagePart], m: OffsetCommitValue) -> None:
    put = out.append
    text = m.metadata.encode()
    put(pack_qi(m.offset, m.leader_epoch))
    n = len(text) + 1
    put(UVARINT[n] if n < 128 else uvarint(n))
    put(text)
    put(pack_q(m.commit_timestamp))
    tags: list[MessagePart] = []
    if m.topic_id != ZERO_TOPIC_ID:
        tags.append(b'\x00\x10' + pack_16s(m.topic_id))
    put(UVARINT[len(tags)])
    out.extend(tags)


def write_group_metadata_key_v0(out: list[MessagePart], m: GroupMetadataKey) -> None:
    put = out.append
    text = m.group.encode()
    put(pack_h(len(text)))
    put(text)


def write_member_metadata_v0_list(out: list[MessagePart], items: list[MemberMetadata]) -> None:
    put = out.append
    for m in items:
        text = m.member_id.encode()
        put(pack_h(len(text)))
        put(text)
        text = m.client_id.encode()
        put(pack_h(len(text)))
        put(text)
        text = m.client_host.encode()
        put(pack_h(len(text)))
        put(text)
        put(pack_ii(m.session_timeout, len(m.subscription)))
        put(m.subscription)
        put(pack_i(len(m.assignment)))
        put(m.assignment)


def write_group_metadata_value_v0(out: list[MessagePart], m: GroupMetadataValue) -> None:
    put = out.append
    text = m.protocol_type.encode()
    put(pack_h(len(text)))
    put(text)
    if m.protocol is None:
        put(pack_ih(m.generation, -1))
    else:
        text = m.protocol.encode()
        put(pack_ih(m.generation, len(text)))
        put(text)
    if m.leader is None:
        put(pack_h(-1))
    else:
        text = m.leader.encode()
        put(pack_h(len(text)))
        put(text)
    put(pack_i(len(m.members)))
    write_member_metadata_v0_list(out, m.members)


def write_member_metadata_v1_list(out: list[MessagePart], items: list[MemberMetadata]) -> None:
    put = out.append
    for m in items:
        text = m.member_id.encode()
        put(pack_h(len(text)))
        put(text)
        text = m.client_id.encode()
        put(pack_h(len(text)))
        put(text)
        text = m.client_host.encode()
        put(pack_h(len(text)))
        put(text)
        put(pack_iii(m.rebalance_timeout, m.session_timeout, len(m.subscription)))
        put(m.subscription)
        put(pack_i(len(m.assignment)))
        put(m.assignment)


def write_group_metadata_value_v1(out: list[MessagePart], m: GroupMetadataValue) -> None:
    put = out.append
    text = m.protocol_type.encode()
    put(pack_h(len(text)))
    put(text)
    if m.protocol is None:
        put(pack_ih(m.generation, -1))
    else:
        text = m.protocol.encode()
        put(pack_ih(m.generation, len(text)))
        put(text)
    if m.leader is None:
        put(pack_h(-1))
    else:
        text = m.leader.encode()
        put(pack_h(len(text)))
        put(text)
    put(pack_i(len(m.members)))
    write_member_metadata_v1_list(out, m.members)


def write_group_metadata_value_v2(out: list[MessagePart], m: GroupMetadataValue) -> None:
    put = out.append
    text = m.protocol_type.encode()
    put(pack_h(len(text)))
    put(text)
    if m.protocol is None:
        put(pack_ih(m.generation, -1))
    else:
        text = m.protocol.encode()
        put(pack_ih(m.generation, len(text)))
        put(text)
    if m.leader is None:
        put(pack_h(-1))
    else:
        text = m.leader.encode()
        put(pack_h(len(text)))
        put(text)
    put(pack_qi(m.current_state_timestamp, len(m.members)))
    write_member_metadata_v1_list(out, m.members)


def write_member_metadata_v3_list(out: list[MessagePart], items: list[MemberMetadata]) -> None:
    put = out.append
    for m in items:
        text = m.member_id.encode()
        put(pack_h(len(text)))
        put(text)
        if m.group_instance_id is None:
            put(pack_h(-1))
        else:
            text = m.group_instance_id.encode()
            put(pack_h(len(text)))
            put(text)
        text = m.client_id.encode()
        put(pack_h(len(text)))
        put(text)
        text = m.client_host.encode()
        put(pack_h(len(text)))
        put(text)
        put(pack_iii(m.rebalance_timeout, m.session_timeout, len(m.subscription)))
        put(m.subscription)
        put(pack_i(len(m.assignment)))
        put(m.assignment)


def write_group_metadata_value_v3(out: list[MessagePart], m: GroupMetadataValue) -> None:
    put = out.append
    text = m.protocol_type.encode()
    put(pack_h(len(text)))
    put(text)
    if m.protocol is None:
        put(pack_ih(m.generation, -1))
    else:
        text = m.protocol.encode()
        put(pack_ih(m.generation, len(text)))
        put(text)
    if m.leader is None:
        put(pack_h(-1))
    else:
        text = m.leader.encode()
        put(pack_h(len(text)))
        put(text)
    put(pack_qi(m.current_state_timestamp, len(m.members)))
    write_member_metadata_v3_list(out, m.members)


def write_member_metadata_v4_list(out: list[MessagePart], items: list[MemberMetadata]) -> None:
    put = out.append
    for m in items:
        text = m.member_id.encode()
        n = len(text) + 1
        put(UVARINT[n] if n < 128 else uvarint(n))
        put(text)
        if m.group_instance_id is None:
            put(b"\0")
        else:
            text = m.group_instance_id.encode()
            n = len(text) + 1
            put(UVARINT[n] if n < 128 else uvarint(n))
            put(text)
        text = m.client_id.encode()
        n = len(text) + 1
        put(UVARINT[n] if n < 128 else uvarint(n))
        put(text)
        text = m.client_host.encode()
        n = len(text) + 1
        put(UVARINT[n] if n < 128 else uvarint(n))
        put(text)
        put(pack_ii(m.rebalance_timeout, m.session_timeout))
        n = len(m.subscription) + 1
        put(UVARINT[n] if n < 128 else uvarint(n))
        put(m.subscription)
        n = len(m.assignment) + 1
        put(UVARINT[n] if n < 128 else uvarint(n))
        put(m.assignment)
        put(b"\0")


def write_group_metadata_value_v4(out: list[MessagePart], m: GroupMetadataValue) -> None:
    put = out.append
    text = m.protocol_type.encode()
    n = len(text) + 1
    put(UVARINT[n] if n < 128 else uvarint(n))
    put(text)
    put(pack_i(m.generation))
    if m.protocol is None:
        put(b"\0")
    else:
        text = m.protocol.encode()
        n = len(text) + 1
        put(UVARINT[n] if n < 128 else uvarint(n))
        put(text)
    if m.leader is None:
        put(b"\0")
    else:
        text = m.leader.encode()
        n = len(text) + 1
        put(UVARINT[n] if n < 128 else uvarint(n))
        put(text)
    put(pack_q(m.current_state_timestamp))
    n = len(m.members) + 1
    put(UVARINT[n] if n < 128 else uvarint(n))
    write_member_metadata_v4_list(out, m.members)
    put(b"\0")


OffsetCommitKey.WRITERS = {
    0: write_offset_commit_key_v0,
}
OffsetCommitValue.WRITERS = {
    0: write_offset_commit_value_v0,
    1: write_offset_commit_value_v1,
    2: write_offset_commit_value_v0,
    3: write_offset_commit_value_v3,
    4: write_offset_commit_value_v4,
}
GroupMetadataKey.WRITERS = {
    0: write_group_metadata_key_v0,
}
GroupMetadataValue.WRITERS = {
    0: write_group_metadata_value_v0,
    1: write_group_metadata_value_v1,
    2: write_group_metadata_value_v2,
    3: write_group_metadata_value_v3,
    4: write_group_metadata_value_v4,
}
