"""Mutated frames: valid requests of every API and version with some changed bytes.

The same seed gives the same frames, whatever the broker answers.
"""

from __future__ import annotations

import select
import struct
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from random import Random
from typing import Final

from tenure.protocol.apis import APIS, ApiKey
from tenure.protocol.batches import encode_batch
from tenure.protocol.generate import tables
from tenure.protocol.records import Record
from tests.adversary.client import Client
from tests.adversary.generated import Encoder, Kind, Target, topic_id
from tests.adversary.trial import MB, Attack, Stages, memory_bytes
from tests.serving import Serving

FRAMES: Final = 20_000
CONNECTIONS: Final = 16
UNANSWERED_S: Final = 0.1
"""After this time a request counts as parked, or as one that has no answer, and its connection is closed."""
GROWTH_MAX: Final = 64 * MB
RESTORED_AFTER: Final = 2_000
"""Frames after which the topic and the group are created again, because a frame may have deleted them."""
WRONG_SIZE_SHARE: Final = 0.02
CHANGES: Final = (1, 1, 1, 2, 4)
"""Numbers of changes per frame; mostly one, so that many requests pass their decoder."""
EXTREMES: Final = (b"\0", b"\x01", b"\x7f", b"\x80", b"\xff", b"\x7f\xff", b"\x80\0", b"\xff\xff\xff\xff\x07")
EXTREMES_32: Final = (b"\x7f\xff\xff\xff", b"\x80\0\0\0", b"\xff\xff\xff\xff", b"\xff\xff\xff\xfe", b"\0\0\xff\xff")
EXTREMES_64: Final = (b"\x7f" + b"\xff" * 7, b"\x80" + bytes(7), b"\xff" * 8)


def mutated_frames(seed: int, count: int) -> Attack:
    def run(broker: Serving) -> Stages:
        """Valid requests of every API and version, with some bytes changed."""
        topic_id(broker)
        bombard(broker, frames(seed, 1_000))  # loads the code of all APIs
        before_bytes = memory_bytes(broker, "VmRSS")
        yield
        ending = bombard(broker, frames(seed, count))
        growth_bytes = memory_bytes(broker, "VmRSS") - before_bytes
        assert growth_bytes < GROWTH_MAX, f"memory grew by {growth_bytes // MB} MB, {GROWTH_MAX // MB} are allowed"
        return f"seed {seed}: {ending}, memory grew by {growth_bytes / MB:.0f} MB"

    return Attack("mutated-frames", "proof", run)


def frames(seed: int, count: int) -> Iterator[bytes]:
    random = Random(seed)
    valid = valid_requests()
    for _ in range(count):
        request = mutated(random.choice(valid), valid, random)
        size = len(request) if random.random() > WRONG_SIZE_SHARE else random.getrandbits(32) - 2**31
        yield struct.pack(">i", size) + request


def valid_requests() -> list[bytes]:
    """Return one request of each API and version, without its size. It names things that exist, and creates none."""
    batch = encode_batch([Record(0, 0, b"key", b"value", [("name", b"content")])])
    requests = [m for ms in tables().values() for m in ms if m.is_request and m.key in APIS]
    return [
        Encoder(Target(message, version, (), Kind.SAME), bytes(16), batch).frame()[4:]
        for message in sorted(requests, key=lambda message: message.key)
        for version in range(APIS[ApiKey(message.key)].min_version, APIS[ApiKey(message.key)].max_version + 1)
    ]


def mutated(request: bytes, others: Sequence[bytes], random: Random) -> bytes:
    changed = bytearray(request)
    for _ in range(random.choice(CHANGES)):
        at = random.randrange(len(changed) + 1)
        change = random.randrange(7)
        if change == 0 and at < len(changed):
            changed[at] ^= 1 << random.randrange(8)
        elif change == 1:
            extreme = random.choice(random.choice((EXTREMES, EXTREMES_32, EXTREMES_64)))
            changed[at : at + len(extreme)] = extreme
        elif change == 2:
            changed[at:] = b""
        elif change == 3:
            changed[at:at] = random.randbytes(random.randint(1, 16))
        elif change == 4:
            changed[at : at + random.randint(1, 16)] = b""
        elif change == 5:
            changed[at:at] = changed[at : at + random.randint(1, 64)] * random.randint(1, 50)
        elif change == 6:
            other = random.choice(others)
            changed[at:] = other[random.randrange(len(other)) :]
    return bytes(changed)


def bombard(broker: Serving, requests: Iterator[bytes]) -> str:
    """Send each frame on a connection without a pending request; return the outcomes."""
    waiting: dict[Client, float] = {}
    idle: list[Client] = []
    endings: Counter[str] = Counter()
    for number, request in enumerate(requests):
        if number % RESTORED_AFTER == 0:
            topic_id(broker)
        while len(waiting) == CONNECTIONS:
            collect(waiting, idle, endings)
        client = idle.pop() if idle else Client(broker)
        waiting[client] = time.monotonic()
        client.push(request)
    while waiting:
        collect(waiting, idle, endings)
    for client in idle:
        client.close()
    return ", ".join(f"{count} {ending}" for ending, count in sorted(endings.items()))


def collect(waiting: dict[Client, float], idle: list[Client], endings: Counter[str]) -> None:
    """Remove connections that were answered, were closed or waited too long."""
    for client in select.select(list(waiting), [], [], UNANSWERED_S)[0]:
        before = client.answers
        client.read()
        if client.is_closed or client.answers > before:
            del waiting[client]
            endings["closed" if client.is_closed else "answered"] += 1
            if client.is_closed:
                client.close()
            else:
                idle.append(client)
    late = time.monotonic() - UNANSWERED_S
    for client in [client for client, since in waiting.items() if since < late]:
        del waiting[client]
        endings["neither"] += 1
        client.close()
