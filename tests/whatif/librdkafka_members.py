"""Members of a group with librdkafka, as a program that writes when each member begins or stops to process a partition.

`python -m tests.whatif.librdkafka_members CONFIG TOPIC OUTPUT`: CONFIG is a JSON list with the configuration of each
member, and its `start.delay.ms`. The members start when a line arrives on standard input, and close on SIGTERM. Each
line of OUTPUT is a time in ms, a partition, and 1 for the first record after an assignment, or -1 for a revocation.
"""

from __future__ import annotations

import json
import os
import signal
import sys
import threading
import time
from typing import Any

from confluent_kafka import Consumer, TopicPartition

POLL_S = 0.1
STOPPING = threading.Event()


class Member:
    """Consumer that processes records until the process is asked to stop."""

    def __init__(self, config: dict[str, Any], topic: str, output: int) -> None:
        self._config = config
        self._topic = topic
        self._output = output
        self._working: set[int] = set()

    def run(self) -> None:
        """Consume, then close the consumer, which revokes all partitions."""
        time.sleep(self._config.pop("start.delay.ms") / 1000)
        consumer = Consumer(self._config)
        consumer.subscribe([self._topic], on_revoke=self._revoked, on_lost=self._revoked)
        while not STOPPING.is_set():
            message = consumer.poll(POLL_S)
            if message is not None and message.error() is None and message.partition() not in self._working:
                self._working.add(message.partition())
                self._write(message.partition(), 1)
        consumer.close()

    def _revoked(self, _: Consumer, partitions: list[TopicPartition]) -> None:
        for number in self._working.intersection(each.partition for each in partitions):
            self._working.remove(number)
            self._write(number, -1)

    def _write(self, partition: int, change: int) -> None:
        os.write(self._output, b"%d %d %d\n" % (time.time_ns() // 1_000_000, partition, change))


def main(configs: str, topic: str, output: str) -> None:
    # A handler would run only if the system delivered the signal to this thread, which waits for the others.
    signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGTERM})
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    file = os.open(output, os.O_WRONLY | os.O_CREAT | os.O_APPEND)
    threads = [threading.Thread(target=Member(config, topic, file).run) for config in json.loads(configs)]
    print("ready", flush=True)
    sys.stdin.readline()
    for thread in threads:
        thread.start()
    signal.sigwait({signal.SIGTERM})
    STOPPING.set()
    for thread in threads:
        thread.join()


if __name__ == "__main__":
    main(*sys.argv[1:])
