"""Frames and headers of messages on a connection (rules 1.1.1 and 1.2).

A frame is an int32 size and that many bytes. Headers are encoded by hand, because they are irregular: the client id
stays an int16 string in flexible versions. The tables have no notation for this exception.
"""

from collections.abc import Callable, Iterator
from functools import cache
from importlib import import_module
from struct import Struct as Packer
from struct import error as struct_error
from typing import Final

from tenure.limits.protocol import LARGE_FRAME_BYTES
from tenure.protocol.apis import APIS, ApiKey
from tenure.protocol.codec import decode, encode_parts
from tenure.protocol.generated.index import HOMES
from tenure.protocol.message import Data, MalformedMessage, Message
from tenure.protocol.wire import Elements, joined, skip_tags

_pack_request: Final = Packer(">ihhih").pack
pack_response: Final = Packer(">ii").pack
pack_flexible_response: Final = Packer(">iix").pack
_unpack_header: Final = Packer(">hhih").unpack_from
_unpack_int32: Final = Packer(">i").unpack_from
_unpack_int16: Final = Packer(">h").unpack_from

_NEVER: Final = 0x7FFF
FLEXIBLE_FROM: Final[dict[int, int]] = {key: api.first_flexible for key, api in APIS.items()}
FLEXIBLE_RESPONSE_FROM: Final[dict[int, int]] = {**FLEXIBLE_FROM, ApiKey.API_VERSIONS: _NEVER}


class MalformedFrame(MalformedMessage):
    """The size of a frame is negative, so the bytes after it cannot be decoded."""


class FrameTooLarge(MalformedMessage):
    """The size of a frame exceeds the limit. The connection is closed before the frame is read."""


class FrameReader:
    """Reader that divides received bytes into frames. It joins the pieces of a frame only once.

    `bytes_max` limits every frame. `bytes_max_of(api_key)` limits the frames of one API; it is called before a large
    frame is received. A large frame is received into one buffer, and returned as a view of it, without a copy.
    """

    __slots__ = ("_at", "_buffer", "_bytes_max_of", "_have", "_is_checked", "_large", "_need", "_pieces", "bytes_max")

    def __init__(self, max_bytes: int, bytes_max_of: Callable[[int], int] | None = None) -> None:
        self.bytes_max = max_bytes
        self._bytes_max_of: Final = bytes_max_of
        self._buffer = b""
        self._at = 0
        """Start of the next frame in the buffer."""
        self._pieces: list[bytes] = []
        """Bytes that were received after those in the buffer."""
        self._large: bytearray | None = None
        """Large frame that is being received, without its size; None if there is none.

        While there is one, the buffer is empty, and `_pieces` are the bytes after the frame.
        """
        self._have = 0
        """Number of received bytes that are not returned yet: in the buffer, in all pieces, and in the large frame."""
        self._need = 4
        """Number of bytes that must be in the buffer at the next check: a size field, a size field and an API key,
        or a whole frame."""
        self._is_checked = False
        """True if the size of the frame that is being received needs no further check."""

    @property
    def held_bytes(self) -> int:
        """Number of received bytes of incomplete frames."""
        return self._have

    def feed(self, data: Data) -> None:
        """Add received bytes, as a copy."""
        if self._large is None:
            self._pieces.append(bytes(data))
        else:
            missing = self._need - len(self._large)
            self._large += data[:missing]
            if len(data) > missing:
                self._pieces.append(bytes(data[missing:]))
        self._have += len(data)

    def only_frame(self, buffer: memoryview, length: int) -> bytes | None:
        """Return the frame if the received bytes are exactly one frame, and no earlier bytes are left; else None.

        This is the usual case. If the result is None, the caller must call `feed` with the received bytes, which are
        the first `length` bytes of `buffer`.
        """
        if self._have or length < 4:
            return None
        (size,) = _unpack_int32(buffer)
        return bytes(buffer[4:length]) if size == length - 4 <= self.bytes_max else None

    def clear(self) -> None:
        """Drop all received bytes."""
        self._buffer, self._at, self._large, self._have, self._need = b"", 0, None, 0, 4
        self._pieces.clear()

    def __iter__(self) -> Iterator[Data]:
        return self

    def __next__(self) -> Data:
        if self._have < self._need:
            self._trim()
            raise StopIteration
        if self._large is not None:
            return self._take_large(self._large)
        if self._pieces:
            if self._at < len(self._buffer):
                self._pieces.insert(0, self._buffer[self._at :])
            self._buffer = b"".join(self._pieces)  # a single piece is not copied
            self._at = 0
            self._pieces.clear()
        start = self._at + 4
        (size,) = _unpack_int32(self._buffer, self._at)
        self._check(size)
        if size + 4 > self._have:
            if size >= LARGE_FRAME_BYTES and self._is_checked:
                self._begin_large(size)
            else:
                self._need = size + 4 if self._is_checked else 6
            self._trim()
            raise StopIteration
        self._is_checked = False
        self._need = 4
        self._have -= size + 4
        self._at = start + size
        return self._buffer[start : self._at]

    def _check(self, size: int) -> None:
        if size < 0:
            raise MalformedFrame(f"a frame announces a negative size of {size} bytes")
        if size > self.bytes_max:
            raise FrameTooLarge(f"a frame announces {size} bytes, at most {self.bytes_max} are allowed")
        self._is_checked = self._bytes_max_of is None or size < LARGE_FRAME_BYTES or self._have >= 6
        if size >= LARGE_FRAME_BYTES and self._is_checked and self._bytes_max_of is not None:
            (api_key,) = _unpack_int16(self._buffer, self._at + 4)
            if size > self._bytes_max_of(api_key):
                raise FrameTooLarge(
                    f"a request of API {api_key} announces {size} bytes, "
                    f"at most {self._bytes_max_of(api_key)} are allowed in requests without records"
                )

    def _begin_large(self, size: int) -> None:
        self._large = bytearray(self._buffer[self._at + 4 :])
        self._buffer, self._at = b"", 0
        self._have = len(self._large)
        self._need = size

    def _take_large(self, large: bytearray) -> Data:
        self._large = None
        self._have -= len(large)
        self._need = 4
        self._is_checked = False
        return memoryview(large).toreadonly()

    def _trim(self) -> None:
        """Remove the bytes of frames that were already returned."""
        if self._at:
            self._buffer = self._buffer[self._at :]
            self._at = 0


