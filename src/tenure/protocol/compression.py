"""The five codecs of Kafka's record batches, with bounded decompression.

A batch does not say how large it is after decompression, and a kilobyte can become a gigabyte. So every decompressor
has a maximum size, and raises `DecompressedTooLarge` at the first byte beyond it.

Snappy has two framings: Kafka's own clients write Xerial's stream format (snappy-java), other clients one raw block.
Both framings can be read; Xerial's is written. A library is imported with the first batch that needs it.
"""

import threading
import zlib
from collections.abc import Callable
from enum import IntEnum
from typing import Any, Final

from tenure.protocol.message import Data


class Codec(IntEnum):
    """Compression codec of a batch: the low three bits of its attributes."""

    NONE = 0
    GZIP = 1
    SNAPPY = 2
    LZ4 = 3
    ZSTD = 4


ZSTD_LEVEL: Final = 3
"""Default compression level of zstd, in its library and in Kafka."""


class CompressionError(ValueError):
    """The data are invalid for the codec."""


class DecompressedTooLarge(CompressionError):
    """The decompressed data exceed the caller's limit."""


def compress(codec: Codec, data: bytes, level: int | None = None) -> bytes:
    """Compress data; with `level` None, at the library's default level."""
    return _COMPRESSORS[codec](data, level)


def decompress(codec: Codec, data: bytes, max_bytes: int) -> bytes:
    """Decompress data.

    Raises `CompressionError`, or its subclass `DecompressedTooLarge` if the decompressed data exceed `max_bytes`.
    """
    unpacked = _DECOMPRESSORS[codec](data, max_bytes)
    if len(unpacked) > max_bytes:
        raise DecompressedTooLarge(f"{len(data)} bytes of {codec.name.lower()} unpack into more than {max_bytes} bytes")
    return unpacked


def decompress_into(codec: Codec, data: Data, buffer: memoryview) -> int:
    """Decompress data to the beginning of `buffer`, and return the number of bytes there.

    The caller reuses `buffer`. This saves a copy, and the time that the kernel needs to clear newly allocated memory.
    Raises `CompressionError` if the data seem invalid, or do not fit. Then call `decompress`, which finds the error.
    """
    return _DECOMPRESSORS_INTO[codec](data, buffer)


# Every decompressor below may exceed `max_bytes` by a bounded surplus; `decompress` checks the limit.


def _stored(data: bytes, level: int | None) -> bytes:  # noqa: ARG001
    return data


def _unstore(data: bytes, max_bytes: int) -> bytes:  # noqa: ARG001
    return data


def _unstore_into(data: Data, buffer: memoryview) -> int:
    if len(data) > len(buffer):
        raise CompressionError("the decompressed data do not fit into the buffer")
    buffer[: len(data)] = data
    return len(data)


def _gzip(data: bytes, level: int | None) -> bytes:
    packer = zlib.compressobj(zlib.Z_DEFAULT_COMPRESSION if level is None else level, wbits=_GZIP_WINDOW_BITS)
    return packer.compress(data) + packer.flush()


def _gunzip(data: bytes, max_bytes: int) -> bytes:
    """Decompress gzip. Several members in sequence are one stream, as in Java.

    Nearly all data consist of one member, and end with its size. cramjam decompresses such data in half of zlib's time.
    """
    size = int.from_bytes(data[-4:], "little")
    if size <= max_bytes:
        unpacked = bytearray(size)
        try:
            _gunzip_into(data, memoryview(unpacked))
            return bytes(unpacked)
        except CompressionError:
            pass  # There are several members, or the data are damaged.
    return _gunzip_members(data, max_bytes)


def _gunzip_into(data: Data, buffer: memoryview) -> int:
    """Decompress gzip data of one member to the beginning of `buffer`, and return their size."""
    from cramjam import DecompressionError, gzip

    size = int.from_bytes(data[-4:], "little")
    try:
        if size <= len(buffer) and gzip.decompress_into(data, buffer[:size]) == size:
            return size
    except DecompressionError as error:
        raise CompressionError(f"not gzip: {error}") from error
    raise CompressionError("the gzip data have several members, or do not fit into the buffer")


