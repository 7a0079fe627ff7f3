"""Transactions in one partition: where they end, and which were aborted.

A *marker* is a control batch that ends a producer's transaction here. Readers of committed data stop at the *last
stable offset*, before the first transaction that is open, and get the list of aborted transactions before it, to skip
their records (rule 8.6.5). Those of a segment are in its file `.txnindex`, in Kafka's format. It is written when the
segment is sealed, before the other indexes: if these exist, it exists.
"""

import struct
from typing import Final, NamedTuple

_ENTRY: Final = struct.Struct(">hqqqq")
_INDEX_VERSION: Final = 0


class Aborted(NamedTuple):
    producer_id: int
    first_offset: int
    last_offset: int
    """Offset of the marker."""
    last_stable_offset: int
    """Last stable offset when the marker was written: every transaction that begins before it and is not listed has its
    outcome elsewhere."""


class ImplausibleTransactions(ValueError):
    """The index was not written completely."""


def encode_aborted(aborted: list[Aborted]) -> bytes:
    return b"".join([_ENTRY.pack(_INDEX_VERSION, *entry) for entry in aborted])


def decode_aborted(data: bytes) -> list[Aborted]:
    if len(data) % _ENTRY.size:
        raise ImplausibleTransactions(f"{len(data)} bytes are not a whole number of aborted transactions")
    entries = list(_ENTRY.iter_unpack(data))
    if any(version != _INDEX_VERSION for version, *_ in entries):
        raise ImplausibleTransactions("the transaction index has an unknown version")
    return [Aborted(*entry) for _, *entry in entries]
