"""Records of a partition, as Arrow: for bulk readers that block, such as Spark tasks.

Connections are kept for the life of the process, so a task pays for none.
"""

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from tenure.limits import FETCH_BYTES

if TYPE_CHECKING:
    import pyarrow as pa


def fetch_arrow(
    bootstrap_servers: str | Sequence[str],
    topic: str,
    partition: int,
    start: int,
    end: int,
    *,
    max_bytes: int = FETCH_BYTES,
    client_id: str = "tenure",
) -> Iterator["pa.RecordBatch"]:
    """The records with `start <= offset < end`, in order, as the columns of `tenure.protocol.columnar.to_arrow`.

    `end` must not lie beyond the end of the partition: take it from `end_offsets`. Holds about `max_bytes` at a time.
    Raises `OffsetOutOfRange`, `UnknownTopic`, `BrokerUnreachable`, each naming topic, partition and offset.
    """
    raise NotImplementedError
