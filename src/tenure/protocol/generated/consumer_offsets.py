"""Generated from `tenure/protocol/tables/consumer_offsets.py` by `python -m tenure.protocol.generate`."""

from struct import Struct as Packer
from typing import Final

from tenure.protocol.message import (
    EMPTY,
    MalformedMessage,
    Message,
    Struct,
)
from tenure.protocol.types import (
    GenerationId,
    GroupId,
    InstanceId,
    MemberId,
    PartitionId,
    TopicId,
    TopicName,
    ZERO_TOPIC_ID,
)
from tenure.protocol.wire import (
    UVARINT,
    read_tag,
    read_uvarint,
    skip_tags,
    tagged,
    too_many,
    utf8,
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


class OffsetCommitKey(Message):
    __slots__ = ('group', 'topic', 'partition')
    KEY = 1

    def __init__(
        self,
        group: GroupId = GroupId(""),
        topic: TopicName = TopicName(""),
        partition: PartitionId = PartitionId(0),
    ) -> None:
        self.group: Final = group
        self.topic: Final = topic
        self.partition: Final = partition


class OffsetCommitValue(Message):
    __slots__ = ('offset', 'leader_epoch', 'metadata', 'commit_timestamp', 'expire_timestamp', 'topic_id')
    KEY = 1

    def __init__(
        self,
        offset: int = 0,
        leader_epoch: int = -1,
        metadata: str = "",
        commit_timestamp: int = 0,
        expire_timestamp: int = -1,
        topic_id: TopicId = ZERO_TOPIC_ID,
    ) -> None:
        self.offset: Final = offset
        self.leader_epoch: Final = leader_epoch
        self.metadata: Final = metadata
        self.commit_timestamp: Final = commit_timestamp
        self.expire_timestamp: Final = expire_timestamp
        self.topic_id: Final = topic_id


class GroupMetadataKey(Message):
    __slots__ = ('group',)
    KEY = 2

    def __init__(
        self,
        group: GroupId = GroupId(""),
    ) -> None:
        self.group: Final = group


class MemberMetadata(Struct):
    __slots__ = ('member_id', 'group_instance_id', 'client_id', 'client_host', 'rebalance_timeout', 'session_timeout', 'subscription', 'assignment')

    def __init__(
        self,
        member_id: MemberId = MemberId(""),
        group_instance_id: InstanceId | None = None,
        client_id: str = "",
        client_host: str = "",
        rebalance_timeout: int = -1,
        session_timeout: int = 0,
        subscription: bytes = b"",
        assignment: bytes = b"",
    ) -> None:
        self.member_id: Final = member_id
        self.group_instance_id: Final = group_instance_id
        self.client_id: Final = client_id
        self.client_host: Final = client_host
        self.rebalance_timeout: Final = rebalance_timeout
        self.session_timeout: Final = session_timeout
        self.subscription: Final = subscription
        self.assignment: Final = assignment


class GroupMetadataValue(Message):
    __slots__ = ('protocol_type', 'generation', 'protocol', 'leader', 'current_state_timestamp', 'members')
    KEY = 2

    def __init__(
        self,
        protocol_type: str = "",
        generation: GenerationId = GenerationId(0),
        protocol: str | None = "",
        leader: MemberId | None = MemberId(""),
        current_state_timestamp: int = -1,
        members: list[MemberMetadata] = EMPTY,
    ) -> None:
        self.protocol_type: Final = protocol_type
        self.generation: Final = generation
        self.protocol: Final = protocol
        self.leader: Final = leader
        self.current_state_timestamp: Final = current_state_timestamp
        self.members: Final = [] if members is EMPTY else members


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


def read_member_metadata_v0_list(data: bytes, at: int, n: int) -> tuple[list[MemberMetadata], int]:
    if n * 18 > len(data) - at:
        raise too_many(n, 18, data, at)
    found: list[MemberMetadata] = []
    for _ in range(n):
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


def read_member_metadata_v1_list(data: bytes, at: int, n: int) -> tuple[list[MemberMetadata], int]:
    if n * 22 > len(data) - at:
        raise too_many(n, 22, data, at)
    found: list[MemberMetadata] = []
    for _ in range(n):
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


def read_member_metadata_v3_list(data: bytes, at: int, n: int) -> tuple[list[MemberMetadata], int]:
    if n * 24 > len(data) - at:
        raise too_many(n, 24, data, at)
    found: list[MemberMetadata] = []
    for _ in range(n):
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


def read_member_metadata_v4_list(data: bytes, at: int, n: int) -> tuple[list[MemberMetadata], int]:
    if n * 15 > len(data) - at:
        raise too_many(n, 15, data, at)
    found: list[MemberMetadata] = []
    for _ in range(n):
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


def write_offset_commit_key_v0(out: list[bytes], m: OffsetCommitKey) -> None:
    put = out.append
    text = m.group.encode()
    put(pack_h(len(text)))
    put(text)
    text = m.topic.encode()
    put(pack_h(len(text)))
    put(text)
    put(pack_i(m.partition))


def write_offset_commit_value_v0(out: list[bytes], m: OffsetCommitValue) -> None:
    put = out.append
    text = m.metadata.encode()
    put(pack_qh(m.offset, len(text)))
    put(text)
    put(pack_q(m.commit_timestamp))


def write_offset_commit_value_v1(out: list[bytes], m: OffsetCommitValue) -> None:
    put = out.append
    text = m.metadata.encode()
    put(pack_qh(m.offset, len(text)))
    put(text)
    put(pack_qq(m.commit_timestamp, m.expire_timestamp))


def write_offset_commit_value_v3(out: list[bytes], m: OffsetCommitValue) -> None:
    put = out.append
    text = m.metadata.encode()
    put(pack_qih(m.offset, m.leader_epoch, len(text)))
    put(text)
    put(pack_q(m.commit_timestamp))


def write_offset_commit_value_v4(out: list[bytes], m: OffsetCommitValue) -> None:
    put = out.append
    text = m.metadata.encode()
    put(pack_qi(m.offset, m.leader_epoch))
    n = len(text) + 1
    put(UVARINT[n] if n < 128 else uvarint(n))
    put(text)
    put(pack_q(m.commit_timestamp))
    tags: list[bytes] = []
    part: list[bytes]
    if m.topic_id != ZERO_TOPIC_ID:
        part = []
        part.append(pack_16s(m.topic_id))
        tags.append(tagged(0, b"".join(part)))
    put(uvarint(len(tags)))
    out.extend(tags)


def write_group_metadata_key_v0(out: list[bytes], m: GroupMetadataKey) -> None:
    put = out.append
    text = m.group.encode()
    put(pack_h(len(text)))
    put(text)


def write_member_metadata_v0_list(out: list[bytes], items: list[MemberMetadata]) -> None:
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


def write_group_metadata_value_v0(out: list[bytes], m: GroupMetadataValue) -> None:
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


def write_member_metadata_v1_list(out: list[bytes], items: list[MemberMetadata]) -> None:
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


def write_group_metadata_value_v1(out: list[bytes], m: GroupMetadataValue) -> None:
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


def write_group_metadata_value_v2(out: list[bytes], m: GroupMetadataValue) -> None:
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


def write_member_metadata_v3_list(out: list[bytes], items: list[MemberMetadata]) -> None:
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


def write_group_metadata_value_v3(out: list[bytes], m: GroupMetadataValue) -> None:
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


def write_member_metadata_v4_list(out: list[bytes], items: list[MemberMetadata]) -> None:
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


def write_group_metadata_value_v4(out: list[bytes], m: GroupMetadataValue) -> None:
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


OffsetCommitKey.READERS = {
    0: read_offset_commit_key_v0,
}
OffsetCommitKey.WRITERS = {
    0: write_offset_commit_key_v0,
}
OffsetCommitValue.READERS = {
    0: read_offset_commit_value_v0,
    1: read_offset_commit_value_v1,
    2: read_offset_commit_value_v0,
    3: read_offset_commit_value_v3,
    4: read_offset_commit_value_v4,
}
OffsetCommitValue.WRITERS = {
    0: write_offset_commit_value_v0,
    1: write_offset_commit_value_v1,
    2: write_offset_commit_value_v0,
    3: write_offset_commit_value_v3,
    4: write_offset_commit_value_v4,
}
GroupMetadataKey.READERS = {
    0: read_group_metadata_key_v0,
}
GroupMetadataKey.WRITERS = {
    0: write_group_metadata_key_v0,
}
GroupMetadataValue.READERS = {
    0: read_group_metadata_value_v0,
    1: read_group_metadata_value_v1,
    2: read_group_metadata_value_v2,
    3: read_group_metadata_value_v3,
    4: read_group_metadata_value_v4,
}
GroupMetadataValue.WRITERS = {
    0: write_group_metadata_value_v0,
    1: write_group_metadata_value_v1,
    2: write_group_metadata_value_v2,
    3: write_group_metadata_value_v3,
    4: write_group_metadata_value_v4,
}
