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
    MalformedMessage,
)
from tenure.protocol.types import (
    TopicId,
    ZERO_TOPIC_ID,
)
from tenure.protocol.wire import (
    read_tag,
    read_uvarint,
    skip_tags,
    too_many,
    utf8,
)

unpack_16s: Final = Packer(">16s").unpack_from
unpack_h: Final = Packer(">h").unpack_from
unpack_i: Final = Packer(">i").unpack_from
unpack_iB: Final = Packer(">iB").unpack_from
unpack_ih: Final = Packer(">ih").unpack_from
unpack_ii: Final = Packer(">ii").unpack_from
unpack_iiB: Final = Packer(">iiB").unpack_from
unpack_iii: Final = Packer(">iii").unpack_from
unpack_q: Final = Packer(">q").unpack_from
unpack_qB: Final = Packer(">qB").unpack_from
unpack_qh: Final = Packer(">qh").unpack_from
unpack_qi: Final = Packer(">qi").unpack_from
unpack_qiB: Final = Packer(">qiB").unpack_from
unpack_qih: Final = Packer(">qih").unpack_from
unpack_qq: Final = Packer(">qq").unpack_from


def read_offset_commit_key_v0(data: bytes, at: int) -> tuple[OffsetCommitKey, int]:
    (n,) = unpack_h(data, at)
    at += 2
    if n < 0:
        raise MalformedMessage("OffsetCommitKey.group is null")
    end = at + n
    group = utf8(data[at:end])
    at = end
    (n,) = unpack_h(data, at)
    at += 2
    if n < 0:
        raise MalformedMessage("OffsetCommitKey.topic is null")
    end = at + n
    topic = utf8(data[at:end])
    at = end
    (partition,) = unpack_i(data, at)
    at += 4
    return OffsetCommitKey(group, topic, partition), at


def read_offset_commit_value_v0(data: bytes, at: int) -> tuple[OffsetCommitValue, int]:
    offset, n = unpack_qh(data, at)
    at += 10
    if n < 0:
        raise MalformedMessage("OffsetCommitValue.metadata is null")
    end = at + n
    metadata = utf8(data[at:end])
    at = end
    (commit_timestamp,) = unpack_q(data, at)
    at += 8
    return OffsetCommitValue(offset, -1, metadata, commit_timestamp), at


def read_offset_commit_value_v1(data: bytes, at: int) -> tuple[OffsetCommitValue, int]:
    offset, n = unpack_qh(data, at)
    at += 10
    if n < 0:
        raise MalformedMessage("OffsetCommitValue.metadata is null")
    end = at + n
    metadata = utf8(data[at:end])
    at = end
    commit_timestamp, expire_timestamp = unpack_qq(data, at)
    at += 16
    return OffsetCommitValue(offset, -1, metadata, commit_timestamp, expire_timestamp), at


def read_offset_commit_value_v3(data: bytes, at: int) -> tuple[OffsetCommitValue, int]:
    offset, leader_epoch, n = unpack_qih(data, at)
    at += 14
    if n < 0:
        raise MalformedMessage("OffsetCommitValue.metadata is null")
    end = at + n
    metadata = utf8(data[at:end])
    at = end
    (commit_timestamp,) = unpack_q(data, at)
    at += 8
    return OffsetCommitValue(offset, leader_epoch, metadata, commit_timestamp), at


def read_offset_commit_value_v4(data: bytes, at: int) -> tuple[OffsetCommitValue, int]:
    offset, leader_epoch, n = unpack_qiB(data, at)
    at += 13
    if n > 127:
        n, at = read_uvarint(data, at - 1)
    n -= 1
    if n < 0:
        raise MalformedMessage("OffsetCommitValue.metadata is null")
    end = at + n
    metadata = utf8(data[at:end])
    at = end
    commit_timestamp, tags = unpack_qB(data, at)
    at += 9
    topic_id: TopicId = ZERO_TOPIC_ID
    if tags:
        tags, at = read_uvarint(data, at - 1)
        tag = -1
        for _ in range(tags):
            tag, n, at = read_tag(data, at, tag)
            stop = at + n
            if tag == 0:
                (topic_id,) = unpack_16s(data, at)
                at += 16
            else:
                at = stop
            if at != stop:
                raise MalformedMessage(f"tag {tag} of OffsetCommitValue has a wrong size")
    return OffsetCommitValue(offset, leader_epoch, metadata, commit_timestamp, -1, topic_id), at


def read_group_metadata_key_v0(data: bytes, at: int) -> tuple[GroupMetadataKey, int]:
    (n,) = unpack_h(data, at)
    at += 2
    if n < 0:
        raise MalformedMessage("GroupMetadataKey.group is null")
    end = at + n
    group = utf8(data[at:end])
    at = end
    return GroupMetadataKey(group), at


