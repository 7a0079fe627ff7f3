"""What anybody reads of a topic, to its end as it is for them."""

from tenure.client.fetcher import fetch_arrow
from tenure.client.offsets import LATEST, describe_topic, list_offsets
from tenure.client.values import TopicPartition
from tenure.spark.seat import READ_COMMITTED


def records_of(
    address: str, topic: str, isolation_level: int = READ_COMMITTED
) -> list[tuple[bytes | None, bytes | None]]:
    """Keys and values, partition by partition."""
    count = len(describe_topic(address, topic).partitions)
    latest = {TopicPartition(topic, number): LATEST for number in range(count)}
    found: list[tuple[bytes | None, bytes | None]] = []
    for at, end in list_offsets(address, latest, isolation_level=isolation_level).items():
        for batch in fetch_arrow(address, *at, 0, end.offset, isolation_level=isolation_level):
            found += zip(batch["key"].to_pylist(), batch["value"].to_pylist(), strict=True)
    return found
