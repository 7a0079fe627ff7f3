"""Read a bounded range of a topic into one Arrow table."""

import time
from collections.abc import Collection, Mapping
from typing import TYPE_CHECKING, Any, TypeAlias

from tenure.client.configuration import keys_of
from tenure.client.consumer.bounded_read import BoundedRead
from tenure.client.consumer.consumer import Consumer
from tenure.client.consumer.consumer_records import schema_of
from tenure.client.errors import RequestTimedOut
from tenure.client.values import TopicPartition
from tenure.limits.client import FETCH_BYTES
from tenure.protocol.special_values import EARLIEST, LATEST

if TYPE_CHECKING:
    import pyarrow as pa

Bound: TypeAlias = int | Mapping[int, int] | None
"""Timestamp in ms, mapping from partition to offset, or None for the beginning or end."""

_READER: Mapping[str, Any] = {"max.partition.fetch.bytes": FETCH_BYTES}
"""Defaults that suit bulk reads better than Kafka's."""


def read_arrow(
    config: str | Mapping[str, Any],
    topic: str,
    *,
    partitions: Collection[int] | None = None,
    start: Bound = None,
    end: Bound = None,
    headers: bool = False,
) -> "pa.Table":
    """Return the records of a topic from `start` up to, but excluding, `end`; ordered within each partition.

        flights = read_arrow("localhost:9092", "flights")

    Nothing is committed.

    Args:
        config: Broker address, or settings as for `Consumer` (`isolation.level`, TLS, SASL, ...).
        topic: Topic name.
        partitions: Partition numbers; None reads all.
        start: Timestamp in ms, or a dict from partition to offset; None starts at the beginning.
        end: Timestamp in ms, or a dict from partition to offset; None ends at the current end.
        headers: Whether to add the column `headers`.

    Returns:
        Columns topic, partition, offset, timestamp (ms, UTC), key and value.

    Raises:
        UnknownTopic: The topic or a partition does not exist.
        OffsetOutOfRange: A partition does not have a given offset.
        RequestTimedOut: The records up to `end` did not arrive in time.
    """
    quiet = {"enable.auto.commit": False, "auto.offset.reset": "none", **_READER}
    with Consumer({**quiet, **keys_of(config)}) as consumer:
        numbers = consumer.partitions_of(topic) if partitions is None else sorted(set(partitions))
        wanted = [TopicPartition(topic, partition) for partition in numbers]
        begins = _offsets(consumer, wanted, start, EARLIEST)
        ends = _offsets(consumer, wanted, end, LATEST)
        consumer.assign({place: begins[place] for place in begins if begins[place] < ends.get(place, 0)})
        return _read(consumer, ends, headers=headers)


def _offsets(
    consumer: Consumer, partitions: Collection[TopicPartition], bound: Bound, otherwise: int
) -> dict[TopicPartition, int]:
    if isinstance(bound, Mapping):
        return {partition: bound[partition.partition] for partition in partitions if partition.partition in bound}
    listed = consumer.offsets_for_times(dict.fromkeys(partitions, otherwise if bound is None else bound))
    young = [partition for partition in partitions if listed[partition].offset < 0]
    return {partition: listed[partition].offset for partition in partitions} | (
        consumer.end_offsets(young) if young else {}
    )


def _read(consumer: Consumer, ends: Mapping[TopicPartition, int], *, headers: bool) -> "pa.Table":
    """Return the records of all assigned partitions up to the end offset of each."""
    import pyarrow as pa

    read = BoundedRead(consumer, {partition: ends[partition] for partition in consumer.assignment()})
    tables: dict[TopicPartition, list[pa.Table]] = {partition: [] for partition in sorted(read.left)}
    give_up_at = time.monotonic() + consumer.patience_s
    while read.left:
        table = consumer.poll_arrow(headers=headers)
        if table is not None:
            give_up_at = time.monotonic() + consumer.patience_s
            partition = TopicPartition(table["topic"][0].as_py(), table["partition"][0].as_py())
            tables[partition].append(_before(table, ends[partition]))
        read.pause_finished(consumer.assignment)
        if read.left and time.monotonic() > give_up_at:
            partition = min(read.left)
            raise RequestTimedOut(
                f"Read of {partition} timed out at offset {consumer.position(partition)} of {ends[partition]}: "
                f"no records for {consumer.patience_s:g} s. Check that the partition's broker is running."
            )
    found = [table for of_partition in tables.values() for table in of_partition]
    return pa.concat_tables(found).unify_dictionaries() if found else schema_of(headers=headers).empty_table()


def _before(table: "pa.Table", end: int) -> "pa.Table":
    import numpy as np

    return table.slice(0, int(np.searchsorted(table["offset"].to_numpy(), end)))
