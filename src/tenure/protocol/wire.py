"""Primitive types of the wire (rules 1.1.2 to 1.1.4) for generated code, which inlines some of them.

Readers take (data, offset), and return (value, offset after the value). They need not check whether a string or byte
field ends within the data. If it does not, the next read fails (IndexError, struct.error); after the last field,
`codec.decode` notices that the offset is not the end of the data. So one comparison per message replaces one per field.
But a count of elements is checked before memory is allocated: the remaining data must have space for that number of
elements of the smallest size.
"""

from collections.abc import Callable, Sequence
from functools import partial
from struct import Struct as Packer
from struct import pack, unpack_from
from typing import Any, Final

from tenure.limits.protocol import REQUEST_ELEMENTS_MAX, TEXT_BYTES_MAX
from tenure.protocol.message import Data, FilePart, MalformedMessage, MessagePart

utf8: Final[Callable[[bytes], Any]] = bytes.decode
"""Decode UTF-8. The result is Any, so that generated readers can use it as a NewType without a call at run time."""

utf8_of: Final[Callable[[Data], Any]] = partial(str, encoding="utf-8")
"""Decode UTF-8 from a view. The result is Any, as for `utf8`."""

UVARINT: Final = tuple(bytes((n,)) for n in range(128))
"""Unsigned varints of one byte, by value; nearly all lengths have one byte."""

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
    """Decode an unsigned varint of at most five bytes and 32 bits.

    As in Kafka, a small number may be encoded in more bytes than necessary.
    """
    value = 0
    for shift in range(0, 35, 7):
        byte = data[at]
        at += 1
        value |= (byte & 127) << shift
        if byte < 128:
            if value > 0xFFFFFFFF:
                break
            return value, at
    raise MalformedMessage("a varint exceeds 32 bits")


def read_text_length(data: Data, at: int) -> tuple[int, int]:
    """Decode the length field of a compact string in a request. The field has the length plus one; 0 means null.

    As in Kafka, a length is refused if the classic encoding cannot have it. So a name from a request of one version can
    be in the response of every other version.
    """
    length, at = read_uvarint(data, at)
    if length - 1 > TEXT_BYTES_MAX:
        raise MalformedMessage(f"a string has {length - 1} bytes, at most {TEXT_BYTES_MAX} are allowed")
    return length, at


def too_many(n: int, bytes_min: int, data: Data, at: int) -> MalformedMessage:
    """Return an error for a count of elements for which the remaining data are too short (KAFKA-14063)."""
    left = len(data) - at
    return MalformedMessage(f"{n} elements of at least {bytes_min} bytes are announced, but {left} bytes are left")


class Elements:
    """Counter of array elements and unknown tags in a message, with a maximum."""

    __slots__ = ("_left",)

    def __init__(self, count_max: int = REQUEST_ELEMENTS_MAX) -> None:
        self._left = count_max

    def add(self, count: int) -> None:
        """Add the number of elements that come next. Raises `MalformedMessage` if the total exceeds the maximum."""
        self._left -= count
        if self._left < 0:
            raise MalformedMessage(f"a request has more than {REQUEST_ELEMENTS_MAX} elements: send several requests")


UNCOUNTED_BYTES: Final = REQUEST_ELEMENTS_MAX
"""Size up to which a request cannot have too many elements, because each has at least one byte."""

UNBOUNDED: Final = Elements(2**63 - 1)
"""Counter without a real limit: for responses, because a client trusts its broker, and for small requests."""


def read_int32s(data: bytes, at: int, n: int) -> list[Any]:
    """Decode n int32 numbers. The caller advances its offset by 4 * n."""
    if n < 16:
        return list(_UNPACK_INT32S[n](data, at))
    if n * 4 > len(data) - at:
        raise too_many(n, 4, data, at)
    return list(unpack_from(f">{n}i", data, at))


def read_int16s(data: bytes, at: int, n: int) -> list[Any]:
    """Decode n int16 numbers. The caller advances its offset by 2 * n."""
    if n * 2 > len(data) - at:
        raise too_many(n, 2, data, at)
    return list(unpack_from(f">{n}h", data, at))


