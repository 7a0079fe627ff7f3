"""Conversion of messages to bytes and back.

For any bytes, `decode` either returns a message that uses all of them, or raises `MalformedMessage`. The memory that it
allocates is bounded by the number of bytes, because each count is checked against the remaining bytes.
"""

from importlib import import_module
from importlib.util import find_spec
from struct import error as struct_error
from typing import TypeVar

from tenure.protocol.message import (
    Data,
    InvalidMessage,
    MalformedMessage,
    Message,
    MessagePart,
    PiecewiseWriter,
    Reader,
    UnsupportedVersion,
    Writer,
)
from tenure.protocol.wire import joined

__all__ = [
    "InvalidMessage",
    "MalformedMessage",
    "UnsupportedVersion",
    "decode",
    "decode_prefix",
    "encode",
    "encode_parts",
]

M = TypeVar("M", bound=Message)


def encode(message: Message, version: int) -> bytes:
    return joined(encode_parts(message, version))


def encode_parts(message: Message, version: int) -> list[MessagePart]:
    """Encode a message as several pieces, to be joined or sent one by one. Large byte fields are not copied."""
    write = message.WRITERS.get(version) or writer(type(message), version)
    parts: list[MessagePart] = []
    try:
        write(parts, message)
    except (struct_error, AttributeError, TypeError, UnicodeEncodeError) as reason:
        raise unwritable(message, version, reason) from reason
    return parts


def decode(kind: type[M], version: int, data: Data, offset: int = 0) -> M:
    """Decode a message that occupies `data` from `offset` to the end."""
    read = kind.READERS.get(version) or reader(kind, version)
    message: M
    try:
        message, end = read(data, offset)
    except (IndexError, struct_error, UnicodeDecodeError) as reason:
        raise malformed(kind, version, reason) from None
    if end != len(data):
        raise MalformedMessage(f"{kind.__name__} v{version} has {len(data)} bytes, but its fields end at byte {end}")
    return message


def decode_prefix(kind: type[M], version: int, data: bytes, offset: int = 0) -> tuple[M, int]:
    """Decode the message at `offset`, after which other bytes may follow.

    Return the message, and the offset after the message.
    """
    read = kind.READERS.get(version) or reader(kind, version)
    message: M
    try:
        message, end = read(data, offset)
    except (IndexError, struct_error, UnicodeDecodeError) as reason:
        raise malformed(kind, version, reason) from None
    if end > len(data):
        raise MalformedMessage(f"{kind.__name__} v{version} has {len(data)} bytes, but its fields end at byte {end}")
    return message, end


def malformed(kind: type[Message], version: int, reason: Exception) -> MalformedMessage:
    if isinstance(reason, UnicodeDecodeError):
        return MalformedMessage(f"{kind.__name__} v{version} contains text that is not UTF-8: {reason}")
    return MalformedMessage(f"{kind.__name__} v{version} ends too early")


def unwritable(message: Message, version: int, reason: Exception) -> InvalidMessage:
    name = type(message).__name__
    return InvalidMessage(f"{name} cannot be written in version {version}: {reason} in {message!r:.500}")


def reader(kind: type[Message], version: int) -> Reader:
    """Return the decoder of a message. The decoders and encoders of an API are imported on first use."""
    require_version(kind, version)
    import_module(f"tenure.protocol.generated.readers.{kind.TABLE}")
    return kind.READERS[version]


def writer(kind: type[Message], version: int) -> Writer:
    require_version(kind, version)
    import_module(f"tenure.protocol.generated.writers.{kind.TABLE}")
    return kind.WRITERS[version]


def piecewise_writer(kind: type[Message], version: int) -> PiecewiseWriter | None:
    """Return the function that encodes a large response in steps.

    None for a request, and for a response without an array of structs in this version.
    """
    require_version(kind, version)
    if not kind.PIECEWISE_WRITERS and find_spec(name := f"tenure.protocol.generated.piecewise.{kind.TABLE}"):
        import_module(name)
    return kind.PIECEWISE_WRITERS.get(version)


def require_version(kind: type[Message], version: int) -> None:
    known = kind.VERSIONS
    if version not in known:
        raise UnsupportedVersion(f"{kind.__name__} has versions {known[0]} to {known[-1]}, not {version}")
