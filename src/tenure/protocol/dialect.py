"""Dialect: decoder of the requests and encoder of the responses of one API in one version.

A dialect gives the same results as `frames` and `codec`, but faster, because it looks up the reader and writer of its
messages only once. So a broker can handle ten thousand requests per second. It also counts requests and errors.
"""

from collections.abc import Generator
from struct import Struct as Packer
from struct import error as struct_error
from typing import Any, Final

from tenure.limits.protocol import ANSWER_BYTES_MAX, UNCOPIED_BYTES_MIN
from tenure.protocol.apis import ApiKey
from tenure.protocol.codec import malformed, piecewise_writer, reader, unwritable, writer
from tenure.protocol.frames import (
    FLEXIBLE_FROM,
    FLEXIBLE_RESPONSE_FROM,
    pack_flexible_response,
    pack_response,
    response_class,
)
from tenure.protocol.message import Data, InvalidMessage, MalformedMessage, Message, MessagePart
from tenure.protocol.wire import Elements, joined, skip_tags

_unpack_head: Final = Packer(">4xih").unpack_from
"""Fields after API key and version: correlation id, length of the client id."""
PARTS_PER_STEP: Final = 1_024
"""Number of message parts that one step encodes: a few hundred elements of an array, in a few hundred microseconds."""
UNWRITABLE: Final = (struct_error, AttributeError, TypeError, UnicodeEncodeError)
INT32_MAX: Final = 2**31 - 1
"""Greatest size of a frame, which has 32 bits."""


class Dialect:
    __slots__ = (
        "_bytes_max",
        "_has_error_code",
        "_head_bytes",
        "_is_flexible",
        "_pack_head",
        "_read",
        "_request",
        "_write",
        "api_key",
        "errors",
        "requests",
        "version",
    )

    def __init__(self, request: type[Message], version: int) -> None:
        self.version: Final = version
        self.api_key: Final = request.KEY
        self._request = request
        self._read = reader(request, version)
        self._write = writer(response_class(request.KEY), version)
        self._is_flexible = version >= FLEXIBLE_FROM[request.KEY]
        answers_flexibly = version >= FLEXIBLE_RESPONSE_FROM[request.KEY]
        self._pack_head = pack_flexible_response if answers_flexibly else pack_response
        self._head_bytes = 5 if answers_flexibly else 4
        self._bytes_max = INT32_MAX if request.KEY == ApiKey.FETCH else ANSWER_BYTES_MAX
        """Greatest size of a response. For Fetch, the setting `fetch.max.bytes` limits it instead."""
        self._has_error_code = hasattr(response_class(request.KEY), "error_code")
        self.requests = 0
        """Number of decoded requests."""
        self.errors: dict[int, int] = {}
        """Number of errors in responses by error code. It includes errors of single partitions in a response."""

    def read(self, frame: Data) -> tuple[int, str | None, Any]:
        """Decode a request into (correlation id, client id, message).

        Bytes after the message are ignored, as in Kafka: librdkafka sends three of them after Metadata v13.
        """
        try:
            correlation_id, size = _unpack_head(frame)
            at = 10
            client_id = None
            if size >= 0:
                at += size
                client_id = frame[10:at].decode() if type(frame) is bytes else str(frame[10:at], "utf-8")
            elif size != -1:
                raise MalformedMessage("the client id has a negative length")
            if self._is_flexible:
                at = skip_tags(frame, at, Elements()) if frame[at] else at + 1
            message, end = self._read(frame, at)
        except (IndexError, struct_error, UnicodeDecodeError) as reason:
            raise malformed(self._request, self.version, reason) from None
        if end > len(frame):
            raise MalformedMessage(
                f"{self._request.__name__} v{self.version} needs {end} bytes, but its frame has only {len(frame)}"
            )
        self.requests += 1
        return correlation_id, client_id, message

    def count_error(self, error_code: int) -> None:
        self.errors[error_code] = self.errors.get(error_code, 0) + 1

    def write(self, correlation_id: int, response: Any) -> list[MessagePart]:
        """Return the whole frame of a response, including its size; large records are separate, uncopied pieces."""
        if self._has_error_code and response.error_code:
            self.count_error(response.error_code)
        parts: list[MessagePart] = [b""]
        try:
            self._write(parts, response)
        except UNWRITABLE as reason:
            raise unwritable(response, self.version, reason) from reason
        size = self._head_bytes + sum(map(len, parts))
        if size > self._bytes_max:
            raise self._too_large()
        parts[0] = self._pack_head(size, correlation_id)
        return [joined(parts)] if size < UNCOPIED_BYTES_MIN else _in_pieces(parts)

    def write_in_steps(self, correlation_id: int, response: Any) -> Generator[None, None, list[MessagePart]]:
        """Return the same as `write`, but yield from time to time, so that a large response delays no other request."""
        steps = piecewise_writer(type(response), self.version)
        if steps is None:
            return self.write(correlation_id, response)
        if self._has_error_code and response.error_code:
            self.count_error(response.error_code)
        pieces: list[MessagePart] = [b""]
        parts: list[MessagePart] = []
        size = self._head_bytes
        try:
            for _ in steps(parts, response):
                if len(parts) >= PARTS_PER_STEP:
                    size = self._take(parts, pieces, size)
                    yield
        except UNWRITABLE as reason:
            raise unwritable(response, self.version, reason) from reason
        size = self._take(parts, pieces, size)
        pieces[0] = self._pack_head(size, correlation_id)
        return pieces

    def _take(self, parts: list[MessagePart], pieces: list[MessagePart], size: int) -> int:
        """Join small parts, move all of `parts` to `pieces`, and return `size` plus their size.

        Raises InvalidMessage if the response becomes too large.
        """
        size += sum(map(len, parts))
        if size > self._bytes_max:
            raise self._too_large()
        pieces += _in_pieces(parts)
        parts.clear()
        return size

    def _too_large(self) -> InvalidMessage:
        return InvalidMessage(
            f"an answer to {self._request.__name__} v{self.version} has more than {self._bytes_max} bytes: "
            "ask for less in one request"
        )


def _in_pieces(parts: list[MessagePart]) -> list[MessagePart]:
    """Join adjacent small parts; leave large ones as they are."""
    pieces: list[MessagePart] = []
    small: list[bytes] = []
    for part in parts:
        if isinstance(part, bytes) and len(part) < UNCOPIED_BYTES_MIN:
            small.append(part)
        else:
            pieces += (b"".join(small), part)
            small = []
    return [*pieces, b"".join(small)]
