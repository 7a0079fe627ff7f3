"""Records of `__cluster_metadata`, in KRaft's format.

A record begins with three varints: frame version, record type and version.
"""

from typing import Final, NamedTuple

from tenure.protocol.codec import decode, encode
from tenure.protocol.generated import cluster_metadata as generated
from tenure.protocol.message import MalformedMessage, Message
from tenure.protocol.wire import read_uvarint, uvarint

FRAME_VERSION: Final = 1


class UnknownRecord(NamedTuple):
    """Record of an unknown type or version."""

    type: int
    version: int


KINDS: Final[dict[int, type[Message]]] = {
    kind.KEY: kind
    for kind in vars(generated).values()
    if isinstance(kind, type) and issubclass(kind, Message) and kind is not Message
}


def encode_record(record: Message, version: int | None = None) -> bytes:
    """Encode a record in the given version. None is the newest version, as in Kafka at its newest metadata.version."""
    if version is None:
        version = record.VERSIONS[-1]
    head = uvarint(FRAME_VERSION) + uvarint(record.KEY) + uvarint(version)
    return head + encode(record, version)


def decode_record(data: bytes) -> Message | UnknownRecord:
    try:
        frame_version, at = read_uvarint(data, 0)
        key, at = read_uvarint(data, at)
        version, at = read_uvarint(data, at)
    except IndexError:
        raise MalformedMessage(f"a metadata record of {len(data)} bytes is too short for its frame") from None
    if frame_version != FRAME_VERSION:
        raise MalformedMessage(f"a metadata record has frame version {frame_version}; only 1 is supported")
    kind = KINDS.get(key)
    if kind is None or version not in kind.VERSIONS:
        return UnknownRecord(key, version)
    return decode(kind, version, data, at)
