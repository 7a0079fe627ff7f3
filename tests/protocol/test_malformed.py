"""A wrong length is refused before memory is allocated for it (rule 1.1)."""

import tracemalloc
from collections.abc import Callable
from typing import Any

import pytest

from tenure.limits.protocol import REQUEST_ELEMENTS_MAX
from tenure.protocol.apis import APIS, ApiKey
from tenure.protocol.codec import InvalidMessage, MalformedMessage, UnsupportedVersion, decode, encode
from tenure.protocol.message import Message
from tenure.protocol.messages import (
    DescribeGroupsRequest,
    FetchPartition,
    FetchRequest,
    FetchTopic,
    HeartbeatRequest,
    HeartbeatResponse,
    JoinGroupRequest,
    LeaveGroupRequest,
    ListGroupsRequest,
    MetadataRequest,
    MetadataRequestTopic,
    MetadataResponse,
    MetadataResponseTopic,
    OffsetFetchRequest,
    OffsetFetchRequestGroup,
    OffsetFetchRequestTopics,
)
from tenure.protocol.types import GroupId, InstanceId, MemberId, PartitionId, TopicName
from tenure.protocol.wire import read_uvarint, uvarint


def test_decode_heartbeat__unknown_tagged_field__skipped() -> None:
    body = bytes.fromhex("02 67 00000007 02 6d 00  02 00 01 ff 09 02 aaaa")
    assert decode(HeartbeatRequest, 4, body).group_id == "g"


@pytest.mark.parametrize(
    ("what", "tags"),
    [
        ("tags descend", "02 05 00 03 00"),
        ("a tag occurs twice", "02 05 00 05 00"),
        ("a tag ends after the message", "01 05 7f"),
        ("tags are missing", "03 05 00"),
        ("a varint never ends", "ffffffffffff"),
        ("a varint exceeds 32 bits", "8080808010"),
        ("four billion tags", "ffffffff0f"),
    ],
)
def test_decode_heartbeat__invalid_tagged_fields__malformed(what: str, tags: str) -> None:
    with pytest.raises(MalformedMessage):
        decode(HeartbeatRequest, 4, bytes.fromhex("02 67 00000007 02 6d 00" + tags))
    assert what


@pytest.mark.parametrize(
    ("version", "body"),
    [
        (0, "ffff 00000000 0000"),  # null where null is not allowed
        (0, "8000 00000000 0000"),
        (0, "7fff 6161"),
        (3, "0000 00000000 0000 fffe"),  # neither a length nor null
        (0, "0002 c328 00000000 0000"),  # not UTF-8
        (0, "0003 eda080 00000000 0000"),  # a lone surrogate
        (4, "00 00000000 01 00 00"),  # compact null
        (4, "ffffffff0f 00000000 01 00 00"),
    ],
)
def test_decode_heartbeat__invalid_string__malformed(version: int, body: str) -> None:
    with pytest.raises(MalformedMessage):
        decode(HeartbeatRequest, version, bytes.fromhex(body))


def test_decode_uvarint__longer_encoding_than_needed__accepted_as_in_kafka() -> None:
    assert read_uvarint(bytes.fromhex("8100"), 0) == (1, 2)
    for value in (0, 1, 127, 128, 300, 2**21, 2**31, 2**32 - 1):
        assert read_uvarint(uvarint(value), 0) == (value, len(uvarint(value)))


HUGE = "7fffffff"
HUGE_COMPACT = "ffffffff07"


@pytest.mark.parametrize(
    ("kind", "version", "head"),
    [
        (MetadataRequest, 0, HUGE),  # structs
        (MetadataRequest, 9, HUGE_COMPACT),
        (ListGroupsRequest, 4, HUGE_COMPACT),  # strings
        (OffsetFetchRequest, 1, "0001 67 00000001 0001 74" + HUGE),  # numbers within structs
        (OffsetFetchRequest, 6, "02 67 02 02 74" + HUGE_COMPACT),
        (FetchRequest, 12, "00" * 25 + HUGE_COMPACT),
        (MetadataResponse, 0, HUGE),
    ],
)
def test_decode_array__length_larger_than_the_remaining_bytes__refused_before_allocation(
    kind: type[MetadataRequest], version: int, head: str
) -> None:
    data = bytes.fromhex(head) + bytes(1_000)
    with pytest.raises(MalformedMessage):
        decode(kind, version, data)  # loads the readers before the measurement
    tracemalloc.start()
    try:
        with pytest.raises(MalformedMessage):
            decode(kind, version, data)
        _, peak_bytes = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert peak_bytes < 20_000


def test_decode__unknown_version__error_lists_the_known_versions() -> None:
    with pytest.raises(UnsupportedVersion, match="0 to 4, not 5"):
        decode(HeartbeatRequest, 5, b"")
    with pytest.raises(UnsupportedVersion):
        encode(HeartbeatRequest(), -1)


