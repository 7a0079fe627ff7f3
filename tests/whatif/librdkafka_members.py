"""Members of a group with librdkafka, as a program that writes when it has processed which record.

`python -m tests.whatif.librdkafka_members CONFIG TOPIC OUTPUT`: CONFIG is a JSON list with the configuration of each
member. The members start when a line arrives on standard input, and close on SIGTERM. Each line of OUTPUT is a
partition, the time at which the record was processed, and the time at which it was written, in ms.
"""

from __future__ import annotations

import json
import os
import signal
import sys
import threading
import time
from typing import Any

from confluent_kafka import Consumer

POLL_S = 0.1
STOPPING = threading.Event()


def member(config: dict[str, Any], topic: str, output: int) -> None:
    """Consume until the process is asked to stop."""
    consumer = Consumer(config)
    consumer.subscribe([topic])
    while not STOPPING.is_set():
        message = consumer.poll(POLL_S)
        if message is not None and message.error() is None:
            _, written_ms = message.timestamp()
            os.write(output, b"%d %d %d\n" % (message.partition(), time.time_ns() // 1_000_000, written_ms))
    consumer.close()


def main(configs: str, topic: str, output: str) -> None:
    signal.signal(signal.SIGTERM, lambda *_: STOPPING.set())
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    file = os.open(output, os.O_WRONLY | os.O_CREAT | os.O_APPEND)
    threads = [threading.Thread(target=member, args=(config, topic, file)) for config in json.loads(configs)]
    print("ready", flush=True)
    sys.stdin.readline()
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


if __name__ == "__main__":
    main(*sys.argv[1:])
