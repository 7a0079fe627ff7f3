"""Primitive types of the wire (rules 1.1.2 to 1.1.4) that generated code does not inline.

Readers take (data, offset). They need not look whether a string or a byte field ends within the data: whatever is read
next fails after the end (IndexError, struct.error), and at the very end `codec.decode` sees that the offset is not the
length. So one comparison per message replaces one per field. Counts are different: they are checked before
anything is allocated, against the least that so many elements can occupy.
"""

from collections.abc import Callable, Sequence
from functools import partial
from struct import Struct as Packer
from struct import pack, unpack_from
from typing import Any, Final

from tenure.limits.protocol import REQUEST_ELEMENTS_MAX, TEXT_BYTES_MAX
from tenure.protocol.message import Data, FilePart, MalformedMessage, Piece

utf8: Final[Callable[[bytes], Any]] = bytes.decode
"""UTF-8 text. Typed Any so that a generated reader can hand it to a NewType without a call at run time."""

utf8_of: Final[Callable[[Data], Any]] = partial(str, encoding="utf-8")
"""UTF-8 text of a view. Typed Any, as `utf8`."""

UVARINT: Final = tuple(bytes((n,)) for n in range(128))
"""The unsigned varints of one byte, which nearly all lengths are."""

_unpack_h: Final = Packer(">h").unpack_from
_pack_h: Final = Packer(">h").pack
_PACK_INT32S: Final = tuple(Packer(f">i{n}i").pack for n in range(16))
_PACK_COMPACT_INT32S: Final = tuple(Packer(f">B{n}i").pack for n in range(16))
_UNPACK_INT32S: Final = tuple(Packer(f">{n}i").unpack_from for n in range(16))


def uvarint(value: int) -> bytes:
    """Encode a number as unsigned LEB128."""
    if value < 128:
        return UVARINT[value]
    out = bytearray()
    while value > 127:
        out.append(value & 127 | 128)
        value >>= 7
    out.append(value)
    return bytes(out)


def read_uvarint(data: Data, at: int) -> tuple[int, int]:
    """Decode a varint of at most five bytes and 32 bits.

    A longer encoding of a small number is tolerated within them, as in Kafka.
    """
    value = shift = 0
    while shift < 35:
        byte = data[at]
        at += 1
        value |= (byte & 127) << shift
        if byte < 128:
            if value > 0xFFFFFFFF:
                break
            return value, at
        shift += 7
    raise MalformedMessage("a varint exceeds 32 bits")


def read_text_length(data: Data, at: int) -> tuple[int, int]:
    """Read the length of a compact string of a request, plus one.

    As in Kafka, the classic encoding limits the length, so that a name from any version can be returned in every other
    version.
    """
    length, at = read_uvarint(data, at)
    if length - 1 > TEXT_BYTES_MAX:
        raise MalformedMessage(f"a string has {length - 1} bytes, at most {TEXT_BYTES_MAX} are allowed")
    return length, at


def too_many(n: int, bytes_min: int, data: Data, at: int) -> MalformedMessage:
    """Return the error for a count that the rest of the data cannot contain (KAFKA-14063: refuse before allocating)."""
    return MalformedMessage(f"{n} elements of at least {bytes_min} bytes are announced in {len(data) - at} bytes")


class Elements:
    """The number of array elements and unknown tags that a message may still announce."""

    __slots__ = ("_left",)

    def __init__(self, count_max: int = REQUEST_ELEMENTS_MAX) -> None:
        self._left = count_max

    def take(self, count: int) -> None:
        """Count the elements that the message announces next. Raises `MalformedMessage` beyond the maximum."""
        self._left -= count
        if self._left < 0:
            raise MalformedMessage(f"a request has more than {REQUEST_ELEMENTS_MAX} elements: send several requests")


UNCOUNTED_BYTES: Final = REQUEST_ELEMENTS_MAX
"""A request up to this size cannot have too many elements: each takes a byte at least."""

UNBOUNDED: Final = Elements(2**63 - 1)
"""Limit for responses: a client trusts its broker."""


def read_int32s(data: bytes, at: int, n: int) -> list[Any]:
    """Decode n numbers; the caller advances by 4 * n."""
    if n < 16:
        return list(_UNPACK_INT32S[n](data, at))
    if n * 4 > len(data) - at:
        raise too_many(n, 4, data, at)
    return list(unpack_from(f">{n}i", data, at))


def read_int16s(data: bytes, at: int, n: int) -> list[Any]:
    """Decode n numbers; the caller advances by 2 * n."""
    if n * 2 > len(data) - at:
        raise too_many(n, 2, data, at)
    return list(unpack_from(f">{n}h", data, at))


