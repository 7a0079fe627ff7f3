"""Is a keyed state's key the topic's partitioning key?

A lane's state is complete only if every record of a key is in that lane's partition. Producers in Kafka's default put a
record into partition murmur2(key bytes) mod partitions; so the column that a pipeline is keyed by must hash, as some
serialisation of it, to the very partition that its records are in. Null keys belong nowhere and are not looked at.
"""

from collections.abc import Iterator

import numpy as np
import pyarrow as pa

from tenure.client.partitioner import partitions_for_keys


def hashable(kind: pa.DataType) -> bool:
    return bool(pa.types.is_string(kind) or pa.types.is_binary(kind) or pa.types.is_integer(kind))


def misplaced(rows: pa.Table, column: str, topic: str, partition: int, partitions: int) -> str | None:
    """Why `column` is not what `topic` is partitioned by, and what to do, in one sentence; None when it may be."""
    keys = rows[column].combine_chunks().drop_null().unique()
    strays = [stray_of(keys, form, partition, partitions) for form in serialised(keys)]
    if not len(keys) or None in strays:
        return None
    return (
        f"topic {topic} is not partitioned by '{column}': key {strays[0]!r} is in partition {partition} of "
        f"{partitions}, where Kafka's partitioner would not put it; produce the topic keyed by '{column}', or key the "
        "pipeline by the column that it is partitioned by"
    )


def stray_of(keys: pa.Array, form: pa.Array, partition: int, partitions: int) -> object:
    """The first key that, serialised so, belongs to another partition; None if all belong here."""
    elsewhere = np.flatnonzero(partitions_for_keys(form, partitions) != partition)
    return keys[int(elsewhere[0])].as_py() if len(elsewhere) else None


def serialised(keys: pa.Array) -> Iterator[pa.Array]:
    """The bytes that producers write for such keys: text, and Java's big-endian integers."""
    if not pa.types.is_integer(keys.type):
        yield keys.cast(pa.binary())
        return
    yield keys.cast(pa.string()).cast(pa.binary())
    numbers = keys.to_numpy(zero_copy_only=False)
    for width in (4, 8):
        java = numbers.astype(f">i{width}")
        if np.array_equal(java, numbers):
            fixed = pa.Array.from_buffers(pa.binary(width), len(java), [None, pa.py_buffer(java.tobytes())])
            yield fixed.cast(pa.binary())
