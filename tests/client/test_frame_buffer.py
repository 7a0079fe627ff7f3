import struct

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tenure.client.frame_buffer import FrameBuffer
from tenure.limits import CONNECTION_BUFFER_BYTES, RESPONSE_BYTES_MAX
from tenure.protocol.message import MalformedMessage

SIZES = st.one_of(st.integers(0, 200), st.integers(CONNECTION_BUFFER_BYTES - 8, CONNECTION_BUFFER_BYTES + 8))


def feed(buffer: FrameBuffer, data: bytes, piece: int) -> list[bytes]:
    """As a socket does: never more than there is room for."""
    frames: list[bytes] = []
    while data:
        room = buffer.writable()
        assert len(room) > 0
        count = min(len(room), piece, len(data))
        room[:count], data = data[:count], data[count:]
        frames += buffer.received(count)
    return frames


@given(st.lists(SIZES, max_size=6), st.one_of(st.integers(1, 50_000), st.just(1 << 20)))
def test_frames__in_whatever_pieces__come_out_whole(sizes: list[int], piece: int) -> None:
    frames = [bytes([number + 1]) * size for number, size in enumerate(sizes)]
    data = b"".join(struct.pack(">i", len(frame)) + frame for frame in frames)
    assert feed(FrameBuffer(), data, max(piece, len(data) // 2_000)) == frames


@pytest.mark.parametrize("size", [-1, RESPONSE_BYTES_MAX + 1])
def test_frames__a_size_that_no_answer_has__malformed(size: int) -> None:
    with pytest.raises(MalformedMessage):
        feed(FrameBuffer(), struct.pack(">i", size), 4)
