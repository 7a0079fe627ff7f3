import struct

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tenure.client.net.frame_buffer import FrameBuffer
from tenure.limits.client import CONNECTION_BUFFER_BYTES, LARGE_FRAMES_KEPT_BYTES, RESPONSE_BYTES_MAX
from tenure.protocol.message import Data, MalformedMessage

SIZES = st.one_of(st.integers(0, 200), st.integers(CONNECTION_BUFFER_BYTES - 8, CONNECTION_BUFFER_BYTES + 8))


def feed(buffer: FrameBuffer, data: bytes, piece: int = CONNECTION_BUFFER_BYTES) -> list[Data]:
    """Feed bytes as a socket does: never more than there is space for."""
    frames: list[Data] = []
    while data:
        room = buffer.writable()
        assert len(room) > 0
        count = min(len(room), piece, len(data))
        room[:count], data = data[:count], data[count:]
        frames += buffer.received(count)
    return frames


@given(st.lists(SIZES, max_size=6), st.one_of(st.integers(1, 50_000), st.just(1 << 20)))
def test_frames__received_in_any_pieces__complete_frames(sizes: list[int], piece: int) -> None:
    frames = [bytes([number + 1]) * size for number, size in enumerate(sizes)]
    data = b"".join(map(framed, frames))
    assert feed(FrameBuffer(), data, max(piece, len(data) // 2_000)) == frames


LARGE = 2 * CONNECTION_BUFFER_BYTES


def test_large_frame__memoryview_of_the_frame_exists__memory_is_not_reused() -> None:
    buffer = FrameBuffer()
    contents = [bytes([number]) * LARGE for number in range(20)]
    frames = [frame for content in contents for frame in feed(buffer, framed(content))]
    assert frames == contents


def test_large_frame__last_memoryview_of_the_frame_deleted__memory_is_reused() -> None:
    buffer = FrameBuffer()
    (first,) = feed(buffer, framed(b"1" * LARGE))
    assert isinstance(first, memoryview)
    memory, part = first.obj, first[10:20]
    del first
    (second,) = feed(buffer, framed(b"2" * LARGE))
    assert isinstance(second, memoryview)
    assert second.obj is not memory
    assert part == b"1" * 10
    del part
    (third,) = feed(buffer, framed(b"3" * (LARGE - 1)))
    assert isinstance(third, memoryview)
    assert third.obj is memory
    assert third == b"3" * (LARGE - 1)


def test_large_frames__more_than_the_limit_together__oldest_memory_freed() -> None:
    buffer = FrameBuffer()
    size = LARGE_FRAMES_KEPT_BYTES // 4
    content = bytes(size)
    frames = [frame for _ in range(5) for frame in feed(buffer, framed(content), size)]
    memory = [frame.obj for frame in frames if isinstance(frame, memoryview)]
    del frames
    reused = [frame.obj for frame in feed(buffer, framed(content), size) if isinstance(frame, memoryview)]
    assert reused[0] is memory[1]


def framed(content: bytes) -> bytes:
    return struct.pack(">i", len(content)) + content


@pytest.mark.parametrize("size", [-1, RESPONSE_BYTES_MAX + 1])
def test_frames__negative_or_too_large_size__malformed(size: int) -> None:
    with pytest.raises(MalformedMessage):
        feed(FrameBuffer(), struct.pack(">i", size), 4)