def _gunzip_members(data: bytes, max_bytes: int) -> bytes:
    """Decompress the members of gzip data one after the other.

    The input is passed in small pieces, because at the end of a member, the decompressor copies the rest of its input.
    """
    parts, left, unpacker = [], max_bytes + 1, None
    for start in range(0, len(data), _GZIP_PIECE_BYTES):
        rest = data[start : start + _GZIP_PIECE_BYTES]
        while rest and left:
            unpacker = unpacker or zlib.decompressobj(wbits=_GZIP_WINDOW_BITS)
            try:
                parts.append(unpacker.decompress(rest, left))
            except zlib.error as error:
                raise CompressionError(f"the data are not gzip: {error}") from error
            left -= len(parts[-1])
            rest = unpacker.unused_data
            if unpacker.eof:
                unpacker = None
    if left and (unpacker or not data):
        raise CompressionError("gzip data ends in the middle of its stream")
    return b"".join(parts)


def _lz4(data: bytes, level: int | None) -> bytes:
    import lz4.frame

    packed: bytes = lz4.frame.compress(data, level or 0, block_linked=False)  # Java's writer links no blocks either
    return packed


def _unlz4(data: bytes, max_bytes: int) -> bytes:
    import lz4.frame

    unpacker = lz4.frame.LZ4FrameDecompressor()
    parts, left, rest = list[bytes](), max_bytes + 1, data
    try:
        while left and not unpacker.eof and (rest or not unpacker.needs_input):
            parts.append(unpacker.decompress(rest, max_length=min(left, _PIECE_BYTES)))
            left -= len(parts[-1])
            rest = b""
    except (RuntimeError, EOFError) as error:
        raise CompressionError(f"the data are not an lz4 frame: {error}") from error
    if left and not unpacker.eof:
        raise CompressionError("lz4 data ends in the middle of its frame")
    return b"".join(parts)


def _unlz4_into(data: Data, buffer: memoryview) -> int:
    from cramjam import DecompressionError, lz4

    try:
        size: int = lz4.decompress_into(data, buffer)
    except DecompressionError as error:
        raise CompressionError(f"not an lz4 frame, or too large: {error}") from error
    return size


_of_thread: Final = threading.local()
"""Compressor and decompressor of zstd, which each thread keeps: new ones take longer than a small batch."""


def _zstd(data: bytes, level: int | None) -> bytes:
    import zstandard

    if level is not None:  # The memory of high levels is not kept.
        return zstandard.ZstdCompressor(level).compress(data)
    if not hasattr(_of_thread, "compressor"):
        _of_thread.compressor = zstandard.ZstdCompressor(ZSTD_LEVEL)
    packed: bytes = _of_thread.compressor.compress(data)
    return packed


def _zstd_reader(data: Data) -> Any:
    import zstandard

    if not hasattr(_of_thread, "decompressor"):
        _of_thread.decompressor = zstandard.ZstdDecompressor()
    return _of_thread.decompressor.stream_reader(data, read_across_frames=True)


def _unzstd(data: bytes, max_bytes: int) -> bytes:
    import zstandard

    unpacker = _zstd_reader(data)
    parts, left = list[bytes](), max_bytes + 1
    try:
        while left and (part := unpacker.read(min(left, _PIECE_BYTES))):
            parts.append(part)
            left -= len(part)
    except zstandard.ZstdError as error:
        raise CompressionError(f"the data are not zstd: {error}") from error
    return b"".join(parts)


def _unzstd_into(data: Data, buffer: memoryview) -> int:
    import zstandard

    unpacker = _zstd_reader(data)
    try:
        size: int = unpacker.readinto(buffer)
        if unpacker.read(1):
            raise CompressionError("the decompressed data do not fit into the buffer")
    except zstandard.ZstdError as error:
        raise CompressionError(f"the data are not zstd: {error}") from error
    return size


_XERIAL_MAGIC: Final = b"\x82SNAPPY\x00"
_XERIAL_HEADER: Final = _XERIAL_MAGIC + b"\x00\x00\x00\x01" + b"\x00\x00\x00\x01"  # version, lowest compatible version
_XERIAL_BLOCK_BYTES: Final = 32 * 1024  # snappy-java's default


