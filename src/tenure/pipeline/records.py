"""Between the log and the user's function: values decoded into columns, and the records that cannot be."""

from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, NamedTuple, Protocol

if TYPE_CHECKING:
    import pyarrow as pa


class BadRecord(NamedTuple):
    """A record that could not be decoded, or that the pipeline's function could not digest."""

    offset: int
    reason: str
    """Of one that could not be decoded, a clause: "its value is not …"."""
    topic: str = ""
    """Empty where there is but one."""


class Decoded(NamedTuple):
    """Rows of the good records, in the order of their offsets, one each; and the bad ones."""

    rows: "pa.Table"
    bad: Sequence[BadRecord]


class Values(Protocol):
    """How a topic's values become columns. Picklable: it travels to the tasks."""

    def decode(self, records: "pa.Table", partition: int) -> Decoded:
        """`records` has the columns offset, timestamp, key and value of a fetch."""


Fetch = Callable[[str, int, int, int], "Iterable[pa.RecordBatch]"]
"""(topic, partition, start offset, end offset) -> the records in between as offset, timestamp, key, value.
Picklable."""

KeyPartitions = Callable[["pa.Array", int], "pa.Array"]
"""(keys, partition count) -> the partition on which the topic's producers put each key. Picklable."""