def read_member_metadata_v0_list(data: bytes, at: int, announced: int) -> tuple[list[MemberMetadata], int]:
    if announced * 18 > len(data) - at:
        raise too_many(announced, 18, data, at)
    found: list[MemberMetadata] = []
    for _ in range(announced):
        (n,) = unpack_h(data, at)
        at += 2
        if n < 0:
            raise MalformedMessage("MemberMetadata.member_id is null")
        end = at + n
        member_id = utf8(data[at:end])
        at = end
        (n,) = unpack_h(data, at)
        at += 2
        if n < 0:
            raise MalformedMessage("MemberMetadata.client_id is null")
        end = at + n
        client_id = utf8(data[at:end])
        at = end
        (n,) = unpack_h(data, at)
        at += 2
        if n < 0:
            raise MalformedMessage("MemberMetadata.client_host is null")
        end = at + n
        client_host = utf8(data[at:end])
        at = end
        session_timeout, n = unpack_ii(data, at)
        at += 8
        if n < 0:
            raise MalformedMessage("MemberMetadata.subscription is null")
        end = at + n
        subscription = data[at:end]
        at = end
        (n,) = unpack_i(data, at)
        at += 4
        if n < 0:
            raise MalformedMessage("MemberMetadata.assignment is null")
        end = at + n
        assignment = data[at:end]
        at = end
        found.append(MemberMetadata(member_id, None, client_id, client_host, -1, session_timeout, subscription, assignment))
    return found, at


def read_group_metadata_value_v0(data: bytes, at: int) -> tuple[GroupMetadataValue, int]:
    (n,) = unpack_h(data, at)
    at += 2
    if n < 0:
        raise MalformedMessage("GroupMetadataValue.protocol_type is null")
    end = at + n
    protocol_type = utf8(data[at:end])
    at = end
    generation, n = unpack_ih(data, at)
    at += 6
    if n >= 0:
        end = at + n
        protocol = utf8(data[at:end])
        at = end
    elif n == -1:
        protocol = None
    else:
        raise MalformedMessage("GroupMetadataValue.protocol has a negative length")
    (n,) = unpack_h(data, at)
    at += 2
    if n >= 0:
        end = at + n
        leader = utf8(data[at:end])
        at = end
    elif n == -1:
        leader = None
    else:
        raise MalformedMessage("GroupMetadataValue.leader has a negative length")
    (n,) = unpack_i(data, at)
    at += 4
    if n < 0:
        raise MalformedMessage("GroupMetadataValue.members is null")
    members, at = read_member_metadata_v0_list(data, at, n)
    return GroupMetadataValue(protocol_type, generation, protocol, leader, -1, members), at


def read_member_metadata_v1_list(data: bytes, at: int, announced: int) -> tuple[list[MemberMetadata], int]:
    if announced * 22 > len(data) - at:
        raise too_many(announced, 22, data, at)
    found: list[MemberMetadata] = []
    for _ in range(announced):
        (n,) = unpack_h(data, at)
        at += 2
        if n < 0:
            raise MalformedMessage("MemberMetadata.member_id is null")
        end = at + n
        member_id = utf8(data[at:end])
        at = end
        (n,) = unpack_h(data, at)
        at += 2
        if n < 0:
            raise MalformedMessage("MemberMetadata.client_id is null")
        end = at + n
        client_id = utf8(data[at:end])
        at = end
        (n,) = unpack_h(data, at)
        at += 2
        if n < 0:
            raise MalformedMessage("MemberMetadata.client_host is null")
        end = at + n
        client_host = utf8(data[at:end])
        at = end
        rebalance_timeout, session_timeout, n = unpack_iii(data, at)
        at += 12
        if n < 0:
            raise MalformedMessage("MemberMetadata.subscription is null")
        end = at + n
        subscription = data[at:end]
        at = end
        (n,) = unpack_i(data, at)
        at += 4
        if n < 0:
            raise MalformedMessage("MemberMetadata.assignment is null")
        end = at + n
        assignment = data[at:end]
        at = end
        found.append(MemberMetadata(member_id, None, client_id, client_host, rebalance_timeout, session_timeout, subscription, assignment))
    return found, at