@pytest.mark.parametrize(
    ("message", "version"),
    [
        (LeaveGroupRequest(group_id=None), 4),  # type: ignore[arg-type]
        (HeartbeatRequest(GroupId("g" * 40_000)), 0),
        (HeartbeatResponse(2**31, 0), 1),
        (MetadataRequest(topics=None), 0),
        (HeartbeatRequest(member_id=MemberId("\ud800")), 4),
        (JoinGroupRequest(protocols=[None]), 4),  # type: ignore[list-item]
    ],
)
def test_encode__value_that_its_type_cannot_hold__error_names_the_field(
    message: HeartbeatRequest, version: int
) -> None:
    with pytest.raises(InvalidMessage, match=type(message).__name__):
        encode(message, version)


def test_message__mutable_default_of_a_field__not_shared_between_messages() -> None:
    one, other = MetadataResponse(), MetadataResponse()
    one.topics.append(None)  # type: ignore[arg-type]
    assert other.topics == []


def test_message__two_with_equal_fields__equal_and_same_repr() -> None:
    assert HeartbeatResponse(1, 2) == HeartbeatResponse(1, 2) != HeartbeatResponse(1, 3)
    assert HeartbeatResponse(1, 2) != HeartbeatRequest()
    assert repr(HeartbeatResponse(1, 2)) == "HeartbeatResponse(throttle_time_ms=1, error_code=2)"


def metadata_of(topics: int) -> bytes:
    return encode(MetadataRequest([MetadataRequestTopic(name=TopicName("t"))] * topics), 12)


def fetch_of(topics: int, partitions: int) -> bytes:
    return encode(FetchRequest(topics=[FetchTopic(partitions=[FetchPartition()] * partitions)] * topics), 17)


def offsets_of(groups: int, topics: int, partitions: int) -> bytes:
    wanted = [OffsetFetchRequestTopics(TopicName("t"), partition_indexes=[PartitionId(0)] * partitions)] * topics
    return encode(OffsetFetchRequest(groups=[OffsetFetchRequestGroup(GroupId("g"), topics=wanted)] * groups), 9)


def tagged_heartbeat(tags: int) -> bytes:
    entries = b"".join(uvarint(tag) + b"\0" for tag in range(tags))
    return encode(HeartbeatRequest(GroupId("g")), 4)[:-1] + uvarint(tags) + entries


@pytest.mark.parametrize(
    ("kind", "version", "most", "too_many"),
    [
        (MetadataRequest, 12, (metadata_of, REQUEST_ELEMENTS_MAX), (metadata_of, REQUEST_ELEMENTS_MAX + 1)),
        (
            FetchRequest,
            17,
            (fetch_of, 100, REQUEST_ELEMENTS_MAX // 100 - 1),
            (fetch_of, 100, REQUEST_ELEMENTS_MAX // 100),
        ),
        (OffsetFetchRequest, 9, (offsets_of, 10, 99, 100), (offsets_of, 10, 99, 101)),
        (HeartbeatRequest, 4, (tagged_heartbeat, REQUEST_ELEMENTS_MAX), (tagged_heartbeat, REQUEST_ELEMENTS_MAX + 1)),
    ],
    ids=["structs", "structs within structs", "numbers", "unknown tags"],
)
def test_decode_request__more_elements_than_a_request_may_have__malformed(
    kind: type[MetadataRequest], version: int, most: tuple[Any, ...], too_many: tuple[Any, ...]
) -> None:
    request_of, *counts = most
    decode(kind, version, request_of(*counts))
    request_of, *counts = too_many
    with pytest.raises(MalformedMessage, match="more than 100000 elements"):
        decode(kind, version, request_of(*counts))


@pytest.mark.parametrize(
    "request_of",
    [
        lambda text: HeartbeatRequest(GroupId(text)),
        lambda text: HeartbeatRequest(group_instance_id=InstanceId(text)),
        lambda text: DescribeGroupsRequest(["g", text]),
    ],
    ids=["string", "nullable string", "strings"],
)
def test_decode_request__string_longer_than_32767_bytes_in_a_flexible_version__malformed(
    request_of: Callable[[str], Message],
) -> None:
    longest, longer = request_of("é" * 16_383 + "e"), request_of("é" * 16_384)
    version = APIS[ApiKey(longest.KEY)].max_version
    assert decode(type(longest), version, encode(longest, version)) == longest
    with pytest.raises(MalformedMessage, match="a string has 32768 bytes, at most 32767 are allowed"):
        decode(type(longer), version, encode(longer, version))


def test_decode_response__more_elements_than_a_request_may_have__decoded() -> None:
    topics = [MetadataResponseTopic()] * (REQUEST_ELEMENTS_MAX + 1)
    assert len(decode(MetadataResponse, 12, encode(MetadataResponse(topics=topics), 12)).topics) == len(topics)
