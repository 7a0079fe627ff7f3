import gzip
import zlib
from contextlib import suppress
from unittest.mock import patch

import pytest
from cramjam import snappy
from hypothesis import given
from hypothesis import strategies as st

from tenure.protocol.compression import (
    Codec,
    CompressionError,
    DecompressedTooLarge,
    compress,
    decompress,
    decompress_into,
)

PACKERS = [codec for codec in Codec if codec is not Codec.NONE]
TEXT = b"words, " * 20_000


@given(st.sampled_from(Codec), st.binary(max_size=300), st.integers(0, 300))
def test_compress_and_decompress__any_bytes__same_bytes(codec: Codec, seed: bytes, times: int) -> None:
    data = seed * times
    assert decompress(codec, compress(codec, data), len(data)) == data


@pytest.mark.parametrize("codec", Codec)
def test_decompress__result_one_byte_larger_than_allowed__refused(codec: Codec) -> None:
    with pytest.raises(DecompressedTooLarge):
        decompress(codec, compress(codec, TEXT), len(TEXT) - 1)


@pytest.mark.parametrize("codec", PACKERS)
def test_decompress__a_gigabyte_of_zeros_in_a_small_batch__refused_before_it_is_unpacked(codec: Codec) -> None:
    bomb = compress(codec, bytes(64 << 20))
    if codec is Codec.GZIP:
        bomb = bomb * 16  # members in a row are one stream
    with pytest.raises(DecompressedTooLarge):
        decompress(codec, bomb, 1 << 20)


@pytest.mark.parametrize("codec", PACKERS)
@given(rubbish=st.binary(min_size=1, max_size=200))
def test_decompress__random_bytes__error_or_result_within_the_bound(codec: Codec, rubbish: bytes) -> None:
    with suppress(CompressionError):
        assert len(decompress(codec, rubbish, 1000)) <= 1000


@pytest.mark.parametrize("codec", [Codec.GZIP, Codec.LZ4, Codec.SNAPPY])
def test_decompress__truncated__error(codec: Codec) -> None:
    with pytest.raises(CompressionError):
        decompress(codec, compress(codec, TEXT)[:-5], len(TEXT))
    for nothing in (b"", compress(codec, TEXT)[:9]):
        with pytest.raises(CompressionError):
            decompress(codec, nothing, len(TEXT))


@given(st.sampled_from(Codec), st.binary(max_size=300), st.integers(0, 300), st.integers(0, 9))
def test_decompress_into__buffer_larger_than_the_data__same_bytes_at_its_beginning(
    codec: Codec, seed: bytes, times: int, more: int
) -> None:
    data = seed * times
    room = memoryview(bytearray(len(data) + more))
    for packed in (compress(codec, data), memoryview(compress(codec, data)).toreadonly()):
        assert decompress_into(codec, packed, room) == len(data)
        assert room[: len(data)] == data


@pytest.mark.parametrize("codec", Codec)
def test_decompress_into__buffer_is_one_byte_too_small__error(codec: Codec) -> None:
    with pytest.raises(CompressionError):
        decompress_into(codec, compress(codec, TEXT), memoryview(bytearray(len(TEXT) - 1)))


@pytest.mark.parametrize("codec", PACKERS)
@given(rubbish=st.binary(max_size=200))
def test_decompress_into__random_bytes__error_or_result_within_the_buffer(codec: Codec, rubbish: bytes) -> None:
    with suppress(CompressionError):
        assert decompress_into(codec, rubbish, memoryview(bytearray(1000))) <= 1000


def test_decompress_into__several_gzip_members__error_so_that_decompress_joins_them() -> None:
    packed = gzip.compress(b"one") + gzip.compress(b"three")
    with pytest.raises(CompressionError):
        decompress_into(Codec.GZIP, packed, memoryview(bytearray(100)))
    assert decompress(Codec.GZIP, packed, 100) == b"onethree"


def test_decompress__gzip_of_ten_thousand_members__input_not_copied_for_each_member() -> None:
    """Decompress in linear time; each of many empty members was given the whole rest before."""
    data = compress(Codec.GZIP, b"begin ") + compress(Codec.GZIP, b"") * 10_000 + compress(Codec.GZIP, b"end")
    given = []
    unpacker = zlib.decompressobj

    class Watched:
        def __init__(self, wbits: int) -> None:
            self._unpacker = unpacker(wbits=wbits)

        def decompress(self, data: bytes, max_length: int) -> bytes:
            given.append(len(data))
            return self._unpacker.decompress(data, max_length)

        def __getattr__(self, name: str) -> object:
            return getattr(self._unpacker, name)

    with patch.object(zlib, "decompressobj", Watched):
        assert decompress(Codec.GZIP, data, 9) == b"begin end"
    assert max(given) <= 16 * 1024 < len(data)


@pytest.mark.parametrize("codec", Codec)
def test_decompress__larger_than_the_memory_reserved_at_once__same_bytes(codec: Codec) -> None:
    data = TEXT * 20
    assert decompress(codec, compress(codec, data), len(data)) == data
    assert decompress(codec, compress(codec, data), 64 << 20) == data


@given(st.lists(st.binary(max_size=50) | st.just(bytes(40_000)) | st.just(TEXT), min_size=1, max_size=8), st.data())
def test_decompress__several_gzip_members_of_any_size__joined_result(members: list[bytes], data: st.DataObject) -> None:
    packed = b"".join([gzip.compress(member, data.draw(st.sampled_from([0, 6]))) for member in members])
    whole = b"".join(members)
    assert decompress(Codec.GZIP, packed, len(whole)) == whole
    if whole:
        with pytest.raises(DecompressedTooLarge):
            decompress(Codec.GZIP, packed, len(whole) - 1)
    with pytest.raises(CompressionError):
        decompress(Codec.GZIP, packed[: -data.draw(st.integers(1, 8))], len(whole))


def test_decompress__raw_snappy_without_the_frame_of_java__decompressed() -> None:
    assert decompress(Codec.SNAPPY, bytes(snappy.compress_raw(TEXT)), len(TEXT)) == TEXT


def test_compress__snappy__framed_as_kafkas_java_client_does() -> None:
    assert compress(Codec.SNAPPY, TEXT).startswith(b"\x82SNAPPY\x00\x00\x00\x00\x01\x00\x00\x00\x01")
