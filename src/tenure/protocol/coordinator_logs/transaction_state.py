"""Records of `__transaction_state`. A record without a value is a tombstone.

Each key and value begins with an int16 version.
"""

from struct import Struct as Packer
from typing import Final

from tenure.protocol.codec import decode, encode
from tenure.protocol.generated.transaction_state import TransactionLogKey, TransactionLogValue, TransactionPartitions
from tenure.protocol.message import MalformedMessage

__all__ = [
    "TransactionLogKey",
    "TransactionLogValue",
    "TransactionPartitions",
    "decode_record",
    "encode_key",
    "encode_value",
]

_int16: Final = Packer(">h")
KEY_VERSION: Final = 0
VALUE_VERSION: Final = 1
"""Version that Kafka 4.3 writes: the first with tagged fields."""


def encode_key(key: TransactionLogKey) -> bytes:
    return _int16.pack(KEY_VERSION) + encode(key, KEY_VERSION)


def encode_value(value: TransactionLogValue) -> bytes:
    return _int16.pack(VALUE_VERSION) + encode(value, VALUE_VERSION)


def decode_record(key: bytes, value: bytes | None) -> tuple[TransactionLogKey, TransactionLogValue | None] | None:
    """Return (key, value); None for an unknown record type. The value is None for a tombstone.

    Raises MalformedMessage.
    """
    if _version_of(key) != KEY_VERSION:
        return None
    log_key = decode(TransactionLogKey, KEY_VERSION, key, 2)
    if value is None:
        return log_key, None
    version = _version_of(value)
    if version not in TransactionLogValue.VERSIONS:
        raise MalformedMessage(f"the value of {log_key} has the unknown version {version} of TransactionLogValue")
    return log_key, decode(TransactionLogValue, version, value, 2)


def _version_of(data: bytes) -> int:
    if len(data) < 2:
        raise MalformedMessage(f"a key or value in __transaction_state has {len(data)} bytes, too few for a version")
    version: int = _int16.unpack_from(data)[0]
    return version