def read_group_metadata_value_v1(data: bytes, at: int) -> tuple[GroupMetadataValue, int]:
    (n,) = unpack_h(data, at)
    at += 2
    if n < 0:
        raise MalformedMessage("GroupMetadataValue.protocol_type is null")
    end = at + n
    protocol_type = utf8(data[at:end])
    at = end
    generation, n = unpack_ih(data, at)
    at += 6
    if n >= 0:
        end = at + n
        protocol = utf8(data[at:end])
        at = end
    elif n == -1:
        protocol = None
    else:
        raise MalformedMessage("GroupMetadataValue.protocol has a negative length")
    (n,) = unpack_h(data, at)
    at += 2
    if n >= 0:
        end = at + n
        leader = utf8(data[at:end])
        at = end
    elif n == -1:
        leader = None
    else:
        raise MalformedMessage("GroupMetadataValue.leader has a negative length")
    (n,) = unpack_i(data, at)
    at += 4
    if n < 0:
        raise MalformedMessage("GroupMetadataValue.members is null")
    members, at = read_member_metadata_v1_list(data, at, n)
    return GroupMetadataValue(protocol_type, generation, protocol, leader, -1, members), at


def read_group_metadata_value_v2(data: bytes, at: int) -> tuple[GroupMetadataValue, int]:
    (n,) = unpack_h(data, at)
    at += 2
    if n < 0:
        raise MalformedMessage("GroupMetadataValue.protocol_type is null")
    end = at + n
    protocol_type = utf8(data[at:end])
    at = end
    generation, n = unpack_ih(data, at)
    at += 6
    if n >= 0:
        end = at + n
        protocol = utf8(data[at:end])
        at = end
    elif n == -1:
        protocol = None
    else:
        raise MalformedMessage("GroupMetadataValue.protocol has a negative length")
    (n,) = unpack_h(data, at)
    at += 2
    if n >= 0:
        end = at + n
        leader = utf8(data[at:end])
        at = end
    elif n == -1:
        leader = None
    else:
        raise MalformedMessage("GroupMetadataValue.leader has a negative length")
    current_state_timestamp, n = unpack_qi(data, at)
    at += 12
    if n < 0:
        raise MalformedMessage("GroupMetadataValue.members is null")
    members, at = read_member_metadata_v1_list(data, at, n)
    return GroupMetadataValue(protocol_type, generation, protocol, leader, current_state_timestamp, members), at


def read_member_metadata_v3_list(data: bytes, at: int, announced: int) -> tuple[list[MemberMetadata], int]:
    if announced * 24 > len(data) - at:
        raise too_many(announced, 24, data, at)
    found: list[MemberMetadata] = []
    for _ in range(announced):
        (n,) = unpack_h(data, at)
        at += 2
        if n < 0:
            raise MalformedMessage("MemberMetadata.member_id is null")
        end = at + n
        member_id = utf8(data[at:end])
        at = end
        (n,) = unpack_h(data, at)
        at += 2
        if n >= 0:
            end = at + n
            group_instance_id = utf8(data[at:end])
            at = end
        elif n == -1:
            group_instance_id = None
        else:
            raise MalformedMessage("MemberMetadata.group_instance_id has a negative length")
        (n,) = unpack_h(data, at)
        at += 2
        if n < 0:
            raise MalformedMessage("MemberMetadata.client_id is null")
        end = at + n
        client_id = utf8(data[at:end])
        at = end
        (n,) = unpack_h(data, at)
        at += 2
        if n < 0:
            raise MalformedMessage("MemberMetadata.client_host is null")
        end = at + n
        client_host = utf8(data[at:end])
        at = end
        rebalance_timeout, session_timeout, n = unpack_iii(data, at)
        at += 12
        if n < 0:
            raise MalformedMessage("MemberMetadata.subscription is null")
        end = at + n
        subscription = data[at:end]
        at = end
        (n,) = unpack_i(data, at)
        at += 4
        if n < 0:
            raise MalformedMessage("MemberMetadata.assignment is null")
        end = at + n
        assignment = data[at:end]
        at = end
        found.append(MemberMetadata(member_id, group_instance_id, client_id, client_host, rebalance_timeout, session_timeout, subscription, assignment))
    return found, at


def read_group_metadata_value_v3(data: bytes, at: int) -> tuple[GroupMetadataValue, int]:
    (n,) = unpack_h(data, at)
    at += 2
    if n < 0:
        raise MalformedMessage("GroupMetadataValue.protocol_type is null")
    end = at + n
    protocol_type = utf8(data[at:end])
    at = end
    generation, n = unpack_ih(data, at)
    at += 6
    if n >= 0:
        end = at + n
        protocol = utf8(data[at:end])
        at = end
    elif n == -1:
        protocol = None
    else:
        raise MalformedMessage("GroupMetadataValue.protocol has a negative length")
    (n,) = unpack_h(data, at)
    at += 2
    if n >= 0:
        end = at + n
        leader = utf8(data[at:end])
        at = end
    elif n == -1:
        leader = None
    else:
        raise MalformedMessage("GroupMetadataValue.leader has a negative length")
    current_state_timestamp, n = unpack_qi(data, at)
    at += 12
    if n < 0:
        raise MalformedMessage("GroupMetadataValue.members is null")
    members, at = read_member_metadata_v3_list(data, at, n)
    return GroupMetadataValue(protocol_type, generation, protocol, leader, current_state_timestamp, members), at