def _snappy(data: bytes, level: int | None) -> bytes:  # noqa: ARG001
    from cramjam import snappy

    parts = [_XERIAL_HEADER]
    for start in range(0, len(data), _XERIAL_BLOCK_BYTES):
        block = bytes(snappy.compress_raw(data[start : start + _XERIAL_BLOCK_BYTES]))
        parts += (len(block).to_bytes(4, "big"), block)
    return b"".join(parts)


def _unsnappy(data: bytes, max_bytes: int) -> bytes:
    size = sum(_snappy_sizes(_snappy_blocks(data)))
    if size > max_bytes:
        raise DecompressedTooLarge(f"snappy data unpacks into {size} bytes; {max_bytes} are allowed")
    unpacked = bytearray(size)
    _unsnappy_into(data, memoryview(unpacked))
    return bytes(unpacked)


def _unsnappy_into(data: Data, buffer: memoryview) -> int:
    from cramjam import DecompressionError, snappy

    blocks = _snappy_blocks(data)
    end = 0
    for block, size in zip(blocks, _snappy_sizes(blocks), strict=True):
        start, end = end, end + size
        if end > len(buffer):
            raise CompressionError("the decompressed data do not fit into the buffer")
        try:
            snappy.decompress_raw_into(block, buffer[start:end])
        except DecompressionError as error:
            raise CompressionError(f"the data are not snappy: {error}") from error
    return end


def _snappy_blocks(data: Data) -> list[memoryview]:
    """Return the blocks of Xerial's framing, or one raw block."""
    view = memoryview(data)
    return _xerial_blocks(view) if bytes(view[: len(_XERIAL_MAGIC)]) == _XERIAL_MAGIC else [view]


def _snappy_sizes(blocks: list[memoryview]) -> list[int]:
    """Return the size of each block after decompression."""
    from cramjam import DecompressionError, snappy

    try:
        return [snappy.decompress_raw_len(block) for block in blocks]
    except DecompressionError as error:
        raise CompressionError(f"the data are not snappy: {error}") from error


def _xerial_blocks(view: memoryview) -> list[memoryview]:
    if len(view) < len(_XERIAL_HEADER):
        raise CompressionError("snappy data ends in the middle of its header")
    blocks, position = list[memoryview](), len(_XERIAL_HEADER)
    while position < len(view):
        size = int.from_bytes(view[position : position + 4], "big")
        blocks.append(view[position + 4 : position + 4 + size])
        if len(blocks[-1]) < size:
            raise CompressionError(f"snappy block at byte {position} ends past its data")
        position += 4 + size
    return blocks


_PIECE_BYTES: Final = 1 << 20
"""Memory that is reserved in one step for decompressed data: more than most batches need. To reserve `max_bytes` at
once would take longer than decompressing a batch, because the kernel clears the memory."""
_GZIP_WINDOW_BITS: Final = 16 + zlib.MAX_WBITS  # 16: with gzip's header
_GZIP_PIECE_BYTES: Final = 16 * 1024

_COMPRESSORS: Final[dict[Codec, Callable[[bytes, int | None], bytes]]] = {
    Codec.NONE: _stored,
    Codec.GZIP: _gzip,
    Codec.SNAPPY: _snappy,
    Codec.LZ4: _lz4,
    Codec.ZSTD: _zstd,
}

_DECOMPRESSORS: Final[dict[Codec, Callable[[bytes, int], bytes]]] = {
    Codec.NONE: _unstore,
    Codec.GZIP: _gunzip,
    Codec.SNAPPY: _unsnappy,
    Codec.LZ4: _unlz4,
    Codec.ZSTD: _unzstd,
}

_DECOMPRESSORS_INTO: Final[dict[Codec, Callable[[Data, memoryview], int]]] = {
    Codec.NONE: _unstore_into,
    Codec.GZIP: _gunzip_into,
    Codec.SNAPPY: _unsnappy_into,
    Codec.LZ4: _unlz4_into,
    Codec.ZSTD: _unzstd_into,
}