def read_int8s(data: bytes, at: int, n: int) -> list[Any]:
    """Decode n int8 numbers. The caller advances its offset by n."""
    if n > len(data) - at:
        raise too_many(n, 1, data, at)
    return list(unpack_from(f">{n}b", data, at))


def read_int64s(data: bytes, at: int, n: int) -> list[Any]:
    """Decode n int64 numbers. The caller advances its offset by 8 * n."""
    if n * 8 > len(data) - at:
        raise too_many(n, 8, data, at)
    return list(unpack_from(f">{n}q", data, at))


def read_uuids(data: bytes, at: int, n: int) -> list[Any]:
    if n * 16 > len(data) - at:
        raise too_many(n, 16, data, at)
    return [data[start : start + 16] for start in range(at, at + 16 * n, 16)]


def read_strings(data: bytes, at: int, n: int) -> tuple[list[Any], int]:
    """Decode n strings in classic encoding, none of which may be null."""
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
    """Decode n strings in compact encoding, none of which may be null. `read_length` decodes a length field."""
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
    """Encode an int32 array in classic encoding, with its count."""
    n = len(values)
    return _PACK_INT32S[n](n, *values) if n < 16 else pack(f">i{n}i", n, *values)


def pack_compact_int32s(values: Sequence[int]) -> bytes:
    """Encode an int32 array in compact encoding, with its count."""
    n = len(values)
    return _PACK_COMPACT_INT32S[n](n + 1, *values) if n < 16 else uvarint(n + 1) + pack(f">{n}i", *values)


def pack_int8s(values: Sequence[int]) -> bytes:
    """Encode int8 numbers, without their count."""
    return pack(f">{len(values)}b", *values)


def pack_int16s(values: Sequence[int]) -> bytes:
    """Encode int16 numbers, without their count."""
    return pack(f">{len(values)}h", *values)


def pack_int64s(values: Sequence[int]) -> bytes:
    """Encode int64 numbers, without their count."""
    return pack(f">{len(values)}q", *values)


def uncopied(records: Data | FilePart) -> MessagePart:
    """Return record batches as a part of a message: a memoryview as a copy, bytes and file ranges as they are."""
    return bytes(records) if isinstance(records, memoryview) else records


joined: Final[Callable[[list[Any]], bytes]] = b"".join
"""Join parts that are all bytes. Parts in a file are sent without joining."""


def write_strings(out: list[MessagePart], values: Sequence[str]) -> None:
    for value in values:
        text = value.encode()
        out.append(_pack_h(len(text)))
        out.append(text)


def write_compact_strings(out: list[MessagePart], values: Sequence[str]) -> None:
    for value in values:
        text = value.encode()
        out.append(uvarint(len(text) + 1))
        out.append(text)


def skip_tags(data: Data, at: int, elements: Elements = UNBOUNDED) -> int:
    """Skip the tagged fields of a struct that defines none, and return the offset after them.

    `elements` counts the fields. Tags must ascend (rule 1.1.4).
    """
    n, at = read_uvarint(data, at)
    elements.add(n)
    last = -1
    for _ in range(n):
        last, size, at = read_tag(data, at, last)
        at += size
    return at


def read_tag(data: Data, at: int, last: int) -> tuple[int, int, int]:
    """Return (tag, size, offset of the payload) of a tagged field. `last` is the tag of the field before it, or -1.

    Raises MalformedMessage if the tag does not exceed `last`, or the payload does not end within the data.
    """
    tag, at = read_uvarint(data, at)
    size, at = read_uvarint(data, at)
    if tag <= last:
        raise MalformedMessage(f"tag {tag} follows tag {last}: tags must ascend")
    if size > len(data) - at:
        raise MalformedMessage(f"tag {tag} announces {size} bytes, {len(data) - at} are left")
    return tag, size, at


def tagged(tag: int, payload: bytes) -> bytes:
    """Encode one tagged field."""
    return uvarint(tag) + uvarint(len(payload)) + payload
