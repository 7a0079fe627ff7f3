"""Dead-letter topic: unchanged bad records, with headers for their origin and the reason."""

from collections.abc import Iterator, Mapping
from typing import Any

import pyarrow as pa

from tenure.client.producer.producer import Producer
from tenure.pipeline.values.manifest import Manifest


class DeadLetterTopic:
    """Writer of bad records to a dead-letter topic, at least once."""

    def __init__(self, cluster: Mapping[str, Any], topic: str) -> None:
        self.cluster = cluster
        self.topic = topic

    def send(self, manifest: Manifest, letters: bytes) -> None:
        """Write the bad records of one batch. Creates a producer for each call, because bad records are rare."""
        with Producer(self.cluster) as producer:
            for letter in pa.ipc.open_file(letters).read_all().to_pylist():
                sent_ms = int(letter["timestamp"].timestamp() * 1000)
                topic = letter.get("topic", manifest.lane.topics[0])  # Early versions of Tenure stored no topic name.
                headers = list(origin_headers(manifest, topic, letter["offset"], letter["reason"]))
                producer.send(self.topic, letter["key"], letter["value"], timestamp_ms=sent_ms, headers=headers)


def origin_headers(manifest: Manifest, topic: str, offset: int, reason: str) -> Iterator[tuple[str, bytes]]:
    """Yield the headers of a bad record: the topic, partition and offset where it was read, and why it is bad."""
    yield "tenure.topic", topic.encode()
    yield "tenure.partition", str(manifest.lane.partition).encode()
    yield "tenure.offset", str(offset).encode()
    yield "tenure.reason", reason.encode()
