"""Records of a topic from its start to its present end, as a consumer sees them."""

import time

import pyarrow as pa

from tenure.client.consumer.fetch_arrow import fetch_arrow
from tenure.client.queries.blocking import describe_topic, end_offsets
from tenure.client.values import TopicPartition
from tenure.protocol.special_values import READ_COMMITTED

PATIENCE_S = 60.0
SCHEMA = pa.schema([("key", pa.binary()), ("value", pa.binary())])


def records_of(
    address: str, topic: str, isolation_level: int = READ_COMMITTED
) -> list[tuple[bytes | None, bytes | None]]:
    """Return keys and values, partition by partition."""
    table = table_of(address, topic, isolation_level)
    return list(zip(table["key"].to_pylist(), table["value"].to_pylist(), strict=True))


def table_of(address: str, topic: str, isolation_level: int = READ_COMMITTED) -> pa.Table:
    """Return keys and values, partition by partition.

    With READ_COMMITTED, wait until no transaction is open: a producer learns that its transaction is committed before
    the markers are written.
    """
    places = [TopicPartition(topic, each.partition) for each in describe_topic(address, topic).partitions]
    ends = end_offsets(address, places, isolation_level=isolation_level)
    give_up_at = time.monotonic() + PATIENCE_S
    while isolation_level == READ_COMMITTED and ends != end_offsets(address, places):
        assert time.monotonic() < give_up_at, f"a transaction stays open: {ends}"
        time.sleep(0.02)
        ends = end_offsets(address, places, isolation_level=isolation_level)
    found = [
        pa.Table.from_batches([batch]).select(SCHEMA.names).cast(SCHEMA)
        for at in places
        for batch in fetch_arrow(address, *at, 0, ends[at], isolation_level=isolation_level)
    ]
    return pa.concat_tables(found) if found else SCHEMA.empty_table()