def read_member_metadata_v4_list(data: bytes, at: int, announced: int) -> tuple[list[MemberMetadata], int]:
    if announced * 15 > len(data) - at:
        raise too_many(announced, 15, data, at)
    found: list[MemberMetadata] = []
    for _ in range(announced):
        n = data[at]
        at += 1
        if n > 127:
            n, at = read_uvarint(data, at - 1)
        n -= 1
        if n < 0:
            raise MalformedMessage("MemberMetadata.member_id is null")
        end = at + n
        member_id = utf8(data[at:end])
        at = end
        n = data[at]
        at += 1
        if n > 127:
            n, at = read_uvarint(data, at - 1)
        n -= 1
        if n >= 0:
            end = at + n
            group_instance_id = utf8(data[at:end])
            at = end
        else:
            group_instance_id = None
        n = data[at]
        at += 1
        if n > 127:
            n, at = read_uvarint(data, at - 1)
        n -= 1
        if n < 0:
            raise MalformedMessage("MemberMetadata.client_id is null")
        end = at + n
        client_id = utf8(data[at:end])
        at = end
        n = data[at]
        at += 1
        if n > 127:
            n, at = read_uvarint(data, at - 1)
        n -= 1
        if n < 0:
            raise MalformedMessage("MemberMetadata.client_host is null")
        end = at + n
        client_host = utf8(data[at:end])
        at = end
        rebalance_timeout, session_timeout, n = unpack_iiB(data, at)
        at += 9
        if n > 127:
            n, at = read_uvarint(data, at - 1)
        n -= 1
        if n < 0:
            raise MalformedMessage("MemberMetadata.subscription is null")
        end = at + n
        subscription = data[at:end]
        at = end
        n = data[at]
        at += 1
        if n > 127:
            n, at = read_uvarint(data, at - 1)
        n -= 1
        if n < 0:
            raise MalformedMessage("MemberMetadata.assignment is null")
        end = at + n
        assignment = data[at:end]
        at = end
        tags = data[at]
        at += 1
        if tags:
            at = skip_tags(data, at - 1)
        found.append(MemberMetadata(member_id, group_instance_id, client_id, client_host, rebalance_timeout, session_timeout, subscription, assignment))
    return found, at


def read_group_metadata_value_v4(data: bytes, at: int) -> tuple[GroupMetadataValue, int]:
    n = data[at]
    at += 1
    if n > 127:
        n, at = read_uvarint(data, at - 1)
    n -= 1
    if n < 0:
        raise MalformedMessage("GroupMetadataValue.protocol_type is null")
    end = at + n
    protocol_type = utf8(data[at:end])
    at = end
    generation, n = unpack_iB(data, at)
    at += 5
    if n > 127:
        n, at = read_uvarint(data, at - 1)
    n -= 1
    if n >= 0:
        end = at + n
        protocol = utf8(data[at:end])
        at = end
    else:
        protocol = None
    n = data[at]
    at += 1
    if n > 127:
        n, at = read_uvarint(data, at - 1)
    n -= 1
    if n >= 0:
        end = at + n
        leader = utf8(data[at:end])
        at = end
    else:
        leader = None
    current_state_timestamp, n = unpack_qB(data, at)
    at += 9
    if n > 127:
        n, at = read_uvarint(data, at - 1)
    n -= 1
    if n < 0:
        raise MalformedMessage("GroupMetadataValue.members is null")
    members, at = read_member_metadata_v4_list(data, at, n)
    tags = data[at]
    at += 1
    if tags:
        at = skip_tags(data, at - 1)
    return GroupMetadataValue(protocol_type, generation, protocol, leader, current_state_timestamp, members), at


OffsetCommitKey.READERS = {
    0: read_offset_commit_key_v0,
}
OffsetCommitValue.READERS = {
    0: read_offset_commit_value_v0,
    1: read_offset_commit_value_v1,
    2: read_offset_commit_value_v0,
    3: read_offset_commit_value_v3,
    4: read_offset_commit_value_v4,
}
GroupMetadataKey.READERS = {
    0: read_group_metadata_key_v0,
}
GroupMetadataValue.READERS = {
    0: read_group_metadata_value_v0,
    1: read_group_metadata_value_v1,
    2: read_group_metadata_value_v2,
    3: read_group_metadata_value_v3,
    4: read_group_metadata_value_v4,
}
