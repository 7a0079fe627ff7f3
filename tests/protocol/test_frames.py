"""Frames that arrive in pieces, and two special headers: the client id, and the response to ApiVersions (rule 1.2)."""

import tracemalloc

import pytest

from tenure.limits.protocol import ANSWER_BYTES_MAX, LARGE_FRAME_BYTES, UNCOPIED_BYTES_MIN
from tenure.protocol import messages
from tenure.protocol.apis import APIS, ApiKey
from tenure.protocol.codec import InvalidMessage, MalformedMessage, decode, encode
from tenure.protocol.dialect import Dialect
from tenure.protocol.frames import (
    FrameReader,
    FrameTooLarge,
    MalformedFrame,
    RequestHeader,
    decode_request_header,
    decode_response,
    encode_request,
    encode_response,
    response_class,
)
from tenure.protocol.messages import (
    ApiVersionsResponse,
    DescribedGroup,
    DescribedGroupMember,
    DescribeGroupsRequest,
    DescribeGroupsResponse,
    FetchableTopicResponse,
    FetchRequest,
    FetchResponse,
    HeartbeatRequest,
    HeartbeatResponse,
    ListedGroup,
    ListGroupsRequest,
    ListGroupsResponse,
    PartitionData,
)
from tests.protocol.samples import SEED, each_version, rng, sample
from tests.steps import returned

EVERY = [(api.key, version) for api in APIS.values() for version in range(api.min_version, api.max_version + 1)]


@each_version(EVERY)
def test_encode_request__every_api_and_version__decoded_to_the_same_header_and_message(
    key: ApiKey, version: int
) -> None:
    name = f"{APIS[key].name}Request"
    message = sample(name, version, rng("request", name, version))
    for client_id in (None, "", "länger als gedacht"):
        framed = encode_request(RequestHeader(key, version, 77, client_id), message)
        (frame,) = frames_of(framed)
        header, at = decode_request_header(frame)
        assert (header.api_key, header.api_version, header.correlation_id, header.client_id) == (
            key,
            version,
            77,
            client_id,
        )
        assert decode(type(message), version, frame, at) == message


@each_version(EVERY)
def test_encode_response__every_api_and_version__decoded_to_the_same_message(key: ApiKey, version: int) -> None:
    name = f"{APIS[key].name}Response"
    message = sample(name, version, rng("response", name, version))
    framed = encode_response(key, version, -5, message)
    dialect = Dialect(getattr(messages, f"{APIS[key].name}Request"), version)
    assert b"".join(dialect.write(-5, message)) == b"".join(returned(dialect.write_in_steps(-5, message))) == framed
    (frame,) = frames_of(framed)
    assert decode_response(key, version, frame) == (-5, message)
    assert isinstance(message, response_class(key))


def test_fetch_response__large_records_beside_small_ones__large_ones_not_copied() -> None:
    few, many = b"few", bytes(UNCOPIED_BYTES_MIN)
    partitions = [
        PartitionData(number, 0, 9, aborted_transactions=None, records=records)
        for number, records in enumerate([few, many, few, few, many])
    ]
    response = FetchResponse(responses=[FetchableTopicResponse("t", partitions=partitions)])
    pieces = Dialect(FetchRequest, 12).write(7, response)
    assert b"".join(pieces) == encode_response(ApiKey.FETCH, 12, 7, response)
    assert [piece is many for piece in pieces] == [False, True, False, True, False]


