"""Random damage in the groups' log of a stopped broker of either kind."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Final

from tenure.protocol.batches import decode_records, read_batches
from tests.consumer_offsets import group_of, read

CHECKED_FROM: Final = 21
"""Position in a batch from which on the checksum covers its bytes."""


def damage_a_batch(draw: random.Random, data: Path) -> set[str]:
    """Change one byte of a batch with records of groups. Return the groups of these records."""
    (log,) = data.glob("__consumer_offsets-0/*.log")
    content = bytearray(log.read_bytes())
    batches, at = [], 0
    for batch in read_batches(bytes(content)):
        if not batch.is_control:
            batches.append((at, batch))
        at += batch.size
    position, damaged = draw.choice(batches)
    content[position + draw.randrange(CHECKED_FROM, damaged.size)] ^= draw.randrange(1, 256)
    log.write_bytes(content)
    return {group_of(read(record)[0]) for record in decode_records(damaged)}
