"""Random histories of streams groups (KIP-1071) on one broker."""

from __future__ import annotations

import random
from typing import Final

from tests.oracle.classic_requests import TOPIC
from tests.oracle.side import Side
from tests.oracle.streams_requests import Streams, subtopology

CLIENTS: Final = "ABCD"
SOURCES: Final = (TOPIC, "random-0", "random-1", "random-2")
LEAVES: Final = -1


def play_streams_groups(draw: random.Random, side: Side, groups: int, steps: int) -> None:
    """Let members of some groups join, confirm their tasks, stay silent and leave. Each group has its own members."""
    for number in range(groups):
        session = side.session()
        play(draw, Streams(session, f"streams-{number}"), steps)
        session.close()


def play(draw: random.Random, group: Streams, steps: int) -> None:
    chosen = draw.sample(SOURCES, k=draw.randint(1, len(SOURCES)))
    topology = [subtopology(str(at), [source]) for at, source in enumerate(chosen)]
    present: set[str] = set()
    for _ in range(steps):
        client = draw.choice(CLIENTS)
        if client not in present:
            group.streams_join(client, *topology, process=f"process-{draw.randrange(3)}")
            present.add(client)
        elif draw.random() < 0.15:
            group.streams_heartbeat(client, LEAVES)
            present.remove(client)
        else:
            group.own(client)
