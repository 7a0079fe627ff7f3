"""Decoded records, bad records, and interfaces of the functions that fetch, decode and partition records."""

from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, NamedTuple, Protocol

if TYPE_CHECKING:
    import pyarrow as pa


class BadRecord(NamedTuple):
    """A record that could not be decoded, or that the pipeline's function could not process."""

    offset: int
    reason: str
    """Reason; for a record that could not be decoded a clause such as "its value is not …"."""
    topic: str = ""
    """Topic of the record; empty if the lane has only one topic."""


class Decoded(NamedTuple):
    """Decoded rows of the good records in offset order, and the bad records."""

    rows: "pa.Table"
    bad: Sequence[BadRecord]


class Values(Protocol):
    """Decoder of the values of a topic's records. Picklable, because tasks use it."""

    def decode(self, records: "pa.Table", partition: int) -> Decoded:
        """Decode `records`, a table with the columns offset, timestamp, key and value."""


Fetch = Callable[[str, int, int, int], "Iterable[pa.RecordBatch]"]
"""Function (topic, partition, start offset, end offset) -> batches of records with the columns offset, timestamp, key
and value. Picklable."""

KeyPartitions = Callable[["pa.Array", int], "pa.Array"]
"""Function (keys, partition count) -> partition that producers choose for each key. Picklable."""
