"""Messages to bytes and back.

On any bytes `decode` either returns a message that used all of them or raises `MalformedMessage`; what it allocates is
bounded by the length of the data, because every count is checked against the bytes that are left.
"""

from struct import error as struct_error
from typing import NoReturn, TypeVar

from tenure.protocol.message import InvalidMessage, MalformedMessage, Message, UnsupportedVersion

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
    parts: list[bytes] = []
    encode_parts(message, version, parts)
    return b"".join(parts)


def encode_parts(message: Message, version: int, parts: list[bytes]) -> None:
    """Appends the message to `parts`; large byte fields by reference, so that a fetch is copied once or never."""
    write = message.WRITERS.get(version)
    if write is None:
        refuse_version(type(message), version)
    try:
        write(parts, message)
    except (struct_error, AttributeError, TypeError, UnicodeEncodeError) as reason:
        name = type(message).__name__
        raise InvalidMessage(f"{name} cannot be written in version {version}: {reason} in {message!r:.500}") from reason


def decode(kind: type[M], version: int, data: bytes, offset: int = 0) -> M:
    """The message that is all of `data` from `offset` on."""
    message, end = decode_prefix(kind, version, data, offset)
    if end != len(data):
        raise MalformedMessage(f"{len(data) - end} bytes are left behind {kind.__name__} v{version}")
    return message


def decode_prefix(kind: type[M], version: int, data: bytes, offset: int = 0) -> tuple[M, int]:
    """The message at `offset` and the offset behind it; bytes may follow."""
    read = kind.READERS.get(version)
    if read is None:
        refuse_version(kind, version)
    message: M
    try:
        message, end = read(data, offset)
    except (IndexError, struct_error):
        raise MalformedMessage(f"{kind.__name__} v{version} ends too early: {len(data) - offset} bytes") from None
    except UnicodeDecodeError as reason:
        raise MalformedMessage(f"{kind.__name__} v{version} holds text that is not UTF-8: {reason}") from None
    if end > len(data):
        raise MalformedMessage(f"{kind.__name__} v{version} ends too early: {end - len(data)} bytes are missing")
    return message, end


def refuse_version(kind: type[Message], version: int) -> NoReturn:
    known = list(kind.READERS)
    raise UnsupportedVersion(f"{kind.__name__} has versions {known[0]} to {known[-1]}, not {version}")