class RequestHeader:
    __slots__ = ("api_key", "api_version", "client_id", "correlation_id")

    def __init__(self, api_key: int, api_version: int, correlation_id: int, client_id: str | None = None) -> None:
        self.api_key: Final = api_key
        self.api_version: Final = api_version
        self.correlation_id: Final = correlation_id
        self.client_id: Final = client_id

    def __repr__(self) -> str:
        return f"RequestHeader({self.api_key}, {self.api_version}, {self.correlation_id}, {self.client_id!r})"


def decode_request_header(frame: Data) -> tuple[RequestHeader, int]:
    """Return the header, and the position of the body.

    For an unknown API, only the fixed part of the header is decoded.
    """
    try:
        api_key, version, correlation_id, size = _unpack_header(frame)
        at = 10
        client_id = None
        if size >= 0:
            at = 10 + size
            client_id = str(frame[10:at], "utf-8")
        elif size != -1:
            raise MalformedMessage("the client id has a negative length")
        if version >= FLEXIBLE_FROM.get(api_key, _NEVER):
            at = skip_tags(frame, at, Elements()) if frame[at] else at + 1
    except (struct_error, IndexError, UnicodeDecodeError) as reason:
        raise MalformedMessage(f"a request header is malformed: {reason}") from None
    if at > len(frame):
        raise MalformedMessage("a request header ends too early")
    return RequestHeader(api_key, version, correlation_id, client_id), at


def encode_request(header: RequestHeader, message: Message) -> bytes:
    """Return a request as a frame, including its size."""
    client_id = b"" if header.client_id is None else header.client_id.encode()
    tags = b"\0" if header.api_version >= FLEXIBLE_FROM[header.api_key] else b""
    parts = encode_parts(message, header.api_version)
    head = _pack_request(
        10 + len(client_id) + len(tags) + sum(map(len, parts)),
        header.api_key,
        header.api_version,
        header.correlation_id,
        -1 if header.client_id is None else len(client_id),
    )
    return joined([head, client_id, tags, *parts])


def encode_response(api_key: int, version: int, correlation_id: int, message: Message) -> bytes:
    """Return a response as a frame, including its size. ApiVersions always has header v0 (rule 1.2)."""
    body = joined(encode_parts(message, version))
    if version >= FLEXIBLE_RESPONSE_FROM[api_key]:
        return pack_flexible_response(len(body) + 5, correlation_id) + body
    return pack_response(len(body) + 4, correlation_id) + body


def decode_response(api_key: int, version: int, frame: Data) -> tuple[int, Message]:
    """Decode a frame without its size into (correlation id, message).

    The record batches of a Fetch response are views of the frame.
    """
    if api_key != ApiKey.FETCH:
        frame = bytes(frame)
    if len(frame) < 5:
        raise MalformedMessage(f"a response of {len(frame)} bytes is too short for its header")
    (correlation_id,) = _unpack_int32(frame)
    at = 4
    if version >= FLEXIBLE_RESPONSE_FROM[api_key]:
        try:
            at = skip_tags(frame, 4)
        except IndexError:
            raise MalformedMessage("a response header ends too early") from None
    return correlation_id, decode(response_class(api_key), version, frame, at)


@cache
def response_class(api_key: int) -> type[Message]:
    name = f"{APIS[ApiKey(api_key)].name}Response"
    found: type[Message] = getattr(import_module(f"tenure.protocol.generated.{HOMES[name]}"), name)
    return found