def test_encode_response__too_large__refused_before_it_is_copied() -> None:
    member = DescribedGroupMember(member_metadata=bytes(ANSWER_BYTES_MAX // 100))
    response = DescribeGroupsResponse(groups=[DescribedGroup(members=[member])] * 100)
    dialect = Dialect(DescribeGroupsRequest, 5)
    tracemalloc.start()
    try:
        with pytest.raises(InvalidMessage, match="DescribeGroupsRequest v5 has more than 104857600 bytes"):
            dialect.write(7, response)
        _, peak_bytes = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert peak_bytes < 100_000


def test_request_header__flexible_version__client_id_still_has_an_int16_length() -> None:
    framed = encode_request(RequestHeader(12, 4, 1, "ab"), HeartbeatRequest())
    assert framed == bytes.fromhex("00000015 000c 0004 00000001 0002 6162 00 01 00000000 01 00 00")


def test_response_header__of_api_versions__no_tagged_fields() -> None:
    framed = encode_response(18, 3, 1, ApiVersionsResponse())
    assert framed == bytes.fromhex("0000000c 00000001 0000 01 00000000 00")


def test_decode_request_header__unknown_api__fixed_fields_still_read() -> None:
    header, at = decode_request_header(bytes.fromhex("03e7 0063 00000001 ffff") + b"whatever")
    assert (header.api_key, header.api_version, header.client_id, at) == (999, 99, None, 10)


@pytest.mark.parametrize(
    "frame",
    [
        "",
        "000c 0004 0000",
        "000c 0004 00000001",
        "000c 0004 00000001 0005 61",
        "000c 0004 00000001 fffe",
        "000c 0004 00000001 0001 ff",
    ],
)
def test_decode_request_header__malformed_frame__only_malformed_message_errors(frame: str) -> None:
    with pytest.raises(MalformedMessage):
        decode_request_header(bytes.fromhex(frame))


def test_decode_request_header__unknown_tagged_fields__skipped() -> None:
    body = encode(HeartbeatRequest(), 4)
    frame = bytes.fromhex("000c 0004 00000001 0000 01 05 02 aabb") + body
    header, at = decode_request_header(frame)
    assert decode(HeartbeatRequest, header.api_version, frame, at) == HeartbeatRequest()


@pytest.mark.parametrize("frame", ["", "00000001", "0000000101", "000000010105"])
def test_decode_response__too_short_for_its_header__malformed(frame: str) -> None:
    with pytest.raises(MalformedMessage):
        decode_response(12, 4, bytes.fromhex(frame))


def test_frame_reader__bytes_in_pieces_of_any_size__same_frames() -> None:
    draw = rng("pieces")
    frames = [draw.randbytes(draw.choice((0, 1, 5, 300, 5_000))) for _ in range(200)]
    stream = b"".join(len(frame).to_bytes(4, "big") + frame for frame in frames)
    reader = FrameReader(max_bytes=5_000)
    found: list[bytes] = []
    while stream:
        size = draw.choice((1, 2, 7, 1_000, 20_000))
        reader.feed(stream[:size])
        stream = stream[size:]
        found += reader
    assert found == frames, f"TENURE_TEST_SEED={SEED}"


@pytest.mark.parametrize("piece_bytes", [1_000, 65_536, 700_001, 9_000_000])
def test_frame_reader__large_frames_in_pieces__same_frames(piece_bytes: int) -> None:
    draw = rng("large")
    frames = [draw.randbytes(size) for size in (3, LARGE_FRAME_BYTES, 20, 5_000_000, 1_048_577, 0, 700_000)]
    data = b"".join(len(frame).to_bytes(4, "big") + frame for frame in frames)
    reader = FrameReader(max_bytes=10_000_000)
    found: list[bytes] = []
    for start in range(0, len(data), piece_bytes):
        piece = bytearray(data[start : start + piece_bytes])
        with memoryview(piece) as view:
            reader.feed(view)
        piece[:] = bytes(len(piece))  # the buffer belongs to all connections
        found += [bytes(frame) for frame in reader]
    assert found == frames
    assert reader.held_bytes == 0


def test_frame_reader__announced_size_beyond_the_bound__refused_before_it_arrives() -> None:
    reader = FrameReader(max_bytes=100)
    reader.feed((101).to_bytes(4, "big"))
    with pytest.raises(FrameTooLarge):
        next(reader)


def test_frame_reader__frame_larger_than_the_bound_is_complete__refused() -> None:
    reader = FrameReader(max_bytes=100)
    reader.feed((101).to_bytes(4, "big") + bytes(101))
    with pytest.raises(FrameTooLarge):
        next(reader)


def test_frame_reader__negative_frame_size__refused() -> None:
    reader = FrameReader(max_bytes=100)
    reader.feed(b"\xff\xff\xff\xff")
    with pytest.raises(MalformedFrame):
        next(reader)


def test_frame_reader__valid_frame_before_a_malformed_one__returned_before_the_error() -> None:
    reader = FrameReader(max_bytes=100)
    reader.feed(bytes.fromhex("00000001 aa ffffffff"))
    assert next(reader) == b"\xaa"
    with pytest.raises(MalformedFrame):
        next(reader)


def test_write_response_in_steps__too_large__error_at_the_byte_limit() -> None:
    groups = [ListedGroup(f"group-{number}", "consumer", "Stable", "classic") for number in range(10_000)]
    dialect = Dialect(ListGroupsRequest, 5)
    steps = dialect.write_in_steps(7, ListGroupsResponse(groups=groups))
    assert sum(1 for _ in steps) > 30
    member = DescribedGroupMember(member_metadata=bytes(ANSWER_BYTES_MAX // 100))
    large = DescribeGroupsResponse(groups=[DescribedGroup(members=[member])] * 1_000_000)
    with pytest.raises(InvalidMessage, match="DescribeGroupsRequest v5 has more than 104857600 bytes"):
        returned(Dialect(DescribeGroupsRequest, 5).write_in_steps(7, large))


def frames_of(data: bytes) -> list[bytes]:
    reader = FrameReader(max_bytes=10_000_000)
    reader.feed(data)
    return list(reader)


def test_encode_response__heartbeat__same_bytes_as_in_rules_md() -> None:
    assert encode_response(12, 4, 9, HeartbeatResponse(0, 27)) == bytes.fromhex("0000000c 00000009 00 00000000 001b 00")
