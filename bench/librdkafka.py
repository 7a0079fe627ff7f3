"""librdkafka through its C interface, without a Python call for each record.

`python -m bench.librdkafka produce|consume ADDRESS TOPIC PARTITIONS RECORDS BYTES [KEY=VALUE ...]` is a client in a
process of its own, which prints the seconds from its first record to its last. So the
client is as fast as a C program, and the figures compare the brokers.
"""

from __future__ import annotations

import ctypes
import subprocess
import sys
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, Final

from bench.records import VALUE

PRODUCER, CONSUMER = 0, 1
ANY_PARTITION: Final = -1
WHEN_FULL_WAIT: Final = 4
BEGINNING: Final = -2
RECORDS_AT_ONCE: Final = 10_000
ERROR_BYTES: Final = 512
FLUSH_MS: Final = 60_000
POLL_MS: Final = 100
NOTHING_CAME_S: Final = 10.0

PRODUCING = {"enable.idempotence": "true"}
CONSUMING = {"group.id": "bench", "queued.max.messages.kbytes": "262144"}
"""Settings of the consumer; it prefetches enough to fetch while records are delivered. All others are defaults."""


class Message(ctypes.Structure):
    """C struct `rd_kafka_message_t`."""

    _fields_ = (
        ("err", ctypes.c_int),
        ("rkt", ctypes.c_void_p),
        ("partition", ctypes.c_int32),
        ("payload", ctypes.c_char_p),
        ("len", ctypes.c_size_t),
        ("key", ctypes.c_void_p),
        ("key_len", ctypes.c_size_t),
        ("offset", ctypes.c_int64),
        ("_private", ctypes.c_void_p),
    )


RETURNS: Final[dict[str, Any]] = {
    "rd_kafka_conf_new": ctypes.c_void_p,
    "rd_kafka_new": ctypes.c_void_p,
    "rd_kafka_topic_new": ctypes.c_void_p,
    "rd_kafka_queue_new": ctypes.c_void_p,
    "rd_kafka_err2str": ctypes.c_char_p,
}


def client(
    action: str,
    address: str,
    topic: str,
    partitions: int,
    records: int,
    size: int,
    settings: Mapping[str, str] | None = None,
) -> float:
    """Run a new process for `records` records of `size` bytes; return the seconds.

    `settings` are those of TLS and SASL.
    """
    command = [sys.executable, "-m", "bench.librdkafka", action, address, topic, *map(str, (partitions, records, size))]
    command += [f"{key}={value}" for key, value in (settings or {}).items()]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return float(done.stdout)


def library() -> ctypes.CDLL:
    import confluent_kafka

    beside = Path(confluent_kafka.__file__).resolve().parent.parent / "confluent_kafka.libs"
    (found,) = beside.glob("librdkafka-*.so*")
    loaded = ctypes.CDLL(str(found))
    for name, kind in RETURNS.items():
        getattr(loaded, name).restype = kind
    return loaded


class Client:
    """Handle of librdkafka with one topic; pointers are integers here."""

    def __init__(self, kind: int, topic: str, settings: dict[str, str]) -> None:
        self.library = library()
        error = ctypes.create_string_buffer(ERROR_BYTES)
        configuration = ctypes.c_void_p(self.library.rd_kafka_conf_new())
        for key, value in settings.items():
            code = self.library.rd_kafka_conf_set(
                configuration, key.encode(), value.encode(), error, ctypes.c_size_t(ERROR_BYTES)
            )
            assert code == 0, error.value.decode()
        made = self.library.rd_kafka_new(kind, configuration, error, ctypes.c_size_t(ERROR_BYTES))
        assert made, error.value.decode()
        self.handle = ctypes.c_void_p(made)
        self.topic = ctypes.c_void_p(self.library.rd_kafka_topic_new(self.handle, topic.encode(), None))


def produce(cluster: dict[str, str], topic: str, partitions: int, records: int, size: int) -> float:  # noqa: ARG001
    producer = Client(PRODUCER, topic, PRODUCING | cluster)
    value = (VALUE * (1 + size // len(VALUE)))[:size]
    messages = (Message * RECORDS_AT_ONCE)()
    for message in messages:
        message.payload, message.len = value, size
    began = time.perf_counter()
    left = records
    while left:
        some = min(left, RECORDS_AT_ONCE)
        taken = producer.library.rd_kafka_produce_batch(producer.topic, ANY_PARTITION, WHEN_FULL_WAIT, messages, some)
        assert taken == some, f"librdkafka took {taken} records of {some}"
        left -= taken
    code = producer.library.rd_kafka_flush(producer.handle, FLUSH_MS)
    assert code == 0, "not all was written within a minute"
    return time.perf_counter() - began


def consume(cluster: dict[str, str], topic: str, partitions: int, records: int, size: int) -> float:  # noqa: ARG001
    """Consume with librdkafka, which calls a function of its own with each record."""
    consumer = Client(CONSUMER, topic, CONSUMING | cluster)
    lib = consumer.library
    queue = ctypes.c_void_p(lib.rd_kafka_queue_new(consumer.handle))
    for partition in range(partitions):
        lib.rd_kafka_consume_start_queue(consumer.topic, partition, ctypes.c_int64(BEGINNING), queue)
    began = time.perf_counter()
    seen, heard_at = 0, began
    while seen < records:
        taken = lib.rd_kafka_consume_callback_queue(queue, POLL_MS, lib.rd_kafka_message_errstr, None)
        assert taken >= 0, "librdkafka could not consume"
        seen += taken
        heard_at = time.perf_counter() if taken else heard_at
        assert time.perf_counter() < heard_at + NOTHING_CAME_S, f"nothing came for {NOTHING_CAME_S:g} s, after {seen}"
    return time.perf_counter() - began


ACTIONS: dict[str, Callable[[dict[str, str], str, int, int, int], float]] = {"produce": produce, "consume": consume}


def main() -> None:
    action, address, topic, *numbers = sys.argv[1:7]
    partitions, records, size = map(int, numbers)
    cluster = {"bootstrap.servers": address} | dict(setting.split("=", 1) for setting in sys.argv[7:])
    print(ACTIONS[action](cluster, topic, partitions, records, size))


if __name__ == "__main__":
    main()
