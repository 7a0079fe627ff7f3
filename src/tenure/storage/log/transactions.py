"""Transactions in one partition: their markers, and which were aborted.

A *marker* is a control batch that ends a producer's transaction in this partition. Readers with read_committed stop at
the *last stable offset*, which is the start of the first open transaction. They get a list of the aborted transactions
before this offset, and skip the records of these transactions (rule 8.6.5).

The transaction index of a segment, a file with the suffix `.txnindex` in Kafka's format, lists the aborted transactions
whose markers are in the segment. It is written when the segment is sealed, before the other indexes. So if the other
indexes exist, the transaction index is complete.
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
    """Last stable offset after the marker.

    All transactions that begin before this offset have ended at this marker or before. So a search for the aborted
    transactions with records before this offset needs no later entries.
    """


class ImplausibleTransactions(ValueError):
    """The transaction index file is incomplete."""


def encode_aborted(aborted: list[Aborted]) -> bytes:
    return b"".join([_ENTRY.pack(_INDEX_VERSION, *entry) for entry in aborted])


def decode_aborted(data: bytes) -> list[Aborted]:
    if len(data) % _ENTRY.size:
        raise ImplausibleTransactions(f"{len(data)} bytes are not a whole number of transaction index entries")
    entries = list(_ENTRY.iter_unpack(data))
    if any(version != _INDEX_VERSION for version, *_ in entries):
        raise ImplausibleTransactions("the transaction index has an unknown version")
    return [Aborted(*entry) for _, *entry in entries]
