"""Load generator of transactions: every producer writes records, commits an offset and ends, repeatedly.

Each request waits for the answer to the one before. Requests are encoded beforehand; only the producer's identity, the
sequence and the checksum of the batch change. A retriable error repeats the request at once.
"""

from __future__ import annotations

import contextlib
import select
import socket
import struct
import time
from array import array
from dataclasses import dataclass
from typing import Final

import google_crc32c

from bench.load import ANSWER_BYTES_MAX, STALLED_S, Rate
from tenure.protocol.batches import CRC_AT, CRC_COVERS_FROM, LENGTH_END
from tenure.protocol.errors import ErrorCode

ANSWER_AT: Final = 4
"""Start of the compared part of an answer. Its size is left out, because an error may change it."""
IDENTITY: Final = struct.Struct(">qh")
"""Producer id and epoch, which are adjacent in each request and in a batch."""
_sequence: Final = struct.Struct(">i")
_crc: Final = struct.Struct(">I")
RETRIABLE_CODE: Final = ErrorCode.CONCURRENT_TRANSACTIONS.to_bytes(2, "big")


@dataclass(frozen=True, slots=True)
class Step:
    """Request with the position of the producer's identity, and its expected answer up to the error code 0."""

    frame: bytes
    identity_at: int
    answer: bytes
    batch_at: int | None = None
    """Start of its batch of records, which contains the producer's identity."""

    @property
    def error_code_end(self) -> int:
        """End of the error code in its answer."""
        return ANSWER_AT + len(self.answer)

    def of(self, producer_id: int, epoch: int, sequence: int) -> bytes:
        frame = bytearray(self.frame)
        IDENTITY.pack_into(frame, self.identity_at, producer_id, epoch)
        if self.batch_at is not None:
            _sequence.pack_into(frame, self.identity_at + IDENTITY.size, sequence)
            start = self.batch_at
            end = start + LENGTH_END + int.from_bytes(frame[start + LENGTH_END - 4 : start + LENGTH_END], "big")
            crc = google_crc32c.value(bytes(frame[start + CRC_COVERS_FROM : end]))
            _crc.pack_into(frame, start + CRC_AT, crc)
        return bytes(frame)


@dataclass(frozen=True, slots=True)
class PreparedProducer:
    """Producer with its identity, its next sequence, and its requests, of which the last one is the end.

    `records` is their number in each transaction; None if each end returns a new producer epoch, with which sequences
    restart.
    """

    producer_id: int
    epoch: int
    sequence: int
    steps: list[Step]
    records: int | None


@dataclass(frozen=True, slots=True)
class TransactionLoad:
    """Load with one connection per producer."""

    host: str
    port: int
    producers: list[PreparedProducer]
    warm_up_s: float
    seconds: float


class Producer:
    """Producer on one connection, in a transaction."""

    def __init__(self, connection: socket.socket, offered: PreparedProducer) -> None:
        self.connection = connection
        self.producer_id, self.epoch = offered.producer_id, offered.epoch
        self.sequence = offered.sequence
        self.records = offered.records
        self.steps = offered.steps
        self.position = 0
        self.began_s = 0.0

    def send(self) -> None:
        self.connection.send(self.steps[self.position].of(self.producer_id, self.epoch, self.sequence))

    def handle_answer(self) -> bool:
        """Handle an answer and send the next request; return whether a transaction has ended.

        A retriable error repeats the request.
        """
        step, answer = self.steps[self.position], self.connection.recv(ANSWER_BYTES_MAX)
        if not answer.startswith(step.answer, ANSWER_AT):
            if answer[: step.error_code_end].endswith(RETRIABLE_CODE):
                self.send()
                return False
            raise SystemExit(f"step {self.position} was answered {answer.hex() or 'the end of the connection'}")
        self.position += 1
        has_ended = self.position == len(self.steps)
        if has_ended:
            self.position = 0
            if self.records is None:
                self.producer_id, self.epoch = IDENTITY.unpack_from(answer, step.error_code_end)
            else:
                self.sequence += self.records
        self.send()
        return has_ended


def generate(load: TransactionLoad) -> Rate:
    with contextlib.ExitStack() as open_connections:
        epoll = open_connections.enter_context(select.epoll())
        producers: dict[int, Producer] = {}
        for offered in load.producers:
            connection = open_connections.enter_context(socket.create_connection((load.host, load.port)))
            connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            epoll.register(connection.fileno(), select.EPOLLIN)
            producers[connection.fileno()] = Producer(connection, offered)
        for producer in producers.values():
            producer.send()
        exchange(epoll, producers, load.warm_up_s)
        started, used = time.perf_counter(), time.process_time()
        took_s = exchange(epoll, producers, load.seconds)
        seconds = time.perf_counter() - started
        busy = (time.process_time() - used) / seconds
        return Rate(len(took_s), seconds, busy, 1e3 * sorted(took_s)[len(took_s) * 99 // 100])


def exchange(epoll: select.epoll, producers: dict[int, Producer], seconds: float) -> array[float]:
    """Return the duration of each completed transaction."""
    took_s = array("d")
    began_s = time.perf_counter()
    for producer in producers.values():
        producer.began_s = began_s
    while time.perf_counter() < began_s + seconds:
        ready = epoll.poll(STALLED_S)
        if not ready:
            raise SystemExit(f"no answer for {STALLED_S:.0f} s")
        for handle, _ in ready:
            producer = producers[handle]
            if producer.handle_answer():
                now_s = time.perf_counter()
                took_s.append(now_s - producer.began_s)
                producer.began_s = now_s
    return took_s
