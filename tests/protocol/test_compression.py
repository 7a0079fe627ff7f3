from contextlib import suppress

import pytest
from cramjam import snappy
from hypothesis import given
from hypothesis import strategies as st

from tenure.protocol.compression import Codec, CompressionError, DecompressedTooLarge, compress, decompress

PACKERS = [codec for codec in Codec if codec is not Codec.NONE]
TEXT = b"seats, " * 20_000


@given(st.sampled_from(Codec), st.binary(max_size=300), st.integers(0, 300))
def test_decompress__what_compress_made__unchanged(codec: Codec, seed: bytes, times: int) -> None:
    data = seed * times
    assert decompress(codec, compress(codec, data), len(data)) == data


@pytest.mark.parametrize("codec", Codec)
def test_decompress__one_byte_more_than_allowed__refused(codec: Codec) -> None:
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
def test_decompress__rubbish__compression_error_or_bytes_within_the_bound(codec: Codec, rubbish: bytes) -> None:
    with suppress(CompressionError):
        assert len(decompress(codec, rubbish, 1000)) <= 1000


@pytest.mark.parametrize("codec", [Codec.GZIP, Codec.LZ4, Codec.SNAPPY])
def test_decompress__cut_off__says_so(codec: Codec) -> None:
    with pytest.raises(CompressionError):
        decompress(codec, compress(codec, TEXT)[:-5], len(TEXT))
    for nothing in (b"", compress(codec, TEXT)[:9]):
        with pytest.raises(CompressionError):
            decompress(codec, nothing, len(TEXT))


def test_decompress__raw_snappy_without_a_frame__read_too() -> None:
    assert decompress(Codec.SNAPPY, bytes(snappy.compress_raw(TEXT)), len(TEXT)) == TEXT


def test_compress__snappy__framed_as_kafkas_own_writers_do() -> None:
    assert compress(Codec.SNAPPY, TEXT).startswith(b"\x82SNAPPY\x00\x00\x00\x00\x01\x00\x00\x00\x01")