def read_int8s(data: bytes, at: int, n: int) -> list[Any]:
    """Decode n small numbers; the caller advances by n."""
    if n > len(data) - at:
        raise too_many(n, 1, data, at)
    return list(unpack_from(f">{n}b", data, at))


def read_int64s(data: bytes, at: int, n: int) -> list[Any]:
    """Decode n large numbers; the caller advances by 8 * n."""
    if n * 8 > len(data) - at:
        raise too_many(n, 8, data, at)
    return list(unpack_from(f">{n}q", data, at))


def read_uuids(data: bytes, at: int, n: int) -> list[Any]:
    if n * 16 > len(data) - at:
        raise too_many(n, 16, data, at)
    return [data[start : start + 16] for start in range(at, at + 16 * n, 16)]


def read_strings(data: bytes, at: int, n: int) -> tuple[list[Any], int]:
    """Decode n strings of the classic encoding, none of them null."""
    if n * 2 > len(data) - at:
        raise too_many(n, 2, data, at)
    strings: list[Any] = []
    for _ in range(n):
        (size,) = _unpack_h(data, at)
        if size < 0:
            raise MalformedMessage("a string in an array is null")
        at += 2 + size
        strings.append(data[at - size : at].decode())
    return strings, at


def read_compact_strings(
    data: bytes, at: int, n: int, read_length: Callable[[Data, int], tuple[int, int]] = read_uvarint
) -> tuple[list[Any], int]:
    """Decode n strings of the compact encoding, none of them null."""
    if n > len(data) - at:
        raise too_many(n, 1, data, at)
    strings: list[Any] = []
    for _ in range(n):
        size, at = read_length(data, at)
        if size == 0:
            raise MalformedMessage("a string in an array is null")
        strings.append(data[at : at + size - 1].decode())
        at += size - 1
    return strings, at


def pack_int32s(values: Sequence[int]) -> bytes:
    """Encode an array of the classic encoding with its count."""
    n = len(values)
    return _PACK_INT32S[n](n, *values) if n < 16 else pack(f">i{n}i", n, *values)


def pack_compact_int32s(values: Sequence[int]) -> bytes:
    """Encode an array of the compact encoding with its count."""
    n = len(values)
    return _PACK_COMPACT_INT32S[n](n + 1, *values) if n < 16 else uvarint(n + 1) + pack(f">{n}i", *values)


def pack_int8s(values: Sequence[int]) -> bytes:
    """Encode the values without their count."""
    return pack(f">{len(values)}b", *values)


def pack_int16s(values: Sequence[int]) -> bytes:
    """Encode the values without their count."""
    return pack(f">{len(values)}h", *values)


def pack_int64s(values: Sequence[int]) -> bytes:
    """Encode the values without their count."""
    return pack(f">{len(values)}q", *values)


def uncopied(records: Data | FilePart) -> Piece:
    """Return records as a part of a message: only a view is copied."""
    return bytes(records) if isinstance(records, memoryview) else records


joined: Final[Callable[[list[Any]], bytes]] = b"".join
"""Join parts that are all bytes. Records in a file are sent, never joined."""


def write_strings(out: list[Piece], values: Sequence[str]) -> None:
    for value in values:
        text = value.encode()
        out.append(_pack_h(len(text)))
        out.append(text)


def write_compact_strings(out: list[Piece], values: Sequence[str]) -> None:
    for value in values:
        text = value.encode()
        out.append(uvarint(len(text) + 1))
        out.append(text)


def skip_tags(data: Data, at: int, elements: Elements = UNBOUNDED) -> int:
    """Skip a tagged section without known tags. Tags must ascend (rule 1.1.4)."""
    n, at = read_uvarint(data, at)
    elements.take(n)
    last = -1
    for _ in range(n):
        last, size, at = read_tag(data, at, last)
        at += size
    return at


def read_tag(data: Data, at: int, last: int) -> tuple[int, int, int]:
    """Return tag, size and offset of the payload of the entry at `at`, which must be within the data."""
    tag, at = read_uvarint(data, at)
    size, at = read_uvarint(data, at)
    if tag <= last:
        raise MalformedMessage(f"tag {tag} follows tag {last}: tags must ascend")
    if size > len(data) - at:
        raise MalformedMessage(f"tag {tag} announces {size} bytes, {len(data) - at} are left")
    return tag, size, at


def tagged(tag: int, payload: bytes) -> bytes:
    """Encode one entry of a tagged section."""
    return uvarint(tag) + uvarint(len(payload)) + payload
